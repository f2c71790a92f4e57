import { beforeAll, describe, expect, it } from 'vitest';
import type { Candles, Costs } from '../../src/protocol/backtest.ts';
import type { HonestyResult } from '../../src/protocol/honesty.ts';
import type { TaskResult } from '../../src/protocol/taskResult.ts';
import { defaultCosts, defaultWeights } from '../../src/protocol/wire/defaults.ts';
import { runTask, startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { ownStrategy } from '../support/ownRules.ts';
import { carried, endingAt, noises, pureNoise, timedDay, type World } from '../support/plantedWorlds.ts';
import { seeds, shareOf } from '../support/statistics.ts';

/** Markets whose truth is planted, searched by own rules with ranges. Measured rates of all seeds: docs/honesty.md. */

let engine: TaskEngine;
beforeAll(async () => {
  engine = startEngine(await testEngine());
}, engineTimeoutMs);

const world: World = { count: 1200, stepMs: 3_600_000, deviation: 0.01 };
const SCORED = 500;

const params = {
  weights: defaultWeights,
  entryThreshold: 0.1,
  stopLossFraction: 0.02,
  takeProfitFraction: 0.04,
  trailing: { enabled: false, callbackFraction: 0.005, stepFraction: 0.0025 },
};

const byHour = `start = 12 [0..19 step 1]; length = 2 [1..4 step 1]
long when hour in start..start + length
exit long when not (hour in start..start + length)
stop 5 %; target 10 %; size fixed`;

const byFunding = `x = 0.0003 [0..0.0008 step 0.00002]; bars = 8 [4..24 step 4]
long when funding < 0 - x
short when funding > x
exit long when funding > 0 - x
exit short when funding < x
hold bars; stop 5 %; target 10 %; size fixed`;

const byAverages = `fast = 8 [3..20 step 1]; slow = 40 [24..90 step 3]; least = 30 [10..50 step 1]
long when crossover(ema(close, fast), ema(close, slow)) or rsi(14) < least
short when crossunder(ema(close, fast), ema(close, slow)) or rsi(14) > 100 - least
stop 2 * atr(14); target 2R`;

type Level = HonestyResult['reading']['level'];

function levelOf(text: string, candles: Candles, seed: number, more: Partial<Costs> = {}): Level {
  const costs = { ...defaultCosts, ...more };
  const rules = { strategy: ownStrategy(text, '1h'), context: [] };
  const search = { candles, params, costs, rules, scoredCount: SCORED, samples: 200, target: 'pnl' as const, seed };
  const result = runTask(engine, { name: 'honesty', input: { kind: 'search', search } }) as TaskResult<HonestyResult>;
  if (!result.ok) throw new Error(result.error.message);
  return result.value.reading.level;
}

/** Printed, for the table of docs/honesty.md. */
function report(name: string, levels: readonly Level[]): void {
  const tally = [...Map.groupBy(levels, (level) => level)].map(([level, all]) => `${level} ${all.length}`);
  process.stdout.write(`own rules, ${name}: ${tally.join(', ')}\n`);
}

const timed = (seed: number): Candles => timedDay(world, 840_000 + seed, { fromHour: seed % 20, hours: 4, drift: 0.4 });
const paid = (seed: number): ReturnType<typeof carried> =>
  carried(world, 850_000 + seed, { beyond: 0.0002, drift: 0.25 });
const noiseOf = (seed: number, at: number): Candles =>
  pureNoise(world, 860_000 + seed, noises[at % noises.length] ?? 'normal');

describe('own rules searched with 200 sets', () => {
  it('RULE-026 find hours in which prices rise: they hold up in at least 60 %', () => {
    const levels = seeds(40, 8).map((seed) => levelOf(byHour, timed(seed), seed + 1));
    report('hours', levels);
    expect(shareOf(levels, 'holds up')).toBeGreaterThanOrEqual(0.6);
  }, 300_000);

  it('RULE-026 find prices that turn against the funding: they hold up in at least 60 %', () => {
    const levels = seeds(40, 8).map((seed) => {
      const { candles, funding } = paid(seed);
      return levelOf(byFunding, candles, seed + 1, { funding, fundingSource: 'history' });
    });
    report('funding', levels);
    expect(shareOf(levels, 'holds up')).toBeGreaterThanOrEqual(0.6);
  }, 300_000);

  it('RULE-026 read that an edge which died before the unseen candles holds up in at most 2 %', () => {
    const levels = seeds(100, 10).map((seed, at) => {
      const noise = noiseOf(seed, at);
      if (at % 2 === 0) return levelOf(byHour, endingAt(timed(seed), noise, world.count - SCORED), seed + 1);
      const { candles, funding } = paid(seed);
      const dead = endingAt(candles, noise, world.count - SCORED);
      return levelOf(byFunding, dead, seed + 1, { funding, fundingSource: 'history' });
    });
    report('dead edges', levels);
    expect(shareOf(levels, 'holds up')).toBeLessThanOrEqual(0.02);
  }, 600_000);

  it('RULE-026 read that noise holds up in at most 1 % of markets', () => {
    const levels = seeds(400, 20).map((seed, at) => {
      const candles = noiseOf(100_000 + seed, at);
      const { funding } = paid(seed);
      const text = [byHour, byFunding, byAverages][at % 3] ?? byHour;
      return levelOf(text, candles, seed + 1, { funding, fundingSource: 'history' });
    });
    report('noise', levels);
    expect(shareOf(levels, 'holds up')).toBeLessThanOrEqual(0.01);
  }, 600_000);
});
