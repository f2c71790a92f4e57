import { intervalToMs, type LoadedCandles } from '../../api/candles.ts';
import { fetchCandles, fetchFunding } from '../../api/market.ts';
import { LOADED_COUNT, type SetupInterval } from './backtestState.ts';
import { fundingWithin } from './funding.ts';

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
  // One candle more than is loaded: the newest one may close while we ask.
  const sinceMs = (endTimeMs ?? Date.now()) - (LOADED_COUNT + 1) * intervalMs;
  const [{ candles, exchange }, history] = await Promise.all([
    fetchCandles({ symbol, interval, limit: LOADED_COUNT, endTimeMs, signal }),
    fetchFunding(symbol, sinceMs, signal).catch(() => null),
  ]);
  const funding = history === null ? null : fundingWithin(history, candles, intervalMs);
  return { candles, label: symbol, interval, intervalMs, source: 'exchange', exchange, funding };
}
