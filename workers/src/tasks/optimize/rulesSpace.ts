import { WEIGHT_UNITS } from '@sextant/engine-as/abi/ensemble.ts';
import * as abi from '@sextant/engine-as/abi/optimize.ts';
import { type ParameterBounds, runParameters } from '@sextant/engine-as/abi/runParameters.ts';
import {
  type Strategy,
  type StrategyLevel,
  type StrategyTrailing,
  STRATEGY_WEIGHT_MAX,
} from '@sextant/engine-as/abi/strategy.ts';
import { voteIds } from '@sextant/engine-as/abi/voteExports.ts';
import { VOTE_COUNT } from '@sextant/engine-as/abi/votes.ts';
import { fail, type TaskResult } from '../../protocol/taskResult.ts';
import type { NumberRange, OptimizeInput, RulesSpace, SearchedRules } from '../../protocol/optimize.ts';
import type { StrategyInput } from '../../protocol/strategy.ts';
import { ok } from '../../core/result.ts';
import { checkRange, rowOf } from './ranges.ts';

// Sets of rules: which parameters of a strategy move, within which ranges, and how a set is read as a strategy again.

/** The trailing of sets that trail: that of the strategy, or when it is off the one its stop is measured by. */
export const trailingModeOf = ({ trailing, stop }: Pick<Strategy, 'trailing' | 'stop'>): 'percent' | 'atr' =>
  trailing.mode === 'off' ? stop.mode : trailing.mode;

interface Unit {
  perUnit: number;
  bounds: NumberRange;
  usual: NumberRange;
}

const boundsOf = ({ min, max }: ParameterBounds): NumberRange => ({ min, max });
const fractions = (field: ParameterBounds, perUnit: number, usual: NumberRange): Unit => ({
  perUnit,
  bounds: boundsOf(field),
  usual,
});
const multiples = (field: ParameterBounds, usual: NumberRange): Unit => ({
  perUnit: 10,
  bounds: boundsOf(field),
  usual,
});

const { stopFraction, targetFraction, callbackFraction, stopMultiple, targetMultiple, trailingMultiple } =
  runParameters;
const units = {
  stop: {
    percent: fractions(stopFraction, 1000, { min: 0.001, max: 0.1 }),
    atr: multiples(stopMultiple, { min: 0.5, max: 6 }),
  },
  target: {
    percent: fractions(targetFraction, 1000, { min: 0.001, max: 0.2 }),
    atr: multiples(targetMultiple, { min: 0.5, max: 12 }),
  },
  trailingDistance: {
    percent: fractions(callbackFraction, 2000, { min: 0.001, max: 0.05 }),
    atr: multiples(trailingMultiple, { min: 0.5, max: 6 }),
  },
};

/** Default ranges for the modes of a strategy. */
export function defaultRulesSpace(strategy: Pick<Strategy, 'stop' | 'target' | 'trailing'>): RulesSpace {
  return {
    draw: 'mixed',
    weight: { min: 0, max: 2 },
    entryThreshold: { min: 0.02, max: 1 },
    stop: units.stop[strategy.stop.mode].usual,
    target: units.target[strategy.target.mode].usual,
    trailing: 'either',
    trailingDistance: units.trailingDistance[trailingModeOf(strategy)].usual,
  };
}

export const weightBounds: NumberRange = { min: -STRATEGY_WEIGHT_MAX, max: STRATEGY_WEIGHT_MAX };
const trailings = { off: [0, 0], on: [1, 1], either: [0, 1] };

/** The engine's space of a strategy, or the error in its ranges. */
export function packRulesSpace(strategy: Strategy, wanted: Partial<RulesSpace> = {}): TaskResult<Float64Array> {
  const space = { ...defaultRulesSpace(strategy), ...wanted };
  const rows = new Float64Array(abi.SPACE_LENGTH);
  const put = (
    name: string,
    range: NumberRange,
    slot: number,
    { perUnit, bounds }: Omit<Unit, 'usual'>,
    divisor = perUnit,
  ) => {
    const allowed = checkRange(`rules.space.${name}`, range, bounds);
    if (allowed.ok) rows.set(rowOf(range, perUnit, divisor), slot * abi.SPACE_ROW_LENGTH);
    return allowed;
  };
  const tail = (slot: number): number => VOTE_COUNT + slot;
  const weight = { perUnit: abi.RULES_WEIGHT_UNITS, bounds: weightBounds };
  const checks = [
    ...voteIds.map((id, vote) => {
      const own = space.weights?.[id];
      return put(own === undefined ? 'weight' : `weights.${id}`, own ?? space.weight, vote, weight, 1);
    }),
    put('entryThreshold', space.entryThreshold, tail(abi.TAIL_ENTRY_THRESHOLD), {
      perUnit: 100,
      bounds: { min: 0.01, max: 1 },
    }),
    put('stop', space.stop, tail(abi.TAIL_STOP_LOSS), units.stop[strategy.stop.mode]),
    put('target', space.target, tail(abi.TAIL_TAKE_PROFIT), units.target[strategy.target.mode]),
    put(
      'trailingDistance',
      space.trailingDistance,
      tail(abi.TAIL_CALLBACK),
      units.trailingDistance[trailingModeOf(strategy)],
    ),
    ...Object.keys(space.weights ?? {}).map(rejectUnknownVote),
  ];
  const wrong = checks.find((each) => !each.ok);
  if (wrong !== undefined) return wrong;
  rows.set([...trailings[space.trailing], 1], tail(abi.TAIL_IS_TRAILING) * abi.SPACE_ROW_LENGTH);
  rows[tail(abi.TAIL_STEP) * abi.SPACE_ROW_LENGTH + abi.SPACE_DIVISOR] = 1;
  rows[abi.SPACE_VOTES] = VOTE_COUNT;
  rows[abi.SPACE_DRAW] = space.draw === 'dense' ? abi.DRAW_DENSE : abi.DRAW_RULES;
  rows[abi.SPACE_INTERVAL_SHARE] = intervalShare(strategy);
  return ok(rows);
}

/** Parameters of a set that have a custom range, by slot. */
export function rangedRulesSlots({
  weight,
  weights = {},
  trailing = 'either',
  ...ranges
}: Partial<RulesSpace> = {}): number[] {
  const tail = [
    { range: ranges.entryThreshold, slot: abi.TAIL_ENTRY_THRESHOLD },
    { range: ranges.stop, slot: abi.TAIL_STOP_LOSS },
    { range: ranges.target, slot: abi.TAIL_TAKE_PROFIT },
    { range: trailing === 'either' ? undefined : trailing, slot: abi.TAIL_IS_TRAILING },
    { range: ranges.trailingDistance, slot: abi.TAIL_CALLBACK },
  ];
  return [
    ...voteIds.flatMap((id, vote) => ((weights[id] ?? weight) === undefined ? [] : [vote])),
    ...tail.flatMap(({ range, slot }) => (range === undefined ? [] : [VOTE_COUNT + slot])),
  ];
}

function rejectUnknownVote(id: string): TaskResult<null> {
  const field = `rules.space.weights.${id}`;
  return (voteIds as readonly string[]).includes(id)
    ? ok(null)
    : fail('bad_input', `${field} is no vote that is searched: known are ${voteIds.join(', ')}`, field);
}

/** Part of the score that the votes of the base make up, or those of the interval with the largest weight where the base has none. */
function intervalShare({ intervals }: Strategy): number {
  const all = intervals.reduce((sum, { weight }) => sum + weight, 0);
  const [base] = intervals;
  const alone =
    base !== undefined && base.weight > 0 ? base.weight : Math.max(...intervals.map(({ weight }) => weight));
  return all > 0 ? alone / all : 1;
}

const valueOf = (level: StrategyLevel): number => (level.mode === 'percent' ? level.fraction : level.multiple);
const levelOf = (mode: StrategyLevel['mode'], value: number): StrategyLevel =>
  mode === 'percent' ? { mode, fraction: value } : { mode, multiple: value };

/** A strategy as a set. */
export function packRules(strategy: Strategy): Float64Array {
  const { weights, trailing, entryThreshold, stop, target } = strategy;
  const set = new Float64Array(abi.RULES_SET_LENGTH);
  voteIds.forEach((id, vote) => (set[vote] = Math.round((weights[id] ?? 0) * WEIGHT_UNITS) / abi.RULES_UNIT));
  set[VOTE_COUNT + abi.TAIL_ENTRY_THRESHOLD] = entryThreshold;
  set[VOTE_COUNT + abi.TAIL_STOP_LOSS] = valueOf(stop);
  set[VOTE_COUNT + abi.TAIL_TAKE_PROFIT] = valueOf(target);
  set[VOTE_COUNT + abi.TAIL_IS_TRAILING] = trailing.mode === 'off' ? 0 : 1;
  set[VOTE_COUNT + abi.TAIL_CALLBACK] =
    trailingModeOf(strategy) === 'percent' ? trailing.callbackFraction : trailing.atrMultiple;
  return set;
}

/** A set as a strategy. @param shared what sets do not vary */
export function unpackRules(set: ArrayLike<number>, shared: Strategy): Strategy {
  const tail = (slot: number): number => set[VOTE_COUNT + slot] ?? Number.NaN;
  const weightOf = (vote: number): number => Math.round((set[vote] ?? Number.NaN) * abi.RULES_UNIT) / WEIGHT_UNITS;
  const mode = trailingModeOf(shared);
  const distance = tail(abi.TAIL_CALLBACK);
  const trailing: StrategyTrailing = {
    ...shared.trailing,
    mode: tail(abi.TAIL_IS_TRAILING) > 0 ? mode : 'off',
    ...(mode === 'percent' ? { callbackFraction: distance } : { atrMultiple: distance }),
  };
  return {
    ...structuredClone(shared),
    weights: { ...shared.weights, ...Object.fromEntries(voteIds.map((id, vote) => [id, weightOf(vote)])) },
    entryThreshold: tail(abi.TAIL_ENTRY_THRESHOLD),
    stop: levelOf(shared.stop.mode, tail(abi.TAIL_STOP_LOSS)),
    target: levelOf(shared.target.mode, tail(abi.TAIL_TAKE_PROFIT)),
    trailing,
  };
}

/** The search's strategy as the backtest of one takes it. */
export function strategyInputOf(input: OptimizeInput, { strategy, context, news }: SearchedRules): StrategyInput {
  const { candles, costs, scoredCount, markPrices, fineCandles } = input;
  return {
    candles,
    costs,
    scoredCount,
    strategy,
    context,
    ...(news && { news }),
    ...(markPrices && { markPrices }),
    ...(fineCandles && { fineCandles }),
  };
}
