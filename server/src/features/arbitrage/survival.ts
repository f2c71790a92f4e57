import { Z_95 } from '@sextant/workers/src/core/wilson.ts';

/** Lifetimes with censoring: some were not followed to their end (Kaplan and Meier 1958). */

export interface Observed {
  /** Seconds until the end, or until censoring. */
  seconds: number;
  isEnd: boolean;
}

export interface Median {
  median: number | null;
  low: number | null;
  high: number | null;
}

/** Tolerance for rounding in products of fractions that equal one half. */
const TINY = 1e-12;

/**
 * The time by which half have ended, with its 95 % interval by Brookmeyer and Crowley on the log-log scale. Null when the curve does not
 * fall that far because too many lifetimes are censored.
 */
export function medianSurvival(observed: readonly Observed[]): Median {
  const result: Median = { median: null, low: null, high: null };
  const steps = stepsOf(observed);
  for (const [i, { seconds, survival, greenwood }] of steps.entries()) {
    // Where the curve is flat at one half, the median is the middle of the step.
    if (result.median === null && survival <= 0.5 + TINY)
      result.median = Math.abs(survival - 0.5) < TINY ? (seconds + (steps[i + 1]?.seconds ?? seconds)) / 2 : seconds;
    const { lower, upper } = boundsOf(survival, greenwood);
    // The interval consists of the times whose survival interval contains one half.
    if (result.low === null && lower <= 0.5) result.low = seconds;
    if (result.high === null && upper <= 0.5) result.high = seconds;
  }
  return result;
}

interface Step {
  seconds: number;
  /** Share with a longer lifetime. */
  survival: number;
  /** Greenwood's sum for the variance. */
  greenwood: number;
}

/** The curve: one step at each time with an end. */
function stepsOf(observed: readonly Observed[]): Step[] {
  const sorted = [...observed].sort((a, b) => a.seconds - b.seconds);
  const steps: Step[] = [];
  let survival = 1;
  let greenwood = 0;
  for (let first = 0, next = 0; first < sorted.length; first = next) {
    const seconds = sorted[first]?.seconds ?? 0;
    let ended = 0;
    for (next = first; sorted[next]?.seconds === seconds; next++) ended += sorted[next]?.isEnd === true ? 1 : 0;
    if (ended === 0) continue;
    const atRisk = sorted.length - first;
    survival *= 1 - ended / atRisk;
    greenwood += atRisk > ended ? ended / (atRisk * (atRisk - ended)) : 0;
    steps.push({ seconds, survival, greenwood });
  }
  return steps;
}

/** 95 % interval of a survival on the log-log scale. */
function boundsOf(survival: number, greenwood: number): { lower: number; upper: number } {
  if (survival >= 1) return { lower: 1, upper: 1 };
  if (survival <= 0) return { lower: 0, upper: 0 };
  const width = (Z_95 * Math.sqrt(greenwood)) / -Math.log(survival);
  return { lower: survival ** Math.exp(width), upper: survival ** Math.exp(-width) };
}
