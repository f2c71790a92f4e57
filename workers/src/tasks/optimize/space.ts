import * as abi from '@sextant/engine-as/abi/optimize.ts';
import { BACKTEST_VOTE_COUNT } from '@sextant/engine-as/abi/votes.ts';
import { voteIds } from '@sextant/engine-as/abi/voteExports.ts';
import type { StrategyParams } from '../../protocol/backtest.ts';
import { fail, type TaskResult } from '../../protocol/taskResult.ts';
import type { NamedSet, NumberRange, OptimizeInput, OptimizeSpace } from '../../protocol/optimize.ts';
import { weightTenths } from '../rules.ts';
import { ok } from '../../core/result.ts';
import { packRules, packRulesSpace, rangedRulesSlots, unpackRules } from './rulesSpace.ts';
import { isOwnRules, ruleSetOf } from '../../rules/strategyOfRules.ts';
import { namedValues, ownSpaceOf, packOwnSpace, rangedOf, type SetCoding, unpackOwn } from './ownSpace.ts';
import { checkRange, rowOf } from './ranges.ts';

/** The product's ranges; callback and step have a least value only, the other end is ours. */
export const defaultSpace: OptimizeSpace = {
  draw: 'mixed',
  weight: { min: 0, max: 2 },
  entryThreshold: { min: 0.1, max: 1 },
  stopLossFraction: { min: 0.001, max: 0.1 },
  takeProfitFraction: { min: 0.001, max: 0.2 },
  trailing: 'either',
  callbackFraction: { min: 0.001, max: 0.05 },
  stepFraction: { min: 0.0005, max: 0.025 },
};

interface Grid {
  name: keyof Omit<OptimizeSpace, 'trailing' | 'draw' | 'weights'>;
  slots: number[];
  /** Steps per unit; weights are stored as whole tenths. */
  perUnit: number;
  divisor: number;
  bounds: NumberRange;
}

const weightBounds: NumberRange = { min: 0, max: 2 };

const grids: Grid[] = [
  {
    name: 'weight',
    slots: Array.from({ length: BACKTEST_VOTE_COUNT }, (_, vote) => abi.SET_WEIGHTS + vote),
    perUnit: 10,
    divisor: 1,
    bounds: weightBounds,
  },
  grid('entryThreshold', abi.SET_ENTRY_THRESHOLD, 100, { min: 0.01, max: 1 }),
  grid('stopLossFraction', abi.SET_STOP_LOSS, 1000, { min: 0.001, max: 0.5 }),
  grid('takeProfitFraction', abi.SET_TAKE_PROFIT, 1000, { min: 0.001, max: 0.9 }),
  grid('callbackFraction', abi.SET_CALLBACK, 2000, { min: 0.0005, max: 0.5 }),
  grid('stepFraction', abi.SET_STEP, 2000, { min: 0, max: 0.5 }),
];

function grid(name: Grid['name'], slot: number, perUnit: number, bounds: NumberRange): Grid {
  return { name, slots: [slot], perUnit, divisor: perUnit, bounds };
}

/** The engine's space rows, or the error in the ranges. */
export function packSpace(wanted: Partial<OptimizeSpace> = {}): TaskResult<Float64Array> {
  const space = { ...defaultSpace, ...wanted };
  const rows = new Float64Array(abi.SPACE_LENGTH);
  for (const { name, slots, perUnit, divisor, bounds } of grids) {
    const allowed = checkRange(`space.${name}`, space[name], bounds);
    if (!allowed.ok) return allowed;
    for (const slot of slots) rows.set(rowOf(space[name], perUnit, divisor), row(slot));
  }
  for (const [id, range] of Object.entries(space.weights ?? {})) {
    const vote = (voteIds as readonly string[]).indexOf(id);
    if (vote < 0 || vote >= BACKTEST_VOTE_COUNT)
      return fail('bad_input', `space.weights.${id} is no vote`, 'space.weights');
    const allowed = checkRange(`space.weights.${id}`, range, weightBounds);
    if (!allowed.ok) return allowed;
    rows.set(rowOf(range, 10, 1), row(abi.SET_WEIGHTS + vote));
  }
  const trailing = { off: [0, 0], on: [1, 1], either: [0, 1] }[space.trailing];
  rows.set([...trailing, 1], row(abi.SET_IS_TRAILING));
  rows[abi.SPACE_VOTES] = BACKTEST_VOTE_COUNT;
  rows[abi.SPACE_INTERVAL_SHARE] = 1;
  rows[abi.SPACE_DRAW] = space.draw === 'dense' ? abi.DRAW_DENSE : abi.DRAW_MIXED;
  return ok(rows);
}

const row = (slot: number): number => slot * abi.SPACE_ROW_LENGTH;

export function packSet(params: StrategyParams): Float64Array {
  const set = new Float64Array(abi.SET_LENGTH);
  set.set(weightTenths(params.weights).subarray(0, BACKTEST_VOTE_COUNT), abi.SET_WEIGHTS);
  set[abi.SET_ENTRY_THRESHOLD] = params.entryThreshold;
  set[abi.SET_STOP_LOSS] = params.stopLossFraction;
  set[abi.SET_TAKE_PROFIT] = params.takeProfitFraction;
  set[abi.SET_IS_TRAILING] = params.trailing.enabled ? 1 : 0;
  set[abi.SET_CALLBACK] = params.trailing.callbackFraction;
  set[abi.SET_STEP] = params.trailing.stepFraction;
  return set;
}

/** @param shared the user's set, for what sets do not vary */
export function unpackSet(set: ArrayLike<number>, shared: StrategyParams): StrategyParams {
  const slot = (index: number): number => set[index] ?? Number.NaN;
  const weights: Record<string, number> = {};
  for (let vote = 0; vote < BACKTEST_VOTE_COUNT; vote++)
    weights[voteIds[vote] ?? ''] = slot(abi.SET_WEIGHTS + vote) / 10;
  return {
    ...shared,
    weights,
    entryThreshold: slot(abi.SET_ENTRY_THRESHOLD),
    stopLossFraction: slot(abi.SET_STOP_LOSS),
    takeProfitFraction: slot(abi.SET_TAKE_PROFIT),
    trailing: {
      ...shared.trailing,
      enabled: slot(abi.SET_IS_TRAILING) > 0,
      callbackFraction: slot(abi.SET_CALLBACK),
      stepFraction: slot(abi.SET_STEP),
    },
  };
}

type Searched = Pick<OptimizeInput, 'params' | 'rules' | 'space'>;

/** Values of a set of the search. */
export function setLengthOf({ rules }: Pick<OptimizeInput, 'rules'>): number {
  if (rules === undefined) return abi.SET_LENGTH;
  return isOwnRules(rules.strategy) ? rangedOf(rules.strategy).length : abi.RULES_SET_LENGTH;
}

/** How sets of own rules are drawn; the others are drawn as they are. */
export const codingOf = ({ rules }: Pick<OptimizeInput, 'rules'>): SetCoding | undefined =>
  rules !== undefined && isOwnRules(rules.strategy) ? ownSpaceOf(rules.strategy) : undefined;

/** Sets tried by so many draws. Own rules whose ranges have fewer sets draw some again: a repeat is no other trial. */
export const triedCount = ({ rules }: Pick<OptimizeInput, 'rules'>, drawn: number): number =>
  rules !== undefined && isOwnRules(rules.strategy) ? Math.min(drawn, ruleSetOf(rules.strategy).setCount) : drawn;

/** The engine's space of a search, or the error in its ranges. */
export function spaceOf({ rules, space }: Searched): TaskResult<Float64Array> {
  if (rules === undefined) return packSpace(space);
  const { strategy } = rules;
  return isOwnRules(strategy) ? ok(packOwnSpace(strategy)) : packRulesSpace(strategy, rules.space);
}

function rangedClassicSlots({ weights = {}, trailing = 'either', ...ranges }: Partial<OptimizeSpace> = {}): number[] {
  const single = Object.keys(weights).map((id) => abi.SET_WEIGHTS + (voteIds as readonly string[]).indexOf(id));
  return [
    ...new Set([...grids.flatMap(({ name, slots }) => (ranges[name] === undefined ? [] : slots)), ...single]),
    ...(trailing === 'either' ? [] : [abi.SET_IS_TRAILING]),
  ];
}

/**
 * Parameters, by slot, whose value in a set is outside the range that the request gives them. Drawn sets stay inside their ranges; the
 * user's own set need not, and a set refined around it retains the values that are not moved.
 */
export function outsideSlots(search: Searched, set: ArrayLike<number>): number[] {
  const { rules } = search;
  // A text's own value outside its range does not compile.
  if (rules !== undefined && isOwnRules(rules.strategy)) return [];
  const slots = rules === undefined ? rangedClassicSlots(search.space) : rangedRulesSlots(rules.space);
  const space = spaceOf(search);
  if (!space.ok) return [];
  const field = (slot: number, name: number): number => space.value[row(slot) + name] ?? Number.NaN;
  return slots.filter((slot) => {
    const [value, divisor] = [set[slot] ?? Number.NaN, field(slot, abi.SPACE_DIVISOR)];
    return value < field(slot, abi.SPACE_MIN) / divisor || value > field(slot, abi.SPACE_MAX) / divisor;
  });
}

/** The set that the search starts at. */
export function ownSetOf({ rules, params }: Searched): Float64Array {
  if (rules === undefined) return packSet(params);
  return isOwnRules(rules.strategy) ? ownSpaceOf(rules.strategy).own : packRules(rules.strategy);
}

/** The named parameters or rules of a set. */
export function nameSet({ rules, params }: Searched, set: ArrayLike<number>): NamedSet {
  if (rules === undefined) return { params: unpackSet(set, params) };
  const { strategy } = rules;
  return isOwnRules(strategy)
    ? { params, strategy: unpackOwn(set, strategy), values: namedValues(set, strategy) }
    : { params, strategy: unpackRules(set, strategy) };
}
