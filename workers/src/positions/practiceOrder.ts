import { TARGETS_MAX } from '../core/limits.ts';
import { roundOrderPrice, roundStop, roundTarget } from './changedLevels.ts';
import type { BookTarget } from './partialClose.ts';
import { type SizingMarket, sizePosition } from './sizing.ts';

/** An order of a bar replay. Prices in quote currency. */
export interface PracticeOrder {
  side: 'LONG' | 'SHORT';
  type: 'market' | 'limit' | 'stop';
  /** USDT; the margin is this over the leverage. */
  notional: number;
  leverage: number;
  /** Price of a limit or a stop entry; null for a market order. */
  price: number | null;
  /** Null: none. */
  stopPrice: number | null;
  /** Nearest first, at most TARGETS_MAX, whose fractions sum to 1; empty: none. */
  targets: readonly BookTarget[];
}

/** `account`: a position or an order holds it. */
export type PracticeField = 'account' | 'notional' | 'leverage' | 'price' | 'stop' | 'targets';
export interface PracticeProblem {
  field: PracticeField;
  /** What is wrong and the fix, for the screen. */
  message: string;
}

/** Shares may miss 1 by the noise of their sum. */
const SHARE_NOISE = 1e-9;

/** What an order is checked against. */
export interface PracticeTerms {
  /** Close of the last candle. */
  last: number;
  /** USDT of the account. */
  equity: number;
  /** Rules of the contract for the notional of the order. */
  market: SizingMarket;
  takerFeeFraction: number;
}

/** The order on the ticks of its contract, as an order of the desk is placed. */
export function onTicks(order: PracticeOrder, tickSize: number): PracticeOrder {
  const { side, stopPrice, targets } = order;
  return {
    ...order,
    price: roundOrderPrice(order, tickSize),
    stopPrice: stopPrice === null ? null : roundStop(side, stopPrice, tickSize),
    targets: targets.map((target) => ({ ...target, price: roundTarget(side, target.price, tickSize) })),
  };
}

/** Why an order cannot be placed; null when it can. */
export function checkPracticeOrder(order: PracticeOrder, terms: PracticeTerms): PracticeProblem | null {
  const { side, type, price, stopPrice, targets } = onTicks(order, terms.market.tickSize);
  const { last } = terms;
  const sign = side === 'LONG' ? 1 : -1;
  const entry = price ?? last;
  return (
    checkSize(order, entry, terms) ??
    (type === 'market' ? null : checkPrice(price, last, sign > 0 === (type === 'limit'))) ??
    checkStop(stopPrice, entry, sign) ??
    checkTargets(targets, entry, sign)
  );
}

/** Size and leverage, by the function that sizes positions. */
function checkSize(
  { side, notional, leverage }: PracticeOrder,
  entry: number,
  { equity, market, takerFeeFraction }: PracticeTerms,
): PracticeProblem | null {
  const { maxLeverage, maxQuantity, minNotional } = market;
  const problem = (message: string): PracticeProblem => ({ field: 'notional', message });
  if (!(notional > 0)) return problem('Enter a notional above 0 USDT.');
  if (!(leverage >= 1 && Number.isInteger(leverage)))
    return { field: 'leverage', message: 'Enter a whole leverage of 1 or more.' };
  if (maxLeverage !== null && maxLeverage < 1)
    return problem('Lower the notional: the exchange has no tier for this size.');
  if (maxLeverage !== null && leverage > maxLeverage)
    return { field: 'leverage', message: `Lower the leverage: at most ${maxLeverage}x at this size.` };
  // The size does not follow from a stop here.
  const account = { mode: 'fixed', balanceUsdt: equity, riskFraction: 0, baseUsdt: equity, freeUsdt: equity } as const;
  const sized = { side, price: entry, stopPrice: entry, leverage, aiMultiplier: 1, quantity: notional / entry };
  const size = sizePosition(account, market, sized, { takerFeeFraction, stopSlippageFraction: 0 });
  if (size.isReduced || size.refusal?.detail === 'margin_full')
    return problem(`Lower the notional: the account has ${Math.floor(equity)} USDT for margin and fee.`);
  if (size.isLargestOrder) return problem(`Lower the notional: the exchange takes at most ${maxQuantity} an order.`);
  if (size.refusal?.detail === 'min_notional')
    return problem(`Raise the notional: the exchange takes at least ${minNotional} USDT.`);
  return size.refusal === null ? null : problem('Raise the notional: it is less than one step of the contract.');
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
