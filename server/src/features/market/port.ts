import type { Contract } from '@sextant/workers/src/contract.ts';
import type { Candles, LeverageTier } from '@sextant/workers/src/protocol.ts';
import type { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { Outcome } from '../../platform/errors.ts';

/**
 * The port to the exchanges: types of the product, none of an exchange; `exchange` says only where an answer came from. Long because it is
 * one port.
 */
export type ExchangeId = 'binance' | 'bybit' | 'okx';
export type Interval = keyof typeof intervalMs;

/** An answer and where it came from. Its age is the caller's clock minus `fetchedAtMs`. */
export interface Sourced<T> {
  exchange: ExchangeId;
  /** Epoch ms at which the exchange last confirmed this answer; older than now when it came from the cache. */
  fetchedAtMs: number;
  value: T;
}

/** One USDT-margined perpetual. `null` means that the exchange does not say. */
export interface FuturesSymbol {
  symbol: string;
  base: string;
  /** Smallest price step, quote currency. */
  tickSize: number;
  /** Smallest quantity step, base units on every exchange (contracts are converted). */
  stepSize: number;
  minNotional: number | null;
  maxLeverage: number | null;
  listedAtMs: number | null;
  status: 'trading' | 'halted';
  /** The exchange settles or has settled the contract: it does not come back. Absent: by all it says it goes on. */
  hasEnded?: true;
  /** Hours between fundings, where they are known. */
  fundingHours: number | null;
  /** The exchange lists only contracts with another interval: this one has the usual, unless its settlements differ. */
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

/** The perpetuals of coins that an exchange lists, those that are suspended among them, and how many other instruments it has. */
export interface SymbolList {
  /** By the clock of this node: when the exchange sent the list. */
  readAtMs: number;
  symbols: FuturesSymbol[];
  leftOut: LeftOut;
}

/** The same with its source, as features read it. */
export interface CountedSymbols extends Sourced<FuturesSymbol[]> {
  leftOut: LeftOut;
}

/** Missing bars between two that exist, or at the young end of the window. Both times are bar opens, inclusive. */
export interface CandleGap {
  fromMs: number;
  toMs: number;
  missingCount: number;
}

/** Closed bars only, oldest first. A hole is named in `gaps`, never filled with invented bars. */
export interface CandleWindow {
  candles: Candles;
  gaps: CandleGap[];
  /** Bars the exchange sent that the validator refused; each is a gap now. */
  rejectedCount: number;
}

/** `last`: trades. `mark`: the mark price that liquidations are judged by, without a volume. */
export type PriceKind = 'last' | 'mark';

export interface CandleRequest {
  exchange?: ExchangeId;
  symbol: string;
  interval: Interval;
  /** `last` when absent. */
  price?: PriceKind;
  /** Bars wanted, at least 1; fewer come back when the market is younger. */
  limit: number;
  /** Only bars that had closed at this instant (epoch ms); now when absent. */
  endTimeMs?: number;
  /** The user who asks: what has to be fetched counts against this user's share; absent for the service itself. */
  userId?: string;
  /** A scan has a share of its own. */
  purpose?: 'direct' | 'scan';
  signal?: AbortSignal;
}

export interface MinutesRequest {
  exchange?: ExchangeId;
  symbol: string;
  /** Opens of longer candles, epoch ms, and how long each is. */
  opens: readonly number[];
  lengthMs: number;
  userId?: string;
  signal?: AbortSignal;
}

/** Prices in quote currency, `null` where the exchange does not say. */
export interface PriceQuote {
  symbol: string;
  last: number;
  bid: number | null;
  ask: number | null;
  mark: number | null;
  /** The exchange's own stamp of the quote, epoch ms. */
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

/** The best prices of one exchange, as an arbitrage compares them. Both sides are there and not crossed. */
export interface TopQuote {
  symbol: string;
  bid: number;
  ask: number;
  /** The exchange's own stamp of bid and ask, epoch ms; later than our clock where its clock is ahead. */
  atMs: number;
  /** By our clock. */
  receivedAtMs: number;
  source: 'stream' | 'request';
  /** Fraction that longs pay at the next funding; null where it was not sent. */
  fundingRate: number | null;
  nextFundingAtMs: number | null;
  fundingIntervalHours: number | null;
}

/** An order book in quote currency per coin and coins, as the exchange lists them; best first, checked, not crossed. */
export interface OrderBook {
  symbol: string;
  bids: readonly (readonly [price: number, quantity: number])[];
  asks: readonly (readonly [price: number, quantity: number])[];
  /** The exchange's own stamp, epoch ms, ahead of our clock where its clock is; null when it gives none. */
  atMs: number | null;
}

export interface FundingRate {
  symbol: string;
  /** Rate that longs pay at `nextFundingAtMs` as it stands now, fraction of notional. */
  rate: number;
  nextFundingAtMs: number;
  /** Hours between fundings; null when the exchange does not say. Never used to compute past stamps. */
  intervalHours: number | null;
}

/** Settled fundings, oldest first; `time` is the exchange's own stamp (epoch ms), `rate` a fraction that longs pay. */
export interface FundingHistory {
  time: Float64Array;
  rate: Float64Array;
}

/** A quote put together from a stream. `atMs` is the exchange's stamp of `last`; sides that have grown old are null. */
export interface LiveQuote extends PriceQuote {
  /** Epoch ms by our clock. */
  receivedAtMs: number;
  /** As in FundingRate; null until it was sent, or when it is old. */
  fundingRate: number | null;
  nextFundingAtMs: number | null;
  fundingIntervalHours: number | null;
  /** The exchange's stamp of bid and ask; null when they are unknown. */
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
 * Closed candles straight from memory. The columns are views of arrays that are never written again, so they may be kept, but not
 * written to; to send them to a thread copy them first (`slice`), or the whole array behind the view goes along.
 */
export interface WarmCandles {
  exchange: ExchangeId;
  candles: Candles;
  /** When the exchange last confirmed the young end, epoch ms. */
  fetchedAtMs: number;
}

export interface WarmRequest {
  exchange?: ExchangeId;
  symbol: string;
  interval: Interval;
  limit: number;
}

/** Where in memory the candles of a window are; no view is made of them. */
export interface WarmPlace {
  /** Columns that may be longer than the window: never written again, and others when any candle of the series is another one. */
  columns: Candles;
  /** The first candle of the window, and the one behind its last. */
  start: number;
  end: number;
  fetchedAtMs: number;
}

/** What is kept up to date without being asked. */
export interface Warmth {
  /** Series that are meant to be warm, and those that can be read now. */
  wantedCount: number;
  readyCount: number;
  /** Ready for the first time since the start: ms it took; null until then. */
  readyAfterMs: number | null;
  candleBytes: number;
  feeds: Partial<Record<ExchangeId, FeedHealth>>;
}

export interface TopsRequest {
  symbols: readonly string[];
  streamAgeMs: number;
  /** Told why the request for the others failed, when the streamed ones are given all the same. */
  onPartial?: ((message: string) => void) | undefined;
}

interface FromExchange {
  /** Binance when absent. */
  exchange?: ExchangeId;
  /** The user who asks: what has to be fetched counts against this user's share; absent for the service itself. */
  userId?: string;
  signal?: AbortSignal;
}

/**
 * The market as features see it: cached, de-duplicated, every answer with its source and age.
 * Refusals: `symbol_unknown`, `upstream_unavailable`, `upstream_rate_limited`, `deadline_exceeded`; the message names
 * the exchange. `rate_limited` and `overloaded` when a user has asked for too much that is not in memory.
 */
export interface Market {
  symbols(request?: FromExchange & { maxAgeMs?: number }): Promise<Outcome<CountedSymbols>>;
  candles(request: CandleRequest): Promise<Outcome<Sourced<CandleWindow>>>;
  /** Closed minutes of some stretches, oldest first; those that the exchange does not have are missing. */
  minutes(request: MinutesRequest): Promise<Outcome<Sourced<Candles>>>;
  /** One quote per symbol that has one, in the order asked; the others are named with the reason. */
  prices(request: FromExchange & { symbols: readonly string[] }): Promise<Outcome<Prices>>;
  funding(request: FromExchange & { symbol: string }): Promise<Outcome<Sourced<FundingRate>>>;
  /**
   * Best prices of many symbols: streamed ones that are not older than `streamAgeMs` from memory, the others by one request for all.
   * Symbols without a usable quote are left out.
   */
  tops(request: FromExchange & TopsRequest): Promise<Outcome<TopQuote[]>>;
  /** The order book, 50 levels of each side; never older than a second. */
  orderBook(
    request: FromExchange & { symbol: string; purpose?: 'direct' | 'scan' },
  ): Promise<Outcome<Sourced<OrderBook>>>;
  /** What the exchange demands of an order and a position of the symbol. Without tiers when only they cannot be had. */
  contract(request: FromExchange & { symbol: string }): Promise<Outcome<Sourced<Contract>>>;
  /** Fundings with `sinceMs <= time < untilMs` (workers/src/candleWindow.ts). */
  fundingHistory(
    request: FromExchange & { symbol: string; sinceMs: number; untilMs: number },
  ): Promise<Outcome<Sourced<FundingHistory>>>;
  /** Symbols by turnover, largest first. */
  turnovers(request?: FromExchange): Promise<Outcome<Sourced<Turnover[]>>>;
  /**
   * The last `limit` closed candles when they are in memory, without a hole and current; null otherwise: `candles` then fetches or
   * refuses. For some seconds after a close the bar before counts as current, as exchanges need a moment to settle one.
   * Synchronous, no copy, no database, no network.
   */
  readWarm(request: WarmRequest): WarmCandles | null;
  /** The same without the candles: enough to see whether they are those that were read before. */
  findWarm(request: WarmRequest): WarmPlace | null;
  /** The streamed quote when it is not older than `maxAgeMs` (5 s); null otherwise. */
  readQuote(request: { exchange?: ExchangeId; symbol: string; maxAgeMs?: number }): LiveQuote | null;
  /** The streamed best prices when both sides are there and not older than `maxAgeMs`; null otherwise. */
  readTop(request: { exchange: ExchangeId; symbol: string; maxAgeMs: number }): TopQuote | null;
  /** Calls back for each quote the streams bring, until the returned function is called. The listener must be quick. */
  onPrice(listener: (exchange: ExchangeId, quote: LiveQuote) => void): () => void;
  /** The same for each closed candle that joins a series in memory, repaired ones too. */
  onCandle(listener: (exchange: ExchangeId, bar: ClosedBar) => void): () => void;
  /** Streams a series beside those of the universe until the returned function is called, e.g. 1m for an open position. */
  keep(series: { exchange?: ExchangeId; symbol: string; interval: Interval }): () => void;
  warmth(): Warmth;
}

/** What an exchange was last known to be: `banned` means that it asked us to wait, `broken` that it kept failing. */
export type VenueState = 'unknown' | 'ok' | 'banned' | 'broken';

/** One exchange without a cache. Adapters implement it; only the market service calls it. */
export interface Venue {
  exchange: ExchangeId;
  /** From what was seen before; asks nothing. */
  state: () => VenueState;
  /** As it was at most `maxAgeMs` ago, or about a minute when absent; an older list only when there is no newer one. */
  symbols(maxAgeMs?: number): Promise<Outcome<SymbolList>>;
  /** Bars with `fromMs <= open <= toMs`, both bar opens; validated, a hole asked for twice. */
  candles(request: VenueCandleRequest): Promise<Outcome<CandleWindow>>;
  /** Every quote of the exchange in as few requests as it allows. */
  prices(signal?: AbortSignal): Promise<Outcome<PriceQuote[]>>;
  funding(symbol: string, signal?: AbortSignal): Promise<Outcome<FundingRate>>;
  /** Best prices of every symbol that has them, in one request. */
  tops(signal?: AbortSignal): Promise<Outcome<TopQuote[]>>;
  orderBook(symbol: string, signal?: AbortSignal): Promise<Outcome<OrderBook>>;
  /** Leverage tiers of the symbol; null where the exchange shows them only to an API key that is not set. */
  tiers(symbol: string, signal?: AbortSignal): Promise<Outcome<LeverageTier[] | null>>;
  /** The whole span or a refusal. `onPage` is called for each request that is sent for it. */
  fundingHistory(
    request: { symbol: string; sinceMs: number; untilMs: number; onPage?: () => void },
    signal?: AbortSignal,
  ): Promise<Outcome<FundingHistory>>;
  turnovers(signal?: AbortSignal): Promise<Outcome<Turnover[]>>;
  /** A stream of its own, silent until it is told what is wanted. */
  feed(listener: FeedListener): VenueFeed;
}

export interface FeedListener {
  /** Closed by the exchange's own word, and checked; not necessarily the one that follows the last. */
  bar: (bar: ClosedBar) => void;
  quote: (quote: LiveQuote) => void;
}

export interface FeedWish {
  /** Symbols; those the exchange does not list are left out. */
  prices: readonly string[];
  candles: readonly { symbol: string; interval: Interval }[];
}

export interface FeedHealth {
  connectionCount: number;
  openCount: number;
  /** Handshakes since the start. */
  connectCount: number;
  /** Messages that could not be read or that refused a subscription. */
  unreadableCount: number;
  /** Bars said to be closed that did not pass. */
  refusedBarCount: number;
  messageAtMs: number | null;
  /** Topics that were acknowledged and send nothing: they are subscribed to again, and their candles are requested. */
  silentTopics: readonly string[];
}

export interface VenueFeed {
  /** From now on exactly this is streamed. Connections come and go by themselves; a loss is seen by what does not come. */
  want: (wish: FeedWish) => Promise<Outcome<null>>;
  health: () => FeedHealth;
  /** Whether the candles of a series have stopped to come although its topic was acknowledged. */
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
