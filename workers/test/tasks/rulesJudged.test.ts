import { intervalMs, MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { classicAsRules } from '../../src/signals/classicRules.ts';
import type { BacktestResult, Candles, StrategyParams } from '../../src/protocol/backtest.ts';
import type { TaskResult } from '../../src/protocol/taskResult.ts';
import type { HonestyInput, HonestyResult } from '../../src/protocol/honesty.ts';
import type { OptimizeResult } from '../../src/protocol/optimize.ts';
import type { MonteCarloInput, MonteCarloResult } from '../../src/protocol/monteCarlo.ts';
import { runTask, startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { defaultCosts, defaultWeights } from '../../src/protocol/wire/defaults.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { randomCandles, seededRandom } from '../support/randomRuns.ts';

let engine: TaskEngine;
beforeAll(async () => {
  engine = startEngine(await testEngine());
}, engineTimeoutMs);

const params: StrategyParams = {
  weights: defaultWeights,
  entryThreshold: 0.08,
  stopLossFraction: 0.01,
  takeProfitFraction: 0.04,
  trailing: { enabled: true, callbackFraction: 0.01, stepFraction: 0.0025 },
};
const market = { candles: randomCandles(seededRandom(9), 900), costs: defaultCosts, scoredCount: 700 };
const rules = { ...market, strategy: classicAsRules(params, '1h'), context: [] };

function judged(input: HonestyInput): HonestyResult {
  const outcome = runTask(engine, { name: 'honesty', input }) as TaskResult<HonestyResult>;
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.value;
}

function monteCarlo(run: MonteCarloInput['run'], change: Partial<MonteCarloInput> = {}): MonteCarloResult {
  const input = { run, seed: 3, marketCount: 20, ...change };
  const outcome = runTask(engine, { name: 'monteCarlo', input }) as TaskResult<MonteCarloResult>;
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.value;
}

const figureOf = ({ figures }: HonestyResult, id: string) => figures.find((figure) => figure.id === id);

describe('a search over rules, judged', () => {
  const search = { ...market, params, rules: { strategy: liveRules(['1h']), context: [] }, samples: 120, seed: 5 };
  const input = { ...search, scoredCount: 300, target: 'pnl' as const };

  it('counts its trials and has every figure of a search, the same from its known values', () => {
    const result = judged({ kind: 'search', search: input, earlierTrialCount: 7 });
    expect(result.trialCount).toBe(120 + 120 + 7);
    const given = result.figures.filter(({ value }) => value !== null).map(({ id }) => id);
    for (const id of ['luckCeiling', 'deflatedSharpe', 'realityCheck', 'overfitting', 'effectiveTrials', 'plateau'])
      expect(given).toContain(id);
    expect(figureOf(result, 'randomEntry')?.window).toBe('scored');
    expect(result.halvings.rank.length).toBeGreaterThan(0);
    const outcome = runTask(engine, { name: 'optimize', input }) as TaskResult<OptimizeResult>;
    if (!outcome.ok) throw new Error(outcome.error.message);
    const { trials, refined, best } = outcome.value;
    const known = { samples: trials.value, refined: refined.value };
    const again = judged({ kind: 'search', search: { ...input, known }, earlierTrialCount: 7 });
    expect(again).toEqual(result);
    // The figures of the scored candles are those of the displayed run.
    const { netPnl } = best!.scored.summary;
    const held = best!.scored.summary.buyAndHoldFraction;
    expect(figureOf(result, 'buyAndHold')?.value).toBeCloseTo(netPnl / defaultCosts.initialEquity - held, 12);
  });

  it('rejects values of another search', () => {
    const outcome = runTask(engine, { name: 'optimize', input }) as TaskResult<OptimizeResult>;
    if (!outcome.ok) throw new Error(outcome.error.message);
    const known = { samples: outcome.value.trials.value, refined: outcome.value.refined.value };
    const other = { kind: 'search' as const, search: { ...input, seed: 6, known } };
    expect(runTask(engine, { name: 'honesty', input: other })).toMatchObject({
      ok: false,
      error: { field: 'search.known' },
    });
  });
});

describe('a run of rules, judged', () => {
  it('has the figures of the Classic run that it is, and dice of the same kind', () => {
    const one = { samples: 1, seed: 1, target: 'pnl', trainOn: 'scored', refine: false } as const;
    const classic = judged({ kind: 'search', search: { ...market, params, ...one }, earlierTrialCount: 24 });
    const result = judged({ kind: 'rules', run: rules, seed: 1, earlierTrialCount: 24 });
    expect([result.trialCount, result.barCount]).toEqual([25, 700]);
    const own = ['plateau', 'randomEntry'];
    const shared = (result: HonestyResult) => result.figures.filter(({ id }) => !own.includes(id));
    expect(shared(result)).toEqual(shared(classic));
    expect(shared(result).filter(({ value }) => value !== null).length).toBeGreaterThan(8);
    expect(result.reading.level).toBe(classic.reading.level);
    // Other dice with the same chances: the shares of two thousand runs differ by 0.022 in the deviation, at most.
    const p = (result: HonestyResult): number => figureOf(result, 'randomEntry')?.value ?? Number.NaN;
    expect(Math.abs(p(result) - p(classic))).toBeLessThan(0.08);
    expect(figureOf(result, 'plateau')).toMatchObject({ value: null, says: 'neither' });
  });

  it('names no search where it is the only set: there is none over rules', () => {
    const one = { samples: 1, seed: 1, target: 'pnl', trainOn: 'scored', refine: false } as const;
    const alone = (input: HonestyInput): string => judged(input).reading.words;
    const words = 'Try another setting to get a luck estimate.';
    expect(alone({ kind: 'rules', run: rules, seed: 1 })).toBe(words);
    expect(alone({ kind: 'search', search: { ...market, params, ...one } })).toBe(`${words} Run a search.`);
  });

  it('has no unseen candles: they are only for a set found by a search', () => {
    const reasonOf = (input: HonestyInput) => figureOf(judged(input), 'holdout')?.reason;
    const searched = {
      ...market,
      params,
      samples: 20,
      seed: 1,
      target: 'pnl',
      trainOn: 'scored',
      refine: false,
    } as const;
    const words = 'run a search';
    expect(reasonOf({ kind: 'rules', run: rules, seed: 1 })).toBe(words);
    expect(reasonOf({ kind: 'search', search: { ...searched, samples: 1 } })).toBe(words);
    expect(reasonOf({ kind: 'search', search: searched })).toBe('the search ran on the scored candles');
  });

  it('has the result of its minute candles, as the run on screen has', () => {
    const minutes = randomCandles(seededRandom(12), 3600, MINUTE_MS);
    const candles = joined(minutes);
    const strategy = { ...classicAsRules({ ...params, takeProfitFraction: 0.01 }, '1h'), entryThreshold: 0.2 };
    const run = { candles, strategy, context: [], costs: defaultCosts, scoredCount: 700, fineCandles: minutes };
    const { fineCandles: _unused, ...plain } = run;
    const summaryOf = (input: typeof plain) => {
      const outcome = runTask(engine, { name: 'backtestStrategy', input }) as TaskResult<BacktestResult>;
      if (!outcome.ok) throw new Error(outcome.error.message);
      return outcome.value.summary;
    };
    const { netPnl, buyAndHoldFraction } = summaryOf(run);
    expect(netPnl).not.toBe(summaryOf(plain).netPnl);
    const result = figureOf(judged({ kind: 'rules', run, seed: 1 }), 'buyAndHold');
    expect(result?.value).toBeCloseTo(netPnl / defaultCosts.initialEquity - buyAndHoldFraction, 12);
  });

  it('is rejected by the name of its field', () => {
    const bad = { ...rules, strategy: { ...rules.strategy, breakEvenR: -1 } };
    const outcome = runTask(engine, { name: 'honesty', input: { kind: 'rules', run: bad, seed: 1 } });
    expect(outcome).toMatchObject({ ok: false, error: { code: 'bad_input', field: 'run.strategy.breakEvenR' } });
  });
});

/** Every four candles as one, from the first on. */
function joined(base: Candles): Candles {
  const starts = [...base.time.keys()].filter((i) => i % 4 === 0);
  const of = (column: Float64Array, value: (four: Float64Array) => number) =>
    Float64Array.from(starts, (i) => value(column.subarray(i, i + 4)));
  return {
    time: of(base.time, (four) => four[0] as number),
    open: of(base.open, (four) => four[0] as number),
    high: of(base.high, (four) => Math.max(...four)),
    low: of(base.low, (four) => Math.min(...four)),
    close: of(base.close, (four) => four[3] as number),
    volume: of(base.volume, (four) => four.reduce((sum, value) => sum + value, 0)),
  };
}

describe('rules on other markets', () => {
  it('give what the Classic run that they are gives, market by market', () => {
    const classic = monteCarlo({ ...market, params });
    expect(monteCarlo(rules)).toEqual(classic);
    expect(new Set(classic.netPnl).size).toBeGreaterThan(10);
  });

  it('join the longer interval from the candles of the made market: of one block it is the real one', () => {
    const candles = randomCandles(seededRandom(11), 800, intervalMs['15m']);
    const strategy = { ...liveRules(['15m', '1h']), entryThreshold: 0.2 };
    const run = { candles, context: [joined(candles)], strategy, costs: defaultCosts, scoredCount: 300 };
    const plain = runTask(engine, { name: 'backtestStrategy', input: run }) as TaskResult<BacktestResult>;
    if (!plain.ok) throw new Error(plain.error.message);
    const { netPnl, tradeCount } = plain.value.summary;
    expect(tradeCount).toBeGreaterThan(5);
    const whole = monteCarlo(run, { marketCount: 2, blockLength: 799 });
    expect(whole.ownNetPnl).toBe(netPnl);
    expect([...whole.netPnl]).toEqual([netPnl, netPnl]);
    expect([...whole.tradeCount]).toEqual([tradeCount, tradeCount]);
    // In pieces they are other markets, of which the longer interval is the one that is made.
    expect(new Set(monteCarlo(run).netPnl).size).toBeGreaterThan(10);
  });
});
