import { intervalToMs, type LoadedCandles } from '../../api/candles.ts';
import { fetchCandles } from '../../api/market.ts';
import { LOADED_COUNT, type SetupInterval } from './backtestState.ts';

interface Wanted {
  symbol: string;
  interval: SetupInterval;
  /** Only candles that had closed at this instant; now when absent. */
  endTimeMs?: number | undefined;
  signal: AbortSignal;
}

/** @throws ApiFailure */
export async function loadFromExchange({ symbol, interval, endTimeMs, signal }: Wanted): Promise<LoadedCandles> {
  const { candles, exchange } = await fetchCandles({ symbol, interval, limit: LOADED_COUNT, endTimeMs, signal });
  return { candles, label: symbol, interval, intervalMs: intervalToMs(interval), source: 'exchange', exchange };
}
