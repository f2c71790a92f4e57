/** Credits at which their owner is told. */
const lowAt = 2;

/** Told when a spending brings them there, and when it takes the last one: not at every step below. */
export const isLowNow = (before: number, after: number): boolean =>
  (before > lowAt && after <= lowAt) || (before > 0 && after === 0);
