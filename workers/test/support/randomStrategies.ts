import { intervalMs, type IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { randomParameters } from '@sextant/engine-as/test/randomParameters.ts';
import type { Candles } from '../../src/protocol/backtest.ts';
import type { StrategyInput } from '../../src/protocol/strategy.ts';
import { ensembleVoteIds } from '../../src/core/ensembleVotes.ts';
import { type Random, randomCandles, randomCosts, randomExits, seededRandom } from './randomRuns.ts';

/** Seeded strategies with their candles, the same in every thread and browser. */

export const STRATEGY_SEED = 20_261_123;
export const STRATEGY_CANDLES = 420;
export const STRATEGY_SCORED = 200;
/** The votes of most cases are defined on the candles of their longest interval. */
const LOOK_BACK_MAX = 30;

/** A series that covers the base's candles and starts `early` candles before them. */
export function contextOf(random: Random, base: Candles, interval: IntervalName, early: number): Candles {
  const stepMs = intervalMs[interval];
  const spanMs = (base.time.at(-1) ?? 0) - (base.time[0] ?? 0);
  const length = early + Math.ceil(spanMs / stepMs) + 1;
  const candles = randomCandles(random, length, stepMs);
  const from = Math.floor((base.time[0] ?? 0) / stepMs) * stepMs - early * stepMs;
  return { ...candles, time: candles.time.map((_, i) => from + i * stepMs) };
}

function randomStrategy(random: Random): Strategy {
  const beside = (['1h', '4h'] as const).filter(() => random() < 0.5);
  const weight = (): number => (random() < 0.3 ? 0 : Math.round((random() * 4 - 2) * 200) / 200);
  return {
    ...randomExits(random),
    intervals: [
      { interval: '15m', weight: 1 },
      ...beside.map((interval) => ({ interval, weight: Math.round(random() * 20) / 10 })),
    ],
    weights: Object.fromEntries(ensembleVoteIds.map((id) => [id, weight()])),
    entryThreshold: 0.03 + Math.round(random() * 30) / 100,
    ...(random() < 0.75 && { parameters: randomParameters(random, LOOK_BACK_MAX) }),
  };
}

/** Case `index` of `seed`, limited to live positions: no slippage, no funding, unlimited equity. */
export function randomStrategyInput(seed: number, index: number): StrategyInput {
  const random = seededRandom(seed + 7919 * index);
  const candles = randomCandles(random, STRATEGY_CANDLES, intervalMs['15m']);
  const strategy = randomStrategy(random);
  strategy.sizing.isCompounding = false;
  const context = strategy.intervals.slice(1).map(({ interval }) => contextOf(random, candles, interval, 100));
  const costs = { ...randomCosts(random, candles), slippageFraction: 0, initialEquity: 1e9 };
  if (costs.tickSize !== undefined) costs.tickSize = 0.01; // prices of a market lie on its ticks
  delete costs.funding;
  delete costs.tiers;
  const input: StrategyInput = { candles, context, strategy, costs, scoredCount: STRATEGY_SCORED };
  if (random() < 0.5) input.news = Int8Array.from(candles.time, () => Math.floor(random() * 3) - 1);
  return input;
}
