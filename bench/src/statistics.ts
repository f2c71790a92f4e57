import { randomStream } from '../data/random.ts';

/** Middle value; the mean of the two middle ones for an even count. @throws RangeError without values */
export function median(values: ArrayLike<number>): number {
  return quantile(values, 0.5);
}

/** Linear interpolation between order statistics, `fraction` in 0..1. @throws RangeError without values */
export function quantile(values: ArrayLike<number>, fraction: number): number {
  if (values.length === 0) throw new RangeError('a quantile of nothing');
  const sorted = Float64Array.from(values).sort();
  const place = (sorted.length - 1) * fraction;
  const below = sorted[Math.floor(place)] ?? NaN;
  const above = sorted[Math.ceil(place)] ?? NaN;
  return below + (above - below) * (place - Math.floor(place));
}

export interface Interval {
  low: number;
  high: number;
}

/**
 * 95 % percentile-bootstrap interval of the median (B. Efron, Bootstrap Methods, 1979).
 * Seeded, so the same samples always give the same interval.
 */
export function medianInterval(values: readonly number[], resamples = 500): Interval {
  const random = randomStream(0x9e3779b9);
  const drawn = new Float64Array(values.length);
  const medians = Float64Array.from({ length: resamples }, () => {
    for (let i = 0; i < drawn.length; i++) drawn[i] = values[Math.floor(random() * values.length)] ?? NaN;
    return median(drawn);
  });
  return { low: quantile(medians, 0.025), high: quantile(medians, 0.975) };
}
