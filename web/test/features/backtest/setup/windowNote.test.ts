import { expect, it } from 'vitest';
import { warmupOf } from '../../../../src/features/backtest/backtestState.ts';
import { windowNote } from '../../../../src/features/backtest/setup/WindowStrip.tsx';

it('says how many candles are scored of how many, and that the exchange has fewer than requested', () => {
  expect(windowNote({ asked: 100_000, loaded: 42_878, scored: 17_866, warmup: 76 })).toBe(
    '42,878 of 100,000 requested candles available. Scores the newest 17,866 of 42,878 candles. Warm-up: first 76. Training: the rest.',
  );
  expect(windowNote({ asked: 1200, loaded: 1200, scored: 500, warmup: 76 })).toMatch(
    /^Scores the newest 500 of 1,200 candles/,
  );
  expect(windowNote({ asked: 600, loaded: 600, scored: 600, warmup: 0 })).toMatch(/^Every candle is scored/);
});

it('warms rules up for the UTC day that their pivots need, and Classic for 76 candles', () => {
  const [fiveMinutes, hour] = [300_000, 3_600_000];
  expect([warmupOf('classic', fiveMinutes), warmupOf('live', fiveMinutes)]).toEqual([76, 288]);
  expect([warmupOf('live', hour), warmupOf('live', Infinity)]).toEqual([76, 76]);
});
