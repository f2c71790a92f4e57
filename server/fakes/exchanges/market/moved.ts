import { levelOfInterval, levels } from './levels.ts';
import type { Candle, Market, Quote } from './seededMarket.ts';
import type { Listing, VenueId } from './venues.ts';

export interface PriceMove {
  /** Symbol of the main venue: BTCUSDT. */
  symbol: string;
  /** 1.01 is 1 % up; of the price as it would be without any move. */
  factor: number;
  /** On one venue only: the others keep their price. */
  venue?: VenueId | undefined;
}

export interface MovableMarket extends Market {
  /** From `atMs` on the symbol is listed but not traded: one price, no volume. */
  stop(symbol: string, atMs: number): void;
  /** From `atMs` on the symbol's price is `factor` times what it would have been, everywhere or on one venue. */
  move(move: PriceMove, atMs: number): void;
}

interface Step {
  atMs: number;
  factor: number;
  venue: VenueId | undefined;
}

const ticks = (price: number, factor: number): number => Math.max(1, Math.round(price * factor));

function stopped(market: Market, atMs: number | undefined, candles: Candle[], listing: Listing): Candle[] {
  if (atMs === undefined) return candles;
  const { last: price } = market.quote(listing, atMs);
  const still = { open: price, high: price, low: price, close: price, lots: 0 };
  return candles.map(({ openTimeMs, ...traded }) => ({ openTimeMs, ...(openTimeMs >= atMs ? still : traded) }));
}

/** A market whose prices a test can move: earlier prices are unchanged, so history that was read stays valid. */
export function createMovableMarket(market: Market): MovableMarket {
  const steps = new Map<string, Step[]>();
  const stops = new Map<string, number>();
  const stopOf = ({ instrument }: Listing): number | undefined => stops.get(instrument.ids.binance ?? '');
  const stepsOf = ({ instrument, venue }: Listing): readonly Step[] =>
    (steps.get(instrument.ids.binance ?? '') ?? []).filter((step) => step.venue === undefined || step.venue === venue);
  const factorAt = (own: readonly Step[], atMs: number): number =>
    own.findLast((step) => step.atMs <= atMs)?.factor ?? 1;

  function movedCandle(own: readonly Step[], candle: Candle, spanMs: number, nowMs: number): Candle {
    const endMs = Math.min(candle.openTimeMs + spanMs - 1, nowMs);
    const inside = own.filter(({ atMs }) => atMs > candle.openTimeMs && atMs <= endMs);
    const first = factorAt(own, candle.openTimeMs);
    const last = factorAt(own, endMs);
    const factors = [first, ...inside.map(({ factor }) => factor)];
    return {
      openTimeMs: candle.openTimeMs,
      lots: candle.lots,
      open: ticks(candle.open, first),
      high: ticks(candle.high, Math.max(...factors)),
      low: ticks(candle.low, Math.min(...factors)),
      close: ticks(candle.close, last),
    };
  }

  return {
    ...market,
    candles(listing, interval, fromMs, toMs, nowMs) {
      const candles = stopped(market, stopOf(listing), market.candles(listing, interval, fromMs, toMs, nowMs), listing);
      const own = stepsOf(listing);
      const spanMs = levels[levelOfInterval[interval] ?? 0]?.durationMs ?? 0;
      return own.length === 0 ? candles : candles.map((candle) => movedCandle(own, candle, spanMs, nowMs));
    },
    quote(listing, nowMs) {
      const quote = market.quote(listing, Math.min(nowMs, stopOf(listing) ?? nowMs));
      const factor = factorAt(stepsOf(listing), nowMs);
      if (factor === 1) return quote;
      const { last, bid, ask, mark, index } = quote;
      const moved: Quote = {
        last: ticks(last, factor),
        bid: ticks(bid, factor),
        ask: ticks(ask, factor),
        mark: mark * factor,
        index: index * factor,
      };
      return moved;
    },
    stop: (symbol, atMs) => void stops.set(symbol, atMs),
    move({ symbol, factor, venue }, atMs) {
      steps.set(symbol, [...(steps.get(symbol) ?? []), { atMs, factor, venue }]);
    },
  };
}
