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
