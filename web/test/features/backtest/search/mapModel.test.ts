import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  axisSteps,
  binOf,
  cellStatistics,
  heatCells,
  mapSteps,
  trialOfCell,
  valueOfCell,
} from '../../../../src/features/backtest/search/mapModel.ts';
import { figures, parameters } from '../../../../src/features/backtest/search/searchDefinitions.ts';
import { atOnce } from '../../../../src/state/slices.ts';
import type { Trials } from '../../../../src/features/backtest/search/trials.ts';

const axisOf = (values: Float64Array, binsMax: number) => atOnce(axisSteps(values, binsMax));
const COUNT = 60_000;

/** Sets whose stop is 1 to 3 in turn and whose target is their number; their profit falls from COUNT to 1, one of them has none. */
function madeTrials() {
  const [stop, target] = ['stopLoss', 'takeProfit'].map((id) => parameters.find((each) => each.id === id)!) as [
    (typeof parameters)[number],
    (typeof parameters)[number],
  ];
  const { setLength } = stop.parameter;
  const sets = new Float64Array(COUNT * setLength);
  const netPnl = new Float64Array(COUNT);
  for (let trial = 0; trial < COUNT; trial++) {
    sets[trial * setLength + stop.parameter.slot] = 1 + (trial % 3);
    sets[trial * setLength + target.parameter.slot] = trial;
    netPnl[trial] = COUNT - trial;
  }
  netPnl[0] = Number.NaN;
  const trials: Trials = { columns: { netPnl } as Trials['columns'], sets, count: COUNT, sampleCount: COUNT };
  return { trials, choices: { x: stop, y: target, figure: figures[0]! } };
}

describe('the map of a deep search', () => {
  it('is calculated in many steps, and has the parameters, axes and range of its sets', () => {
    const { trials, choices } = madeTrials();
    const steps = mapSteps(trials, choices);
    let left = 0;
    let next = steps.next();
    for (; next.done !== true; next = steps.next()) left++;
    const map = next.value;
    expect(left).toBeGreaterThan(10);
    expect(map.axes).toEqual({ x: { min: 1, max: 3, bins: 3 }, y: { min: 0, max: COUNT - 1, bins: 24 } });
    expect([map.low, map.high]).toEqual([1, COUNT - 1]);
    expect([map.x[4], map.y[4], map.x[COUNT - 1], map.y[COUNT - 1]]).toEqual([2, 4, 3, COUNT - 1]);
    // The column with stop 1 and the lowest targets: 0, 3, ... 2,499 without the first, which has no profit.
    expect(heatCells(map)[0]).toMatchObject({ count: 833, best: 3 });
  });
});

describe('cells of two parameters', () => {
  it('RULE-125 are those of a plain search through every trial', () => {
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
        heatCells({ x, y, values, axes }).forEach((cell, at) => {
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
          expect(cell.worst).toBe(there.find((i) => values[i] === sorted[0]));
          expect(cell.middle).toBe(there.find((i) => values[i] === sorted[Math.ceil(half) - 1]));
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

  it('shows the median, the count and the best trial of each cell, and nothing where no trial was made', () => {
    const x = Float64Array.from([0, 0, 0, 1, 1]);
    const y = Float64Array.from([0, 0, 0, 0, 1]);
    const values = Float64Array.from([1, 9, 2, Number.NaN, 4]);
    const axes = { x: axisOf(x, 24), y: axisOf(y, 24) };
    expect(heatCells({ x, y, values, axes })).toEqual([
      { median: 2, count: 3, best: 1, worst: 0, middle: 2 },
      undefined,
      undefined,
      { median: 4, count: 1, best: 4, worst: 4, middle: 4 },
    ]);
  });

  it('RULE-125 stand for their median, best or worst set, which a press applies; of two the median is between them and the lower one is applied', () => {
    const column = (values: number[]) => Float64Array.from(values);
    const [x, y, values] = [column([0, 0]), column([0, 0]), column([30, 10])];
    const axes = { x: axisOf(x, 24), y: axisOf(y, 24) };
    const [cell] = heatCells({ x, y, values, axes });
    const statistics = cellStatistics.map((name) => [valueOfCell({ values }, cell!, name), trialOfCell(cell!, name)]);
    expect(statistics).toEqual([
      [20, 1],
      [30, 0],
      [10, 1],
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
    const cells = heatCells({ x, y, values, axes });
    const cellOf = (atX: number, atY: number) => binOf(atY, axes.y) * axes.x.bins + binOf(atX, axes.x);
    const ranked = cells.flatMap((cell, at) => (cell === undefined ? [] : [{ at, median: cell.median }]));
    ranked.sort((a, b) => b.median - a.median);
    expect(ranked[0]).toEqual({ at: cellOf(2, 3), median: 8 });
    expect(cells[cellOf(7, 6)]?.median).toBeLessThan(8);
    expect(values.indexOf(Math.max(...values))).toBe(109);
  });
});
