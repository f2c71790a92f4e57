import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import type { NumberRange, RulesSpace } from '@sextant/workers/src/protocol/optimize.ts';
import { defaultRulesSpace, trailingModeOf } from '@sextant/workers/src/tasks/optimize/rulesSpace.ts';
import type { RulesRangeName, RulesRanges } from './searchState.ts';

type Exits = Pick<Strategy, 'stop' | 'target' | 'trailing'>;
type Shown = Exclude<keyof RulesSpace, 'draw' | 'weights' | 'trailing'>;

/** A range of the search under the name that it has for the exits of a strategy. */
export interface RulesRange {
  name: RulesRangeName;
  of: Shown;
  unit: 'percent' | 'atr' | 'number';
  usual: NumberRange;
}

/** The search ranges of these exits, with the defaults where none is set. */
export function rulesRangesOf(exits: Exits): RulesRange[] {
  const usual = defaultRulesSpace(exits);
  const trailing = trailingModeOf(exits);
  const level = (of: 'stop' | 'target'): RulesRange => {
    const { mode } = exits[of];
    return { name: mode === 'percent' ? `${of}Fraction` : `${of}Multiple`, of, unit: mode, usual: usual[of] };
  };
  return [
    { name: 'weight', of: 'weight', unit: 'number', usual: usual.weight },
    { name: 'entryThreshold', of: 'entryThreshold', unit: 'number', usual: usual.entryThreshold },
    level('stop'),
    level('target'),
    {
      name: trailing === 'percent' ? 'callbackFraction' : 'trailingMultiple',
      of: 'trailingDistance',
      unit: trailing,
      usual: usual.trailingDistance,
    },
  ];
}

/** The ranges as engine input: only the set ones, in the units of these exits. */
export function rulesSpaceOf(exits: Exits, { weights, ...ranges }: RulesRanges): Partial<RulesSpace> {
  const set = rulesRangesOf(exits).flatMap(({ name, of }) => {
    const range = ranges[name];
    return range === undefined ? [] : [[of, range] as const];
  });
  return { ...Object.fromEntries(set), ...(weights !== undefined && { weights }) };
}

/** The ranges of a search for the form, in the units of its exits. */
export function rulesRangesFrom(exits: Exits, space: Partial<RulesSpace>): RulesRanges {
  const set = rulesRangesOf(exits).flatMap(({ name, of }) => {
    const range = space[of];
    return range === undefined ? [] : [[name, range] as const];
  });
  return { ...Object.fromEntries(set), ...(space.weights !== undefined && { weights: space.weights }) };
}
