import { MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import {
  addDecimals,
  type Decimal,
  divideDecimals,
  formatDecimal,
  multiplyDecimals,
  parseDecimal,
} from '../core/decimal.ts';
import type { BookCloseReason } from './bookTypes.ts';

/**
 * Splits the difference between the live result of a position and that of the lab. The lab's position is changed into the recorded one by
 * one substitution after the other; what a substitution changes in the net PnL belongs to its cause, so the parts sum to the difference.
 */

/** Causes in the order of their substitutions (docs/signals.md). `slippage` has two: the lab's own fill, and that of the record. */
export const reconcileCauses = ['revision', 'entry', 'slippage', 'mark', 'exit', 'size', 'fees', 'funding'] as const;
export type ReconcileCause = (typeof reconcileCauses)[number];

/** A simulated or recorded trade: one entry, one exit. Prices and quantity are f64, as the record stores them. */
export interface Trade {
  side: 'LONG' | 'SHORT';
  quantity: number;
  entryPrice: number;
  entryAtMs: number;
  exitPrice: number;
  exitAtMs: number;
}

/** Costs by the model (`null`) or as they were charged, USDT. */
export interface ChargedCosts {
  fees: string | null;
  funding: string | null;
}

export interface CostModel {
  takerFeeFraction: number;
  fundings: { time: Float64Array; rate: Float64Array };
  /** Price of a funding charge: the open of its minute. */
  candles: { time: Float64Array; open: Float64Array };
  /** Fee of a fill, USDT. */
  feeOf: (quantity: number, price: number, takerFeeFraction: number) => number;
}

/** A trade after a substitution, and the cause that the change is counted for; the first one is the lab's and has none. */
export interface Step {
  cause: ReconcileCause | null;
  trade: Trade;
  charged: ChargedCosts;
}

export interface Reconciliation {
  /** Net PnL, USDT, eight decimals, here and below. */
  labNet: string;
  liveNet: string;
  /** Live less lab. */
  difference: string;
  parts: Record<ReconcileCause, string>;
  /** Difference less all parts: anything but zero is a bug. */
  rest: string;
  lab: Trade & {
    /** Null: still open when the live position closed, and valued at the close of that minute. */
    reason: BookCloseReason | null;
  };
}

const MONEY = 8;
const zero = parseDecimal('0');
const one = parseDecimal('1');
const minusOne = parseDecimal('-1');
const decimalOf = (value: number): Decimal => parseDecimal(String(value));
/** Rounded half away from zero to the decimals of money, as the database rounds. */
const money = (value: Decimal): Decimal => parseDecimal(divideDecimals(value, one, MONEY));
const minus = (a: Decimal, b: Decimal): Decimal => addDecimals(a, multiplyDecimals(b, minusOne));
const productOf = (...factors: Decimal[]): Decimal => factors.reduce(multiplyDecimals, one);
const signOf = (side: Trade['side']): Decimal => (side === 'LONG' ? one : minusOne);
export const formatMoneyOf = (value: Decimal): string => formatDecimal(value, MONEY);

/** Gross result, as the generated column `pnl` of a position. */
function grossOf({ side, quantity, entryPrice, exitPrice }: Trade): Decimal {
  return money(productOf(minus(decimalOf(exitPrice), decimalOf(entryPrice)), signOf(side), decimalOf(quantity)));
}

/** Both fees, each rounded as it is charged. */
function feesOf({ quantity, entryPrice, exitPrice }: Trade, { takerFeeFraction, feeOf }: CostModel): Decimal {
  const fees = [entryPrice, exitPrice].map((price) =>
    parseDecimal(feeOf(quantity, price, takerFeeFraction).toFixed(MONEY)),
  );
  return fees.reduce(addDecimals, zero);
}

/** Each settlement between entry and exit, rounded as it is charged. */
function fundingOf({ side, quantity, entryAtMs, exitAtMs }: Trade, { fundings, candles }: CostModel): Decimal {
  let sum = zero;
  for (const [i, atMs] of fundings.time.entries()) {
    if (atMs <= entryAtMs || atMs >= exitAtMs) continue;
    const mark = candles.open[candles.time.indexOf(Math.floor(atMs / MINUTE_MS) * MINUTE_MS)];
    if (mark === undefined) continue;
    const rate = decimalOf(fundings.rate[i] ?? 0);
    sum = addDecimals(sum, money(productOf(signOf(side), decimalOf(quantity), decimalOf(mark), rate)));
  }
  return sum;
}

function netOf({ trade, charged }: Step, costs: CostModel): Decimal {
  const fees = charged.fees === null ? feesOf(trade, costs) : parseDecimal(charged.fees);
  const funding = charged.funding === null ? fundingOf(trade, costs) : parseDecimal(charged.funding);
  return minus(minus(grossOf(trade), fees), funding);
}

/**
 * @param steps the lab's trade, and the trade after each substitution
 * @param liveNet net PnL of the record, which is not derived from the steps
 */
export function splitDifference(
  steps: readonly Step[],
  costs: CostModel,
  liveNet: string,
): Omit<Reconciliation, 'lab'> {
  const [first, ...others] = steps;
  if (first === undefined) throw new Error('the first step is the trade of the lab');
  const labNet = netOf(first, costs);
  const sums = new Map<ReconcileCause, Decimal>(reconcileCauses.map((cause) => [cause, zero]));
  let before = labNet;
  for (const step of others) {
    const after = netOf(step, costs);
    if (step.cause !== null) sums.set(step.cause, addDecimals(sums.get(step.cause) ?? zero, minus(after, before)));
    before = after;
  }
  const difference = minus(parseDecimal(liveNet), labNet);
  const explained = [...sums.values()].reduce(addDecimals, zero);
  const parts = Object.fromEntries([...sums].map(([cause, sum]) => [cause, formatMoneyOf(sum)]));
  return {
    labNet: formatMoneyOf(labNet),
    liveNet: formatMoneyOf(parseDecimal(liveNet)),
    difference: formatMoneyOf(difference),
    parts: parts as Reconciliation['parts'],
    rest: formatMoneyOf(minus(difference, explained)),
  };
}

/** The cause with the largest part; null when none has changed the result. */
export function mainCauseOf(parts: Readonly<Record<ReconcileCause, string | number>>): ReconcileCause | null {
  let main: ReconcileCause | null = null;
  for (const cause of reconcileCauses) {
    const size = Math.abs(Number(parts[cause]));
    if (size > (main === null ? 0 : Math.abs(Number(parts[main])))) main = cause;
  }
  return main;
}
