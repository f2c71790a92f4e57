import type { z } from 'zod';
import type { MarketMode } from '../../config.ts';
import { quoteRow, sourceOf } from '../market/responses.ts';
import type { PriceBatchResponse } from '../market/contract.ts';
import type { Market, PriceQuote, Prices } from '../market/port.ts';

export type PriceBatch = z.input<typeof PriceBatchResponse>;

export interface PriceWatcher {
  symbols: ReadonlySet<string>;
  /** Whether it accepts data now; a slow client gets only the latest prices later. */
  isReady: () => boolean;
  send: (batch: PriceBatch) => void;
}

export interface PriceFeed {
  /** Sends prices until the returned function is called. */
  add: (watcher: PriceWatcher) => () => void;
  /** One round: fetches the prices and sends each client its changes. */
  round: () => Promise<void>;
  /** Starts a round without waiting for its end. */
  poll: () => void;
}

export interface PriceFeedOptions {
  market: Pick<Market, 'prices'>;
  mode: MarketMode;
  now?: () => number;
  /** Milliseconds between rounds while a client watches; 0 leaves the rounds to the caller. */
  everyMs?: number;
  /** Called when a round fails unexpectedly; the next round tries again. */
  onError?: (error: unknown) => void;
}

interface Seen {
  fetchedAtMs: number;
  /** Last price, bid and ask as they were sent: results of closing depend on all three. */
  sentBySymbol: Map<string, string>;
}

const pricesOf = ({ last, bid, ask }: PriceQuote): string => `${last} ${bid} ${ask}`;

/** The watched prices, or undefined when none are available. */
async function readWatched(
  market: Pick<Market, 'prices'>,
  watchers: Iterable<PriceWatcher>,
): Promise<Prices | undefined> {
  const wanted = new Set([...watchers].flatMap(({ symbols }) => [...symbols]));
  if (wanted.size === 0) return undefined;
  const prices = await market.prices({ symbols: [...wanted] });
  // A failure is not an event: the page sees the age of its prices grow, then requests them and gets the reason.
  return prices.ok && prices.value.value.length > 0 ? prices.value : undefined;
}

/** Prices of all watched symbols, read once for all watchers. */
export function createPriceFeed({
  market,
  mode,
  now = Date.now,
  everyMs = 1000,
  onError,
}: PriceFeedOptions): PriceFeed {
  const seenBy = new Map<PriceWatcher, Seen>();
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;

  function send(result: Prices): void {
    for (const [watcher, seen] of seenBy) {
      if (result.fetchedAtMs === seen.fetchedAtMs || !watcher.isReady()) continue;
      const changed = result.value.filter(
        (quote) => watcher.symbols.has(quote.symbol) && seen.sentBySymbol.get(quote.symbol) !== pricesOf(quote),
      );
      for (const quote of changed) seen.sentBySymbol.set(quote.symbol, pricesOf(quote));
      seen.fetchedAtMs = result.fetchedAtMs;
      const missing = result.missing.filter(({ symbol }) => watcher.symbols.has(symbol));
      // Sent again when it returns, even with the same price.
      for (const { symbol } of missing) seen.sentBySymbol.delete(symbol);
      // Also sent without a change, to confirm that the prices are current.
      watcher.send({ ...sourceOf(result, { market: mode, nowMs: now() }), prices: changed.map(quoteRow), missing });
    }
  }

  async function round(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    try {
      const match = await readWatched(market, seenBy.keys());
      if (match !== undefined) send(match);
    } finally {
      isRunning = false;
    }
  }

  const poll = (): void => {
    round().catch((error: unknown) => onError?.(error));
  };

  return {
    add: (watcher) => {
      if (watcher.symbols.size === 0) return () => undefined;
      seenBy.set(watcher, { fetchedAtMs: -1, sentBySymbol: new Map() });
      if (everyMs > 0) timer ??= setInterval(poll, everyMs).unref();
      return () => {
        seenBy.delete(watcher);
        if (seenBy.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    round,
    poll,
  };
}
