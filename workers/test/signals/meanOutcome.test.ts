import { describe, expect, it } from 'vitest';
import { tQuantile } from '../../src/core/tQuantile.ts';
import { type MeanOutcome, meanOf } from '../../src/signals/meanOutcome.ts';
import { seededRandom } from '../support/randomRuns.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const startMs = Date.UTC(2026, 0, 1);

const STEP_HOURS = 4;
const STEPS_OF_DAY = 24 / STEP_HOURS;
const SYMBOLS = 5;

/** Positions without an edge: random walks that share half of their variance with the market, one entry per symbol on most days. */
function worldOf(seed: number, { days, holdHoursMax }: { days: number; holdHoursMax: number }): MeanOutcome[] {
  const random = seededRandom(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const holdStepsMax = holdHoursMax / STEP_HOURS;
  const steps = days * STEPS_OF_DAY + holdStepsMax;
  const market = Array.from({ length: steps }, normal);
  return Array.from({ length: SYMBOLS }, () => {
    const price = [0];
    for (const move of market) price.push((price.at(-1) ?? 0) + 0.002 * (move + normal()));
    return Array.from({ length: days }, (_, day) => {
      const from = day * STEPS_OF_DAY + Math.floor(random() * STEPS_OF_DAY);
      const to = from + Math.ceil((0.5 + random() / 2) * holdStepsMax);
      const [closeAtMs, exitAtMs] = [from, to].map((step) => startMs + step * STEP_HOURS * hourMs) as [number, number];
      return { closeAtMs, exitAtMs, netFraction: price[to]! - price[from]! };
    }).filter(() => random() < 0.7);
  }).flat();
}

/** The interval by single days, as it was: outcomes of different days are independent draws. */
function byDay(outcomes: readonly MeanOutcome[]) {
  return meanOf(outcomes.map((outcome) => ({ ...outcome, exitAtMs: outcome.closeAtMs })));
}

/** Share of the worlds whose interval has the true mean, 0. */
function coverageOf(of: typeof meanOf, world: Parameters<typeof worldOf>[1], worlds = 500): number {
  const covered = Array.from({ length: worlds }, (_, seed) => of(worldOf(seed + 1, world)).interval).filter(
    (interval) => interval!.low <= 0 && interval!.high >= 0,
  );
  return covered.length / worlds;
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
    const long = { days: 100, holdHoursMax: 5 * 24 };
    // Half of 500 worlds' standard error is 1 %.
    expect(coverageOf(meanOf, long)).toBeGreaterThanOrEqual(0.92);
    expect(coverageOf(meanOf, long)).toBeLessThanOrEqual(0.98);
    expect(coverageOf(byDay, long)).toBeLessThan(0.8);
    expect(coverageOf(meanOf, { days: 100, holdHoursMax: 8 })).toBeGreaterThanOrEqual(0.92);
  });

  it('HIST-154 has the width of Student for few blocks, by his table', () => {
    const table = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];
    for (const [i, value] of table.entries()) expect(Math.abs(tQuantile(i + 1) / value - 1)).toBeLessThan(0.01);
    expect(tQuantile(1000)).toBeCloseTo(1.962, 3);
  });
});
