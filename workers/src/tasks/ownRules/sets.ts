import type { StrategyExits } from '@sextant/engine-as/abi/strategy.ts';
import { RULES_LENGTH } from '@sextant/engine-as/abi/records.ts';
import type { RulesInput, RulesSweepInput, VaryingExits } from '../../protocol/rules.ts';
import { writeExits } from '../rules.ts';

/** Sets of a grid of parameter values: which value of each parameter, the last one changing fastest. */

type Grid = Pick<RulesSweepInput, 'parameters' | 'samples' | 'seed'>;

export const gridSize = ({ parameters }: Pick<RulesSweepInput, 'parameters'>): number =>
  parameters.reduce((size, { values }) => size * values.length, 1);

export function setCountOf(grid: Grid): number {
  const size = gridSize(grid);
  return Math.min(size, grid.samples ?? size);
}

/** i32[sets * parameters]. A sample draws one set from each of equal parts of the grid: none twice, and each by its number and the seed. */
export function setsOf(grid: Grid): Int32Array {
  const { parameters, seed = 1 } = grid;
  const size = gridSize(grid);
  const count = setCountOf(grid);
  const sets = new Int32Array(count * parameters.length);
  for (let i = 0; i < count; i++) {
    const from = Math.floor((i * size) / count);
    const until = Math.floor(((i + 1) * size) / count);
    let number = from + Math.floor(uniformOf(seed, i) * (until - from));
    for (let p = parameters.length - 1; p >= 0; p--) {
      const length = parameters[p]?.values.length ?? 1;
      sets[i * parameters.length + p] = number % length;
      number = Math.floor(number / length);
    }
  }
  return sets;
}

/** A number in [0, 1) from seed and index: two rounds of a 32-bit mixer. */
function uniformOf(seed: number, index: number): number {
  let x = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) + index) | 0;
  for (let round = 0; round < 2; round++) {
    x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
    x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
    x ^= x >>> 16;
  }
  return (x >>> 0) / 2 ** 32;
}

/** Parameter values of set `i`. */
export const valuesOf = ({ parameters }: Pick<RulesSweepInput, 'parameters'>, sets: Int32Array, i: number): number[] =>
  parameters.map(({ values }, p) => values[sets[i * parameters.length + p] ?? 0] ?? Number.NaN);

/** The rules of a set that differ from those of the first; undefined when none does. */
export function varyingExits(grid: Grid, exitsOf: (values: number[]) => StrategyExits): VaryingExits | undefined {
  const sets = setsOf(grid);
  const records = Array.from({ length: setCountOf(grid) }, (_, i) => {
    const rules = new Float64Array(RULES_LENGTH);
    writeExits(rules, exitsOf(valuesOf(grid, sets, i)));
    return rules;
  });
  const [first] = records;
  const slots = [...(first?.keys() ?? [])].filter((slot) => records.some((rules) => rules[slot] !== first?.[slot]));
  if (slots.length === 0) return undefined;
  const rows = new Float64Array(records.length * slots.length);
  records.forEach((rules, i) => slots.forEach((slot, k) => (rows[i * slots.length + k] = rules[slot] ?? 0)));
  return { slots, rows };
}

/** The input of the backtest of one set. @param exits of the set; those of the sweep where none differ */
export function inputOfSet(input: RulesSweepInput, values: readonly number[], exits = input.exits): RulesInput {
  const { program, valueParameters } = input;
  const own = program.values.map((value, v) => values[valueParameters[v] ?? -1] ?? value);
  const { interval, candles, context, costs, scoredCount, markPrices, fineCandles, news } = input;
  return {
    interval,
    candles,
    context,
    costs,
    scoredCount,
    exits,
    program: { ...program, values: own },
    ...(markPrices && { markPrices }),
    ...(fineCandles && { fineCandles }),
    ...(news && { news }),
  };
}
