import type { Candles } from '../../src/protocol/backtest.ts';
import type { OptimizeInput } from '../../src/protocol/optimize.ts';
import { defaultCosts } from '../../src/protocol/wire/defaults.ts';

const COUNT = 800;

/**
 * 800 candles of 15 minutes: 100 that go 1 % up and down in turns, so that every vote has seen its swings, then candles of which each
 * closes 0.1 % above the one before. Each goes 2.5 % up from its open.
 * @param lowFactor low of candle i over its open
 */
export function risingCandles(lowFactor: (i: number) => number): Candles {
  const closes: number[] = [];
  for (let i = 0; i < COUNT; i++) {
    const move = i >= 100 ? 0.001 : i % 20 < 10 ? 0.01 : -0.01;
    closes.push((closes[i - 1] ?? 100) * (1 + move));
  }
  const open = (i: number): number => closes[i - 1] ?? 100;
  const column = (of: (i: number) => number): Float64Array => Float64Array.from({ length: COUNT }, (_, i) => of(i));
  return {
    time: column((i) => 1_735_689_600_000 + i * 900_000),
    open: column(open),
    high: column((i) => open(i) * 1.025),
    low: column((i) => open(i) * lowFactor(i)),
    close: column((i) => closes[i] ?? 100),
    volume: column(() => 15),
  };
}

/**
 * A search on such candles. Closes that only rise keep the vote of the on-balance volume at long. So in the window of candles 200 to 799
 * each candle but the first opens a long of 1,000 and ends it: 599 trades. Stop and target are drawn from 1 to 2 %, nothing costs anything.
 */
export const risingSearch = (candles: Candles, more: Partial<OptimizeInput> = {}): OptimizeInput => ({
  candles,
  params: {
    weights: { obv: 1 },
    entryThreshold: 0.5,
    stopLossFraction: 0.015,
    takeProfitFraction: 0.015,
    trailing: { enabled: false, callbackFraction: 0.005, stepFraction: 0.0025 },
  },
  costs: {
    ...defaultCosts,
    takerFeeFraction: 0,
    makerFeeFraction: 0,
    slippageFraction: 0,
    stopSlippageFraction: 0,
    initialEquity: 1e6,
    notional: 1000,
    leverage: 10,
    maintenanceMarginFraction: 0.005,
  },
  scoredCount: 600,
  trainOn: 'scored',
  samples: 300,
  target: 'pnl',
  seed: 3,
  space: {
    draw: 'dense',
    weight: { min: 0, max: 0 },
    weights: { obv: { min: 1, max: 1 } },
    entryThreshold: { min: 0.5, max: 0.5 },
    stopLossFraction: { min: 0.01, max: 0.02 },
    takeProfitFraction: { min: 0.01, max: 0.02 },
    trailing: 'off',
  },
  ...more,
});
