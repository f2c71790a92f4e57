/**
 * Random numbers by position instead of by sequence: the same (seed, place) gives the same draws for every caller, in whatever
 * order. Integer mixing is exact on every machine; the normal draw is a rational polynomial, so it is fixed arithmetic too.
 */

function mix(value: number): number {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** 32-bit hash of up to four integers; `b` may be as large as an epoch in seconds. */
export function hash(seed: number, a: number, b = 0, c = 0): number {
  let h = mix(seed ^ 0x9e3779b9);
  h = mix(h ^ Math.imul(a | 0, 0x27d4eb2f));
  h = mix((h + Math.imul(b | 0, 0x165667b1)) | 0);
  return mix(h ^ Math.imul(c | 0, 0x9e3779b1));
}

/** FNV-1a, for names. */
export function hashText(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return mix(h);
}

/** In (0, 1), never 0 or 1, so a logarithm of it is finite. */
export const toUniform = (bits: number): number => (bits + 0.5) / 4294967296;

/** Inverse of the normal distribution (P. J. Acklam's rational approximation, relative error 1.2e-9). */
export function toNormal(bits: number): number {
  const p = toUniform(bits);
  if (p < 0.02425) return tail(Math.sqrt(-2 * Math.log(p)));
  if (p > 0.97575) return -tail(Math.sqrt(-2 * Math.log(1 - p)));
  const q = p - 0.5;
  const r = q * q;
  const numerator =
    ((((-39.69683028665376 * r + 220.9460984245205) * r - 275.9285104469687) * r + 138.357751867269) * r -
      30.66479806614716) *
      r +
    2.506628277459239;
  const denominator =
    ((((-54.47609879822406 * r + 161.5858368580409) * r - 155.6989798598866) * r + 66.80131188771972) * r -
      13.28068155288572) *
      r +
    1;
  return (numerator * q) / denominator;
}

function tail(q: number): number {
  const numerator =
    ((((-0.007784894002430293 * q - 0.3223964580411365) * q - 2.400758277161838) * q - 2.549732539343734) * q +
      4.374664141464968) *
      q +
    2.938163982698783;
  const denominator =
    (((0.007784695709041462 * q + 0.3224671290700398) * q + 2.445134137142996) * q + 3.754408661907416) * q + 1;
  return numerator / denominator;
}

/** A short run of draws that belong to one place. */
export interface Draws {
  uniform(): number;
  normal(): number;
}

export function drawsAt(seed: number, a: number, b = 0, c = 0): Draws {
  let state = hash(seed, a, b, c);
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0;
    return mix(state);
  };
  return { uniform: () => toUniform(next()), normal: () => toNormal(next()) };
}

/** Smooth noise of unit variance at the knots: normal draws every `stepMs`, joined by a cubic ease. */
export function smoothNoise(seed: number, atMs: number, stepMs: number): number {
  const position = atMs / stepMs;
  const knot = Math.floor(position);
  const x = position - knot;
  const ease = x * x * (3 - 2 * x);
  const before = toNormal(hash(seed, knot, stepMs));
  const after = toNormal(hash(seed, knot + 1, stepMs));
  return before + (after - before) * ease;
}
