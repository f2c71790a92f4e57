/**
 * The chance that a signal gains after fees, from what past signals of its interval and strategy did. Pure arithmetic; docs/signals.md
 * has the method: groups of equal size, each shrunk to the base rate (Cestnik 1990), then isotonic regression by pooling adjacent
 * violators (Ayer et al. 1955; Zadrozny and Elkan 2002), straight lines between the groups.
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
  /** Empty until `count` reaches EVIDENCE_MIN: the score stays what is shown. */
  points: CalibrationPoint[];
  /** Mean result of winners and of the others, in stop distances; null without any. */
  meanWinStops: number | null;
  meanLossStops: number | null;
}

/** Fewer outcomes are no evidence: the 95 % interval of a share of 100 is 10 points to either side. */
export const EVIDENCE_MIN = 100;
const GROUP_MIN = 100;
const GROUPS_MAX = 20;
/**
 * Outcomes that the base rate counts for in a group. It is the right number when chances differ from group to group by a standard deviation
 * of 0.07: p (1 - p) / 0.07^2 is 50 near p = 0.5.
 */
const PRIOR_COUNT = 50;

interface Group {
  raw: number;
  chance: number;
  weight: number;
}

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * The map of a moment. A bet that became known after `asOfMs` has no effect.
 * @param bets in any order
 */
export function fitCalibration(bets: readonly PastBet[], asOfMs: number): Calibration {
  const known = bets.filter(({ knownAtMs }) => knownAtMs <= asOfMs);
  const won = known.filter(({ isWon }) => isWon);
  const count = known.length;
  const baseRate = count === 0 ? null : (won.length + 0.5) / (count + 1);
  return {
    count,
    baseRate,
    points: baseRate === null || count < EVIDENCE_MIN ? [] : pointsOf(poolViolators(groupsOf(known, baseRate))),
    meanWinStops: mean(won.map(({ netStops }) => netStops)),
    meanLossStops: mean(known.flatMap(({ isWon, netStops }) => (isWon ? [] : [netStops]))),
  };
}

/** Groups of equal size by raw confidence; equal values stay together. */
function groupsOf(known: readonly PastBet[], baseRate: number): Group[] {
  const sorted = known.toSorted((a, b) => a.rawConfidence - b.rawConfidence);
  const groupCount = Math.min(GROUPS_MAX, Math.max(1, Math.floor(sorted.length / GROUP_MIN)));
  const groups: Group[] = [];
  for (let from = 0, k = 1; from < sorted.length; k++) {
    let to = Math.max(from + 1, Math.round((k * sorted.length) / groupCount));
    while (to < sorted.length && sorted[to]?.rawConfidence === sorted[to - 1]?.rawConfidence) to += 1;
    const inside = sorted.slice(from, to);
    const wins = inside.filter(({ isWon }) => isWon).length;
    const weight = inside.length + PRIOR_COUNT;
    groups.push({
      raw: inside.reduce((sum, { rawConfidence }) => sum + rawConfidence, 0) / inside.length,
      chance: (wins + PRIOR_COUNT * baseRate) / weight,
      weight,
    });
    from = to;
  }
  return groups;
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

/** The ends of each level: what lies between two equal neighbours follows from them. Rounding may neither leave 0 to 1 nor stand still. */
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
