import { coveredQuantity } from '../backtest/position.ts';
import type { TwinMarket } from './market.ts';

/** The exit levels of a set, fractions. */
export interface Exits {
  stopLoss: number;
  takeProfit: number;
  isTrailing: boolean;
  callback: number;
  step: number;
}

/** Result of a closed trade; one object is reused for all trades. */
export interface Outcome {
  exitIndex: number;
  exitPrice: number;
  entryPrice: number;
  quantity: number;
  net: number;
  isAmbiguous: boolean;
}

interface Opened {
  side: number;
  fill: number;
  quantity: number;
  margin: number;
  liquidation: number;
  stop: number;
  target: number;
}

function open(
  { candles, costs }: TwinMarket,
  entry: number,
  side: number,
  exits: Exits,
  available: number,
): Opened | undefined {
  const fill = (candles.open[entry] as number) * (1 + side * costs.slippageFraction);
  const quantity = coveredQuantity(costs, fill, available);
  if (quantity === 0) return undefined;
  const margin = (quantity * fill) / costs.leverage;
  const rate = costs.maintenanceMarginFraction;
  const isBorrowed = margin < quantity * fill;
  return {
    side,
    fill,
    quantity,
    margin,
    liquidation: isBorrowed || side < 0 ? (margin - side * quantity * fill) / (quantity * (rate - side)) : NaN,
    stop: fill * (1 - side * exits.stopLoss),
    target: fill * (1 + side * exits.takeProfit),
  };
}

type Exit = 'TP' | 'SL' | 'LIQ' | 'END';

/**
 * Opens at candle `entry`, holds bar by bar until something closes it, and writes the outcome. docs/simulator.md in one loop.
 * @returns false when `available` equity covers no margin and entry fee: nothing was traded
 */
export function holdTrade(
  market: TwinMarket,
  entry: number,
  last: number,
  side: number,
  exits: Exits,
  available: number,
  out: Outcome,
): boolean {
  const { time, open: opens, high, low, close, volume } = market.candles;
  const { atOpen, inside } = market.funding;
  const position = open(market, entry, side, exits, available);
  if (position === undefined) return false;
  const { fill, quantity, target, liquidation } = position;
  let { stop } = position;
  let best = fill;
  let funding = 0;
  let price = NaN;
  let exit: Exit = 'END';
  let i = entry;
  out.isAmbiguous = false;
  for (; ; i++) {
    if ((time[i] as number) > (time[entry] as number)) funding += side * quantity * (atOpen[i] as number);
    if ((volume[i] as number) > 0) {
      const first = opens[i] as number;
      const good = (side > 0 ? high[i] : low[i]) as number;
      const bad = (side > 0 ? low[i] : high[i]) as number;
      const result = closedBy(side, first, good, bad, stop, target, liquidation, out);
      if (result !== undefined) {
        exit = result;
        price = priceOf(position, result, first, stop);
        break;
      }
      funding += side * quantity * (inside[i] as number);
      if (side * good > side * best) best = good;
      if (exits.isTrailing) {
        const candidate = best * (1 - side * exits.callback);
        const gain = side * (candidate - stop);
        if (gain > 0 && gain >= exits.step * fill) stop = candidate;
      }
    } else funding += side * quantity * (inside[i] as number);
    if (i === last) {
      price = close[i] as number;
      break;
    }
  }
  settle(market, position, exit, price, funding, i, out);
  return true;
}

/** Exit reason of the bar; the loss level first when the bar holds both, undefined without an exit. */
function closedBy(
  side: number,
  first: number,
  good: number,
  bad: number,
  stop: number,
  target: number,
  liquidation: number,
  out: Outcome,
): Exit | undefined {
  if (side * first <= side * liquidation) return 'LIQ';
  if (side * first <= side * stop) return 'SL';
  if (side * first >= side * target) return 'TP';
  const isStopped = side * bad <= side * stop;
  const isLiquidated = side * bad <= side * liquidation;
  if (side * good >= side * target) {
    if (!isStopped && !isLiquidated) return 'TP';
    out.isAmbiguous = true;
  }
  if (isLiquidated && !(isStopped && side * stop > side * liquidation)) return 'LIQ';
  return isStopped ? 'SL' : undefined;
}

/** Undisturbed price: the level, or the open when the bar opened beyond it. */
function priceOf({ side, fill, quantity, margin, target }: Opened, exit: Exit, first: number, stop: number): number {
  if (exit === 'LIQ') return fill - side * (margin / quantity);
  if (exit === 'SL') return side * first <= side * stop ? first : stop;
  return side * first >= side * target ? first : target;
}

function settle(
  { costs }: TwinMarket,
  { side, fill, quantity, margin }: Opened,
  exit: Exit,
  price: number,
  funding: number,
  exitIndex: number,
  out: Outcome,
): void {
  const slippage = exit === 'SL' ? costs.stopSlippageFraction : exit === 'LIQ' ? 0 : costs.slippageFraction;
  const slipped = price * (1 - side * slippage);
  const bankruptcy = fill - side * (margin / quantity);
  const isLost = exit === 'LIQ' || side * (bankruptcy - slipped) > 1e-9 * fill;
  const exitPrice = isLost ? bankruptcy : slipped;
  const exitFee = isLost ? 0 : costs.takerFeeFraction;
  const fees = costs.takerFeeFraction * (quantity * fill) + exitFee * (quantity * exitPrice);
  out.exitIndex = exitIndex;
  out.exitPrice = exitPrice;
  out.entryPrice = fill;
  out.quantity = quantity;
  out.net = (exitPrice - fill) * side * quantity - fees - funding;
}
