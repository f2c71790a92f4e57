import { coverageOf } from '@sextant/workers/test/support/overlappingWorld.ts';
import { seededRandom } from '@sextant/workers/test/support/randomRuns.ts';
import { describe, expect, it } from 'vitest';
import { type Episode, meanOf, shareOf } from '../../../src/features/arbitrage/persistence.ts';

const startMs = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;
const left = ({ left5s }: Episode): number | null => left5s;

const episode = (symbol: string, hour: number, left5s: number | null): Episode => ({
  symbol,
  buy: 'binance',
  sell: 'okx',
  startedAtMs: startMs + hour * HOUR_MS,
  lifetimeS: 1,
  followedS: 1,
  netPct: 0.05,
  left1s: 0,
  left5s,
  left30s: 0,
});

/** Three days of ten symbols: what is left moves with the exchange in each hour, around 0. */
function lagging(seed: number): Episode[] {
  const random = seededRandom(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Array.from({ length: 72 }, (_, hour) => {
    const common = normal();
    return Array.from({ length: 10 }, (_each, at) => episode(`S${at}`, hour, common + normal()));
  }).flat();
}

describe('what is left of spreads that rise on many symbols at once', () => {
  it('HIST-158 has the interval of one draw per hour, worked out by hand', () => {
    // Two hours of five symbols, +0.1 % and -0.1 %: sums +0.5 and -0.5, variance 2 x 0.5 / 100 = 0.01. One degree of freedom.
    const episodes = [0, 1].flatMap((hour) =>
      Array.from({ length: 5 }, (_, at) => episode(`S${at}`, hour, hour === 0 ? 0.1 : -0.1)),
    );
    const { mean, high } = meanOf(episodes, left);
    expect(mean).toBeCloseTo(0, 15);
    expect(high).toBeCloseTo(12.706 * 0.1, 10);
    expect(meanOf(episodes.slice(0, 5), left)).toEqual({ mean: 0.1, low: null, high: null });
    expect(meanOf([episode('S1', 0, null)], left)).toEqual({ mean: null, low: null, high: null });
  });

  it('HIST-158 covers the truth in about 95 % of worlds in which an exchange lags on all symbols', () => {
    const interval = (seed: number) => {
      const { low, high } = meanOf(lagging(seed), left);
      return { low: low!, high: high! };
    };
    expect(coverageOf(interval, 0)).toBeGreaterThanOrEqual(0.92);
    expect(coverageOf((seed) => shareOf(lagging(seed), left), 0.5)).toBeGreaterThanOrEqual(0.92);
    // As it was: one draw for each symbol of an hour.
    const bySymbol = coverageOf((seed) => {
      const nets = lagging(seed).map(({ left5s }) => left5s!);
      const mean = nets.reduce((sum, net) => sum + net, 0) / nets.length;
      const error = Math.sqrt(
        nets.reduce((sum, net) => sum + (net - mean) ** 2, 0) / (nets.length * (nets.length - 1)),
      );
      return { low: mean - 1.96 * error, high: mean + 1.96 * error };
    }, 0);
    expect(bySymbol).toBeLessThan(0.75);
  });
});
