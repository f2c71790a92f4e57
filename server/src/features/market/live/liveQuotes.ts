import type { ExchangeId, LiveQuote, TopQuote } from '../port.ts';

export interface LiveQuotes {
  take: (exchange: ExchangeId, quote: LiveQuote) => void;
  read: (exchange: ExchangeId, symbol: string, maxAgeMs: number) => LiveQuote | null;
  /** Best prices by the timestamp of both sides; null when one is unknown, they are crossed, or they are older than `maxAgeMs`. */
  readTop: (exchange: ExchangeId, symbol: string, maxAgeMs: number) => TopQuote | null;
  onPrice: (listener: (exchange: ExchangeId, quote: LiveQuote) => void) => () => void;
}

/** The last streamed quote of each symbol, with listeners for new ones. */
export function createLiveQuotes(now: () => number, steadyNow = (): number => performance.now()): LiveQuotes {
  const cache = new Map<string, { quote: LiveQuote; takenMs: number }>();
  const listeners = new Set<(exchange: ExchangeId, quote: LiveQuote) => void>();
  return {
    take(exchange, quote) {
      cache.set(`${exchange} ${quote.symbol}`, { quote, takenMs: steadyNow() });
      for (const listener of listeners) listener(exchange, quote);
    },
    read(exchange, symbol, maxAgeMs) {
      const match = cache.get(`${exchange} ${symbol}`);
      if (match === undefined) return null;
      const { quote, takenMs } = match;
      // By the exchange's timestamp, so that a repeated quote does not look newer, and by a monotonic clock: if the system clock steps
      // back, old quotes would otherwise look recent.
      return Math.max(now() - quote.atMs, steadyNow() - takenMs) <= maxAgeMs ? quote : null;
    },
    readTop(exchange, symbol, maxAgeMs) {
      const match = cache.get(`${exchange} ${symbol}`);
      if (match === undefined) return null;
      const {
        bid,
        ask,
        bookAtMs: atMs,
        receivedAtMs,
        fundingRate,
        nextFundingAtMs,
        fundingIntervalHours,
      } = match.quote;
      if (bid === null || ask === null || atMs === null || bid >= ask) return null;
      if (Math.max(now() - atMs, steadyNow() - match.takenMs) > maxAgeMs) return null;
      const funding = { fundingRate, nextFundingAtMs, fundingIntervalHours };
      return { symbol, bid, ask, atMs, receivedAtMs, source: 'stream', ...funding };
    },
    onPrice(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
