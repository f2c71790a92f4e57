import { type Curve, fitCurve } from './calibrationCurve.ts';

/**
 * The chance that a signal gains after fees, from what past signals of its interval and strategy did. Pure arithmetic; docs/signals.md
 * has the method: a rising logistic curve (calibrationCurve.ts), groups of equal size shrunk to it by as much as chance explains their
 * distance (DerSimonian and Laird 1986), then isotonic regression by pooling adjacent violators (Ayer et al. 1955).
 */

/** One bet whose time is over. Near-identical signals are one bet: the caller passes the first. */
export interface PastBet {
  /** 0 to 1: 1 - (1 - |score|)^2. */
  rawConfidence: number;
  /** Gained after fees. */
  isWon: boolean;
  /** Result after fees, in distances from the entry to the stop: -1.05 is a stop with its costs. */
  netStops: number;
  /** Epoch ms: its time was over, and its outcome recorded. */
  knownAtMs: number;
}

/** Both ascending from point to point, `raw` strictly. */
export interface CalibrationPoint {
  /** Raw confidence, 0 to 1. */
  raw: number;
  /** Chance to gain after fees, 0 to 1. */
  chance: number;
}

export interface Calibration {
  /** Bets that were known. */
  count: number;
  /** (wins + 1/2) / (count + 1); null without bets. */
  baseRate: number | null;
  /** Empty until `count` reaches EVIDENCE_MIN: the score is shown until then. */
  points: CalibrationPoint[];
  /** Mean result of winners and of the others, in stop distances; null without any. */
  meanWinStops: number | null;
  meanLossStops: number | null;
}

/** Fewer outcomes are no evidence: the 95 % interval of a share of 100 is 10 points to either side. */
export const EVIDENCE_MIN = 100;
const GROUP_MIN = 100;
const GROUPS_MAX = 20;
/** Points of a map: the ends, and quantiles of the scores between them. */
const STRETCHES = 20;

interface Group {
  raw: number;
  chance: number;
  weight: number;
}

/** How far the share of wins of one group is from the curve. */
interface Deviation {
  raw: number;
  distance: number;
}

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * The map of a moment. A bet that became known after `asOfMs` has no effect.
 * @param bets in any order
 */
export function fitCalibration(bets: readonly PastBet[], asOfMs: number): Calibration {
  const known = bets
    .filter(({ knownAtMs }) => knownAtMs <= asOfMs)
    .sort((a, b) => a.rawConfidence - b.rawConfidence || Number(a.isWon) - Number(b.isWon));
  const won = known.filter(({ isWon }) => isWon);
  const count = known.length;
  return {
    count,
    baseRate: count === 0 ? null : (won.length + 0.5) / (count + 1),
    points: count < EVIDENCE_MIN ? [] : pointsOf(poolViolators(knotsOf(known))),
    meanWinStops: mean(won.map(({ netStops }) => netStops)),
    meanLossStops: mean(known.flatMap(({ isWon, netStops }) => (isWon ? [] : [netStops]))),
  };
}

/** The chance at quantiles of the scores: the curve, and the statistics of the groups. @param sorted by raw confidence */
function knotsOf(sorted: readonly PastBet[]): Group[] {
  const curve = fitCurve(sorted);
  const deviations = deviationsOf(sorted, curve);
  const raws = Array.from(
    { length: STRETCHES + 1 },
    (_, k) => sorted[Math.round((k * (sorted.length - 1)) / STRETCHES)]?.rawConfidence ?? Number.NaN,
  );
  return [...new Set(raws)].map((raw) => ({
    raw,
    chance: curve.chance(raw) + deviationAt(deviations, raw),
    weight: 1,
  }));
}

/** Groups of equal size by raw confidence; equal values stay together. */
function groupsOf(sorted: readonly PastBet[]): PastBet[][] {
  const groupCount = Math.min(GROUPS_MAX, Math.max(1, Math.floor(sorted.length / GROUP_MIN)));
  const groups: PastBet[][] = [];
  for (let from = 0, k = 1; from < sorted.length; k++) {
    let to = Math.max(from + 1, Math.round((k * sorted.length) / groupCount));
    while (to < sorted.length && sorted[to]?.rawConfidence === sorted[to - 1]?.rawConfidence) to += 1;
    groups.push(sorted.slice(from, to));
    from = to;
  }
  return groups;
}

/**
 * Distances of the groups from the curve, each times the share of it that is not chance: v / (v + s), with s the variance of its rate
 * and v that of the true distances, by the moment estimate of DerSimonian and Laird. Zero when the curve explains the groups.
 */
function deviationsOf(sorted: readonly PastBet[], curve: Curve): Deviation[] {
  const groups = groupsOf(sorted).map((inside) => {
    const chances = inside.map(({ rawConfidence }) => curve.chance(rawConfidence));
    const expected = chances.reduce((sum, chance) => sum + chance, 0);
    const wins = inside.filter(({ isWon }) => isWon).length;
    return {
      raw: inside.reduce((sum, { rawConfidence }) => sum + rawConfidence, 0) / inside.length,
      distance: (wins - expected) / inside.length,
      variance: chances.reduce((sum, chance) => sum + chance * (1 - chance), 0) / inside.length ** 2,
    };
  });
  const freedom = groups.length - curve.parameterCount;
  const weight = groups.reduce((sum, { variance }) => sum + 1 / variance, 0);
  const spread = groups.reduce((sum, { distance, variance }) => sum + distance ** 2 / variance, 0);
  const between = freedom > 0 ? Math.max(0, (spread - freedom) / weight) : 0;
  return groups.map(({ raw, distance, variance }) => ({ raw, distance: (distance * between) / (between + variance) }));
}

/** Straight lines between the groups, flat beyond them. */
function deviationAt(deviations: readonly Deviation[], raw: number): number {
  const at = deviations.findIndex((right) => raw <= right.raw);
  const [left, right] = [deviations[at - 1], deviations[at]];
  if (right === undefined) return deviations.at(-1)?.distance ?? 0;
  if (left === undefined) return right.distance;
  return left.distance + ((raw - left.raw) / (right.raw - left.raw)) * (right.distance - left.distance);
}

/** Weighted least squares under the condition that chances never fall: neighbours that fall are replaced by their mean. */
export function poolViolators(groups: readonly Group[]): Group[] {
  const blocks: { sum: number; weight: number; members: Group[] }[] = [];
  for (const group of groups) {
    let block = { sum: group.chance * group.weight, weight: group.weight, members: [group] };
    for (let last = blocks.at(-1); last !== undefined; last = blocks.at(-1)) {
      if (last.sum / last.weight < block.sum / block.weight) break;
      blocks.pop();
      block = {
        sum: last.sum + block.sum,
        weight: last.weight + block.weight,
        members: [...last.members, ...block.members],
      };
    }
    blocks.push(block);
  }
  return blocks.flatMap(({ sum, weight, members }) =>
    members.map((member) => ({ raw: member.raw, weight: member.weight, chance: sum / weight })),
  );
}

/**
 * The ends of each level: points between two equal neighbours follow from them. Rounding may neither leave 0 to 1 nor produce equal
 * neighbours.
 */
function pointsOf(groups: readonly Group[]): CalibrationPoint[] {
  const inside = (value: number): number => Math.min(1, Math.max(0, value));
  const points: CalibrationPoint[] = [];
  for (const [i, { raw, chance }] of groups.entries()) {
    if (groups[i - 1]?.chance === chance && groups[i + 1]?.chance === chance) continue;
    const before = points.at(-1);
    if (before === undefined || inside(raw) > before.raw) points.push({ raw: inside(raw), chance: inside(chance) });
  }
  return points;
}

/** The same map as in the engine's ensemble, to the bit: straight lines, flat beyond the ends; without points the raw value. */
export function calibrated(raw: number, points: readonly CalibrationPoint[]): number {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return raw;
  if (raw <= first.raw) return first.chance;
  const at = points.findIndex((right) => raw <= right.raw);
  const [left, right] = [points[at - 1], points[at]];
  if (left === undefined || right === undefined) return last.chance;
  return left.chance + ((raw - left.raw) / (right.raw - left.raw)) * (right.chance - left.chance);
}

/**
 * Expected result of a signal after fees, as a fraction of its entry price: its chance times the mean win plus the rest times the mean
 * loss, both in distances of its stop. Null until both have been seen.
 */
export function expectedFraction(
  chance: number,
  stopFraction: number,
  { meanWinStops, meanLossStops }: Pick<Calibration, 'meanWinStops' | 'meanLossStops'>,
): number | null {
  if (meanWinStops === null || meanLossStops === null) return null;
  return stopFraction * (chance * meanWinStops + (1 - chance) * meanLossStops);
}
