import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { HonestyResult } from '../../src/protocol/honesty.ts';
import type { OptimizeResult } from '../../src/protocol/optimize.ts';
import type { BacktestResult, Candles, StrategyParams } from '../../src/protocol/backtest.ts';
import type { TaskResult } from '../../src/protocol/taskResult.ts';
import { runTask, startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { defaultCosts, defaultWeights } from '../../src/protocol/wire/defaults.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { endingAt, meanReverting, noises, pureNoise, trending, type World } from '../support/plantedWorlds.ts';
import { seeds, shareOf } from '../support/statistics.ts';

/** Markets whose truth is planted, searched as the product does; `npm test` searches a tenth of them and a twentieth of the noise. Measured rates of all seeds: docs/honesty.md. */

let engine: TaskEngine;
beforeAll(async () => {
  engine = startEngine(await testEngine());
}, engineTimeoutMs);

const HOUR_MS = 3_600_000;
const HOURS_PER_YEAR = 365 * 24;
const world: World = { count: 1200, stepMs: HOUR_MS, deviation: 0.01 };
const SCORED = 500;

const own: StrategyParams = {
  weights: { ...defaultWeights },
  entryThreshold: 0.08,
  stopLossFraction: 0.02,
  takeProfitFraction: 0.04,
  trailing: { enabled: false, callbackFraction: 0.005, stepFraction: 0.0025 },
};

const rules = { strategy: liveRules(['1h']), context: [] };

function levelOf(
  candles: Candles,
  seed: number,
  samples: number,
  searched?: typeof rules,
): HonestyResult['reading']['level'] {
  const costs = { ...defaultCosts };
  const shared = { candles, params: own, costs, scoredCount: SCORED, samples, target: 'pnl' as const, seed };
  const search = searched === undefined ? shared : { ...shared, rules: searched };
  const result = runTask(engine, { name: 'honesty', input: { kind: 'search', search } }) as TaskResult<HonestyResult>;
  if (!result.ok) throw new Error(result.error.message);
  return result.value.reading.level;
}

/** Annual Sharpe ratio of the last 500 candles of a set that weighs the Bollinger vote only, from its equity at each close. */
function bollingerSharpe(candles: Candles): number {
  const weights = Object.fromEntries(Object.keys(defaultWeights).map((id) => [id, id === 'boll' ? 1 : 0]));
  const params = { ...own, weights, entryThreshold: 0.5, stopLossFraction: 0.05, takeProfitFraction: 0.02 };
  const input = { candles, params, costs: { ...defaultCosts }, scoredCount: SCORED };
  const result = runTask(engine, { name: 'backtest', input }) as TaskResult<BacktestResult>;
  if (!result.ok) throw new Error(result.error.message);
  const { equity } = result.value;
  const returns = equity.map((value, i) => value - (equity[i - 1] ?? defaultCosts.initialEquity));
  const mean = returns.reduce((sum, value) => sum + value, 0) / SCORED;
  const variance = returns.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (SCORED - 1);
  return (mean / Math.sqrt(variance)) * Math.sqrt(HOURS_PER_YEAR);
}

/** Half-lives of 3 to 10 candles in turn; only worlds in which reverting can be earned: the first `count` of them. */
function revertingWorlds(count: number): Candles[] {
  const matches: Candles[] = [];
  for (let i = 0; matches.length < count; i++) {
    const candles = meanReverting(world, 610_000 + i, 3 + (i % 8));
    if (bollingerSharpe(candles) > 15) matches.push(candles);
  }
  return matches;
}

describe('a search of 1,000 sets', () => {
  it('finds mean reversion of half-life 3 to 10 candles: it holds up in at least 60 % where Bollinger bands earn a Sharpe above 15', () => {
    const worlds = revertingWorlds(40);
    const levels = seeds(40, 10).map((seed) => levelOf(worlds[seed]!, seed + 1, 1000));
    expect(shareOf(levels, 'holds up')).toBeGreaterThanOrEqual(0.6);
  }, 300_000);

  it('finds trends of mean length 60 with a drift of 0.3 deviations: they hold up in at least 50 %', () => {
    const levels = seeds(40, 10).map((seed) =>
      levelOf(trending(world, 620_000 + seed, { meanLength: 60, drift: 0.3 }), seed + 1, 1000),
    );
    expect(shareOf(levels, 'holds up')).toBeGreaterThanOrEqual(0.5);
  }, 300_000);
});

describe('an edge that died before the unseen candles', () => {
  const dead = (at: number, seed: number): Candles => {
    const edge =
      at % 2 === 0
        ? meanReverting(world, 640_000 + seed, 3 + (at % 8))
        : trending(world, 640_000 + seed, { meanLength: 60, drift: 0.3 });
    return endingAt(edge, pureNoise(world, 650_000 + seed, noises[at % noises.length]!), world.count - SCORED);
  };

  it('holds up in at most 10 % of 60 worlds: unseen candles must confirm it by themselves', () => {
    const levels = seeds(60, 5).map((seed, at) => levelOf(dead(at, seed), seed + 1, 1000));
    expect(shareOf(levels, 'holds up')).toBeLessThanOrEqual(0.1);
  }, 300_000);
});

describe('a search of 1,000 sets of rules', () => {
  it('finds what earns unseen where prices return to their mean, in at least 80 % of the worlds', () => {
    const worlds = revertingWorlds(40);
    const earned = seeds(40, 10).map((seed) => unseenPnl(worlds[seed]!, seed + 1, 1000) > 0);
    expect(shareOf(earned, true)).toBeGreaterThanOrEqual(0.8);
  }, 300_000);

  it('finds mean reversion as Classic does: it holds up in at least 50 % of the same worlds, and few read luck', () => {
    const worlds = revertingWorlds(40);
    const levels = seeds(40, 10).map((seed) => levelOf(worlds[seed]!, seed + 1, 1000, rules));
    expect(shareOf(levels, 'holds up')).toBeGreaterThanOrEqual(0.5);
    expect(shareOf(levels, 'luck')).toBeLessThanOrEqual(0.25);
  }, 300_000);

  it('reads that noise holds up in at most 2 % of markets, with 200 sets', () => {
    const levels = seeds(100, 20).map((seed, at) =>
      levelOf(pureNoise(world, 630_000 + seed, noises[at % noises.length]!), seed + 1, 200, rules),
    );
    expect(shareOf(levels, 'holds up')).toBeLessThanOrEqual(0.02);
  }, 600_000);
});

/** Net PnL of the best set of a search over Live rules on unseen candles. */
function unseenPnl(candles: Candles, seed: number, samples: number): number {
  const shared = { candles, params: own, costs: { ...defaultCosts }, scoredCount: SCORED, target: 'pnl' } as const;
  const input = { ...shared, rules, samples, seed };
  const result = runTask(engine, { name: 'optimize', input }) as TaskResult<OptimizeResult>;
  if (!result.ok) throw new Error(result.error.message);
  return result.value.best?.scored.summary.netPnl ?? Number.NaN;
}

describe('a search of 200 sets', () => {
  it('reads that noise with fat tails and clusters holds up in at most 2 % of markets', () => {
    // One seed after the other is another kind of noise.
    const levels = seeds(400, 20).map((seed, at) =>
      levelOf(pureNoise(world, 630_000 + seed, noises[at % noises.length]!), seed + 1, 200),
    );
    expect(shareOf(levels, 'holds up')).toBeLessThanOrEqual(0.02);
  }, 600_000);
});
