import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { randomCandles, seededRandom } from '@sextant/workers/test/support/randomRuns.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { engineTimeoutMs, loadTestEngine } from '../backtest/support/kernel.ts';

type Columns = [number[], number[], number[], number[], number[], number[]];

let engine: Engine;
beforeAll(async () => {
  engine = await loadTestEngine();
}, engineTimeoutMs);

function resample(columns: readonly (readonly number[] | Float64Array)[], block: number, seed = 1, path = 0): Columns {
  engine.raw.arenaReset();
  const count = columns[0]!.length;
  const list = (addresses: number[]): number => {
    const at = engine.reserveBytes(4 * addresses.length);
    engine.i32View(at, addresses.length).set(addresses);
    return at;
  };
  const from = list(columns.map((column) => engine.push(Float64Array.from(column))));
  const made = columns.map(() => engine.reserve(count));
  engine.raw.resampleCandles(from, count, block, BigInt(seed), path, list(made));
  return made.map((at) => [...engine.pull(at, count)]) as Columns;
}

const { time, open, high, low, close } = randomCandles(seededRandom(39), 400);
/** The volume names the candle. */
const market = [time, open, high, low, close, Float64Array.from(time, (_, i) => i)];

describe('a market made of blocks of another', () => {
  it('is that market, to the bit, when one block holds everything', () =>
    expect(resample(market, 399)).toEqual(market.map((column) => [...column])));

  it('is the same for the same seed and path, and another one for others', () => {
    expect(resample(market, 12, 7, 3)).toEqual(resample(market, 12, 7, 3));
    expect(resample(market, 12, 7, 3)).not.toEqual(resample(market, 12, 7, 4));
    expect(resample(market, 12, 7, 3)).not.toEqual(resample(market, 12, 8, 3));
  });

  it('puts a candle on from the close before it, as worked out by hand', () => {
    // Closes 100, 110, 55: the second candle rises by 10 %, the third halves. With blocks of one candle each is one of the two.
    const hand = [
      [0, 1, 2],
      [100, 100, 110],
      [100, 120, 121],
      [100, 90, 44],
      [100, 110, 55],
      [1, 2, 3],
    ];
    const seen = new Set<string>();
    for (let path = 0; path < 40; path++) {
      const [times, opens, highs, lows, closes, volumes] = resample(hand, 1, 5, path);
      expect(times).toEqual([0, 1, 2]);
      let before = 100;
      for (const t of [1, 2]) {
        const isRise = volumes[t] === 2;
        const of = (rise: number, fall: number): number => before * (isRise ? rise : fall);
        expect(opens[t]).toBeCloseTo(of(1, 1), 9);
        expect(highs[t]).toBeCloseTo(of(1.2, 1.1), 9);
        expect(lows[t]).toBeCloseTo(of(0.9, 0.4), 9);
        expect(closes[t]).toBeCloseTo(of(1.1, 0.5), 9);
        before = closes[t]!;
      }
      seen.add(volumes.join());
    }
    expect([...seen].sort()).toEqual(['1,2,2', '1,2,3', '1,3,2', '1,3,3']);
  });

  it('keeps every candle whole: its change, its shape and its volume are those of one of the market, blocks in a row', () => {
    const [, opens, highs, lows, closes, volumes] = resample(market, 25, 11);
    let joints = 0;
    let before = 0;
    for (let t = 1; t < closes.length; t++) {
      const from = volumes[t]!;
      expect(closes[t]! / closes[t - 1]!).toBeCloseTo(close[from]! / close[from - 1]!, 9);
      expect(opens[t]! / closes[t]!).toBeCloseTo(open[from]! / close[from]!, 9);
      expect(highs[t]!).toBeGreaterThanOrEqual(Math.max(opens[t]!, closes[t]!) * (1 - 1e-12));
      expect(lows[t]!).toBeLessThanOrEqual(Math.min(opens[t]!, closes[t]!) * (1 + 1e-12));
      joints += Number(from !== before + 1);
      before = from;
    }
    expect(joints).toBeLessThanOrEqual(Math.ceil(399 / 25));
  });
});
