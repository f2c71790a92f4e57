import type { Costs, StrategyParams } from '@sextant/workers/src/protocol.ts';
import type { OptimizeInput } from '@sextant/workers/src/protocolOptimize.ts';
import { defaultCosts, defaultWeights } from '@sextant/workers/src/wire/defaults.ts';
import { testUniform } from '../honesty/support.ts';
import { type Columns, type MarketShape, roughMarket } from '../candles.ts';

export const defaultParams: StrategyParams = {
  weights: { ...defaultWeights },
  entryThreshold: 0.08,
  stopLossFraction: 0.02,
  takeProfitFraction: 0.04,
  trailing: { enabled: false, callbackFraction: 0.005, stepFraction: 0.0025 },
};

export function optimizeInput(candles: OptimizeInput['candles'], more: Partial<OptimizeInput> = {}): OptimizeInput {
  return {
    candles,
    params: defaultParams,
    costs: defaultCosts,
    scoredCount: 500,
    samples: 50,
    target: 'pnl',
    seed: 1,
    ...more,
  };
}

/** A rough market with prices on a tick, as an exchange sends them: equal prices and exact touches are common. */
export function tickedMarket(count: number, seed: number, decimals: number, shape: MarketShape): Columns {
  const candles = roughMarket(count, seed, shape);
  for (const name of ['open', 'high', 'low', 'close'] as const)
    candles[name] = candles[name].map((price) => Number(price.toFixed(decimals)));
  return candles;
}

/** Costs that reach every branch: both target orders, near and far liquidation, ticks and steps, wide slippage, funding. */
export function roughCosts(candles: Columns, seed: number): Costs {
  const uniform = testUniform(seed);
  const oneOf = <T>(...choices: T[]): T => choices[Math.floor(uniform() * choices.length)]!;
  const price = candles.close[0]!;
  const costs: Costs = {
    ...defaultCosts,
    takeProfitOrder: oneOf<'market' | 'limit'>('market', 'limit'),
    leverage: oneOf(1, 10, 50, 100),
    initialEquity: [1000, 10_000, 1000, 150][seed % 4]!, // some run short of margin
    maintenanceMarginFraction: 0.004,
    slippageFraction: oneOf(0, 0.0001, 0.006),
    stopSlippageFraction: oneOf(0, 0.0002, 0.003),
    liquidationModel: oneOf<'binance' | 'bybit' | 'okx'>('binance', 'bybit', 'okx'),
  };
  if (uniform() < 0.5) Object.assign(costs, { tickSize: price * 0.0004, stepSize: 10 / price, minNotional: 990 });
  if (uniform() < 0.3) costs.tiers = tierTable;
  if (uniform() < 0.7) costs.funding = roughFunding(candles, uniform);
  if (uniform() < 0.4) costs.sameBar = 'target';
  if (uniform() < 0.3) {
    Object.assign(costs, { fundingSource: oneOf('assumed', 'off'), assumedFundingFraction: (uniform() - 0.5) * 0.004 });
  }
  return costs;
}

const tierTable = [
  { notionalFloor: 0, maintenanceMarginFraction: 0.004, maintenanceAmount: 0, leverageMax: 125 },
  { notionalFloor: 980, maintenanceMarginFraction: 0.008, maintenanceAmount: 3.92, leverageMax: 100 },
];

/** Stamps at some opens and inside some candles, rates of both signs. */
function roughFunding(candles: Columns, uniform: () => number): { time: Float64Array; rate: Float64Array } {
  const stamps: [number, number][] = [];
  for (const open of candles.time) {
    if (uniform() < 0.05) stamps.push([open + (uniform() < 0.5 ? 0 : 60_000), (uniform() - 0.5) * 0.004]);
  }
  return { time: Float64Array.from(stamps, ([time]) => time), rate: Float64Array.from(stamps, ([, rate]) => rate) };
}
