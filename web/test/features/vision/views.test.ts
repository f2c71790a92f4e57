import { describe, expect, it } from 'vitest';
import {
  axisText,
  correlationText,
  recordText as patternText,
  searchedText,
} from '../../../src/features/vision/Result.tsx';
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
      'Right in 55\u00a0% of 40 views on 1h (95 % interval 40\u00a0% to 69\u00a0%). LONG in 75\u00a0%; price rose in 50\u00a0%. Guessing LONG as often: 50\u00a0% right.',
    ));

  it('says that few views are no evidence', () => {
    expect(recordText({ ...record, count: 29, right_count: 20 })).toContain('Right in 20 of 29 views on 1h; needs 30.');
    expect(recordText({ ...record, count: 0, right_share: null })).toBe('No finished views on 1h yet.');
    expect(recordText(null)).toBe('No track record: interval unknown.');
  });
});

describe('what was read of a picture', () => {
  const grounding = {
    state: 'read' as const,
    symbol: null,
    interval: null,
    from: null,
    to: null,
    is_current: false,
    candle_count: 60,
    correlation: null,
    residual_pct: null,
    symbols_searched: 128,
    intervals_searched: ['15m', '1h', '4h'],
    series_searched: 384,
    candles_searched: 215_040,
    price_scale: 'log' as const,
    price_error_pct: 0.1234,
    text_failure: null,
    price_labels: 6,
    title_symbol: null,
    title_interval: null,
    contradiction: null,
  };

  it('says how much was searched', () => {
    expect(searchedText(grounding)).toBe('128 symbols on 15m, 1h, 4h: 384 series, 215,040 candles');
    expect(searchedText({ ...grounding, symbols_searched: 1, intervals_searched: ['1d'] })).toMatch(
      /^1 symbol on 1d: /,
    );
    expect(searchedText({ ...grounding, candles_searched: 0 })).toBe('no candles available');
  });

  it('says which candles the correlation is of, where it is not of all', () => {
    const result = { ...grounding, correlation: 0.99876 };
    expect(correlationText(result)).toBe('0.9988');
    expect(correlationText({ ...result, correlation_part: { first: 33, last: 80 } })).toBe(
      '0.9988, of candles 33 to 80',
    );
  });

  it('says how well the prices of the axis agree', () => {
    expect(axisText(grounding)).toBe('logarithmic, 6 labels, price error 0.12\u00a0%');
    expect(axisText({ ...grounding, price_scale: null, price_error_pct: null })).toBe('not read');
  });
});

describe('the record of a pattern', () => {
  const pattern = {
    id: 'hammer',
    title: 'Hammer',
    direction: 'bullish' as const,
    index: 5,
    points: [],
    drawn: 'candle' as const,
    record: {
      interval: '1h',
      horizon_candles: 10,
      count: 994,
      followed_share: 0.515,
      followed_low: 0.484,
      followed_high: 0.546,
      base_share: 0.53,
      beats_base: false,
      series: 60,
    },
  };

  it('has its interval beside the share of any candle, and a plain verdict', () => {
    const spaced = (text: string): string => text.replaceAll('\u00a0', ' ');
    expect(spaced(patternText(pattern))).toBe(
      'Worked 52 % (994 cases), average 53 %: no edge. After 10 candles; 95 % interval 48 % to 55 %; 60 1h series.',
    );
    const better = { ...pattern, record: { ...pattern.record, beats_base: true } };
    expect(patternText(better)).toMatch(/: edge\. After/);
  });
});
