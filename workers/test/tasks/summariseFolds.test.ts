import { describe, expect, it } from 'vitest';
import type { WalkForwardFold } from '../../src/protocol/optimize.ts';
import { summariseFolds } from '../../src/tasks/optimize/walkForward.ts';

const fold = (trainPnlPerBar: number, testPnlPerBar: number, testTradeCount = 5): WalkForwardFold =>
  ({
    train: { start: 0, end: 100 },
    test: { start: 100, end: 150 },
    trainPnlPerBar,
    testPnlPerBar,
    testTradeCount,
    testNetPnl: testPnlPerBar * 50,
    params: {},
  }) as WalkForwardFold;

describe('the efficiency of a walk-forward', () => {
  it('is the mean test over the mean training, per candle, also when the tests lose', () => {
    expect(summariseFolds([fold(2, 1), fold(4, 0.5)]).efficiency).toBe(0.75 / 3);
    expect(summariseFolds([fold(2, -1), fold(4, -2)])).toMatchObject({ efficiency: -0.5, profitableFoldCount: 0 });
  });

  it('is not given when training made no profit: two losses are no success', () => {
    for (const folds of [
      [fold(-2, -1), fold(-4, -2)],
      [fold(-1, 3), fold(1, 3)],
    ]) {
      const { efficiency, reason } = summariseFolds(folds);
      expect([efficiency, reason]).toEqual([null, 'training made no profit']);
    }
  });

  it('is not given when a test had fewer than five trades', () => {
    expect(summariseFolds([fold(1, 1, 5), fold(1, 1, 4)])).toMatchObject({
      efficiency: null,
      reason: '1 of 2 tests had fewer than 5 trades',
      profitableFoldCount: 2,
    });
  });
});
