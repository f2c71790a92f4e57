import { tQuantile } from './tQuantile.ts';
import { type Interval, wilson, Z_95 } from './wilson.ts';

/** A value and its cluster: values of one cluster share what moved them, those of two do not. */
export interface Clustered {
  cluster: number | string;
  value: number;
}

export interface ClusteredMean {
  /** Null without values. */
  mean: number | null;
  clusters: number;
  /** Half the width of the 95 % interval; null below two clusters. */
  half: number | null;
  /** 95 %; null below two clusters. */
  interval: Interval | null;
}

/**
 * Half width of the 95 % interval of a sum of errors: those of a cluster are summed, a cluster is one draw, and Student's t of their number
 * gives the width (cluster-robust variance: Liang and Zeger (1986), Biometrika 73:13). Null below two clusters.
 */
export function clusteredHalf(errors: readonly Clustered[]): { clusters: number; half: number | null } {
  const sums = new Map<number | string, number>();
  for (const { cluster, value } of errors) sums.set(cluster, (sums.get(cluster) ?? 0) + value);
  const clusters = sums.size;
  if (clusters < 2) return { clusters, half: null };
  const squares = [...sums.values()].reduce((sum, error) => sum + error * error, 0);
  return { clusters, half: tQuantile(clusters - 1) * Math.sqrt((clusters / (clusters - 1)) * squares) };
}

/** Mean of dependent values with its 95 % interval. */
export function clusteredMean(values: readonly Clustered[]): ClusteredMean {
  const count = values.length;
  if (count === 0) return { mean: null, clusters: 0, half: null, interval: null };
  const mean = values.reduce((sum, { value }) => sum + value, 0) / count;
  const { clusters, half } = clusteredHalf(
    values.map(({ cluster, value }) => ({ cluster, value: (value - mean) / count })),
  );
  return { mean, clusters, half, interval: half === null ? null : { low: mean - half, high: mean + half } };
}

/**
 * Wilson's 95 % interval of a share of dependent trials, with as many independent trials as give the share its clustered variance (Korn and
 * Graubard (1998), Survey Methodology 24:193, with their correction for few clusters). Of one cluster it is the interval of one trial. Null
 * without trials.
 */
export function clusteredShare(trials: readonly { cluster: number | string; isHit: boolean }[]): Interval | null {
  const count = trials.length;
  if (count === 0) return null;
  const hits = trials.filter(({ isHit }) => isHit).length;
  const { clusters, half } = clusteredMean(trials.map(({ cluster, isHit }) => ({ cluster, value: isHit ? 1 : 0 })));
  if (half === null) return wilson(hits, count, 1);
  const share = hits / count;
  const variance = (half / Z_95) ** 2;
  const few = (Z_95 / tQuantile(clusters - 1)) ** 2;
  // A share of 0 or 1 does not vary: each cluster is one trial.
  const isConstant = hits === 0 || hits === count;
  const effective = isConstant ? clusters * few : (share * (1 - share)) / variance;
  return wilson(hits, count, Math.min(count, effective));
}
