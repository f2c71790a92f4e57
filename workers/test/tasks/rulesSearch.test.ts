// Long because a search over rules is worked by hand, repeated alone and run as a whole.
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import * as abi from '@sextant/engine-as/abi/optimize.ts';
import { liveRules, type Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { voteIds } from '@sextant/engine-as/abi/voteExports.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { BacktestResult, Candles } from '../../src/protocol/backtest.ts';
import type { TaskResult } from '../../src/protocol/taskResult.ts';
import type { OptimizeInput, OptimizeResult, SearchedRules, WalkForwardResult } from '../../src/protocol/optimize.ts';
import type { StrategyInput } from '../../src/protocol/strategy.ts';
import { backtestStrategy } from '../../src/tasks/backtestStrategy.ts';
import { runTask, startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { parameterOf, rulesParameters, setOf } from '../../src/tasks/optimize/parameters.ts';
import { packRules, unpackRules } from '../../src/tasks/optimize/rulesSpace.ts';
import { atOneSize, pushSearched } from '../../src/tasks/optimize/rulesEvaluator.ts';
import { outsideSlots } from '../../src/tasks/optimize/space.ts';
import { pushRulesMarket, scoreRules } from '../../src/tasks/strategy/market.ts';
import { defaultCosts, defaultWeights } from '../../src/protocol/wire/defaults.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { market } from '../support/markets.ts';
import { type Random, randomCandles, randomCosts, seededRandom } from '../support/randomRuns.ts';
import { partsOf } from '../support/finerCandles.ts';
import { contextOf, randomStrategyInput, STRATEGY_CANDLES } from '../support/randomStrategies.ts';

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

function searched(input: Omit<OptimizeInput, 'params'>): TaskResult<OptimizeResult> {
  return runTask(engine, { name: 'optimize', input: { params, ...input } }) as TaskResult<OptimizeResult>;
}

function resultOf(input: Omit<OptimizeInput, 'params'>): OptimizeResult {
  const outcome = searched(input);
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.value;
}

function ranAlone(input: StrategyInput): BacktestResult {
  const outcome = backtestStrategy(engine.engine, engine.hash, input);
  engine.engine.raw.arenaReset();
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.value;
}

const SETS = 20;
const SEED = 20_261_125;
/** The same candles as those of four hours: long enough for daily figures. */
function overMonths(random: Random, run: StrategyInput): void {
  const [start = 0] = run.candles.time;
  run.candles = { ...run.candles, time: run.candles.time.map((_, i) => start + i * intervalMs['4h']) };
  const longer = run.strategy.intervals.slice(1, 2).map(({ weight }) => ({ interval: '1d' as const, weight }));
  run.strategy.intervals = [{ interval: '4h', weight: 1 }, ...longer];
  run.context = longer.map(({ interval }) => contextOf(random, run.candles, interval, 100));
}

/** Case `index`: any strategy on any market, with everything that a run may read. */
function randomSearch(index: number): { run: StrategyInput; rules: SearchedRules } {
  const run = randomStrategyInput(SEED, index);
  const random = seededRandom(SEED + 31 * index);
  run.strategy.sizing.isCompounding = random() < 0.4;
  if (index % 2 === 1) overMonths(random, run);
  run.costs = randomCosts(random, run.candles);
  // Leverage above the tiers or the smallest margin is rejected before a search.
  run.costs.leverage = Math.min(run.costs.leverage, 20);
  const { open, high, low } = run.candles;
  const moved = (column: Float64Array): Float64Array => column.map((price) => Number((price * 1.0015).toFixed(3)));
  if (random() < 0.4) run.markPrices = { open: moved(open), high: moved(high), low: moved(low) };
  if (random() < 0.4) run.fineCandles = partsOf(random, run.candles);
  const { strategy, context, news } = run;
  const rules: SearchedRules = {
    strategy,
    context,
    ...(news && { news }),
    space: { weight: { min: -2, max: 2 }, draw: index % 4 === 0 ? 'dense' : 'mixed' },
  };
  return { run, rules };
}

/** Nan and all. */
const isSame = (a: number | null | undefined, b: number | null | undefined): boolean =>
  Object.is(a ?? Number.NaN, b ?? Number.NaN);

describe('a set of rules in a search', () => {
  it.each(Array.from({ length: 50 }, (_, index) => index))(
    'is the run of the same strategy at one size to the bit, case %i of 50 with 20 sets each',
    (index) => {
      const { run, rules } = randomSearch(index);
      const target = index % 2 === 0 ? 'pnl' : 'sharpe';
      const { candles, costs, scoredCount, markPrices, fineCandles } = run;
      const shared: Omit<OptimizeInput, 'params'> = {
        candles,
        costs,
        scoredCount,
        ...(markPrices && { markPrices }),
        ...(fineCandles && { fineCandles }),
        samples: SETS,
        seed: index,
        target,
        trainOn: 'scored',
        rules,
        withSets: true,
        refine: false,
      };
      let outcome = searched(shared);
      if (!outcome.ok && outcome.error.code === 'too_short') {
        // Look-backs that leave too few candles of this market: those of the registry fit.
        delete rules.strategy.parameters;
        outcome = searched(shared);
      }
      if (!outcome.ok) throw new Error(outcome.error.message);
      const { trials, sets } = outcome.value;
      for (let trial = 0; trial < SETS; trial++) {
        const set = setOf(sets!.trials, trial, abi.RULES_SET_LENGTH);
        const strategy = unpackRules(set, rules.strategy);
        const { summary } = ranAlone({ ...run, strategy: atOneSize(strategy) });
        const pairs = {
          netPnl: [trials.netPnl[trial], summary.netPnl],
          tradeCount: [trials.tradeCount[trial], summary.tradeCount],
          winRate: [trials.winRate[trial], summary.winRate],
          profitFactor: [trials.profitFactor[trial], summary.profitFactor],
          ...(target === 'sharpe' && {
            maxDrawdownFraction: [trials.maxDrawdownFraction[trial], summary.maxDrawdownFraction],
            sharpe: [trials.sharpe[trial], summary.sharpe.value],
            sortino: [trials.sortino[trial], summary.sortino.value],
          }),
        };
        for (const [name, [fast, plain]] of Object.entries(pairs))
          expect(isSame(fast, plain), `${name} of set ${trial}: ${fast} is not ${plain}`).toBe(true);
      }
    },
  );

  it('is scored as the ensemble scores it, also where candles of a longer interval are missing', () => {
    const { engine: instance } = engine;
    let holes = 0;
    for (let index = 0; index < 40; index++) {
      const { run } = randomSearch(index);
      const random = seededRandom(index);
      run.context = run.context.map((series) => without(series, 102 + Math.floor(random() * 12), 8));
      const pushed = pushRulesMarket(instance, run);
      const { at } = pushSearched(instance, pushed, run);
      const [start, end] = [Math.floor(random() * 200), STRATEGY_CANDLES - Math.floor(random() * 30)];
      for (let k = 0; k < 5; k++) {
        const weights = Object.fromEntries(
          voteIds.map((id) => [id, random() < 0.4 ? 0 : Math.round((random() * 10 - 5) * 200) / 200]),
        );
        scoreRules(pushed, { ...weights, news: run.strategy.weights['news'] ?? 0 });
        const wanted = instance.pull(pushed.scoreAt, STRATEGY_CANDLES).slice(start, end);
        instance.f64View(pushed.scoreAt, STRATEGY_CANDLES).fill(7);
        instance.raw.rulesScore(at, instance.push(packRules({ ...run.strategy, weights })), start, end);
        const got = instance.pull(pushed.scoreAt, STRATEGY_CANDLES);
        expect(got.slice(start, end)).toEqual(wanted);
        expect([...got.slice(0, start), ...got.slice(end)].every((score) => score === 7)).toBe(true);
        holes += wanted.slice(150).filter(Number.isNaN).length;
      }
      instance.raw.arenaReset();
    }
    expect(holes).toBeGreaterThan(1000);
  });
});

/** The series without some of its candles. */
function without(series: Candles, from: number, count: number): Candles {
  const stored = (column: Float64Array): Float64Array => column.filter((_, i) => i < from || i >= from + count);
  return Object.fromEntries(
    Object.entries(series).map(([name, column]) => [name, stored(column as Float64Array)]),
  ) as unknown as Candles;
}

const cutAt = (series: Candles, end: number): Candles =>
  Object.fromEntries(
    Object.entries(series).map(([name, column]) => [name, (column as Float64Array).slice(0, end)]),
  ) as unknown as Candles;

const FLAT = 240;
/** Candles of 99 to 101 that open and close at 100; those named reach 130. */
function flatCandles(spikes: readonly number[]): Candles {
  const at = (price: number): Float64Array => new Float64Array(FLAT).fill(price);
  const high = at(101);
  for (const i of spikes) high[i] = 130;
  return {
    time: Float64Array.from({ length: FLAT }, (_, i) => 1_735_689_600_000 + i * intervalMs['15m']),
    open: at(100),
    high,
    low: at(99),
    close: at(100),
    volume: at(5),
  };
}

const silent: Strategy = {
  ...liveRules(['15m']),
  weights: { news: 1 },
  entryThreshold: 0.5,
  stop: { mode: 'percent', fraction: 0.05 },
  target: { mode: 'percent', fraction: 0.1 },
};
silent.sizing = { mode: 'fixed', riskFraction: 0.01, isCompounding: false };
const noCosts = { ...defaultCosts, slippageFraction: 0, stopSlippageFraction: 0, takerFeeFraction: 0 };
const noVotes = { weight: { min: 0, max: 0 }, entryThreshold: { min: 0.5, max: 0.5 }, trailing: 'off' } as const;

describe('a search over rules by hand', () => {
  // The news at the close of candle 150 and 170 is entered at 100 with 1,000 USDT, ten units, and leaves in the candle that reaches 130.
  const spikes = [160, 180];
  const news = new Int8Array(FLAT);
  news[150] = 1;
  news[170] = 1;
  const shared = { candles: flatCandles(spikes), costs: noCosts, scoredCount: 120, samples: 40, seed: 3 } as const;

  it('earns the target of each set at each news, percent', () => {
    const space = { ...noVotes, stop: { min: 0.05, max: 0.05 }, target: { min: 0.02, max: 0.2 } };
    const rules = { strategy: silent, context: [], news, space };
    const { trials, sets } = resultOf({
      ...shared,
      rules,
      target: 'pnl',
      trainOn: 'scored',
      withSets: true,
      refine: false,
    });
    const target = rulesParameters(silent).find(({ id }) => id === 'target')!;
    const drawn = new Set<number>();
    for (let trial = 0; trial < 40; trial++) {
      const fraction = parameterOf(sets!.trials, trial, target);
      drawn.add(fraction);
      expect(trials.tradeCount[trial]).toBe(2);
      expect(trials.netPnl[trial]).toBeCloseTo(2 * 1000 * fraction, 8);
    }
    expect(drawn.size).toBeGreaterThan(20);
  });

  it('earns the target of each set at each news, average true ranges', () => {
    // The range is 2 until the first spike, which only the second entry is measured by: so one news.
    const once = news.slice().fill(0, 151);
    const strategy: Strategy = { ...silent, stop: { mode: 'atr', multiple: 3 }, target: { mode: 'atr', multiple: 4 } };
    const space = { ...noVotes, stop: { min: 2, max: 6 }, target: { min: 1, max: 12 } };
    const rules = { strategy, context: [], news: once, space };
    const { trials, sets } = resultOf({
      ...shared,
      rules,
      target: 'pnl',
      trainOn: 'scored',
      withSets: true,
      refine: false,
    });
    const target = rulesParameters(strategy).find(({ id }) => id === 'target')!;
    for (let trial = 0; trial < 40; trial++) {
      const multiple = parameterOf(sets!.trials, trial, target);
      expect(multiple * 10).toBeCloseTo(Math.round(multiple * 10), 9);
      expect(trials.netPnl[trial]).toBeCloseTo(10 * 2 * multiple, 8);
    }
  });
});

const candles = market(1200, 5, { trend: 0.25 });
const shared = { candles, costs: defaultCosts, scoredCount: 500, samples: 120, target: 'pnl', seed: 11 } as const;
const rules = { strategy: liveRules(['15m']), context: [] };

describe('a search over rules', () => {
  it('draws set i from seed and index alone, in one piece or in parts, and starts at the own rules', () => {
    const whole = resultOf({ ...shared, rules, withSets: true, refine: false });
    const parts = [
      resultOf({ ...shared, rules, withSets: true, part: { from: 0, count: 47 } }),
      resultOf({ ...shared, rules, withSets: true, part: { from: 47, count: 73 } }),
    ];
    const joined = parts.flatMap(({ sets }) => [...sets!.trials]);
    expect(joined).toEqual([...whole.sets!.trials]);
    expect(parts.flatMap(({ trials }) => [...trials.netPnl])).toEqual([...whole.trials.netPnl]);
    const first = setOf(whole.sets!.trials, 0, abi.RULES_SET_LENGTH);
    // Votes without a word weigh 0.
    const { weights, ...own } = unpackRules(first, rules.strategy);
    const { weights: liveOnes, ...live } = rules.strategy;
    expect(own).toEqual(live);
    expect(weights).toMatchObject(liveOnes);
  });

  it('shows the best set as the backtest of its strategy, on candles that it never saw', () => {
    const { best, train, trialCount } = resultOf({ ...shared, rules });
    expect(train.end).toBe(700);
    expect(trialCount).toBe(240);
    const { strategy } = best!;
    const { candles: all, costs, scoredCount } = shared;
    const alone = ranAlone({ candles: all, costs, scoredCount, strategy: strategy!, context: [] });
    expect(best!.scored.hashes).toEqual(alone.hashes);
    // Compared at one size, shown with the own sizing.
    const searched = { candles: cutAt(all, train.end), costs, scoredCount: train.end - train.start, context: [] };
    expect(best!.value).toBe(ranAlone({ ...searched, strategy: atOneSize(strategy!) }).summary.netPnl);
    expect(best!.train.netPnl).toBe(ranAlone({ ...searched, strategy: strategy! }).summary.netPnl);
    expect(best!.train.netPnl).not.toBe(best!.value);
    // Fields that a search does not vary are unchanged: sizing, direction, holding time and the news.
    const stored = { ...rules.strategy, stop: null, target: null, trailing: null, weights: null, entryThreshold: null };
    expect({ ...strategy, stop: null, target: null, trailing: null, weights: null, entryThreshold: null }).toEqual(
      stored,
    );
  });

  it('keeps to the ranges, and weighs against a vote only where they allow it', () => {
    const weightsOf = ({ sets }: OptimizeResult): number[] =>
      Array.from({ length: 119 * voteIds.length }, (_, k) => {
        const [vote, trial] = [k % voteIds.length, 1 + Math.floor(k / voteIds.length)];
        return parameterOf(sets!.trials, trial, rulesParameters(rules.strategy)[vote]!);
      });
    const usual = weightsOf(resultOf({ ...shared, rules, withSets: true, refine: false }));
    expect(Math.min(...usual)).toBe(0);
    expect(Math.max(...usual)).toBe(2);
    expect(usual.every((weight) => Math.abs(weight * 20 - Math.round(weight * 20)) < 1e-9)).toBe(true);
    const space = { weight: { min: -1, max: 0.5 }, weights: { rsi: { min: 0, max: 0 } } };
    const turned = resultOf({ ...shared, rules: { ...rules, space }, withSets: true, refine: false });
    const weights = weightsOf(turned);
    expect(Math.min(...weights)).toBe(-1);
    expect(Math.max(...weights)).toBe(0.5);
    expect(weights.filter((_, k) => k % voteIds.length === 0).every((weight) => weight === 0)).toBe(true);
    expect(weights.filter((weight) => weight < 0).length).toBeGreaterThan(
      weights.filter((weight) => weight > 0).length,
    );
    expect(Math.max(...turned.trials.tradeCount)).toBeGreaterThan(10);
  });

  it('says what of a set is outside the ranges of the request, which a set around the own one may keep', () => {
    // The own rules: a stop of 2 average true ranges, a target of 4, no trailing and an RSI of 1.2.
    const space = {
      stop: { min: 3, max: 3.5 },
      target: { min: 1, max: 4 },
      trailing: 'on',
      weights: { rsi: { min: -1, max: -1 }, macd: { min: 0, max: 5 } },
    } as const;
    const few = { params, ...shared, samples: 5, rules: { ...rules, space }, withSets: true };
    const { sets, leaders } = resultOf(few);
    expect(leaders.map(({ index }) => index)).toContain(0);
    const ids = rulesParameters(rules.strategy);
    const outside = (table: Float64Array, i: number) =>
      outsideSlots(few, setOf(table, i, abi.RULES_SET_LENGTH)).map(
        (slot) => ids.find((each) => each.slot === slot)!.id,
      );
    expect(outside(sets!.trials, 0)).toEqual(['rsi', 'stop', 'trailing']);
    for (let i = 1; i < 5; i++) expect(outside(sets!.trials, i)).toEqual([]);
    const count = sets!.refined.length / abi.RULES_SET_LENGTH;
    const refined = Array.from({ length: count }, (_, i) => outside(sets!.refined, i));
    expect(refined.some(({ length }) => length > 0)).toBe(true);
    // A search without ranges has no values outside.
    expect(outsideSlots({ params, rules }, packRules({ ...rules.strategy, entryThreshold: 0.01 }))).toEqual([]);
  });

  it('walks forward and can be guided', () => {
    const walkForward = { kind: 'anchored', folds: 3, purgeBars: 10, embargoBars: 5 } as const;
    const whole = resultOf({ ...shared, rules, guide: true, walkForward });
    expect(whole.trialCount).toBe(240);
    expect(whole.walkForward!.folds).toHaveLength(3);
    const [fold] = whole.walkForward!.folds;
    // The test of a fold is the run of its strategy on those candles, at one size.
    const { start, end } = fold!.test;
    const tested = {
      candles: cutAt(candles, end),
      costs: defaultCosts,
      scoredCount: end - start,
      strategy: atOneSize(fold!.strategy!),
      context: [],
    };
    expect(fold!.testNetPnl).toBe(ranAlone(tested).summary.netPnl);
    const input = { params, ...shared, rules, guide: true, walkForward };
    const alone = runTask(engine, { name: 'walkForward', input }) as TaskResult<WalkForwardResult>;
    expect(alone.ok && alone.value).toEqual(whole.walkForward);
  });

  it('beats the rules that it starts from where it searches', () => {
    const { best, trials } = resultOf({ ...shared, rules });
    expect(best!.value).toBeGreaterThan(trials.netPnl[0] ?? Infinity);
  });

  const fast = { ...rules.strategy, entryThreshold: 2 };
  it.each([
    ['a strategy out of bounds', { rules: { ...rules, strategy: fast } }, 'rules.strategy.entryThreshold'],
    ['candles of an interval that is not in it', { rules: { ...rules, context: [candles] } }, 'rules.context'],
    ['news of other candles', { rules: { ...rules, news: new Int8Array(3) } }, 'rules.news'],
    [
      'weights beyond the bounds',
      { rules: { ...rules, space: { weight: { min: -6, max: 1 } } } },
      'rules.space.weight',
    ],
    ['a range upside down', { rules: { ...rules, space: { stop: { min: 3, max: 2 } } } }, 'rules.space.stop'],
    [
      'a vote that is not searched',
      { rules: { ...rules, space: { weights: { news: { min: 0, max: 1 } } } } },
      'rules.space.weights.news',
    ],
    ['half a set to mark', { rules, marked: new Float64Array(30) }, 'marked.length'],
    [
      'too much leverage',
      { rules, costs: { ...defaultCosts, leverage: 125, maintenanceMarginFraction: 0.02 } },
      'costs.leverage',
    ],
  ])('rejects %s by name', (_, change: Partial<OptimizeInput>, field) => {
    expect(searched({ ...shared, rules, ...change })).toMatchObject({ ok: false, error: { code: 'bad_input', field } });
  });

  it('rejects a window that is too short and says what is missing', () => {
    const short = searched({ ...shared, rules, scoredCount: 1100 });
    expect(short).toMatchObject({ ok: false, error: { code: 'too_short', field: 'candles' } });
  });
});

describe('candles that a search over rules reads', () => {
  it('are scored from the candle on at which every vote of every interval is known', () => {
    const random = seededRandom(4);
    const base = randomCandles(random, 700, intervalMs['15m']);
    const hour = randomCandles(random, 175, intervalMs['1h']);
    const strategy = liveRules(['15m', '1h']);
    const one = { candles: base, costs: defaultCosts, scoredCount: 100, samples: 10, target: 'pnl', seed: 1 } as const;
    const { train } = resultOf({ ...one, rules: { strategy, context: [hour] }, refine: false });
    // The slowest vote of the hour needs more than fifty of its candles.
    expect(train.start).toBeGreaterThan(4 * 50);
    expect(train.end).toBe(600);
  });
});
