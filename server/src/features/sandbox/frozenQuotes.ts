import { SANDBOX_MS } from '@sextant/workers/src/core/apiAccess.ts';
import type { FrozenVenue } from './frozenData.ts';
import { moveUntil } from './laterCandles.ts';

const HOUR_MS = 3_600_000;
const usualFundingHours = 8;

/** The next of funding times that repeat each `hours`, after `nowMs`. */
function nextFundingMs(firstMs: number, hours: number | null, nowMs: number): number {
  const period = (hours ?? usualFundingHours) * HOUR_MS;
  return firstMs > nowMs ? firstMs : firstMs + (Math.floor((nowMs - firstMs) / period) + 1) * period;
}

type Quotes = Pick<FrozenVenue, 'prices' | 'tops' | 'books' | 'funding'>;

/**
 * Quotes of an exchange at a time: the bundled ones, each price moved by as much as the symbol's candles, in whole ticks, so that the
 * differences between exchanges stay. At the start they are the bundled ones themselves.
 */
export function quotesAt(venue: FrozenVenue, nowMs: number): Quotes {
  if (nowMs === SANDBOX_MS) return venue;
  const passedMs = nowMs - SANDBOX_MS;
  const ticks = new Map(venue.symbols.map(({ symbol, tickSize }) => [symbol, tickSize]));
  const mover = (symbol: string): ((price: number) => number) => {
    const tick = ticks.get(symbol) ?? 1;
    const decimals = Math.max(0, Math.round(-Math.log10(tick)));
    const steps = Math.round(moveUntil(symbol, nowMs) / tick) * tick;
    // Marks have digits beyond a tick, which a sum must not lengthen.
    return (price) => Number((price + steps).toFixed(decimals + 4));
  };
  const moveOrNull = (symbol: string, price: number | null) => (price === null ? null : mover(symbol)(price));
  return {
    prices: venue.prices.map((quote) => ({
      ...quote,
      last: mover(quote.symbol)(quote.last),
      bid: moveOrNull(quote.symbol, quote.bid),
      ask: moveOrNull(quote.symbol, quote.ask),
      mark: moveOrNull(quote.symbol, quote.mark),
      atMs: quote.atMs + passedMs,
    })),
    tops: venue.tops.map((top) => ({
      ...top,
      bid: mover(top.symbol)(top.bid),
      ask: mover(top.symbol)(top.ask),
      atMs: top.atMs + passedMs,
      receivedAtMs: top.receivedAtMs + passedMs,
      nextFundingAtMs:
        top.nextFundingAtMs === null ? null : nextFundingMs(top.nextFundingAtMs, top.fundingIntervalHours, nowMs),
    })),
    books: Object.fromEntries(
      Object.entries(venue.books).map(([symbol, book]) => {
        const move = mover(symbol);
        const side = (levels: typeof book.bids) => levels.map(([price, quantity]) => [move(price), quantity] as const);
        const atMs = book.atMs === null ? null : book.atMs + passedMs;
        return [symbol, { ...book, bids: side(book.bids), asks: side(book.asks), atMs }];
      }),
    ),
    funding: Object.fromEntries(
      Object.entries(venue.funding).map(([symbol, rate]) => [
        symbol,
        { ...rate, nextFundingAtMs: nextFundingMs(rate.nextFundingAtMs, rate.intervalHours, nowMs) },
      ]),
    ),
  };
}

/** Fundings until `nowMs`, oldest first: after the bundled ones their rates repeat. */
export function fundingHistoryAt(
  { time, rate }: { time: number[]; rate: number[] },
  nowMs: number,
): { time: number; rate: number }[] {
  const rows = time.map((at, i) => ({ time: at, rate: rate[i] ?? 0 }));
  const [last, before] = [rows.at(-1)?.time, rows.at(-2)?.time];
  if (last === undefined || before === undefined) return rows;
  for (let i = 0, at = 2 * last - before; at <= nowMs && nowMs > SANDBOX_MS; i++, at += last - before)
    rows.push({ time: at, rate: rate[i % rate.length] ?? 0 });
  return rows;
}
