import type { Candles } from '@sextant/workers/src/protocol.ts';
import { type Funding, intervalToMs, type LoadedCandles } from '../../api/candles.ts';
import { fetchCandles, fetchFunding } from '../../api/market.ts';
import { LOADED_COUNT, type SetupInterval } from './backtestState.ts';

interface Wanted {
  symbol: string;
  interval: SetupInterval;
  /** Only candles that had closed at this instant; now when absent. */
  endTimeMs?: number | undefined;
  signal: AbortSignal;
}

/** @throws ApiFailure when the candles cannot be had; without the fundings the run goes on and says so */
export async function loadFromExchange({ symbol, interval, endTimeMs, signal }: Wanted): Promise<LoadedCandles> {
  const intervalMs = intervalToMs(interval);
  const [{ candles, exchange }, history] = await Promise.all([
    fetchCandles({ symbol, interval, limit: LOADED_COUNT, endTimeMs, signal }),
    fetchFunding(symbol, signal).catch(() => null),
  ]);
  const funding = history === null ? null : fundingWithin(history, candles, intervalMs);
  return { candles, label: symbol, interval, intervalMs, source: 'exchange', exchange, funding };
}

/** The fundings of the window of the candles; null when there is none. */
export function fundingWithin({ time, rate }: Funding, candles: Candles, intervalMs: number): Funding | null {
  const from = candles.time[0] ?? Infinity;
  const until = (candles.time.at(-1) ?? -Infinity) + intervalMs;
  const isInside = (_: number, i: number) => (time[i] ?? 0) >= from && (time[i] ?? 0) < until;
  const inside = { time: time.filter(isInside), rate: rate.filter(isInside) };
  return inside.time.length === 0 ? null : inside;
}
