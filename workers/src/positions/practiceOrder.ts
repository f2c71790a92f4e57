import type { PracticeOrder } from '../protocol/practice.ts';

/** `account`: a position or an order holds it. */
export type PracticeField = 'account' | 'notional' | 'price' | 'stop' | 'targets';
export interface PracticeProblem {
  field: PracticeField;
  /** What is wrong and the fix, for the screen. */
  message: string;
}

export const PRACTICE_TARGETS_MAX = 3;

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
  if (!(notional > 0)) return { field: 'notional', message: 'Enter a notional above 0 USDT.' };
  if (notional > equity)
    return { field: 'notional', message: `Lower the notional: the account has ${Math.floor(equity)} USDT.` };
  if (type !== 'market' && !(price !== null && price > 0)) return { field: 'price', message: 'Enter a price above 0.' };
  const entry = type === 'market' || price === null ? last : price;
  const isBelow = sign > 0 === (type === 'limit');
  const word = isBelow ? 'below' : 'above';
  if (type !== 'market' && (isBelow ? entry >= last : entry <= last))
    return { field: 'price', message: `Set the price ${word} the last close: it would fill at once.` };
  if (stopPrice !== null && !(stopPrice > 0 && sign * (entry - stopPrice) > 0))
    return { field: 'stop', message: `Set the stop ${sign > 0 ? 'below' : 'above'} the entry.` };
  return checkTargets(targets, entry, sign);
}

function checkTargets(targets: PracticeOrder['targets'], entry: number, sign: 1 | -1): PracticeProblem | null {
  const problem = (message: string): PracticeProblem => ({ field: 'targets', message });
  if (targets.length > PRACTICE_TARGETS_MAX) return problem(`Use at most ${PRACTICE_TARGETS_MAX} targets.`);
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
