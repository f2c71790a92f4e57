import { beforeAll, describe, expect, it } from 'vitest';
import { RESULT_LENGTH, RESULT_NET_PNL, RESULT_VALUE } from '@sextant/engine-as/abi/optimize.ts';
import type { BacktestResult } from '../../src/protocol/backtest.ts';
import type { HonestyResult } from '../../src/protocol/honesty.ts';
import type { OptimizeInput, OptimizeResult } from '../../src/protocol/optimize.ts';
import type { StrategyInput } from '../../src/protocol/strategy.ts';
import type { TaskResult } from '../../src/protocol/taskResult.ts';
import type { EnginePool } from '../../src/protocol/tasks.ts';
import { defaultCosts, defaultWeights } from '../../src/protocol/wire/defaults.ts';
import { runTask, startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { prepareSearch } from '../../src/tasks/optimize.ts';
import { chunkCount, finishOnPool, joinRefined, searchOnPool } from '../../src/tasks/optimize/onPool.ts';
import { ownParameters, parameterOf, setOf } from '../../src/tasks/optimize/parameters.ts';
import { bestOfParts } from '../../src/tasks/optimize/parts.ts';
import { atOneSize } from '../../src/tasks/optimize/rulesEvaluator.ts';
import { ownSpaceOf, unpackOwn } from '../../src/tasks/optimize/ownSpace.ts';
import { setCostIn } from '../../src/tasks/optimize/setCost.ts';
import { rowAt, runSets, sampleSets } from '../../src/tasks/optimize/search.ts';
import { hashTrials } from '../../src/tasks/optimize/trialsHash.ts';
import { differences } from '../../src/tasks/optimize/verify.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { market } from '../support/markets.ts';
import { cutRun, ownStrategy, randomOwnRun } from '../support/ownRules.ts';
import { seededRandom } from '../support/randomRuns.ts';

let engine: TaskEngine;
beforeAll(async () => {
  engine = startEngine(await testEngine());
}, engineTimeoutMs);

/** A search over rules needs none. */
const params = {
  weights: defaultWeights,
  entryThreshold: 0.1,
  stopLossFraction: 0.02,
  takeProfitFraction: 0.04,
  trailing: { enabled: false, callbackFraction: 0.005, stepFraction: 0.0025 },
};
type Request = Omit<OptimizeInput, 'params'>;
const searched = (input: Request): TaskResult<OptimizeResult> =>
  runTask(engine, { name: 'optimize', input: { params, ...input } }) as TaskResult<OptimizeResult>;

function valueOf<T>(result: TaskResult<T>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}
const resultOf = (input: Request): OptimizeResult => valueOf(searched(input));
const ranAlone = (input: StrategyInput): BacktestResult =>
  valueOf(runTask(engine, { name: 'backtestStrategy', input }) as TaskResult<BacktestResult>);

const text = `fast = 7 [3..20 step 1]; slow = 30 [21..60 step 3] # averages
level = 60 [50..70 step 0.5]
long when crossover(ema(close, fast), ema(close, slow)) and rsi(14) < level
short when crossunder(ema(close, fast), ema(close, slow))
exit long when rsi(14) > 100 - level and close < ema(close, fast)
stop 2 %; target 4 %; risk 1 %`;
const strategy = ownStrategy(text, '15m');
const rules = { strategy, context: [] };
const candles = market(1200, 5, { trend: 0.25 });
const shared = {
  candles,
  costs: defaultCosts,
  scoredCount: 500,
  samples: 120,
  target: 'pnl',
  seed: 11,
  rules,
} as const;
const parameters = ownParameters(strategy);
const rowOf = (sets: Float64Array, trial: number): number[] =>
  parameters.map((parameter) => parameterOf(sets, trial, parameter));

const isSame = (a: number | null | undefined, b: number | null | undefined): boolean =>
  Object.is(a ?? Number.NaN, b ?? Number.NaN);

describe('a set of own rules in a search', () => {
  it.each(Array.from({ length: 40 }, (_, index) => index))(
    'RULE-020 is the backtest of the text with its values at one size to the bit, case %i of 40 with 10 sets each',
    (index) => {
      const run = randomOwnRun(seededRandom(20_260_929 + 7919 * index), 1000);
      const target = index % 2 === 0 ? 'pnl' : 'sharpe';
      const { strategy: own, context, news, ...rest } = run;
      const ranged = { strategy: own, context, ...(news && { news }) };
      const trainOn = index % 3 === 0 ? 'scored' : 'earlier';
      const request = { ...rest, samples: 10, seed: index, target, rules: ranged, trainOn } as const;
      const outcome = searched({ ...request, withSets: true, refine: false });
      const { trials, sets, train } = valueOf(outcome);
      for (let trial = 0; trial < 10; trial++) {
        const set = setOf(sets!.trials, trial, ownParameters(own).length);
        const one = atOneSize(unpackOwn(set, own));
        const { summary } = ranAlone(cutRun({ ...run, strategy: one }, train.end, train.end - train.start));
        const pairs = {
          netPnl: [trials.netPnl[trial], summary.netPnl],
          tradeCount: [trials.tradeCount[trial], summary.tradeCount],
          winRate: [trials.winRate[trial], summary.winRate],
          profitFactor: [trials.profitFactor[trial], summary.profitFactor],
          ...(target === 'sharpe' && {
            maxDrawdownFraction: [trials.maxDrawdownFraction[trial], summary.maxDrawdownFraction],
            sharpe: [trials.sharpe[trial], summary.sharpe.value],
          }),
        };
        for (const [name, [fast, plain]] of Object.entries(pairs))
          expect(isSame(fast, plain), `${name} of set ${trial}: ${fast} is not ${plain}\n${one.rules}`).toBe(true);
      }
    },
  );

  it('RULE-020 has the equity of its backtest, and every figure of a search, on any window in any order', () => {
    let traded = 0;
    for (let index = 0; index < 20; index++) {
      const random = seededRandom(31_000 + index);
      const run = randomOwnRun(random, 700);
      const { strategy: own, context, news, ...rest } = run;
      const ranged = { strategy: own, context, ...(news && { news }) };
      const input = { params, ...rest, samples: 50, seed: index, target: 'pnl', rules: ranged } as const;
      const prepared = prepareSearch(engine.engine, input);
      if (!prepared.ok) continue;
      const search = prepared.value;
      for (const [start, end] of [
        [300, 500],
        [250, 700],
        [500, 690],
        [300, 500],
      ] as const) {
        const on = { ...search, window: { start, end } };
        const sets = sampleSets(on, [3, 1, 8]);
        const { columns } = runSets(on, sets);
        const { columns: marked, equity } = runSets(on, sets, true);
        for (let i = 0; i < 3; i++) {
          const alone = search.evaluator.runAlone(setOf(sets, i, search.setLength), on.window);
          expect(differences(rowAt(columns, i), alone)).toEqual([]);
          expect(differences(rowAt(marked, i), alone)).toEqual([]);
          expect(equity.slice(i * (end - start), (i + 1) * (end - start))).toEqual(alone.equity);
          traded += rowAt(columns, i)[RESULT_NET_PNL] === 0 ? 0 : 1;
        }
      }
      engine.engine.raw.arenaReset();
    }
    expect(traded).toBeGreaterThan(80);
  });

  it('RULE-020 loses no column between two calls, and says so where the arena was released below them', () => {
    const prepared = valueOf(prepareSearch(engine.engine, { params, ...shared }));
    const sets = sampleSets(prepared, [0, 1, 2]);
    const mark = engine.engine.raw.arenaMark();
    const first = runSets(prepared, sets).columns;
    expect(runSets(prepared, sets).columns).toEqual(first);
    engine.engine.raw.arenaRelease(mark);
    expect(() => runSets(prepared, sets)).toThrow('released');
    engine.engine.raw.arenaReset();
  });
});

describe('samples of own rules', () => {
  it('RULE-022 lie on the grid of the ranges, follow from seed and index alone, and start at the text', () => {
    const whole = resultOf({ ...shared, withSets: true, refine: false });
    const parts = [
      resultOf({ ...shared, withSets: true, part: { from: 0, count: 47 } }),
      resultOf({ ...shared, withSets: true, part: { from: 47, count: 73 } }),
    ];
    expect(parts.flatMap(({ sets }) => [...sets!.trials])).toEqual([...whole.sets!.trials]);
    expect(parts.flatMap(({ trials }) => [...trials.netPnl])).toEqual([...whole.trials.netPnl]);
    expect(rowOf(whole.sets!.trials, 0)).toEqual([7, 30, 60]);
    expect(resultOf({ ...shared, seed: 12, withSets: true, refine: false }).sets!.trials).not.toEqual(
      whole.sets!.trials,
    );
    const columns = [0, 1, 2].map((p) =>
      Array.from({ length: 120 }, (_, trial) => rowOf(whole.sets!.trials, trial)[p]!),
    );
    expect(columns[0]!.every((value) => Number.isInteger(value) && value >= 3 && value <= 20)).toBe(true);
    expect(columns[1]!.every((value) => value % 3 === 0 && value >= 21 && value <= 60)).toBe(true);
    expect(columns[2]!.every((value) => Number.isInteger(2 * value) && value >= 50 && value <= 70)).toBe(true);
    expect(columns.map((column) => new Set(column).size)).toEqual([18, 14, expect.any(Number)]);
    expect(Math.min(...columns[2]!)).toBeLessThan(52);
    expect(Math.max(...columns[2]!)).toBeGreaterThan(68);
  });

  it('RULE-022 may start beside the grid, and what is drawn around that set stays there or lies on the grid', () => {
    const odd = ownStrategy(text.replace('slow = 30', 'slow = 31'), '15m');
    const { sets, trials, train } = resultOf({ ...shared, rules: { strategy: odd, context: [] }, withSets: true });
    expect(rowOf(sets!.trials, 0)).toEqual([7, 31, 60]);
    const alone = cutRun({ ...shared, strategy: atOneSize(odd), context: [] }, 700, 700 - train.start);
    expect(trials.netPnl[0]).toBe(ranAlone(alone).summary.netPnl);
    const slow = Array.from({ length: sets!.refined.length / 3 }, (_, trial) => rowOf(sets!.refined, trial)[1]!);
    expect(slow.every((value) => value === 31 || value % 3 === 0)).toBe(true);
  });

  it('RULE-022 have neighbours a tenth away, one step at least, within the ranges', () => {
    const { neighbours } = ownSpaceOf(strategy);
    const around = neighbours(Float64Array.of(20, 30, 60));
    expect(Array.from({ length: 5 }, (_, i) => rowOf(around, i))).toEqual([
      [18, 30, 60],
      [20, 27, 60],
      [20, 33, 60],
      [20, 30, 54],
      [20, 30, 66],
    ]);
    expect(around).toHaveLength(15);
  });
});

describe('a search over own rules', () => {
  it('RULE-023 shows the best set as the text with its values, on candles that it never saw', () => {
    const { best, train, trialCount, leaders } = resultOf(shared);
    expect(train.end).toBe(700);
    expect(trialCount).toBe(240);
    const { strategy: found, values } = best!;
    expect(Object.keys(values!)).toEqual(['fast', 'slow', 'level']);
    const { fast, slow, level } = values!;
    expect(found!.rules).toBe(
      text.replace('= 7', `= ${fast}`).replace('= 30', `= ${slow}`).replace('= 60', `= ${level}`),
    );
    expect(found).toEqual(ownStrategy(found!.rules!, '15m'));
    const run = { candles, costs: defaultCosts, scoredCount: 500, context: [], strategy: found! };
    expect(best!.scored.hashes).toEqual(ranAlone(run).hashes);
    // Compared at one size, shown with the own sizing.
    const bars = train.end - train.start;
    expect(best!.value).toBe(ranAlone(cutRun({ ...run, strategy: atOneSize(found!) }, 700, bars)).summary.netPnl);
    expect(best!.train.netPnl).toBe(ranAlone(cutRun(run, 700, bars)).summary.netPnl);
    expect(best!.train.netPnl).not.toBe(best!.value);
    expect(leaders.map(({ values: each }) => Object.keys(each!))).toEqual(Array(5).fill(['fast', 'slow', 'level']));
  });

  const varied = text.replace('stop 2 %', 'stop w * atr(n)').replace('target 4 %', 'target 2R');
  const ranges = 'w = 2 [1..3 step 0.25]\nn = 14 [7..21 step 7]';
  it.each<[string, Partial<OptimizeInput>]>([
    ['refined', {}],
    ['guided', { guide: true, samples: 900 }],
    ['walked forward', { walkForward: { kind: 'anchored', folds: 2, purgeBars: 5, embargoBars: 5 }, samples: 300 }],
    ['exits that vary', { rules: { strategy: ownStrategy(`${ranges}\n${varied}`, '15m'), context: [] } }],
  ])('RULE-023 has on a pool the trials and the best of one piece, to the bit: %s', async (_, more) => {
    const pool: EnginePool = {
      run: (name, input) => Promise.resolve(runTask(engine, { name, input } as never) as never),
      close: () => Promise.resolve(),
      threads: 2,
    };
    const request: OptimizeInput = { params, ...shared, ...more };
    const { signal } = new AbortController();
    const pooled = await searchOnPool(pool, request, { signal });
    const last = joinRefined(pooled);
    const whole = resultOf({ ...request, withSets: true });
    expect(pooled.parts.length).toBeGreaterThan(1);
    const samples = pooled.parts.map(({ trials }) => trials);
    expect(hashTrials(samples, last.refined)).toBe(hashTrials([whole.trials], whole.refined));
    expect(last.sets?.refined).toEqual(whole.sets?.refined);
    expect(last.best).toEqual(whole.best);
    expect(last.leaders).toEqual(whole.leaders);
    expect(last.walkForward).toEqual(whole.walkForward);
    const finished = await finishOnPool(pool, request, bestOfParts(pooled.parts), { signal });
    expect(finished.best).toEqual(whole.best);
    const known = { samples: whole.trials.value, refined: whole.refined.value };
    expect(resultOf({ ...request, known }).best).toEqual(whole.best);
    for (const fold of whole.walkForward?.folds ?? []) expect(fold.strategy?.rules).toContain('long when');
  });

  it('RULE-023 moves towards better sets: refined and guided ones earn more than samples on average', () => {
    const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;
    const { trials, refined } = resultOf({ ...shared, samples: 400, guide: true });
    expect(mean(refined.netPnl)).toBeGreaterThan(mean(trials.netPnl));
  });

  it('RULE-023 names the candles that its sets leave open', () => {
    const near = ownStrategy('p = 5 [2..9 step 1]\nlong when close > sma(close, p)\nstop 0.5 %; target 0.5 %', '15m');
    const request: Request = { ...shared, rules: { strategy: near, context: [] }, withUnknown: true };
    const { unknownBars, best } = resultOf(request);
    expect(unknownBars!.length).toBeGreaterThan(10);
    expect(best!.unknownBars!.every((bar) => unknownBars!.includes(bar))).toBe(true);
    expect(resultOf({ ...request, withUnknown: false }).unknownBars).toBeUndefined();
  });

  it('RULE-024 is judged with every set counted, and has each figure of a search', () => {
    const search = { params, ...shared, samples: 200 };
    const { figures, trialCount } = valueOf(
      runTask(engine, { name: 'honesty', input: { kind: 'search', search } }) as TaskResult<HonestyResult>,
    );
    expect(trialCount).toBe(400);
    const value = (id: string): number | null => figures.find((each) => each.id === id)!.value;
    const whole = ['luckCeiling', 'deflatedSharpe', 'realityCheck', 'overfitting', 'effectiveTrials', 'plateau'];
    for (const id of [...whole, 'holdout', 'randomEntry']) expect(value(id), id).not.toBeNull();
    const earlier = valueOf(
      runTask(engine, {
        name: 'honesty',
        input: { kind: 'search', search, earlierTrialCount: 10_000 },
      }) as TaskResult<HonestyResult>,
    );
    expect(earlier.figures.find(({ id }) => id === 'deflatedSharpe')!.value).toBeLessThan(value('deflatedSharpe')!);
  });

  it('RULE-025 names what cannot be searched by its field', () => {
    const fixed = ownStrategy(text.replaceAll(/ \[[^\]]*\]/g, ''), '15m');
    const errorOf = (more: Partial<Request>) => {
      const outcome = searched({ ...shared, ...more });
      return outcome.ok ? undefined : outcome.error;
    };
    expect(errorOf({ rules: { strategy: fixed, context: [] } })).toEqual({
      code: 'bad_input',
      field: 'rules.strategy.rules',
      message: 'rules.strategy.rules has no parameter with a range; write fast = 12 [5..50 step 1]',
    });
    expect(errorOf({ rules: { ...rules, space: { draw: 'dense' } } })?.field).toBe('rules.space');
    expect(errorOf({ rules: { strategy: { ...strategy, breakEvenR: 1 }, context: [] } })?.field).toBe('rules.strategy');
    const long = { strategy: ownStrategy(`${text}\n#${'x'.repeat(3990 - text.length)}`, '15m'), context: [] };
    expect(errorOf({ rules: long })?.message).toContain('characters');
    const finalist = { set: Float64Array.of(7.5, 30, 60), value: 1, origin: { kind: 'sample', index: 0 } } as const;
    expect(errorOf({ finalist: { ...finalist, refinedCount: 0 } })?.field).toBe('finalist.set');
    expect(errorOf({ marked: Float64Array.of(7, 31, 60) })?.field).toBe('marked');
    expect(errorOf({ candles: market(600, 5), scoredCount: 520 })?.message).toContain('longest period of the rules');
    const bad = { ...strategy, rules: 'long when rsj < 30' };
    expect(errorOf({ rules: { strategy: bad, context: [] } })?.field).toBe('rules.strategy.rules');
  });

  it('RULE-023 is cut into smaller parts where its sets are dear', () => {
    const dear = text.replace('rsi(14) < level', 'rsi(14) < level and percentrank(close, 500) < 90');
    const [plain, heavy] = [rules, { strategy: ownStrategy(dear, '15m'), context: [] }];
    expect(setCostIn({ rules: plain })).toBe(6);
    // 500 candles back at each candle.
    expect(setCostIn({ rules: heavy })).toBe(46);
    const ranked = dear.replace('500', 'slow');
    // The longest period of its range.
    expect(setCostIn({ rules: { strategy: ownStrategy(ranked, '15m'), context: [] } })).toBe(11);
    const longer = Array.from({ length: 25 }, (_, k) => `and close > open * ${k} `).join('');
    const many = text.replace('rsi(14) < level', `rsi(14) < level ${longer}`);
    expect(setCostIn({ rules: { strategy: ownStrategy(many, '15m'), context: [] } })).toBeGreaterThan(40);
    const pool = { threads: 2 } as EnginePool;
    const input = { params, ...shared, candles: market(20_000, 5) };
    expect(chunkCount({ pool, input }, 4000)).toBe(4);
    expect(chunkCount({ pool, input: { ...input, rules: heavy } }, 4000)).toBeGreaterThan(20);
  });

  it('RULE-023 gives the drawdown of chosen sets when it ranks by another figure', () => {
    const { trials } = resultOf({ ...shared, marked: Float64Array.of(7, 30, 60, 5, 42, 55.5) });
    expect(trials.maxDrawdownFraction.every((value) => value > 0)).toBe(true);
    expect(trials.value.every(Number.isNaN)).toBe(true);
    expect(RESULT_VALUE).toBeLessThan(RESULT_LENGTH);
  });
});
