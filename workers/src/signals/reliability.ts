import { clusteredShare } from '../core/clusteredMean.ts';
import type { Reliability, ReliabilityBin } from '../protocol/replaySignals.ts';

/** Agreement of stated confidences with outcomes. Pure arithmetic; definitions in docs/performance.md. */

/** One resolved forecast: the stated chance, 0 to 1, and the outcome. */
export interface Forecast {
  confidence: number;
  isWon: boolean;
  /** Forecasts of one cluster are one draw, such as those of a block (meanOutcome.ts); without it each is a separate draw. */
  cluster?: number;
}

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Limits the loss of a failed forecast of 0 or 1, which would be infinite: it counts as one in a million. */
const CHANCE_MIN = 1e-6;
const surprise = (confidence: number, isWon: boolean): number =>
  -Math.log(Math.max(CHANCE_MIN, isWon ? confidence : 1 - confidence));
const entropy = (rate: number): number => rate * surprise(rate, true) + (1 - rate) * surprise(rate, false);

export function calibrate(given: readonly Forecast[], binCount = 10): Reliability {
  // Clusters are indexes, which are never negative.
  const forecasts = given
    .map((forecast, i) => ({ cluster: -1 - i, ...forecast }))
    // Sums depend on their order in the last bit, and signals may be read in any order.
    .sort((a, b) => a.confidence - b.confidence || Number(a.isWon) - Number(b.isWon) || a.cluster - b.cluster);
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

function binOf(forecasts: readonly Required<Forecast>[], k: number, binCount: number): ReliabilityBin {
  const inside = forecasts.filter(({ confidence }) => Math.min(Math.floor(confidence * binCount), binCount - 1) === k);
  const wonCount = inside.filter(({ isWon }) => isWon).length;
  return {
    from: k / binCount,
    to: (k + 1) / binCount,
    count: inside.length,
    wonCount,
    meanConfidence: mean(inside.map(({ confidence }) => confidence)),
    winRate: inside.length === 0 ? null : wonCount / inside.length,
    interval: clusteredShare(inside.map(({ cluster, isWon }) => ({ cluster, isHit: isWon }))),
  };
}
