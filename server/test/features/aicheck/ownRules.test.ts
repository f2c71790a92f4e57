import { describe, expect, it } from 'vitest';
import { builtInVerdict } from '../../../src/features/aicheck/builtInAnalyst.ts';
import type { SignalFeatures } from '../../../src/features/aicheck/features.ts';

/** A LONG that enters at a score of .12 with a target nearer than its stop: rejected by the built-in rules. */
const features: SignalFeatures = {
  symbol: 'BTCUSDT',
  interval: '1h',
  direction: 'LONG',
  score: 0.12,
  confidence: 0.2256,
  entryPrice: 100,
  stopLossPrice: 97,
  takeProfitPrice: 102,
  atrFraction: 0.02,
  contributions: [
    { name: 'rsi1h', points: 0.4 },
    { name: 'macd1h', points: -0.28 },
  ],
  candleCloseAtMs: 1_760_000_000_000,
};

describe('the rule check of saved rules', () => {
  it('rejects such a signal of Live rules', () => {
    expect(builtInVerdict(features)).toMatchObject({
      decision: 'rejected',
      tags: expect.arrayContaining(['reward']) as string[],
    });
  });

  it('is their own threshold and exits, at the full size', () => {
    const verdict = builtInVerdict({ ...features, ownThreshold: 0.1 });
    expect(verdict).toMatchObject({ decision: 'approved', riskMultiplier: 1 });
    expect(verdict.suggestedStopLossPct).toBeCloseTo(3, 9);
    expect(verdict.suggestedTakeProfitPct).toBeCloseTo(2, 9);
    expect(verdict.rationale).toContain('score 0.12, entry from 0.1; stop 3.00 %, target 2.00 % away');
    expect(builtInVerdict({ ...features, ownThreshold: 0.12 }).decision).toBe('approved');
  });

  it('is not passed below their threshold, or with a level on the wrong side', () => {
    expect(builtInVerdict({ ...features, ownThreshold: 0.13 }).decision).toBe('rejected');
    expect(builtInVerdict({ ...features, takeProfitPrice: 99, ownThreshold: 0.1 }).decision).toBe('rejected');
  });
});
