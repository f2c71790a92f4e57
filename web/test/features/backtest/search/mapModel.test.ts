import { describe, expect, it } from 'vitest';
import { mapSteps } from '../../../../src/features/backtest/search/mapModel.ts';
import { figures, parameters } from '../../../../src/features/backtest/search/searchDefinitions.ts';
import type { Trials } from '../../../../src/features/backtest/search/trials.ts';

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
    expect(map.cells[0]).toMatchObject({ count: 833, best: 3 });
  });
});
