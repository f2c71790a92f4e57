import { describe, expect, it } from 'vitest';
import { tQuantile } from '../../src/core/tQuantile.ts';
import { wilson } from '../../src/core/wilson.ts';
import { gainedInterval, type MeanOutcome, meanOf } from '../../src/signals/meanOutcome.ts';
import { coverageOf, overlappingWorld, type World } from '../support/overlappingWorld.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const startMs = Date.UTC(2026, 0, 1);

/** The interval by single days, as it was: outcomes of different days are independent draws. */
function byDay(outcomes: readonly MeanOutcome[]) {
  return meanOf(outcomes.map((outcome) => ({ ...outcome, exitAtMs: outcome.closeAtMs })));
}

describe('the interval of a mean outcome', () => {
  it('HIST-034 is that of one draw per day where nothing is held over days, worked out by hand', () => {
    // Two days, +1 % and -1 %, ten outcomes each: the mean is 0 and its error that of two draws.
    const outcomes = Array.from({ length: 20 }, (_, i) => {
      const closeAtMs = startMs + (i % 2) * dayMs;
      return { closeAtMs, exitAtMs: closeAtMs + hourMs, netFraction: i % 2 === 0 ? 0.01 : -0.01 };
    });
    const { mean, interval } = meanOf(outcomes);
    expect(mean).toBeCloseTo(0, 15);
    // Sums of +0.1 and -0.1: variance 2 x (0.01 + 0.01) / 400 = 0.0001. One degree of freedom.
    expect(interval!.high).toBeCloseTo(12.706 * 0.01, 12);
    expect(meanOf(outcomes.filter((_, i) => i % 2 === 0)).interval).toBeNull();
    expect(meanOf([])).toEqual({ mean: null, interval: null });
  });

  it('HIST-154 is that of blocks of twice the longest hold, worked out by hand', () => {
    // Eight days, one outcome each; the longest is held for 36 h: blocks of three days at least, so two of four days.
    const nets = [0.01, 0.02, 0.03, 0.02, -0.01, -0.02, -0.03, -0.02];
    const outcomes = nets.map((netFraction, day) => {
      const closeAtMs = startMs + day * dayMs;
      return { closeAtMs, exitAtMs: closeAtMs + (day === 3 ? 36 : 2) * hourMs, netFraction };
    });
    const { mean, interval } = meanOf(outcomes);
    expect(mean).toBeCloseTo(0, 15);
    // Sums of +0.08 and -0.08: variance 2 x 2 x 0.0064 / 64 = 0.0004.
    expect(interval!.high).toBeCloseTo(12.706 * 0.02, 12);
    // Of five days there is no second block.
    expect(meanOf(outcomes.slice(0, 5)).interval).toBeNull();
  });

  it('HIST-154 covers no edge in about 95 % of worlds with overlapping positions, which single days do not', () => {
    const covered = (of: typeof meanOf, world: World): number =>
      coverageOf((seed) => of(overlappingWorld(seed, world)).interval, 0);
    const long = { days: 100, holdHoursMax: 5 * 24 };
    // Half of 500 worlds' standard error is 1 %.
    expect(covered(meanOf, long)).toBeGreaterThanOrEqual(0.92);
    expect(covered(meanOf, long)).toBeLessThanOrEqual(0.98);
    expect(covered(byDay, long)).toBeLessThan(0.8);
    expect(covered(meanOf, { days: 100, holdHoursMax: 8 })).toBeGreaterThanOrEqual(0.92);
  });

  it('HIST-154 has the width of Student for few blocks, by his table', () => {
    const table = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];
    for (const [i, value] of table.entries()) expect(Math.abs(tQuantile(i + 1) / value - 1)).toBeLessThan(0.01);
    expect(tQuantile(1000)).toBeCloseTo(1.962, 3);
  });
});

describe('the interval of the share of outcomes that gained', () => {
  it('HIST-157 is that of as many trials as its variance by blocks amounts to, worked out by hand', () => {
    // Four days of ten outcomes: 6, 4, 6 and 4 gain. Errors of the days are +1, -1, +1, -1 of 40: variance 4/3 x 4 / 1600 = 1/300.
    const outcomes = [6, 4, 6, 4].flatMap((gained, day) =>
      Array.from({ length: 10 }, (_, i) => {
        const closeAtMs = startMs + day * dayMs;
        return { closeAtMs, exitAtMs: closeAtMs + hourMs, netFraction: i < gained ? 0.01 : -0.01 };
      }),
    );
    // A half of 0.25 / (1/300) = 75 trials; three degrees of freedom: 75 x (1.96 / 3.182)^2 = 28.5 trials, fewer than 40.
    const expected = wilson(20, 40, 75 * (1.959964 / 3.182) ** 2)!;
    const interval = gainedInterval(outcomes)!;
    expect(Math.abs(interval.low - expected.low)).toBeLessThan(2e-3);
    expect(Math.abs(interval.high - expected.high)).toBeLessThan(2e-3);
    // Of one day it is a single trial, whatever the count; without outcomes there is none.
    expect(gainedInterval(outcomes.slice(0, 10))).toEqual(wilson(6, 10, 1));
    expect(gainedInterval([])).toBeNull();
  });

  it('HIST-157 has a width where all gained: a block is one trial', () => {
    const outcomes = Array.from({ length: 40 }, (_, i) => {
      const closeAtMs = startMs + (i % 20) * dayMs;
      return { closeAtMs, exitAtMs: closeAtMs + hourMs, netFraction: 0.01 };
    });
    const { low, high } = gainedInterval(outcomes)!;
    expect(high).toBe(1);
    // Twenty trials less the correction for their number, not forty.
    expect(low).toBeLessThan(wilson(20, 20)!.low);
    expect(low).toBeGreaterThan(wilson(15, 15)!.low);
  });

  it('HIST-157 covers one half in about 95 % of worlds without an edge, which Wilson by signals does not', () => {
    const long = { days: 100, holdHoursMax: 5 * 24 };
    const bySignals = (outcomes: readonly MeanOutcome[]) =>
      wilson(outcomes.filter(({ netFraction }) => netFraction > 0).length, outcomes.length);
    const ofBlocks = coverageOf((seed) => gainedInterval(overlappingWorld(seed, long)), 0.5);
    expect(ofBlocks).toBeGreaterThanOrEqual(0.92);
    expect(ofBlocks).toBeLessThanOrEqual(0.98);
    expect(coverageOf((seed) => bySignals(overlappingWorld(seed, long)), 0.5)).toBeLessThan(0.7);
  });
});
