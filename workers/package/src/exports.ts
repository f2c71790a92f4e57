/** What both builds of the package export beside `createEngine`. */
export { EngineError, type Engine, type EngineOptions } from './engine.ts';
export type * from './types.ts';
export type { BacktestResult, IndicatorSeries } from '../../src/protocol/backtest.ts';
export type { HonestyResult } from '../../src/protocol/honesty.ts';
export type { MonteCarloResult } from '../../src/protocol/monteCarlo.ts';
export type { OptimizeResult } from '../../src/protocol/optimize.ts';
export type { PortfolioResult } from '../../src/protocol/portfolio.ts';
export type { Strategy } from '../../../engine-as/abi/strategy.ts';
