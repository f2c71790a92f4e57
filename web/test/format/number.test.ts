import { describe, expect, it } from 'vitest';
import {
  formatCount,
  formatFixed,
  formatMoney,
  formatPercent,
  formatPrice,
  formatQuantity,
  formatQuoted,
  formatSigned,
  seriesDecimals,
  tickDecimals,
} from '../../src/format/number.ts';

const columnsOf = (prices: number[]) => {
  const column = Float64Array.from(prices);
  return { open: column, high: column, low: column, close: column };
};

describe('prices', () => {
  it.each([
    [143_613.4, '143,613.40'],
    [3804.466, '3,804.47'],
    [138.2449, '138.24'],
    [19.4654, '19.465'],
    [3.33933, '3.3393'],
    [0.445829, '0.44583'],
    [0.0823456, '0.082346'],
    [0.001, '0.001000'],
  ])('SHELL-015 CONST-020 %f has 2 to 6 decimals: %s', (price, text) => expect(formatPrice(price)).toBe(text));

  it.each([
    [0.000008, '0.000008000'],
    [-0.00003655, '\u22120.00003655'],
    [1.23e-7, '0.0000001230'],
    [0.00012345678, '0.0001235'],
  ])('X74 %f without a tick size keeps four significant digits: %s', (price, text) =>
    expect(formatPrice(price)).toBe(text),
  );

  it.each([
    [0.00000259048, 1e-10, '0.0000025905'],
    [3.2e-9, 1e-9, '0.000000003'],
    [88_826.4, 0.1, '88,826.4'],
    [88_826, 0.1, '88,826.0'],
    [64_012, 1, '64,012'],
    [1.2345, 0.0005, '1.2345'],
    [0.5086, 1e-6, '0.508600'],
  ])('X74 %f on a tick of %f has its decimals: %s', (price, tick, text) =>
    expect(formatPrice(price, tickDecimals(tick))).toBe(text),
  );

  it.each([
    [[1.5, 2.25], 2],
    [[1.5, 2.1254], 4],
    [[3e-5, 3.655e-5], 8],
    [[1e-7, 2.123e-7], 10],
    [[0.1 + 0.2], 5],
    [[64_000], 2],
  ])('X74 of a file without a tick size, %j, have %i decimals', (prices, decimals) =>
    expect(seriesDecimals(columnsOf(prices))).toBe(decimals),
  );

  it.each([
    [[88_826.4, 88_830], 1],
    [[64_000, 64_005], 0],
    [[2.59048e-6, 2.5905e-6], 11],
  ])('X74 of exchange candles, %j, have the %i decimals that they are quoted with', (prices, decimals) =>
    expect(seriesDecimals(columnsOf(prices), true)).toBe(decimals),
  );

  it.each([
    [88_826.4, '88,826.4'],
    [0.0000025905, '0.0000025905'],
    [64_000, '64,000'],
    [0.1 + 0.2, '0.30000'],
    [undefined, '–'],
  ])('of a quote, %f, are those that it is written with: %s', (price, text) => expect(formatQuoted(price)).toBe(text));

  it.each([
    [0.1, 1],
    [0.01, 2],
    [0.0001, 4],
    [1e-7, 7],
    [1e-10, 10],
    [5, 0],
    [0.00025, 5],
    [0.1 + 0.2, 1],
    [0, undefined],
    [NaN, undefined],
  ])('a tick of %f means %s decimals', (tick, decimals) => expect(tickDecimals(tick)).toBe(decimals));
});

describe('quantities', () => {
  it.each([
    [1, '1.0000'],
    [0.12345678, '0.12345678'],
    [0.123456789, '0.12345679'],
    [1234.5, '1,234.5000'],
  ])('SHELL-016 CONST-020 %f has 4 to 8 decimals: %s', (quantity, text) => expect(formatQuantity(quantity)).toBe(text));
});

describe('changes', () => {
  it('carry their sign, a minus as wide as a digit', () => {
    expect(formatPercent(0.0123, true)).toBe('+1.23\u00a0%');
    expect(formatPercent(-0.0123, true)).toBe('\u22121.23\u00a0%');
    expect(formatMoney(-1234.5, true)).toBe('\u22121,234.50');
  });

  it('of nothing have none', () => {
    expect(formatSigned(0, 2)).toBe('0.00');
    expect(formatSigned(-0.001, 2)).toBe('0.00');
    expect(formatSigned(0.001, 2)).toBe('0.00');
  });
});

describe('what does not exist', () => {
  it.each([null, undefined, NaN, Infinity])('%s shows as a dash, never as 0', (value) => {
    for (const format of [formatPrice, formatQuantity, formatMoney, formatPercent, formatCount])
      expect(format(value)).toBe('–');
    expect(formatFixed(value, 2)).toBe('–');
  });
});
