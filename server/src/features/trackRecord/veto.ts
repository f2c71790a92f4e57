import { clusteredHalf } from '@sextant/workers/src/core/clusteredMean.ts';
import { type Interval, Z_95 } from '@sextant/workers/src/core/wilson.ts';
import { blocksOf, gainedInterval, type MeanOutcome, meanOf } from '@sextant/workers/src/signals/meanOutcome.ts';
import type { VetoWire } from './contract.ts';

/** Value of a veto, compared with a random one of the same rate. Pure arithmetic; docs/performance.md has the formulas. */

/** `netFraction`: result after fees, as a fraction of the entry price. */
export interface Judged extends MeanOutcome {
  isPassed: boolean;
}

/** Minimum number on either side. */
export const ENOUGH = 10;

const meanNet = (outcomes: readonly MeanOutcome[]): number =>
  outcomes.reduce((sum, { netFraction }) => sum + netFraction, 0) / outcomes.length;

const around = (mean: number, half: number): Interval => ({ low: mean - half, high: mean + half });

function groupOf(outcomes: readonly MeanOutcome[]): VetoWire['all'] {
  const count = outcomes.length;
  if (count < ENOUGH)
    return { count, mean_net_fraction: null, mean_interval: null, hit_rate: null, hit_rate_interval: null };
  const { mean, interval } = meanOf(outcomes);
  return {
    count,
    mean_net_fraction: mean,
    mean_interval: interval,
    hit_rate: outcomes.filter(({ netFraction }) => netFraction > 0).length / count,
    hit_rate_interval: gainedInterval(outcomes),
  };
}

/** The mean result of passed signals, compared with passing as many at random. */
export function valueOfVeto(judged: readonly Judged[]): VetoWire {
  const passed = judged.filter(({ isPassed }) => isPassed);
  const vetoed = judged.filter(({ isPassed }) => !isPassed);
  const groups = { all: groupOf(judged), passed: groupOf(passed), vetoed: groupOf(vetoed) };
  const isEnough = passed.length >= ENOUGH && vetoed.length >= ENOUGH;
  const figures = isEnough ? againstChance(judged, passed) : { random: null, value_added: null, p_value: null };
  return { is_enough: isEnough, needed: ENOUGH, ...groups, ...figures };
}

/**
 * Half width of the 95 % band of the mean of a random choice. A draw of k out of n without replacement has the mean of all and the standard
 * error sqrt(variance / k x (n - k) / (n - 1)); with ten on each side its mean is close to normal.
 */
export function randomHalf(all: readonly MeanOutcome[], passedCount: number): number {
  const mean = meanNet(all);
  const variance = all.reduce((sum, { netFraction }) => sum + (netFraction - mean) ** 2, 0) / all.length;
  return Z_95 * Math.sqrt(((variance / passedCount) * (all.length - passedCount)) / (all.length - 1));
}

/**
 * Half width of the 95 % interval of the value added, by blocks of overlapping signals: a veto without skill that passes the signals of one
 * day and not those of the next has as many draws as days, not as signals. Null below two blocks.
 */
function blockHalf(judged: readonly Judged[], passed: readonly Judged[]): number | null {
  const blockOf = blocksOf(judged);
  const [ofAll, ofPassed] = [meanNet(judged), meanNet(passed)];
  const errors = judged.map((each) => ({
    cluster: blockOf(each),
    value:
      (each.isPassed ? (each.netFraction - ofPassed) / passed.length : 0) - (each.netFraction - ofAll) / judged.length,
  }));
  return clusteredHalf(errors).half;
}

function againstChance(
  judged: readonly Judged[],
  passed: readonly Judged[],
): Pick<VetoWire, 'random' | 'value_added' | 'p_value'> {
  const mean = meanNet(judged);
  const added = meanNet(passed) - mean;
  const ofBlocks = blockHalf(judged, passed);
  if (ofBlocks === null) return { random: null, value_added: added, p_value: null };
  const half = Math.max(randomHalf(judged, passed.length), ofBlocks);
  return {
    random: { mean, ...around(mean, half) },
    value_added: added,
    // Equal results leave nothing to select.
    p_value: judged.every(({ netFraction }) => netFraction === judged[0]?.netFraction)
      ? 1
      : upperTail((Z_95 * added) / half),
  };
}

/** P(Z >= z) of the standard normal. Abramowitz and Stegun (1964), 7.1.26; error below 1.5e-7. */
function upperTail(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const factors = [1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592];
  const series = factors.reduce((sum, factor) => (sum + factor) * t, 0);
  const tail = (series * Math.exp(-x * x)) / 2;
  return z >= 0 ? tail : 1 - tail;
}
