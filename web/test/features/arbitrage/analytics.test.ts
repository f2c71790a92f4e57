import { describe, expect, it } from 'vitest';
import { rangeText } from '../../../src/features/arbitrage/ArbitrageTab.tsx';

const share = { of: 0, count: 0, share: null, low: 0, high: 1 };
const left = { mean: null, low: null, high: null };
const figures = {
  episodes: 6,
  cutShort: 0,
  medianLifetimeS: 1,
  captured: { s1: share, s5: share, s30: share },
  leftPct: { s1: left, s5: left, s30: left },
};

describe('the interval of the median lifetime', () => {
  it.each([
    [null, null, null],
    [4, 9, '4 s to 9 s'],
    [4, null, '4 s or more'],
    // One value twice is said once; a sample a second tells no parts of it.
    [1, 1, '1 s'],
    [0.9, 1.04, '1 s'],
  ])('from %s to %s is %s', (medianLifetimeLowS, medianLifetimeHighS, text) =>
    expect(rangeText({ ...figures, medianLifetimeLowS, medianLifetimeHighS })).toBe(text),
  );
});
