import * as abi from '@sextant/engine-as/abi/optimize.ts';
import { BACKTEST_VOTE_COUNT } from '@sextant/engine-as/abi/votes.ts';
import { voteIds } from '@sextant/engine-as/abi/voteExports.ts';

/** One thing a search varies, and where it stands in a set. */
export interface SearchedParameter {
  /** A vote's id (its weight), or the name of the field of StrategyParams. */
  id: string;
  kind: 'weight' | 'number' | 'fraction' | 'switch';
  slot: number;
}

/** Every parameter of a set, in the order of the set: what tables and plots of trials offer as columns and axes. */
export const searchedParameters: readonly SearchedParameter[] = [
  ...voteIds
    .slice(0, BACKTEST_VOTE_COUNT)
    .map((id, vote): SearchedParameter => ({ id, kind: 'weight', slot: abi.SET_WEIGHTS + vote })),
  { id: 'entryThreshold', kind: 'number', slot: abi.SET_ENTRY_THRESHOLD },
  { id: 'stopLoss', kind: 'fraction', slot: abi.SET_STOP_LOSS },
  { id: 'takeProfit', kind: 'fraction', slot: abi.SET_TAKE_PROFIT },
  { id: 'trailing', kind: 'switch', slot: abi.SET_IS_TRAILING },
  { id: 'callback', kind: 'fraction', slot: abi.SET_CALLBACK },
  { id: 'trailStep', kind: 'fraction', slot: abi.SET_STEP },
];

/** @param sets f64[SET_LENGTH * trials], as `withSets` gives them @returns a weight as 0..2, everything else as it is */
export function parameterOf(sets: Float64Array, trial: number, { slot, kind }: SearchedParameter): number {
  const value = sets[trial * abi.SET_LENGTH + slot] ?? Number.NaN;
  return kind === 'weight' ? value / 10 : value;
}

/** The parameters of one trial, f64[SET_LENGTH]. */
export const setOf = (sets: Float64Array, trial: number): Float64Array =>
  sets.subarray(trial * abi.SET_LENGTH, (trial + 1) * abi.SET_LENGTH);
