import type { OptimizeResult } from '@sextant/workers/src/protocolOptimize.ts';
import { bestOfParts } from '@sextant/workers/src/tasks/optimize/parts.ts';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { nextTask } from '../../../../src/state/slices.ts';
import {
  axisOf,
  binOf,
  heatCells,
  joinTrials,
  mergedCounts,
  rowOf,
  sortedTrials,
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

describe('cells of two parameters', () => {
  it('are those of a plain search through every trial', () => {
    const trial = fc.tuple(
      fc.integer({ min: 0, max: 4 }),
      fc.integer({ min: 0, max: 3 }),
      fc.integer({ min: -9, max: 9 }),
    );
    fc.assert(
      fc.property(fc.array(trial, { minLength: 1, maxLength: 80 }), (trials) => {
        const [x, y, values] = [0, 1, 2].map((at) => Float64Array.from(trials, (each) => each[at]!)) as [
          Float64Array,
          Float64Array,
          Float64Array,
        ];
        const axes = { x: axisOf(x, 24), y: axisOf(y, 24) };
        heatCells(x, y, values, axes).forEach((cell, at) => {
          const there = trials
            .map((_, i) => i)
            .filter((i) => binOf(y[i]!, axes.y) * axes.x.bins + binOf(x[i]!, axes.x) === at);
          expect(cell?.count ?? 0).toBe(there.length);
          if (cell === undefined) return;
          const sorted = there.map((i) => values[i]!).sort((a, b) => a - b);
          const half = sorted.length / 2;
          const median = (sorted[Math.ceil(half) - 1]! + sorted[Math.floor(half)]!) / 2;
          expect(cell.median).toBe(median);
          expect(cell.best).toBe(there.find((i) => values[i] === sorted.at(-1)));
        });
      }),
    );
  });

  it('has one bin per value while there are few, and puts the largest value into the last', () => {
    const axis = axisOf(Float64Array.from([0.1, 0.3, 0.1, 0.2]), 24);
    expect(axis).toEqual({ min: 0.1, max: 0.3, bins: 3 });
    expect([0.1, 0.2, 0.3].map((value) => binOf(value, axis))).toEqual([0, 1, 2]);
    expect(
      axisOf(
        Float64Array.from({ length: 100 }, (_, i) => i),
        24,
      ).bins,
    ).toBe(24);
    expect(binOf(4, axisOf(Float64Array.from([4, 4]), 24))).toBe(0);
  });

  it('shows the median, the count and the best trial of each cell, and nothing where nobody looked', () => {
    const x = Float64Array.from([0, 0, 0, 1, 1]);
    const y = Float64Array.from([0, 0, 0, 0, 1]);
    const values = Float64Array.from([1, 9, 2, Number.NaN, 4]);
    const axes = { x: axisOf(x, 24), y: axisOf(y, 24) };
    expect(heatCells(x, y, values, axes)).toEqual([
      { median: 2, count: 3, best: 1 },
      undefined,
      undefined,
      { median: 4, count: 1, best: 4 },
    ]);
  });

  it('ranks a planted plateau above a planted spike by the medians of cells, and the spike first set by set', () => {
    // A hundred sets of value 0; a plateau of nine that are worth 8 in one cell, and one lone 12 among ordinary sets in another.
    const places: [x: number, y: number, value: number][] = Array.from({ length: 100 }, (_, i) => [
      i % 10,
      (i * 7) % 10,
      0,
    ]);
    for (let i = 0; i < 9; i++) places.push([2, 3, 8]);
    places.push([7, 6, 12], [7, 6, 0], [7, 6, 1]);
    const column = (k: 0 | 1 | 2) => Float64Array.from(places, (place) => place[k]);
    const [x, y, values] = [column(0), column(1), column(2)];
    const axes = { x: axisOf(x, 24), y: axisOf(y, 24) };
    const cells = heatCells(x, y, values, axes);
    const cellOf = (atX: number, atY: number) => binOf(atY, axes.y) * axes.x.bins + binOf(atX, axes.x);
    const ranked = cells.flatMap((cell, at) => (cell === undefined ? [] : [{ at, median: cell.median }]));
    ranked.sort((a, b) => b.median - a.median);
    expect(ranked[0]).toEqual({ at: cellOf(2, 3), median: 8 });
    expect(cells[cellOf(7, 6)]?.median).toBeLessThan(8);
    expect(values.indexOf(Math.max(...values))).toBe(109);
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
