import { liveWeights, SIGNAL_THRESHOLD, type TuningWeights } from '@sextant/workers/src/signalRules.ts';
import type { Scan, ScanSignal } from '../../api/types.ts';

export type Direction = 'LONG' | 'SHORT' | 'NEUTRAL';

export interface Rescored {
  signal: ScanSignal;
  /** -1 to 1. */
  score: number;
  direction: Direction;
  /** 0 to 1. */
  confidence: number;
}

/** Whole units, as the engine counts: tenths of an interval's weight x tenths of a vote's x twentieths of its tuning. */
const units = (intervalWeight: number, vote: string, tuning: Readonly<Record<string, number>>): number =>
  Math.round(intervalWeight * 10) * Math.round((liveWeights[vote] ?? 0) * 10) * Math.round((tuning[vote] ?? 1) * 20);

const voteIds = Object.keys(liveWeights).filter((vote) => vote !== 'news');

/**
 * The score of a stored signal under other weights. A signal has a score only once every weighted vote of every interval has an
 * opinion, and the stored contributions hold every opinion that is not 0, so nothing but them is needed.
 */
export function scoreWith(signal: ScanSignal, tuning: Readonly<Record<string, number>>): number {
  const weightOf = new Map(signal.timeframes.map(({ interval, weight }) => [interval, weight]));
  let numerator = 0;
  let denominator = 0;
  for (const { weight } of signal.timeframes) for (const vote of voteIds) denominator += units(weight, vote, tuning);
  for (const { vote, interval, opinion } of signal.contributions) {
    const weighed = units(weightOf.get(interval) ?? 0, vote, tuning);
    numerator += weighed * opinion;
    // News has one vote, when there is any.
    if (vote === 'news') denominator += weighed;
  }
  return denominator === 0 ? 0 : numerator / denominator;
}

export const directionOf = (score: number): Direction => {
  if (score >= SIGNAL_THRESHOLD) return 'LONG';
  return score <= -SIGNAL_THRESHOLD ? 'SHORT' : 'NEUTRAL';
};

/** docs/ensemble.md: steep where most scores are. */
export const confidenceOf = (score: number): number => 1 - (1 - Math.abs(score)) ** 2;

export interface Rescoring {
  /** Largest change of confidence first. */
  changed: Rescored[];
  count: number;
  /** Results whose direction is another one, or none. */
  turned: number;
  /** Results that would fall below the floor, and those that would no longer. */
  belowFloor: number;
  /** Results whose own score could not be found again from what is stored; they are left out. */
  unexplained: number;
}

/** Every result of a scan under other weights, at once. @param floor 0.1 to 1, null is off */
export function rescore(
  results: readonly ScanSignal[],
  params: Scan['params'],
  tuning: TuningWeights,
  floor: number | null,
): Rescoring {
  const known = results.filter((signal) => Math.abs(scoreWith(signal, params.tuning) - signal.score) < 1e-12);
  const all = known.map((signal): Rescored => {
    const score = scoreWith(signal, tuning);
    return { signal, score, direction: directionOf(score), confidence: confidenceOf(score) };
  });
  const change = ({ signal, confidence }: Rescored): number => Math.abs(confidence - signal.raw_confidence);
  return {
    changed: all.filter((each) => each.score !== each.signal.score).sort((a, b) => change(b) - change(a)),
    count: all.length,
    turned: all.filter(({ signal, direction }) => direction !== signal.direction).length,
    belowFloor: all.filter(({ confidence }) => confidence < (floor ?? 0)).length,
    unexplained: results.length - known.length,
  };
}
