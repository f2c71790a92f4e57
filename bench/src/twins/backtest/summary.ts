import { DAY_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { Candles, Costs } from '@sextant/workers/src/protocol/backtest.ts';
import type { TwinTrade } from './backtest.ts';

export interface TwinSummary {
  tradeCount: number;
  netPnl: number;
  grossPnl: number;
  fees: number;
  funding: number;
  slippage: number;
  winRate: number | null;
  profitFactor: number | null;
  maxDrawdownFraction: number;
  sharpe: number | null;
  sortino: number | null;
  optimisticNetPnl: number;
  buyAndHoldFraction: number;
}

const DAYS_MIN = 30;

export function summarise(
  candles: Candles,
  trades: readonly TwinTrade[],
  equity: Float64Array,
  costs: Costs,
  net: number,
  optimisticNetPnl: number,
): TwinSummary {
  const returns = dailyReturns(candles.time.subarray(-equity.length), equity, costs.initialEquity);
  const span = spanDays(candles.time, equity.length);
  const isEnough = returns !== undefined && Math.min(returns.length, span) >= DAYS_MIN;
  let gain = 0;
  let loss = 0;
  let won = 0;
  for (const trade of trades) {
    if (trade.netPnl > 0) {
      won++;
      gain += trade.netPnl;
    } else loss -= trade.netPnl;
  }
  return {
    tradeCount: trades.length,
    netPnl: net,
    optimisticNetPnl,
    grossPnl: sumOf(trades, (trade) => trade.grossPnl),
    fees: sumOf(trades, (trade) => trade.fees),
    funding: sumOf(trades, (trade) => trade.funding),
    slippage: sumOf(trades, (trade) => trade.slippage),
    winRate: trades.length > 0 ? won / trades.length : null,
    profitFactor: loss > 0 ? gain / loss : null,
    maxDrawdownFraction: maxDrawdown(equity, costs.initialEquity),
    sharpe: isEnough ? annualised(returns, deviation(returns)) : null,
    sortino: isEnough ? annualised(returns, downside(returns)) : null,
    buyAndHoldFraction: buyAndHold(candles, equity.length, costs),
  };
}

/** Exact days of the last `length` candles; the interval is the shortest step of all. */
function spanDays(times: Float64Array, length: number): number {
  let interval = NaN;
  for (let i = 1; i < times.length; i++) {
    const step = (times[i] as number) - (times[i - 1] as number);
    if (!(step >= interval)) interval = step;
  }
  const last = times[times.length - 1] as number;
  return (last - (times[times.length - length] as number) + interval) / DAY_MS;
}

function sumOf(trades: readonly TwinTrade[], valueOf: (trade: TwinTrade) => number): number {
  let sum = 0;
  for (const trade of trades) sum += valueOf(trade);
  return sum;
}

function maxDrawdown(equity: Float64Array, initialEquity: number): number {
  let peak = initialEquity;
  let worst = 0;
  for (const value of equity) {
    if (value > peak) peak = value;
    const fall = (peak - value) / peak;
    if (fall > worst) worst = fall;
  }
  return worst;
}

/** Simple returns between the last equities of UTC days; undefined after a day without positive equity. */
function dailyReturns(times: Float64Array, equity: Float64Array, initialEquity: number): number[] | undefined {
  const returns: number[] = [];
  let before = initialEquity;
  for (let i = 0; i < times.length; i++) {
    const day = Math.floor((times[i] as number) / DAY_MS);
    if (i + 1 < times.length && Math.floor((times[i + 1] as number) / DAY_MS) === day) continue;
    const after = equity[i] as number;
    if (!(before > 0)) return undefined;
    returns.push(after / before - 1);
    before = after;
  }
  return before > 0 ? returns : undefined;
}

function mean(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

function deviation(values: readonly number[]): number {
  const centre = mean(values);
  let sum = 0;
  for (const value of values) sum += (value - centre) * (value - centre);
  // Population variance first, as the engine does it: the two roundings differ in the last bit otherwise.
  return Math.sqrt(((sum / values.length) * values.length) / (values.length - 1));
}

function downside(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) {
    const loss = Math.min(value, 0);
    sum += loss * loss;
  }
  return Math.sqrt(sum / values.length);
}

const annualised = (returns: readonly number[], spread: number): number | null =>
  spread > 1e-12 ? (mean(returns) / spread) * Math.sqrt(365) : null;

/** Net return of one notional bought at the first scored open and sold at the last close, taker fee both ways. */
function buyAndHold({ open, close }: Candles, scoredCount: number, costs: Costs): number {
  const { notional, takerFeeFraction, initialEquity } = costs;
  const first = open[open.length - scoredCount] as number;
  const last = close[close.length - 1] as number;
  const quantity = notional / first;
  const net = quantity * (last - first) - takerFeeFraction * (notional + quantity * last);
  return net / initialEquity;
}
