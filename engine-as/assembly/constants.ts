// Constants that loops use in both lanes, read from memory once before a loop. As literals they would be folded into the loop, and the
// machine code would rebuild each of them at every step.

const table = memory.data<f64>([0.5, 1, 3, 50, 100, 1e-250, 1e-9, 1e-6, NaN]);

export function half(): v128 {
  return v128.load64_splat(table);
}

export function one(): v128 {
  return v128.load64_splat(table, 8);
}

export function three(): v128 {
  return v128.load64_splat(table, 16);
}

export function fifty(): v128 {
  return v128.load64_splat(table, 24);
}

export function hundred(): v128 {
  return v128.load64_splat(table, 32);
}

/** Means of moves below this are rounding dust of a market that stopped thousands of candles ago. */
export const NO_MOVEMENT: f64 = 1e-250;

export function noMovement(): v128 {
  return v128.load64_splat(table, 40);
}

export function billionth(): v128 {
  return v128.load64_splat(table, 48);
}

export function millionth(): v128 {
  return v128.load64_splat(table, 56);
}

/** NaN in both lanes. */
export function undefinedPair(): v128 {
  return v128.load64_splat(table, 64);
}
