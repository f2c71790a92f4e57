import type { OptimizeResult } from '@sextant/workers/src/protocol/optimize.ts';
import { bestOfParts } from '@sextant/workers/src/tasks/optimize/parts.ts';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { atOnce, nextTask } from '../../../../src/state/slices.ts';
import {
  joinTrials,
  mergedCounts,
  orderSteps,
  rowOf,
  sortSteps,
} from '../../../../src/features/backtest/search/trials.ts';

const columnNames = [
  ...['netPnl', 'tradeCount', 'winCount', 'winRate', 'profitFactor', 'expectancy', 'closedDrawdownFraction'],
  ...['maxDrawdownFraction', 'sharpe', 'sortino', 'calmar', 'value'],
];
const columnsOf = (values: number[]) =>
  Object.fromEntries(
    columnNames.map((name) => [name, Float64Array.from(values)]),
  ) as unknown as OptimizeResult['trials'];
const part = (values: number[], refined: number[] = [], leaders: [number, number][] = []): OptimizeResult => ({
  target: 'pnl',
  seed: 1,
  train: { start: 0, end: 9 },
  from: 0,
  trialCount: values.length,
  trials: columnsOf(values),
  refined: columnsOf(refined),
  sets: { trials: Float64Array.from(values, (value) => value * 10), refined: Float64Array.from(refined) },
  leaders: leaders.map(([index, value]) => ({ index, value, params: {} as never })),
});

const sortedTrials = (values: Float64Array, isDescending: boolean) => atOnce(sortSteps(values, isDescending));

afterEach(() => {
  vi.restoreAllMocks();
});

describe('trials of a search that was cut up', () => {
  it('stand in the order of their index, the refined ones behind them', async () => {
    const joined = await joinTrials({ parts: [part([1, 2]), part([3])], refined: [], last: part([9], [4, 5]) });
    expect([...joined.columns.netPnl]).toEqual([1, 2, 3, 4, 5]);
    expect([...joined.sets]).toEqual([10, 20, 30, 4, 5]);
    expect(joined).toMatchObject({ count: 5, sampleCount: 3 });
    const inChunks = await joinTrials({
      parts: [part([1, 2]), part([3])],
      refined: [part([4]), part([5])],
      last: part([9]),
    });
    expect(inChunks.columns).toEqual(joined.columns);
    expect([...inChunks.sets]).toEqual([10, 20, 30, 40, 50]);
    expect(inChunks).toMatchObject({ count: 5, sampleCount: 3 });
  });

  it('are whole and in order when many are joined, and other tasks come between', async () => {
    const values = Array.from({ length: 230_000 }, (_, i) => i / 7);
    const [a, b, c] = [values.slice(0, 19_000), values.slice(19_000, 210_000), values.slice(210_000)];
    // A clock of which each reading takes 5 ms: a slice has two steps.
    let nowMs = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 5));
    const joining = joinTrials({ parts: [part(a), part(b)], refined: [part(c)], last: part([]) });
    let [turns, isJoined] = [0, false];
    void joining.then(() => (isJoined = true));
    for (; !isJoined; turns++) await nextTask();
    expect(turns).toBeGreaterThan(10);
    const joined = await joining;
    for (const name of columnNames) expect(joined.columns[name as 'value']).toEqual(Float64Array.from(values));
    expect(joined.sets).toEqual(Float64Array.from(values, (value) => value * 10));
    expect(joined).toMatchObject({ count: 230_000, sampleCount: 210_000 });
  });

  it('have the leaders of one piece: by value, and of equal ones the earlier index', () => {
    const parts = [
      part(
        [],
        [],
        [
          [7, 5],
          [2, 3],
        ],
      ),
      part(
        [],
        [],
        [
          [9, 8],
          [8, 5],
        ],
      ),
    ];
    expect(bestOfParts(parts, 3)).toEqual([9, 7, 8]);
  });
});

describe('sorting', () => {
  const values = Float64Array.from([2, Number.NaN, 5, -Infinity, 2]);
  it('puts trials without the figure last, whichever way', () => {
    expect([...sortedTrials(values, true)]).toEqual([2, 0, 4, 1, 3]);
    expect([...sortedTrials(values, false)]).toEqual([0, 4, 2, 1, 3]);
  });
});

describe('sorting by bits', () => {
  it('is sorting by comparison, for every kind of number', () => {
    const any = fc.oneof(fc.double(), fc.constantFrom(0, -0, 1, -1, 5e-324, -5e-324, NaN, Infinity, -Infinity));
    fc.assert(
      fc.property(fc.array(any, { maxLength: 60 }), fc.boolean(), (list, isDescending) => {
        const rank = (value: number) => (Number.isFinite(value) ? (isDescending ? -value : value) : Infinity);
        const ranks = list.map(rank);
        const slow = list.map((_, i) => i);
        slow.sort((a, b) => (ranks[a] === ranks[b] ? a - b : ranks[a]! - ranks[b]!));
        expect([...sortedTrials(Float64Array.from(list), isDescending)]).toEqual(slow);
      }),
    );
  });
});

describe('sets with identical results', () => {
  it('are one row, that of the lowest number, and differ as soon as one figure does', async () => {
    // Sets 0, 2 and 5 gave the same; 3 has their profit, and other trades.
    const trials = await joinTrials({ parts: [part([7, 1, 7, 7, 2])], refined: [], last: part([], [7, 9]) });
    trials.columns.tradeCount[3] = 8;
    expect([...mergedCounts(trials)]).toEqual([3, 1, 0, 1, 1, 0, 1]);
    expect([0, 1, 2, 3, 4, 5, 6].map((trial) => rowOf(trials, trial))).toEqual([0, 1, 0, 3, 4, 0, 6]);
  });

  it('are left out of the rows of the table, which are sorted in many steps', async () => {
    // A hundred thousand values from 0 up, each of them twice: the second of each kind has no row.
    const values = Array.from({ length: 200_000 }, (_, i) => i >> 1);
    const trials = await joinTrials({ parts: [part(values)], refined: [], last: part([]) });
    const steps = orderSteps(trials, trials.columns.value, true);
    let left = 0;
    let next = steps.next();
    for (; next.done !== true; next = steps.next()) left++;
    expect(left).toBeGreaterThan(20);
    expect(next.value).toHaveLength(100_000);
    expect(next.value.every((trial, row) => trial === 199_998 - 2 * row)).toBe(true);
  });

  it('are counted as by comparing each with each', async () => {
    const few = fc.constantFrom(0, -0, 1, Number.NaN, -Infinity, 1e300, 5e-324);
    const rows = fc.array(fc.tuple(few, few, few), { minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(rows, async (made) => {
        const trials = await joinTrials({ parts: [part(made.map(([net]) => net))], refined: [], last: part([]) });
        made.forEach(([, trades, fall], i) => {
          trials.columns.tradeCount[i] = trades;
          trials.columns.closedDrawdownFraction[i] = fall;
        });
        const isSame = (a: number, b: number): boolean => made[a]!.every((value, i) => Object.is(value, made[b]![i]));
        const counts = made.map((_, trial) => {
          const same = made.flatMap((__, other) => (isSame(trial, other) ? [other] : []));
          return same[0] === trial ? same.length : 0;
        });
        expect([...mergedCounts(trials)]).toEqual(counts);
      }),
    );
  });
});
