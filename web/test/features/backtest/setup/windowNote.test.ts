import { expect, it } from 'vitest';
import { windowNote } from '../../../../src/features/backtest/setup/WindowStrip.tsx';

it('says how many candles are scored of how many, and that the exchange has fewer than were asked for', () => {
  expect(windowNote({ asked: 100_000, loaded: 42_878, scored: 17_866, warmup: 76 })).toBe(
    '42,878 of the 100,000 requested candles are available. The newest 17,866 of 42,878 candles are scored. The indicators warm up on the first 76; a search trains on those between.',
  );
  expect(windowNote({ asked: 1200, loaded: 1200, scored: 500, warmup: 76 })).toMatch(
    /^The newest 500 of 1,200 candles/,
  );
  expect(windowNote({ asked: 1200, loaded: 1200, scored: 500, warmup: 76, isOfRules: true })).toBe(
    'The newest 500 of 1,200 candles are scored. Not scored: before the test window.',
  );
  expect(windowNote({ asked: 600, loaded: 600, scored: 600, warmup: 0 })).toMatch(/^Every candle is scored/);
});
