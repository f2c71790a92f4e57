import { setImmediate as nextTurn } from 'node:timers/promises';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { type AlertCondition, type ConditionOf, INDICATOR_CANDLES } from '@sextant/workers/src/alerts/conditions.ts';
import type { EvidenceBasis } from '@sextant/workers/src/alerts/recompute.ts';
import { formulaCandles, formulaValue, hashOfCandles, indicatorValues } from '@sextant/workers/src/alerts/values.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { liveSignalCandles, neutralTuning, rulesOf, timeframesOf } from '@sextant/workers/src/signals/signalRules.ts';
import { ensemble } from '@sextant/workers/src/tasks/ensemble.ts';
import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { type Db, withSystem } from '../../../platform/db/scope.ts';
import { once } from '../../../platform/once.ts';
import { inBackground } from '../../../platform/readPriority.ts';
import type { ClosedBar, ExchangeId, Interval, Market } from '../../market/port.ts';
import { newsSayOf, type NewsVotes } from '../../news/newsVotes.ts';
import { createStrategySignals } from '../../signals/oppositeSignals.ts';
import { checkAlertRules } from '../../signals/storedRules.ts';
import type { ValueSink, ValueSource, WantedValue } from './source.ts';

const CHECK_MS = 2000;
/** A close whose candle did not arrive by stream is fetched this long after it. */
const OVERDUE_MS = 8000;
/** Longest stretch of judging between two turns of the event loop, ms: leases and other work go on while thousands of values are due. */
const STRETCH_MS = 5;
/** Closes of one value that are judged after a downtime, newest ones. */
const MISSED_MAX = 100;
/** Longest wait of a read for the rules of a user; the next check tries again. */
const OWN_PATIENCE_MS = CHECK_MS;

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

/** Values that are judged one after the other. Those of users' own rules are apart for each owner: none waits for the reads of another. */
interface Series {
  /** Undefined: of values that users share. */
  owner: string | undefined;
  exchange: ExchangeId;
  symbol: string;
  interval: Interval;
  stepMs: number;
  values: Map<string, Value>;
  /** Newest close to judge. */
  dueMs: number;
  running: Promise<void> | undefined;
  release: () => void;
}

export interface CloseSourceDeps {
  db: Db;
  market: Pick<Market, 'onCandle' | 'keep' | 'candles' | 'fundingHistory'>;
  newEngine: () => Engine;
  newsVotes: Pick<NewsVotes, 'read' | 'readAt'>;
  sink: ValueSink;
}

/** The candles of one close, by their count: conditions with the same count share them and their hash, which a change alone needs. */
type Loads = Map<number, Promise<{ candles: Candles; basis: () => EvidenceBasis } | undefined>>;

interface Judged {
  value: number;
  basis: (() => EvidenceBasis) | undefined;
  direction?: string;
}

const placeOf = ({ exchange, symbol, interval }: Pick<Series, 'exchange' | 'symbol' | 'interval'>): string =>
  `${exchange} ${symbol} ${interval}`;

/** Rules that a user wrote may read many candles, in that user's name. */
const isOfOwner = (condition: OnCloses): boolean =>
  condition.kind === 'formula' || (condition.kind === 'signal' && condition.strategy_id !== null);

/** Candles of a series that a value is computed from, as a receipt names them. */
const basisOf = ({ exchange, symbol, interval }: Series, closeMs: number, candles: Candles): EvidenceBasis => ({
  kind: 'candles',
  exchange,
  symbol,
  interval,
  close_ms: closeMs,
  count: candles.time.length,
  hash: hashOfCandles(candles),
});

/** Indicators, signals and formulas: values at the close of a candle. */
export class CloseSource implements ValueSource {
  readonly #deps: CloseSourceDeps;
  /** By place and owner. */
  readonly #all = new Map<string, Series>();
  readonly #byPlace = new Map<string, Set<Series>>();
  readonly #byKey = new Map<string, Series>();
  readonly #engine: Engine;
  readonly #signals: ReturnType<typeof createStrategySignals>;
  readonly #stop: () => void;
  readonly #timer: NodeJS.Timeout;
  #isClosed = false;
  #turn: Promise<void> | undefined;
  /** End of this stretch, of `performance.now`. */
  #stretchEndMs = 0;

  constructor(deps: CloseSourceDeps) {
    this.#deps = deps;
    const { market, newsVotes, newEngine } = deps;
    this.#engine = newEngine();
    this.#signals = createStrategySignals({ market, newsVotes }, newEngine());
    this.#stop = market.onCandle((exchange, bar) => this.#onCandle(exchange, bar));
    this.#timer = setInterval(() => this.#check(), CHECK_MS);
  }

  want({ key, condition, userId, sinceMs }: WantedValue): void {
    if (!isOnCloses(condition)) return;
    const { exchange, symbol, interval } = condition;
    const place = placeOf(condition);
    const stepMs = intervalMs[interval];
    const owner = isOfOwner(condition) ? userId : undefined;
    const name = `${place} ${owner ?? ''}`;
    const series: Series = this.#all.get(name) ?? {
      owner,
      exchange,
      symbol,
      interval,
      stepMs,
      values: new Map(),
      dueMs: 0,
      running: undefined,
      release: this.#deps.market.keep({ exchange, symbol, interval }),
    };
    this.#all.set(name, series);
    this.#byPlace.set(place, (this.#byPlace.get(place) ?? new Set()).add(series));
    // A close at `sinceMs` itself counts: it may be the one that a crossing starts from.
    const doneMs = (Math.ceil(sinceMs / stepMs) - 1) * stepMs;
    series.values.set(key, { key, condition, doneMs, direction: 'NEUTRAL' });
    this.#byKey.set(key, series);
  }

  drop(key: string): void {
    const series = this.#byKey.get(key);
    if (series === undefined) return;
    this.#byKey.delete(key);
    series.values.delete(key);
    if (series.values.size > 0) return;
    series.release();
    const place = placeOf(series);
    this.#all.delete(`${place} ${series.owner ?? ''}`);
    const others = this.#byPlace.get(place);
    others?.delete(series);
    if (others?.size === 0) this.#byPlace.delete(place);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#stop();
    for (const { running } of this.#all.values()) await running;
    for (const { release } of this.#all.values()) release();
    this.#all.clear();
    this.#byPlace.clear();
  }

  /** Candles that end with the close; undefined while they are missing. */
  async #load({ owner, exchange, symbol, interval, stepMs }: Series, closeMs: number, limit: number) {
    const request = withoutUndefined({ exchange, symbol, interval, limit, endTimeMs: closeMs, userId: owner });
    const read = () => this.#deps.market.candles(request);
    const response = await (owner === undefined ? read() : inBackground(read, OWN_PATIENCE_MS));
    if (!response.ok) return undefined;
    const { candles } = response.value.value;
    return (candles.time.at(-1) ?? 0) + stepMs === closeMs ? candles : undefined;
  }

  /** As `#load`, once for each count of candles. */
  #loadOnce(loads: Loads, series: Series, { closeMs, limit }: { closeMs: number; limit: number }) {
    const loading =
      loads.get(limit) ??
      this.#load(series, closeMs, limit).then(
        (candles) => candles && { candles, basis: once(() => basisOf(series, closeMs, candles)) },
      );
    loads.set(limit, loading);
    return loading;
  }

  /**
   * Computes once this stretch has time left, which all series share; else after the event loop has turned. The check and the work stand
   * in one function: another series would pass the check in between.
   */
  async #compute<T>(work: () => T): Promise<T> {
    while (performance.now() >= this.#stretchEndMs)
      await (this.#turn ??= nextTurn().then(() => {
        this.#turn = undefined;
        this.#stretchEndMs = performance.now() + STRETCH_MS;
      }));
    return work();
  }

  /** Undefined while the candles are missing. */
  async #judge(
    series: Series,
    { key, condition }: Value,
    { closeMs, loads }: { closeMs: number; loads: Loads },
  ): Promise<Judged | undefined> {
    if (condition.kind === 'signal') {
      const { strategy_id: id } = condition;
      const direction = await (id === null
        ? this.#liveDirectionAt(series, closeMs)
        : this.#ownDirectionAt(series, { key, id }, closeMs));
      if (direction === undefined) return undefined;
      const isMatch = direction === condition.direction || (condition.direction === 'any' && direction !== 'NEUTRAL');
      return { value: isMatch ? 1 : 0, basis: undefined, direction };
    }
    const limit = condition.kind === 'indicator' ? INDICATOR_CANDLES : formulaCandles(condition);
    const loaded = await this.#loadOnce(loads, series, { closeMs, limit });
    if (loaded === undefined) return undefined;
    const { candles, basis } = loaded;
    return this.#compute(() => {
      if (condition.kind === 'formula') return { value: formulaValue(this.#engine, condition, candles), basis };
      const values = indicatorValues(this.#engine, condition, candles);
      return { value: values.ok ? (values.value.at(-1) ?? Number.NaN) : Number.NaN, basis };
    });
  }

  /** Rules that can no longer be judged stop their alerts with the reason. */
  async #ownDirectionAt(
    { owner, exchange, symbol }: Series,
    { key, id }: { key: string; id: string },
    closeMs: number,
  ): Promise<string | undefined> {
    const row = await withSystem(this.#deps.db, (tx) =>
      tx.selectFrom('strategies').select(['name', 'value', 'version']).where('id', '=', id).executeTakeFirst(),
    );
    if (row === undefined) return 'NEUTRAL';
    // Its own base interval decides, at the closes of the alert's candles.
    const strategy = row.value as Strategy;
    const isFit = checkAlertRules({ name: row.name, value: strategy });
    if (!isFit.ok) {
      this.#deps.sink.stop(key, isFit.error.message);
      return undefined;
    }
    const of = { exchange, symbol, strategy, version: row.version };
    const signal = await inBackground(() => this.#signals.signalAt(of, closeMs, owner), OWN_PATIENCE_MS);
    return signal?.direction;
  }

  async #liveDirectionAt(series: Series, closeMs: number): Promise<string | undefined> {
    const { symbol, interval, stepMs } = series;
    const candles = await this.#load(series, closeMs, liveSignalCandles(stepMs));
    if (candles === undefined) return undefined;
    const timeframes = timeframesOf([{ interval, stepMs, candles }]);
    const { vote: news } = newsSayOf(this.#deps.newsVotes, symbol, timeframes);
    const outcome = await this.#compute(() => {
      this.#engine.raw.arenaReset();
      return ensemble(this.#engine, { ...rulesOf(neutralTuning), timeframes, ...withoutUndefined({ news }) });
    });
    return outcome.ok ? outcome.value.direction : 'NEUTRAL';
  }

  /** Judges until no newer close is due: a candle may close while the one before is judged. */
  async #judgeDue(series: Series): Promise<void> {
    try {
      for (let closeMs = 0; closeMs < series.dueMs && !this.#isClosed;) {
        closeMs = series.dueMs;
        await this.#judgeUntil(series, closeMs);
      }
    } finally {
      // Right after the last check, so that no close comes in between; one with a wrong time does not hide the next.
      series.dueMs = 0;
      series.running = undefined;
    }
  }

  /** One close after the other, so that the candles of one alone are in memory. A value that is added meanwhile is judged the next time. */
  async #judgeUntil(series: Series, closeMs: number): Promise<void> {
    const { stepMs, values } = series;
    const due = new Set(values.values());
    const oldestMs = Math.min(...[...due].map(({ doneMs }) => doneMs)) + stepMs;
    for (let atMs = Math.max(oldestMs, closeMs - (MISSED_MAX - 1) * stepMs); atMs <= closeMs; atMs += stepMs) {
      const loads: Loads = new Map();
      for (const value of due) {
        if (this.#isClosed) return;
        if (values.get(value.key) !== value || !(await this.#judgeValue(series, value, { closeMs: atMs, loads })))
          due.delete(value);
      }
    }
  }

  /** @returns whether the value is judged up to this close; a failure leaves it to the next time, and other values go on */
  async #judgeValue(series: Series, value: Value, at: { closeMs: number; loads: Loads }): Promise<boolean> {
    if (value.doneMs >= at.closeMs) return true;
    try {
      const judged = await this.#judge(series, value, at);
      if (judged === undefined || this.#isClosed || series.values.get(value.key) !== value) return false;
      value.doneMs = at.closeMs;
      this.#emit(value, judged, at.closeMs);
      return true;
    } catch (error) {
      this.#deps.sink.warn(error);
      return false;
    }
  }

  #emit(value: Value, { value: figure, basis, direction }: Judged, atMs: number): void {
    const { sink } = this.#deps;
    const { key } = value;
    // A signal that turns around is another signal.
    const hasTurned = direction !== undefined && value.direction !== direction && value.direction !== 'NEUTRAL';
    if (hasTurned && figure === 1) sink.value(key, 0, atMs);
    if (direction !== undefined) value.direction = direction;
    sink.value(key, figure, atMs, basis);
  }

  #start(series: Series, closeMs: number): void {
    series.dueMs = Math.max(series.dueMs, closeMs);
    series.running ??= this.#judgeDue(series).catch(this.#deps.sink.warn);
  }

  #onCandle(exchange: ExchangeId, { symbol, interval, time }: ClosedBar): void {
    for (const series of this.#byPlace.get(placeOf({ exchange, symbol, interval })) ?? [])
      this.#start(series, time + series.stepMs);
  }

  #check(): void {
    const nowMs = Date.now();
    for (const series of this.#all.values()) {
      const closeMs = Math.floor((nowMs - OVERDUE_MS) / series.stepMs) * series.stepMs;
      if ([...series.values.values()].some(({ doneMs }) => doneMs < closeMs)) this.#start(series, closeMs);
    }
  }
}
