import { setTimeout as delay } from 'node:timers/promises';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { MarketMode } from '../../config.ts';
import type { Candles } from '@sextant/workers/src/protocol.ts';
import { mapLimited } from '../../platform/mapLimited.ts';
import type { Interval, Market } from '../market/port.ts';
import type { Signals } from '../signals/computeSignal.ts';
import { batch, candleData, closeTime, eventKey, type KeptEvent, missedData, requestOf, signalData } from './events.ts';

/** An event of a break, read again: it has no place in the list of this node. */
export type ReplayedEvent = Pick<KeptEvent, 'key' | 'event' | 'data' | 'closeMs'>;

export interface ReplayDeps {
  market: Pick<Market, 'candles'>;
  signals: Pick<Signals, 'computeBatch'>;
  mode: MarketMode;
  now: () => number;
}

const readsAtOnce = 12;
/** The exchange may need a moment to give the candle that has just closed. */
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

interface Closes {
  series: Series;
  candles: Candles;
  /** Rows of the candles that closed in the break. */
  rows: number[];
}

/** Candles of a series that closed after `sinceMs`; undefined when they cannot be read. */
async function readCloses({ market, now }: ReplayDeps, series: Series, sinceMs: number): Promise<Closes | undefined> {
  const { symbol, interval } = series;
  const step = intervalMs[interval];
  for (let attempt = 1; ; attempt += 1) {
    const nowMs = now();
    const limit = Math.ceil((nowMs - sinceMs) / step) + 1;
    const found = await market.candles({ symbol, interval, limit });
    if (!found.ok) return undefined;
    const { candles } = found.value.value;
    const rows = [...candles.time.keys()].filter((row) => closeTime(interval, candles.time[row] ?? 0) > sinceMs);
    const newestMs = closeTime(interval, candles.time.at(-1) ?? 0);
    const isWhole = step > dayMs || newestMs >= Math.floor(nowMs / step) * step;
    if (isWhole || attempt === freshRetry.tries) return { series, candles, rows };
    await delay(freshRetry.pauseMs);
  }
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
      ...[value('time'), value('open'), value('high')],
      ...[value('low'), value('close'), value('volume')],
    ] as [number, number, number, number, number, number];
    const bar = { symbol, interval, time, open, high, low, close, volume };
    return {
      key: eventKey('candles', symbol, interval),
      event: 'candle',
      data: JSON.stringify(candleData(bar)),
      closeMs: closeTime(interval, time),
    };
  });

/** Each signal as it was computed when its candle closed, of the candles up to then. */
async function signalsOf({ signals, mode }: ReplayDeps, closes: readonly Closes[]): Promise<ReplayedEvent[]> {
  const asked = closes.flatMap(({ series: { symbol, interval }, candles, rows }) =>
    rows.map((row) => ({ symbol, interval, closeMs: closeTime(interval, candles.time[row] ?? 0) })),
  );
  const events: ReplayedEvent[] = [];
  for (let from = 0; from < asked.length; from += batch.sizeMax) {
    const part = asked.slice(from, from + batch.sizeMax);
    const outcomes = await signals.computeBatch(
      part.map(({ closeMs, ...series }) => ({ ...requestOf(series), endTimeMs: closeMs })),
    );
    part.forEach(({ symbol, interval, closeMs }, at) => {
      const outcome = outcomes[at];
      const key = eventKey('signals', symbol, interval);
      if (outcome?.ok === true)
        events.push({ key, event: 'signal', data: JSON.stringify(signalData(outcome.value.wire, mode)), closeMs });
      else {
        const data = JSON.stringify(missedData({ symbol, interval, closeMs }, outcome?.error.code));
        events.push({ key, event: 'missed', data, closeMs });
      }
    });
  }
  return events;
}

/**
 * The events of these series since a moment, oldest first, made again from the candles of the exchange: for a reader that comes from
 * another node, or from before a restart. Undefined when a series cannot be read.
 */
export async function replayEvents(
  deps: ReplayDeps,
  keys: readonly string[],
  sinceMs: number,
): Promise<ReplayedEvent[] | undefined> {
  const wanted = seriesOf(keys).filter((series) => mayHaveClosed(series, sinceMs, deps.now()));
  const read = await mapLimited(wanted, readsAtOnce, (series) => readCloses(deps, series, sinceMs));
  const closes = read.filter((each) => each !== undefined);
  if (closes.length < wanted.length) return undefined;
  const candles = closes.filter(({ series }) => series.wantsCandles).flatMap(candlesOf);
  const signals = await signalsOf(
    deps,
    closes.filter(({ series }) => series.wantsSignals),
  );
  return [...candles, ...signals].sort((a, b) => a.closeMs - b.closeMs);
}
