import { describe, expect, it } from 'vitest';
import { createLiveQuotes } from '../../../../src/features/market/live/liveQuotes.ts';

const nothing = {
  bid: null,
  ask: null,
  mark: null,
  bookAtMs: null,
  fundingRate: null,
  nextFundingAtMs: null,
  fundingIntervalHours: null,
};

describe('the age of a streamed quote', () => {
  /** A quote stamped and received at 100 s; then both clocks are set. */
  const readAt = (clockMs: number, steadyMs: number) => {
    let [clock, steady] = [100_000, 5000];
    const quotes = createLiveQuotes(
      () => clock,
      () => steady,
    );
    quotes.take('binance', { symbol: 'BTCUSDT', last: 1, atMs: 100_000, receivedAtMs: 100_000, ...nothing });
    [clock, steady] = [clockMs, steadyMs];
    return quotes.read('binance', 'BTCUSDT', 15_000) === null ? 'stale' : 'fresh';
  };

  it('is computed from the stamp of the exchange', () => {
    expect([readAt(115_000, 20_000), readAt(115_001, 20_001)]).toEqual(['fresh', 'stale']);
  });
  it('grows when the clock of this node steps back: an earlier quote does not stay young', () => {
    expect([readAt(100_000 - 3_600_000, 20_000), readAt(100_000 - 3_600_000, 20_001)]).toEqual(['fresh', 'stale']);
  });
  it('is too high rather than too low when the clock steps ahead', () => {
    expect(readAt(100_000 + 3_600_000, 5001)).toBe('stale');
  });
});
