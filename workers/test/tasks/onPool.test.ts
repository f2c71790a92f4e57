import { SET_LENGTH } from '@sextant/engine-as/abi/optimize.ts';
import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TaskResult } from '../../src/protocol/taskResult.ts';
import type { EnginePool } from '../../src/protocol/tasks.ts';
import type { OptimizeInput, OptimizeResult } from '../../src/protocol/optimize.ts';
import { runTask, startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { chunkCount, finishOnPool, joinRefined, searchOnPool } from '../../src/tasks/optimize/onPool.ts';
import { bestOfParts } from '../../src/tasks/optimize/parts.ts';
import { hashTrials } from '../../src/tasks/optimize/trialsHash.ts';
import { defaultCosts, defaultWeights } from '../../src/protocol/wire/defaults.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { market } from '../support/markets.ts';

let engine: TaskEngine;
/** Runs each task at once, and records the inputs. */
let requested: Partial<OptimizeInput>[] = [];
const pool: EnginePool = {
  run: (name, input) => {
    requested.push(input as Partial<OptimizeInput>);
    return Promise.resolve(runTask(engine, { name, input } as never) as never);
  },
  close: () => Promise.resolve(),
  threads: 2,
};
beforeAll(async () => {
  engine = startEngine(await testEngine());
}, engineTimeoutMs);

const SAMPLES = 9700;
const input = (more: Partial<OptimizeInput>): OptimizeInput => ({
  candles: market(700, 5, { trend: 0.3 }),
  params: {
    weights: { ...defaultWeights },
    entryThreshold: 0.08,
    stopLossFraction: 0.02,
    takeProfitFraction: 0.04,
    trailing: { enabled: false, callbackFraction: 0.005, stepFraction: 0.0025 },
  },
  costs: { ...defaultCosts },
  scoredCount: 300,
  samples: SAMPLES,
  target: 'pnl',
  seed: 9,
  ...more,
});

describe('a search on a pool', () => {
  it.each([
    ['refined', {}],
    ['guided', { guide: true }],
    ['samples alone', { refine: false }],
    ['that nothing can rank', { space: { entryThreshold: { min: 1, max: 1 }, weight: { min: 0, max: 0 } } }],
    ['one call', { samples: 701 }],
    ['two chunks of samples', { samples: 1201, guide: true }],
    [
      'two chunks, walked forward',
      { samples: 1201, walkForward: { kind: 'anchored', folds: 2, purgeBars: 5, embargoBars: 5 } },
    ],
    ['two chunks that nothing can rank', { samples: 1201, space: { weight: { min: 0, max: 0 } } }],
  ] as const)('gives every trial and the best of the search in one piece, to the bit: %s', async (_, more) => {
    requested = [];
    const request = input(more);
    const searched = await searchOnPool(pool, request, { signal: new AbortController().signal });
    const [parts, last] = [searched.parts, joinRefined(searched)];
    const whole = runTask(engine, {
      name: 'optimize',
      input: { ...request, withSets: true },
    }) as TaskResult<OptimizeResult>;
    if (!whole.ok) throw new Error(whole.error.message);
    expect(
      hashTrials(
        parts.map(({ trials }) => trials),
        last.refined,
      ),
    ).toBe(hashTrials([whole.value.trials], whole.value.refined));
    expect(last.trialCount).toBe(whole.value.trialCount);
    expect(last.sets?.refined).toEqual(whole.value.sets?.refined);
    expect(last.best).toEqual(whole.value.best);
    expect(last.leaders).toEqual(whole.value.leaders);
    expect(last.walkForward).toEqual(whole.value.walkForward);
    const sets = parts.flatMap((part) => [...(part.sets?.trials ?? [])]);
    expect(sets).toEqual([...(whole.value.sets?.trials ?? [])]);
  });

  const rules = { strategy: liveRules(['15m']), context: [] };
  const turned = { ...rules, space: { weight: { min: -2, max: 2 } } };
  it.each([
    ['in one call', { samples: 99, rules }],
    ['in chunks of samples', { samples: 301, rules, target: 'sortino' }],
    ['with each round in chunks, guided', { samples: 4001, rules: turned, guide: true }],
    [
      'walked forward',
      { samples: 601, rules, walkForward: { kind: 'rolling', folds: 2, purgeBars: 5, embargoBars: 5 } },
    ],
    ['that nothing can rank', { samples: 601, rules: { ...rules, space: { weight: { min: 0, max: 0 } } } }],
  ] as const)('gives the search over rules in one piece, to the bit: %s', async (_, more) => {
    const request = input(more);
    const done: number[] = [];
    const watch = { signal: new AbortController().signal, onDone: (sets: number) => done.push(sets) };
    const searched = await searchOnPool(pool, request, watch);
    const [parts, last] = [searched.parts, joinRefined(searched)];
    const whole = runTask(engine, {
      name: 'optimize',
      input: { ...request, withSets: true },
    }) as TaskResult<OptimizeResult>;
    if (!whole.ok) throw new Error(whole.error.message);
    const trials = parts.map((part) => part.trials);
    expect(hashTrials(trials, last.refined)).toBe(hashTrials([whole.value.trials], whole.value.refined));
    const { sets, best, leaders, walkForward, trialCount } = whole.value;
    expect(last.sets?.refined).toEqual(sets?.refined);
    expect(parts.flatMap((part) => [...(part.sets?.trials ?? [])])).toEqual([...(sets?.trials ?? [])]);
    expect([last.best, last.leaders, last.walkForward, last.trialCount]).toEqual([
      best,
      leaders,
      walkForward,
      trialCount,
    ]);
    expect(last.best?.strategy?.intervals).toEqual(rules.strategy.intervals);
    if (parts.length > 1) expect(done.at(-1)).toBe(request.samples);
  });

  it('is finished from the best indices of samples that were run elsewhere, to the bit', async () => {
    const walkForward = { kind: 'rolling', folds: 2, purgeBars: 5, embargoBars: 5 } as const;
    const request = input({ walkForward });
    const whole = runTask(engine, { name: 'optimize', input: request }) as TaskResult<OptimizeResult>;
    if (!whole.ok) throw new Error(whole.error.message);
    requested = [];
    const { signal } = new AbortController();
    const indices = bestOfParts([whole.value], 5).reverse();
    const last = await finishOnPool(pool, request, indices, { signal });
    const { best, refined, leaders, trialCount, walkForward: walked } = whole.value;
    expect(last).toMatchObject({ best, refined, leaders, trialCount, walkForward: walked });
    // Each of the four rounds is shared out.
    expect(requested.filter(({ generation }) => generation !== undefined)).toHaveLength(8);
  });

  it('finishes a search over rules from the best indices, guided and walked forward, to the bit', async () => {
    const walkForward = { kind: 'anchored', folds: 2, purgeBars: 5, embargoBars: 5 } as const;
    const request = input({ samples: 601, rules: turned, guide: true, walkForward });
    const whole = runTask(engine, { name: 'optimize', input: request }) as TaskResult<OptimizeResult>;
    if (!whole.ok) throw new Error(whole.error.message);
    const indices = bestOfParts([whole.value], 5).reverse();
    const last = await finishOnPool(pool, request, indices, { signal: new AbortController().signal });
    const { best, refined, leaders, trialCount, walkForward: walked } = whole.value;
    expect(last).toMatchObject({ best, refined, leaders, trialCount, walkForward: walked });
    expect(best?.strategy).toBeDefined();
  });

  it.each([
    [400, 700, 2, 1],
    // A search as the page makes it is two halves, however many threads there are: a third would cost more than it gains.
    [799, 1200, 2, 1],
    [1000, 1200, 2, 2],
    [1000, 1200, 7, 2],
    [4000, 1200, 7, 7],
    [20_000, 1200, 2, 4],
    [100_000, 1200, 2, 20],
    // A long history: chunks of 1,000 sets, so that a short question does not wait for seconds.
    [20_000, 100_000, 2, 20],
    [20_000, 1200, 1, 4],
  ])(
    'is cut for its size and the threads: %i sets on %i candles and %i threads into %i',
    (total, bars, threads, cut) => {
      const candles = { ...input({}).candles, time: new Float64Array(bars) };
      expect(chunkCount({ pool: { ...pool, threads }, input: input({ candles }) }, total)).toBe(cut);
    },
  );

  it.each([
    // 15 minutes in each candle: a call is worth it from 1,000 sets on.
    [1000, 15, 1],
    [2400, 15, 2],
    [100_000, 15, 20],
    // 240 minutes: from 10,000 sets on.
    [4001, 240, 1],
    [20_400, 240, 2],
    [100_000, 240, 10],
  ])(
    'is cut into larger chunks where finer candles go with each: %i sets, %i in a candle, into %i',
    (total, parts, cut) => {
      const candles = { ...input({}).candles, time: new Float64Array(1200) };
      const fineCandles = { ...candles, time: new Float64Array(1200 * parts) };
      expect(chunkCount({ pool, input: input({ candles, fineCandles }) }, total)).toBe(cut);
    },
  );

  it('shares a round out over the threads, and leaves a small generation to one of them', async () => {
    requested = [];
    await searchOnPool(pool, input({ guide: true }), { signal: new AbortController().signal });
    const sizes = new Map<number, number[]>();
    for (const { generation } of requested) {
      if (generation === undefined) continue;
      const { first } = generation.draw;
      sizes.set(first, [...(sizes.get(first) ?? []), generation.count]);
    }
    expect(sizes.size).toBe(4 + 20);
    expect([...sizes.values()].map(({ length }) => length)).toEqual([2, 2, 2, 2, ...Array<number>(20).fill(1)]);
    for (const counts of sizes.values()) expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  });

  it('makes as many sets again when it is guided, whatever the number of samples', async () => {
    const last = joinRefined(
      await searchOnPool(pool, input({ guide: true }), { signal: new AbortController().signal }),
    );
    expect(last.trialCount).toBe(2 * SAMPLES);
    expect(last.sets?.refined.length).toBe(SET_LENGTH * SAMPLES);
  });

  it('rejects a finalist of another search', () => {
    const set = new Float64Array(SET_LENGTH);
    const finalist = { set, value: 7, origin: { kind: 'sample', index: 3 } as const, refinedCount: 0 };
    expect(runTask(engine, { name: 'optimize', input: input({ finalist }) })).toMatchObject({
      ok: false,
      error: { code: 'bad_input', field: 'finalist' },
    });
  });
});
