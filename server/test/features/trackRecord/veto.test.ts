import { describe, expect, it } from 'vitest';
import { type Judged, valueOfVeto } from '../../../src/features/trackRecord/veto.ts';

const judged = (isPassed: boolean, netFraction: number, count = 1): Judged[] =>
  Array.from({ length: count }, () => ({ isPassed, netFraction }));

/** Seeded, so that a failing case can be run again. */
function generator(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 4294967296;
}

describe('the value of a veto', () => {
  it('is worked out by hand: eight of ten wins pass, two of ten losses do', () => {
    const given = [
      ...[...judged(true, 0.04, 8), ...judged(false, 0.04, 2)],
      ...[...judged(true, -0.02, 2), ...judged(false, -0.02, 8)],
    ];
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
    expect(random?.high).toBeCloseTo(0.01 + 1.959963984540054 * error, 12);
    expect(random?.low).toBeCloseTo(0.01 - 1.959963984540054 * error, 12);
    // z = 0.018 / 0.0068825 = 2.61534; a table of the normal gives 0.00446.
    expect(p_value).toBeCloseTo(0.00446, 4);
    // Sample variance of the ten: (8 * 0.012^2 + 2 * 0.048^2) / 9 = 0.00064.
    expect(passed.mean_interval?.high).toBeCloseTo(0.028 + 1.959963984540054 * Math.sqrt(0.00064 / 10), 12);
  });

  it('returns no figure below ten on either side, whatever the results', () => {
    const given = [...judged(true, 0.04, 30), ...judged(false, -0.02, 9)];
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
    const given = [...judged(true, 0.01, 10), ...judged(false, 0.01, 10)];
    expect(valueOfVeto(given)).toMatchObject({ p_value: 1 });
  });

  it('agrees with drawing every possible veto: 184,756 ways to let 10 of 20 pass', () => {
    const uniform = generator(11);
    const nets = Array.from({ length: 20 }, () => Math.round(uniform() * 600 - 250) / 10_000);
    const given = nets.map((netFraction, i) => ({ netFraction, isPassed: (i * 7) % 20 < 10 }));
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
    expect(random!.high - random!.mean).toBeCloseTo(1.959963984540054 * error, 8);
    expect(added).toBeCloseTo(passedSum / 10 - sum / ways, 10);
    expect(Math.abs(chance! - asGood / ways)).toBeLessThan(0.02);
  });

  it('distinguishes a useful judge from a blind one: of 400 signals, right 6 times in 10 against a coin', () => {
    const uniform = generator(3);
    /** Signals that reach a target of 4 % one time in three, and a judge that is right with this chance. */
    const trial = (skill: number): number => {
      const given = Array.from({ length: 400 }, (): Judged => {
        const isWon = uniform() < 1 / 3;
        return { netFraction: isWon ? 0.039 : -0.021, isPassed: uniform() < skill === isWon };
      });
      return valueOfVeto(given).p_value ?? 1;
    };
    const detectedShare = (skill: number): number =>
      Array.from({ length: 500 }, () => trial(skill)).filter((chance) => chance < 0.05).length / 500;
    // Power at least 0.95 for the useful judge; the blind one passes as useful about one time in twenty.
    expect(detectedShare(0.6)).toBeGreaterThan(0.95);
    expect(detectedShare(0.5)).toBeLessThan(0.08);
    expect(detectedShare(0.4)).toBe(0);
  });
});
