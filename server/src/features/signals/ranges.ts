import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { indicators } from '@sextant/workers/src/tasks/indicators.ts';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { ExchangeId, Interval, Market } from '../market/port.ts';

/** Selects an average true range: interval and period. */
export interface Range {
  interval: string;
  period: number;
}

interface Line {
  /** Closes of the candles, epoch ms, and the range known then. */
  closeMs: Float64Array;
  value: Float64Array;
}

interface Place {
  exchange: ExchangeId;
  symbol: string;
}

/** Wilder's mean decays slowly: this many earlier candles make the start value irrelevant. */
const WARM_UP = 500;
const MINUTES_MAX = 1000;

/**
 * Average true ranges of the series that trailing stops follow, as known at each moment. Not shared between threads.
 * @param reachMs how long before the loaded moment ranges are available
 */
export function createRanges(market: Pick<Market, 'candles'>, engine: Engine, reachMs = MINUTES_MAX * 60_000) {
  const lines = new Map<string, Line>();
  const keyOf = ({ exchange, symbol }: Place, { interval, period }: Range): string =>
    `${exchange} ${symbol} ${interval} ${period}`;

  async function read({ exchange, symbol }: Place, range: Range, endTimeMs: number): Promise<Line | undefined> {
    const interval = range.interval as Interval;
    const spanMs = intervalMs[interval];
    const limit = WARM_UP + Math.ceil(reachMs / spanMs);
    const response = await market.candles({ exchange, symbol, interval, limit, endTimeMs });
    if (!response.ok) return undefined;
    const { candles } = response.value.value;
    engine.raw.arenaReset();
    const outcome = indicators(engine, { candles, requests: [{ id: 'atr', params: { period: range.period } }] });
    const value = outcome.ok ? Object.values(outcome.value.series['atr'] ?? {})[0] : undefined;
    return value === undefined ? undefined : { closeMs: candles.time.map((timeMs) => timeMs + spanMs), value };
  }

  return {
    /** Loads the ranges up to `untilMs`. A range that the exchange does not provide stays unknown and moves no stop. */
    async load(place: Place, ranges: readonly Range[], untilMs: number): Promise<void> {
      for (const range of ranges) {
        const spanMs = intervalMs[range.interval as Interval];
        const key = keyOf(place, range);
        const dueMs = Math.floor(untilMs / spanMs) * spanMs;
        if ((lines.get(key)?.closeMs.at(-1) ?? 0) >= dueMs) continue;
        const line = await read(place, range, untilMs);
        if (line !== undefined) lines.set(key, line);
      }
    },
    /** The range of the last candle that had closed at `atMs`; NaN when unknown. */
    at(place: Place, range: Range, atMs: number): number {
      const line = lines.get(keyOf(place, range));
      if (line === undefined) return Number.NaN;
      const index = line.closeMs.findLastIndex((closeMs) => closeMs <= atMs);
      const closeMs = line.closeMs[index] ?? 0;
      // A candle older than the last one does not give the current range.
      return atMs - closeMs < intervalMs[range.interval as Interval] ? (line.value[index] ?? Number.NaN) : Number.NaN;
    },
  };
}
