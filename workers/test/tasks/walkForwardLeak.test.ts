import { beforeAll, describe, expect, it } from 'vitest';
import type {
  OptimizeInput,
  WalkForwardFold,
  WalkForwardInput,
  WalkForwardResult,
} from '../../src/protocol/optimize.ts';
import type { Candles } from '../../src/protocol/backtest.ts';
import type { TaskResult } from '../../src/protocol/taskResult.ts';
import { runTask, startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { defaultCosts } from '../../src/protocol/wire/defaults.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { straightCandles } from '../support/steadyMarkets.ts';

let engine: TaskEngine;
beforeAll(async () => {
  engine = startEngine(await testEngine());
}, engineTimeoutMs);

// 76 candles warm up and 600 are walked: the first training may use 76..375, the tests are 376..525 and 526..675.
const [WARM, COUNT, TEST, GAP] = [76, 676, 376, 36];
const TREND_END = TEST + 40;
const DRIFT = 0.00001;

/**
 * Two rules are planted. Calm candles drift up by a thousandth of a percent, and one of twenty shows a wick of 1.05 % that only the
 * near target of 0.9 % takes home. From `trendFrom` to the 40th candle of the first test each candle rises by 2 %: there a target
 * farther off earns about twice as much a candle, more in 18 of them than all wicks of a training before.
 */
function planted(trendFrom: number): Candles {
  const isTrend = (i: number): boolean => i >= trendFrom && i < TREND_END;
  const move = (i: number): number => (i < 60 ? (i % 20 < 10 ? 0.01 : -0.01) : isTrend(i) ? 0.02 : DRIFT);
  const candles = straightCandles(Array.from({ length: COUNT }, (_, i) => move(i)));
  for (let i = 70; i < COUNT; i += 20) if (!isTrend(i)) candles.high[i] = candles.open[i]! * 1.0105;
  return candles;
}

const NEAR = 0.009;
const near: OptimizeInput['params'] = {
  weights: { obv: 1 },
  entryThreshold: 0.5,
  stopLossFraction: 0.1,
  takeProfitFraction: NEAR,
  holdingBarsMax: 20,
  trailing: { enabled: false, callbackFraction: 0.005, stepFraction: 0.0025 },
};
const free = { takerFeeFraction: 0, slippageFraction: 0, stopSlippageFraction: 0, initialEquity: 100_000 };

/** The near target is the user's own set, all others that are drawn have a target beyond the wicks. */
function walk(trendFrom: number, plan: Partial<WalkForwardInput> = {}): [WalkForwardFold, WalkForwardFold] {
  const input: OptimizeInput = {
    candles: planted(trendFrom),
    params: near,
    costs: { ...defaultCosts, ...free },
    scoredCount: 100,
    samples: 40,
    seed: 3,
    target: 'pnl',
    refine: false,
    space: {
      weight: { min: 1, max: 1 },
      entryThreshold: { min: 0.01, max: 0.01 },
      stopLossFraction: { min: 0.1, max: 0.1 },
      takeProfitFraction: { min: 0.1, max: 0.2 },
      trailing: 'off',
    },
    walkForward: { kind: 'anchored', folds: 2, purgeBars: GAP / 2, embargoBars: GAP / 2, ...plan },
  };
  const result = runTask(engine, { name: 'walkForward', input }) as TaskResult<WalkForwardResult>;
  if (!result.ok) throw new Error(result.error.message);
  return result.value.folds as [WalkForwardFold, WalkForwardFold];
}

/** 39 candles of the trend, which the near target leaves with 9 each, five wicks, and a rest of 15 calm candles. */
const HONEST = 9 * (TREND_END - TEST - 1 + 5) + 1000 * ((1 + DRIFT) ** 15 - 1);

describe('a walk-forward over a market in which the future pays what the past does not', () => {
  it.each([
    ['anchored', GAP / 2, GAP / 2],
    ['rolling', GAP / 2, GAP / 2],
    ['anchored', GAP, 0],
    ['anchored', 0, GAP],
  ] as const)(
    '%s, purged by %i and embargoed by %i: training does not see it coming',
    (kind, purgeBars, embargoBars) => {
      // The trend starts with the candles that are left out between both, or with the test itself.
      for (const trendFrom of [TEST - GAP, TEST - 1, TEST]) {
        const [first] = walk(trendFrom, { kind, purgeBars, embargoBars });
        expect(first.params.takeProfitFraction).toBe(NEAR);
        // No position is carried over: the first candle of the test may decide, the second trades.
        expect(first.testNetPnl).toBeCloseTo(HONEST, 6);
        expect(first.testTradeCount).toBe(45);
        expect(first.train).toEqual({ start: WARM, end: TEST - GAP });
        expect(first.test).toEqual({ start: TEST, end: 526 });
      }
    },
  );

  it('is where training would see it: 18 candles earlier the far target is chosen and the test is brilliant', () => {
    const [seeing] = walk(TEST - GAP - 18);
    expect(seeing.params.takeProfitFraction).toBeGreaterThanOrEqual(0.1);
    expect(seeing.testNetPnl).toBeGreaterThan(1.5 * HONEST);
    // The second training holds the whole trend, so it always is.
    expect(walk(TEST)[1].params.takeProfitFraction).toBeGreaterThanOrEqual(0.1);
  });

  it('with purge and embargo set to 0, learns from the candles before the test', () => {
    const [first] = walk(TEST - GAP, { purgeBars: 0, embargoBars: 0 });
    expect(first.params.takeProfitFraction).toBeGreaterThanOrEqual(0.1);
    // Still not from the test.
    expect(walk(TEST, { purgeBars: 0, embargoBars: 0 })[0].params.takeProfitFraction).toBe(NEAR);
  });
});
