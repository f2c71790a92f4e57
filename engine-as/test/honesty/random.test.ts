import { beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { loadEngine } from '../support.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await loadEngine();
});

const u64 = (x: bigint): bigint => BigInt.asUintN(64, x);

function uniforms(seed: bigint, stream: bigint, from: bigint, count: number): Float64Array {
  const out = engine.reserve(count);
  engine.raw.randomUniforms(seed, stream, from, count, out);
  return engine.pull(out, count);
}

describe('random draws', () => {
  it('follow the published SplitMix64 sequence of seed 1234567', () => {
    // Reference outputs of the generator's C source, as listed by Rosetta Code, "Pseudo-random numbers/Splitmix64".
    const published = [
      ...[6457827717110365317n, 3203168211198807973n, 9817491932198370423n, 4593380528125082431n],
      16408922859458223821n,
    ];
    expect(published.map((_, index) => u64(engine.raw.randomDraw(1234567n, BigInt(index))))).toEqual(published);
  });

  it('do not depend on where a chunk starts', () => {
    const whole = uniforms(7n, 3n, 0n, 1000);
    expect(uniforms(7n, 3n, 400n, 100)).toEqual(whole.slice(400, 500));
  });

  it('are uniform in [0, 1) and uncorrelated with their neighbours, over 400,000 draws', () => {
    const draws = uniforms(1n, 0n, 0n, 400_000);
    const buckets = new Float64Array(100);
    let lagged = 0;
    expect(draws.every((u) => u >= 0 && u < 1)).toBe(true);
    draws.forEach((u, i) => {
      buckets[Math.floor(u * 100)]! += 1;
      lagged += (u - 0.5) * ((draws[i + 1] ?? 0.5) - 0.5) * 12;
    });
    const chiSquare = buckets.reduce((sum, n) => sum + (n - 4000) ** 2 / 4000, 0);
    expect(chiSquare).toBeLessThan(99 + 5 * Math.sqrt(2 * 99));
    expect(Math.abs(lagged / Math.sqrt(draws.length))).toBeLessThan(4);
  });

  it('differ between streams and between seeds', () => {
    const first = [uniforms(1n, 0n, 0n, 1)[0], uniforms(1n, 1n, 0n, 1)[0], uniforms(2n, 0n, 0n, 1)[0]];
    expect(new Set(first).size).toBe(3);
  });
});
