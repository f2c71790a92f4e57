import { MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { STOP_SLIPPAGE } from '@sextant/engine-as/abi/costs.ts';
import { roundAgainst } from '../positions/sizing.ts';
import type { FillMarket, MarketFill } from '../positions/marketFill.ts';

/** An order that rests, as the watch needs it. Prices in quote currency. */
export interface RestingOrder {
  id: string;
  side: 'LONG' | 'SHORT';
  type: 'limit' | 'stop';
  price: number;
  /** 0: prices are not rounded. */
  tickSize: number;
  /** From when on it may fill: its creation or its last change, epoch ms. */
  activeFromMs: number;
  /** Null: it stays until it is filled or cancelled. */
  expiresAtMs: number | null;
  /** Counts its changes. */
  revision: number;
}

/** What a price or a candle does to an order of this revision. `atMs` is the moment it was known: the tick's, or the candle's close. */
export type OrderStep = { id: string; revision: number; atMs: number } & (
  | {
      kind: 'filled';
      price: number;
      role: 'maker' | 'taker';
      /** Where a stop was due, before its costs; null of a limit, which has none. */
      market: FillMarket | null;
      /** Open of the candle that fills it, epoch ms; null: a streamed price does. */
      candleMs: number | null;
    }
  | { kind: 'expired' }
);

const signOf = (side: RestingOrder['side']): 1 | -1 => (side === 'LONG' ? 1 : -1);

/** Where a stop entry fills when it is due at `price`: with slippage, on the tick that a buyer pays or a seller gets, as the engine opens. */
export const stopEntryFill = (side: RestingOrder['side'], price: number, tickSize: number): number =>
  roundAgainst(price * (1 + signOf(side) * STOP_SLIPPAGE), tickSize, signOf(side));

/** A price, or the prices of a candle. */
interface Span {
  first: number;
  low: number;
  high: number;
  /** Half of the distance between bid and ask; null: unknown, as in a candle. */
  halfSpread: number | null;
}

/**
 * Fill of an order between the worst and the best price for it, or null. A limit fills at its price once the price trades at least one
 * tick beyond it. A stop is due once it is touched, and is a market order then: it pays half the spread where it is known, and the slippage
 * of a stop; after a gap it fills at the price behind the gap.
 */
function fillBetween(
  order: RestingOrder,
  span: Span,
): (Omit<MarketFill, 'market'> & { market: FillMarket | null }) | null {
  const { side, type, price, tickSize } = order;
  const sign = signOf(side);
  if (type === 'limit') {
    const best = sign > 0 ? span.low : span.high;
    const beyond = sign * (price - best);
    // A billionth of a tick is noise of the subtraction; without a tick any price beyond it counts.
    return beyond > 0 && beyond >= tickSize * (1 - 1e-6) ? { price, market: null } : null;
  }
  const worst = sign > 0 ? span.high : span.low;
  if (sign * worst < sign * price) return null;
  const { first, halfSpread } = span;
  const due = sign * first > sign * price ? first : price;
  return {
    price: stopEntryFill(side, due + sign * (halfSpread ?? 0), tickSize),
    market: { price: due, halfSpread },
  };
}

const stepOf = (
  { id, revision, type }: RestingOrder,
  fill: ReturnType<typeof fillBetween>,
  { atMs, candleMs }: { atMs: number; candleMs: number | null },
): OrderStep | null =>
  fill === null
    ? null
    : { kind: 'filled', id, revision, atMs, ...fill, role: type === 'limit' ? 'maker' : 'taker', candleMs };

const expired = ({ id, revision }: RestingOrder, atMs: number): OrderStep => ({ kind: 'expired', id, revision, atMs });

/**
 * After this time past its expiry, ms, a price expires an order: no candle came that does. Longer than the watch lets prices run ahead of
 * candles.
 */
const EXPIRY_WAIT_MS = 2 * MINUTE_MS;

/**
 * A streamed price. Prices from before the order, or its last change, do nothing. From its expiry on prices fill nothing: the candle that
 * ends there may still fill it, and arrives after them.
 */
export function stepTick(
  order: RestingOrder,
  tick: { price: number; atMs: number; halfSpread?: number | null },
): OrderStep | null {
  const { price, atMs, halfSpread = null } = tick;
  if (atMs < order.activeFromMs) return null;
  const { expiresAtMs } = order;
  if (expiresAtMs !== null && atMs >= expiresAtMs)
    return atMs >= expiresAtMs + EXPIRY_WAIT_MS ? expired(order, expiresAtMs) : null;
  return stepOf(order, fillBetween(order, { first: price, low: price, high: price, halfSpread }), {
    atMs,
    candleMs: null,
  });
}

/**
 * A closed candle. It counts when it lies wholly between the order's start and its expiry: of a part of it the order is unknown, and prices
 * decide there. The first one that ends after the expiry expires the order.
 */
export function stepCandle(
  order: RestingOrder,
  bar: { timeMs: number; spanMs: number; open: number; high: number; low: number; volume: number },
): OrderStep | null {
  const endMs = bar.timeMs + bar.spanMs;
  const { activeFromMs, expiresAtMs } = order;
  if (expiresAtMs !== null && endMs > expiresAtMs) return expired(order, expiresAtMs);
  if (bar.timeMs < activeFromMs || !(bar.volume > 0)) return null;
  const fill = fillBetween(order, { first: bar.open, low: bar.low, high: bar.high, halfSpread: null });
  return stepOf(order, fill, { atMs: endMs, candleMs: bar.timeMs });
}

/** Open of the first candle that may fill an order. */
export const firstCandleMs = (activeFromMs: number): number => Math.ceil(activeFromMs / MINUTE_MS) * MINUTE_MS;
