/**
 * A rising logistic curve of the score: logit(chance) = a + b logit(score) + c score with b and c at least 0, so that it can be the score
 * itself, a compressed or a steeper one. The slopes have Zellner's g-prior, worth PRIOR_COUNT outcomes that show no slope: few outcomes
 * give the base rate, many give the likeliest curve.
 */

export interface Curve {
  chance: (raw: number) => number;
  parameterCount: number;
}

interface Outcome {
  /** 0 to 1. */
  rawConfidence: number;
  isWon: boolean;
}

/** Outcomes that the prior of the slopes counts for. */
export const PRIOR_COUNT = 50;
/** The logit of a score is clamped to these, because 0 and 1 have none. */
const SCORE_MIN = 0.01;
/** Features that move together say the same thing. */
const SAME_CORRELATION = 1 - 1e-9;
const NEWTON_STEPS = 50;
const NEWTON_PRECISION = 1e-8;

const logistic = (value: number): number => 1 / (1 + Math.exp(-value));

/** `ln(1 + exp(value))` without overflow. */
const softplus = (value: number): number => Math.max(value, 0) + Math.log1p(Math.exp(-Math.abs(value)));

const logitOf = (raw: number): number => {
  const inside = Math.min(1 - SCORE_MIN, Math.max(SCORE_MIN, raw));
  return Math.log(inside / (1 - inside));
};

interface Feature {
  of: (raw: number) => number;
  values: Float64Array;
}

/** Mean 0 and variance 1 over the outcomes; undefined when all are alike. */
function standardised(of: (raw: number) => number, outcomes: readonly Outcome[]): Feature | undefined {
  const values = Float64Array.from(outcomes, ({ rawConfidence }) => of(rawConfidence));
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  if (!(variance > 1e-18)) return undefined;
  const deviation = Math.sqrt(variance);
  const scaled = (raw: number): number => (of(raw) - mean) / deviation;
  return { of: scaled, values: values.map((value) => (value - mean) / deviation) };
}

interface Fit {
  features: readonly Feature[];
  /** Intercept, then a slope of each feature. */
  coefficients: number[];
  objective: number;
}

/** @param outcomes at least one */
export function fitCurve(outcomes: readonly Outcome[]): Curve {
  const won = Float64Array.from(outcomes, ({ isWon }) => (isWon ? 1 : 0));
  const all = [logitOf, (raw: number) => raw].flatMap((of) => standardised(of, outcomes) ?? []);
  const [first, second] = all;
  const areTwo = first !== undefined && second !== undefined && correlation(first, second) < SAME_CORRELATION;
  const choices = [[], ...all.map((feature) => [feature]), ...(areTwo ? [all] : [])];
  // The objective is concave: its largest value with no slope below 0 is the largest of these, where each slope is 0 or positive.
  const fits = choices.map((features) => maximise(features, won)).filter(isRising);
  const best = fits.reduce((a, b) => (b.objective > a.objective ? b : a));
  const [intercept = 0, ...slopes] = best.coefficients;
  return {
    chance: (raw) =>
      logistic(best.features.reduce((sum, feature, k) => sum + (slopes[k] ?? 0) * feature.of(raw), intercept)),
    parameterCount: best.coefficients.length,
  };
}

const isRising = ({ coefficients }: Fit): boolean => coefficients.slice(1).every((slope) => slope >= 0);

const correlation = (a: Feature, b: Feature): number =>
  a.values.reduce((sum, value, i) => sum + value * (b.values[i] ?? 0), 0) / a.values.length;

/** A penalised likelihood. */
interface Problem {
  /** 1 and the features of each outcome. */
  rows: readonly (readonly number[])[];
  won: Float64Array;
  /** Precision of the slopes: PRIOR_COUNT outcomes' worth of information. */
  precision: number[][];
}

const product = (a: readonly number[], b: readonly number[]): number => {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += (a[k] ?? 0) * (b[k] ?? 0);
  return sum;
};

function objectiveOf({ rows, won, precision }: Problem, coefficients: readonly number[]): number {
  const [intercept = 0, ...slopes] = coefficients;
  // Half a win and half a loss at the mean score, as in the base rate: without them all wins have no finite chance.
  let sum = intercept / 2 - softplus(intercept);
  for (const [i, row] of rows.entries()) {
    const level = product(row, coefficients);
    sum += (won[i] ?? 0) * level - softplus(level);
  }
  return sum - slopes.reduce((total, slope, k) => total + slope * product(slopes, precision[k] ?? []), 0) / 2;
}

function newtonStep({ rows, won, precision }: Problem, coefficients: readonly number[]): number[] {
  const [intercept = 0, ...slopes] = coefficients;
  const size = coefficients.length;
  const gradient = new Array<number>(size).fill(0);
  const hessian = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  const add = (row: readonly number[], residual: number, weight: number): void => {
    for (let k = 0; k < size; k++) {
      gradient[k] = (gradient[k] ?? 0) + residual * (row[k] ?? 0);
      const line = hessian[k] ?? [];
      for (let l = 0; l < size; l++) line[l] = (line[l] ?? 0) + weight * (row[k] ?? 0) * (row[l] ?? 0);
    }
  };
  const middle = logistic(intercept);
  add([1, ...slopes.map(() => 0)], 0.5 - middle, middle * (1 - middle));
  for (const [i, row] of rows.entries()) {
    const chance = logistic(product(row, coefficients));
    add(row, (won[i] ?? 0) - chance, chance * (1 - chance));
  }
  for (const [k, own] of precision.entries()) {
    gradient[k + 1] = (gradient[k + 1] ?? 0) - product(slopes, own);
    const line = hessian[k + 1] ?? [];
    for (const [l, value] of own.entries()) line[l + 1] = (line[l + 1] ?? 0) + value;
  }
  return solve(hessian, gradient);
}

/** Newton's method, its steps halved where they overshoot. */
function maximise(features: readonly Feature[], won: Float64Array): Fit {
  const wins = won.reduce((sum, value) => sum + value, 0);
  const base = (wins + 0.5) / (won.length + 1);
  const prior = PRIOR_COUNT * base * (1 - base);
  const precision = features.map((a) => features.map((b) => prior * correlation(a, b)));
  const rows = Array.from(won, (_, i) => [1, ...features.map(({ values }) => values[i] ?? 0)]);
  const problem = { rows, won, precision };
  let coefficients = [Math.log(base / (1 - base)), ...features.map(() => 0)];
  let objective = objectiveOf(problem, coefficients);
  for (let round = 0; round < NEWTON_STEPS; round++) {
    const step = newtonStep(problem, coefficients);
    const after = (part: number): number[] => coefficients.map((value, k) => value + part * (step[k] ?? 0));
    let part = 1;
    while (part > 1e-6 && !(objectiveOf(problem, after(part)) >= objective)) part /= 2;
    const next = after(part);
    const gain = objectiveOf(problem, next) - objective;
    if (!(gain >= 0)) break;
    coefficients = next;
    objective += gain;
    if (gain > NEWTON_PRECISION) continue;
    // So near the top its value says nothing more, and one whole step squares the distance.
    coefficients = newtonStep(problem, coefficients).map((more, k) => more + (coefficients[k] ?? 0));
    break;
  }
  return { features, coefficients, objective };
}

/** Gaussian elimination of a positive definite matrix, which is overwritten, as `right` is. */
function solve(matrix: number[][], right: number[]): number[] {
  for (const [k, pivot] of matrix.entries()) {
    for (let i = k + 1; i < right.length; i++) {
      const row = matrix[i] ?? [];
      const factor = (row[k] ?? 0) / (pivot[k] ?? 1);
      for (const [j, value] of pivot.entries()) row[j] = (row[j] ?? 0) - factor * value;
      right[i] = (right[i] ?? 0) - factor * (right[k] ?? 0);
    }
  }
  const solution = right.map(() => 0);
  // Unsolved values are 0 in the product.
  for (const [k, row] of [...matrix.entries()].reverse())
    solution[k] = ((right[k] ?? 0) - product(row, solution)) / (row[k] ?? 1);
  return solution;
}
