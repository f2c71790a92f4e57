import { wilson } from '@sextant/workers/src/core/wilson.ts';
import { coverageOf, overlappingWorld } from '@sextant/workers/test/support/overlappingWorld.ts';
import { describe, expect, it } from 'vitest';
import { type Judged, randomHalf, valueOfVeto } from '../../../src/features/trackRecord/veto.ts';

const startMs = Date.UTC(2026, 0, 1);
const hourMs = 3_600_000;
const Z_95 = 1.959963984540054;
type Verdict = Pick<Judged, 'isPassed' | 'netFraction'>;

const verdicts = (isPassed: boolean, netFraction: number, count = 1): Verdict[] =>
  Array.from({ length: count }, () => ({ isPassed, netFraction }));

/** Signals of an hour each, so many on each day. */
const onDays = (given: readonly Verdict[], ofDay = 1): Judged[] =>
  given.map((verdict, i) => {
    const closeAtMs = startMs + Math.floor(i / ofDay) * 24 * hourMs;
    return { ...verdict, closeAtMs, exitAtMs: closeAtMs + hourMs };
  });

/** Seeded, so that a failing case can be run again. */
function generator(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 4294967296;
}

describe('the value of a veto', () => {
  it('is worked out by hand: eight of ten wins pass, two of ten losses do', () => {
    const given = onDays([
      ...[...verdicts(true, 0.04, 8), ...verdicts(false, 0.04, 2)],
      ...[...verdicts(true, -0.02, 2), ...verdicts(false, -0.02, 8)],
    ]);
    const { is_enough, all, passed, vetoed, random, value_added, p_value } = valueOfVeto(given);
    expect(is_enough).toBe(true);
    expect([all.count, passed.count, vetoed.count]).toEqual([20, 10, 10]);
    expect(all.mean_net_fraction).toBeCloseTo(0.01, 12);
    expect(passed.mean_net_fraction).toBeCloseTo(0.028, 12);
    expect(vetoed.mean_net_fraction).toBeCloseTo(-0.008, 12);
    expect(passed.hit_rate).toBe(0.8);
    expect(value_added).toBeCloseTo(0.018, 12);
    // Every result is 0.03 from the mean of 0.01, so the variance is 0.0009: 0.0009 / 10 * 10 / 19 = (0.006882...)^2.
    const error = Math.sqrt(0.0009 / 19);
    expect(random?.mean).toBeCloseTo(0.01, 12);
    expect(randomHalf(given, 10)).toBeCloseTo(Z_95 * error, 12);
    // Errors by days: 8 x 0.0003^2 + 2 x 0.0033^2 + 10 x 0.0015^2 = 0.000045, times 20 / 19 = 0.0068825^2, too. Student with 19 degrees: 2.093.
    expect(random?.high).toBeCloseTo(0.01 + 2.093 * error, 5);
    expect(random?.low).toBeCloseTo(0.01 - 2.093 * error, 5);
    // z = 1.96 x 0.018 / (2.093 x 0.0068825) = 2.449; a table of the normal gives 0.00716.
    expect(p_value).toBeCloseTo(0.00716, 4);
    // Sample variance of the ten, each on its own day: (8 * 0.012^2 + 2 * 0.048^2) / 9 = 0.00064. Student with nine degrees: 2.262.
    expect(passed.mean_interval?.high).toBeCloseTo(0.028 + 2.262 * Math.sqrt(0.00064 / 10), 4);
  });

  it('returns no figure below ten on either side, whatever the results', () => {
    const given = onDays([...verdicts(true, 0.04, 30), ...verdicts(false, -0.02, 9)]);
    const { is_enough, needed, passed, vetoed, random, value_added, p_value } = valueOfVeto(given);
    expect({ is_enough, needed, random, value_added, p_value }).toEqual({
      is_enough: false,
      needed: 10,
      random: null,
      value_added: null,
      p_value: null,
    });
    expect(passed.mean_net_fraction).toBeCloseTo(0.04, 12);
    expect(vetoed).toMatchObject({ count: 9, mean_net_fraction: null, mean_interval: null, hit_rate: null });
    expect(valueOfVeto([])).toMatchObject({ is_enough: false, all: { count: 0, hit_rate_interval: null } });
  });

  it('of equal results is nothing', () => {
    const given = onDays([...verdicts(true, 0.01, 10), ...verdicts(false, 0.01, 10)]);
    expect(valueOfVeto(given)).toMatchObject({ p_value: 1 });
  });

  it('agrees with drawing every possible veto: 184,756 ways to let 10 of 20 pass', () => {
    const uniform = generator(11);
    const nets = Array.from({ length: 20 }, () => Math.round(uniform() * 600 - 250) / 10_000);
    const given = onDays(nets.map((netFraction, i) => ({ netFraction, isPassed: (i * 7) % 20 < 10 })));
    const { random, value_added: added, p_value: chance } = valueOfVeto(given);
    const passedSum = given.reduce((sum, { isPassed, netFraction }) => sum + (isPassed ? netFraction : 0), 0);
    let [ways, sum, squares, asGood] = [0, 0, 0, 0];
    for (let set = 0; set < 1 << 20; set++) {
      let [size, total] = [0, 0];
      for (let i = 0; i < 20; i++) if ((set >> i) & 1) [size, total] = [size + 1, total + nets[i]!];
      if (size !== 10) continue;
      ways += 1;
      sum += total / 10;
      squares += (total / 10) ** 2;
      if (total >= passedSum - 1e-12) asGood += 1;
    }
    expect(ways).toBe(184_756);
    expect(random?.mean).toBeCloseTo(sum / ways, 10);
    const error = Math.sqrt(squares / ways - (sum / ways) ** 2);
    expect(randomHalf(given, 10)).toBeCloseTo(Z_95 * error, 8);
    expect(random!.high - random!.mean).toBeGreaterThanOrEqual(Z_95 * error - 1e-12);
    expect(added).toBeCloseTo(passedSum / 10 - sum / ways, 10);
    // With errors by days the chance is never nearer to 0 than by draws.
    expect(Math.abs(chance! - 0.5)).toBeLessThan(Math.abs(asGood / ways - 0.5) + 0.02);
  });

  it('distinguishes a useful judge from a blind one: of 400 signals, right 6 times in 10 against a coin', () => {
    const uniform = generator(3);
    /** Signals that reach a target of 4 % one time in three, and a judge that is right with this chance. */
    const trial = (skill: number): number => {
      const given = Array.from({ length: 400 }, (): Verdict => {
        const isWon = uniform() < 1 / 3;
        return { netFraction: isWon ? 0.039 : -0.021, isPassed: uniform() < skill === isWon };
      });
      return valueOfVeto(onDays(given, 4)).p_value ?? 1;
    };
    const detectedShare = (skill: number): number =>
      Array.from({ length: 500 }, () => trial(skill)).filter((chance) => chance < 0.05).length / 500;
    // Power at least 0.95 for the useful judge; the blind one passes as useful about one time in twenty.
    expect(detectedShare(0.6)).toBeGreaterThan(0.95);
    expect(detectedShare(0.5)).toBeLessThan(0.08);
    expect(detectedShare(0.4)).toBe(0);
  });

  it('compares nothing while all signals overlap', () => {
    const given = onDays([...verdicts(true, 0.04, 12), ...verdicts(false, -0.02, 12)], 24);
    expect(valueOfVeto(given)).toMatchObject({ is_enough: true, random: null, p_value: null });
    expect(valueOfVeto(given).passed).toMatchObject({ mean_interval: null, hit_rate_interval: wilson(12, 12, 1) });
  });
});

describe('intervals of signals that are open at the same time', () => {
  const world = { days: 100, holdHoursMax: 5 * 24 };
  const seeded = (seed: number) => generator(seed * 7919);

  it('HIST-158 cover no edge in about 95 % of worlds with a common market, which errors by signals do not', () => {
    const groupOf = (seed: number) =>
      valueOfVeto(overlappingWorld(seed, world).map((outcome) => ({ ...outcome, isPassed: true }))).all;
    const mean = coverageOf((seed) => groupOf(seed).mean_interval, 0);
    expect(mean).toBeGreaterThanOrEqual(0.92);
    expect(mean).toBeLessThanOrEqual(0.98);
    expect(coverageOf((seed) => groupOf(seed).hit_rate_interval, 0.5)).toBeGreaterThanOrEqual(0.92);
    // As it was: each signal is a draw of its own.
    const bySignals = coverageOf((seed) => {
      const nets = overlappingWorld(seed, world).map(({ netFraction }) => netFraction);
      const of = nets.reduce((sum, net) => sum + net, 0) / nets.length;
      const error = Math.sqrt(nets.reduce((sum, net) => sum + (net - of) ** 2, 0) / (nets.length * (nets.length - 1)));
      return { low: of - Z_95 * error, high: of + Z_95 * error };
    }, 0);
    expect(bySignals).toBeLessThan(0.6);
  });

  it('HIST-158 show a veto without skill as useful about one time in twenty, also where it passes whole days', () => {
    const passers = {
      bySignal: (uniform: () => number) => () => uniform() < 0.5,
      byWeek: (uniform: () => number) => {
        const weeks = Array.from({ length: 3000 }, () => uniform() < 0.5);
        return (day: number) => weeks[Math.floor(day / 7)]!;
      },
    };
    const worldOf = (seed: number, passes: keyof typeof passers): Judged[] => {
      const isPassed = passers[passes](seeded(seed));
      return overlappingWorld(seed, world).map((outcome) => ({
        ...outcome,
        isPassed: isPassed(Math.floor(outcome.closeAtMs / (24 * hourMs))),
      }));
    };
    const share = (passes: keyof typeof passers, isUseful: (given: Judged[]) => boolean): number =>
      Array.from({ length: 400 }, (_, seed) => worldOf(seed + 1, passes)).filter(isUseful).length / 400;
    const isShown = (given: Judged[]): boolean => (valueOfVeto(given).p_value ?? 1) < 0.05;
    /** As it was: against random choices of signals. */
    const isAboveDraws = (given: Judged[]): boolean => {
      const passed = given.filter((each) => each.isPassed);
      return valueOfVeto(given).value_added! > (1.645 / Z_95) * randomHalf(given, passed.length);
    };
    // Half of 400 worlds' standard error is 1.1 %.
    expect(share('bySignal', isShown)).toBeLessThan(0.08);
    expect(share('byWeek', isShown)).toBeLessThan(0.08);
    expect(share('byWeek', isAboveDraws)).toBeGreaterThan(0.2);
  });
});
