/** The least of 1, 2, 5, 10 ... times a power of ten that is not below `least`. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((factor) => factor * power >= least * (1 - 1e-9)) ?? 10);
}

/** Above this ratio of the ends equal steps would leave the lower half of a log scale without a label. */
const EVEN_RATIO_MAX = 4;
const factors = [1, 2, 5];

/**
 * Round values for the labels of a log scale: equal steps while the range is short, as of most charts; 1, 2, 5 of each power of ten
 * where it is long.
 * @param min      above 0
 * @param countMax most labels there is room for
 */
export function logSplits(min: number, max: number, countMax: number): number[] {
  if (!(min > 0) || !(max > min)) return [];
  if (max / min <= EVEN_RATIO_MAX) {
    const step = roundStep((max - min) / Math.max(1, countMax));
    const first = Math.ceil(min / step - 1e-9);
    return Array.from({ length: Math.floor(max / step + 1e-9) - first + 1 }, (_, at) => (first + at) * step);
  }
  const from = Math.floor(Math.log10(min));
  const to = Math.ceil(Math.log10(max));
  const round = Array.from({ length: to - from + 1 }, (_, at) => from + at)
    .flatMap((power) => factors.map((factor) => factor * 10 ** power))
    .filter((value) => value >= min && value <= max);
  const every = Math.ceil(round.length / Math.max(1, countMax));
  return round.filter((_, at) => at % every === 0);
}
