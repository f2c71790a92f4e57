import type { ExchangeId, LiveQuote } from '../port.ts';

export interface LiveQuotes {
  take: (exchange: ExchangeId, quote: LiveQuote) => void;
  read: (exchange: ExchangeId, symbol: string, maxAgeMs: number) => LiveQuote | null;
  onPrice: (listener: (exchange: ExchangeId, quote: LiveQuote) => void) => () => void;
}

/** The last streamed quote of each symbol, and those who want to hear of each. */
export function createLiveQuotes(now: () => number): LiveQuotes {
  const kept = new Map<string, LiveQuote>();
  const listeners = new Set<(exchange: ExchangeId, quote: LiveQuote) => void>();
  return {
    take(exchange, quote) {
      kept.set(`${exchange} ${quote.symbol}`, quote);
      for (const listener of listeners) listener(exchange, quote);
    },
    read(exchange, symbol, maxAgeMs) {
      const quote = kept.get(`${exchange} ${symbol}`);
      // By the exchange's stamp: a quote that was repeated is not younger for it.
      return quote !== undefined && now() - quote.atMs <= maxAgeMs ? quote : null;
    },
    onPrice(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
