import type { BacktestInput } from './backtest.ts';
import type { StrategyInput } from './strategy.ts';

/**
 * Contract of the `monteCarlo` task. Mark prices and finer candles belong to the real market and are left out; funding is charged at its
 * own times and rates on the resampled prices.
 */
export interface MonteCarloInput {
  /** With a strategy of rules, the candles of its longer intervals are aggregated from those of the resampled market. */
  run: Omit<BacktestInput, 'markPrices' | 'fineCandles'> | Omit<StrategyInput, 'markPrices' | 'fineCandles'>;
  /** Whole, >= 0: the same seed makes the same markets. */
  seed: number;
  /** 1 to 2,000. */
  marketCount: number;
  /** Candles of a block, 1 to the loaded candles - 1. Absent: as long as a mean trade, at least the cube root of the window. */
  blockLength?: number;
}

export interface MonteCarloResult {
  blockLength: number;
  /** Net USDT and drawdown of each made market, in the order they were drawn. */
  netPnl: Float64Array;
  maxDrawdownFraction: Float64Array;
  tradeCount: Float64Array;
  /** The real market by the same rules, without mark prices and finer candles. */
  ownNetPnl: number;
  netPnlBand: { low: number; median: number; high: number };
  maxDrawdownBand: { low: number; median: number; high: number };
  /** Share of the made markets that ended with a gain. */
  gainFraction: number;
  /** Share of the made markets that ended with less than the real one. */
  belowOwnFraction: number;
}
