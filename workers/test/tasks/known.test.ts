import { beforeAll, describe, expect, it } from 'vitest';
import type { HonestyResult } from '../../src/protocol/honesty.ts';
import type { OptimizeInput, OptimizeResult, OptimizeTarget } from '../../src/protocol/optimize.ts';
import type { TaskResult } from '../../src/protocol/taskResult.ts';
import { runTask, startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { defaultCosts, defaultWeights } from '../../src/protocol/wire/defaults.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { market } from '../support/markets.ts';

let engine: TaskEngine;
beforeAll(async () => {
  engine = startEngine(await testEngine());
}, engineTimeoutMs);

const candles = market(1200, 5);

const inputOf = (more: Partial<OptimizeInput> = {}): OptimizeInput => ({
  candles,
  params: {
    weights: { ...defaultWeights },
    entryThreshold: 0.08,
    stopLossFraction: 0.02,
    takeProfitFraction: 0.04,
    trailing: { enabled: false, callbackFraction: 0.005, stepFraction: 0.0025 },
  },
  costs: { ...defaultCosts },
  scoredCount: 500,
  samples: 80,
  target: 'pnl',
  seed: 9,
  withSets: true,
  ...more,
});

const run = (input: OptimizeInput): TaskResult<OptimizeResult> =>
  runTask(engine, { name: 'optimize', input }) as TaskResult<OptimizeResult>;
const judge = (input: OptimizeInput): TaskResult<HonestyResult> =>
  runTask(engine, { name: 'honesty', input: { kind: 'search', search: input } }) as TaskResult<HonestyResult>;

function resultOf(input: OptimizeInput): OptimizeResult {
  const result = run(input);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

const knownOf = ({ trials, refined }: OptimizeResult) => ({ samples: trials.value, refined: refined.value });

describe('a search whose values are known', () => {
  it.each<[OptimizeTarget, Partial<OptimizeInput>]>([
    ['pnl', {}],
    ['expectancy', { seed: 4, trainOn: 'scored' }],
    ['sharpe', { seed: 2, refine: false }],
    ['winRate', { space: { entryThreshold: { min: 1, max: 1 } } }],
  ])('gives the same sets, best and verdict without searching again, by %s', (target, more) => {
    const input = inputOf({ target, ...more });
    const whole = resultOf(input);
    const known = knownOf(whole);
    const again = resultOf({ ...input, known });
    expect(again.sets).toEqual(whole.sets);
    expect(again.best).toEqual(whole.best);
    expect(again.leaders).toEqual(whole.leaders);
    expect(again.trialCount).toBe(whole.trialCount);
    expect(again.trials.netPnl).toHaveLength(0);
    expect(judge({ ...input, known })).toEqual(judge(input));
  });

  it('is rejected with values of another search, or with too few of them', () => {
    const known = knownOf(resultOf(inputOf()));
    expect(run(inputOf({ seed: 10, known }))).toMatchObject({
      ok: false,
      error: { code: 'bad_input', field: 'known' },
    });
    const fewer = { ...known, refined: known.refined.slice(1) };
    expect(run(inputOf({ known: fewer }))).toMatchObject({
      ok: false,
      error: { message: 'known.refined holds 79 values, this search has 80' },
    });
    const flattered = { ...known, refined: known.refined.map((value, i) => (i === 3 ? 1e9 : value)) };
    expect(judge(inputOf({ known: flattered }))).toMatchObject({
      ok: false,
      error: {
        message: 'search.known is of another search: trial 3 does not have the value given',
        field: 'search.known',
      },
    });
  });
});
