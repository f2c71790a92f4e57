import { honestyRegistry, type HonestyId } from '@sextant/engine-as/abi/honesty.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { HonestyFigure, HonestyInput, HonestyResult } from '../../src/protocol/honesty.ts';
import type { OptimizeInput, OptimizeResult } from '../../src/protocol/optimize.ts';
import type { TaskResult } from '../../src/protocol/taskResult.ts';
import { runTask, startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { defaultCosts, defaultWeights } from '../../src/protocol/wire/defaults.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { market, seededNormal } from '../support/markets.ts';
import { seeds, shareOf } from '../support/statistics.ts';

let engine: TaskEngine;
beforeAll(async () => {
  engine = startEngine(await testEngine());
}, engineTimeoutMs);

function run(input: HonestyInput): TaskResult<HonestyResult> {
  return runTask(engine, { name: 'honesty', input }) as TaskResult<HonestyResult>;
}

function judge(input: HonestyInput): HonestyResult {
  const result = run(input);
  if (!result.ok) throw new Error(`${result.error.field ?? ''} ${result.error.message}`);
  return result.value;
}

const find = (result: HonestyResult, id: HonestyId): HonestyFigure =>
  result.figures.find((figure) => figure.id === id)!;

function search(more: Partial<OptimizeInput> = {}): OptimizeInput {
  return {
    candles: market(1200, 5),
    params: {
      weights: { ...defaultWeights },
      entryThreshold: 0.08,
      stopLossFraction: 0.02,
      takeProfitFraction: 0.04,
      trailing: { enabled: false, callbackFraction: 0.005, stepFraction: 0.0025 },
    },
    costs: { ...defaultCosts },
    scoredCount: 500,
    samples: 50,
    target: 'pnl',
    seed: 1,
    ...more,
  };
}

/** 50 trials of 600 bars of noise; the first has `skill` deviations per bar. The best by mean is shown. */
function noiseTrials(seed: number, skill = 0): HonestyInput & { kind: 'returns' } {
  const [trials, bars] = [50, 600];
  const normal = seededNormal(seed);
  const returns = Float64Array.from(
    { length: trials * bars },
    (_, cell) => 0.01 * (normal() + (cell < bars ? skill : 0)),
  );
  const total = (k: number): number => returns.subarray(k * bars, (k + 1) * bars).reduce((a, b) => a + b, 0);
  const bestIndex = Array.from({ length: trials }, (_, k) => k).reduce((a, b) => (total(b) > total(a) ? b : a));
  return { kind: 'returns', returns, trialCount: trials, bestIndex, tradeCount: 40, barMs: 900_000, seed };
}

describe('the honesty panel', () => {
  it('has every figure of the registry in order, each with a value or a reason, and words', () => {
    for (const input of [noiseTrials(1), { kind: 'search', search: search() } as const]) {
      const { figures } = judge(input);
      expect(figures.map(({ id }) => id)).toEqual(honestyRegistry.map(({ id }) => id));
      for (const figure of figures) {
        expect(figure.words.length).toBeGreaterThan(20);
        expect(figure.value === null).toBe(figure.reason !== undefined);
        if (figure.value !== null) expect(Number.isFinite(figure.value)).toBe(true);
      }
    }
  });

  it('needs the candles for what must be traded again, and says so', () => {
    for (const id of ['randomEntry', 'plateau', 'buyAndHold', 'breakEvenFee'] as const) {
      expect(find(judge(noiseTrials(1)), id)).toMatchObject({
        value: null,
        reason: expect.stringContaining('candles') as string,
      });
    }
  });

  it('counts earlier trials on the same data, and judges harder with them', () => {
    const input = noiseTrials(2, 0.2);
    const alone = judge(input);
    const after = judge({ ...input, earlierTrialCount: 5000 });
    expect([alone.trialCount, after.trialCount]).toEqual([50, 5050]);
    expect(find(after, 'luckCeiling').value!).toBeGreaterThan(find(alone, 'luckCeiling').value!);
    expect(find(after, 'deflatedSharpe').value!).toBeLessThan(find(alone, 'deflatedSharpe').value!);
  });

  it('is the same for the same input', () => {
    const input = { kind: 'search', search: search() } as const;
    expect(judge(input)).toEqual(judge(input));
  });

  it('judges the very search that the optimiser made', () => {
    const input = search({ trainOn: 'scored' });
    const optimized = runTask(engine, { name: 'optimize', input }) as TaskResult<OptimizeResult>;
    if (!optimized.ok) throw new Error(optimized.error.message);
    const panel = judge({ kind: 'search', search: input });
    expect(panel.trialCount).toBe(optimized.value.trialCount);
    const { summary } = optimized.value.best!.scored;
    const expected = summary.netPnl / defaultCosts.initialEquity - summary.buyAndHoldFraction;
    expect(find(panel, 'buyAndHold').value).toBeCloseTo(expected, 12);
    const turnover = optimized.value.best!.scored.trades.reduce(
      (sum, t) => sum + t.quantity * (t.entryPrice + t.exitPrice),
      0,
    );
    expect(find(panel, 'breakEvenFee').value).toBeCloseTo((summary.grossPnl - summary.funding) / turnover, 12);
  });

  it('withholds what a handful of bars, trades or trials cannot carry', () => {
    const input = noiseTrials(3);
    const short = judge({ ...input, returns: input.returns.slice(0, 50 * 20) });
    expect(find(short, 'deflatedSharpe').reason).toBe('20 bars of 30 needed');
    expect(find(short, 'overfitting').value).toBeNull();
    expect(short.reading.level).toBe('not enough data');
    expect(find(judge({ ...input, tradeCount: 9 }), 'sharpe').reason).toBe('9 closed trades of 10 needed');
    const single = judge({ ...input, returns: input.returns.slice(0, 600), trialCount: 1, bestIndex: 0 });
    expect(find(single, 'luckCeiling').reason).toBe('1 set tried of 2 needed');
    expect(find(single, 'overfitting').value).toBeNull();
  });

  it.each([
    ['a trial that does not exist', { bestIndex: 50 }, 'bestIndex'],
    ['a table that the trials do not share evenly', { trialCount: 49, bestIndex: 0 }, 'returns'],
    ['a bar without length', { barMs: 0 }, 'barMs'],
    ['a negative number of earlier trials', { earlierTrialCount: -1 }, 'earlierTrialCount'],
  ])('rejects %s', (_, more, field) => {
    expect(run({ ...noiseTrials(1), ...more })).toMatchObject({ ok: false, error: { code: 'bad_input', field } });
  });

  it('names a fault of the search inside its input', () => {
    const result = run({ kind: 'search', search: search({ samples: 0 }) });
    expect(result).toMatchObject({ ok: false, error: { field: 'search.samples' } });
  });
});

describe('figures of the candles that the set was chosen on', () => {
  const trending = market(1200, 20_001, { trend: 0.6 });
  const [seen, unseen] = (['scored', 'earlier'] as const).map((trainOn) => ({
    kind: 'search' as const,
    search: search({ candles: trending, trainOn }),
  })) as [HonestyInput, HonestyInput];

  it('confirm nothing, whatever they show, and say so', () => {
    const panel = judge(seen);
    for (const id of ['equityBootstrap', 'randomEntry'] as const) {
      expect(find(panel, id)).toMatchObject({
        says: 'neither',
        words: expect.stringContaining('Chosen on these candles') as string,
      });
    }
    expect(find(panel, 'equityBootstrap').band!.low).toBeGreaterThan(0);
    expect(find(panel, 'randomEntry').value!).toBeLessThan(0.05);
    expect(find(judge(noiseTrials(2, 0.25)), 'equityBootstrap').says).toBe('neither');
  });

  it('confirm on candles that the search never saw', () => {
    const panel = judge(unseen);
    for (const id of ['equityBootstrap', 'randomEntry'] as const) expect(find(panel, id).says).toBe('skill');
    expect(find(panel, 'equityBootstrap').words).not.toContain('Chosen');
  });

  it('still speak against a result that does not even earn there', () => {
    const panel = judge({
      kind: 'search',
      search: search({ trainOn: 'scored', costs: { ...defaultCosts, takerFeeFraction: 0.1 } }),
    });
    expect(find(panel, 'equityBootstrap').says).toBe('luck');
  });
});

describe('what the panel says', () => {
  it('of noise tables: holds up in at most 1 %, luck in about half', () => {
    const levels = seeds(200).map((seed) => judge(noiseTrials(100 + seed)).reading.level);
    // Without skill p is above one half in half of the tables: four errors of 40 tables below it.
    expect(shareOf(levels, 'luck')).toBeGreaterThanOrEqual(0.18);
    // Passing by luck alone stays possible, at the rate the deflated Sharpe ratio allows: about one in 500.
    expect(levels.filter((level) => level === 'holds up').length).toBeLessThanOrEqual(2);
  });

  it('of a planted skill: recognised with the power that theory states', () => {
    // 0.25 deviations per bar over 600 bars: z = 0.25 sqrt(599 / (1 + 0.25^2 / 2)) = 6.03. It must pass 1.645 above the
    // ceiling of 50 trials, 2.28: the power is cdf(6.03 - 3.92) = 98.3 %, so of 60 tables at least 55 (four errors below).
    const panels = Array.from({ length: 60 }, (_, i) => judge(noiseTrials(500 + i, 0.25)));
    const isPassed = (panel: HonestyResult): boolean =>
      (['deflatedSharpe', 'realityCheck'] as const).every((id) => find(panel, id).says === 'skill');
    expect(panels.filter(isPassed).length).toBeGreaterThanOrEqual(55);
    // A table has no unseen candles, which "holds up" requires.
    expect(panels.map(({ reading }) => reading.level)).not.toContain('holds up');
  });

  const near = {
    entryThreshold: { min: 0.1, max: 0.4 },
    stopLossFraction: { min: 0.01, max: 0.06 },
    takeProfitFraction: { min: 0.01, max: 0.12 },
  };

  it('of the best of 50 sets near each other on noise markets, searched on what is shown: never holds up, luck in most', () => {
    const levels = seeds(200).map((seed) => {
      const candles = market(700, 10_000 + seed);
      const input = search({ candles, seed, scoredCount: 600, trainOn: 'scored', refine: false, space: near });
      return judge({ kind: 'search', search: input }).reading.level;
    });
    expect(shareOf(levels, 'luck')).toBeGreaterThanOrEqual(0.5);
    expect(levels).not.toContain('holds up');
  });

  it('of a market with trends that can be learnt: holds up in at least nine of ten, on candles not seen', () => {
    const levels = Array.from({ length: 30 }, (_, i) => {
      const candles = market(1200, 20_000 + i, { trend: 0.6 });
      return judge({ kind: 'search', search: search({ candles, seed: i, refine: false, space: near }) }).reading.level;
    });
    expect(levels.filter((level) => level === 'holds up').length).toBeGreaterThanOrEqual(27);
  });
});
