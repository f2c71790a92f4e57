import { normalCdfReference } from '@sextant/engine-as/test/honesty/reference/normal.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { runTask, startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { bothWindowsFigure, jointProbability, readingOf } from '../../src/tasks/honesty/reading.ts';
import { blockLength, bootstrapSays } from '../../src/tasks/honesty/resampling.ts';
import { blockCountOf } from '../../src/tasks/honesty/selection.ts';
import { chance, probabilitySays } from '../../src/tasks/honesty/figure.ts';
import {
  bestOfLooks,
  countAtLeast,
  entryChance,
  ordinaryWhereUnranked,
  plateauSays,
} from '../../src/tasks/honesty/strategy.ts';
import type { HonestyFigure, HonestyInput, HonestyLevel, HonestyResult } from '../../src/protocol/honesty.ts';
import type { OptimizeResult } from '../../src/protocol/optimize.ts';
import type { TaskResult } from '../../src/protocol/taskResult.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { defaultCosts, defaultWeights } from '../../src/protocol/wire/defaults.ts';
import { market, seededNormal } from '../support/markets.ts';

let engine: TaskEngine;
beforeAll(async () => {
  engine = startEngine(await testEngine());
}, engineTimeoutMs);

const defaultSet = {
  weights: { ...defaultWeights },
  entryThreshold: 0.08,
  stopLossFraction: 0.02,
  takeProfitFraction: 0.04,
  trailing: { enabled: false, callbackFraction: 0.005, stepFraction: 0.0025 },
};
const BARS = 200;
/** Columns that share a part of their shocks: their mean correlation is not 0. */
const columns = (() => {
  const normal = seededNormal(77);
  const common = Array.from({ length: BARS }, () => normal());
  return Array.from({ length: 8 }, (_, k) => common.map((shock) => 0.6 * shock + normal() + (k === 3 ? 0.35 : 0)));
})();
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const central = (values: readonly number[], order: number): number => {
  const middle = mean(values);
  return mean(values.map((value) => (value - middle) ** order));
};

/** z with P(Z <= z) = p, by halving. */
function quantile(p: number): number {
  let [low, high] = [-10, 10];
  for (let i = 0; i < 200; i++) {
    const middle = (low + high) / 2;
    if (normalCdfReference(middle) < p) low = middle;
    else high = middle;
  }
  return low;
}

/** Mean of the correlations of every pair, one after the other. */
function meanCorrelation(): number {
  const pairs: number[] = [];
  for (let i = 0; i < columns.length; i++) {
    for (let k = 0; k < i; k++) {
      const [a, b] = [columns[i]!, columns[k]!];
      const [ma, mb] = [mean(a), mean(b)];
      pairs.push(mean(a.map((x, t) => (x - ma) * (b[t]! - mb))) / Math.sqrt(central(a, 2) * central(b, 2)));
    }
  }
  return mean(pairs);
}

const input = (earlierTrialCount: number): HonestyInput => ({
  kind: 'returns',
  returns: Float64Array.from(columns.flat()),
  trialCount: 8,
  bestIndex: 3,
  tradeCount: 40,
  barMs: 900_000,
  seed: 1,
  earlierTrialCount,
});
function judge(earlierTrialCount: number): Map<string, HonestyFigure> {
  const result = runTask(engine, { name: 'honesty', input: input(earlierTrialCount) }) as TaskResult<HonestyResult>;
  if (!result.ok) throw new Error(result.error.message);
  return new Map(result.value.figures.map((figure) => [figure.id, figure]));
}

describe('figures about choosing, worked out the slow way', () => {
  it.each([0, 92, 4992])('count %i earlier trials, and what the trials share', (earlier) => {
    const n = 8 + earlier;
    const r = meanCorrelation();
    expect(r).toBeGreaterThan(0.15);
    const best = columns[3]!;
    const sharpe = mean(best) / Math.sqrt((central(best, 2) * BARS) / (BARS - 1));
    const [skew, kurtosis] = [central(best, 3) / central(best, 2) ** 1.5, central(best, 4) / central(best, 2) ** 2];
    const error = Math.sqrt((1 - skew * sharpe + ((kurtosis - 1) / 4) * sharpe ** 2) / (BARS - 1));
    const gamma = 0.5772156649015329;
    const ceiling = (1 - gamma) * quantile(1 - 1 / n) + gamma * quantile(1 - 1 / (n * Math.E));
    const benchmark = ceiling * Math.sqrt((1 - r) / (BARS - 1));
    const figures = judge(earlier);
    expect(figures.get('luckCeiling')!.value).toBeCloseTo(ceiling, 8);
    expect(figures.get('deflatedSharpe')!.value).toBeCloseTo(normalCdfReference((sharpe - benchmark) / error), 8);
    expect(figures.get('effectiveTrials')!.value).toBeCloseTo(r + (1 - r) * n, 8);
    const annual = sharpe * Math.sqrt((365 * 86_400_000) / 900_000);
    expect(figures.get('minimumBacktest')!.value).toBeCloseTo((ceiling / annual) ** 2, 8);
  });
});

describe('entries by dice', () => {
  it('are as likely as the own ones were where one was possible', () => {
    // 100 bars, 40 of them held in 10 trades: 60 without a position, and 10 at whose close it has ended.
    expect(entryChance({ bars: 100, heldBars: 40, trades: 10 })).toBe(10 / 70);
    // In and out at every bar.
    expect(entryChance({ bars: 10, heldBars: 10, trades: 10 })).toBe(1);
  });

  it('count against the own result when they are just as good', () => {
    expect(countAtLeast(Float64Array.of(1, 2, 2, 3), 2)).toBe(3);
  });
});

describe('what a figure says', () => {
  it('of unseen candles: skill from 95 %, luck below one half', () => {
    expect([0.95, 0.9499, 0.5, 0.4999].map(probabilitySays)).toEqual(['skill', 'neither', 'neither', 'luck']);
  });

  it('of resampled equity: skill when 19 of 20 paths earn on unseen candles, luck when one of two does not', () => {
    const says = (low: number, median: number, isUnseen: boolean) => bootstrapSays({ low, median }, isUnseen);
    expect([says(0.01, 0.1, true), says(-0.01, 0.1, true), says(0, 0.1, true)]).toEqual([
      'skill',
      'neither',
      'neither',
    ]);
    expect([says(0.01, 0.1, false), says(-0.1, 0, true), says(-0.1, -0.1, false)]).toEqual(['neither', 'luck', 'luck']);
  });

  it('of a plateau: a neighbour that is not ranked is an ordinary set, not left out', () => {
    expect([...ordinaryWhereUnranked(Float64Array.of(5, -Infinity, 3), 1)]).toEqual([5, 1, 3]);
  });

  it('of a plateau: luck when the neighbours lose more than half of the lead', () => {
    expect([1, 0.5, 0.4999, 0].map(plateauSays)).toEqual(['neither', 'neither', 'luck', 'luck']);
  });
});

describe('looking again', () => {
  it('makes the best of n looks as likely as that one of n is this good', () => {
    expect(bestOfLooks(0.05, 1)).toBe(0.05);
    expect(bestOfLooks(0.05, 2)).toBeCloseTo(1 - 0.95 ** 2, 12);
    expect(bestOfLooks(0.001, 300)).toBeCloseTo(1 - 0.999 ** 300, 12);
  });

  /** A set, or the best of so many by the scored candles, put into a search on the candles before them. */
  function unseenFigures(seed: number, samples: number, earlierLookCount: number): Map<string, HonestyFigure> {
    const search = {
      candles: market(1000, seed),
      costs: { ...defaultCosts },
      scoredCount: 500,
      seed,
      refine: false as const,
      params: defaultSet,
      target: 'pnl' as const,
    };
    const chosen = runTask(engine, {
      name: 'optimize',
      input: { ...search, samples, trainOn: 'scored' },
    }) as TaskResult<OptimizeResult>;
    if (!chosen.ok || chosen.value.best === undefined) throw new Error('no best');
    const again = { ...search, params: chosen.value.best.params, samples: 1, trainOn: 'earlier' as const };
    const judged = runTask(engine, {
      name: 'honesty',
      input: { kind: 'search', search: again, earlierTrialCount: samples, earlierLookCount },
    }) as TaskResult<HonestyResult>;
    if (!judged.ok) throw new Error(judged.error.message);
    return new Map(judged.value.figures.map((figure) => [figure.id, figure]));
  }
  const confirming = ['holdout', 'randomEntry', 'equityBootstrap'];
  const skillIn = (looks: number): number =>
    Array.from({ length: 40 }, (_, i) => unseenFigures(40_000 + i, 300, looks)).filter((figures) =>
      confirming.some((id) => figures.get(id)!.says === 'skill'),
    ).length;

  it('at noise until something is good there confirms nothing once the looks are counted', () => {
    // A set chosen on the same candles reads as confirmed by them when views are not counted: at least one of four markets.
    expect(skillIn(0)).toBeGreaterThanOrEqual(10);
    expect(skillIn(300)).toBeLessThanOrEqual(3);
  });

  it('says how often, and names a count that is none', () => {
    const words = unseenFigures(40_000, 300, 300).get('holdout')!.words;
    expect(words).toContain('the luckiest of your 301 looks there');
    const bad = { kind: 'search', search: {}, earlierLookCount: -1 } as unknown as HonestyInput;
    expect(runTask(engine, { name: 'honesty', input: bad })).toMatchObject({ error: { field: 'earlierLookCount' } });
  });
});

describe('blocks', () => {
  it('of resampled equity keep a trade together and leave at least five', () => {
    expect([blockLength(1000, 1), blockLength(1000, 24.2), blockLength(100, 50), blockLength(4, 1)]).toEqual([
      10, 25, 20, 1,
    ]);
  });

  it('of halvings are even in number, at most ten, each of at least ten bars', () => {
    expect([59, 60, 79, 80, 100, 5000].map(blockCountOf)).toEqual([0, 6, 6, 8, 10, 10]);
  });
});

describe('the reading', () => {
  const figure = (id: string, says: HonestyFigure['says'], value: number | null = 1): HonestyFigure =>
    ({ id, value, says, words: `${id} says ${says}.`, count: 1, window: 'search' }) as HonestyFigure;
  const deciding = [figure('deflatedSharpe', 'skill'), figure('realityCheck', 'skill')];
  const levelOf = (...figures: HonestyFigure[]) => readingOf(figures, 1000).level;

  it('holds up only with both tests, unseen candles for it and no figure against it', () => {
    expect(levelOf(...deciding, figure('holdout', 'skill'))).toBe('holds up');
    expect(levelOf(...deciding)).toBe('unclear');
    expect(levelOf(...deciding, figure('holdout', 'skill'), figure('plateau', 'luck'))).toBe('unclear');
  });

  it('does not hold up without unseen candles, whatever else agrees, and says that they are missing', () => {
    const reading = readingOf([...deciding, figure('overfitting', 'skill'), figure('randomEntry', 'skill')], 1000);
    expect(reading).toMatchObject({
      level: 'unclear',
      words: 'Beats the luckiest of 1,000 settings; test it on unseen candles.',
    });
  });

  describe('that passes on searched and unseen candles together', () => {
    const together = (dsr: HonestyFigure, rc: HonestyFigure, unseen: HonestyFigure) =>
      readingOf([dsr, rc, unseen, figure('bothWindows', 'skill', 0.01), figure('overfitting', 'skill', 0.1)], 1800);
    const [dsr, rc] = [figure('deflatedSharpe', 'neither', 0.8), figure('realityCheck', 'neither', 0.1)];
    const unseen = figure('holdout', 'skill', 0.97);

    it('holds up when no test says luck and the unseen candles say skill by themselves', () => {
      expect(together(dsr, rc, unseen)).toMatchObject({
        level: 'holds up',
        words:
          'Beats the luckiest of 1,800 settings on training and unseen candles together. 2 other figures confirm it.',
      });
    });

    it('does not hold up while a deciding test says luck, and does not claim to be better than luck', () => {
      const lucky = figure('deflatedSharpe', 'luck', 0.4);
      expect(together(lucky, rc, unseen)).toMatchObject({
        level: 'unclear',
        words: 'Good on training and unseen candles together, but Deflated Sharpe ratio says luck in training.',
      });
      expect(together(dsr, figure('realityCheck', 'luck', 0.6), unseen).words).toContain('Reality check says luck');
      expect(together(lucky, figure('realityCheck', 'luck', 0.6), unseen).words).toContain(
        'Deflated Sharpe ratio and Reality check say luck',
      );
    });

    it('does not hold up on the searched candles alone: unseen ones say 94.9 % at most below the limit', () => {
      expect(together(dsr, rc, figure('holdout', 'neither', 0.94999))).toMatchObject({
        level: 'unclear',
        words: expect.stringContaining('unseen candles are only 94.9 % sure (95 % needed)') as string,
      });
      expect(together(dsr, rc, figure('holdout', 'luck', 0.3)).level).toBe('unclear');
    });
  });

  it('never reads as certain', () => {
    expect([0, 0.00001, 0.0049].map((p) => chance(p))).toEqual(Array(3).fill('less than 1 %'));
    expect([0.9951, 1 - 1e-12, 1].map((p) => chance(p, 1))).toEqual(['99.5 %', 'more than 99.9 %', 'more than 99.9 %']);
    // Exactly between two steps: rounds up, so it is not written as 100 % either.
    expect(chance(0.995)).toBe('more than 99 %');
    expect([0.05, 0.5, 0.95].map((p) => chance(p))).toEqual(['5 %', '50 %', '95 %']);
  });

  it('is luck when either test says so, and nothing when either is missing, whatever the rest says', () => {
    const rest = [figure('holdout', 'skill'), figure('overfitting', 'skill')];
    for (const [one, other] of [deciding, [...deciding].reverse()] as [HonestyFigure, HonestyFigure][]) {
      expect(levelOf({ ...one, says: 'luck' }, other, ...rest)).toBe('luck');
      expect(levelOf({ ...one, value: null }, other, ...rest)).toBe('not enough data');
    }
  });

  it('joins searched and unseen candles, by hand: p = q (1 - ln q)', () => {
    // q = 0.2 x 0.05 = 0.01: 0.01 x (1 + 4.60517) = 0.0560517; as likely as two dice that both roll so low.
    expect(jointProbability(0.2, 0.05)).toBeCloseTo(0.0560517, 7);
    expect(jointProbability(1, 1)).toBe(1);
    const tests = [figure('deflatedSharpe', 'neither', 0.8), figure('realityCheck', 'neither', 0.1)];
    expect(bothWindowsFigure([...tests, figure('holdout', 'skill', 0.95)])).toMatchObject({ says: 'neither' });
    // 0.2 x 0.04 = 0.008: 0.0466.
    expect(bothWindowsFigure([...tests, figure('holdout', 'skill', 0.96)])).toMatchObject({ says: 'skill' });
    expect(bothWindowsFigure([...tests, figure('holdout', 'neither', null)]).value).toBeNull();
  });

  it('with unseen candles rests on both windows: they can carry a search that alone is too short, and need another figure', () => {
    const windows = (says: HonestyFigure['says'], together: number): HonestyFigure[] => [
      figure('deflatedSharpe', 'luck', 0.4),
      figure('realityCheck', 'neither', 0.3),
      figure('holdout', says, 0.99),
      figure('bothWindows', together < 0.05 ? 'skill' : 'neither', together),
    ];
    const silent = figure('deflatedSharpe', 'neither', 0.6);
    expect(levelOf(silent, ...windows('skill', 0.01).slice(1))).toBe('holds up');
    expect(levelOf(silent, ...windows('skill', 0.01).slice(1), figure('plateau', 'luck'))).toBe('unclear');
    expect(levelOf(...windows('skill', 0.01))).toBe('unclear');
    expect(levelOf(...windows('skill', 0.06))).toBe('unclear');
    expect(levelOf(...windows('neither', 0.2))).toBe('luck');
    expect(levelOf(...windows('neither', 0.01))).toBe('unclear');
  });

  it('DESK-177 never starts with the level that is named beside it', () => {
    const names = ['luck', 'likely luck', 'unclear', 'holds up', 'not enough data'];
    const missing = { ...figure('realityCheck', 'neither', null), reason: 'not enough data: 3 days' };
    const cases: [HonestyLevel, HonestyFigure[]][] = [
      ['luck', [figure('deflatedSharpe', 'luck'), ...deciding.slice(1)]],
      ['holds up', [...deciding, figure('holdout', 'skill')]],
      ['unclear', deciding],
      ['unclear', [...deciding, figure('holdout', 'neither', 0.6)]],
      ['unclear', [...deciding, figure('holdout', 'skill'), figure('plateau', 'luck')]],
      ['unclear', [figure('deflatedSharpe', 'neither', 0.6), ...deciding.slice(1)]],
      ['not enough data', [...deciding.slice(0, 1), { ...missing, reason: 'too few trades' }]],
      ['not enough data', [...deciding.slice(0, 1), { ...missing, reason: '1 set tried' }]],
    ];
    for (const [level, figures] of cases) {
      const reading = readingOf(figures, 1000);
      expect(reading.level).toBe(level);
      expect(reading.words).toMatch(/^[A-Z0-9]/);
      for (const name of names) expect(reading.words.toLowerCase()).not.toMatch(new RegExp(`^${name}[:.]`));
    }
  });

  it('is neither when a test is not significant: that is no evidence of luck', () => {
    const silent = figure('deflatedSharpe', 'neither', 0.82);
    const reading = readingOf([silent, figure('realityCheck', 'skill', 0.03), figure('holdout', 'skill')], 2002);
    expect(reading.level).toBe('unclear');
    expect(reading.words).toBe('Luck gets this good in 18 % of cases (2,002 settings). Needs under 5 %.');
  });
});
