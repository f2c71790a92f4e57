import { type Interval, wilson } from '@sextant/workers/src/wilson.ts';
import { effectiveCount } from './clusters.ts';

/** How well stated confidences agree with what happened. Pure arithmetic; definitions in docs/performance.md. */

/** One resolved forecast: what was stated, 0 to 1, and whether it came true. */
export interface Forecast {
  confidence: number;
  isWon: boolean;
  /** Forecasts of one cluster are one bet (clusters.ts); each is its own when absent. */
  cluster?: number;
}

export interface Bin {
  /** Confidences with `from <= confidence < to`; the last bin holds 1 too. */
  from: number;
  to: number;
  count: number;
  wonCount: number;
  /** Null in an empty bin. */
  meanConfidence: number | null;
  winRate: number | null;
  /** 95 %, Wilson, as wide as the independent bets in it make it. */
  interval: Interval | null;
}

export interface Calibration {
  count: number;
  /** Mean squared difference of confidence and outcome: 0 is perfect. Null without forecasts. */
  brier: number | null;
  /** Brier score of always stating the overall win rate: what a forecast has to beat. */
  brierOfBaseRate: number | null;
  /** Mean negative logarithm of the chance that was given to what happened, natural: 0 is perfect, ln 2 is always saying one half. */
  logLoss: number | null;
  /** Log loss of always stating the overall win rate. */
  logLossOfBaseRate: number | null;
  /** Mean distance of bins from the diagonal, weighted by count. */
  ece: number | null;
  bins: Bin[];
}

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/** A forecast of 0 or 1 that fails would lose without end: it counts as one in a million. */
const CHANCE_MIN = 1e-6;
const surprise = (confidence: number, isWon: boolean): number =>
  -Math.log(Math.max(CHANCE_MIN, isWon ? confidence : 1 - confidence));
const entropy = (rate: number): number => rate * surprise(rate, true) + (1 - rate) * surprise(rate, false);

export function calibrate(given: readonly Forecast[], binCount = 10): Calibration {
  // Clusters are indexes, which are not below 0.
  const forecasts = given
    .map((forecast, i) => ({ cluster: -1 - i, ...forecast }))
    // Sums depend on their order in the last bit, and signals are not always read in the same one.
    .sort((a, b) => a.confidence - b.confidence || Number(a.isWon) - Number(b.isWon));
  const bins = Array.from({ length: binCount }, (_, k) => binOf(forecasts, k, binCount));
  const outcomes: number[] = forecasts.map(({ isWon }) => (isWon ? 1 : 0));
  const baseRate = mean(outcomes);
  const count = forecasts.length;
  const distance = bins.reduce(
    (sum, bin) =>
      sum +
      (bin.winRate === null || bin.meanConfidence === null
        ? 0
        : (bin.count * Math.abs(bin.winRate - bin.meanConfidence)) / count),
    0,
  );
  return {
    count,
    brier: mean(forecasts.map(({ confidence }, i) => (confidence - (outcomes[i] ?? 0)) ** 2)),
    brierOfBaseRate: baseRate === null ? null : baseRate * (1 - baseRate),
    logLoss: mean(forecasts.map(({ confidence, isWon }) => surprise(confidence, isWon))),
    logLossOfBaseRate: baseRate === null ? null : entropy(baseRate),
    ece: count === 0 ? null : distance,
    bins,
  };
}

function binOf(forecasts: readonly Required<Forecast>[], k: number, binCount: number): Bin {
  const inside = forecasts.filter(({ confidence }) => Math.min(Math.floor(confidence * binCount), binCount - 1) === k);
  const wonCount = inside.filter(({ isWon }) => isWon).length;
  return {
    from: k / binCount,
    to: (k + 1) / binCount,
    count: inside.length,
    wonCount,
    meanConfidence: mean(inside.map(({ confidence }) => confidence)),
    winRate: inside.length === 0 ? null : wonCount / inside.length,
    interval: wilson(wonCount, inside.length, effectiveCount(inside.map(({ cluster }) => cluster))),
  };
}
