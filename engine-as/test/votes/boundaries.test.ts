import { beforeAll, describe, expect, it } from 'vitest';
import { VOTE_ADX, VOTE_FIB, VOTE_RSI } from '../../abi/votes.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { candlesOf, type Columns } from '../candles.ts';
import { indicator, loadEngine, voteTable } from '../support.ts';

// Markets on which an indicator is exactly its threshold, to the bit. Four candles are judged at once and the rest singly, so
// each threshold is met in both places.

let engine: Engine;
beforeAll(async () => {
  engine = await loadEngine();
});

const votesOf = (candles: Columns, vote: number): number[] => [...voteTable(engine, candles).votes[vote]!];

/** `ups` rises of 1, `downs` falls of 1, then no change. */
function steps(ups: number, downs: number, length: number): Columns {
  const moves = [0, ...Array<number>(ups).fill(1), ...Array<number>(downs).fill(-1)];
  let price = 100;
  return candlesOf(Array.from({ length }, (_, i) => (price += moves[i] ?? 0)));
}

describe('the RSI vote', () => {
  it.each([
    { ups: 3, downs: 7, threshold: 30, beyond: 1 },
    { ups: 7, downs: 3, threshold: 70, beyond: -1 },
  ])('has no opinion at exactly $threshold, and one beyond it', ({ ups, downs, threshold, beyond }) => {
    for (const length of [15, 18, 24]) {
      const candles = steps(ups, downs, length);
      const { rsi } = indicator(engine, 'rsi', candles);
      expect(rsi![14]).toBe(threshold);
      expect(votesOf(candles, VOTE_RSI)[14]).toBe(0);
    }
    const further = steps(ups - Number(threshold === 30), downs - Number(threshold === 70), 18);
    expect(votesOf(further, VOTE_RSI)[14]).toBe(beyond);
  });
});

describe('the ADX vote', () => {
  /** Movements of 5 and 3 in all, each way; later candles stand still, so both fade alike and DX stays at 2 / 8. */
  function trend(direction: 1 | -1, scale: number): Columns {
    const moves = [0, ...Array<number>(5).fill(scale), ...Array<number>(3).fill(-scale)];
    let price = 1000;
    const close = Array.from({ length: 40 }, (_, i) => (price += direction * (moves[i] ?? 0)));
    return candlesOf(close, { high: close.map((x) => x + 1), low: close.map((x) => x - 1) });
  }

  it.each([1, -1] as const)('has no opinion at exactly 25, in direction %i', (direction) => {
    const candles = trend(direction, 1);
    expect(new Set(indicator(engine, 'adx', candles)['adx']!.slice(27))).toEqual(new Set([25]));
    expect(new Set(votesOf(candles, VOTE_ADX))).toEqual(new Set([0]));
  });

  it.each([1, -1] as const)('goes with the stronger side one rounding above 25, in direction %i', (direction) => {
    const candles = trend(direction, 14);
    const adx = indicator(engine, 'adx', candles)['adx']!;
    expect(adx[27]).toBeGreaterThan(25);
    expect(adx[27]).toBeLessThan(25 + 1e-13);
    expect(votesOf(candles, VOTE_ADX)[27]).toBe(direction);
  });
});

describe('the Fibonacci vote', () => {
  /** A leg of 1,000 between 1,000 and 2,000, and closes after it that make no new swing. */
  function leg(direction: 1 | -1, closes: number[]): Columns {
    const turn = (price: number): number => (direction > 0 ? price : 3000 - price);
    const path = [1100, 1080, 1060, 1040, 1020, 1000, 1200, 1400, 1600, 1800, 1900, 2000];
    const after = [1950, 1940, 1930, 1920, 1910, ...closes];
    const ends = [...path, ...after];
    const top = ends.map((x, i) => turn(i < 12 ? x : 1990 - i));
    const bottom = ends.map((x, i) => turn(i < 12 ? x : 1340 - i));
    return candlesOf(ends.map(turn), {
      high: top.map((x, i) => Math.max(x, bottom[i]!)),
      low: top.map((x, i) => Math.min(x, bottom[i]!)),
    });
  }

  it.each([1, -1] as const)(
    'takes both edges of its zone, and nothing beyond them, on a leg of direction %i',
    (way) => {
      // 38.2 % and 61.8 % of the way back from 2,000: 1,618 and 1,382.
      const candles = leg(way, [1618, 1382, 1618.001, 1381.999, 1500]);
      const fib = indicator(engine, 'fib', candles);
      expect([fib['swingHigh']!.at(-1), fib['swingLow']!.at(-1), fib['direction']!.at(-1)]).toEqual([2000, 1000, way]);
      expect(votesOf(candles, VOTE_FIB).slice(-5)).toEqual([way, way, 0, 0, way]);
    },
  );

  it('knows the first of two equal highs as the swing, and only that one', () => {
    // Reach 2. Highs of 110 at candles 2 and 4: the first is confirmed at 4. The low of 90 at 3 is confirmed at 5.
    const high = [101, 102, 110, 105, 110, 104, 103, 102];
    const low = [100, 100, 100, 90, 95, 96, 97, 98];
    for (const length of [6, 7, 8]) {
      const candles = candlesOf(low.slice(0, length), { high: high.slice(0, length) });
      const { swingHigh, swingLow, direction } = indicator(engine, 'fib', candles, { reach: 2 });
      const expected = (value: number): number[] => Array.from({ length }, (_, i) => (i < 5 ? Number.NaN : value));
      expect([...swingHigh!]).toEqual(expected(110));
      expect([...swingLow!]).toEqual(expected(90));
      expect([...direction!]).toEqual(expected(-1)); // a second top at 4 would make it 1 from candle 6 on
    }
  });

  it.each([7, 8])('confirms a swing whose equal follows it, as the last of %i candles too', (length) => {
    // The low of 90 at candle 2 is confirmed at 4, the first of the highs of 110 (candles 4 and 5) at 6.
    const low = [100, 99, 90, 95, 96, 97, 98, 99];
    const high = [101, 101, 101, 105, 110, 110, 108, 107];
    const up = indicator(engine, 'fib', candlesOf(low.slice(0, length), { high: high.slice(0, length) }), { reach: 2 });
    expect([up['swingHigh']![6], up['swingLow']![6], up['direction']![6]]).toEqual([110, 90, 1]);
    // Upside down.
    const [top, bottom] = [low.map((x) => 200 - x), high.map((x) => 200 - x)];
    const candles = candlesOf(bottom.slice(0, length), { high: top.slice(0, length) });
    const down = indicator(engine, 'fib', candles, { reach: 2 });
    expect([down['swingHigh']![6], down['swingLow']![6], down['direction']![6]]).toEqual([110, 90, -1]);
  });

  it('knows the first of two equal lows as the swing, and only that one', () => {
    const low = [110, 109, 100, 105, 100, 106, 107, 108];
    const high = [111, 111, 111, 120, 115, 114, 113, 112];
    for (const length of [6, 7, 8]) {
      const candles = candlesOf(low.slice(0, length), { high: high.slice(0, length) });
      const { swingHigh, swingLow, direction } = indicator(engine, 'fib', candles, { reach: 2 });
      expect([swingHigh!.at(-1), swingLow!.at(-1), direction!.at(-1)]).toEqual([120, 100, 1]);
    }
  });
});
