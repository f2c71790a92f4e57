import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import type { Outcome } from '../../platform/errors.ts';
import type { ExchangeId, FuturesSymbol, Interval, PriceKind } from '../market/port.ts';
import type { RevisionWire } from './contract.ts';

/** The stored history, in types that other features read. All times are epoch ms, UTC; a bar is named by its open. */

export interface HistorySeries {
  exchange: ExchangeId;
  symbol: string;
  interval: Interval;
  /** `last` when absent. */
  price?: PriceKind;
}

export interface HistoryRequest extends HistorySeries {
  /** Opens of the first and the last requested bar, both included. Rounded inward to the interval. */
  from: number;
  to: number;
  /** Applies only revisions that were noticed by then, epoch ms; all of them when absent. */
  asOf?: number;
}

/** Missing bars, both ends included. `not_stored`: never requested from the exchange; `not_sent`: the exchange sent none. */
export interface HistoryGap {
  from: number;
  to: number;
  cause: 'not_stored' | 'not_sent';
}

export interface ClosedCandles {
  /** Oldest first, `time` strictly increasing. Empty columns when nothing is stored. */
  columns: Candles;
  /** Oldest first. Bars before the listing of the symbol are no gap. */
  gaps: HistoryGap[];
  /** Whether every requested bar is there: false with any gap and for an empty result. */
  complete: boolean;
  /** The world that the candles belong to: `live`, or a simulated or replayed market with its seed. */
  source: string;
  /** Bars that the exchange revised later, of which the newest version is returned. */
  revisedCount: number;
}

/** @returns `database_unavailable` or `validation_failed` as error; an empty store is not an error */
export type ReadClosedCandles = (request: HistoryRequest) => Promise<Outcome<ClosedCandles>>;

/** Settled fundings with the hours since the previous stamp; null for the first one. */
export interface StoredFundings {
  time: Float64Array;
  rate: Float64Array;
  intervalHours: (number | null)[];
  /** Whether the whole span was requested from the exchange. */
  complete: boolean;
}

export interface FundingsRequest {
  exchange: ExchangeId;
  symbol: string;
  /** Stamps with `from <= time < to`. */
  from: number;
  to: number;
}

/** Symbols that traded on a UTC day, as the exchange listed them on that day. */
export interface UniverseDay {
  /** Start of the day. */
  day: number;
  symbols: string[];
}

/** What a list says of a contract, beside its name and dates. */
export type ListedRules = Pick<
  FuturesSymbol,
  'base' | 'tickSize' | 'stepSize' | 'minNotional' | 'maxQuantity' | 'maxLeverage' | 'fundingHours'
>;

export interface ListingDates {
  symbol: string;
  /** As stated by the exchange; null when it does not state one. */
  listedAt: number | null;
  /** First and last time our list named the symbol as trading. */
  firstSeenAt: number;
  lastSeenAt: number;
  /** When it was first missing from the list or settled; null while it trades. */
  endedAt: number | null;
  /** As last listed; null for a listing stored before rules were. */
  rules: ListedRules | null;
}

/** Price in quote currency, volume in base units. */
export interface DayCandle {
  close: number;
  volume: number;
}

/** What other features read from the store. */
export interface History {
  readClosedCandles: ReadClosedCandles;
  /** The stored daily candle that opens at `day` of each of these symbols, in its newest version; symbols without one are missing. */
  readDay: (exchange: ExchangeId, symbols: readonly string[], day: number) => Promise<Outcome<Map<string, DayCandle>>>;
  /** The newest 50 revisions of bars that open from `from` to `to`, with both versions. */
  readRevisions: (series: HistorySeries, from: number, to: number) => Promise<Outcome<RevisionWire[]>>;
  readFundings: (request: FundingsRequest) => Promise<Outcome<StoredFundings>>;
  /** The newest stored list of a day at or before `at`; null when there is none. */
  readUniverse: (exchange: ExchangeId, at: number) => Promise<Outcome<UniverseDay | null>>;
  /** The stored lists of the days from `from` to `to`, oldest first; days on which no list was read are missing. */
  readUniverseDays: (exchange: ExchangeId, from: number, to: number) => Promise<Outcome<UniverseDay[]>>;
  readListings: (exchange: ExchangeId) => Promise<Outcome<ListingDates[]>>;
  /** Null for a symbol that no list has named. */
  readListing: (exchange: ExchangeId, symbol: string) => Promise<Outcome<ListingDates | null>>;
}
