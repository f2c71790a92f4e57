import type { Costs, Trade } from './backtest.ts';

/** Share of a quantity that is rounding noise. */
const NOISE = 1e-9;
/** Smallest step of a size by risk, as for live positions. */
const RISK_STEP = 0.0001;

/** How a run sizes its positions; the two of a plain backtest are both false. */
export interface Sizing {
  isByRisk: boolean;
  isCompounding: boolean;
}

export interface CutSizes {
  /** Trades that are smaller than the settings say. */
  count: number;
  /** Entry of the first of them, epoch ms. */
  fromMs: number;
}

/**
 * Trades that the account's equity made smaller than the settings say. null: none. The account before a trade is the start equity and the
 * net PnL of the trades before it, because one position is open at a time.
 */
export function findCutSizes(
  trades: readonly Pick<Trade, 'entryPrice' | 'entryTimeMs' | 'quantity' | 'netPnl'>[],
  costs: Pick<Costs, 'initialEquity' | 'notional' | 'leverage' | 'takerFeeFraction' | 'stepSize' | 'maxQuantity'>,
  { isByRisk, isCompounding }: Sizing,
): CutSizes | null {
  const step = Math.max(costs.stepSize ?? 0, isByRisk ? RISK_STEP : 0);
  let equity = costs.initialEquity;
  let count = 0;
  let fromMs = 0;
  for (const { entryPrice, entryTimeMs, quantity, netPnl } of trades) {
    const fitting = equity / (entryPrice * (1 / costs.leverage + costs.takerFeeFraction));
    const set = (costs.notional * (isCompounding ? equity / costs.initialEquity : 1)) / entryPrice;
    const full = Math.min(set, largestOrder(costs));
    const noise = NOISE * quantity;
    const isAtBound = fitting - quantity < step + noise;
    if (isAtBound && full - quantity > step + noise) {
      if (count === 0) fromMs = entryTimeMs;
      count += 1;
    }
    equity += netPnl;
  }
  return count === 0 ? null : { count, fromMs };
}

const largestOrder = ({ maxQuantity = 0 }: Pick<Costs, 'maxQuantity'>): number =>
  maxQuantity > 0 ? maxQuantity : Infinity;

/** Trades whose size is the largest market order of the exchange: the settings may have been for more. */
export function countLargestOrders(
  trades: readonly Pick<Trade, 'quantity'>[],
  costs: Pick<Costs, 'stepSize' | 'maxQuantity'>,
): number {
  const most = largestOrder(costs);
  const step = costs.stepSize ?? 0;
  if (step === 0) return trades.filter(({ quantity }) => quantity >= most * (1 - NOISE)).length;
  const stepsMax = Math.floor(most / step + NOISE);
  return trades.filter(({ quantity }) => Math.round(quantity / step) >= stepsMax).length;
}

/** What the largest order did to a run, for its reader; empty: nothing. */
export function orderNotes(
  trades: readonly Pick<Trade, 'quantity'>[],
  costs: Pick<Costs, 'stepSize' | 'maxQuantity'>,
): string[] {
  const count = countLargestOrders(trades, costs);
  if (count === 0) return [];
  return [
    `${count} of ${trades.length} trades have the largest market order of the exchange, ${costs.maxQuantity ?? 0}.`,
  ];
}
