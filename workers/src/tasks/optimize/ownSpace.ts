import * as abi from '@sextant/engine-as/abi/optimize.ts';
import { RULES_LENGTH } from '@sextant/engine-as/abi/records.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { ok } from '../../core/result.ts';
import type { SearchedRules } from '../../protocol/optimize.ts';
import { fail, type TaskResult } from '../../protocol/taskResult.ts';
import { gridValue, isOnGrid, isRanged, nearestIndex, type RuleParameter } from '../../rules/checked.ts';
import { exitsOf, RULES_TEXT_MAX, type RuleSet } from '../../rules/compileRules.ts';
import { type OwnRules, problemText, ruleSetOf, strategyOfRules } from '../../rules/strategyOfRules.ts';
import { NUMBER_LENGTH_MAX, withValues } from '../../rules/withValues.ts';
import { writeExits } from '../rules.ts';

// Sets of own rules: the values of the parameters with a range, in the order of the text. A set lies on the grid of the ranges; the text's
// own value need not.

/**
 * How a set is drawn: the engine draws whole numbers, 1 for the first value of a range, 2 for the second. None is 0, which stands for a vote
 * that is left out. A value of the text beside the grid is a quarter above the nearest number.
 */
export interface SetCoding {
  /** Values of a drawn set; those of the text come first, the others are 0. */
  drawnLength: number;
  encode: (sets: Float64Array) => Float64Array;
  decode: (drawn: Float64Array) => Float64Array;
  /** The set with one parameter moved by a tenth of its value, one step at least, down and then up, parameter after parameter. */
  neighbours: (set: Float64Array) => Float64Array;
}

export interface OwnSpace extends SetCoding {
  parameters: RuleParameter[];
  /** Values of the text. */
  own: Float64Array;
  /** Every value that a set may have, by parameter: the grid, then the text's own where it is beside it. */
  lists: number[][];
  /** Places in `lists` of the values of sets; -1 where a value is none of them. */
  placesOf: (sets: Float64Array) => Int32Array;
}

const OFF_GRID = 0.25;
const NEIGHBOUR_REACH = 0.1;

export const rangedOf = (strategy: OwnRules): RuleParameter[] => ruleSetOf(strategy).parameters.filter(isRanged);

/** Rejects own rules that no search can vary. @param strategy one that validateStrategyValue accepts */
export function checkOwnRules({ strategy, space }: SearchedRules & { strategy: OwnRules }): TaskResult<null> {
  const bad = (field: string, text: string): TaskResult<null> => fail('bad_input', `${field} ${text}`, field);
  const count = rangedOf(strategy).length;
  const most = searchedTextMax(count);
  if (count === 0) return bad('rules.strategy.rules', 'has no parameter with a range; write fast = 12 [5..50 step 1]');
  if (space !== undefined && Object.keys(space).length > 0)
    return bad('rules.space', 'is for votes: own rules have their ranges in the text');
  if (strategy.rules.length > most)
    return bad('rules.strategy.rules', `has ${strategy.rules.length} characters: a search over it allows ${most}`);
  if (!hasExitsOfText(strategy))
    return bad('rules.strategy', 'has other exits than its rules: a search takes those of the text');
  return ok(null);
}

/** Whether the exits of a strategy are those that its text has. */
export function hasExitsOfText(strategy: Strategy & OwnRules): boolean {
  const exits = exitsOf(ruleSetOf(strategy));
  const [own, others] = [exits, strategy].map((each) => {
    const rules = new Float64Array(RULES_LENGTH);
    writeExits(rules, each);
    return rules;
  });
  return exits.atrPeriod === strategy.atrPeriod && own?.every((value, slot) => value === others?.[slot]) === true;
}

const spaces = new WeakMap<RuleSet, OwnSpace>();

/** The sets of own rules. @param strategy checked */
export function ownSpaceOf(strategy: OwnRules): OwnSpace {
  const rules = ruleSetOf(strategy);
  const known = spaces.get(rules) ?? makeSpace(rules.parameters.filter(isRanged));
  spaces.set(rules, known);
  return known;
}

function makeSpace(parameters: RuleParameter[]): OwnSpace {
  const length = parameters.length;
  const drawnLength = length + abi.TAIL_LENGTH;
  const own = Float64Array.from(parameters, ({ value }) => value);
  const lists = parameters.map((parameter) => {
    const grid = Array.from({ length: parameter.count }, (_, k) => gridValue(parameter, k));
    return isOnGrid(parameter) ? grid : [...grid, parameter.value];
  });
  const placeOf = (p: number, value: number): number => {
    const [parameter, list] = [parameters[p], lists[p]];
    if (parameter === undefined || list === undefined) return -1;
    const near = nearestIndex(parameter, value);
    if (list[near] === value) return near;
    return list[parameter.count] === value ? parameter.count : -1;
  };
  const codeOf = (p: number, value: number): number => {
    const [place, parameter] = [placeOf(p, value), parameters[p]];
    if (place < 0 || parameter === undefined) throw new Error(`${value} is no value of parameter ${p}`);
    return place < parameter.count ? place + 1 : nearestIndex(parameter, value) + 1 + OFF_GRID;
  };
  const valueOf = (p: number, code: number): number =>
    (Number.isInteger(code) ? lists[p]?.[code - 1] : own[p]) ?? Number.NaN;
  const setsIn = (values: Float64Array, each: number): number[] =>
    Array.from({ length: values.length / each }, (_, i) => i);
  return {
    parameters,
    own,
    lists,
    drawnLength,
    placesOf: (sets) => Int32Array.from(sets, (value, at) => placeOf(at % length, value)),
    encode(sets) {
      const drawn = new Float64Array((sets.length / length) * drawnLength);
      for (const i of setsIn(sets, length))
        for (let p = 0; p < length; p++) drawn[i * drawnLength + p] = codeOf(p, sets[i * length + p] ?? Number.NaN);
      return drawn;
    },
    decode(drawn) {
      const sets = new Float64Array((drawn.length / drawnLength) * length);
      for (const i of setsIn(drawn, drawnLength))
        for (let p = 0; p < length; p++) sets[i * length + p] = valueOf(p, drawn[i * drawnLength + p] ?? Number.NaN);
      return sets;
    },
    neighbours: (set) => Float64Array.from(neighboursOf(parameters, lists, set).flat()),
  };
}

function neighboursOf(parameters: readonly RuleParameter[], lists: number[][], set: Float64Array): number[][] {
  return parameters.flatMap((parameter, p) => {
    const value = set[p] ?? Number.NaN;
    const here = nearestIndex(parameter, value);
    const steps = Math.max(1, Math.round((Math.abs(value) / parameter.step) * NEIGHBOUR_REACH));
    return [-steps, steps].flatMap((move) => {
      const there = Math.min(Math.max(here + move, 0), parameter.count - 1);
      const moved = lists[p]?.[there] ?? Number.NaN;
      return moved === value ? [] : [[...set].map((each, k) => (k === p ? moved : each))];
    });
  });
}

/** The engine's space: every number of a range with the same chance. */
export function packOwnSpace(strategy: OwnRules): Float64Array {
  const rows = new Float64Array(abi.SPACE_LENGTH);
  const { parameters } = ownSpaceOf(strategy);
  const length = parameters.length + abi.TAIL_LENGTH;
  for (let slot = 0; slot < length; slot++) {
    const row = slot * abi.SPACE_ROW_LENGTH;
    const count = parameters[slot]?.count;
    rows[row + abi.SPACE_MIN] = count === undefined ? 0 : 1;
    rows[row + abi.SPACE_MAX] = count ?? 0;
    rows[row + abi.SPACE_DIVISOR] = 1;
  }
  rows[abi.SPACE_VOTES] = parameters.length;
  rows[abi.SPACE_DRAW] = abi.DRAW_DENSE;
  rows[abi.SPACE_INTERVAL_SHARE] = 1;
  return rows;
}

/** Values of every parameter of the text, in its order, fixed ones too. */
export function textValuesOf(set: ArrayLike<number>, strategy: OwnRules): number[] {
  let at = 0;
  return ruleSetOf(strategy).parameters.map((parameter) =>
    isRanged(parameter) ? (set[at++] ?? Number.NaN) : parameter.value,
  );
}

/** The text with the values of a set. */
export const textOfSet = (set: ArrayLike<number>, strategy: OwnRules): string =>
  withValues(strategy.rules, textValuesOf(set, strategy));

/** Longest text that a search can vary: every drawn number fits into a text. */
export const searchedTextMax = (rangeCount: number): number => RULES_TEXT_MAX - rangeCount * NUMBER_LENGTH_MAX;

/** A set as a strategy: the text with its values, and the exits that it has then. */
export function unpackOwn(set: ArrayLike<number>, strategy: Strategy & OwnRules): Strategy & OwnRules {
  const [base] = strategy.intervals;
  if (base === undefined) throw new Error('validateStrategyValue lets no empty list through');
  const rules = textOfSet(set, strategy);
  const made = strategyOfRules(rules, base.interval);
  if (!made.ok) throw new Error(problemText(made.error[0]));
  const { intervals, weights } = strategy;
  return { ...made.value, intervals, weights, rules };
}

/** The values of a set by the names of the text. */
export const namedValues = (set: ArrayLike<number>, strategy: OwnRules): Record<string, number> =>
  Object.fromEntries(rangedOf(strategy).map(({ name }, p) => [name, set[p] ?? Number.NaN]));
