/** How sure a share is that was counted. Wilson (1927), "Probable inference, the law of succession, and statistical inference", JASA 22:209. */

/** Normal quantile of a 95 % interval with two sides. */
export const Z_95 = 1.959963984540054;

export interface Interval {
  low: number;
  high: number;
}

/**
 * Wilson's 95 % score interval of the share `hits / count`, as fractions within 0 to 1. It has a positive width at 0 and `count` hits. Null
 * without trials. The browser repeats a news vote to the bit, so the order of the operations is part of the result.
 * @param hits trials that came true, 0 to `count`
 * @param effective independent trials they amount to, above 0 and at most `count`
 */
export function wilson(hits: number, count: number, effective = count): Interval | null {
  if (count === 0) return null;
  const share = hits / count;
  const z2 = Z_95 * Z_95;
  const centre = share + z2 / (2 * effective);
  const half = Z_95 * Math.sqrt((share * (1 - share)) / effective + z2 / (4 * effective * effective));
  const scale = 1 + z2 / effective;
  return { low: Math.max(0, (centre - half) / scale), high: Math.min(1, (centre + half) / scale) };
}
