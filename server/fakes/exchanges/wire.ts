import type { EndpointName } from './faults.ts';
import type { Candle, Market } from './market/seededMarket.ts';
import type { Listing } from './market/venues.ts';

export type Query = Record<string, string | undefined>;

/** Shared parts of every venue's routes. */
export interface Wire {
  market: Market;
  listings: ReadonlyMap<string, Listing>;
  nowMs: number;
  /** Binance's limit; the published one when absent. */
  weightPerMinute?: number;
  /** The key that came with the request; only one route requires it. */
  apiKey?: string;
}

export interface ResponseBody {
  status?: number;
  body: unknown;
  /** The body as text, where it is at hand. */
  text?: string;
}

export interface Route {
  endpoint: EndpointName | ((query: Query) => EndpointName);
  /** Binance's weight of the request; the others count requests. */
  weight?: (query: Query) => number;
  answer: (wire: Wire, query: Query) => ResponseBody;
  /** The rows of the body, and the body with other rows, for payload faults. */
  rows?: Rows;
}

export interface Rows {
  read: (body: unknown) => unknown[];
  write: (body: unknown, rows: unknown[]) => unknown;
}

/** One object instead of a list counts as a list of one. */
export const bareRows: Rows = {
  read: (body) => (Array.isArray(body) ? (body as unknown[]) : [body]),
  write: (body, rows) => (Array.isArray(body) ? rows : (rows[0] ?? {})),
};

/** One path serves quotes of all symbols and the funding of one. */
export const priceOrFunding = (query: Query): EndpointName => (query['symbol'] === undefined ? 'price' : 'funding');

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

export const intervalMs: Record<string, number> = {
  '1m': MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '1h': HOUR_MS,
  '4h': 4 * HOUR_MS,
  '1d': DAY_MS,
};

/** Whole ticks as the decimal text the venue sends, `12345` and 2 decimals is `123.45`. */
export function decimal(whole: number, decimals: number): string {
  const digits = String(whole).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

export const price = (listing: Listing, ticks: number): string => decimal(ticks, listing.priceDecimals);
export const tickSize = (listing: Listing): string => listing.tick ?? decimal(1, listing.priceDecimals);
/** Mark and index prices are not bound to the tick. */
export const finePrice = (listing: Listing, value: number): string => value.toFixed(listing.priceDecimals + 2);

/** Quantity in listed units. */
export const quantity = (listing: Listing, lots: number): string => decimal(lots, listing.quantityDecimals);
export const quantityStep = (listing: Listing): string => listing.step ?? decimal(1, listing.quantityDecimals);

/** Average of a bar's four prices times its quantity: venues send turnover, and no consumer sums it. */
export function turnover(listing: Listing, candle: Candle, units: number): string {
  const mean = (candle.open + candle.high + candle.low + candle.close) / 4 / 10 ** listing.priceDecimals;
  return (mean * units).toFixed(4);
}

/** Up to `limit` bars: from `startMs` on when it is given, else the last ones that open at or before `endMs`. */
export function barsFor(
  wire: Wire,
  listing: Listing,
  interval: string,
  range: { startMs?: number | undefined; endMs?: number | undefined; limit: number },
): Candle[] {
  const span = intervalMs[interval] as number;
  const lastOpen = Math.floor(Math.min(range.endMs ?? wire.nowMs, wire.nowMs) / span) * span;
  const fromMs =
    range.startMs === undefined
      ? lastOpen - (range.limit - 1) * span
      : Math.ceil(Math.max(range.startMs, wire.market.listedAtMs(listing)) / span) * span;
  const toMs = Math.min(lastOpen + span, fromMs + range.limit * span);
  return wire.market.candles(listing, interval, fromMs, toMs, wire.nowMs);
}

/** Settled funding times with `startMs <= time <= endMs`, oldest first. */
export function fundingTimes(wire: Wire, listing: Listing, startMs: number, endMs: number): number[] {
  const span = listing.instrument.fundingHours * HOUR_MS;
  const out: number[] = [];
  const first = Math.ceil(Math.max(startMs, wire.market.listedAtMs(listing)) / span) * span;
  for (let at = first; at <= Math.min(endMs, wire.nowMs); at += span) out.push(at);
  return out;
}

export const nextFunding = (wire: Wire, listing: Listing): number => {
  const span = listing.instrument.fundingHours * HOUR_MS;
  return (Math.floor(wire.nowMs / span) + 1) * span;
};

export const rate = (value: number): string => value.toFixed(8);

/** Reads an optional whole number of a query; NaN when it is no number. */
export const whole = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));
