import { describe, expect, it } from 'vitest';
import { checkEarlier, trainOnOf, whyNoEarlier } from '../../../../src/features/backtest/search/trainWindow.ts';

const file = {
  source: 'csv',
  csvScored: 'window',
  historyCount: 1200,
  interval: '1h',
  window: 'count',
  range: { from: '', to: '' },
} as const;
const whole = { ...file, csvScored: 'all' } as const;

describe('a search on the candles before the scored window', () => {
  it('is there for an exchange and for a file with 76 candles of warm-up and 100 more before its last 500', () => {
    expect(whyNoEarlier({ ...whole, source: 'exchange' })).toBeNull();
    expect(whyNoEarlier(file, 676)).toBeNull();
    expect(whyNoEarlier(file, 675)).toMatch(/^99 candles left for training; a search needs 100/);
  });
  it('has nothing left when all of a file is scored, and says how to change that', () =>
    expect(whyNoEarlier(whole, 1200)).toMatch(/^All 1,200 candles are scored\. Score the last 500 in Backtest Setup/));
  it('says nothing before there is a file', () => expect(whyNoEarlier(whole)).toBeNull());
  it('runs on the scored candles instead, without forgetting what was chosen', () => {
    const search = { trainOn: 'earlier' } as const;
    expect(trainOnOf(search, whole, 1200)).toBe('scored');
    expect(trainOnOf(search, file, 1200)).toBe('earlier');
    expect(trainOnOf({ trainOn: 'scored' }, file, 1200)).toBe('scored');
  });
  it('is rejected where a market is younger than the requested range, with what to choose instead', () => {
    const loaded = (count: number) => {
      const time = Float64Array.from({ length: count }, (_, i) => i * 14_400_000);
      const candles = { time, open: time, high: time, low: time, close: time, volume: time };
      return { candles, label: 'POLUSDT', interval: '4h' } as const;
    };
    const classic = { trainOn: 'earlier', strategy: 'classic' } as const;
    expect(() => checkEarlier(classic, loaded(611), 500)).toThrow(
      'POLUSDT has 611 4h candles, 35 for training; a search needs 100. Choose Scored candles.',
    );
    expect(() => checkEarlier(classic, loaded(675), 500)).toThrow('99 for training');
    expect(() => checkEarlier(classic, loaded(400), 400)).toThrow('0 for training');
    checkEarlier(classic, loaded(676), 500);
    checkEarlier({ ...classic, trainOn: 'scored' }, loaded(611), 500);
    // The warm-up of rules may be shorter; the engine checks it.
    checkEarlier({ ...classic, strategy: 'live' }, loaded(611), 500);
  });
});
