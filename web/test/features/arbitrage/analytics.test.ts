import { describe, expect, it } from 'vitest';
import { rangeText } from '../../../src/features/arbitrage/ArbitrageTab.tsx';
import { depthText } from '../../../src/features/arbitrage/PairDrawer.tsx';
import { watchedName } from '../../../src/features/arbitrage/useArbitrageScan.ts';
import { episodesText } from '../../../src/features/arbitrage/PairHistory.tsx';
import { watchedText } from '../../../src/features/arbitrage/WatchedPairs.tsx';

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
    // Equal bounds are shown once; one sample a second has no finer resolution.
    [1, 1, '1 s'],
    [0.9, 1.04, '1 s'],
  ])('from %s to %s is %s', (medianLifetimeLowS, medianLifetimeHighS, text) =>
    expect(rangeText({ ...figures, medianLifetimeLowS, medianLifetimeHighS })).toBe(text),
  );
});

it('suggested symbols are not called a watch list', () => {
  expect(watchedName([], ['BTCUSDT'])).toBe('Suggested symbols');
  expect(watchedName(['BTCUSDT'], ['BTCUSDT', 'ETHUSDT'])).toBe('Watch list and suggestions');
  expect(watchedName(['BTCUSDT', 'OLDUSDT'], ['BTCUSDT'])).toBe('Watch list');
});

describe('how often a pair was above its costs', () => {
  const persistence = (episodes: number, medianLifetimeS: number | null) => ({
    verdict: 'not_enough' as const,
    episodesNeeded: 30,
    missing: null,
    thresholdPct: 0.02,
    sampledSeconds: 60,
    sinceMs: null,
    days: 30,
    notStored: 0,
    bySymbol: [],
    byPair: [],
    byHour: [],
    overall: { ...figures, episodes, medianLifetimeS, medianLifetimeLowS: null, medianLifetimeHighS: null },
  });
  const plain = (...of: Parameters<typeof episodesText>) => episodesText(...of).replaceAll('\u00a0', ' ');

  it('names the time that still runs, which is not among those that have ended', () => {
    expect(plain(persistence(0, null), 426_000)).toBe(
      'Above 0.02 % net for 7 min 6 s at the scan; none before in 30 days.',
    );
    expect(plain(persistence(1, 4), 5000)).toBe('Above 0.02 % net for 5 s at the scan; 1 time before, median 4 s.');
    expect(plain(persistence(2, 4), null)).toBe('Above 0.02 % net 2 times, median 4 s.');
  });
});

describe('what is said when a pair is watched', () => {
  it.each([
    [2, 'Watching BTCUSDT above 0.10 % net. We notify your targets.'],
    [0, 'Watching BTCUSDT above 0.10 % net. Set a notification target to get messages.'],
    [undefined, 'Watching BTCUSDT above 0.10 % net.'],
  ])('promises a message only where a target is set: %s', (targets, text) =>
    expect(watchedText('BTCUSDT above 0.10 % net', targets)).toBe(text),
  );
});

describe('what is lost to the depth of the books', () => {
  it('names each leg, and says so when neither loses what is shown', () => {
    const text = (buySlippageFraction: number, sellSlippageFraction: number) =>
      depthText({ buySlippageFraction, sellSlippageFraction }).replaceAll('\u00a0', ' ');
    expect(text(0.000_12, 0)).toBe('0.012 % on the long leg, 0.000 % on the short leg');
    expect(text(0, 0.000_004)).toBe('less than 0.001 % on each leg');
  });
});
