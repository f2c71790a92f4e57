import { createHash } from 'node:crypto';
import type { Candles } from '@sextant/workers/src/protocol.ts';
import { candlesHash } from '@sextant/workers/src/tasks/signalHashes.ts';
import { type Outcome, ok, refuse } from '../../platform/errors.ts';
import type { ExchangeId, Interval, Market } from '../market/port.ts';

/** The closed candles of one series, and when the exchange last confirmed them. */
export interface LoadedSeries {
  exchange: ExchangeId;
  symbol: string;
  interval: Interval;
  candles: Candles;
  fetchedAtMs: number;
  /** Another text when any candle is another one; not necessarily the same text for the same candles. */
  mark: () => string;
}

export interface SeriesRequest {
  exchange: ExchangeId;
  symbol: string;
  interval: Interval;
  limit: number;
  userId?: string;
  signal?: AbortSignal;
}

/** What memory holds of one series: when the exchange confirmed it, and its mark. */
export type WarmMark = Pick<LoadedSeries, 'fetchedAtMs' | 'mark'>;

/** Null when the candles have to be read. Copies nothing. */
export function readMark(market: Market, request: SeriesRequest): WarmMark | null {
  const warm = market.readWarm(request);
  return warm === null ? null : { fetchedAtMs: warm.fetchedAtMs, mark: () => markOf(warm.candles) };
}

export async function loadSeries(market: Market, request: SeriesRequest): Promise<Outcome<LoadedSeries>> {
  const { exchange, symbol, interval } = request;
  const warm = market.readWarm(request);
  if (warm !== null) {
    const { fetchedAtMs, candles } = warm;
    return ok({ exchange, symbol, interval, candles: copied(candles), fetchedAtMs, mark: () => markOf(candles) });
  }
  const found = await market.candles(request);
  if (!found.ok) return found;
  const { candles } = found.value.value;
  if (candles.time.length === 0) return refuse('too_few_candles', `${symbol} has no closed ${interval} candle yet.`);
  const { fetchedAtMs } = found.value;
  return ok({ exchange, symbol, interval, candles, fetchedAtMs, mark: () => fastHash()(candles) });
}

/** SHA-256 of Node itself: some five times as fast as the portable one. */
export const fastHash = (): ((candles: Candles) => string) =>
  candlesHash(() => {
    const hash = createHash('sha256');
    return { update: (bytes) => hash.update(bytes), hex: () => hash.digest('hex') };
  });

const versions = new WeakMap<ArrayBufferLike, number>();
let versionCount = 0;

/** Arrays in memory are never written again (port.ts), and a change of any column makes new ones: which array it is says which candles. */
function markOf({ close: { buffer, byteOffset, length } }: Candles): string {
  let version = versions.get(buffer);
  if (version === undefined) versions.set(buffer, (version = ++versionCount));
  return `${version}.${byteOffset}.${length}`;
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
