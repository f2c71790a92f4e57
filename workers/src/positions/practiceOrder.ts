import { TARGETS_MAX } from '../core/limits.ts';
import type { BookTarget } from './partialClose.ts';

/** An order of a bar replay. Prices in quote currency. */
export interface PracticeOrder {
  side: 'LONG' | 'SHORT';
  type: 'market' | 'limit' | 'stop';
  /** USDT, without leverage. */
  notional: number;
  /** Of a limit or a stop entry; null for a market order. */
  price: number | null;
  /** Null: none. */
  stopPrice: number | null;
  /** Nearest first, at most TARGETS_MAX, whose fractions sum to 1; empty: none. */
  targets: readonly BookTarget[];
}

/** `account`: a position or an order holds it. */
export type PracticeField = 'account' | 'notional' | 'price' | 'stop' | 'targets';
export interface PracticeProblem {
  field: PracticeField;
  /** What is wrong and the fix, for the screen. */
  message: string;
}

/** Shares may miss 1 by the noise of their sum. */
const SHARE_NOISE = 1e-9;

/**
 * Why an order cannot be placed; null when it can.
 * @param last close of the last candle
 * @param equity USDT of the account: without leverage it is the largest notional
 */
export function checkPracticeOrder(order: PracticeOrder, last: number, equity: number): PracticeProblem | null {
  const { side, type, notional, price, stopPrice, targets } = order;
  const sign = side === 'LONG' ? 1 : -1;
  const entry = type === 'market' || price === null ? last : price;
  return (
    checkNotional(notional, equity) ??
    (type === 'market' ? null : checkPrice(price, last, sign > 0 === (type === 'limit'))) ??
    checkStop(stopPrice, entry, sign) ??
    checkTargets(targets, entry, sign)
  );
}

function checkNotional(notional: number, equity: number): PracticeProblem | null {
  if (!(notional > 0)) return { field: 'notional', message: 'Enter a notional above 0 USDT.' };
  if (notional <= equity) return null;
  return { field: 'notional', message: `Lower the notional: the account has ${Math.floor(equity)} USDT.` };
}

/** @param isBelow the order rests below the market */
function checkPrice(price: number | null, last: number, isBelow: boolean): PracticeProblem | null {
  if (price === null || !(price > 0)) return { field: 'price', message: 'Enter a price above 0.' };
  if (isBelow ? price < last : price > last) return null;
  const word = isBelow ? 'below' : 'above';
  return { field: 'price', message: `Set the price ${word} the last close: it would fill at once.` };
}

function checkStop(stop: number | null, entry: number, sign: 1 | -1): PracticeProblem | null {
  if (stop === null || (stop > 0 && sign * (entry - stop) > 0)) return null;
  return { field: 'stop', message: `Set the stop ${sign > 0 ? 'below' : 'above'} the entry.` };
}

function checkTargets(targets: PracticeOrder['targets'], entry: number, sign: 1 | -1): PracticeProblem | null {
  const problem = (message: string): PracticeProblem => ({ field: 'targets', message });
  if (targets.length > TARGETS_MAX) return problem(`Use at most ${TARGETS_MAX} targets.`);
  let before = entry;
  for (const { price, fraction } of targets) {
    if (!(price > 0 && sign * (price - before) > 0))
      return problem(`Set each target further ${sign > 0 ? 'above' : 'below'} the entry than the one before.`);
    if (!(fraction > 0)) return problem('Lower the shares: each target must close some of the position.');
    before = price;
  }
  const sum = targets.reduce((total, { fraction }) => total + fraction, 0);
  return targets.length === 0 || Math.abs(sum - 1) <= SHARE_NOISE ? null : problem('Make the shares sum to 100 %.');
}
