/** Uniform values in [0, 1) from a 32-bit linear congruential generator; only exactly rounded operations, so every language gives the same bits. */
export function randomStream(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}
