import type { SignalFeatures } from '../../../../src/features/aicheck/features.ts';

/** A long signal at 100 with its stop 1 % and its target 2 % away; a vote of each family, three for and one against. */
export const features = (symbol = 'BTCUSDT'): SignalFeatures => ({
  symbol,
  interval: '15m',
  direction: 'LONG',
  score: 0.4,
  confidence: 0.64,
  entryPrice: 100,
  stopLossPrice: 99,
  takeProfitPrice: 102,
  atrFraction: 0.008,
  contributions: [
    { name: 'emaCross15m', points: 0.2 },
    { name: 'obv15m', points: 0.2 },
    { name: 'pivot1h', points: 0.1 },
    { name: 'boll15m', points: -0.1 },
  ],
  candleCloseAtMs: Date.UTC(2025, 2, 14, 10),
});
