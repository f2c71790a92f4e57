import { describe, expect, it } from 'vitest';
import { chanceOf, liveWeight } from '../../src/signals/chance.ts';

const none = { count: 0, baseRate: null, points: [], meanWinStops: null, meanLossStops: null };
const replayed = {
  count: 900,
  baseRate: 0.3,
  points: [
    { raw: 0, chance: 0.2 },
    { raw: 1, chance: 0.4 },
  ],
  meanWinStops: 1.9,
  meanLossStops: -1.1,
};

describe('the chance of a signal', () => {
  it('HIST-036 gives live outcomes n / (n + k), with k falling from 400 to 0 at 2,000', () => {
    expect(liveWeight(0)).toBe(0);
    // 100 / (100 + 400 x 0.95)
    expect(liveWeight(100)).toBeCloseTo(100 / 480, 12);
    // 1000 / (1000 + 400 x 0.5)
    expect(liveWeight(1000)).toBeCloseTo(1000 / 1200, 12);
    expect(liveWeight(2000)).toBe(1);
    expect(liveWeight(5000)).toBe(1);
  });

  it('HIST-036 starts from replayed outcomes, named replayed, and is null without any', () => {
    expect(chanceOf(0.5, { live: none, replayed: null, stopFraction: 0.02 })).toBeNull();
    expect(chanceOf(0.5, { live: none, replayed: { ...replayed, points: [] }, stopFraction: 0.02 })).toBeNull();
    const first = chanceOf(0.5, { live: none, replayed, stopFraction: 0.02 });
    expect(first).toMatchObject({ chance: expect.closeTo(0.3, 12) as number, count: 900, origin: 'replayed' });
    // 0.02 x (0.3 x 1.9 - 0.7 x 1.1)
    expect(first!.expectedFraction).toBeCloseTo(0.02 * (0.57 - 0.77), 12);
  });

  it('HIST-036 mixes a base rate of few live outcomes, then the live curve, and ends with live ones alone', () => {
    const few = { ...none, count: 50, baseRate: 0.5, meanWinStops: 2, meanLossStops: -1 };
    const weight = 50 / (50 + 400 * 0.975);
    const mixed = chanceOf(0.5, { live: few, replayed, stopFraction: 0.02 });
    expect(mixed).toMatchObject({ count: 950, origin: 'mixed' });
    expect(mixed!.chance).toBeCloseTo(weight * 0.5 + (1 - weight) * 0.3, 12);
    const many = { ...few, count: 2000, points: [{ raw: 0.5, chance: 0.45 }] };
    expect(chanceOf(0.5, { live: many, replayed, stopFraction: 0.02 })).toMatchObject({
      chance: 0.45,
      count: 2000,
      origin: 'live',
    });
    expect(chanceOf(0.5, { live: many, replayed: null, stopFraction: 0.02 })).toMatchObject({ origin: 'live' });
  });
});
