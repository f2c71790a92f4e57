import * as abi from '@sextant/engine-as/abi/optimize.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { BACKTEST_VOTE_COUNT, VOTE_COUNT } from '@sextant/engine-as/abi/votes.ts';
import { voteIds } from '@sextant/engine-as/abi/voteExports.ts';
import type { OwnRules } from '../../rules/strategyOfRules.ts';
import { rangedOf } from './ownSpace.ts';
import { trailingModeOf } from './rulesSpace.ts';

/** One thing a search varies, and where it stands in a set. */
export interface SearchedParameter {
  /** A vote's id (its weight), or the name of the varied parameter; of own rules the text's name. */
  id: string;
  kind: 'weight' | 'number' | 'fraction' | 'multiple' | 'switch';
  slot: number;
  /** Factor of one unit of the parameter in a set. */
  perUnit: number;
  /** Values of a set that has it. */
  setLength: number;
}

/** Every parameter of a set of Classic, in the order of the set: what tables and plots of trials offer as columns and axes. */
export const searchedParameters: readonly SearchedParameter[] = [
  ...voteIds.slice(0, BACKTEST_VOTE_COUNT).map((id, vote): SearchedParameter => ({
    id,
    kind: 'weight',
    slot: abi.SET_WEIGHTS + vote,
    perUnit: 10,
    setLength: abi.SET_LENGTH,
  })),
  ...(
    [
      { id: 'entryThreshold', kind: 'number', slot: abi.SET_ENTRY_THRESHOLD },
      { id: 'stopLoss', kind: 'fraction', slot: abi.SET_STOP_LOSS },
      { id: 'takeProfit', kind: 'fraction', slot: abi.SET_TAKE_PROFIT },
      { id: 'trailing', kind: 'switch', slot: abi.SET_IS_TRAILING },
      { id: 'callback', kind: 'fraction', slot: abi.SET_CALLBACK },
      { id: 'trailStep', kind: 'fraction', slot: abi.SET_STEP },
    ] as const
  ).map((each) => ({ ...each, perUnit: 1, setLength: abi.SET_LENGTH })),
];

/** Every parameter of a set of rules; its distances are in the modes of the strategy. */
export function rulesParameters(strategy: Pick<Strategy, 'stop' | 'target' | 'trailing'>): SearchedParameter[] {
  const kindOf = (mode: 'percent' | 'atr'): 'fraction' | 'multiple' => (mode === 'percent' ? 'fraction' : 'multiple');
  const setLength = abi.RULES_SET_LENGTH;
  const tail = [
    { id: 'entryThreshold', kind: 'number', slot: abi.TAIL_ENTRY_THRESHOLD },
    { id: 'stop', kind: kindOf(strategy.stop.mode), slot: abi.TAIL_STOP_LOSS },
    { id: 'target', kind: kindOf(strategy.target.mode), slot: abi.TAIL_TAKE_PROFIT },
    { id: 'trailing', kind: 'switch', slot: abi.TAIL_IS_TRAILING },
    { id: 'trailingDistance', kind: kindOf(trailingModeOf(strategy)), slot: abi.TAIL_CALLBACK },
  ] as const;
  return [
    ...voteIds.map((id, slot): SearchedParameter => ({
      id,
      kind: 'weight',
      slot,
      perUnit: abi.RULES_WEIGHT_UNITS,
      setLength,
    })),
    ...tail.map(({ id, kind, slot }) => ({ id, kind, slot: VOTE_COUNT + slot, perUnit: 1, setLength })),
  ];
}

/** Every parameter with a range of own rules, in the order of the text. */
export function ownParameters(strategy: OwnRules): SearchedParameter[] {
  const ranged = rangedOf(strategy);
  return ranged.map(({ name }, slot) => ({ id: name, kind: 'number', slot, perUnit: 1, setLength: ranged.length }));
}

/** @param sets set after set, as `withSets` gives them @returns the parameter of one trial in its own unit: a weight as -5..5 */
export function parameterOf(
  sets: Float64Array,
  trial: number,
  { slot, perUnit, setLength }: SearchedParameter,
): number {
  return (sets[trial * setLength + slot] ?? Number.NaN) / perUnit;
}

/** The parameters of one trial. */
export const setOf = (sets: Float64Array, trial: number, length: number = abi.SET_LENGTH): Float64Array =>
  sets.subarray(trial * length, (trial + 1) * length);
