import { describe, expect, it } from 'vitest';
import { correlationNeeded, GROUND_CLOSES_MIN, groundChart, type PictureCloses } from '../../src/vision/ground.ts';
import { isFull, seeded, size, universe } from './markets.ts';

/** Reader's view of closes in a plot of 420 rows: up to half a pixel off, some missing. */
function pictured(closes: Float64Array, random: () => number, { isLog = false, missing = 0.02 } = {}): PictureCloses {
  const values = Array.from(closes, (close) => (isLog ? Math.log(close) : close));
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const rows = values.map((value) => Math.round(((value - low) / (high - low)) * 420 + random() - 0.5));
  const index = rows.map((_, at) => at).filter((at) => at === 0 || random() >= missing);
  return { index, close: index.map((at) => rows[at]!) };
}

const market = universe(7, size);

describe('groundChart', () => {
  it('finds symbol, interval and offset of pictures of its market, linear and logarithmic', () => {
    const random = seeded(21);
    const pictures = 200;
    let right = 0;
    const costMs: number[] = [];
    for (let i = 0; i < pictures; i++) {
      const at = Math.floor(random() * market.length);
      const count = 40 + Math.floor(random() * 160);
      const start = Math.floor(random() * (size.candles - count));
      const closes = market[at]!.close.slice(start, start + count);
      const picture = pictured(closes, random, { isLog: i % 4 === 0 });
      const before = process.cpuUsage();
      const result = groundChart(picture, market);
      const { user, system } = process.cpuUsage(before);
      costMs.push((user + system) / 1000);
      if (result?.series === at && result.start === start) right++;
    }
    costMs.sort((a, b) => a - b);
    if (isFull)
      process.stdout.write(
        `found ${right} of ${pictures}; processor time of a search: median ${costMs[pictures >> 1]!.toFixed(0)} ms, most ${costMs.at(-1)!.toFixed(0)} ms\n`,
      );
    expect(right).toBeGreaterThanOrEqual(0.95 * pictures);
  }, 3_600_000);

  it('gives back the prices of the picture', () => {
    const closes = market[3]!.close.slice(100, 200);
    const picture = pictured(closes, seeded(4), { missing: 0 });
    const result = groundChart(picture, market)!;
    const range = Math.max(...closes) - Math.min(...closes);
    picture.close.forEach((row, i) => {
      expect(Math.abs(result.offset + result.slope * row - closes[i]!) / range).toBeLessThan(0.005);
    });
  });

  it('takes a last candle that has not closed yet: it is beyond the series', () => {
    const { close } = market[0]!;
    const young = new Float64Array(61);
    young.set(close.slice(-60));
    young[60] = close.at(-1)! * 1.03;
    const result = groundChart(pictured(young, seeded(5), { missing: 0 }), market);
    expect(result).toMatchObject({ series: 0, start: size.candles - 60, count: 61 });
  });

  it('never verifies a picture of another market that moves with ours, nor one flipped in time or upside down', () => {
    const random = seeded(33);
    // The common move of the other market is ours: as if its coin were missing from our list.
    const others = universe(7, { symbols: size.symbols + 1, candles: size.candles }).filter(
      ({ symbol }) => symbol === `S${size.symbols}USDT`,
    );
    const strangers = [...others, ...universe(99, { symbols: 4, candles: size.candles })];
    let verified = 0;
    for (let i = 0; i < 200; i++) {
      const isFlipped = i % 2 === 0;
      const source = isFlipped ? market[i % market.length]! : strangers[i % strangers.length]!;
      const count = 30 + Math.floor(random() * 120);
      const start = Math.floor(random() * (size.candles - count));
      const closes = source.close.slice(start, start + count);
      if (isFlipped && i % 4 === 0) closes.reverse();
      else if (isFlipped) closes.forEach((close, at) => (closes[at] = 1 / close));
      if (groundChart(pictured(closes, random), market) !== null) verified++;
    }
    if (isFull) process.stdout.write(`verified ${verified} of 200 strange, flipped or upturned pictures\n`);
    expect(verified).toBe(0);
  }, 3_600_000);

  it('finds a picture of which some candles are none, and ends it where they start', () => {
    const random = seeded(14);
    const { close } = market[5]!;
    const closes = close.slice(200, 280);
    const { index, close: rows } = pictured(closes, random, { missing: 0 });
    // Five digits of the axis at the right on one row, four marks at the left on another.
    const top = Math.max(...rows);
    const spoiled = {
      index: [...index, 80, 81, 83, 84, 86],
      close: rows.map((row, at) => (at < 4 ? top + 200 : row)).concat([9, 9, 8, 9, 8].map((row) => top + 90 + row)),
    };
    const result = groundChart(spoiled, market);
    // Of 85 positions the eight at each end were left out.
    expect(result).toMatchObject({ series: 5, start: 200, count: 80, measured: { from: 8, to: 76 } });
    // The first 30 candles are from another market; the rest alone is found.
    const other = pictured(market[9]!.close.slice(700, 730), random, { missing: 0 }).close;
    const mixed = { index, close: rows.map((row, at) => other[at] ?? row) };
    // Three fifths of 80 are 48: the last of them start at index 32.
    const last = { from: 32, to: 79 };
    expect(groundChart(mixed, market)).toMatchObject({ series: 5, start: 200, count: 80, measured: last });
    expect(groundChart({ index, close: rows }, market)).toMatchObject({ measured: { from: 0, to: 79 } });
  });

  it('requires more of short pictures and rejects those below the least number of closes', () => {
    expect(correlationNeeded(24)).toBeGreaterThan(0.95);
    expect(correlationNeeded(40)).toBeCloseTo(Math.tanh(8.5 / Math.sqrt(37)), 12);
    expect(correlationNeeded(500)).toBe(0.85);
    const closes = market[0]!.close.slice(10, 10 + GROUND_CLOSES_MIN - 1);
    expect(groundChart(pictured(closes, seeded(6), { missing: 0 }), market)).toBeNull();
    expect(groundChart({ index: [], close: [] }, market)).toBeNull();
  });

  it('is not fooled by one large candle', () => {
    const random = seeded(8);
    const spike = (): Float64Array => {
      let price = 100;
      return Float64Array.from({ length: 60 }, (_, i) => (price += i === 30 ? 40 : (random() - 0.5) * 0.8));
    };
    const series = [{ symbol: 'AUSDT', interval: '1h', close: spike() }];
    expect(groundChart(pictured(spike(), random, { missing: 0 }), series)).toBeNull();
  });
});
