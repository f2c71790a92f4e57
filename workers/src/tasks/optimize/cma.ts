import * as abi from '@sextant/engine-as/abi/optimize.ts';

/**
 * CMA-ES on the parameters that a set uses: N. Hansen, The CMA Evolution Strategy: A Tutorial (2016), with its default weights and
 * rates, and a Cholesky factor in place of the square root of the covariance (Suttorp, Hansen, Igel 2009). Only + - x / and square
 * roots, which every machine computes alike: a generation follows to the bit from the one before it.
 */
export interface GuideState {
  /** The set whose other parameters all sets keep. */
  base: Float64Array;
  /** Parameters that move, ascending. */
  slots: Int32Array;
  /** Grid steps, like everything below. */
  mean: Float64Array;
  /** Steps from one end of each range to the other: the unit of the covariance. */
  ranges: Float64Array;
  sigma: number;
  covariance: Float64Array;
  /** Evolution paths. */
  pathC: Float64Array;
  pathSigma: Float64Array;
  generation: number;
}

const SIGMA_START = 0.12;
const SIGMA_MIN = 0.01;

/** @param space f64[SPACE_LENGTH] @returns undefined when nothing can move */
export function startGuide(space: Float64Array, base: Float64Array): GuideState | undefined {
  const field = (slot: number, name: number): number => space[slot * abi.SPACE_ROW_LENGTH + name] ?? 0;
  const rangeOf = (slot: number): number => field(slot, abi.SPACE_MAX) - field(slot, abi.SPACE_MIN);
  const votes = space[abi.SPACE_VOTES] ?? 0;
  const trailing = votes + abi.TAIL_IS_TRAILING;
  const isUsed = (slot: number): boolean => {
    if (slot === trailing) return false;
    if (slot > trailing) return base[trailing] === 1;
    return slot >= votes || (base[slot] ?? 0) !== 0;
  };
  const slots = Int32Array.from([...base.keys()].filter((slot) => rangeOf(slot) > 0 && isUsed(slot)));
  const n = slots.length;
  if (n === 0) return undefined;
  const covariance = new Float64Array(n * n);
  for (let k = 0; k < n; k++) covariance[k * n + k] = 1;
  return {
    base,
    slots,
    mean: Float64Array.from(slots, (slot) => Math.round((base[slot] ?? 0) * field(slot, abi.SPACE_DIVISOR))),
    ranges: Float64Array.from(slots, rangeOf),
    sigma: SIGMA_START,
    covariance,
    pathC: new Float64Array(n),
    pathSigma: new Float64Array(n),
    generation: 0,
  };
}

/** Lower triangle L with L L^T = the covariance; a direction without spread gets a tiny one. */
export function choleskyOf(covariance: Float64Array, n: number): Float64Array {
  const factor = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = covariance[i * n + j] ?? 0;
      for (let k = 0; k < j; k++) sum -= (factor[i * n + k] ?? 0) * (factor[j * n + k] ?? 0);
      factor[i * n + j] = i === j ? Math.sqrt(Math.max(sum, 1e-12)) : sum / (factor[j * n + j] ?? 1);
    }
  }
  return factor;
}

/** The factor that the engine draws with: rows in grid steps. */
export function drawFactor({ covariance, ranges, sigma }: GuideState): Float64Array {
  const n = ranges.length;
  return choleskyOf(covariance, n).map((value, at) => value * sigma * (ranges[Math.floor(at / n)] ?? 0));
}

const normOf = (vector: Float64Array): number => Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));

/** Logarithm of a whole number above 0 by its series: of weights that must be the same on every machine. */
function logOf(value: number): number {
  let [rest, twos] = [value, 0];
  for (; rest > 1.5; twos++) rest /= 2;
  const t = (rest - 1) / (rest + 1);
  let sum = 0;
  for (let k = 0, power = t; k < 20; k++, power *= t * t) sum += power / (2 * k + 1);
  return 2 * sum + twos * 0.6931471805599453;
}

/** exp(x) for small x, by its Pade approximant. */
const growthOf = (x: number): number => (1 + x / 2 + (x * x) / 12) / (1 - x / 2 + (x * x) / 12);

function powerOf(base: number, exponent: number): number {
  let power = 1;
  for (let k = 0; k < exponent; k++) power *= base;
  return power;
}

interface Rates {
  weights: Float64Array;
  muEff: number;
  cSigma: number;
  dSigma: number;
  cC: number;
  c1: number;
  cMu: number;
  chi: number;
}

/** Defaults of the tutorial, table 1, for `lambda` sets in n dimensions. */
function ratesOf(n: number, lambda: number): Rates {
  const mu = Math.max(1, Math.floor(lambda / 2));
  const raw = Float64Array.from({ length: mu }, (_, i) => logOf(lambda + 1) - logOf(2 * (i + 1)));
  const total = raw.reduce((sum, value) => sum + value, 0);
  const weights = raw.map((value) => value / total);
  const muEff = 1 / weights.reduce((sum, value) => sum + value * value, 0);
  const cSigma = (muEff + 2) / (n + muEff + 5);
  const c1 = 2 / ((n + 1.3) * (n + 1.3) + muEff);
  return {
    weights,
    muEff,
    cSigma,
    dSigma: 1 + 2 * Math.max(0, Math.sqrt((muEff - 1) / (n + 1)) - 1) + cSigma,
    cC: (4 + muEff / n) / (n + 4 + (2 * muEff) / n),
    c1,
    cMu: Math.min(1 - c1, (2 * (muEff - 2 + 1 / muEff)) / ((n + 2) * (n + 2) + muEff)),
    chi: Math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n)),
  };
}

/** The forward half of solving L L^T: L^-1 y. */
function solveLower(factor: Float64Array, y: Float64Array): Float64Array {
  const n = y.length;
  const x = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    let sum = y[i] ?? 0;
    for (let k = 0; k < i; k++) sum -= (factor[i * n + k] ?? 0) * (x[k] ?? 0);
    x[i] = sum / (factor[i * n + i] ?? 1);
  }
  return x;
}

/**
 * The state after a generation.
 * @param ranked moved parameters of its ranked sets, best first, in grid steps
 * @param lambda how many sets it had; with fewer than half of them ranked the best of those count alone
 */
export function nextGuide(state: GuideState, ranked: readonly Float64Array[], lambda: number): GuideState {
  const { mean, ranges, sigma, covariance } = state;
  const n = mean.length;
  if (ranked.length === 0) return { ...state, sigma: Math.max(SIGMA_MIN, sigma / 2), generation: state.generation + 1 };
  const rates = ratesOf(n, Math.min(lambda, 2 * ranked.length));
  const { weights, muEff, cSigma, dSigma, cC, c1, cMu, chi } = rates;
  const scaled = (steps: number, k: number): number => (steps - (mean[k] ?? 0)) / ((ranges[k] ?? 1) * sigma);
  const moves = ranked.slice(0, weights.length).map((values) => values.map(scaled));
  const step = new Float64Array(n);
  moves.forEach((move, i) => move.forEach((value, k) => (step[k] = (step[k] ?? 0) + (weights[i] ?? 0) * value)));
  const whitened = solveLower(choleskyOf(covariance, n), step);
  const [keepSigma, addSigma] = [1 - cSigma, Math.sqrt(cSigma * (2 - cSigma) * muEff)];
  const pathSigma = state.pathSigma.map((value, k) => keepSigma * value + addSigma * (whitened[k] ?? 0));
  const length = normOf(pathSigma);
  // While the step size grows fast the other path waits.
  const isStalled = length > (1.4 + 2 / (n + 1)) * chi * Math.sqrt(1 - powerOf(keepSigma, 2 * (state.generation + 1)));
  const addC = isStalled ? 0 : Math.sqrt(cC * (2 - cC) * muEff);
  const pathC = state.pathC.map((value, k) => (1 - cC) * value + addC * (step[k] ?? 0));
  const lost = isStalled ? c1 * cC * (2 - cC) : 0;
  const next = covariance.map((value, at) => {
    const [i, j] = [Math.floor(at / n), at % n];
    const rankMu = moves.reduce((sum, move, m) => sum + (weights[m] ?? 0) * (move[i] ?? 0) * (move[j] ?? 0), 0);
    return (1 - c1 - cMu + lost) * value + c1 * (pathC[i] ?? 0) * (pathC[j] ?? 0) + cMu * rankMu;
  });
  const grown = sigma * growthOf(Math.max(-1, Math.min(1, (cSigma / dSigma) * (length / chi - 1))));
  return {
    ...state,
    mean: mean.map((value, k) => value + (step[k] ?? 0) * sigma * (ranges[k] ?? 0)),
    sigma: Math.max(SIGMA_MIN, Math.min(0.5, grown)),
    covariance: next,
    pathC,
    pathSigma,
    generation: state.generation + 1,
  };
}
