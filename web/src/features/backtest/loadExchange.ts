import { candleWindow, fundingWithin } from '@sextant/workers/src/candleWindow.ts';
import { type Funding, intervalToMs, type LoadedCandles } from '../../api/candles.ts';
import { fetchFunding } from '../../api/market.ts';
import { readRecord, writeRecord } from '../../state/localDatabase.ts';
import { toast } from '../../state/toasts.ts';
import { LOADED_COUNT, type SetupInterval } from './backtestState.ts';
import { loadHistory } from './history.ts';

interface Wanted {
  symbol: string;
  interval: SetupInterval;
  /** Candles to load. */
  count: number;
  /** Only candles that had closed at this instant; now when absent. */
  endTimeMs?: number | undefined;
  signal: AbortSignal;
  onProgress?: (done: number, total: number) => void;
}

/** @throws ApiFailure when the candles cannot be had; without the fundings the run goes on and says so */
export async function loadFromExchange(wanted: Wanted): Promise<LoadedCandles> {
  const { symbol, interval, count, endTimeMs, signal } = wanted;
  const intervalMs = intervalToMs(interval);
  // One candle more than is loaded: the newest one may close while we ask.
  const sinceMs = (endTimeMs ?? Date.now()) - (count + 1) * intervalMs;
  const [{ candles, exchange, isOffline, isKept }, early] = await Promise.all([
    loadHistory({ ...wanted, intervalMs }),
    loadFunding(symbol, sinceMs, signal),
  ]);
  const window = candleWindow(candles.time, intervalMs);
  // Holes make a window longer than its candles: the fundings of its beginning are asked for once its length is known.
  const history = window.fromMs < sinceMs ? await loadFunding(symbol, window.fromMs, signal) : early;
  // The standard window costs one request: only a long download is worth a word.
  if (!isKept && count > LOADED_COUNT)
    toast('This browser has no room to keep the history: it is loaded anew each time');
  const funding = history === null ? null : fundingWithin(history, window);
  const offline = isOffline ? { isOffline, askedCount: count } : {};
  return { candles, label: symbol, interval, intervalMs, source: 'exchange', exchange, funding, ...offline };
}

/** The fundings, kept in this browser for when the network is away. */
async function loadFunding(symbol: string, sinceMs: number, signal: AbortSignal): Promise<Funding | null> {
  const key = `fundings ${symbol}`;
  try {
    const fetched = await fetchFunding(symbol, sinceMs, signal);
    const stored = (await readRecord(key)) as Funding | undefined;
    if (stored === undefined || fetched.time.length >= stored.time.length) await writeRecord(key, fetched);
    return fetched;
  } catch {
    return ((await readRecord(key)) as Funding | undefined) ?? null;
  }
}
