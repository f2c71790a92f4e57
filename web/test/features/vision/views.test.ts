import { describe, expect, it } from 'vitest';
import { recordText } from '../../../src/features/vision/Views.tsx';

const record = {
  by: 'model' as const,
  model: 'm',
  interval: '1h',
  horizon_candles: 10,
  needed: 30,
  count: 40,
  right_count: 22,
  right_share: 0.55,
  right_low: 0.398,
  right_high: 0.693,
  long_share: 0.75,
  rose_share: 0.5,
  base_share: 0.5,
};

describe('the record of a view', () => {
  it('is its share with the interval, and what it said and what came', () =>
    expect(recordText(record)).toBe(
      'Right in 55 % of 40 judged views on 1h (95 % interval 40 % to 69 %). It said LONG in 75 %, the price rose after 50 %; a coin that says LONG as often: 50 %.',
    ));

  it('says that few views are no evidence', () => {
    expect(recordText({ ...record, count: 29, right_count: 20 })).toContain(
      'Right in 20 of 29 judged views on 1h: fewer than 30 are no evidence.',
    );
    expect(recordText({ ...record, count: 0, right_share: null })).toBe('No view of it on 1h was judged yet.');
    expect(recordText(null)).toBe('Without a known interval there is no record.');
  });
});
