import { liveWeights } from '@sextant/engine-as/abi/liveWeights.ts';
import { SIGNAL_THRESHOLD } from './signalRules.ts';

/** Scores a stored signal with other weights, for the browser's slider and the server that evaluates the weights. */

export type Direction = 'LONG' | 'SHORT' | 'NEUTRAL';

/** Stored votes of a signal: every non-zero opinion, and the weight of each interval. */
export interface StoredVotes {
  timeframes: readonly { interval: string; weight: number }[];
  contributions: readonly { vote: string; interval: string; opinion: number }[];
}

/** Whole units, as the engine counts: tenths of an interval's weight x tenths of a vote's x twentieths of its tuning. */
const units = (intervalWeight: number, vote: string, tuning: Readonly<Record<string, number>>): number =>
  Math.round(intervalWeight * 10) * Math.round((liveWeights[vote] ?? 0) * 10) * Math.round((tuning[vote] ?? 1) * 20);

const voteIds = Object.keys(liveWeights).filter((vote) => vote !== 'news');

/**
 * The score of a stored signal under other weights, -1 to 1. A signal has a score only once every weighted vote of every interval has an
 * opinion, and every opinion other than 0 is stored, so no other data is needed.
 */
export function scoreWith(signal: StoredVotes, tuning: Readonly<Record<string, number>>): number {
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

/** Whether the score that is stored follows from the votes that are stored, under the weights it was made with. */
export const isExplained = (
  signal: StoredVotes & { score: number },
  tuning: Readonly<Record<string, number>>,
): boolean => Math.abs(scoreWith(signal, tuning) - signal.score) < 1e-12;

export const directionOf = (score: number): Direction => {
  if (score >= SIGNAL_THRESHOLD) return 'LONG';
  return score <= -SIGNAL_THRESHOLD ? 'SHORT' : 'NEUTRAL';
};

/** docs/ensemble.md: steep where most scores are. */
export const confidenceOf = (score: number): number => 1 - (1 - Math.abs(score)) ** 2;
