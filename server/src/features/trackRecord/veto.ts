import { type Interval, wilson, Z_95 } from '@sextant/workers/src/core/wilson.ts';
import type { VetoWire } from './contract.ts';

/** Value of a veto, compared with a random one of the same rate. Pure arithmetic; docs/performance.md has the formulas. */

export interface Judged {
  /** Result after fees, as a fraction of the entry price. */
  netFraction: number;
  isPassed: boolean;
}

/** Minimum number on either side. */
export const ENOUGH = 10;

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

interface Moments {
  mean: number;
  /** Mean squared distance from the mean. */
  variance: number;
}

function momentsOf(values: readonly number[]): Moments {
  const mean = sumOf(values) / values.length;
  return { mean, variance: sumOf(values.map((value) => (value - mean) ** 2)) / values.length };
}

const around = (mean: number, error: number): Interval => ({ low: mean - Z_95 * error, high: mean + Z_95 * error });

function groupOf(values: readonly number[]): VetoWire['all'] {
  const count = values.length;
  if (count < ENOUGH)
    return { count, mean_net_fraction: null, mean_interval: null, hit_rate: null, hit_rate_interval: null };
  const { mean, variance } = momentsOf(values);
  const wonCount = values.filter((value) => value > 0).length;
  return {
    count,
    mean_net_fraction: mean,
    mean_interval: around(mean, Math.sqrt(variance / (count - 1))),
    hit_rate: wonCount / count,
    hit_rate_interval: wilson(wonCount, count),
  };
}

/**
 * The mean result of passed signals, compared with passing as many at random. A random draw of k out of n without replacement has the
 * mean of all and the standard error sqrt(variance / k x (n - k) / (n - 1)); with ten on each side its mean is close to normal.
 */
export function valueOfVeto(judged: readonly Judged[]): VetoWire {
  const passed = judged.filter(({ isPassed }) => isPassed).map(({ netFraction }) => netFraction);
  const vetoed = judged.filter(({ isPassed }) => !isPassed).map(({ netFraction }) => netFraction);
  const all = judged.map(({ netFraction }) => netFraction);
  const groups = { all: groupOf(all), passed: groupOf(passed), vetoed: groupOf(vetoed) };
  const isEnough = passed.length >= ENOUGH && vetoed.length >= ENOUGH;
  const figures = isEnough ? againstChance(all, passed) : { random: null, value_added: null, p_value: null };
  return { is_enough: isEnough, needed: ENOUGH, ...groups, ...figures };
}

function againstChance(
  all: readonly number[],
  passed: readonly number[],
): Pick<VetoWire, 'random' | 'value_added' | 'p_value'> {
  const { mean, variance } = momentsOf(all);
  const error = Math.sqrt(((variance / passed.length) * (all.length - passed.length)) / (all.length - 1));
  const added = sumOf(passed) / passed.length - mean;
  return {
    random: { mean, ...around(mean, error) },
    value_added: added,
    // Equal results leave nothing to select.
    p_value: error === 0 ? 1 : upperTail(added / error),
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
