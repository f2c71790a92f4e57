import { LAB_LOADED, SCORED_DEFAULT } from '@sextant/workers/src/wire/defaults.ts';

/** How many of the loaded candles of an exchange are scored: of each long history the same share as of the standard one. */
export const scoredOf = (loaded: number): number =>
  loaded <= LAB_LOADED ? Math.min(SCORED_DEFAULT, loaded) : Math.floor((loaded * SCORED_DEFAULT) / LAB_LOADED);
