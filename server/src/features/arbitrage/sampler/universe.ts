import { setTimeout as pause } from 'node:timers/promises';
import type { ExchangeId, Market, TopQuote } from '../../market/port.ts';
import { inBackground } from '../../../platform/readPriority.ts';
import { type Contracts, EXCHANGES, findPriceOutliers, tableOf } from '../sameContract.ts';
import { type CoinQuote, middleOf, perCoin } from '../spreads.ts';
import { COINS_MAX } from './limits.ts';

/** An older quote is not valid for this second. */
const SAMPLE_AGE_MS = 2500;
/** An older streamed quote is fetched again: one request for all symbols of the exchange. */
const STREAM_AGE_MS = 1200;
/** A response that takes longer than this many ms counts for the next second. */
const PATIENCE_MS = 400;
/** Symbols streamed within this time belong to the universe. */
const STREAMED_AGE_MS = 15_000;

export type CoinQuotes = Map<string, Partial<Record<ExchangeId, CoinQuote>>>;

/** Contracts of coins that at least two exchanges trade. Exchanges with an unknown symbol list are left out. */
export async function readContracts(market: Pick<Market, 'symbols'>): Promise<Map<string, Contracts>> {
  const lists = await Promise.all(
    EXCHANGES.map(async (exchange) => ({ exchange, found: await market.symbols({ exchange }) })),
  );
  const { byCoin } = tableOf(
    Object.fromEntries(
      lists.flatMap(({ exchange, found }) =>
        found.ok ? [[exchange, found.value.value.filter(({ status }) => status === 'trading')]] : [],
      ),
    ),
  );
  return new Map([...byCoin].filter(([, contracts]) => Object.keys(contracts).length >= 2));
}

/** Streamed quotes of all coins, from memory. */
function streamedQuotes(
  market: Pick<Market, 'readTop'>,
  contracts: ReadonlyMap<string, Contracts>,
  maxAgeMs: number,
): CoinQuotes {
  return quotesOf(contracts, (exchange, symbol) => market.readTop({ exchange, symbol, maxAgeMs }));
}

function quotesOf(
  contracts: ReadonlyMap<string, Contracts>,
  top: (exchange: ExchangeId, symbol: string) => TopQuote | null,
): CoinQuotes {
  const quotes: CoinQuotes = new Map();
  for (const [coin, result] of contracts) {
    const known: Partial<Record<ExchangeId, CoinQuote>> = {};
    let count = 0;
    for (const exchange of EXCHANGES) {
      const contract = result[exchange];
      const quote = contract === undefined ? null : top(exchange, contract.listing.symbol);
      if (contract === undefined || quote === null) continue;
      known[exchange] = perCoin(quote, contract);
      count += 1;
    }
    if (count >= 2) quotes.set(coin, known);
  }
  return quotes;
}

/** Coins that two exchanges stream, with recent quotes: for funding rates, which change slowly. */
export async function readUniverse(market: Pick<Market, 'symbols' | 'readTop'>): Promise<CoinQuotes> {
  return streamedQuotes(market, await readContracts(market), STREAMED_AGE_MS);
}

export interface QuoteReader {
  /** Selects the coins again: those that two exchanges stream, and those in `also`. */
  renew: (also: ReadonlySet<string>) => Promise<void>;
  /** Quotes of this second. A slow exchange is left out until its response arrives. */
  read: () => Promise<CoinQuotes>;
}

/**
 * Quotes of the universe second by second. Streamed quotes come from memory. Binance pushes the best prices of all symbols only every
 * five seconds, so they are also polled: one request of weight 5 a second, of 2,400 a minute.
 */
export function createQuoteReader(
  market: Pick<Market, 'symbols' | 'tops' | 'readTop'>,
  now: () => number,
  warn: (error: unknown) => void,
  patienceMs = PATIENCE_MS,
): QuoteReader {
  let contracts: ReadonlyMap<string, Contracts> = new Map();
  const latest: Partial<Record<ExchangeId, { tops: ReadonlyMap<string, TopQuote>; steadyMs: number }>> = {};
  const running = new Map<ExchangeId, Promise<void>>();

  async function request(exchange: ExchangeId): Promise<void> {
    const symbols = [...contracts.values()].flatMap((result) => result[exchange]?.listing.symbol ?? []);
    if (symbols.length === 0) return;
    const tops = await inBackground(() => market.tops({ exchange, symbols, streamAgeMs: STREAM_AGE_MS }));
    if (!tops.ok) return;
    latest[exchange] = { tops: new Map(tops.value.map((top) => [top.symbol, top])), steadyMs: performance.now() };
  }

  return {
    async renew(also) {
      const all = await readContracts(market);
      const streamed = streamedQuotes(market, all, STREAMED_AGE_MS);
      const coins = [...new Set([...also, ...streamed.keys()])].slice(0, COINS_MAX);
      contracts = new Map(
        coins.flatMap((coin): [string, Contracts][] => {
          const match = all.get(coin);
          return match === undefined ? [] : [[coin, match]];
        }),
      );
    },
    async read() {
      for (const exchange of EXCHANGES) {
        if (running.has(exchange)) continue;
        const response = request(exchange)
          .catch(warn)
          .finally(() => running.delete(exchange));
        running.set(exchange, response);
      }
      const patience = new AbortController();
      const late = pause(patienceMs, undefined, { signal: patience.signal }).catch(() => undefined);
      await Promise.race([Promise.all(running.values()), late]);
      patience.abort();
      const nowMs = now();
      const quotes = quotesOf(contracts, (exchange, symbol) => {
        const response = latest[exchange];
        const top = response?.tops.get(symbol);
        if (response === undefined || top === undefined) return null;
        // Compared by the exchange's timestamp and a monotonic clock: the system clock may step back.
        const ageMs = Math.max(nowMs - top.atMs, performance.now() - response.steadyMs);
        return ageMs <= SAMPLE_AGE_MS ? top : null;
      });
      return withoutStrangers(quotes);
    },
  };
}

/** Removes prices of a different coin with the same name. */
function withoutStrangers(quotes: CoinQuotes): CoinQuotes {
  for (const [coin, result] of quotes) {
    const known = Object.values(result);
    const strange = findPriceOutliers(Object.fromEntries(known.map((quote) => [quote.exchange, middleOf(quote)])));
    if (strange.length === 0) continue;
    const rest = known.filter(({ exchange }) => !strange.includes(exchange));
    quotes.set(coin, Object.fromEntries(rest.map((quote) => [quote.exchange, quote])));
  }
  return quotes;
}
