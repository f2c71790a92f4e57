import { describe, expect, it } from 'vitest';
import { instruments } from '../../../../fakes/exchanges/market/instruments.ts';
import { createSeededMarket } from '../../../../fakes/exchanges/market/seededMarket.ts';
import { listingOf } from '../../../../fakes/exchanges/market/venues.ts';

/**
 * Properties of real crypto prices that a plain random walk lacks. Bounds are wide on purpose: they check the kind of market,
 * for three seeds each, not exact numbers.
 */
const DAY = 86_400_000;
const nowMs = Date.UTC(2025, 5, 11);
const seeds = [7, 8, 20_220_101];

const mean = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0) / values.length;
const covariance = (a: readonly number[], b: readonly number[]): number => {
  const [meanA, meanB] = [mean(a), mean(b)];
  return mean(a.map((value, i) => (value - meanA) * (b[i]! - meanB)));
};
const correlation = (a: readonly number[], b: readonly number[]): number =>
  covariance(a, b) / Math.sqrt(covariance(a, a) * covariance(b, b));
const kurtosis = (values: readonly number[]): number => {
  const centre = mean(values);
  return mean(values.map((each) => (each - centre) ** 4)) / covariance(values, values) ** 2;
};
const lagged = (values: readonly number[], lag: number): number =>
  correlation(values.slice(lag), values.slice(0, -lag));

function seriesOf(seed: number, base: string, interval: string, days: number) {
  const market = createSeededMarket(seed);
  const listing = listingOf(
    'binance',
    instruments.find((each) => each.base === base)!,
  )!;
  const bars = market.candles(listing, interval, nowMs - days * DAY, nowMs, nowMs);
  return { bars, returns: bars.map(({ open, close }) => Math.log(close / open)) };
}

describe.each(seeds)('the seeded market with seed %i', (seed) => {
  it.each(['1m', '15m', '1h'])('has fat tails at %s: kurtosis above 5, where a random walk has 3', (interval) => {
    const days = { '1m': 8, '15m': 120, '1h': 365 }[interval]!;
    expect(kurtosis(seriesOf(seed, 'BTC', interval, days).returns)).toBeGreaterThan(5);
  });

  it('clusters volatility: large moves follow large moves over hours', () => {
    const sizes = seriesOf(seed, 'ETH', '15m', 120).returns.map((each) => Math.min(0.02, Math.abs(each)));
    expect(lagged(sizes, 1)).toBeGreaterThan(0.15);
    expect(lagged(sizes, 8)).toBeGreaterThan(0.08);
  });

  it('does not reveal its direction: returns of neighbouring bars are nearly uncorrelated', () => {
    for (const base of ['BTC', 'ETH', 'DOGE']) {
      const signs = seriesOf(seed, base, '15m', 120).returns.map(Math.sign);
      expect(Math.abs(lagged(signs, 1))).toBeLessThan(0.08);
    }
  });

  it('has the same variance whether it is counted in minutes, hours or days', () => {
    const spent = (interval: string): number =>
      mean(seriesOf(seed, 'SOL', interval, 30).returns.map((each) => each * each));
    const perDay = [spent('1m') * 1440, spent('15m') * 96, spent('1h') * 24];
    expect(Math.max(...perDay) / Math.min(...perDay)).toBeLessThan(1.6);
  });

  it('moves the volume with the range, and more in the American afternoon than in the Asian night', () => {
    const { bars } = seriesOf(seed, 'BTC', '1h', 180);
    const ranges = bars.map(({ high, low }) => Math.log(high / low));
    expect(
      correlation(
        ranges.map((range) => Math.log(range + 1e-5)),
        bars.map(({ lots }) => Math.log(lots)),
      ),
    ).toBeGreaterThan(0.5);
    const at = (hour: number): number =>
      mean(bars.filter(({ openTimeMs }) => (openTimeMs / 3_600_000) % 24 === hour).map(({ lots }) => lots));
    expect(at(14)).toBeGreaterThan(1.4 * at(4));
  });

  it('lets the others follow BTC at every scale, the large ones more closely', () => {
    for (const interval of ['5m', '1h']) {
      const days = interval === '5m' ? 20 : 180;
      const btc = seriesOf(seed, 'BTC', interval, days).returns;
      const eth = correlation(btc, seriesOf(seed, 'ETH', interval, days).returns);
      const doge = correlation(btc, seriesOf(seed, 'DOGE', interval, days).returns);
      expect(eth).toBeGreaterThan(0.55);
      expect(eth).toBeLessThan(0.99);
      expect(doge).toBeGreaterThan(0.2);
    }
  });

  it('has calm and wild months, trends and crashes, and stays within a factor of five of its usual level', () => {
    const { bars, returns } = seriesOf(seed, 'BTC', '1d', 1000);
    const months = Array.from({ length: 33 }, (_, i) =>
      Math.sqrt(mean(returns.slice(i * 30, i * 30 + 30).map((each) => each * each))),
    );
    expect(Math.max(...months) / Math.min(...months)).toBeGreaterThan(2);
    expect(Math.min(...returns)).toBeLessThan(-0.08);
    const closes = bars.map(({ close }) => close);
    expect(Math.max(...closes) / Math.min(...closes)).toBeGreaterThan(1.5);
    expect(Math.max(...closes) / 10).toBeLessThan(96_000 * 5);
    expect(Math.min(...closes) / 10).toBeGreaterThan(96_000 / 5);
  });
});
