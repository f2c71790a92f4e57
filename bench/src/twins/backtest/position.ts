import type { Candles, Costs, StrategyParams } from '@sextant/workers/src/protocol/backtest.ts';

// docs/simulator.md in plain TypeScript: one object for the position, one function for one bar. Operations are in the order
// the text gives them, so results must equal the engine's to the bit. Prices times side: above is good for either side.

export interface Rules {
  params: Omit<StrategyParams, 'weights'>;
  costs: Costs;
}

export type Reason = 'TP' | 'SL' | 'LIQ' | 'END';

export interface Position {
  side: number;
  entryIndex: number;
  entryTimeMs: number;
  entryPrice: number;
  quantity: number;
  margin: number;
  stopPrice: number;
  targetPrice: number;
  liquidationPrice: number;
  bestPrice: number;
  worstPrice: number;
  fees: number;
  funding: number;
  slippage: number;
  isAmbiguous: boolean;
  exitPrice: number;
}

export interface Funding {
  atOpen: Float64Array;
  inside: Float64Array;
}

/** Fills an entry at the open of candle `i`, as much as `available` equity covers; undefined when that is nothing. */
export function openPosition(
  { params, costs }: Rules,
  { time, open }: Candles,
  i: number,
  side: number,
  available: number,
): Position | undefined {
  const price = open[i] as number;
  const fill = price * (1 + side * costs.slippageFraction);
  const quantity = coveredQuantity(costs, fill, available);
  if (quantity === 0) return undefined;
  const notional = quantity * fill;
  const margin = notional / costs.leverage;
  const entryFee = costs.takerFeeFraction * notional;
  return {
    side,
    entryIndex: i,
    entryTimeMs: time[i] as number,
    entryPrice: fill,
    quantity,
    margin,
    stopPrice: fill * (1 - side * params.stopLossFraction),
    targetPrice: fill * (1 + side * params.takeProfitFraction),
    liquidationPrice: liquidationPrice(costs, side, fill, quantity, margin),
    bestPrice: fill,
    worstPrice: fill,
    fees: entryFee,
    funding: 0,
    slippage: quantity * Math.abs(fill - price),
    isAmbiguous: false,
    exitPrice: NaN,
  };
}

/** The set notional, or what `available` equity covers with margin and entry fee; 0 when only rounding noise is left. */
export function coveredQuantity(costs: Costs, fill: number, available: number): number {
  const needOf = (notional: number): number => notional / costs.leverage + costs.takerFeeFraction * notional;
  const wanted = costs.notional / fill;
  if (needOf(wanted * fill) <= available * (1 + 1e-9)) return wanted;
  const quantity = available / needOf(fill);
  return quantity * fill > 1e-9 * costs.notional ? quantity : 0;
}

/** Isolated margin, Binance's formula with one tier; NaN for a long without borrowed money. */
function liquidationPrice(costs: Costs, side: number, entry: number, quantity: number, margin: number): number {
  if (side > 0 && margin >= quantity * entry) return NaN;
  const price = (margin - side * quantity * entry) / (quantity * (costs.maintenanceMarginFraction - side));
  return price > 0 ? price : NaN;
}

/** Takes the position through candle `i`; the reason it closed for, or undefined while it stays open. */
export function stepPosition(
  rules: Rules,
  position: Position,
  candles: Candles,
  i: number,
  funding: Funding,
  isTargetFirst: boolean,
): Reason | undefined {
  const { side } = position;
  if ((candles.time[i] as number) > position.entryTimeMs) charge(position, funding.atOpen[i] as number);
  const reason = (candles.volume[i] as number) > 0 ? leave(rules, position, candles, i, isTargetFirst) : undefined;
  if (reason !== undefined) return reason;
  charge(position, funding.inside[i] as number);
  if ((candles.volume[i] as number) > 0) {
    see(position, candles.high[i] as number);
    see(position, candles.low[i] as number);
    if (rules.params.trailing.enabled) trail(rules, position, side);
  }
  return undefined;
}

function leave(
  rules: Rules,
  position: Position,
  candles: Candles,
  i: number,
  isTargetFirst: boolean,
): Reason | undefined {
  const { side, stopPrice, targetPrice, liquidationPrice: liquidation } = position;
  const open = candles.open[i] as number;
  if (side * open <= side * liquidation) return exit(rules, position, open, bankruptcyPrice(position), 'LIQ');
  if (side * open <= side * stopPrice) return exit(rules, position, open, open, 'SL');
  if (isTargetReached(rules, position, side * open)) return exit(rules, position, open, open, 'TP');

  const best = side * ((side > 0 ? candles.high[i] : candles.low[i]) as number);
  const worst = side * ((side > 0 ? candles.low[i] : candles.high[i]) as number);
  const isStopped = worst <= side * stopPrice;
  const isLiquidated = worst <= side * liquidation;
  if (isTargetReached(rules, position, best)) {
    if (isStopped || isLiquidated) position.isAmbiguous = true;
    if (isTargetFirst || !position.isAmbiguous) return exit(rules, position, open, targetPrice, 'TP');
  }
  const isStopNearer = !(side * stopPrice <= side * liquidation);
  if (isLiquidated && !(isStopped && isStopNearer))
    return exit(rules, position, open, bankruptcyPrice(position), 'LIQ');
  return isStopped ? exit(rules, position, open, stopPrice, 'SL') : undefined;
}

function isTargetReached({ costs }: Rules, { side, targetPrice }: Position, best: number): boolean {
  return costs.takeProfitOrder === 'limit' ? best > side * targetPrice : best >= side * targetPrice;
}

const bankruptcyPrice = ({ side, entryPrice, margin, quantity }: Position): number =>
  entryPrice - side * (margin / quantity);

function exit(rules: Rules, position: Position, open: number, price: number, reason: Reason): Reason {
  see(position, open);
  return closePosition(rules, position, price, reason);
}

/**
 * Fills the exit at `price` and books its costs.
 * @returns the reason of the close: LIQ, at the bankruptcy price, when the fill would lose more than the margin
 */
export function closePosition({ costs }: Rules, position: Position, price: number, reason: Reason): Reason {
  const { side, quantity, entryPrice } = position;
  const isLimit = reason === 'TP' && costs.takeProfitOrder === 'limit';
  const slipped = reason === 'SL' ? costs.stopSlippageFraction : isLimit ? 0 : costs.slippageFraction;
  const slippedFill = price * (1 - side * slipped);
  const bankruptcy = bankruptcyPrice(position);
  const isLost = reason === 'LIQ' || side * (bankruptcy - slippedFill) > 1e-9 * entryPrice;
  const fill = isLost ? bankruptcy : slippedFill;
  const fee = isLost ? 0 : isLimit ? costs.makerFeeFraction : costs.takerFeeFraction;
  position.exitPrice = fill;
  position.fees += fee * (quantity * fill);
  position.slippage += quantity * Math.abs(fill - (isLost ? bankruptcy : price));
  see(position, fill);
  return isLost ? 'LIQ' : reason;
}

function charge(position: Position, funding: number): void {
  position.funding += position.side * position.quantity * funding;
}

function see(position: Position, price: number): void {
  const { side } = position;
  if (side * price > side * position.bestPrice) position.bestPrice = price;
  if (side * price < side * position.worstPrice) position.worstPrice = price;
}

function trail({ params: { trailing } }: Rules, position: Position, side: number): void {
  const candidate = position.bestPrice * (1 - side * trailing.callbackFraction);
  const gain = side * (candidate - position.stopPrice);
  if (gain > 0 && gain >= trailing.stepFraction * position.entryPrice) position.stopPrice = candidate;
}

export const grossPnl = ({ side, entryPrice, quantity }: Position, price: number): number =>
  (price - entryPrice) * side * quantity;

export const netPnl = (position: Position, price: number): number =>
  grossPnl(position, price) - position.fees - position.funding;
