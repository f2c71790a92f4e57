import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import type { BacktestInput, Candles } from './backtest.ts';

/** Contract of the `backtestStrategy` task: the result is that of a backtest. */
export interface StrategyInput extends Omit<BacktestInput, 'params'> {
  /** Its first interval is that of `candles`. */
  strategy: Strategy;
  /** Candles of the longer intervals, in the order of the strategy; they start early enough for the votes to warm up. */
  context: Candles[];
  /** News vote at the close of each candle: -1, 1, or 0 for none. Absent: no news votes. */
  news?: Int8Array;
}
