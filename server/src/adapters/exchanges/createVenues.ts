import { byVenue } from '@sextant/workers/src/core/byVenue.ts';
import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import type {
  ExchangeId,
  FeedListener,
  FundingRate,
  SymbolList,
  Venue,
  VenueFeed,
  PriceQuote,
  Turnover,
} from '../../features/market/port.ts';
import { type Clock, systemClock } from './clock.ts';
import { binanceRulesWith } from './binance/rules.ts';
import { exchanges } from './exchanges.ts';
import { type StreamTimings, usualTimings } from './streams/connection.ts';
import { createTransport, type Call, type Transport } from './transport.ts';
import type { Outcome } from '../../platform/errors.ts';
import { readCandles } from './candles.ts';
import { type CcxtClient, createCcxtClient, loadClass } from './ccxtClient.ts';
import type { VenueContext, VenueOptions } from './context.ts';
import { readFunding, readFundingHistory } from './funding.ts';
import { StreamFeed } from './streams/feed.ts';
import { type Universe, type Listed, cachedUniverse } from './universe.ts';
import { type ExchangeKey, readTiers } from './tiers.ts';
import { rejectionOf, UpstreamError } from './upstreamError.ts';
import { readBook, readTops } from './books.ts';
import { readLongShortSeries, readOpenInterest, readOpenInterestSeries } from './positioning.ts';
import { quoteOf } from './restDialect.ts';

export interface VenuesOptions {
  /** One server that serves all exchanges' formats; the real hosts when absent. */
  exchangesUrl?: string | undefined;
  /** Binance requires a key for its leverage tiers. */
  binanceKey?: ExchangeKey | undefined;
  /** Requests of fundings that Binance takes in 5 minutes; as published when absent. */
  fundingLimit?: number | undefined;
  /** Hosts used instead of an exchange's own, e.g. those of a region. */
  exchangeHosts?: ExchangeHosts | undefined;
  clock?: Clock;
  requestTimeoutMs?: number;
  callDeadlineMs?: number;
  streamTimings?: Partial<StreamTimings>;
}

/** Origins of one exchange: `https://www.okx.com` and `wss://ws.okx.com:8443`. */
export type ExchangeHosts = Partial<Record<ExchangeId, { rest?: string | undefined; stream?: string | undefined }>>;

export interface Venues {
  byExchange: Record<ExchangeId, ExchangeVenue>;
  close: () => Promise<void>;
}

/** Clients of the three exchanges; nothing is loaded or connected before the first request. */
export function createVenues(options: VenuesOptions = {}): Venues {
  const { exchangesUrl, clock = systemClock, requestTimeoutMs = 6000, callDeadlineMs = 12_000 } = options;
  const make = (exchange: ExchangeId): ExchangeVenue => {
    const { rest, stream, ...own } = exchanges[exchange];
    const { fundingLimit } = options;
    const hasOther = exchange === 'binance' && fundingLimit !== undefined;
    const rules = hasOther ? binanceRulesWith(fundingLimit) : own.rules;
    const hosts = options.exchangeHosts?.[exchange] ?? {};
    const baseUrl = exchangesUrl ?? hosts.rest ?? rest.origin;
    const transport = createTransport({ rules, baseUrl, clock, requestTimeoutMs, callDeadlineMs });
    const streamOrigin = exchangesUrl?.replace(/^http/, 'ws').replace(/\/$/, '') ?? hosts.stream;
    const streams = withoutUndefined({ streamOrigin, streamTimings: options.streamTimings });
    const key = exchange === 'binance' ? { key: options.binanceKey } : {};
    return createVenue({ rules, dialect: rest, stream, transport, clock, ...key, ...streams });
  };
  const byExchange = byVenue(make);
  return {
    byExchange,
    close: async () => {
      await Promise.all(Object.values(byExchange).map((venue) => venue.close()));
    },
  };
}

/** Loads the code of all exchanges and connects to none, so that a takeover does not wait for it. */
export async function preloadVenues(): Promise<void> {
  for (const { rest } of Object.values(exchanges)) await loadClass(rest.ccxt.className);
}

export interface ExchangeVenue extends Venue, Pick<Transport, 'clockOffset' | 'budgets' | 'limits' | 'assume'> {
  close: () => Promise<void>;
}

const listOf = ({ listed, leftOut, atMs }: Universe): SymbolList => ({
  readAtMs: atMs,
  symbols: [...listed.values()].map(({ listing }) => listing),
  leftOut,
});

function createVenue(options: VenueOptions): ExchangeVenue {
  const { rules, dialect, transport } = options;
  const feeds: VenueFeed[] = [];
  let clientPromise: Promise<CcxtClient> | undefined;
  const client = (): Promise<CcxtClient> => {
    clientPromise ??= createCcxtClient(dialect.ccxt, transport.fetch);
    return clientPromise;
  };
  const universe = cachedUniverse(options, client);
  const listed = async () => (await universe()).listed;
  const context: VenueContext = {
    ...options,
    client,
    async listed(symbol) {
      const match = (await listed()).get(symbol);
      if (match !== undefined) return match;
      throw new UpstreamError('symbolUnknown', `${options.rules.name} does not trade ${symbol}.`);
    },
  };
  /** One port call: an exchange failure becomes a value, a bug stays an exception. */
  async function respond<T>(signal: AbortSignal | undefined, work: (call: Call) => Promise<T>): Promise<Outcome<T>> {
    try {
      return ok(await transport.call(signal, work));
    } catch (error) {
      if (error instanceof UpstreamError) return rejectionOf(error, dialect.exchange);
      throw error;
    }
  }

  return {
    exchange: dialect.exchange,
    state: transport.state,
    clockOffset: transport.clockOffset,
    budgets: transport.budgets,
    limits: transport.limits,
    assume: transport.assume,
    close: async () => {
      for (const feed of feeds) feed.close();
      await transport.close();
    },
    symbols: (maxAgeMs) => respond(undefined, async () => listOf(await universe(maxAgeMs))),
    candles: (request) => respond(request.signal, (call) => readCandles(context, call, request)),
    turnovers: (signal) =>
      respond(signal, async () => knownTurnovers(await dialect.turnovers(transport), await listed(), rules.name)),
    feed(listener) {
      const feed = openFeed(options, () => respond(undefined, listed), listener);
      feeds.push(feed);
      return feed;
    },
    tops: (signal) => respond(signal, async () => readTops(context, await listed())),
    orderBook: (symbol, signal) => respond(signal, () => readBook(context, symbol)),
    prices: (signal) => respond(signal, async () => readPrices(context, await listed())),
    funding: (symbol, signal): Promise<Outcome<FundingRate>> => respond(signal, () => readFunding(context, symbol)),
    tiers: (symbol, signal) => respond(signal, () => readTiers(context, symbol)),
    openInterest: (symbol, signal) => respond(signal, () => readOpenInterest(context, symbol)),
    openInterestSeries: (request, signal) => respond(signal, () => readOpenInterestSeries(context, request)),
    longShortSeries: (request, signal) => respond(signal, () => readLongShortSeries(context, request)),
    fundingHistory: (request, signal) => respond(signal, () => readFundingHistory(context, request)),
  };
}

function openFeed(
  { rules, stream, streamOrigin, streamTimings, clock, transport }: VenueOptions,
  universe: ConstructorParameters<typeof StreamFeed>[0]['universe'],
  listener: FeedListener,
): StreamFeed {
  return new StreamFeed(
    {
      rules,
      dialect: stream,
      origin: streamOrigin ?? stream.liveOrigin,
      timings: { ...usualTimings, ...streamTimings },
      clock,
      guard: transport.guard,
      universe,
    },
    listener,
  );
}

/** The quotes of all listed symbols. @throws UpstreamError when none is usable */
async function readPrices(
  { rules, dialect, transport, clock }: VenueContext,
  universe: ReadonlyMap<string, Listed>,
): Promise<PriceQuote[]> {
  const symbols = new Map([...universe.values()].map(({ id, listing }) => [id, listing.symbol]));
  const nowMs = clock.now();
  const quotes: PriceQuote[] = [];
  for (const raw of await dialect.quotes(transport)) {
    const symbol = symbols.get(raw.id);
    const quote = symbol === undefined ? undefined : quoteOf(raw, symbol, nowMs);
    if (quote !== undefined) quotes.push(quote);
  }
  if (quotes.length === 0) throw new UpstreamError('unavailable', `${rules.name} sent no valid price.`);
  return quotes;
}

/** Turnovers of listed symbols, largest first. @throws UpstreamError when none is usable */
function knownTurnovers(
  rows: readonly { id: string; turnover: unknown }[],
  universe: ReadonlyMap<string, Listed>,
  name: string,
): Turnover[] {
  const symbols = new Map([...universe.values()].map(({ id, listing }) => [id, listing]));
  const matches = rows.flatMap(({ id, turnover }) => {
    const listing = symbols.get(id);
    const turnoverUsdt = Number(turnover);
    const isUsable = listing?.status === 'trading' && Number.isFinite(turnoverUsdt) && turnoverUsdt > 0;
    return isUsable ? [{ symbol: listing.symbol, turnoverUsdt }] : [];
  });
  if (matches.length === 0) throw new UpstreamError('unavailable', `${name} sent no valid turnover.`);
  return matches.sort((a, b) => b.turnoverUsdt - a.turnoverUsdt);
}
