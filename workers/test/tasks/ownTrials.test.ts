import { beforeAll, describe, expect, it } from 'vitest';
import type { HonestyResult } from '../../src/protocol/honesty.ts';
import type { OptimizeInput, OptimizeResult } from '../../src/protocol/optimize.ts';
import type { TaskResult } from '../../src/protocol/taskResult.ts';
import { defaultCosts, defaultWeights } from '../../src/protocol/wire/defaults.ts';
import { runTask, startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { ownParameters } from '../../src/tasks/optimize/parameters.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { market } from '../support/markets.ts';
import { ownStrategy } from '../support/ownRules.ts';

let engine: TaskEngine;
beforeAll(async () => {
  engine = startEngine(await testEngine());
}, engineTimeoutMs);

function valueOf<T>(result: TaskResult<T>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}
const resultOf = (input: OptimizeInput): OptimizeResult =>
  valueOf(runTask(engine, { name: 'optimize', input }) as TaskResult<OptimizeResult>);

/** A search over rules needs none. */
const params = {
  weights: defaultWeights,
  entryThreshold: 0.1,
  stopLossFraction: 0.02,
  takeProfitFraction: 0.04,
  trailing: { enabled: false, callbackFraction: 0.005, stepFraction: 0.0025 },
};
const shared = {
  candles: market(1200, 5, { trend: 0.25 }),
  costs: defaultCosts,
  scoredCount: 500,
  samples: 50,
  target: 'pnl',
  seed: 11,
} as const;

describe('trials of a search over few sets', () => {
  it.each([
    ['n = 12 [5..15 step 1]', 11],
    // Three of the grid, and the text's own beside it.
    ['n = 6 [5..9 step 2]', 4],
    ['n = 5 [5..9 step 2]\nm = 30 [30..33 step 1]', 12],
  ])('RULE-203 counts the sets of `%s` once, however often they are drawn', (ranges, count) => {
    const second = ranges.includes('m =') ? 'm' : '30';
    const few = ownStrategy(
      `${ranges}\nlong when crossover(ema(close, n), ema(close, ${second}))\nstop 2 %; target 4 %`,
      '15m',
    );
    const search = { params, ...shared, rules: { strategy: few, context: [] } };
    const whole = resultOf({ ...search, withSets: true });
    const sets = [...whole.sets!.trials, ...whole.sets!.refined];
    const length = ownParameters(few).length;
    const drawn = Array.from({ length: sets.length / length }, (_, i) =>
      sets.slice(i * length, (i + 1) * length).join(),
    );
    expect(drawn.length).toBeGreaterThan(50);
    expect(new Set(drawn).size).toBe(count);
    expect(whole.trialCount).toBe(count);
    const judge = (earlierTrialCount: number): HonestyResult =>
      valueOf(
        runTask(engine, {
          name: 'honesty',
          input: { kind: 'search', search, earlierTrialCount },
        }) as TaskResult<HonestyResult>,
      );
    expect([judge(0).trialCount, judge(7).trialCount]).toEqual([count, count + 7]);
    const effective = judge(0).figures.find(({ id }) => id === 'effectiveTrials')!.value;
    expect(effective).toBeLessThanOrEqual(count);
  });
});
