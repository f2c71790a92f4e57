import { venueIds } from '@sextant/engine-as/abi/costs.ts';
import type { StrategyExits, StrategyLevel } from '@sextant/engine-as/abi/strategy.ts';
import type { BacktestInput, Candles, Costs, StrategyParams } from '../../src/protocol/backtest.ts';
import type { ReplayInput, SizeInput } from '../../src/protocol/positions.ts';
import { voteIds } from '../../src/protocol/wire/defaults.ts';

/**
 * Seeded backtest inputs, the same in every thread and browser: candles that gap, stand still and have no volume now and
 * then, parameters over the whole range of the product, and every cost rule.
 */

export type Random = () => number;

/** mulberry32: uniform in [0, 1), a pure function of the seed in integer arithmetic. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
const between = (random: Random, min: number, max: number): number => min + random() * (max - min);
/** Few decimals, as users type them: levels then meet prices exactly now and then. */
const rounded = (value: number, decimals: number): number => Number(value.toFixed(decimals));

/** `count` candles of `intervalMs` around a drifting price; no transcendental functions, so every platform makes the same. */
export function randomCandles(random: Random, count: number, intervalMs = 3_600_000): Candles {
  const time = new Float64Array(count);
  const [open, high, low, close, volume] = [1, 2, 3, 4, 5].map(() => new Float64Array(count)) as Five;
  const start = 1_735_689_600_000;
  const swing = between(random, 0.002, 0.03);
  let price = 100;
  for (let i = 0; i < count; i++) {
    time[i] = start + i * intervalMs;
    const isHalted = random() < 0.02;
    const gap = random() < 0.05 ? 1 + swing * (random() - 0.5) * 4 : 1;
    const first = rounded(Math.max(price * gap, 1), 2);
    const last = isHalted ? first : rounded(Math.max(first * (1 + swing * (random() + random() - 1)), 1), 2);
    open[i] = first;
    close[i] = last;
    high[i] = isHalted ? first : rounded(Math.max(first, last) * (1 + swing * random() * 0.7), 2);
    low[i] = isHalted ? first : rounded(Math.min(first, last) * (1 - swing * random() * 0.7), 2);
    high[i] = Math.max(high[i] ?? 0, first, last);
    low[i] = Math.min(low[i] ?? 0, first, last);
    volume[i] = isHalted ? 0 : rounded(between(random, 1, 1000), 3);
    price = last;
  }
  return { time, open, high, low, close, volume };
}

type Five = [
  Float64Array<ArrayBuffer>,
  Float64Array<ArrayBuffer>,
  Float64Array<ArrayBuffer>,
  Float64Array<ArrayBuffer>,
  Float64Array<ArrayBuffer>,
];

export function randomParams(random: Random): StrategyParams {
  const params: StrategyParams = {
    weights: Object.fromEntries(voteIds.map((id) => [id, Math.floor(random() * 21) / 10])),
    entryThreshold: rounded(between(random, 0.05, 0.6), 2),
    stopLossFraction: rounded(between(random, 0.001, 0.1), 3),
    takeProfitFraction: rounded(between(random, 0.001, 0.2), 3),
    trailing: {
      enabled: random() < 0.5,
      callbackFraction: rounded(between(random, 0.001, 0.05), 3),
      stepFraction: rounded(between(random, 0, 0.01), 4),
      mode: random() < 0.6 ? 'percent' : 'atr',
      atrMultiplier: rounded(between(random, 0.5, 4), 1),
      atrPeriod: Math.floor(between(random, 2, 30)),
      activationFraction: random() < 0.5 ? 0 : rounded(between(random, 0, 0.03), 3),
    },
  };
  if (random() < 0.3) params.holdingBarsMax = Math.floor(between(random, 1, 40));
  return params;
}

/** The decisions of a strategy beside the parameters, in every mode. */
export function randomExits(random: Random): StrategyExits {
  const level = (fraction: number): StrategyLevel =>
    random() < 0.6
      ? { mode: 'atr', multiple: rounded(between(random, 0.5, 6), 1) }
      : { mode: 'percent', fraction: rounded(between(random, 0.001, fraction), 3) };
  return {
    direction: pick(random, ['both', 'both', 'both', 'long', 'short']),
    stop: level(0.1),
    target: level(0.2),
    atrPeriod: Math.floor(between(random, 2, 30)),
    trailing: {
      mode: pick(random, ['off', 'percent', 'atr']),
      callbackFraction: rounded(between(random, 0.001, 0.05), 3),
      stepFraction: rounded(between(random, 0, 0.01), 4),
      atrMultiple: rounded(between(random, 0.5, 4), 1),
      activationFraction: random() < 0.5 ? 0 : rounded(between(random, 0, 0.03), 3),
    },
    breakEvenR: random() < 0.5 ? 0 : rounded(between(random, 0.2, 3), 1),
    onOpposite: pick(random, ['hold', 'exit', 'reverse']),
    holdingBarsMax: random() < 0.7 ? 0 : Math.floor(between(random, 1, 40)),
    sizing: {
      mode: pick(random, ['fixed', 'risk']),
      riskFraction: rounded(between(random, 0.001, 0.05), 3),
      isCompounding: random() < 0.4,
    },
  };
}

export function randomCosts(random: Random, candles: Candles): Costs {
  const costs: Costs = {
    takerFeeFraction: pick(random, [0, 0.0005, 0.001]),
    makerFeeFraction: pick(random, [-0.0001, 0, 0.0002]),
    slippageFraction: pick(random, [0, 0.0001, 0.002]),
    stopSlippageFraction: pick(random, [0, 0.0002, 0.003]),
    takeProfitOrder: pick(random, ['market', 'limit']),
    initialEquity: pick(random, [10_000, 100_000, 1000]),
    notional: pick(random, [250, 1000, 5000]),
    leverage: pick(random, [1, 2, 5, 10, 20, 50, 100]),
    maintenanceMarginFraction: pick(random, [0.004, 0.005]),
    liquidationModel: pick(random, ['binance', 'bybit', 'okx']),
  };
  if (random() < 0.6) costs.funding = randomFunding(random, candles);
  if (random() < 0.3) costs.tickSize = pick(random, [0.01, 0.1]);
  if (random() < 0.3) costs.stepSize = pick(random, [0.001, 0.1]);
  if (random() < 0.2) costs.minNotional = pick(random, [5, 249.9]);
  if (random() < 0.3) costs.tiers = tiers;
  return costs;
}

/** Amounts join the tiers up: at 1000, 1000 * (0.01 - 0.004) = 6; at 3000, 6 + 3000 * (0.025 - 0.01) = 51. */
const tiers = [
  { notionalFloor: 0, maintenanceMarginFraction: 0.004, maintenanceAmount: 0, leverageMax: 125 },
  { notionalFloor: 1000, maintenanceMarginFraction: 0.01, maintenanceAmount: 6, leverageMax: 100 },
  { notionalFloor: 3000, maintenanceMarginFraction: 0.025, maintenanceAmount: 51, leverageMax: 20 },
];

function randomFunding(random: Random, { time, close }: Candles): NonNullable<Costs['funding']> {
  const stamps: number[] = [];
  const stepMs = pick(random, [3_600_000, 4 * 3_600_000, 8 * 3_600_000, 90 * 60_000]);
  const last = time[time.length - 1] ?? 0;
  for (let stamp = time[0] ?? 0; stamp <= last; stamp += stepMs) stamps.push(stamp + Math.floor(random() * 20));
  const rate = Float64Array.from(stamps, () => rounded(between(random, -0.001, 0.001), 6));
  if (random() < 0.5) return { time: Float64Array.from(stamps), rate };
  const mark = Float64Array.from(stamps, (_, i) => rounded((close[i] ?? 100) * between(random, 0.99, 1.01), 2));
  return { time: Float64Array.from(stamps), rate, mark };
}

/** Case `index` of `seed`: a pure function of both, so that any case can be run again alone. */
export function randomBacktest(seed: number, index: number, count = 300): BacktestInput {
  const random = seededRandom(seed * 1_000_003 + index);
  const candles = randomCandles(random, count);
  const costs = randomCosts(random, candles);
  const params = randomParams(random);
  const input: BacktestInput = { candles, params, costs, scoredCount: Math.floor(between(random, count / 2, count)) };
  if (random() < 0.3) input.markPrices = randomMarks(random, candles);
  input.costs = { ...costs, ...randomAssumptions(random) };
  // After all other draws, so that those are unchanged.
  if (random() < 0.3) input.costs.impactCoefficient = pick(random, [0.1, 1, 20]);
  if (random() < 0.3) input.costs.turnoverShareMax = pick(random, [0.001, 0.02, 0.5]);
  return input;
}

/** Which of two levels comes first in a candle that holds both, and what is charged as funding. */
function randomAssumptions(random: Random): Pick<Costs, 'sameBar' | 'fundingSource' | 'assumedFundingFraction'> {
  const sameBar = random() < 0.4 ? 'target' : 'stop';
  const source = random();
  if (source >= 0.3) return { sameBar };
  const assumedFundingFraction = Math.round((random() - 0.5) * 40) / 10_000;
  return { sameBar, fundingSource: source < 0.1 ? 'off' : 'assumed', assumedFundingFraction };
}

function randomMarks(random: Random, { open, high, low }: Candles): NonNullable<BacktestInput['markPrices']> {
  const shift = between(random, -0.003, 0.003);
  const moved = (column: Float64Array): Float64Array => column.map((price) => rounded(price * (1 + shift), 3));
  return { open: moved(open), high: moved(high), low: moved(low) };
}

/** A what-if sized by its risk: what is sized, and the candles on which it is replayed. */
export interface WhatIfCase {
  sizing: SizeInput;
  replay: Omit<ReplayInput, 'position'>;
}

export function randomWhatIf(seed: number, index: number): WhatIfCase {
  const random = seededRandom(seed + index * 7919);
  const candles = randomCandles(random, 200, 60_000);
  const entryPrice = candles.open[0] ?? 100;
  const side = pick(random, ['LONG', 'SHORT'] as const);
  const way = side === 'LONG' ? 1 : -1;
  const balanceUsdt = rounded(between(random, 50, 5000), 2);
  const position = {
    id: `w${index}`,
    side,
    entryTimeMs: (candles.time[0] ?? 0) - 1000,
    entryPrice,
    quantity: 1,
    leverage: Math.round(between(random, 1, 50)),
    stopPrice: entryPrice * (1 - way * between(random, 0.002, 0.06)),
    targetPrice: entryPrice * (1 + way * between(random, 0.002, 0.08)),
    liquidationPrice: null,
    bestPrice: entryPrice,
    isArmed: false,
    tickSize: pick(random, [0, 0.01, 0.1]),
    takerFeeFraction: 0.0005,
    trailing: pick(random, [
      { mode: 'off' },
      { mode: 'percent', callbackFraction: 0.005, stepFraction: 0.0025, activationFraction: 0.01 },
    ] as const),
    atr: null,
  };
  const account = {
    mode: 'risk' as const,
    balanceUsdt,
    riskFraction: rounded(between(random, 0.001, 0.05), 4),
    baseUsdt: balanceUsdt,
    freeUsdt: balanceUsdt,
  };
  const market = {
    tickSize: 0.01,
    stepSize: pick(random, [0.001, 0.1, 0]),
    minNotional: 5,
    maxQuantity: 0,
    maxLeverage: 25,
  };
  const exchange = pick(random, venueIds);
  return { sizing: { position, exchange, account, market }, replay: { candles, spanMs: 60_000, ranges: null } };
}
