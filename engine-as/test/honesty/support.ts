import type { Engine } from '@sextant/workers/src/engine/engine.ts';

/** Runs `work` and frees everything it reserved. */
export function inArena<T>(engine: Engine, work: () => T): T {
  const mark = engine.raw.arenaMark();
  try {
    return work();
  } finally {
    engine.raw.arenaRelease(mark);
  }
}

/** Test noise from a separate generator, so that a fault of the engine's generator cannot hide itself. mulberry32. */
export function testUniform(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 4294967296;
  };
}

/** Standard normal noise by Box and Muller. */
export function testNormal(seed: number): () => number {
  const uniform = testUniform(seed);
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** `trialCount` columns of `length` noise returns, one after the other; column k has mean `means[k] ?? 0`, deviation 1. */
export function noiseTable(trialCount: number, length: number, seed: number, means: number[] = []): Float64Array {
  const normal = testNormal(seed);
  return Float64Array.from(
    { length: trialCount * length },
    (_, cell) => normal() + (means[Math.floor(cell / length)] ?? 0),
  );
}
