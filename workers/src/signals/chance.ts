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

/** A map without points states its base rate: too few outcomes to tell high scores from low ones. */
const chanceIn = (raw: number, { points, baseRate }: Calibration): number =>
  points.length === 0 ? (baseRate ?? Number.NaN) : calibrated(raw, points);

function mixed(a: number | null, b: number | null, weight: number): number | null {
  if (a === null || b === null) return a ?? b;
  return weight * a + (1 - weight) * b;
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
  const past = replayed === null || replayed.points.length === 0 ? null : replayed;
  if (past === null && live.points.length === 0) return null;
  const weight = past === null ? 1 : liveWeight(live.count);
  const chance =
    past === null
      ? chanceIn(raw, live)
      : weight === 0
        ? chanceIn(raw, past)
        : weight * chanceIn(raw, live) + (1 - weight) * chanceIn(raw, past);
  const used = { live: weight > 0 ? live : null, past: weight < 1 ? past : null };
  return {
    chance,
    count: (used.live?.count ?? 0) + (used.past?.count ?? 0),
    origin: used.past === null ? 'live' : used.live === null ? 'replayed' : 'mixed',
    expectedFraction: expectedFraction(chance, stopFraction, {
      meanWinStops: mixed(used.live?.meanWinStops ?? null, used.past?.meanWinStops ?? null, weight),
      meanLossStops: mixed(used.live?.meanLossStops ?? null, used.past?.meanLossStops ?? null, weight),
    }),
  };
}
