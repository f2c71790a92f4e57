import type { VenueId } from '@sextant/engine-as/abi/costs.ts';
import type { Contract } from '@sextant/workers/src/candles/contract.ts';
import type { Candles, LeverageTier } from '@sextant/workers/src/protocol/backtest.ts';
import type { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { Outcome } from '../../platform/errors.ts';

/**
 * The port to the exchanges, in types of the product; `exchange` names only the source of a response. Long because it is one port.
 */
export type ExchangeId = VenueId;
export type Interval = keyof typeof intervalMs;

/** A value with its source. Its age is the caller's clock minus `fetchedAtMs`. */
export interface Sourced<T> {
  exchange: ExchangeId;
  /** Epoch ms at which the exchange last confirmed the value; in the past when it is cached. */
  fetchedAtMs: number;
  value: T;
}

/** One USDT-margined perpetual. `null` means that the exchange does not provide the value. */
export interface FuturesSymbol {
  symbol: string;
  base: string;
  /** Smallest price step, quote currency. */
  tickSize: number;
  /** Smallest quantity step, base units on every exchange (contracts are converted). */
  stepSize: number;
  minNotional: number | null;
  /** Largest market order, base units. */
  maxQuantity: number | null;
  maxLeverage: number | null;
  listedAtMs: number | null;
  status: 'trading' | 'halted';
  /** The exchange settles or has settled the contract, permanently. Absent: the contract continues as far as the exchange reports. */
  hasEnded?: true;
  /** Hours between fundings, where known. */
  fundingHours: number | null;
  /** The exchange lists only contracts with other intervals: this one has the default, unless its settlements differ. */
  isFundingUsual?: true;
}

/** Instruments that are not offered here, by reason; `malformed` ones have no usable name, tick or step. */
export interface LeftOut {
  stock: number;
  commodity: number;
  index: number;
  otherAsset: number;
  unclassified: number;
  otherQuote: number;
  datedFuture: number;
  malformed: number;
}

/** The listed perpetuals of coins, including suspended ones, and the number of other instruments. */
export interface SymbolList {
  /** By this node's clock: when the exchange sent the list. */
  readAtMs: number;
  symbols: FuturesSymbol[];
  leftOut: LeftOut;
}

/** The same with its source, for features. */
export interface CountedSymbols extends Sourced<FuturesSymbol[]> {
  leftOut: LeftOut;
}

/** Missing bars between two existing ones, or at the recent end of the window. Both times are bar opens, inclusive. */
export interface CandleGap {
  fromMs: number;
  toMs: number;
  missingCount: number;
}

/** Closed bars only, oldest first. Missing bars are listed in `gaps`, never filled. */
export interface CandleWindow {
  candles: Candles;
  gaps: CandleGap[];
  /** Bars that failed validation; each is a gap. */
  rejectedCount: number;
}

/** `last`: trades. `mark`: the mark price used for liquidations, without a volume. */
export type PriceKind = 'last' | 'mark';

export interface CandleRequest {
  exchange?: ExchangeId;
  symbol: string;
  interval: Interval;
  /** `last` when absent. */
  price?: PriceKind;
  /** Requested bars, at least 1; a younger market returns fewer. */
  limit: number;
  /** Only bars that had closed at this instant (epoch ms); now when absent. */
  endTimeMs?: number;
  /** The requesting user: fetches count against this user's share; absent for the service itself. */
  userId?: string;
  /** A scan has a separate share. */
  purpose?: 'direct' | 'scan';
  signal?: AbortSignal;
}

export interface MinutesRequest {
  exchange?: ExchangeId;
  symbol: string;
  /** Opens of longer candles, epoch ms, and the length of each. */
  opens: readonly number[];
  lengthMs: number;
  userId?: string;
  signal?: AbortSignal;
}

/** Prices in quote currency; `null` where the exchange does not provide one. */
export interface PriceQuote {
  symbol: string;
  last: number;
  bid: number | null;
  ask: number | null;
  mark: number | null;
  /** The exchange's timestamp of the quote, epoch ms. */
  atMs: number;
}

/** `not_traded`: not listed, or its contract has ended. `halted`: listed and suspended. */
export type WhyNoPrice = 'not_traded' | 'halted' | 'no_price';

export interface MissingPrice {
  symbol: string;
  why: WhyNoPrice;
}

export interface Prices extends Sourced<PriceQuote[]> {
  missing: readonly MissingPrice[];
}

/** The best prices of one exchange, for arbitrage comparisons. Both sides exist and are not crossed. */
export interface TopQuote {
  symbol: string;
  bid: number;
  ask: number;
  /** The exchange's timestamp of bid and ask, epoch ms; may be ahead of our clock. */
  atMs: number;
  /** By our clock. */
  receivedAtMs: number;
  source: 'stream' | 'request';
  /** Fraction that longs pay at the next funding; null when it was not sent. */
  fundingRate: number | null;
  nextFundingAtMs: number | null;
  fundingIntervalHours: number | null;
}

/** An order book in quote currency per coin and coins, with the exchange's levels; best first, validated, not crossed. */
export interface OrderBook {
  symbol: string;
  bids: readonly (readonly [price: number, quantity: number])[];
  asks: readonly (readonly [price: number, quantity: number])[];
  /** The exchange's timestamp, epoch ms, may be ahead of our clock; null when there is none. */
  atMs: number | null;
}

export interface FundingRate {
  symbol: string;
  /** Current rate that longs pay at `nextFundingAtMs`, fraction of notional. */
  rate: number;
  nextFundingAtMs: number;
  /** Hours between fundings; null when unknown. Never used to compute past timestamps. */
  intervalHours: number | null;
  /** Where `intervalHours` comes from; absent: the exchange. */
  intervalSource?: FundingIntervalSource | undefined;
}

/** `exchange`: stated by it, or its documented default. `stamps`: between its last two settlements. */
export const fundingIntervalSources = ['exchange', 'stamps'] as const;
export type FundingIntervalSource = (typeof fundingIntervalSources)[number];

/** Contracts that are open. */
export interface OpenInterest {
  symbol: string;
  /** Base units; long and short are the same. */
  quantity: number;
  /** The exchange's timestamp, epoch ms. */
  atMs: number;
}

/** Intervals that every exchange has of the series below. */
export const positioningIntervals = ['5m', '15m', '1h', '4h', '1d'] as const;
export type PositioningInterval = (typeof positioningIntervals)[number];

/** Open contracts at the exchange's timestamps (epoch ms), oldest first, as many as one response has; base units. */
export interface OpenInterestSeries {
  time: number[];
  quantity: number[];
}

/** The same of accounts that are long per account that is short. */
export interface LongShortSeries {
  time: number[];
  ratio: number[];
}

/** Settled fundings, oldest first; `time` is the exchange's timestamp (epoch ms), `rate` a fraction that longs pay. */
export interface FundingHistory {
  time: Float64Array;
  rate: Float64Array;
}

/** A quote assembled from a stream. `atMs` is the exchange's timestamp of `last`; outdated sides are null. */
export interface LiveQuote extends PriceQuote {
  /** Epoch ms by our clock. */
  receivedAtMs: number;
  /** As in FundingRate; null until received, or when outdated. */
  fundingRate: number | null;
  nextFundingAtMs: number | null;
  fundingIntervalHours: number | null;
  /** The exchange's timestamp of bid and ask; null when they are unknown. */
  bookAtMs: number | null;
}

/** One closed bar; `time` is its open, epoch ms. */
export interface ClosedBar {
  symbol: string;
  interval: Interval;
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

/** Turnover of the last 24 hours, quote currency. */
export interface Turnover {
  symbol: string;
  turnoverUsdt: number;
}

/**
 * Closed candles directly from memory. The columns are views of immutable arrays: they may be stored, but not written to. Copy them
 * before sending them to a thread (`slice`), otherwise the whole array behind the view is transferred.
 */
export interface WarmCandles {
  exchange: ExchangeId;
  candles: Candles;
  /** When the exchange last confirmed the recent end, epoch ms. */
  fetchedAtMs: number;
}

export interface WarmRequest {
  exchange?: ExchangeId;
  symbol: string;
  interval: Interval;
  limit: number;
}

/** Position of a window's candles in memory; creates no view of them. */
export interface WarmPlace {
  /** Columns that may be longer than the window. Immutable: any change of a candle of the series creates new ones. */
  columns: Candles;
  /** The first candle of the window, and the one after its last. */
  start: number;
  end: number;
  fetchedAtMs: number;
}

/** State of the series that are always current. */
export interface Warmth {
  /** Series that should be warm, and those that are readable now. */
  wantedCount: number;
  readyCount: number;
  /** Milliseconds from the start until all were ready for the first time; null until then. */
  readyAfterMs: number | null;
  candleBytes: number;
  feeds: Partial<Record<ExchangeId, FeedHealth>>;
}

export interface TopsRequest {
  symbols: readonly string[];
  streamAgeMs: number;
  /** Called with the error when the request for the others fails and only streamed ones are returned. */
  onPartial?: ((message: string) => void) | undefined;
}

interface FromExchange {
  /** Binance when absent. */
  exchange?: ExchangeId;
  /** The requesting user: fetches count against this user's share; absent for the service itself. */
  userId?: string;
  signal?: AbortSignal;
}

export interface PositioningRequest {
  symbol: string;
  interval: PositioningInterval;
}

/**
 * The market for features: cached, de-duplicated, every value with its source and age.
 * Errors: `symbol_unknown`, `upstream_unavailable`, `upstream_rate_limited`, `deadline_exceeded`; the message names
 * the exchange. `rate_limited` and `overloaded` when a user requests too much that is not cached.
 */
export interface Market {
  symbols(request?: FromExchange & { maxAgeMs?: number }): Promise<Outcome<CountedSymbols>>;
  candles(request: CandleRequest): Promise<Outcome<Sourced<CandleWindow>>>;
  /** Closed minutes of several spans, oldest first; minutes that the exchange does not have are missing. */
  minutes(request: MinutesRequest): Promise<Outcome<Sourced<Candles>>>;
  /** One quote per symbol that has one, in the requested order; the others are listed with the reason. */
  prices(request: FromExchange & { symbols: readonly string[] }): Promise<Outcome<Prices>>;
  funding(request: FromExchange & { symbol: string }): Promise<Outcome<Sourced<FundingRate>>>;
  /**
   * Best prices of many symbols: streamed ones up to `streamAgeMs` old from memory, the others with one request for all. Symbols without
   * a usable quote are left out.
   */
  tops(request: FromExchange & TopsRequest): Promise<Outcome<TopQuote[]>>;
  /** The order book, 50 levels of each side; never older than a second. */
  orderBook(
    request: FromExchange & { symbol: string; purpose?: 'direct' | 'scan' },
  ): Promise<Outcome<Sourced<OrderBook>>>;
  /** The exchange's limits for an order and a position of the symbol. Without tiers only where they require an API key that is not set. */
  contract(request: FromExchange & { symbol: string }): Promise<Outcome<Sourced<Contract>>>;
  /** Fundings with `sinceMs <= time < untilMs` (workers/src/candles/candleWindow.ts). */
  fundingHistory(
    request: FromExchange & { symbol: string; sinceMs: number; untilMs: number; purpose?: 'direct' | 'scan' },
  ): Promise<Outcome<Sourced<FundingHistory>>>;
  openInterest(request: FromExchange & { symbol: string }): Promise<Outcome<Sourced<OpenInterest>>>;
  openInterestSeries(request: FromExchange & PositioningRequest): Promise<Outcome<Sourced<OpenInterestSeries>>>;
  longShortSeries(request: FromExchange & PositioningRequest): Promise<Outcome<Sourced<LongShortSeries>>>;
  /** Symbols by turnover, largest first. */
  turnovers(request?: FromExchange): Promise<Outcome<Sourced<Turnover[]>>>;
  /**
   * The last `limit` closed candles when they are in memory, without a gap and current; null otherwise: `candles` then fetches them or
   * returns an error. For some seconds after a close the previous bar counts as current, as exchanges need a moment to finalise one.
   * Synchronous, no copy, no database, no network.
   */
  readWarm(request: WarmRequest): WarmCandles | null;
  /** The same without the candles: enough to check whether they have changed since the last read. */
  findWarm(request: WarmRequest): WarmPlace | null;
  /** The streamed quote when it is at most `maxAgeMs` (5 s) old; null otherwise. */
  readQuote(request: { exchange?: ExchangeId; symbol: string; maxAgeMs?: number }): LiveQuote | null;
  /** The streamed best prices when both sides exist and are at most `maxAgeMs` old; null otherwise. */
  readTop(request: { exchange: ExchangeId; symbol: string; maxAgeMs: number }): TopQuote | null;
  /** Calls back for each streamed quote, until the returned function is called. The listener must be fast. */
  onPrice(listener: (exchange: ExchangeId, quote: LiveQuote) => void): () => void;
  /** The same for each closed candle appended to a series in memory, including repaired ones. */
  onCandle(listener: (exchange: ExchangeId, bar: ClosedBar) => void): () => void;
  /** Streams a series in addition to the universe until the returned function is called, e.g. 1m for an open position. */
  keep(series: { exchange?: ExchangeId; symbol: string; interval: Interval }): () => void;
  warmth(): Warmth;
}

/** The stored part of a span. */
export interface StoredSpan {
  candles: Candles;
  /** Opens that were requested from the exchange before, sorted; a missing bar within them was not sent. */
  covered: { fromMs: number; toMs: number }[];
}

/** The candle store behind the cache. Its failures never fail a read: the candles are then fetched. */
export interface CandleArchive {
  /** Null when nothing of the span is stored, or the store cannot be read. */
  read(span: Omit<VenueCandleRequest, 'signal'> & { exchange: ExchangeId }): Promise<StoredSpan | null>;
  /** Stores candles soon; every bar of the span was requested. */
  save(span: Omit<VenueCandleRequest, 'signal'> & { exchange: ExchangeId }, candles: Candles): void;
}

/**
 * Last known state of an exchange: `banned` means that it required a pause, `regionBlocked` that it does not serve the region
 * of this server,
 * `broken` that it failed repeatedly.
 */
export type VenueState = 'unknown' | 'ok' | 'banned' | 'regionBlocked' | 'broken';

/** One exchange without a cache. Adapters implement it; only the market service calls it. */
export interface Venue {
  exchange: ExchangeId;
  /** From earlier requests; sends none. */
  state: () => VenueState;
  /** At most `maxAgeMs` old, or about a minute when absent; an older list only when no newer one is available. */
  symbols(maxAgeMs?: number): Promise<Outcome<SymbolList>>;
  /** Bars with `fromMs <= open <= toMs`, both bar opens; validated, gaps are requested twice. */
  candles(request: VenueCandleRequest): Promise<Outcome<CandleWindow>>;
  /** Every quote of the exchange in as few requests as possible. */
  prices(signal?: AbortSignal): Promise<Outcome<PriceQuote[]>>;
  funding(symbol: string, signal?: AbortSignal): Promise<Outcome<FundingRate>>;
  /** Best prices of every symbol that has them, in one request. */
  tops(signal?: AbortSignal): Promise<Outcome<TopQuote[]>>;
  orderBook(symbol: string, signal?: AbortSignal): Promise<Outcome<OrderBook>>;
  /** Leverage tiers of the symbol; null where the exchange requires an API key that is not set. */
  tiers(symbol: string, signal?: AbortSignal): Promise<Outcome<LeverageTier[] | null>>;
  /** The whole span or an error. `onPage` is called for each request. */
  fundingHistory(
    request: { symbol: string; sinceMs: number; untilMs: number; onPage?: () => void },
    signal?: AbortSignal,
  ): Promise<Outcome<FundingHistory>>;
  openInterest(symbol: string, signal?: AbortSignal): Promise<Outcome<OpenInterest>>;
  openInterestSeries(request: PositioningRequest, signal?: AbortSignal): Promise<Outcome<OpenInterestSeries>>;
  longShortSeries(request: PositioningRequest, signal?: AbortSignal): Promise<Outcome<LongShortSeries>>;
  turnovers(signal?: AbortSignal): Promise<Outcome<Turnover[]>>;
  /** A separate stream without subscriptions until `want` is called. */
  feed(listener: FeedListener): VenueFeed;
}

export interface FeedListener {
  /** Closed according to the exchange, and validated; not necessarily the one after the last. */
  bar: (bar: ClosedBar) => void;
  quote: (quote: LiveQuote) => void;
}

export interface FeedRequest {
  /** Symbols; unlisted ones are skipped. */
  prices: readonly string[];
  candles: readonly { symbol: string; interval: Interval }[];
}

export interface FeedHealth {
  connectionCount: number;
  openCount: number;
  /** Handshakes since the start. */
  connectCount: number;
  /** Messages that could not be parsed or that rejected a subscription. */
  unreadableCount: number;
  /** Bars reported as closed that failed validation. */
  rejectedBarCount: number;
  messageAtMs: number | null;
  /** Topics that were acknowledged but send nothing: they are subscribed to again, and their candles are requested. */
  silentTopics: readonly string[];
}

export interface VenueFeed {
  /** Sets the streamed series. Connections reconnect automatically; a loss shows only as missing data. */
  want: (options: FeedRequest) => Promise<Outcome<null>>;
  health: () => FeedHealth;
  /** Epoch ms of the newest data of candle and of price topics; null without such a topic. */
  dataAtMs: () => { candles: number | null; prices: number | null };
  /** Whether the candles of a series have stopped although its topic was acknowledged. */
  isSilent: (series: { symbol: string; interval: Interval }) => boolean;
  close: () => void;
}

export interface VenueCandleRequest {
  symbol: string;
  interval: Interval;
  /** `last` when absent. */
  price?: PriceKind;
  fromMs: number;
  toMs: number;
  signal?: AbortSignal;
}
