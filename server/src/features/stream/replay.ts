import { setTimeout as delay } from 'node:timers/promises';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { MarketMode } from '../../config.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { mapLimited } from '../../platform/mapLimited.ts';
import type { Interval, Market } from '../market/port.ts';
import type { Signals } from '../signals/computeSignal.ts';
import { batch, candleData, closeTime, eventKey, type StoredEvent, missedData, requestOf, retry } from './events.ts';
import { signalData } from './events.ts';

/** An event of a replay: it has no position in the list of this node. */
export type ReplayedEvent = Pick<StoredEvent, 'key' | 'event' | 'data' | 'closeMs'>;

export interface ReplayDeps {
  market: Pick<Market, 'candles'>;
  signals: Pick<Signals, 'computeBatch'>;
  mode: MarketMode;
  now: () => number;
}

const readsAtOnce = 12;
/** The exchange may need a moment to serve the candle that has just closed. */
const freshRetry = { tries: 4, pauseMs: 250 };
const dayMs = 86_400_000;

interface Series {
  symbol: string;
  interval: Interval;
  wantsCandles: boolean;
  wantsSignals: boolean;
}

function seriesOf(keys: readonly string[]): Series[] {
  const names = new Set(keys);
  const pairs = new Set(keys.map((key) => key.slice(key.indexOf(' ') + 1)));
  return [...pairs].map((pair) => {
    const [symbol = '', interval = ''] = pair.split(' ');
    return {
      symbol,
      interval: interval as Interval,
      wantsCandles: names.has(eventKey('candles', symbol, interval)),
      wantsSignals: names.has(eventKey('signals', symbol, interval)),
    };
  });
}

/** Missed events of a client since a moment; `signal` aborts the replay. */
interface Break {
  sinceMs: number;
  signal: AbortSignal;
}

interface Closes {
  series: Series;
  candles: Candles;
  /** Rows of the candles that closed while the client was disconnected. */
  rows: number[];
}

/** Candles of a series that closed after `sinceMs`; undefined when they cannot be read. */
async function readCloses(
  { market, now }: ReplayDeps,
  series: Series,
  { sinceMs, signal }: Break,
): Promise<Closes | undefined> {
  const { symbol, interval } = series;
  const step = intervalMs[interval];
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    const nowMs = now();
    const limit = Math.ceil((nowMs - sinceMs) / step) + 1;
    const outcome = await market.candles({ symbol, interval, limit });
    if (!outcome.ok) return undefined;
    const { candles } = outcome.value.value;
    const rows = [...candles.time.keys()].filter((row) => closeTime(interval, candles.time[row] ?? 0) > sinceMs);
    const newestMs = closeTime(interval, candles.time.at(-1) ?? 0);
    const isWhole = step > dayMs || newestMs >= Math.floor(nowMs / step) * step;
    if (isWhole || attempt === freshRetry.tries) return { series, candles, rows };
    await delay(freshRetry.pauseMs);
  }
  return undefined;
}

/** Longer intervals do not close at multiples of their length. */
const mayHaveClosed = ({ interval }: Series, sinceMs: number, nowMs: number): boolean => {
  const step = intervalMs[interval];
  return step > dayMs || Math.floor(nowMs / step) > Math.floor(sinceMs / step);
};

const candlesOf = ({ series, candles, rows }: Closes): ReplayedEvent[] =>
  rows.map((row) => {
    const { symbol, interval } = series;
    const value = (name: keyof Candles): number => candles[name][row] ?? NaN;
    const [time, open, high, low, close, volume] = [
      value('time'),
      value('open'),
      value('high'),
      value('low'),
      value('close'),
      value('volume'),
    ] as [number, number, number, number, number, number];
    const bar = { symbol, interval, time, open, high, low, close, volume };
    return {
      key: eventKey('candles', symbol, interval),
      event: 'candle',
      data: JSON.stringify(candleData(bar)),
      closeMs: closeTime(interval, time),
    };
  });

interface ClosedCandle {
  symbol: string;
  interval: Interval;
  closeMs: number;
}

/** Signals of one batch. As on an open stream, a failed one is computed again before it is reported as missed. */
async function computePart(
  { signals, mode }: ReplayDeps,
  part: readonly ClosedCandle[],
  signal: AbortSignal,
): Promise<ReplayedEvent[]> {
  const events: ReplayedEvent[] = [];
  let open = part;
  for (let attempt = 1; open.length > 0 && !signal.aborted; attempt += 1) {
    if (attempt > 1) await delay(retry.pauseMs);
    const outcomes = await signals.computeBatch(
      open.map(({ closeMs, ...series }) => ({ ...requestOf(series), endTimeMs: closeMs })),
    );
    const failed: ClosedCandle[] = [];
    open.forEach((candle, at) => {
      const outcome = outcomes[at];
      const { symbol, interval, closeMs } = candle;
      const key = eventKey('signals', symbol, interval);
      if (outcome?.ok === true)
        events.push({ key, event: 'signal', data: JSON.stringify(signalData(outcome.value.wire, mode)), closeMs });
      else if (attempt < retry.tries) failed.push(candle);
      else
        events.push({ key, event: 'missed', data: JSON.stringify(missedData(candle, outcome?.error.code)), closeMs });
    });
    open = failed;
  }
  return events;
}

/** Each signal as computed at the close of its candle; undefined when the client has left. */
async function signalsOf(
  deps: ReplayDeps,
  closes: readonly Closes[],
  signal: AbortSignal,
): Promise<ReplayedEvent[] | undefined> {
  const requested = closes.flatMap(({ series: { symbol, interval }, candles, rows }) =>
    rows.map((row) => ({ symbol, interval, closeMs: closeTime(interval, candles.time[row] ?? 0) })),
  );
  const events: ReplayedEvent[] = [];
  for (let from = 0; from < requested.length && !signal.aborted; from += batch.sizeMax)
    events.push(...(await computePart(deps, requested.slice(from, from + batch.sizeMax), signal)));
  return signal.aborted ? undefined : events;
}

/**
 * The events of these series since a moment, oldest first, recreated from the candles of the exchange: for a client that comes from
 * another node, or from before a restart. Undefined when a series cannot be read, and when the client has left meanwhile.
 */
export async function replayEvents(
  deps: ReplayDeps,
  keys: readonly string[],
  missed: Break,
): Promise<ReplayedEvent[] | undefined> {
  const wanted = seriesOf(keys).filter((series) => mayHaveClosed(series, missed.sinceMs, deps.now()));
  const read = await mapLimited(wanted, readsAtOnce, (series) => readCloses(deps, series, missed));
  const closes = read.filter((each) => each !== undefined);
  if (closes.length < wanted.length) return undefined;
  const candles = closes.filter(({ series }) => series.wantsCandles).flatMap(candlesOf);
  const signals = await signalsOf(
    deps,
    closes.filter(({ series }) => series.wantsSignals),
    missed.signal,
  );
  return signals && [...candles, ...signals].sort((a, b) => a.closeMs - b.closeMs);
}
