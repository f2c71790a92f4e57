import { SPREAD_HIGH_PCT, SPREAD_MEDIUM_PCT } from '@sextant/workers/src/core/limits.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { failWith, ok } from '@sextant/workers/src/core/result.ts';
import type { z } from 'zod';
import { mapLimited } from '../../platform/mapLimited.ts';
import type { Outcome } from '../../platform/errors.ts';
import { createRejection } from '../../platform/errors.ts';
import type { ExchangeId, Market, OrderBook } from '../market/port.ts';
import {
  type ArbitrageItem,
  type ArbitrageParams,
  type ArbitrageResults,
  type ArbitrageVenue,
  type LeftOutReason,
} from './contract.ts';
import { coinOf, type Contracts, type ContractTable, findPriceOutliers, tableOf } from './sameContract.ts';
import {
  bestPair,
  type CoinPair,
  type CoinQuote,
  grossPctOf,
  middleOf,
  netPctAtBest,
  perCoin,
  quoteToWire,
  sizeSpread,
  spreadToWire,
  termsOf,
} from './spreads.ts';

// Long because a scan is one sequence from quotes to order books.

/** An older streamed quote is fetched again, once for all symbols of the exchange. */
const STREAM_AGE_MS = 1500;
/** Quotes older than this by the exchange's timestamp are not compared. */
export const QUOTE_AGE_MS = 5000;
/** Quotes and order books whose timestamps differ by more are not compared. */
export const SKEW_MS = 2000;
/** Order books are fetched for this many pairs, best first: two requests each. */
export const BOOK_PAIRS_MAX = 10;
/** A book whose mid price differs from the quote by this much belongs to another contract. */
const BOOK_DIFFERENCE_MAX = 0.02;
const BOOKS_AT_ONCE = 10;
const EXAMPLES_MAX = 50;

export interface FindDeps {
  market: Pick<Market, 'symbols' | 'tops' | 'orderBook'>;
  /** An engine of this thread. */
  kernel: () => Engine;
  now?: () => number;
}

export interface FindOptions {
  userId: string;
  signal: AbortSignal;
  /** Work steps: an exchange whose quotes are read, a pair of order books. */
  onProgress: (done: number, total: number) => Promise<void>;
  /** Time since which the sampler sees a spread above its costs; null when it is below. */
  existsSinceMs?: (symbol: string, buy: ExchangeId, sell: ExchangeId) => number | null;
}

type LeftOut = z.output<typeof LeftOutReason>;
type VenueWire = z.input<typeof ArbitrageVenue>;

/** Counts of items that were not compared, with the first examples. */
class Omissions {
  readonly counts: Record<string, number> = {};
  readonly examples: { symbol: string; exchange: ExchangeId | null; reason: LeftOut }[] = [];

  add(symbol: string, exchange: ExchangeId | null, reason: LeftOut, count = 1): void {
    this.counts[reason] = (this.counts[reason] ?? 0) + count;
    if (this.examples.length < EXAMPLES_MAX) this.examples.push({ symbol, exchange, reason });
  }
}

interface VenueQuotes {
  table: ContractTable;
  /** By coin. */
  quotes: Map<string, Partial<Record<ExchangeId, CoinQuote>>>;
  venues: VenueWire[];
}

/** The same coin on every exchange with its best prices. A failed exchange does not affect the others. */
async function readVenues(
  { market, now = Date.now }: FindDeps,
  params: ArbitrageParams,
  coins: readonly string[],
  omissions: Omissions,
  { signal, onVenue }: { signal: AbortSignal; onVenue: () => Promise<void> },
): Promise<VenueQuotes> {
  const lists = await Promise.all(
    params.exchanges.map(async (exchange) => ({ exchange, found: await market.symbols({ exchange, signal }) })),
  );
  const table = tableOf(
    Object.fromEntries(lists.flatMap(({ exchange, found }) => (found.ok ? [[exchange, found.value.value]] : []))),
  );
  const quotes: VenueQuotes['quotes'] = new Map();
  const venues = await Promise.all(
    lists.map(async ({ exchange, found }): Promise<VenueWire> => {
      const contracts = contractsOf(table, coins, exchange, found.ok, omissions);
      const symbols = contracts.map(({ contract }) => contract.listing.symbol);
      let failure: string | null = null;
      const onPartial = (message: string) => (failure = message);
      const request = { exchange, symbols, streamAgeMs: STREAM_AGE_MS, signal, onPartial };
      const tops = found.ok ? await market.tops(request) : found;
      await onVenue();
      if (!tops.ok) return { exchange, state: 'failed', failure: tops.error.message, quotes: 0, streamed: 0 };
      const bySymbol = new Map(tops.value.map((top) => [top.symbol, top]));
      let usable = 0;
      let streamed = 0;
      for (const { coin, contract } of contracts) {
        const top = bySymbol.get(contract.listing.symbol);
        if (top === undefined) omissions.add(`${coin}USDT`, exchange, 'no_quote');
        else if (now() - top.atMs > QUOTE_AGE_MS) omissions.add(`${coin}USDT`, exchange, 'old_quote');
        else {
          usable += 1;
          streamed += top.source === 'stream' ? 1 : 0;
          quotes.set(coin, { ...quotes.get(coin), [exchange]: perCoin(top, contract) });
        }
      }
      return { exchange, state: 'compared', failure, quotes: usable, streamed };
    }),
  );
  return { table, quotes, venues };
}

type NamedContract = { coin: string; contract: NonNullable<Contracts[ExchangeId]> };

/** Contracts of the coins on the exchange; counts the coins it does not trade. */
function contractsOf(
  { byCoin, doubtful }: ContractTable,
  coins: readonly string[],
  exchange: ExchangeId,
  isListKnown: boolean,
  omissions: Omissions,
): NamedContract[] {
  if (!isListKnown) return [];
  return coins.flatMap((coin) => {
    const contract = byCoin.get(coin)?.[exchange];
    if (contract?.listing.status === 'trading') return [{ coin, contract }];
    const isDoubtful = doubtful.get(coin)?.has(exchange) === true;
    omissions.add(`${coin}USDT`, exchange, isDoubtful ? 'doubtful_contract' : contract ? 'halted' : 'not_listed');
    return [];
  });
}

export interface Candidate extends CoinPair {
  symbol: string;
  quotes: Partial<Record<ExchangeId, CoinQuote>>;
  netPct: number;
}

/** The best pair of each coin at or above the minimum gross spread, highest net first. */
export function findCandidates(
  kernel: Engine,
  quotes: VenueQuotes['quotes'],
  params: Pick<ArbitrageParams, 'minSpreadPct' | 'takerFees' | 'holdHours'>,
  omissions: Pick<Omissions, 'add'>,
  nowMs: number,
): { candidates: Candidate[]; compared: number } {
  const candidates: Candidate[] = [];
  let compared = 0;
  for (const [coin, result] of quotes) {
    const symbol = `${coin}USDT`;
    const stored = withoutStrangers(symbol, result, omissions);
    const { pair, dropped } = bestPair(stored, SKEW_MS);
    if (dropped > 0) omissions.add(symbol, null, 'stamps_differ', dropped);
    else if (pair === null) omissions.add(symbol, null, 'one_exchange');
    if (pair === null) continue;
    compared += 1;
    if (!(pair.grossPct >= params.minSpreadPct) || pair.grossPct <= 0) continue;
    const netPct = netPctAtBest(kernel, pair, { ...params, nowMs });
    candidates.push({ ...pair, symbol, quotes: stored, netPct });
  }
  candidates.sort((a, b) => b.netPct - a.netPct || (a.symbol < b.symbol ? -1 : 1));
  return { candidates, compared };
}

function withoutStrangers(
  symbol: string,
  quotes: Partial<Record<ExchangeId, CoinQuote>>,
  omissions: Pick<Omissions, 'add'>,
): Partial<Record<ExchangeId, CoinQuote>> {
  const entries = Object.entries(quotes) as [ExchangeId, CoinQuote][];
  const strange = findPriceOutliers(
    Object.fromEntries(entries.map(([exchange, quote]) => [exchange, middleOf(quote)])),
  );
  for (const exchange of strange) omissions.add(symbol, exchange, 'doubtful_contract');
  return Object.fromEntries(entries.filter(([exchange]) => !strange.includes(exchange)));
}

/** A book per coin: the best price and the size of each level. */
export function bookPerCoin({ bids, asks }: Pick<OrderBook, 'bids' | 'asks'>, multiplier: number) {
  const flat = (levels: OrderBook['bids']): Float64Array => {
    const side = new Float64Array(2 * levels.length);
    levels.forEach(([price, quantity], i) => {
      side[2 * i] = multiplier === 1 ? price : Number((price / multiplier).toPrecision(15));
      side[2 * i + 1] = quantity * multiplier;
    });
    return side;
  };
  return { bids: flat(bids), asks: flat(asks) };
}

interface ReadBooks {
  buy: Outcome<Book>;
  sell: Outcome<Book>;
}
interface Book {
  bids: Float64Array;
  asks: Float64Array;
  atMs: number;
}

async function readBooks(
  { market }: Pick<FindDeps, 'market'>,
  { buy, sell }: CoinPair,
  { userId, signal }: Pick<FindOptions, 'userId' | 'signal'>,
): Promise<ReadBooks> {
  const read = async ({ exchange, from }: CoinQuote): Promise<Outcome<Book>> => {
    const { symbol } = from.listing;
    const outcome = await market.orderBook({ exchange, symbol, userId, purpose: 'scan', signal });
    if (!outcome.ok) return outcome;
    const { value, fetchedAtMs } = outcome.value;
    return ok({ ...bookPerCoin(value, from.multiplier), atMs: value.atMs ?? fetchedAtMs });
  };
  const [bought, sold] = await Promise.all([read(buy), read(sell)]);
  return { buy: bought, sell: sold };
}

/** The quote updated from the book; undefined when the book does not match it. */
function refreshed(quote: CoinQuote, { bids, asks, atMs }: Book): CoinQuote | undefined {
  const [bid, ask] = [bids[0], asks[0]];
  if (bid === undefined || ask === undefined) return undefined;
  const middle = (bid + ask) / 2;
  if (Math.abs(middle / middleOf(quote) - 1) > BOOK_DIFFERENCE_MAX) return undefined;
  return { ...quote, bid, ask, atMs, source: 'request' };
}

interface ItemDeps {
  kernel: Engine;
  params: ArbitrageParams;
  nowMs: number;
  existsSinceMs: NonNullable<FindOptions['existsSinceMs']>;
}

type Item = z.input<typeof ArbitrageItem>;

function itemOf({ params, existsSinceMs }: ItemDeps, candidate: Candidate): Item {
  const { symbol, quotes, buy, sell } = candidate;
  const grossPct = grossPctOf(buy, sell);
  const shown = { ...quotes, [buy.exchange]: buy, [sell.exchange]: sell };
  return {
    symbol,
    spreadPct: grossPct,
    badge: badgeOf(grossPct),
    bestBuy: buy.exchange,
    bestSell: sell.exchange,
    prices: Object.fromEntries(Object.values(shown).map((quote) => [quote.exchange, middleOf(quote)])),
    quotes: Object.fromEntries(Object.values(shown).map((quote) => [quote.exchange, quoteToWire(quote)])),
    skewMs: Math.abs(buy.atMs - sell.atMs),
    midSkewPct: (middleOf(sell) / middleOf(buy) - 1) * 100,
    theoreticalPnlUsdt: (params.notionalUsdt * grossPct) / 100,
    netAtBestPricesPct: candidate.netPct,
    atNotional: null,
    atBestSize: null,
    depth: 'not_read',
    existsSinceMs: existsSinceMs(symbol, buy.exchange, sell.exchange),
  };
}

/** The item recomputed from both order books; a reason when the opportunity is gone. */
function sizedItem(deps: ItemDeps, candidate: Candidate, books: ReadBooks): Item | LeftOut {
  if (!books.buy.ok || !books.sell.ok) return { ...itemOf(deps, candidate), depth: 'failed' };
  const [bought, sold] = [books.buy.value, books.sell.value];
  const buy = refreshed(candidate.buy, bought);
  const sell = refreshed(candidate.sell, sold);
  if (buy === undefined || sell === undefined) return 'doubtful_contract';
  if (Math.abs(buy.atMs - sell.atMs) > SKEW_MS) return 'stamps_differ';
  const { params, kernel, nowMs } = deps;
  const pair = { buy, sell, grossPct: grossPctOf(buy, sell) };
  if (!(pair.grossPct >= params.minSpreadPct) || pair.grossPct <= 0) return 'gone';
  const terms = termsOf(pair, { ...params, nowMs });
  const now = { ...candidate, ...pair, netPct: netPctAtBest(kernel, pair, { ...params, nowMs }) };
  const input = { asks: bought.asks, bids: sold.bids, terms, notionals: [params.notionalUsdt] };
  const { sizes, best } = sizeSpread(kernel, input);
  const [at] = sizes;
  return {
    ...itemOf(deps, now),
    depth: 'read',
    atNotional: at === undefined ? null : spreadToWire(at),
    atBestSize: best === null ? null : spreadToWire(best),
  };
}

const badgeOf = (spreadPct: number): Item['badge'] =>
  spreadPct >= SPREAD_HIGH_PCT ? 'high' : spreadPct >= SPREAD_MEDIUM_PCT ? 'medium' : 'low';
const riskOf = (averagePct: number): ArbitrageResults['riskLevel'] =>
  averagePct > SPREAD_HIGH_PCT ? 'HIGH' : averagePct > SPREAD_MEDIUM_PCT ? 'MEDIUM' : 'LOW';

const netOf = (item: Item): number =>
  item.atNotional !== null && item.atNotional.quantity > 0 ? item.atNotional.netPct : item.netAtBestPricesPct;

/** One scan: quotes from memory, gross filter, order books of the best pairs, and the net at the notional. */
export async function findOpportunities(
  deps: FindDeps,
  params: ArbitrageParams,
  options: FindOptions,
): Promise<Outcome<ArbitrageResults>> {
  const startedAt = performance.now();
  const { now = Date.now } = deps;
  const { signal, onProgress } = options;
  const omissions = new Omissions();
  const coins = namedCoins(params.symbols, omissions);
  const venueCount = params.exchanges.length;
  let done = 0;
  const step = (total: number): Promise<void> => onProgress(++done, total);
  const onVenue = () => step(venueCount + BOOK_PAIRS_MAX);
  const { quotes, venues } = await readVenues(deps, params, coins, omissions, { signal, onVenue });
  const quotesMs = performance.now() - startedAt;
  const failed = venues.filter(({ state }) => state === 'failed');
  if (venueCount - failed.length < 2) return failWith(createRejection('upstream_unavailable', failureOf(failed)));
  const kernel = deps.kernel();
  const engineAt = performance.now();
  const { candidates, compared } = findCandidates(kernel, quotes, params, omissions, now());
  const engineMs = performance.now() - engineAt;
  const booksAt = performance.now();
  const read = candidates.slice(0, Math.min(BOOK_PAIRS_MAX, params.maxCount));
  const total = venueCount + read.length;
  const books = await mapLimited(read, BOOKS_AT_ONCE, async (candidate) => {
    const match = await readBooks(deps, candidate, options);
    await step(total);
    return match;
  });
  const booksMs = performance.now() - booksAt;
  const sizesAt = performance.now();
  const itemDeps = { kernel, params, nowMs: now(), existsSinceMs: options.existsSinceMs ?? (() => null) };
  const items = [
    ...read.flatMap((candidate, i) => {
      const item = sizedItem(itemDeps, candidate, books[i] as ReadBooks);
      if (typeof item !== 'string') return [item];
      omissions.add(candidate.symbol, null, item);
      return [];
    }),
    ...candidates.slice(read.length).map((candidate) => itemOf(itemDeps, candidate)),
  ].sort((a, b) => netOf(b) - netOf(a));
  const sizesMs = performance.now() - sizesAt;
  const shown = items.slice(0, params.maxCount);
  const average = shown.length === 0 ? null : shown.reduce((sum, { spreadPct }) => sum + spreadPct, 0) / shown.length;
  return ok({
    items: shown,
    found: items.length,
    compared,
    leftOut: { counts: omissions.counts, examples: omissions.examples },
    venues,
    averageSpreadPct: average,
    riskLevel: average === null ? null : riskOf(average),
    netPositive: shown.filter((item) => netOf(item) > 0).length,
    skewLimitMs: SKEW_MS,
    bookRequests: 2 * read.length,
    timing: { quotesMs, engineMs: engineMs + sizesMs, booksMs, totalMs: performance.now() - startedAt },
  });
}

/** `1000PEPEUSDT` and `PEPEUSDT` are one coin. */
function namedCoins(symbols: readonly string[], omissions: Omissions): string[] {
  const coins = new Set<string>();
  for (const symbol of symbols) {
    const coin = coinOf(symbol)?.coin;
    if (coin === undefined) omissions.add(symbol, null, 'doubtful_contract');
    else coins.add(coin);
  }
  return [...coins];
}

const failureOf = (failed: readonly VenueWire[]): string =>
  `Arbitrage scan failed. ${failed.map(({ failure }) => failure).join(' ')}`;
