import type { Candles } from '@sextant/workers/src/protocol.ts';
import { type Outcome, ok, refuse } from '../../platform/errors.ts';
import type { ExchangeId, Interval, Market } from '../market/port.ts';

/** The closed candles of one series, and when the exchange last confirmed them. */
export interface LoadedSeries {
  exchange: ExchangeId;
  symbol: string;
  interval: Interval;
  candles: Candles;
  fetchedAtMs: number;
}

export interface SeriesRequest {
  exchange: ExchangeId;
  symbol: string;
  interval: Interval;
  limit: number;
  userId?: string;
  signal?: AbortSignal;
}

export async function loadSeries(market: Market, request: SeriesRequest): Promise<Outcome<LoadedSeries>> {
  const { exchange, symbol, interval } = request;
  const warm = market.readWarm(request);
  if (warm !== null) {
    const { fetchedAtMs } = warm;
    return ok({ exchange, symbol, interval, candles: copied(warm.candles), fetchedAtMs });
  }
  const found = await market.candles(request);
  if (!found.ok) return found;
  const { candles } = found.value.value;
  if (candles.time.length === 0) return refuse('too_few_candles', `${symbol} has no closed ${interval} candle yet.`);
  return ok({ exchange, symbol, interval, candles, fetchedAtMs: found.value.fetchedAtMs });
}

/** What is in memory are views of longer arrays, which would go to a thread as a whole. */
const copied = ({ time, open, high, low, close, volume }: Candles): Candles => ({
  time: time.slice(),
  open: open.slice(),
  high: high.slice(),
  low: low.slice(),
  close: close.slice(),
  volume: volume.slice(),
});
