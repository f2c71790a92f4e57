import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { type AlertCondition, type ConditionOf, INDICATOR_CANDLES } from '@sextant/workers/src/alerts/conditions.ts';
import type { EvidenceBasis } from '@sextant/workers/src/alerts/recompute.ts';
import { formulaCandles, formulaValue, hashOfCandles, indicatorValues } from '@sextant/workers/src/alerts/values.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import {
  liveSignalCandles,
  neutralTuning,
  rulesOf,
  timeframesOf,
} from '@sextant/workers/src/signals/signalRules.ts';
import { ensemble } from '@sextant/workers/src/tasks/ensemble.ts';
import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { type Db, withSystem } from '../../../platform/db/scope.ts';
import type { ClosedBar, ExchangeId, Interval, Market } from '../../market/port.ts';
import { newsSayOf } from '../../news/newsVotes.ts';
import { createStrategySignals, type SignalsDeps } from '../../signals/oppositeSignals.ts';
import type { ValueSink, ValueSource, WantedValue } from './source.ts';

const CHECK_MS = 2000;
/** A close whose candle did not arrive by stream is fetched this long after it. */
const OVERDUE_MS = 8000;
/** Closes of one value that are judged after a downtime, newest ones. */
const MISSED_MAX = 100;

type OnCloses = ConditionOf<'indicator'> | ConditionOf<'signal'> | ConditionOf<'formula'>;
const isOnCloses = (condition: AlertCondition): condition is OnCloses =>
  condition.kind === 'indicator' || condition.kind === 'signal' || condition.kind === 'formula';

interface Value {
  key: string;
  condition: OnCloses;
  /** Close of the last judged candle. */
  doneMs: number;
  /** Direction of the last signal. */
  direction: string;
}

interface Series {
  exchange: ExchangeId;
  symbol: string;
  interval: Interval;
  stepMs: number;
  values: Map<string, Value>;
  running: Promise<void> | undefined;
  release: () => void;
}

export interface CloseSourceDeps {
  db: Db;
  market: Pick<Market, 'onCandle' | 'keep' | 'candles' | 'fundingHistory'>;
  newEngine: () => Engine;
  newsVotes: SignalsDeps['newsVotes'];
  sink: ValueSink;
}

interface Judged {
  value: number;
  basis: EvidenceBasis | undefined;
  direction?: string;
}

/** Indicators, signals and formulas: values at the close of a candle. */
export function createCloseSource({ db, market, newEngine, newsVotes, sink }: CloseSourceDeps): ValueSource {
  const all = new Map<string, Series>();
  const byKey = new Map<string, Series>();
  const engine = newEngine();
  const signals = createStrategySignals({ market, newsVotes }, newEngine());
  let isClosed = false;

  /** Candles that end with the close; undefined while they are missing. */
  async function load({ exchange, symbol, interval, stepMs }: Series, closeMs: number, limit: number) {
    const response = await market.candles({ exchange, symbol, interval, limit, endTimeMs: closeMs });
    if (!response.ok) return undefined;
    const { candles } = response.value.value;
    return (candles.time.at(-1) ?? 0) + stepMs === closeMs ? candles : undefined;
  }

  const basisOf = ({ exchange, symbol, interval }: Series, closeMs: number, candles: Candles): EvidenceBasis => ({
    kind: 'candles',
    exchange,
    symbol,
    interval,
    close_ms: closeMs,
    count: candles.time.length,
    hash: hashOfCandles(candles),
  });

  /** Undefined while the candles are missing. */
  async function judge(series: Series, condition: OnCloses, closeMs: number): Promise<Judged | undefined> {
    if (condition.kind === 'indicator') {
      const candles = await load(series, closeMs, INDICATOR_CANDLES);
      if (candles === undefined) return undefined;
      const values = indicatorValues(engine, condition, candles);
      return { value: values.ok ? (values.value.at(-1) ?? Number.NaN) : Number.NaN, basis: basisOf(series, closeMs, candles) };
    }
    if (condition.kind === 'formula') {
      const candles = await load(series, closeMs, formulaCandles(condition));
      if (candles === undefined) return undefined;
      return { value: formulaValue(engine, condition, candles), basis: basisOf(series, closeMs, candles) };
    }
    const direction = await directionAt(series, condition, closeMs);
    if (direction === undefined) return undefined;
    const isMatch = direction === condition.direction || (condition.direction === 'any' && direction !== 'NEUTRAL');
    return { value: isMatch ? 1 : 0, basis: undefined, direction };
  }

  async function directionAt(
    series: Series,
    { strategy_id: id }: ConditionOf<'signal'>,
    closeMs: number,
  ): Promise<string | undefined> {
    const { exchange, symbol, interval, stepMs } = series;
    if (id === null) {
      const candles = await load(series, closeMs, liveSignalCandles(stepMs));
      if (candles === undefined) return undefined;
      const timeframes = timeframesOf([{ interval, stepMs, candles }]);
      const { vote: news } = newsSayOf(newsVotes, symbol, timeframes);
      engine.raw.arenaReset();
      const outcome = ensemble(engine, { ...rulesOf(neutralTuning), timeframes, ...withoutUndefined({ news }) });
      return outcome.ok ? outcome.value.direction : 'NEUTRAL';
    }
    const row = await withSystem(db, (tx) =>
      tx.selectFrom('strategies').select(['value', 'version']).where('id', '=', id).executeTakeFirst(),
    );
    if (row === undefined) return 'NEUTRAL';
    const strategy = row.value as Strategy;
    const signal = await signals.signalAt({ exchange, symbol, strategy, version: row.version }, closeMs);
    return signal?.direction;
  }

  async function judgeUntil(series: Series, closeMs: number): Promise<void> {
    const { stepMs } = series;
    for (const value of series.values.values()) {
      const firstMs = Math.max(value.doneMs + stepMs, closeMs - (MISSED_MAX - 1) * stepMs);
      for (let atMs = firstMs; atMs <= closeMs; atMs += stepMs) {
        if (isClosed) return;
        const judged = await judge(series, value.condition, atMs);
        if (judged === undefined) break;
        if (isClosed || !series.values.has(value.key)) break;
        value.doneMs = atMs;
        emit(value, judged, atMs);
      }
    }
  }

  function emit(value: Value, { value: figure, basis, direction }: Judged, atMs: number): void {
    const { key } = value;
    // A signal that turns around is another signal.
    const hasTurned = direction !== undefined && value.direction !== direction && value.direction !== 'NEUTRAL';
    if (hasTurned && figure === 1) sink.value(key, 0, atMs);
    if (direction !== undefined) value.direction = direction;
    sink.value(key, figure, atMs, basis && (() => basis));
  }

  function start(series: Series, closeMs: number): void {
    series.running ??= judgeUntil(series, closeMs)
      .catch(sink.warn)
      .finally(() => (series.running = undefined));
  }

  function onCandle(exchange: ExchangeId, { symbol, interval, time }: ClosedBar): void {
    const series = all.get(`${exchange} ${symbol} ${interval}`);
    if (series !== undefined) start(series, time + series.stepMs);
  }

  function check(): void {
    const nowMs = Date.now();
    for (const series of all.values()) {
      const closeMs = Math.floor((nowMs - OVERDUE_MS) / series.stepMs) * series.stepMs;
      if ([...series.values.values()].some(({ doneMs }) => doneMs < closeMs)) start(series, closeMs);
    }
  }

  const stop = market.onCandle(onCandle);
  const timer = setInterval(check, CHECK_MS);

  return {
    want({ key, condition, sinceMs }: WantedValue) {
      if (!isOnCloses(condition)) return;
      const { exchange, symbol, interval } = condition;
      const place = `${exchange} ${symbol} ${interval}`;
      const stepMs = intervalMs[interval];
      const series: Series = all.get(place) ?? {
        exchange,
        symbol,
        interval,
        stepMs,
        values: new Map(),
        running: undefined,
        release: market.keep({ exchange, symbol, interval }),
      };
      all.set(place, series);
      // A close at `sinceMs` itself counts: it may be the one that a crossing starts from.
      const doneMs = (Math.ceil(sinceMs / stepMs) - 1) * stepMs;
      series.values.set(key, { key, condition, doneMs, direction: 'NEUTRAL' });
      byKey.set(key, series);
    },
    drop(key) {
      const series = byKey.get(key);
      if (series === undefined) return;
      byKey.delete(key);
      series.values.delete(key);
      if (series.values.size > 0) return;
      series.release();
      all.delete(`${series.exchange} ${series.symbol} ${series.interval}`);
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      stop();
      await Promise.all([...all.values()].map(({ running }) => running));
      for (const { release } of all.values()) release();
      all.clear();
    },
  };
}
