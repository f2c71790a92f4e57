/**
 * Seeds of a statistical test: 0 to full - 1 in `npm run test:statistics`, one of `every` in `npm test`.
 * The seeds are fixed, so a share that passes once passes always.
 */
export function seeds(full: number, every = 5): number[] {
  const step = process.env.STATISTICS === 'full' ? 1 : every;
  return Array.from({ length: Math.ceil(full / step) }, (_, i) => i * step);
}

/** Fraction of the values that equal `value`. */
export const shareOf = <Value>(values: readonly Value[], value: Value): number =>
  values.filter((each) => each === value).length / values.length;
