import { MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { STOP_SLIPPAGE } from '@sextant/engine-as/abi/costs.ts';
import { roundAgainst } from '../positions/sizing.ts';

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
      /** Open of the candle that fills it, epoch ms; null: a streamed price does. */
      candleMs: number | null;
    }
  | { kind: 'expired' }
);

const signOf = (side: RestingOrder['side']): 1 | -1 => (side === 'LONG' ? 1 : -1);

/** Where a stop entry fills when it is due at `price`: with slippage, on the tick that a buyer pays or a seller gets, as the engine opens. */
export const stopEntryFill = (side: RestingOrder['side'], price: number, tickSize: number): number =>
  roundAgainst(price * (1 + signOf(side) * STOP_SLIPPAGE), tickSize, signOf(side));

/**
 * Fill price of an order between the worst and the best price for it, or null. A limit fills at its price once the price trades at least
 * one tick beyond it. A stop is due once it is touched; after a gap it fills at the price behind the gap.
 * @param first the first price of the span
 */
function fillBetween(order: RestingOrder, span: { first: number; low: number; high: number }): number | null {
  const { side, type, price, tickSize } = order;
  const sign = signOf(side);
  if (type === 'limit') {
    const best = sign > 0 ? span.low : span.high;
    const beyond = sign * (price - best);
    // A billionth of a tick is noise of the subtraction; without a tick any price beyond it counts.
    return beyond > 0 && beyond >= tickSize * (1 - 1e-6) ? price : null;
  }
  const worst = sign > 0 ? span.high : span.low;
  if (sign * worst < sign * price) return null;
  const isGap = sign * span.first > sign * price;
  return stopEntryFill(side, isGap ? span.first : price, tickSize);
}

const stepOf = (
  { id, revision, type }: RestingOrder,
  price: number | null,
  { atMs, candleMs }: { atMs: number; candleMs: number | null },
): OrderStep | null =>
  price === null
    ? null
    : { kind: 'filled', id, revision, atMs, price, role: type === 'limit' ? 'maker' : 'taker', candleMs };

const expired = ({ id, revision }: RestingOrder, atMs: number): OrderStep => ({ kind: 'expired', id, revision, atMs });

/** A streamed price. Prices from before the order, or its last change, do nothing. */
export function stepTick(order: RestingOrder, tick: { price: number; atMs: number }): OrderStep | null {
  const { price, atMs } = tick;
  if (atMs < order.activeFromMs) return null;
  if (order.expiresAtMs !== null && atMs >= order.expiresAtMs) return expired(order, atMs);
  return stepOf(order, fillBetween(order, { first: price, low: price, high: price }), { atMs, candleMs: null });
}

/**
 * A closed candle. It counts when it lies wholly between the order's start and its expiry: of a part of it the order is unknown, and prices
 * decide there.
 */
export function stepCandle(
  order: RestingOrder,
  bar: { timeMs: number; spanMs: number; open: number; high: number; low: number; volume: number },
): OrderStep | null {
  const endMs = bar.timeMs + bar.spanMs;
  const { activeFromMs, expiresAtMs } = order;
  if (expiresAtMs !== null && endMs > expiresAtMs) return expired(order, expiresAtMs);
  if (bar.timeMs < activeFromMs || !(bar.volume > 0)) return null;
  const price = fillBetween(order, { first: bar.open, low: bar.low, high: bar.high });
  return stepOf(order, price, { atMs: endMs, candleMs: bar.timeMs });
}

/** Open of the first candle that may fill an order. */
export const firstCandleMs = (activeFromMs: number): number => Math.ceil(activeFromMs / MINUTE_MS) * MINUTE_MS;
