import type { Costs, StrategyParams } from '@sextant/workers/src/protocol/backtest.ts';
import type { OptimizeInput } from '@sextant/workers/src/protocol/optimize.ts';
import { defaultCosts, defaultWeights } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { testUniform } from '../honesty/support.ts';
import { type Columns, emptyColumns, type MarketShape, roughMarket } from '../candles.ts';

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
  // After all other draws, so that those are unchanged.
  if (uniform() < 0.3) costs.impactCoefficient = oneOf(0.1, 1, 20);
  if (uniform() < 0.3) costs.turnoverShareMax = oneOf(0.01, 0.3);
  if (uniform() < 0.3 && costs.minNotional === undefined) costs.maxQuantity = oneOf(500, 970, 20) / price;
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

/** The same candles at times that skip some now and then, and that lie half as far apart from the middle on, now and then. */
export function irregular(candles: Columns, seed: number): Columns {
  const uniform = testUniform(seed + 77);
  const [first = 0, second = 0] = candles.time;
  const count = candles.time.length;
  let at = first;
  const time = candles.time.map((_, i) => {
    const here = at;
    const step = second - first;
    if (i > count / 2 && uniform() < 0.3) at += step / 2;
    else at += step * (uniform() < 0.05 ? 1 + Math.ceil(uniform() * 3) : 1);
    return here;
  });
  return { ...candles, time };
}

/**
 * Finer candles, `cuts` to the shortest step, that walk from open to close over high and low. Some candles have none, some lack one, some
 * parts have no trades, some open at a displaced price: below a stop, or below the liquidation price.
 */
export function roughFine(candles: Columns, seed: number, cuts = 4): Columns {
  const uniform = testUniform(seed + 991);
  const { time, open, high, low, close } = candles;
  const steps = time.subarray(1).map((at, i) => at - time[i]!);
  const part = Math.min(...steps) / cuts;
  const rows: number[][] = [];
  time.forEach((from, i) => {
    const until = time[i + 1] ?? from + steps.at(-1)!;
    if (uniform() < 0.05) return;
    const count = Math.round((until - from) / part);
    const turns = [uniform(), uniform()].map((at) => Math.floor(at * count));
    const extremes = uniform() < 0.5 ? [high[i]!, low[i]!] : [low[i]!, high[i]!];
    let before = open[i]!;
    for (let k = 0; k < count; k++) {
      const after = k === Math.min(...turns) ? extremes[0]! : k === Math.max(...turns) ? extremes[1]! : close[i]!;
      const jump = uniform() < 0.03 ? 1 + (uniform() - 0.5) * 0.1 : 1;
      const isMissing = uniform() < 0.01;
      const volume = uniform() < 0.1 ? 0 : 1;
      const prices = [before, Math.max(before, after), Math.min(before, after), after].map((price) => price * jump);
      if (!isMissing) rows.push([from + k * part, ...prices, volume]);
      before = after;
    }
  });
  const columns = emptyColumns(rows.length);
  Object.values(columns).forEach((column, field) => rows.forEach((row, i) => (column[i] = row[field]!)));
  return columns;
}

/** Mark prices `away` from the candles as a fraction, most of the time; now and then one that goes twenty times as far. */
export function roughMarks(candles: Columns, seed: number, away: number): NonNullable<OptimizeInput['markPrices']> {
  const uniform = testUniform(seed + 5501);
  const shift = (): number => 1 + (uniform() - 0.5) * 2 * away * (uniform() < 0.03 ? 20 : 1);
  const marks = { open: new Float64Array(candles.time.length), high: candles.high.slice(), low: candles.low.slice() };
  candles.open.forEach((price, i) => {
    const open = price * shift();
    marks.open[i] = open;
    marks.high[i] = Math.max(open, candles.high[i]! * shift());
    marks.low[i] = Math.min(open, candles.low[i]! * shift());
  });
  return marks;
}
