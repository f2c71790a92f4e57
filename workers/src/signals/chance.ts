import { type Calibration, calibrated, expectedFraction } from './calibration.ts';

/**
 * The chance of a signal from replayed and live outcomes. It starts from replayed ones and moves to live ones as they come. Live
 * confidence (calibration.ts) is not affected.
 */

/** Replayed outcomes count as much as this many live ones at first. */
export const REPLAY_WORTH = 400;
/** Live outcomes from which replayed ones no longer count. */
export const LIVE_ONLY_FROM = 2000;

/** Weight of the live outcomes, 0 to 1: n / (n + k), where k falls from REPLAY_WORTH to 0 at LIVE_ONLY_FROM. */
export function liveWeight(liveCount: number): number {
  const worth = REPLAY_WORTH * Math.max(0, 1 - liveCount / LIVE_ONLY_FROM);
  return liveCount === 0 ? 0 : liveCount / (liveCount + worth);
}

/** Where a chance comes from; `mixed`: replayed and live outcomes. */
export type ChanceOrigin = 'live' | 'replayed' | 'mixed';

export interface Chance {
  /** To gain after fees, 0 to 1. */
  chance: number;
  /** Independent outcomes it is from. */
  count: number;
  origin: ChanceOrigin;
  /** Expected result after fees, fraction of the entry price; null while no win or no loss was seen. */
  expectedFraction: number | null;
}

/** Outcomes with their weight in a chance. */
interface Source {
  of: Calibration;
  weight: number;
}

/** A map without points states its base rate: too few outcomes to separate high scores from low ones. */
const chanceIn = (raw: number, { points, baseRate }: Calibration): number =>
  points.length === 0 ? (baseRate ?? Number.NaN) : calibrated(raw, points);

/** Weighted mean over the sources that have the value; null when none has. */
function meanOver(sources: readonly Source[], valueOf: (of: Calibration) => number | null): number | null {
  let [sum, total] = [0, 0];
  for (const { of, weight } of sources) {
    const value = valueOf(of);
    if (value === null) continue;
    sum += weight * value;
    total += weight;
  }
  return total === 0 ? null : sum / total;
}

/** Replayed outcomes without a curve are too few to count. */
function sourcesOf(live: Calibration, replayed: Calibration | null): Source[] {
  if (replayed === null || replayed.points.length === 0)
    return live.points.length === 0 ? [] : [{ of: live, weight: 1 }];
  const weight = liveWeight(live.count);
  return [
    { of: live, weight },
    { of: replayed, weight: 1 - weight },
  ].filter((each) => each.weight > 0);
}

/**
 * @param live outcomes of live signals; without any its count is 0
 * @param replayed null before a replay has enough outcomes
 * @param stopFraction distance of the stop, fraction of the price
 * @returns null while neither has enough outcomes
 */
export function chanceOf(
  raw: number,
  { live, replayed, stopFraction }: { live: Calibration; replayed: Calibration | null; stopFraction: number },
): Chance | null {
  const sources = sourcesOf(live, replayed);
  const chance = meanOver(sources, (of) => chanceIn(raw, of));
  if (chance === null) return null;
  return {
    chance,
    count: sources.reduce((sum, { of }) => sum + of.count, 0),
    origin: sources.length > 1 ? 'mixed' : sources[0]?.of === live ? 'live' : 'replayed',
    expectedFraction: expectedFraction(chance, stopFraction, {
      meanWinStops: meanOver(sources, ({ meanWinStops }) => meanWinStops),
      meanLossStops: meanOver(sources, ({ meanLossStops }) => meanLossStops),
    }),
  };
}
