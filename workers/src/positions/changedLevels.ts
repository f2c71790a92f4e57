import { STOP_SLIPPAGE } from '@sextant/engine-as/abi/costs.ts';
import { roundDown, roundUp } from './sizing.ts';

/**
 * Rules and figures for changing the levels of an open position. The server checks with them and the page previews with them, so that
 * they show the same.
 */

/** Prices in quote currency, money in USDT. */
export interface LevelTerms {
  side: 'LONG' | 'SHORT';
  entryPrice: number;
  qty: number;
  /** Charged so far. */
  fees: number;
  /** Paid so far; negative was received. */
  funding: number;
  /** Taker fee of the fill that closes it. */
  takerFeeFraction: number;
  /** Gross result of its partial closes; absent: none. */
  realised?: number;
}

const signOf = (side: LevelTerms['side']): 1 | -1 => (side === 'LONG' ? 1 : -1);

/** Net result of a fill at `fill`: fees of both sides and funding so far are deducted. */
function netAt(terms: LevelTerms, fill: number): number {
  const { side, entryPrice, qty, fees, funding, takerFeeFraction, realised = 0 } = terms;
  return realised + signOf(side) * (fill - entryPrice) * qty - fees - funding - takerFeeFraction * qty * fill;
}

/** Net result when the stop is hit, with its slippage; negative is a loss. */
export const netAtStop = (terms: LevelTerms, stop: number): number =>
  netAt(terms, stop * (1 - signOf(terms.side) * STOP_SLIPPAGE));

/** Net result when the target is hit at its level. */
export const netAtTarget = (terms: LevelTerms, target: number): number => netAt(terms, target);

/**
 * The stop at which nothing is lost: fees of both sides, slippage, funding so far and what parts lost are earned back. A gain of parts does
 * not move it beyond the entry. On the tick that loses nothing.
 */
export function breakEvenStop(terms: LevelTerms, tickSize: number): number {
  const { side, entryPrice, qty, fees, funding, takerFeeFraction, realised = 0 } = terms;
  const sign = signOf(side);
  const lost = fees + funding - Math.min(0, realised);
  const fill = (sign * entryPrice + lost / qty) / (sign - takerFeeFraction);
  return roundStop(side, fill / (1 - sign * STOP_SLIPPAGE), tickSize);
}

/** Levels are rounded towards the price, as at an opening: the stop of a long up, its target down. */
export const roundStop = (side: LevelTerms['side'], stop: number, tickSize: number): number =>
  side === 'LONG' ? roundUp(stop, tickSize) : roundDown(stop, tickSize);
export const roundTarget = (side: LevelTerms['side'], target: number, tickSize: number): number =>
  side === 'LONG' ? roundDown(target, tickSize) : roundUp(target, tickSize);

/** Price of a resting order on the tick: a limit never pays more than was typed, a stop entry is never due before it. Null: a market order. */
export function roundOrderPrice(
  { side, type, price }: { side: LevelTerms['side']; type: 'market' | 'limit' | 'stop'; price: number | null },
  tickSize: number,
): number | null {
  if (type === 'market' || price === null) return null;
  return (side === 'LONG') === (type === 'limit') ? roundDown(price, tickSize) : roundUp(price, tickSize);
}

export interface LevelBounds {
  side: 'LONG' | 'SHORT';
  /** Last price. */
  price: number;
  tickSize: number;
  liquidationPrice: number | null;
}

/** Why a level is rejected, with the sentence for its owner; null when it may be set. @param stop rounded to the tick */
export function rejectStop({ side, price, tickSize, liquidationPrice }: LevelBounds, stop: number): string | null {
  const sign = signOf(side);
  if (sign * stop >= sign * price) {
    const where = side === 'LONG' ? 'below' : 'above';
    return `A stop at ${stop} closes it at once: the price is ${price}. Set it ${where} ${price}, or close the position.`;
  }
  if (liquidationPrice !== null && sign * stop <= sign * liquidationPrice) {
    const next = nextTick(liquidationPrice, sign, tickSize);
    const limit = side === 'LONG' ? `${next} or higher` : `${next} or lower`;
    return `A stop at ${stop} lies beyond the liquidation price ${liquidationPrice}. Set ${limit}.`;
  }
  return stop > 0 ? null : 'The stop rounds to 0. Set a higher price.';
}

/** The same for a target, rounded to the tick. */
export function rejectTarget({ side, price }: Pick<LevelBounds, 'side' | 'price'>, target: number): string | null {
  const sign = signOf(side);
  if (sign * target > sign * price) return target > 0 ? null : 'The target rounds to 0. Set a higher price.';
  const where = side === 'LONG' ? 'above' : 'below';
  return `A target at ${target} closes it at once: the price is ${price}. Set it ${where} ${price}, or close the position.`;
}

/** Several targets, rounded to the tick: each beyond the one before it. */
export function rejectTargets(
  bounds: Pick<LevelBounds, 'side' | 'price'>,
  targets: readonly { price: number }[],
): string | null {
  const sign = signOf(bounds.side);
  for (const [i, { price }] of targets.entries()) {
    const why = rejectTarget(bounds, price);
    if (why !== null) return why;
    const before = targets[i - 1];
    if (before === undefined || sign * price > sign * before.price) continue;
    const where = bounds.side === 'LONG' ? 'above' : 'below';
    return `Target ${i + 1} at ${price} is not beyond target ${i} at ${before.price}. Set it ${where} ${before.price}.`;
  }
  return null;
}

/** The first tick beyond a price, seen from the loss. */
function nextTick(price: number, sign: 1 | -1, tickSize: number): number {
  if (!(tickSize > 0)) return price;
  const moved = price + sign * tickSize;
  return sign > 0 ? roundDown(moved, tickSize) : roundUp(moved, tickSize);
}
