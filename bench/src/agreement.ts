/** Tolerance for equal numbers: 1e-9 relative to the larger one, 1e-9 absolute near zero. Two NaN are equal. */
const TOLERANCE = 1e-9;

/**
 * Compares a column with its reference and names the worst candle, or returns undefined when they agree.
 * @param from first candle compared: definitions may differ before it
 */
export function disagreement(ours: ArrayLike<number>, theirs: ArrayLike<number>, from = 0): string | undefined {
  if (ours.length !== theirs.length) return `${ours.length} values against ${theirs.length}`;
  let worst = 0;
  let place = -1;
  for (let i = from; i < ours.length; i++) {
    const error = relativeError(ours[i] as number, theirs[i] as number);
    if (error > worst) {
      worst = error;
      place = i;
    }
  }
  if (worst <= TOLERANCE) return undefined;
  return `candle ${place}: ${ours[place] as number} against ${theirs[place] as number} (off by ${worst.toExponential(1)})`;
}

function relativeError(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) && Number.isNaN(b) ? 0 : Infinity;
  if (a === b) return 0;
  return Math.abs(a - b) / Math.max(1, Math.abs(a), Math.abs(b));
}

/** The first place where two columns are not the same bits, or undefined. NaN equals NaN. */
export function firstDifference(ours: ArrayLike<number>, theirs: ArrayLike<number>): string | undefined {
  if (ours.length !== theirs.length) return `${ours.length} values against ${theirs.length}`;
  for (let i = 0; i < ours.length; i++) {
    if (!Object.is(ours[i], theirs[i])) return `place ${i}: ${ours[i] as number} against ${theirs[i] as number}`;
  }
  return undefined;
}
