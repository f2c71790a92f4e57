import { LAB_LOADED, SCORED_DEFAULT } from '@sextant/workers/src/protocol/wire/defaults.ts';

/** How many of an exchange's loaded candles are scored: each long history has the same share as the standard one. */
export const scoredOf = (loaded: number): number =>
  loaded <= LAB_LOADED ? Math.min(SCORED_DEFAULT, loaded) : Math.floor((loaded * SCORED_DEFAULT) / LAB_LOADED);
