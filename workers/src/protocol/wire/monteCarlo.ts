import { z } from 'zod';
import { withoutUndefined } from '../../core/withoutUndefined.ts';
import type { MonteCarloInput, MonteCarloResult } from '../monteCarlo.ts';
import { backtestFromWire, rulesFromWire, runShape } from './backtest.ts';
import { columnToWire } from './candles.ts';
import { checkContext } from './checkContext.ts';
import { takeRules } from './ownRules.ts';

/** The JSON forms of two tasks of the command line: runs on resampled markets, and the detectable Sharpe ratio. */

export const MonteCarloRequestWire = z
  .strictObject({
    ...runShape,
    scored: z.int().min(1).optional(),
    seed: z.int().min(0).default(1),
    marketCount: z.int().min(1).max(2000).default(200),
    blockLength: z.int().min(1).optional(),
  })
  .omit({ markPrices: true, fineCandles: true })
  .check(takeRules)
  .check(checkContext);

export function monteCarloFromWire({
  seed,
  marketCount,
  blockLength,
  ...wire
}: z.output<typeof MonteCarloRequestWire>): MonteCarloInput {
  const { params, ...market } = backtestFromWire(wire);
  const rules = rulesFromWire(wire);
  const run = rules === undefined ? { ...market, params } : { ...market, ...rules };
  return withoutUndefined({ run, seed, marketCount, blockLength });
}

export const monteCarloToWire = ({ netPnl, maxDrawdownFraction, tradeCount, ...rest }: MonteCarloResult): object => ({
  ...rest,
  netPnl: columnToWire(netPnl),
  maxDrawdownFraction: columnToWire(maxDrawdownFraction),
  tradeCount: columnToWire(tradeCount),
});

/** The task checks the bounds and names the field. */
export const DetectableWire = z.strictObject({
  trialCount: z.number(),
  barCount: z.number(),
  barMs: z.number(),
  goalAnnualSharpe: z.number().default(1),
});
