import { expect, it } from 'vitest';
import { verdictText } from '../../../src/features/vision/PatternRecordDialog.tsx';

type Edge = 'better' | 'worse' | 'none' | 'unknown';
const record = (...edges: Edge[]): Parameters<typeof verdictText>[0] => ({
  origin: 'replayed',
  symbol: null,
  interval: '1h',
  horizon_candles: 10,
  needed: 30,
  candle_count: 1000,
  first: null,
  last: null,
  symbols: [],
  patterns: edges.map((edge) => ({
    id: 'hammer',
    title: 'Hammer',
    direction: 'bullish',
    count: 40,
    right_count: 20,
    right_low: 0.35,
    right_high: 0.65,
    base_share: 0.5,
    edge,
  })),
});

it('HIST-125 says the missing edge first, and how many edges luck makes', () => {
  expect(verdictText(record())).toBe('No pattern has 30 cases yet.');
  expect(verdictText(record('unknown', 'unknown'))).toBe('No pattern has 30 cases yet.');
  expect(verdictText(record('none', 'worse', 'unknown'))).toBe('No edge: none of 2 patterns beats any candle.');
  expect(verdictText(record('better', 'none'))).toBe(
    '1 of 2 patterns beats any candle. By luck alone about 1 in 40 would.',
  );
  expect(verdictText(record('better', 'better'))).toBe(
    '2 of 2 patterns beat any candle. By luck alone about 1 in 40 would.',
  );
});
