import { ownValue } from '@sextant/workers/src/ownValue.ts';
import type { KlineLayout } from '@sextant/workers/src/wire/klineRows.ts';
import type { ExchangeId, Interval, PriceQuote } from '../../features/market/port.ts';
import type { Transport } from './transport.ts';
import type { TierSource, RawTier } from './tiers.ts';

/** A quote as it stands in the answer, before it is checked: by the exchange's own id, numbers still text. */
export interface RawQuote {
  id: string;
  last?: unknown;
  bid?: unknown;
  ask?: unknown;
  mark?: unknown;
  atMs?: unknown;
}

/** Best prices as they stand in the answer. */
export type RawTop = Pick<RawQuote, 'id' | 'bid' | 'ask' | 'atMs'> & {
  fundingRate?: unknown;
  nextFundingAtMs?: unknown;
};

/** How to ask one exchange for an order book, and where its answer has it. Levels are [price, size] as text. */
export interface BookDialect {
  path: (id: string) => string;
  read: (body: unknown) => { bids: unknown; asks: unknown; atMs: unknown; id?: unknown };
}

/** How to ask one exchange. ccxt maps symbols and fundings; all quotes at once are asked directly, which is far cheaper. */
export interface RestDialect {
  exchange: ExchangeId;
  /** Origin of the live API. */
  origin: string;
  /** The ccxt class of the exchange and its options. */
  ccxt: { className: string; options: object };
  /** Unit of order sizes in the list of markets. */
  quantityUnit: 'coins' | 'contracts';
  /** The asset class of a contract, from the field where this exchange names it. */
  assetOf: (info: Record<string, unknown>) => Asset;
  candles: CandleDialect;
  /** Candles of the mark price, without a volume. */
  markCandles: CandleDialect;
  quotes: (transport: Transport) => Promise<RawQuote[]>;
  /** Best prices of all symbols in one request. */
  tops: (transport: Transport) => Promise<RawTop[]>;
  book: BookDialect;
  /** Leverage tiers of one symbol; null without the API key that the exchange asks for. */
  tiers: (transport: Transport, source: TierSource) => Promise<RawTier[] | null>;
  /** Hours between fundings, where the list of markets has them. */
  fundingHoursOf: (info: Record<string, unknown>) => number | null;
  /** Whether the list of markets says that a contract is settled, or is over at a time that has come. */
  hasEnded: (info: Record<string, unknown>, nowMs: number) => boolean;
  /** Turnover of the last 24 hours by id, in quote currency, still text. */
  turnovers: (transport: Transport) => Promise<{ id: string; turnover: unknown }[]>;
  /** Rows of one answer of settled fundings, and which end of a span comes first when it holds more. */
  fundingPage: { size: number; order: 'oldestFirst' | 'youngestFirst' };
  /** False where the history is asked for by its end only. */
  fundingHasStart: boolean;
  fundingParams: (untilMs: number) => Record<string, unknown>;
  /** Hours between fundings by id, where one list has those that are not `usual`. */
  fundingHours?: (transport: Transport) => Promise<{ byId: Map<string, number>; usual: number }>;
}

export type Asset = 'coin' | 'stock' | 'commodity' | 'index' | 'otherAsset' | 'unclassified';

/** A run of bars one request can carry; both ends are bar opens, inclusive. */
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

/** How to ask one exchange for candles, and where its answer has them; not through ccxt, which was too slow (docs/operations.md). */
export interface CandleDialect {
  /** Most bars in one answer. */
  pageSize: number;
  path: (question: CandleQuestion) => string;
  /** How its rows are cut out of the bytes. */
  layout: KlineLayout;
  /** The rows of a good answer as JSON has them, in the exchange's order. */
  rows: (body: unknown) => readonly unknown[];
  /** Where a row has its volume in listed units; null: it has none. It begins with open time, open, high, low and close everywhere. */
  volumeCell: number | null;
}

export const barCount = ({ fromMs, toMs, intervalMs }: CandleQuestion): string =>
  String((toMs - fromMs) / intervalMs + 1);
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
export const pathWith = (path: string, query: Record<string, string>): string =>
  `${path}?${new URLSearchParams(query).toString()}`;

/** A time in epoch ms that has come; 0, an empty text and the far future say that there is none. */
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

/** A checked quote, or undefined when there is no last price. A crossed or absurd side is unknown rather than wrong. */
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
    // A stamp from the future would make an age negative.
    atMs: Math.min(nowMs, positive(raw.atMs) ?? nowMs),
  };
}
