import { describe, expect, it } from 'vitest';
import { type Episode, summarise } from '../../../src/features/arbitrage/persistence.ts';
import { type Observed, medianSurvival } from '../../../src/features/arbitrage/survival.ts';

const ended = (...seconds: number[]): Observed[] => seconds.map((each) => ({ seconds: each, isEnd: true }));
const cut = (...seconds: number[]): Observed[] => seconds.map((each) => ({ seconds: each, isEnd: false }));

describe('the median of lifetimes that were not all followed to their end', () => {
  // Remission of leukaemia in weeks: Freireich et al., Blood 21 (1963) 699, the worked example of most textbooks on survival.
  it('is that of the textbooks for the remissions of Freireich', () => {
    const drug = [...ended(6, 6, 6, 7, 10, 13, 16, 22, 23), ...cut(6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35)];
    expect(medianSurvival(drug)).toEqual({ median: 23, low: 13, high: null });
    const placebo = ended(1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8, 8, 8, 11, 11, 12, 12, 15, 17, 22, 23);
    expect(medianSurvival(placebo)).toEqual({ median: 8, low: 4, high: 11 });
  });

  it('is the plain median when every end was seen, and none when too few were', () => {
    expect(medianSurvival(ended(3, 1, 2)).median).toBe(2);
    expect(medianSurvival(ended(4, 1, 2, 3)).median).toBe(2.5);
    expect(medianSurvival([...ended(1), ...cut(2, 2, 2)])).toMatchObject({ median: null, high: null });
    expect(medianSurvival([])).toEqual({ median: null, low: null, high: null });
  });

  it('is not lowered by those that were cut short', () => {
    // Half live for a second, half were cut after two: those are longer than two seconds, so the half that has ended ends at one.
    const lifetimes = [...ended(1, 1, 1, 9, 9, 9), ...cut(2, 2, 2, 2)];
    expect(medianSurvival(lifetimes).median).toBe(9);
    expect(medianSurvival(ended(1, 1, 1, 9, 9, 9)).median).toBe(5);
  });

  it('has no interval with one to five lifetimes, and one from six on', () => {
    const lived = (seconds: number): Episode => ({
      symbol: 'ZILUSDT',
      buy: 'binance',
      sell: 'okx',
      startedAtMs: 0,
      lifetimeS: seconds,
      followedS: seconds,
      netPct: 0.1,
      left1s: null,
      left5s: null,
      left30s: null,
    });
    for (const count of [1, 5]) {
      const few = summarise(Array.from({ length: count }, () => lived(1)));
      expect(few).toMatchObject({ medianLifetimeS: 1, medianLifetimeLowS: null, medianLifetimeHighS: null });
    }
    const six = summarise([1, 2, 3, 4, 5, 6].map(lived));
    expect(six.medianLifetimeS).toBe(3.5);
    expect(six.medianLifetimeLowS).toBeLessThan(3.5);
  });
});
