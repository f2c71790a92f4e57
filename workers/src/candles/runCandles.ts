import { dayCandles, type WeighedVotes } from '@sextant/engine-as/abi/voteParameters.ts';
import { TRAIN_BARS_MIN } from '../protocol/wire/defaults.ts';

interface Requested {
  /** Candles to load. */
  count: number;
  /** How many of the last ones are scored. */
  scored: number;
}

/**
 * Candles that a run loads, page and server alike: as many as requested, and more where these hold too few before the scored ones for votes
 * on whole UTC days. Then the first scored candle has a score at any hour, and a search has candles to train on.
 * @param stepMs length of a candle
 */
export function runCandles({ count, scored }: Requested, votes: WeighedVotes, stepMs: number): number {
  const ofDays = dayCandles(votes, stepMs);
  const last = Math.min(scored, count);
  return count - last >= ofDays ? count : ofDays + TRAIN_BARS_MIN + last;
}
