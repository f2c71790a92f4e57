import { ownValue } from '@sextant/workers/src/core/ownValue.ts';
import type { KlineLayout } from '@sextant/workers/src/protocol/wire/klineRows.ts';
import type { ExchangeId, Interval, PriceQuote } from '../../features/market/port.ts';
import type { PositioningDialect } from './positioning.ts';
import type { Transport } from './transport.ts';
import type { TierSource, RawTier } from './tiers.ts';

/** An unchecked quote from a response: by the exchange's own id, numbers still text. */
export interface RawQuote {
  id: string;
  last?: unknown;
  bid?: unknown;
  ask?: unknown;
  mark?: unknown;
  atMs?: unknown;
}

/** Unchecked best prices from a response. */
export type RawTop = Pick<RawQuote, 'id' | 'bid' | 'ask' | 'atMs'> & {
  fundingRate?: unknown;
  nextFundingAtMs?: unknown;
};

/** Order book request of one exchange and where its response holds the levels: [price, size] as text. */
export interface BookDialect {
  path: (id: string) => string;
  read: (body: unknown) => { bids: unknown; asks: unknown; atMs: unknown; id?: unknown };
}

/** REST requests of one exchange. ccxt maps symbols and fundings; quotes bypass it, which is far cheaper. */
export interface RestDialect {
  exchange: ExchangeId;
  /** Origin of the live API. */
  origin: string;
  /** The ccxt class of the exchange and its options. */
  ccxt: { className: string; options: object };
  /** Unit of order sizes in the market list. */
  quantityUnit: 'coins' | 'contracts';
  /** Largest market order, in `quantityUnit`, still text; the largest order of any kind where no other is stated. */
  maxOrderOf: (info: Record<string, unknown>) => unknown;
  /** Asset class of a contract, from the exchange-specific field. */
  assetOf: (info: Record<string, unknown>) => Asset;
  candles: CandleDialect;
  /** Candles of the mark price, without a volume. */
  markCandles: CandleDialect;
  quotes: (transport: Transport) => Promise<RawQuote[]>;
  /** Best prices of all symbols in one request. */
  tops: (transport: Transport) => Promise<RawTop[]>;
  book: BookDialect;
  /** Leverage tiers of one symbol; null when the exchange requires an API key and none is configured. */
  tiers: (transport: Transport, source: TierSource) => Promise<RawTier[] | null>;
  /** Hours between fundings when the market list states them. */
  fundingHoursOf: (info: Record<string, unknown>) => number | null;
  /** Whether the market list marks a contract as settled, or as ending at a time that has passed. */
  hasEnded: (info: Record<string, unknown>, nowMs: number) => boolean;
  /** Turnover of the last 24 hours by id, in quote currency, still text. */
  turnovers: (transport: Transport) => Promise<{ id: string; turnover: unknown }[]>;
  /** Rows per response of settled fundings, and which end of a span comes first when the span holds more. */
  fundingPage: { size: number; order: 'oldestFirst' | 'youngestFirst' };
  /** False when the funding history takes no start time. */
  fundingHasStart: boolean;
  fundingParams: (untilMs: number) => Record<string, unknown>;
  positioning: PositioningDialect;
  /** Hours between fundings by id, when the exchange lists those that differ from `usual`. */
  fundingHours?: (transport: Transport) => Promise<{ byId: Map<string, number>; usual: number }>;
}

export type Asset = 'coin' | 'stock' | 'commodity' | 'index' | 'otherAsset' | 'unclassified';

/** A range of bars that fits one request; both ends are bar opens, inclusive. */
export interface Page {
  fromMs: number;
  toMs: number;
}

export interface CandleQuestion extends Page {
  /** The exchange's own id of the symbol. */
  id: string;
  interval: Interval;
  intervalMs: number;
  nowMs: number;
}

/** Candle request of one exchange and its response layout; not through ccxt, which was too slow (docs/operations.md). */
export interface CandleDialect {
  /** Maximum of bars in one response. */
  pageSize: number;
  path: (question: CandleQuestion) => string;
  /** How rows are extracted from the bytes. */
  layout: KlineLayout;
  /** The rows of a valid response as parsed JSON, in the exchange's order. */
  rows: (body: unknown) => readonly unknown[];
  /** Index of the volume in listed units; null when there is none. Cells 0 to 4 are open time, open, high, low and close everywhere. */
  volumeCell: number | null;
}

export const barCount = ({ fromMs, toMs, intervalMs }: CandleQuestion): string =>
  String((toMs - fromMs) / intervalMs + 1);
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
export const pathWith = (path: string, query: Record<string, string>): string =>
  `${path}?${new URLSearchParams(query).toString()}`;

/** Whether a time in epoch ms has passed. 0, empty text and the far future mean that there is none. */
export const hasCome = (value: unknown, nowMs: number): boolean => Number(value) > 0 && Number(value) <= nowMs;

export const assetIn = (assets: Record<string, Asset>, value: unknown): Asset =>
  typeof value === 'string' ? (ownValue(assets, value) ?? 'otherAsset') : 'unclassified';

type Fields = Record<string, unknown>;
export const objectsIn = (value: unknown): Fields[] =>
  Array.isArray(value) ? value.filter((row): row is Fields => typeof row === 'object' && row !== null) : [];

export function indexBy(rows: readonly Fields[], name: string): Map<string, Fields> {
  return new Map(rows.map((row) => [String(row[name]), row]));
}

const positive = (value: unknown): number | null => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number > 0 ? number : null;
};

/** A checked quote, or undefined without a last price. A crossed or absurd side becomes null. */
export function quoteOf(raw: RawQuote, symbol: string, nowMs: number): PriceQuote | undefined {
  const last = positive(raw.last);
  if (last === null) return undefined;
  const near = (value: number | null): number | null =>
    value !== null && Math.abs(value / last - 1) < 0.5 ? value : null;
  const [bid, ask] = [near(positive(raw.bid)), near(positive(raw.ask))];
  const isCrossed = bid !== null && ask !== null && bid > ask;
  return {
    symbol,
    last,
    bid: isCrossed ? null : bid,
    ask: isCrossed ? null : ask,
    mark: near(positive(raw.mark)),
    // A future timestamp would make an age negative.
    atMs: Math.min(nowMs, positive(raw.atMs) ?? nowMs),
  };
}
