// Long because each part of a search is tested on the same candles.
import {
  RESULT_LENGTH,
  RESULT_VALUE,
  SET_IS_TRAILING,
  SET_LENGTH,
  SET_STOP_LOSS,
  SET_WEIGHTS,
} from '@sextant/engine-as/abi/optimize.ts';
import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { OptimizeInput, OptimizeResult, TrialColumns } from '../../src/protocol/optimize.ts';
import type { BacktestResult } from '../../src/protocol/backtest.ts';
import type { TaskResult } from '../../src/protocol/taskResult.ts';
import { runTask, startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { setOf } from '../../src/tasks/optimize/parameters.ts';
import { bestOf, candidateOf, leadersOf } from '../../src/tasks/optimize/search.ts';
import { outsideSlots, packSet, unpackSet } from '../../src/tasks/optimize/space.ts';
import { hashTrials } from '../../src/tasks/optimize/trialsHash.ts';
import { candleFields } from '../../src/candles/candleColumns.ts';
import { foldWindows } from '../../src/tasks/optimize/walkForward.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { randomCandles, seededRandom } from '../support/randomRuns.ts';
import { defaultCosts, defaultWeights } from '../../src/protocol/wire/defaults.ts';

let engine: TaskEngine;
beforeAll(async () => {
  engine = startEngine(await testEngine());
}, engineTimeoutMs);

const market = randomCandles(seededRandom(17), 1200, 3_600_000);

function input(more: Partial<OptimizeInput> = {}): OptimizeInput {
  return {
    candles: market,
    params: {
      weights: { ...defaultWeights },
      entryThreshold: 0.08,
      stopLossFraction: 0.02,
      takeProfitFraction: 0.04,
      trailing: { enabled: false, callbackFraction: 0.005, stepFraction: 0.0025 },
    },
    costs: { ...defaultCosts },
    scoredCount: 500,
    samples: 60,
    target: 'pnl',
    seed: 42,
    ...more,
  };
}

function run(more: Partial<OptimizeInput> = {}): TaskResult<OptimizeResult> {
  return runTask(engine, { name: 'optimize', input: input(more) }) as TaskResult<OptimizeResult>;
}

function value(result: TaskResult<OptimizeResult>): OptimizeResult {
  if (!result.ok) throw new Error(`${result.error.field ?? ''} ${result.error.message}`);
  return result.value;
}

/** A set whose threshold hardly any candle reaches. */
const seldom = { ...input().params, entryThreshold: 1 };

const names = (columns: TrialColumns): (keyof TrialColumns)[] => Object.keys(columns) as (keyof TrialColumns)[];

describe('optimize', () => {
  it('searches on the candles before the scored window and shows the single run of the best on the scored one', () => {
    const { train, best, trialCount, trials } = value(run());
    // 76 candles until every vote is defined; 1,200 loaded less 500 scored.
    expect(train).toEqual({ start: 76, end: 700 });
    expect(trials.netPnl).toHaveLength(60);
    expect(trialCount).toBe(120);
    expect(best?.scored.summary).toMatchObject({ loadedCount: 1200, scoredCount: 500 });
    expect(best?.train.scoredCount).toBe(624);
    const single = runTask(engine, {
      name: 'backtest',
      input: { candles: market, params: best!.params, costs: defaultCosts, scoredCount: 500 },
    });
    expect(single).toEqual({ ok: true, value: best!.scored });
  });

  it('gives every set its drawdown marked to market, as the plain backtest of its candles has it', () => {
    const { train, trials, sets } = value(run({ withSets: true }));
    expect(trials.maxDrawdownFraction.every(Number.isNaN)).toBe(true);
    const marked = value(run({ marked: sets!.trials })).trials;
    const searched = Object.fromEntries(
      candleFields.map((name) => [name, market[name].slice(0, train.end)]),
    ) as unknown as typeof market;
    for (let trial = 0; trial < 60; trial++) {
      const params = unpackSet(setOf(sets!.trials, trial), input().params);
      const single = runTask(engine, {
        name: 'backtest',
        input: { candles: searched, params, costs: defaultCosts, scoredCount: train.end - train.start },
      }) as TaskResult<BacktestResult>;
      const { netPnl, maxDrawdownFraction } = single.ok ? single.value.summary : { netPnl: 0, maxDrawdownFraction: 0 };
      expect([marked.netPnl[trial], marked.maxDrawdownFraction[trial]]).toEqual([netPnl, maxDrawdownFraction]);
      // Open positions fall further than closed trades show.
      expect(maxDrawdownFraction).toBeGreaterThanOrEqual(trials.closedDrawdownFraction[trial]!);
    }
    expect(marked.maxDrawdownFraction.some((fall, i) => fall > trials.closedDrawdownFraction[i]!)).toBe(true);
    expect(marked.value.every(Number.isNaN)).toBe(true);
  });

  it('finds the same, whichever worker computes which chunk', () => {
    const whole = value(run({ refine: false }));
    const chunks = [
      { from: 0, count: 7 },
      { from: 7, count: 40 },
      { from: 47, count: 13 },
    ].map((part) => value(run({ part })));
    for (const name of names(whole.trials)) {
      expect(chunks.flatMap(({ trials }) => [...trials[name]])).toEqual([...whole.trials[name]]);
    }
    const leaders = chunks.flatMap((chunk) => chunk.leaders).sort((a, b) => b.value - a.value || a.index - b.index);
    expect(leaders.slice(0, 5)).toEqual(whole.leaders);
    const merged = value(run({ bestOfParts: leaders.map(({ index }) => index) }));
    const direct = value(run());
    expect(merged.best).toEqual(direct.best);
    expect(merged.trialCount).toBe(direct.trialCount);
  });

  it('always has the set of the user as trial 0', () => {
    const { trials, train } = value(run({ samples: 1, refine: false, seed: 5 }));
    const own = input();
    const cut = Object.fromEntries(
      Object.entries(own.candles as unknown as Record<string, Float64Array>).map(([name, column]) => [
        name,
        column.slice(0, train.end),
      ]),
    ) as unknown as OptimizeInput['candles'];
    const single = runTask(engine, {
      name: 'backtest',
      input: { candles: cut, params: own.params, costs: own.costs, scoredCount: train.end - train.start },
    });
    if (!single.ok || !('summary' in single.value)) throw new Error('backtest failed');
    expect(trials.netPnl[0]).toBe(single.value.summary.netPnl);
    expect(trials.tradeCount[0]).toBe(single.value.summary.tradeCount);
  });

  it('never finds less by refining, and says when the best came from there', () => {
    let refinedCount = 0;
    for (let seed = 1; seed <= 8; seed++) {
      const plain = value(run({ seed, refine: false }));
      const refined = value(run({ seed }));
      expect(refined.best!.value!).toBeGreaterThanOrEqual(plain.best!.value!);
      if (refined.best!.origin.kind !== 'refined') continue;
      refinedCount += 1;
      expect(refined.best!.value!).toBeGreaterThan(plain.best!.value!);
    }
    expect(refinedCount).toBeGreaterThan(0);
  });

  it('says what of a set is outside the ranges of the request, not of the product', () => {
    const space = {
      stopLossFraction: { min: 0.03, max: 0.04 },
      takeProfitFraction: { min: 0.04, max: 0.05 },
      trailing: 'on',
      weights: { rsi: { min: 0, max: 1.4 }, macd: { min: 0, max: 1.5 } },
    } as const;
    // The own threshold of 0.08 is below the product's range, which is not a range of the user.
    const own = { ...input().params, weights: { rsi: 1.5, macd: 1.5 } };
    expect(outsideSlots({ params: own, space }, packSet(own))).toEqual([SET_STOP_LOSS, SET_WEIGHTS, SET_IS_TRAILING]);
    expect(outsideSlots({ params: own }, packSet(own))).toEqual([]);
    const { sets } = value(run({ space, withSets: true, refine: false }));
    for (let i = 1; i < 60; i++)
      expect(outsideSlots({ params: own, space }, setOf(sets!.trials, i, SET_LENGTH))).toEqual([]);
  });

  it('ranks win rates only above 30 trades and after costs, and shows the own set when none qualifies', () => {
    const { best, trials } = value(run({ target: 'winRate', samples: 200 }));
    trials.value.forEach((rank, i) => {
      if (rank === -Infinity) return;
      expect(trials.tradeCount[i]).toBeGreaterThanOrEqual(30);
      expect(trials.profitFactor[i]).toBeGreaterThan(1);
    });
    expect(best).toBeDefined();
    const costly = value(run({ target: 'winRate', costs: { ...defaultCosts, takerFeeFraction: 0.05 } }));
    expect(costly.best).toMatchObject({ value: null, origin: { kind: 'sample', index: 0 } });
    expect(costly.best!.reason).toContain('winRate');
  });

  it.each(['pnl', 'winRate', 'sharpe', 'sortino', 'calmar', 'profitFactor', 'expectancy'] as const)(
    'ranks no set by %s that closed fewer than 10 trades, and some that closed more',
    (target) => {
      const days = randomCandles(seededRandom(18), 1200, 4 * 3_600_000);
      const { trials, refined } = value(run({ target, candles: days, samples: 300 }));
      let [few, ranked] = [0, 0];
      for (const { value: ranks, tradeCount } of [trials, refined]) {
        ranks.forEach((rank, i) => {
          few += Number(tradeCount[i]! < 10);
          ranked += Number(rank !== -Infinity);
          if (tradeCount[i]! < (target === 'winRate' ? 30 : 10)) expect(rank).toBe(-Infinity);
        });
      }
      expect([few, ranked].every((count) => count > 10)).toBe(true);
    },
  );

  it('shows the own set, and says which condition nothing met, when all sets trade too little', () => {
    const { best, leaders } = value(
      run({ space: { draw: 'dense', entryThreshold: { min: 1, max: 1 } }, params: seldom }),
    );
    expect(leaders).toEqual([]);
    expect(best).toMatchObject({ value: null, origin: { kind: 'sample', index: 0 }, params: seldom });
    expect(best!.reason).toBe('no set qualified for pnl (at least 10 closed trades); showing yours');
  });

  it.each(['sharpe', 'sortino', 'calmar'] as const)('ranks by %s only where there are 30 days', (target) => {
    // 200 hourly candles before the scored window are less than 30 days; 4-hourly ones are more.
    const hourly = value(run({ target, scoredCount: 1000 }));
    expect(hourly.trials.value.every((rank) => rank === -Infinity)).toBe(true);
    const days = randomCandles(seededRandom(18), 1200, 4 * 3_600_000);
    const { best, trials } = value(run({ target, candles: days }));
    expect(best!.value).toBe(Math.max(...trials.value, best!.value!));
    if (target !== 'calmar') expect(best!.train[target].value).toBe(best!.value);
  });

  it('ranks by a calmar ratio that follows from the figures of the single run', () => {
    const candles = randomCandles(seededRandom(18), 1200, 4 * 3_600_000);
    const { best } = value(run({ target: 'calmar', candles }));
    const { netPnl, maxDrawdownFraction, scoredCount } = best!.train;
    // A year's net profit over the starting equity, over the largest fall; six candles make a day.
    const yearly = (netPnl / defaultCosts.initialEquity) * (365 / (scoredCount / 6));
    expect(best!.value).toBeCloseTo(yearly / maxDrawdownFraction, 12);
  });

  it.each(['winRate', 'pnl'] as const)('ranks by %s what the single run of the best shows', (target) => {
    const candles = randomCandles(seededRandom(18), 1200, 4 * 3_600_000);
    const { best } = value(run({ target, candles, samples: 300 }));
    expect(best!.value).toBe(target === 'pnl' ? best!.train.netPnl : best!.train.winRate);
  });

  it('ranks profit factor and expectancy by the figures it shows', () => {
    for (const target of ['profitFactor', 'expectancy'] as const) {
      const { best } = value(run({ target }));
      expect(best!.train[target]).toBe(best!.value);
    }
  });

  it.each([
    ['samples', { samples: 0 }, 'samples'],
    ['a fraction of a seed', { seed: 0.5 }, 'seed'],
    ['a part beyond the samples', { part: { from: 50, count: 20 } }, 'part.count'],
    ['an index beyond the samples', { bestOfParts: [60] }, 'bestOfParts[0]'],
    ['half a set to mark', { marked: new Float64Array(SET_LENGTH + 9) }, 'marked.length'],
    ['more than a million sets in one call', { samples: 2_000_000 }, 'samples'],
    ['one fold', { walkForward: { kind: 'rolling', folds: 1, purgeBars: 0, embargoBars: 0 } }, 'walkForward.folds'],
    ['a leverage above its tier', { costs: { ...defaultCosts, leverage: 500 } }, 'costs.leverage'],
  ] as [string, Partial<OptimizeInput>, string][])('rejects %s and names it', (_, more, field) => {
    expect(run(more)).toMatchObject({ ok: false, error: { code: 'bad_input', field } });
  });

  it('says how many candles the search lacks', () => {
    const result = run({ scoredCount: 1100 });
    expect(result).toMatchObject({ ok: false, error: { code: 'too_short', field: 'candles' } });
    // 76 warm up: 100 are left of 1,200 less 1,024, and 99 less 1,025.
    expect(value(run({ scoredCount: 1024 })).train).toEqual({ start: 76, end: 176 });
    const message = expect.stringContaining(
      'has 99 between the warm-up (76) and the scored window, needs 100',
    ) as string;
    expect(run({ scoredCount: 1025 })).toMatchObject({ ok: false, error: { message } });
    expect(value(run({ scoredCount: 1100, trainOn: 'scored' })).train).toEqual({ start: 100, end: 1200 });
  });

  it('says that a market does not trade, whatever it searches on and with', () => {
    const price = market.time.map(() => 5);
    const volume = market.time.map(() => 0);
    const candles = { ...market, open: price, high: price, low: price, close: price, volume };
    const rules: OptimizeInput['rules'] = { strategy: liveRules(['1h']), context: [] };
    for (const trainOn of ['earlier', 'scored'] as const)
      for (const search of [{}, { rules }]) {
        const rejected = run({ candles, trainOn, ...search });
        expect(rejected.ok ? null : rejected.error).toMatchObject({
          code: 'not_trading',
          field: 'candles',
          message: 'this market is halted: one price and no volume for 1200 candles',
        });
      }
  });

  it('reports its progress', () => {
    const seen: { done: number; total: number }[] = [];
    runTask(
      engine,
      { name: 'optimize', input: input({ samples: 70_000, refine: false, part: { from: 0, count: 70_000 } }) },
      (p) => seen.push(p),
    );
    expect(seen).toEqual([
      { done: 65_536, total: 70_000 },
      { done: 70_000, total: 70_000 },
    ]);
  });
});

describe('the leaders', () => {
  /** Result columns whose values are these. */
  function columnsOf(values: number[]): Float64Array {
    const columns = new Float64Array(RESULT_LENGTH * values.length);
    columns.set(values, RESULT_VALUE * values.length);
    return columns;
  }

  it.each([
    { values: [1, 3, 3, 2, 3], count: 5, want: [1, 2, 4, 3, 0] },
    { values: [3, 3, 3, 3], count: 2, want: [0, 1] },
    { values: [1, 2, 2, 5, 2], count: 3, want: [3, 1, 2] },
    { values: [-Infinity, 0, -Infinity, 0], count: 5, want: [1, 3] },
    { values: [-Infinity], count: 5, want: [] },
  ])('of $values are $want: equal values keep the lower index first', ({ values, count, want }) => {
    expect(leadersOf(columnsOf(values), count)).toEqual(want);
  });

  it('prefer a sample to a refined trial of the same value', () => {
    const sample = candidateOf(new Float64Array(SET_LENGTH), columnsOf([7]), 0, 'sample', 4);
    const refined = { sets: new Float64Array(2 * SET_LENGTH), columns: columnsOf([7, 6]) };
    const trials = { from: 0, columns: columnsOf([7]), leaders: [sample], refined };
    expect(bestOf(trials)?.origin).toEqual({ kind: 'sample', index: 4 });
    const better = { ...trials, refined: { ...refined, columns: columnsOf([7, 7.5]) } };
    expect(bestOf(better)?.origin).toEqual({ kind: 'refined', index: 1 });
  });
});

describe('walk-forward', () => {
  it('tests each stretch of the second half once, after a gap', () => {
    const whole = { start: 100, end: 900 };
    const anchored = foldWindows(whole, { kind: 'anchored', folds: 4, purgeBars: 10, embargoBars: 5 });
    expect(anchored.map(({ test }) => test)).toEqual([
      { start: 500, end: 600 },
      { start: 600, end: 700 },
      { start: 700, end: 800 },
      { start: 800, end: 900 },
    ]);
    expect(anchored.map(({ train }) => train)).toEqual([485, 585, 685, 785].map((end) => ({ start: 100, end })));
    const rolling = foldWindows(whole, { kind: 'rolling', folds: 4, purgeBars: 10, embargoBars: 5 });
    expect(rolling.map(({ train }) => train.end - train.start)).toEqual([385, 385, 385, 385]);
  });

  it('reports each fold, their spread and the efficiency', () => {
    const plan = { kind: 'anchored', folds: 3, purgeBars: 12, embargoBars: 12 } as const;
    const { walkForward } = value(run({ walkForward: plan }));
    expect(walkForward!.folds).toHaveLength(3);
    const tests = walkForward!.folds.map((fold) => fold.testPnlPerBar);
    expect(walkForward!.testPnlPerBarMin).toBe(Math.min(...tests));
    expect(walkForward!.testNetPnl).toBeCloseTo(
      walkForward!.folds.reduce((sum, fold) => sum + fold.testNetPnl, 0),
      9,
    );
    for (const fold of walkForward!.folds) {
      expect(fold.test.start - fold.train.end).toBe(24);
      expect(fold.testPnlPerBar).toBe(fold.testNetPnl / (fold.test.end - fold.test.start));
    }
  });

  it('chooses parameters from the training window alone', () => {
    const plan = { kind: 'rolling', folds: 2, purgeBars: 0, embargoBars: 0 } as const;
    const before = value(run({ walkForward: plan })).walkForward!.folds[0]!;
    const later = structuredClone(market);
    for (let i = before.test.start; i < 1200; i++) {
      for (const name of ['open', 'high', 'low', 'close'] as const) later[name][i] = later[name][i]! * 3;
    }
    const after = value(run({ walkForward: plan, candles: later })).walkForward!.folds[0]!;
    expect(after.params).toEqual(before.params);
    expect(after.trainPnlPerBar).toBe(before.trainPnlPerBar);
  });

  it('says so when folds would be too short', () => {
    const plan = { kind: 'anchored', folds: 20, purgeBars: 0, embargoBars: 0 } as const;
    expect(value(run({ walkForward: plan })).walkForward).toMatchObject({ efficiency: null, folds: [] });
  });
});

describe('a separate walk-forward', () => {
  const walkForward = { kind: 'rolling', folds: 3, purgeBars: 24, embargoBars: 12 } as const;

  it('is the one the whole search gives, to the bit, refined or not', () => {
    for (const refine of [true, false]) {
      const alone = runTask(engine, { name: 'walkForward', input: input({ walkForward, refine }) });
      expect(alone).toEqual({ ok: true, value: value(run({ walkForward, refine })).walkForward });
    }
  });

  it('says what is missing, and rejects what the search rejects', () => {
    const error = {
      code: 'bad_input',
      field: 'walkForward',
      message: 'walkForward is missing: it takes kind, folds, purgeBars and embargoBars',
    };
    expect(runTask(engine, { name: 'walkForward', input: input() })).toEqual({ ok: false, error });
    const bad = input({ walkForward, samples: 0 });
    expect(runTask(engine, { name: 'walkForward', input: bad })).toEqual(
      runTask(engine, { name: 'optimize', input: bad }),
    );
  });
});

describe('refining', () => {
  // Bits of the version that sorted every trial of a round; some of these rounds have fewer ranked sets than bases.
  it.each([
    ['winRate', 200, 0.5, '0b7940c6c94f6a3f3029723aa63ee17722e0d778c9ff272d2d74bd897bdc8474'],
    ['pnl', 60, 0.7, '682844fd4066655bb77406d27380d0bfc874556be0e6e8a07848ddbc65764948'],
    ['profitFactor', 1000, 0.7, '6e7b101e115f60c43b5c63bb84f315f4dbf8d27c7e721c7bb98fe5df3177377a'],
  ] as const)('goes on from the best of all: %s, %i samples, thresholds from %d', (target, samples, min, hash) => {
    const costs = { ...defaultCosts, initialEquity: 1e6 }; // no set runs short of equity, as the version of these bits knew no smaller size
    const { refined } = value(
      run({ target, samples, costs, guide: false, space: { draw: 'dense', entryThreshold: { min, max: 1 } } }),
    );
    expect(hashTrials([], refined)).toBe(hash);
  });
});
