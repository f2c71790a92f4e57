import { beforeAll, describe, expect, it } from 'vitest';
import type { HonestyFigure, HonestyInput, HonestyResult } from '../../src/protocol/honesty.ts';
import type { TaskResult } from '../../src/protocol/taskResult.ts';
import { runTask, startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { seededNormal } from '../support/markets.ts';

let engine: TaskEngine;
beforeAll(async () => {
  engine = startEngine(await testEngine());
}, engineTimeoutMs);

function judge(columns: number[][], earlierTrialCount: number): HonestyResult {
  const input: HonestyInput = {
    kind: 'returns',
    returns: Float64Array.from(columns.flat()),
    trialCount: columns.length,
    bestIndex: 0,
    tradeCount: 40,
    barMs: 900_000,
    seed: 1,
    earlierTrialCount,
  };
  const result = runTask(engine, { name: 'honesty', input }) as TaskResult<HonestyResult>;
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

function figures(columns: number[][], earlierTrialCount = 0): (id: HonestyFigure['id']) => HonestyFigure {
  const { figures: all } = judge(columns, earlierTrialCount);
  return (id) => all.find((figure) => figure.id === id)!;
}

function overfittingOf(columns: number[][]): { figure: HonestyFigure; halvings: HonestyResult['halvings'] } {
  const { figures: all, halvings } = judge(columns, 0);
  return { figure: all.find(({ id }) => id === 'overfitting')!, halvings };
}

const BARS = 100;
/**
 * One up, one down, around `mean`: 100 bars have a deviation of 10 / sqrt(99), no skewness and a kurtosis of 1, so the Sharpe ratio has
 * a standard error of 1 / sqrt(99) whatever it is, and lies 9.9 x mean of them above zero.
 */
const seesaw = (mean: number): number[] => Array.from({ length: BARS }, (_, t) => mean + (t % 2 === 0 ? 1 : -1));
/** The same in pairs: uncorrelated with the other. */
const pairs = Array.from({ length: BARS }, (_, t) => (t % 4 < 2 ? 1 : -1));
/** Mean of a seesaw that lies this many standard errors above zero. */
const meanFor = (errors: number): number => errors / 9.9;

describe('a Sharpe ratio around the 95 % requirement of 1.645 standard errors', () => {
  it.each([
    [1.63, 'neither'],
    [1.66, 'neither'],
  ])('of %d: the probability and the length of the record are silent', (errors, says) => {
    const of = figures([seesaw(meanFor(errors)), pairs]);
    expect(of('probabilisticSharpe').value! < 0.95).toBe(errors < 1.645);
    expect(of('probabilisticSharpe').says).toBe(says);
    // 1 + (1.645 / Sharpe)^2 bars, which is more than 100 below 1.645 errors.
    const sharpe = (meanFor(errors) * Math.sqrt(99)) / 10;
    expect(of('minimumTrackRecord').value).toBeCloseTo(1 + (1.6448536 / sharpe) ** 2, 5);
    expect(of('minimumTrackRecord').says).toBe(says);
  });

  it('below zero speaks for luck', () => {
    expect(figures([seesaw(meanFor(-0.1)), pairs])('probabilisticSharpe').says).toBe('luck');
  });

  it.each([
    [2.2, 'luck'],
    [2.35, 'neither'],
  ])('of %d, with 50 trials: the length of the data says %s', (errors, says) => {
    // The luckiest of 50 is expected at 2.276 deviations: 100 bars are too few below a Sharpe ratio of 0.2276, 2.264 errors.
    expect(figures([seesaw(meanFor(errors)), pairs], 48)('minimumBacktest').says).toBe(says);
  });
});

describe('the reality check', () => {
  // Blocks of five bars sum to one up or one down, so a world without skill sums twenty signs over 100 bars. The seesaw of 0.05 needs a
  // sum of 5, so 6: 13.2 % of the worlds. The other trial's blocks sum to one too, and not together with these: about a quarter for both.
  it('is passed below one of twenty worlds, and not by most of them', () => {
    const plain = figures([seesaw(0.05), pairs])('realityCheck');
    expect(plain.value!).toBeGreaterThan(0.2);
    expect(plain.value!).toBeLessThan(0.3);
    // Not significant, and no evidence of luck either.
    expect(plain.says).toBe('neither');
    // A sum of 50 is more than twenty signs can give.
    expect(figures([seesaw(0.5), seesaw(0)])('realityCheck')).toMatchObject({ value: 1 / 1001, says: 'skill' });
  });
});

describe('the probability of overfitting', () => {
  it('is the share of the halvings that the winner of one half lost, and its words cite the same count', () => {
    const normal = seededNormal(9050);
    const table = Array.from({ length: 12 }, () => Array.from({ length: BARS }, () => normal()));
    const { figure, halvings } = overfittingOf(table);
    const lost = halvings.rank.reduce((count, rank) => count + Number(rank <= 0.5), 0);
    expect(halvings.rank).toHaveLength(252);
    expect(figure.value).toBeCloseTo(lost / 252, 12);
    expect(figure.words).toContain(`in ${lost} of 252 splits`);
  });

  it('is silent on noise, however low it is', () => {
    for (let seed = 1; seed <= 12; seed++) {
      const normal = seededNormal(9000 + seed);
      const table = Array.from({ length: 12 }, () => Array.from({ length: BARS }, () => normal()));
      const { band, says } = figures(table)('overfitting');
      expect(band!.high, `seed ${seed}`).toBeGreaterThanOrEqual(0.5);
      expect(says, `seed ${seed}`).toBe('neither');
    }
  });

  it('speaks for skill where one trial is best in every half', () => {
    const normal = seededNormal(9100);
    const table = Array.from({ length: 12 }, (_, k) =>
      Array.from({ length: BARS }, () => normal() + (k === 0 ? 2 : 0)),
    );
    expect(figures(table)('overfitting')).toMatchObject({ value: 0, says: 'skill' });
    expect(figures(table)('overfitting').words).toMatch(/typical: less than 1 % to /);
  });
});
