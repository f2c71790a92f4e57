import type { Trade } from '@sextant/workers/src/protocol/backtest.ts';
import type { BacktestAnalysis } from '@sextant/workers/src/protocol/backtest.ts';

/** Everything `analyse` derives its figures from, as plain values of the scored window. */
export interface AnalysedRun {
  time: readonly number[];
  firstOpen: number;
  close: readonly number[];
  equity: readonly number[];
  initialEquity: number;
  maxDrawdownFraction: number;
  trades: readonly (Pick<Trade, 'side' | 'netPnl' | 'entryIndex' | 'exitIndex'> & Partial<HeldTrade>)[];
  /** Prices within the candles of the scored window; absent: candles without wicks. */
  bars?: { open: readonly number[]; high: readonly number[]; low: readonly number[]; volume: readonly number[] };
  takerFeeFraction?: number;
}

type HeldTrade = Pick<Trade, 'quantity' | 'entryPrice' | 'exitPrice' | 'closeReason'>;

/** How many entries the limit cut is a count of the run itself. */
type Derived = Omit<BacktestAnalysis, 'limitedEntryCount'>;

/** Share of its candle's turnover, for each fill. */
function sharesOf({ close, trades, bars }: AnalysedRun): number[][] {
  const share = (i: number, notional: number): number[] => {
    const turnover = (bars?.volume[i] ?? 1) * close[i]!;
    return turnover > 0 ? [notional / turnover] : [];
  };
  return trades.map(({ entryIndex, exitIndex, quantity = 0, entryPrice = 0, exitPrice = 0 }) => [
    ...share(entryIndex, quantity * entryPrice),
    ...share(exitIndex, quantity * exitPrice),
  ]);
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return (sorted[Math.ceil(half) - 1]! + sorted[Math.floor(half)]!) / 2;
}

/** Candle by candle: what each trade that was open in it shows at the worst price it could have been closed at. */
function intrabarDrawdown({ close, equity, initialEquity, trades, bars, takerFeeFraction = 0 }: AnalysedRun): number {
  if (bars === undefined) return Math.max(0, ...falls(equity, equity, initialEquity));
  const worst = equity.map((value, i) => {
    if (!(bars.volume[i]! > 0)) return value;
    const seen = trades.flatMap((trade) => {
      const { entryIndex, exitIndex, quantity = 0, entryPrice = 0, netPnl } = trade;
      if (entryIndex > i || exitIndex < i) return [];
      const side = trade.side === 'LONG' ? 1 : -1;
      const extreme = side > 0 ? bars.low[i]! : bars.high[i]!;
      if (i < exitIndex) return [value - side * quantity * (close[i]! - extreme)];
      const price = trade.closeReason === 'END' ? extreme : bars.open[i]!;
      if (i > entryIndex) return [equity[i - 1]! + side * quantity * (price - close[i - 1]!)];
      const entryFee = takerFeeFraction * quantity * entryPrice;
      return [value - netPnl - entryFee + side * quantity * (price - entryPrice)];
    });
    return Math.min(value, ...seen);
  });
  return Math.max(0, ...falls(equity, worst, initialEquity));
}

/** Fall of each value from the highest close before it. */
const falls = (equity: readonly number[], values: readonly number[], initialEquity: number): number[] =>
  values.map((value, i) => {
    const peak = Math.max(initialEquity, ...equity.slice(0, i));
    return (peak - value) / peak;
  });

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const meanOf = (values: readonly number[]): number => sum(values) / values.length;
const meanOrNull = (values: readonly number[]): number | null => (values.length === 0 ? null : meanOf(values));
const when = <T>(isThere: boolean, value: () => T): T | null => (isThere ? value() : null);

/** Last value of each UTC day, and the changes from one to the next. */
function daily(time: readonly number[], values: readonly number[], before: number): number[] {
  const lasts = new Map<string, number>();
  time.forEach((at, i) => lasts.set(new Date(at).toISOString().slice(0, 10), values[i]!));
  const ends = [...lasts.values()];
  return ends.map((end, i) => end / (i === 0 ? before : ends[i - 1]!) - 1);
}

/** P(T >= t) by Simpson's rule: with x = sqrt(v) tan(a) the density becomes cos(a)^(v - 1). */
export function studentTailReference(t: number, freedom: number): number {
  const area = (to: number): number => {
    const steps = 4000;
    const at = (k: number): number => Math.cos((to * k) / steps) ** (freedom - 1);
    let total = at(0) + at(steps);
    for (let k = 1; k < steps; k++) total += at(k) * (k % 2 === 1 ? 4 : 2);
    return (total * to) / steps / 3;
  };
  const half = area(Math.atan(Math.abs(t) / Math.sqrt(freedom))) / area(Math.PI / 2) / 2;
  return t > 0 ? 0.5 - half : 0.5 + half;
}

function longestRun(flags: readonly boolean[]): number {
  return Math.max(
    0,
    ...flags.map((_, i) => (flags.slice(i).findIndex((flag) => !flag) + 1 || flags.length - i + 1) - 1),
  );
}

/** A second, plain implementation, written from the formulas of the registry. */
export function analysisReference(run: AnalysedRun): Derived {
  const { time, close, equity, initialEquity, trades } = run;
  const returns = daily(time, equity, initialEquity);
  const market = daily(time, close, run.firstOpen);
  const days = returns.length;
  const isSolvent = daily(time, equity, initialEquity).every((each) => each > -1);
  // Exact days from the first open to the end of the last candle: touching 30 UTC days is not enough.
  const interval = Math.min(...time.slice(1).map((at, i) => at - time[i]!));
  const span = (time.at(-1)! - time[0]! + interval) / 86_400_000;
  const isMonth = days >= 30 && span >= 30;
  const isLong = isSolvent && isMonth;
  const peaks = equity.map((_, i) => Math.max(initialEquity, ...equity.slice(0, i + 1)));
  const isBelow = equity.map((value, i) => value < peaks[i]!);
  const nets = trades.map(({ netPnl }) => netPnl);
  const held = (isWanted: (net: number) => boolean): number[] =>
    trades.filter(({ netPnl }) => isWanted(netPnl)).map(({ entryIndex, exitIndex }) => exitIndex - entryIndex);
  const wins = nets.filter((net) => net > 0);
  const losses = nets.filter((net) => net < 0);
  const rate = (side: 'LONG' | 'SHORT'): number | null =>
    meanOrNull(trades.filter((trade) => trade.side === side).map(({ netPnl }) => Number(netPnl > 0)));
  const payoff = when(wins.length > 0 && losses.length > 0, () => meanOf(wins) / -meanOf(losses));
  const covariance = sum(returns.map((each, i) => (each - meanOf(returns)) * (market[i]! - meanOf(market))));
  const beta = covariance / sum(market.map((each) => (each - meanOf(market)) ** 2));
  const falling = -sum(returns.filter((each) => each < 0));
  const net = sum(nets);
  const deviation = Math.sqrt(sum(nets.map((each) => (each - net / nets.length) ** 2)) / (nets.length - 1));
  const isMany = nets.length >= 30;
  // Equal trades leave only the rounding of their mean.
  const isVaried = deviation > Math.abs(net / nets.length) * 1e-12;
  const t = (net / nets.length / deviation) * Math.sqrt(nets.length);
  const shares = sharesOf(run);
  const fills = shares.flat();
  return {
    turnoverShareLargest: when(fills.length > 0, () => Math.max(...fills)),
    turnoverShareMedian: when(fills.length > 0, () => medianOf(fills)),
    largeFillTradeCount: shares.filter((ofTrade) => ofTrade.some((share) => share > 0.01)).length,
    dayCount: days >= 30 && !isMonth ? Math.floor(span) : days,
    annualReturnFraction: when(isLong, () => (equity.at(-1)! / initialEquity) ** (365 / span) - 1),
    marketChangeFraction: close.at(-1)! / run.firstOpen - 1,
    alphaFraction: when(isLong, () => (meanOf(returns) - beta * meanOf(market)) * 365),
    beta: when(isLong, () => beta),
    bestDayFraction: when(isSolvent, () => Math.max(...returns)),
    worstDayFraction: when(isSolvent, () => Math.min(...returns)),
    wonDayCount: when(isSolvent, () => returns.filter((each) => each > 0).length),
    flatDayCount: when(isSolvent, () => returns.filter((each) => each === 0).length),
    lostDayCount: when(isSolvent, () => returns.filter((each) => each < 0).length),
    calmar: when(
      isMonth && run.maxDrawdownFraction > 0,
      () => ((net / initialEquity) * 365) / span / run.maxDrawdownFraction,
    ),
    omega: when(isLong && falling > 0, () => sum(returns.filter((each) => each > 0)) / falling),
    maxDrawdownUsdt: Math.max(0, ...equity.map((value, i) => peaks[i]! - value)),
    intrabarDrawdownFraction: intrabarDrawdown(run),
    longestUnderwaterCandles: longestRun(isBelow),
    underwaterFraction: isBelow.filter(Boolean).length / equity.length,
    winRateLong: rate('LONG'),
    winRateShort: rate('SHORT'),
    averageWin: meanOrNull(wins),
    averageLoss: meanOrNull(losses),
    payoffRatio: payoff,
    expectancyRatio: when(losses.length > 0, () => meanOf(nets) / -meanOf(losses)),
    bestTrade: when(nets.length > 0, () => Math.max(...nets)),
    worstTrade: when(nets.length > 0, () => Math.min(...nets)),
    winsInARow: longestRun(nets.map((each) => each > 0)),
    lossesInARow: longestRun(nets.map((each) => each < 0)),
    candlesHeldByWinners: meanOrNull(held((each) => each > 0)),
    candlesHeldByLosers: meanOrNull(held((each) => each < 0)),
    sqn: when(isMany && isVaried, () => t),
    meanPValue: when(isMany && isVaried, () => studentTailReference(t, nets.length - 1)),
    kellyFraction:
      isMany && payoff !== null ? wins.length / nets.length - (1 - wins.length / nets.length) / payoff : null,
  };
}
