import type { IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import { TRAIN_BARS_MIN } from '../protocol/wire/defaults.ts';
import { candlesOfDays, type DecidingRules } from './strategyCandles.ts';

interface Requested {
  /** Candles to load. */
  count: number;
  /** How many of the last ones are scored. */
  scored: number;
}

/**
 * Candles that a run loads, page and server alike: as many as requested, and more where these hold too few before the scored ones for votes
 * on whole UTC days, or for the look-back of own rules. Then the first scored candle has a score at any hour, and a search has candles to train on.
 */
export function runCandles({ count, scored }: Requested, strategy: DecidingRules, interval: IntervalName): number {
  const ofDays = candlesOfDays(strategy, interval);
  const last = Math.min(scored, count);
  return count - last >= ofDays ? count : ofDays + TRAIN_BARS_MIN + last;
}
