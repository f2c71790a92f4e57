import { RISK_HIGH, RISK_LOW, RISK_MEDIUM } from '@sextant/engine-as/abi/sizing.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { engineTimeoutMs, loadTestEngine } from '../backtest/support/kernel.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await loadTestEngine();
}, engineTimeoutMs);

describe('position sizes', () => {
  it('of the scanner are base x multiplier x leverage / entry, to 4 decimals', () => {
    // 1000 * 1 * 10 / 60 000 = 0.166666...; half of it 0.083333...
    expect(engine.raw.scanQuantity(1000, 1, 10, 60_000)).toBe(0.1667);
    expect(engine.raw.scanQuantity(1000, 0.5, 10, 60_000)).toBe(0.0833);
  });

  it('round a half step up, and less than a half down', () => {
    // 1 / 32 = 0.03125 exactly: 312.5 steps. 0.0312499 is below the half.
    expect(engine.raw.scanQuantity(1, 1, 1, 32)).toBe(0.0313);
    expect(engine.raw.scanQuantity(0.999999, 1, 1, 32)).toBe(0.0312);
    expect(engine.raw.riskQuantity(4, 0.25, 1, 32)).toBe(0.0313);
    expect(engine.raw.riskQuantity(3.99999, 0.25, 1, 32)).toBe(0.0312);
  });

  it('by risk are balance x risk x leverage / price, to 4 decimals', () => {
    // 1000 * 0.01 * 10 / 3000 = 0.033333...
    expect(engine.raw.riskQuantity(1000, 0.01, 10, 3000)).toBe(0.0333);
  });

  it('use half, one and two percent, and four fifths of that when dynamic', () => {
    const { raw } = engine;
    expect([RISK_LOW, RISK_MEDIUM, RISK_HIGH].map((level) => raw.tradeRiskFraction(level, 0))).toEqual([
      0.005, 0.01, 0.02,
    ]);
    expect(raw.tradeRiskFraction(RISK_HIGH, 1)).toBe(0.016);
    expect(raw.tradeRiskFraction(7, 0)).toBeNaN();
  });

  it.each([
    [0, 1.2],
    [3, 1.2],
    [3.5, 1],
    [4, 1],
    [5, 0.8],
    [6, 0.8],
    [6.5, 1],
    [7, 0.5],
    [10, 0.5],
  ])('of a chart with risk score %f are scaled by %f', (score, factor) => {
    expect(engine.raw.chartRiskFraction(RISK_MEDIUM, score)).toBeCloseTo(0.01 * factor, 15);
  });
});

describe('the dynamic risk of one who has closed trades', () => {
  const after = (level: number, results: number[], lookback = 50) => {
    const at = engine.push(Float64Array.from(results));
    return engine.raw.adaptiveRiskFraction(level, at, results.length, lookback, 0.3, 0.005, 0.02);
  };
  const wins = (count: number) => Array.from({ length: count }, () => 3);
  const losses = (count: number) => Array.from({ length: count }, () => -2);

  it('is four fifths of the level, not held to the bounds, before the tenth close', () => {
    expect(after(RISK_LOW, losses(9))).toBe(0.004);
    expect(after(RISK_HIGH, [])).toBe(0.016);
  });

  it('goes from there towards the bounds as the closes go', () => {
    // Ten closes of one kind: 1 - 0.7^10 = 0.9717524751 of the way, up to 0.02 and down to 0.005.
    expect(after(RISK_MEDIUM, wins(10))).toBeCloseTo(0.008 + 0.9717524751 * 0.012, 12);
    expect(after(RISK_MEDIUM, losses(10))).toBeCloseTo(0.008 - 0.9717524751 * 0.003, 12);
    // Ten flat ones say nothing: the start, held to the least risk where it is below it.
    expect(after(RISK_MEDIUM, wins(10).fill(0))).toBe(0.008);
    expect(after(RISK_LOW, wins(10).fill(0))).toBe(0.005);
  });

  it('weighs the newest most and forgets what is beyond the lookback', () => {
    // 0.7 * (loss) then a win: -0.3 * 0.7 + 0.3 = 0.09 of the way up.
    const flat = wins(8).fill(0);
    expect(after(RISK_MEDIUM, [...flat, -1, 1])).toBeCloseTo(0.008 + 0.09 * 0.012, 12);
    expect(after(RISK_MEDIUM, [...losses(30), ...wins(10)], 10)).toBe(after(RISK_MEDIUM, wins(10)));
  });

  it('of the high level ends at the most that is allowed', () => {
    expect(after(RISK_HIGH, wins(200))).toBeCloseTo(0.02, 6);
    expect(after(RISK_HIGH, wins(200))).toBeLessThanOrEqual(0.02);
  });
});

describe('the loss at the stop', () => {
  it('of a long is the price distance with slippage and both fees', () => {
    // Fill 98 * 0.998 = 97.804: 10 * (2.196 + 0.0005 * 197.804) = 22.94902.
    expect(engine.raw.lossAtStop(1, 100, 98, 10, 0.0005, 0.002)).toBeCloseTo(22.94902, 10);
  });

  it('of a short is counted upwards', () => {
    // Fill 102 * 1.002 = 102.204: 10 * (2.204 + 0.0005 * 202.204) = 23.05102.
    expect(engine.raw.lossAtStop(-1, 100, 102, 10, 0.0005, 0.002)).toBeCloseTo(23.05102, 10);
  });
});
