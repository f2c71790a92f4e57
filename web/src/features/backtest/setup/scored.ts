import type { IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import { voteIds } from '@sextant/engine-as/abi/voteExports.ts';
import { runCandles } from '@sextant/workers/src/candles/runCandles.ts';
import { LAB_LOADED, SCORED_DEFAULT } from '@sextant/workers/src/protocol/wire/defaults.ts';

/** How many of an exchange's loaded candles are scored: each long history has the same share as the standard one. */
export const scoredOf = (loaded: number): number =>
  loaded <= LAB_LOADED ? Math.min(SCORED_DEFAULT, loaded) : Math.floor((loaded * SCORED_DEFAULT) / LAB_LOADED);

/** Every vote: candles that are loaded for one strategy also do for the others, so a change of strategy or weights loads nothing. */
const anyVotes = { weights: Object.fromEntries(voteIds.map((id) => [id, 1])) };

/** Candles to load so that each strategy has a score from the first scored candle on. */
export const loadedOf = (window: { count: number; scored: number }, interval: IntervalName): number =>
  runCandles(window, anyVotes, interval);

/** The history in the form whose share was scored: more may have been loaded for votes on whole UTC days. */
export const historyOf = ({ loaded, scored }: { loaded: number; scored: number }): number =>
  scored === scoredOf(loaded) ? loaded : Math.ceil((scored * LAB_LOADED) / SCORED_DEFAULT);
