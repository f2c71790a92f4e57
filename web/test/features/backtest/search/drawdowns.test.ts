import { SET_LENGTH } from '@sextant/engine-as/abi/optimize.ts';
import type { OptimizeInput, OptimizeResult, TrialColumns } from '@sextant/workers/src/protocol/optimize.ts';
import { storedColumns } from '@sextant/workers/src/protocol/wire/trialColumns.ts';
import { describe, expect, it } from 'vitest';
import { drawdownsOf } from '../../../../src/features/backtest/search/drawdowns.ts';
import { trialsOf } from '../../../../src/features/backtest/search/trials.ts';

/** Sets whose first weight is their number. @param trades closed trades of each; equal `nets` are the same trades */
function searchOf(nets: readonly number[], trades: readonly number[], maxDrawdowns?: readonly number[]) {
  const columns = Object.fromEntries(
    [...storedColumns, 'winRate', 'expectancy'].map((name) => [name, new Float64Array(nets.length).fill(Number.NaN)]),
  ) as unknown as TrialColumns;
  columns.netPnl.set(nets);
  columns.tradeCount.set(trades);
  columns.maxDrawdownFraction.set(maxDrawdowns ?? []);
  const sets = new Float64Array(SET_LENGTH * nets.length);
  nets.forEach((_, i) => (sets[SET_LENGTH * i] = i));
  const input = { walkForward: {} } as OptimizeInput;
  return { trials: trialsOf(columns, { trials: sets, refined: new Float64Array() }, nets.length), input };
}

/** A fake engine that returns a hundredth of the first weight, and records how many sets each call requests. */
function engine() {
  const requested: number[] = [];
  const run = (input: OptimizeInput): Promise<OptimizeResult> => {
    const sets = input.marked ?? new Float64Array();
    const count = sets.length / SET_LENGTH;
    requested.push(count);
    expect(input.walkForward).toBeUndefined();
    const maxDrawdownFraction = Float64Array.from({ length: count }, (_, i) => (sets[SET_LENGTH * i] ?? 0) / 100);
    return Promise.resolve({ trials: { maxDrawdownFraction } } as OptimizeResult);
  };
  return { asked: requested, run };
}
const { signal } = new AbortController();

describe('drawdowns of the rows of a search', () => {
  it('run each row once: not a set without trades, nor one that another row stands for', async () => {
    const { asked, run } = engine();
    const result = await drawdownsOf(searchOf([5, 7, 5, 0, 9], [3, 4, 3, 0, 2]), signal, { run });
    expect([...result]).toEqual([0, 0.01, Number.NaN, 0, 0.04]);
    expect(asked).toEqual([3]);
  });

  it('are requested in pieces, the best rows first, so that a slider finds a free thread', async () => {
    const { asked, run } = engine();
    const nets = Array.from({ length: 2500 }, (_, i) => i);
    const search = searchOf(
      nets,
      nets.map(() => 1),
    );
    search.trials.columns.value.set(nets);
    const first: Float64Array[] = [];
    const onBest = (values: Float64Array): number => first.push(values);
    const result = await drawdownsOf(search, signal, { run, onBest });
    expect(asked).toEqual([1000, 1000, 500]);
    expect([result[1], result[2499]]).toEqual([0.01, 24.99]);
    // The first piece holds the thousand that rank best.
    expect([first.length, first[0]![1499], first[0]![1500], first[0]![2499]]).toEqual([1, Number.NaN, 15, 24.99]);
  });

  it('are there already when the search ranked by a daily ratio', async () => {
    const { asked, run } = engine();
    const result = await drawdownsOf(searchOf([1, 2], [1, 1], [0.25, 0.5]), signal, { run });
    expect([[...result], asked]).toEqual([[0.25, 0.5], []]);
  });
});
