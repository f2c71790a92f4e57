import { createHash } from 'node:crypto';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { candlesHash } from '@sextant/workers/src/tasks/signalHashes.ts';
import type { CreateHash } from '@sextant/workers/src/tasks/hashes.ts';
import { candleFields } from '@sextant/workers/src/candles/candleColumns.ts';
import { type Outcome, reject } from '../../platform/errors.ts';
import type { ExchangeId, Interval, Market } from '../market/port.ts';

/** The closed candles of one series, and when the exchange last confirmed them. */
export interface LoadedSeries {
  exchange: ExchangeId;
  symbol: string;
  interval: Interval;
  candles: Candles;
  fetchedAtMs: number;
  /** Changes when any candle changes; may also change for equal candles. */
  mark: () => string;
  /** SHA-256 of the candles (workers/src/tasks/signalHashes.ts). */
  hash: () => string;
}

export interface SeriesRequest {
  exchange: ExchangeId;
  symbol: string;
  interval: Interval;
  limit: number;
  /** Only candles that had closed at this instant (epoch ms); now when absent. */
  endTimeMs?: number;
  userId?: string;
  purpose?: 'direct' | 'scan';
  signal?: AbortSignal;
}

/** Memory state of one series: when the exchange confirmed it, and its version. */
export type WarmMark = Pick<LoadedSeries, 'fetchedAtMs' | 'mark'>;

/** Null when the candles must be read. Creates no view of them. */
export function readMark(market: Market, request: SeriesRequest): WarmMark | null {
  if (request.endTimeMs !== undefined) return null;
  const place = market.findWarm(request);
  if (place === null) return null;
  const { columns, start, end, fetchedAtMs } = place;
  const { buffer, byteOffset, BYTES_PER_ELEMENT } = columns.close;
  const { id } = versionOf(buffer);
  return { fetchedAtMs, mark: () => markOf(id, byteOffset + start * BYTES_PER_ELEMENT, end - start) };
}

export async function loadSeries(market: Market, request: SeriesRequest): Promise<Outcome<LoadedSeries>> {
  const { exchange, symbol, interval } = request;
  // The candles in memory end with the latest one.
  const warm = request.endTimeMs === undefined ? market.readWarm(request) : null;
  if (warm !== null) {
    const { fetchedAtMs, candles } = warm;
    return ok({ exchange, symbol, interval, candles: copied(candles), fetchedAtMs, ...naming(candles) });
  }
  const outcome = await market.candles(request);
  if (!outcome.ok) return outcome;
  const { candles } = outcome.value.value;
  if (candles.time.length === 0) return reject('too_few_candles', `${symbol} has no closed ${interval} candle yet.`);
  const { fetchedAtMs } = outcome.value;
  return ok({
    exchange,
    symbol,
    interval,
    candles,
    fetchedAtMs,
    mark: () => hashOf(candles),
    hash: () => hashOf(candles),
  });
}

/** SHA-256 of Node: about five times as fast as the portable one. */
export const fastHash: CreateHash = () => {
  const hash = createHash('sha256');
  return { update: (bytes) => hash.update(bytes), hex: () => hash.digest('hex') };
};
const hashOf = candlesHash(fastHash);

/** Cached data of an array in memory. */
interface Version {
  id: number;
  /** Hashes of windows by start and end. */
  hashes: Map<string, string>;
}
const versions = new WeakMap<ArrayBufferLike, Version>();
let versionCount = 0;

function versionOf(buffer: ArrayBufferLike): Version {
  const known = versions.get(buffer);
  if (known !== undefined) return known;
  const version = { id: ++versionCount, hashes: new Map<string, string>() };
  versions.set(buffer, version);
  return version;
}

const markOf = (versionId: number, byteOffset: number, length: number): string =>
  `${versionId}.${byteOffset}.${length}`;

/**
 * Arrays in memory are immutable (port.ts), and a change of any column creates new ones: the array and the range identify the candles,
 * so a window is hashed once, however often it is scored.
 */
function naming(candles: Candles): Pick<LoadedSeries, 'mark' | 'hash'> {
  const { buffer, byteOffset, length } = candles.close;
  const version = versionOf(buffer);
  const window = markOf(version.id, byteOffset, length);
  return {
    mark: () => window,
    hash() {
      const hash = version.hashes.get(window) ?? hashOf(candles);
      version.hashes.set(window, hash);
      return hash;
    },
  };
}

/** Hashes of loaded series, by their candles. */
export function hashesOf(series: readonly LoadedSeries[]): (candles: Candles) => string {
  const loaded = new Map(series.map(({ candles, hash }) => [candles, hash]));
  return (candles) => loaded.get(candles)?.() ?? hashOf(candles);
}

/** Candles in memory are views of longer arrays, which would be transferred whole to a thread. Copies all six into one array. */
function copied(candles: Candles): Candles {
  const { length } = candles.time;
  const all = new Float64Array(candleFields.length * length);
  candleFields.forEach((name, i) => all.set(candles[name], i * length));
  const column = (i: number): Float64Array => all.subarray(i * length, (i + 1) * length);
  return Object.fromEntries(candleFields.map((name, i) => [name, column(i)])) as Record<keyof Candles, Float64Array>;
}
