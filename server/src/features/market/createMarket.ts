// Long because it implements one port: each read with its cache and its limits.
import { byVenue } from '@sextant/workers/src/core/byVenue.ts';
import type { Contract } from '@sextant/workers/src/candles/contract.ts';
import type { LeverageTier } from '@sextant/workers/src/protocol/backtest.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { type Outcome, reject } from '../../platform/errors.ts';
import { CandleCache, seriesKey } from './candleCache.ts';
import { createCandleStore } from './candleStore.ts';
import { createFetchShare } from './fetchShare.ts';
import { createFundingCache } from './fundingCache.ts';
import { withFundingIntervals } from './fundingIntervals.ts';
import { lastClosedOpen } from './intervals.ts';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { createCandleListeners, Live, type StreamPlan } from './live/liveMarket.ts';
import { createLiveQuotes, type LiveQuotes } from './live/liveQuotes.ts';
import { createMinuteCache } from './minuteCache.ts';
import { shortenedBars, warmBars } from './live/warmSeries.ts';
import type {
  CandleArchive,
  CandleRequest,
  CandleWindow,
  ExchangeId,
  FundingHistory,
  FundingRate,
  FuturesSymbol,
  Interval,
  LiveQuote,
  LongShortSeries,
  Market,
  OpenInterest,
  OpenInterestSeries,
  OrderBook,
  PositioningRequest,
  MissingPrice,
  PriceQuote,
  Prices,
  Sourced,
  SymbolList,
  TopQuote,
  TopsRequest,
  Turnover,
  Venue,
  VenueFeed,
} from './port.ts';
import { type Series, type Span, trimSeries } from './series.ts';
import { createCached, type Cached, type KeepRules, unlessAborted } from './shared.ts';

export interface MarketOptions {
  venues: Record<ExchangeId, Venue>;
  now?: () => number;
  /** Memory for candles. A candle takes 48 bytes, so the default holds 1,300 series of 1,000. */
  candleBytesMax?: number;
  /** Streamed once `start` is called. */
  plan?: StreamPlan;
  /** Stored candles, read before an exchange. */
  archive?: CandleArchive;
}

/** The market with its streams, which are off until `start`. */
export interface LiveMarket extends Market {
  /** Opens the streams and starts to load. @param everyMs between rounds; 0 leaves the rounds to the caller */
  start: (everyMs?: number, onError?: (error: unknown) => void) => void;
  stop: () => void;
  round: () => Promise<void>;
  /** Epoch ms of the newest data of the streams, by exchange and topic. */
  dataAtMs: () => Partial<Record<ExchangeId, ReturnType<VenueFeed['dataAtMs']>>>;
  isStreamed: (series: { exchange: ExchangeId; symbol: string; interval: Interval }) => boolean;
}

const exchangeDefault: ExchangeId = 'binance';
const priceRules = { freshMs: 1000, staleMs: 10_000 };
/** Added to the minute and a half for which the adapter caches its list: a changed tick or step is known within two minutes. */
const symbolRules = { freshMs: 20_000, staleMs: 86_400_000 };
const fundingRules = { freshMs: 15_000, staleMs: 60_000 };
const fundingSymbolsMax = 500;
/** Best prices and books are compared at one moment, so stale ones are not used. */
const topRules = { freshMs: 1000, staleMs: 1000 };
const bookRules = { freshMs: 500, staleMs: 500 };
const booksMax = 200;
/** Exchanges announce changes of their tiers days in advance. */
const tierRules = { freshMs: 10 * 60_000, staleMs: 86_400_000 };
const tiersMax = 1000;
/** Exchanges count open contracts about once a minute, and their statistics every five. */
const interestRules = { freshMs: 60_000, staleMs: 15 * 60_000 };
const statisticsRules = { freshMs: 2 * 60_000, staleMs: 30 * 60_000 };
/** A series of 500 points takes about 8 kB. */
const seriesMax = 600;
const turnoverRules = { freshMs: 10 * 60_000, staleMs: 6 * 3_600_000 };
/** Maximum age of a streamed price in a response; the lists of an exchange are at least a second old, too. */
const livePriceMs = 3000;
const quoteAgeMs = 5000;
/** About 350 windows of 1,000 mark prices. */
const markBytesMax = 16 * 1024 * 1024;
const plausibleAgeMs = 10_000;
const fundingAgeMs = 60_000;

/** Maximum distance of the last closed candle from the current price; beyond it the candles belong to another symbol. */
const plausibleMove: Record<Interval, number> = {
  '1m': 0.35,
  '5m': 0.35,
  '15m': 0.4,
  '1h': 0.5,
  '4h': 0.6,
  '1d': 0.75,
};

type Load<T> = (admit?: () => Promise<Outcome<null>>) => Promise<Outcome<Cached<T>>>;

type CachedSymbols = Pick<SymbolList, 'leftOut' | 'readAtMs'> & { listed: Map<string, FuturesSymbol> };

/** Cached data of one exchange. */
interface Desk {
  symbols: Load<CachedSymbols>;
  prices: Load<Map<string, PriceQuote>>;
  funding: (symbol: string) => Load<FundingRate>;
  turnovers: Load<Turnover[]>;
  tops: Load<Map<string, TopQuote>>;
  book: (symbol: string) => Load<OrderBook>;
  tiers: (symbol: string) => Load<LeverageTier[] | null>;
  openInterest: (symbol: string) => Load<OpenInterest>;
  /** By `positioningKey`. */
  openInterestSeries: (key: string) => Load<OpenInterestSeries>;
  longShortSeries: (key: string) => Load<LongShortSeries>;
}

const positioningKey = ({ symbol, interval }: PositioningRequest): string => `${interval} ${symbol}`;
function requestOf(key: string): PositioningRequest {
  const [interval = '', symbol = ''] = key.split(' ');
  return { symbol, interval: interval as PositioningRequest['interval'] };
}

/** One cached value of each key. When there are too many, all are dropped: that many keys are no normal use. */
function keyed<T>(
  load: (key: string) => Promise<Outcome<T>>,
  { entriesMax, ...rules }: KeepRules & { entriesMax: number },
): (key: string) => Load<T> {
  const entries = new Map<string, Load<T>>();
  return (key) => {
    const known = entries.get(key);
    if (known !== undefined) return known;
    if (entries.size >= entriesMax) entries.clear();
    const cached = createCached(() => load(key), rules);
    entries.set(key, cached);
    return cached;
  };
}

function createDesk(venue: Venue, now: () => number): Desk {
  const rules = (each: Omit<KeepRules, 'now'>): KeepRules => ({ ...each, now });
  return {
    openInterest: keyed((symbol) => venue.openInterest(symbol), { ...rules(interestRules), entriesMax: seriesMax }),
    openInterestSeries: keyed((key) => venue.openInterestSeries(requestOf(key)), {
      ...rules(statisticsRules),
      entriesMax: seriesMax,
    }),
    longShortSeries: keyed((key) => venue.longShortSeries(requestOf(key)), {
      ...rules(statisticsRules),
      entriesMax: seriesMax,
    }),
    tops: createCached(async () => bySymbol(await venue.tops()), rules(topRules)),
    book: keyed((symbol) => venue.orderBook(symbol), { ...rules(bookRules), entriesMax: booksMax }),
    tiers: keyed((symbol) => venue.tiers(symbol), { ...rules(tierRules), entriesMax: tiersMax }),
    symbols: createCached(async () => listOf(await venue.symbols()), rules(symbolRules)),
    prices: createCached(async () => bySymbol(await venue.prices()), rules(priceRules)),
    turnovers: createCached(() => venue.turnovers(), rules(turnoverRules)),
    funding: keyed((symbol) => venue.funding(symbol), { ...rules(fundingRules), entriesMax: fundingSymbolsMax }),
  };
}

/** Mark prices use a separate cache: they are not streamed and cannot be cross-checked. */
function createMarkCache({ venues, archive: stored }: MarketOptions, now: () => number): CandleCache {
  const markOf = (venue: Venue): Pick<Venue, 'candles'> => ({
    candles: (request) => venue.candles({ ...request, price: 'mark' }),
  });
  const byExchange = byVenue((id) => markOf(venues[id]));
  const shorten = (key: string, series: Series): Series =>
    trimSeries(series, intervalMs[key.split(' ')[2] as Interval], warmBars);
  const store = createCandleStore(markBytesMax, { isPinned: () => false, shorten });
  const archive = stored && { store: stored, price: 'mark' as const };
  const isPlausible = () => Promise.resolve(undefined);
  return new CandleCache({ venues: byExchange, store, now, isPlausible, ...withoutUndefined({ archive }) });
}

function listOf(outcome: Outcome<SymbolList>): Outcome<CachedSymbols> {
  if (!outcome.ok) return outcome;
  const { symbols, ...rest } = outcome.value;
  return ok({ ...rest, listed: new Map(symbols.map((each) => [each.symbol, each])) });
}

function bySymbol<T extends { symbol: string }>(outcome: Outcome<T[]>): Outcome<Map<string, T>> {
  return outcome.ok ? ok(new Map(outcome.value.map((each) => [each.symbol, each]))) : outcome;
}

/** Caches and streams behind the responses. */
function createCore(options: MarketOptions) {
  const { venues, now = Date.now, candleBytesMax = 64 * 1024 * 1024 } = options;
  const desks = byVenue((id) => createDesk(venues[id], now));
  const quotes = createLiveQuotes(now);
  const listeners = createCandleListeners();
  const isPlausible = async ({ exchange, symbol, interval }: Span, close: number): Promise<boolean | undefined> => {
    const streamed = quotes.read(exchange, symbol, plausibleAgeMs)?.last;
    const prices = streamed === undefined ? await desks[exchange].prices() : undefined;
    const last = streamed ?? (prices?.ok === true ? prices.value.value.get(symbol)?.last : undefined);
    return last === undefined ? undefined : Math.abs(close / last - 1) <= plausibleMove[interval];
  };
  const isStreamed = (key: string): boolean => live.isStreamed(key);
  const shorten = (key: string, series: Series): Series => {
    const interval = key.split(' ')[2] as Interval;
    return trimSeries(series, intervalMs[interval], shortenedBars(interval));
  };
  const store = createCandleStore(candleBytesMax, { isPinned: isStreamed, shorten });
  const isBrought = (key: string): boolean => live.isBrought(key);
  const archive = options.archive && { store: options.archive, price: 'last' as const };
  const onDoubtful = (key: string): void => live.doubt(key);
  const events = { onJoined: listeners.notify, onDoubtful };
  const reading = { isPlausible, isStreamed: isBrought, ...events, ...withoutUndefined({ archive }) };
  const candles = new CandleCache({ venues, store, now, ...reading });
  const minutes = createMinuteCache(venues, now);
  const markCandles = createMarkCache(options, now);
  const turnovers = async (exchange: ExchangeId): Promise<Outcome<Turnover[]>> => {
    const loaded = await desks[exchange].turnovers();
    return loaded.ok ? ok(loaded.value.value) : loaded;
  };
  const plan = options.plan === undefined ? {} : { plan: options.plan };
  const live: Live = new Live({ venues, cache: candles, store, now, quotes, turnovers, ...plan });
  return { now, desks, quotes, listeners, candles, markCandles, minutes, live };
}

/** The parts of the port served by streams, and their start and stop. */
function streamed({ live, quotes, listeners }: ReturnType<typeof createCore>) {
  return {
    readWarm: (request) => live.readWarm(request),
    findWarm: (request) => live.findWarm(request),
    readQuote: ({ exchange = exchangeDefault, symbol, maxAgeMs = quoteAgeMs }) =>
      quotes.read(exchange, symbol, maxAgeMs),
    readTop: ({ exchange, symbol, maxAgeMs }) => quotes.readTop(exchange, symbol, maxAgeMs),
    onPrice: quotes.onPrice,
    onCandle: listeners.onCandle,
    keep: (series) => live.keep(series),
    warmth: () => live.warmth(),
    dataAtMs: () => live.dataAtMs(),
    start: (everyMs, onError) => live.start(everyMs, onError),
    stop: () => live.stop(),
    round: () => live.round(),
    isStreamed: ({ exchange, symbol, interval }) => live.isStreamed(seriesKey(exchange, symbol, interval)),
  } satisfies Partial<LiveMarket>;
}

/** The market over its exchanges: one cache per kind of data, each shared by concurrent requests. */
export const createMarket = (options: MarketOptions): LiveMarket =>
  withFundingIntervals(createCachedMarket(options), options.now ?? Date.now);

function createCachedMarket(options: MarketOptions): LiveMarket {
  const core = createCore(options);
  const { now, desks, quotes } = core;
  const fundingHistory = createFundingCache(options.venues, now);
  const callerOf = createFetchShare(now);
  return {
    symbols: ({ exchange = exchangeDefault, signal, maxAgeMs } = {}) =>
      unlessAborted(readSymbols(options.venues[exchange], desks[exchange], maxAgeMs), signal),
    candles: (request) => {
      const cache = request.price === 'mark' ? core.markCandles : core.candles;
      const caller = callerOf(request.userId, request.purpose);
      return unlessAborted(
        readCandles((span) => cache.read(span, caller), now(), request),
        request.signal,
      );
    },
    minutes: ({ exchange = exchangeDefault, userId, signal, ...request }) =>
      unlessAborted(core.minutes({ ...request, exchange }, callerOf(userId)), signal),
    prices: ({ exchange = exchangeDefault, symbols, signal }) =>
      unlessAborted(readPrices(exchange, desks[exchange], symbols, quotes, now()), signal),
    funding: ({ exchange = exchangeDefault, symbol, userId, signal }) =>
      unlessAborted(
        sourced(
          exchange,
          desks[exchange].funding(symbol)(() => callerOf(userId).charge(1, exchange)),
          (rate) => rate,
        ),
        signal,
      ),
    tops: ({ exchange = exchangeDefault, signal, ...request }) =>
      unlessAborted(readTops(desks[exchange], { ...request, exchange }, quotes), signal),
    orderBook: ({ exchange = exchangeDefault, symbol, userId, purpose, signal }) => {
      const caller = callerOf(userId, purpose);
      const load = () => desks[exchange].book(symbol)(() => caller.charge(1, exchange));
      return unlessAborted(
        sourced(exchange, caller.inPlace(load), (book) => book),
        signal,
      );
    },
    contract: ({ exchange = exchangeDefault, symbol, userId, signal }) =>
      unlessAborted(
        readContract(exchange, desks[exchange], symbol, () => callerOf(userId).charge(1, exchange)),
        signal,
      ),
    fundingHistory: ({ exchange = exchangeDefault, symbol, sinceMs, untilMs, userId, purpose, signal }) =>
      unlessAborted(
        fundingHistory({ exchange, symbol, sinceMs, untilMs }, callerOf(userId, purpose)).then(
          (read): Outcome<Sourced<FundingHistory>> =>
            read.ok ? ok({ exchange, fetchedAtMs: read.value.fetchedAtMs, value: read.value.history }) : read,
        ),
        signal,
      ),
    ...statisticsOf(desks, callerOf),
    ...streamed(core),
  };
}

/** Turnovers, and open interest and long/short ratios: of these what is not cached counts against the user's share. */
function statisticsOf(
  desks: Record<ExchangeId, Desk>,
  callerOf: ReturnType<typeof createFetchShare>,
): Pick<Market, 'turnovers' | 'openInterest' | 'openInterestSeries' | 'longShortSeries'> {
  const read = <T>(
    { exchange = exchangeDefault, userId, signal }: { exchange?: ExchangeId; userId?: string; signal?: AbortSignal },
    loadOf: (desk: Desk) => Load<T>,
  ): Promise<Outcome<Sourced<T>>> => {
    const caller = callerOf(userId);
    const load = () => loadOf(desks[exchange])(() => caller.charge(1, exchange));
    return unlessAborted(
      sourced(exchange, caller.inPlace(load), (value) => value),
      signal,
    );
  };
  return {
    turnovers: ({ exchange = exchangeDefault, signal } = {}) =>
      unlessAborted(
        sourced(exchange, desks[exchange].turnovers(), (rows) => rows),
        signal,
      ),
    openInterest: (request) => read(request, (desk) => desk.openInterest(request.symbol)),
    openInterestSeries: (request) => read(request, (desk) => desk.openInterestSeries(positioningKey(request))),
    longShortSeries: (request) => read(request, (desk) => desk.longShortSeries(positioningKey(request))),
  };
}

async function sourced<T, U>(
  exchange: ExchangeId,
  loading: Promise<Outcome<Cached<T>>>,
  pick: (value: T) => U,
): Promise<Outcome<Sourced<U>>> {
  const loaded = await loading;
  if (!loaded.ok) return loaded;
  return ok({ exchange, fetchedAtMs: loaded.value.fetchedAtMs, value: pick(loaded.value.value) });
}

async function readSymbols(venue: Venue, desk: Desk, maxAgeMs: number | undefined): ReturnType<Market['symbols']> {
  const { exchange } = venue;
  if (maxAgeMs !== undefined) {
    const response = await venue.symbols(maxAgeMs);
    if (!response.ok) return response;
    const { symbols, leftOut, readAtMs } = response.value;
    return ok({ exchange, fetchedAtMs: readAtMs, value: symbols, leftOut });
  }
  const loaded = await desk.symbols();
  if (!loaded.ok) return loaded;
  const { listed, leftOut, readAtMs } = loaded.value.value;
  return ok({ exchange, fetchedAtMs: readAtMs, value: [...listed.values()], leftOut });
}

async function readContract(
  exchange: ExchangeId,
  desk: Desk,
  symbol: string,
  admit: () => Promise<Outcome<null>>,
): Promise<Outcome<Sourced<Contract>>> {
  const loaded = await desk.symbols();
  if (!loaded.ok) return loaded;
  const match = loaded.value.value.listed.get(symbol);
  if (match === undefined)
    return reject('symbol_unknown', `${symbol} is not listed on ${exchange}.`, { field: 'symbol' });
  const tiers = await desk.tiers(symbol)(admit);
  // Without them the same request would give other figures.
  if (!tiers.ok) return tiers;
  const { tickSize, stepSize, minNotional, maxQuantity, maxLeverage } = match;
  const table = tiers.value.value;
  const value: Contract = {
    exchange,
    symbol,
    tickSize,
    stepSize,
    minNotional: minNotional ?? 0,
    maxQuantity: maxQuantity ?? 0,
    // Binance states its largest leverage only in its tiers.
    leverageMax: maxLeverage ?? table?.[0]?.leverageMax ?? null,
    tiers: table,
  };
  return ok({ exchange, fetchedAtMs: loaded.value.fetchedAtMs, value });
}

async function readCandles(
  read: (span: Span) => ReturnType<CandleCache['read']>,
  nowMs: number,
  { exchange = exchangeDefault, symbol, interval, limit, endTimeMs }: CandleRequest,
): Promise<Outcome<Sourced<CandleWindow>>> {
  const toMs = lastClosedOpen(interval, Math.min(nowMs, endTimeMs ?? nowMs));
  const fromMs = toMs - (limit - 1) * intervalMs[interval];
  const outcome = await read({ exchange, symbol, interval, fromMs, toMs });
  return outcome.ok ? ok({ exchange, fetchedAtMs: outcome.value.fetchedAtMs, value: outcome.value.window }) : outcome;
}

/** Recent streamed best prices, and the exchange's list for the rest. */
async function readTops(
  desk: Desk,
  { exchange, symbols, streamAgeMs, onPartial }: TopsRequest & { exchange: ExchangeId },
  live: LiveQuotes,
): Promise<Outcome<TopQuote[]>> {
  const matches = symbols.map((symbol) => live.readTop(exchange, symbol, streamAgeMs));
  const missing = symbols.filter((_, index) => matches[index] === null);
  const streamed = matches.filter((top) => top !== null);
  if (missing.length === 0) return ok(streamed);
  const listed = await desk.tops();
  if (!listed.ok) {
    if (streamed.length === 0) return listed;
    // Streamed prices are returned even when the request fails.
    onPartial?.(listed.error.message);
    return ok(streamed);
  }
  const requested = missing.map((symbol) => listed.value.value.get(symbol)).filter((top) => top !== undefined);
  return ok([...streamed, ...requested.map((top) => withFunding(top, live.read(exchange, top.symbol, fundingAgeMs)))]);
}

/** Not every list of best prices includes the funding: falls back to recently streamed values. */
function withFunding(top: TopQuote, quote: LiveQuote | null): TopQuote {
  if (top.fundingRate !== null || quote === null) return top;
  const { fundingRate, nextFundingAtMs, fundingIntervalHours } = quote;
  return { ...top, fundingRate, nextFundingAtMs, fundingIntervalHours };
}

/** Recent streamed prices, the exchange's list for the rest, and the reasons for missing ones. */
async function readPrices(
  exchange: ExchangeId,
  desk: Desk,
  symbols: readonly string[],
  live: LiveQuotes,
  nowMs: number,
): Promise<Outcome<Prices>> {
  const streamed = symbols.map((symbol) => live.read(exchange, symbol, livePriceMs)).filter((quote) => quote !== null);
  const streamedAtMs = Math.min(nowMs, ...streamed.map(({ atMs }) => atMs));
  const fromStream = streamed.map(({ symbol, last, bid, ask, mark, atMs }) => ({ symbol, last, bid, ask, mark, atMs }));
  if (streamed.length === symbols.length && symbols.length > 0) {
    return ok({ exchange, fetchedAtMs: streamedAtMs, value: fromStream, missing: [] });
  }
  const partly = (failed: Outcome<never>): Outcome<Prices> => {
    if (streamed.length === 0) return failed;
    // Streamed prices are returned even when the request fails.
    const had = new Set(fromStream.map(({ symbol }) => symbol));
    const missing = symbols
      .filter((symbol) => !had.has(symbol))
      .map((symbol) => ({ symbol, why: 'no_price' as const }));
    return ok({ exchange, fetchedAtMs: streamedAtMs, value: fromStream, missing });
  };
  const universe = await desk.symbols();
  if (!universe.ok) return partly(universe);
  const prices = await desk.prices();
  if (!prices.ok) return partly(prices);
  const { listed } = universe.value.value;
  const value: PriceQuote[] = [];
  const missing: MissingPrice[] = [];
  for (const symbol of symbols) {
    const listing = listed.get(symbol);
    const quote = prices.value.value.get(symbol);
    if (listing === undefined || listing.hasEnded === true) missing.push({ symbol, why: 'not_traded' });
    else if (listing.status !== 'trading') missing.push({ symbol, why: 'halted' });
    else if (quote === undefined) missing.push({ symbol, why: 'no_price' });
    else value.push(quote);
  }
  return ok({ exchange, fetchedAtMs: prices.value.fetchedAtMs, value, missing });
}
