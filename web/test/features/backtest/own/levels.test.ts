import { compileRules } from '@sextant/workers/src/rules/compileRules.ts';
import { describe, expect, it } from 'vitest';
import { readBuilder } from '../../../../src/features/backtest/own/builder/builder.ts';
import { levelRoom } from '../../../../src/features/backtest/own/builder/levels.ts';
import { newRange } from '../../../../src/features/backtest/own/builder/ranges.ts';

const scales = { price: 64_000, volume: 1300 };

/** The range that a click gives the number of `left > value`. */
function rangeOf(left: string, value: number, known = scales as Partial<typeof scales>): string | undefined {
  const read = readBuilder(`long when ${left} > ${value}`);
  if (!read.ok) throw new Error(read.error);
  const row = read.value.groups.long?.rows[0];
  if (row === undefined) throw new Error('no row');
  const made = newRange('level', value, levelRoom(value, row.left, known), { names: [], parameters: [] });
  return made?.definition;
}

describe('a new range of a level', () => {
  it.each([
    // Oscillators: of 0 to 100, the CCI of 100 and more, a direction.
    ['rsi(14)', 0, 'level = 0 [0..50 step 5]'],
    ['macd(12, 26, 9).histogram', 0, 'level = 0 [-100..200 step 20]'],
    ['cci(20)', 0, 'level = 0 [-100..200 step 20]'],
    ['supertrend(10, 3).direction', 0, 'level = 0 [-1..1 step 1]'],
    // Volumes: a tenth of 1,300 is 130.
    ['obv', 0, 'level = 0 [-500..1000 step 100]'],
    ['sma(volume, 20)', 0, 'level = 0 [-500..1000 step 100]'],
    // A rate, hours, a vote.
    ['funding', 0, 'level = 0 [-0.0005..0.001 step 0.0001]'],
    ['hour', 0, 'level = 0 [0..10 step 1]'],
    ['news', 0, 'level = 0 [-1..1 step 1]'],
    // Nothing is known of it.
    ['trend', 0, 'level = 0 [-5..10 step 1]'],
  ])('RULE-202 beside %s, %d has the scale of its kind', (left, value, definition) => {
    expect(rangeOf(left, value)).toBe(definition);
    const text = `trend = close - open\n${definition}\nlong when ${left} > level`;
    expect(compileRules(text, { interval: '1h' }).ok).toBe(true);
  });

  it.each([
    // 0.05 % of the price, as 1, 2 or 5 of a decade: 32, 0.00005, 0.0009.
    [64_000, 'level = 0 [-100..200 step 20]'],
    [0.1, 'level = 0 [-0.00025..0.0005 step 0.00005]'],
    [1.8, 'level = 0 [-0.0025..0.005 step 0.0005]'],
    // Finer than the field shows.
    [0.0001, 'level = 0 [-0.000005..0.00001 step 0.000001]'],
  ])('RULE-202 a price offset at 0 moves with a price of %d', (price, definition) => {
    expect(rangeOf('macd(12, 26, 9)', 0, { price })).toBe(definition);
  });

  it('RULE-202 without candles a price offset moves by 1', () => {
    expect(rangeOf('macd(12, 26, 9)', 0, {})).toBe('level = 0 [-5..10 step 1]');
  });

  it.each([
    // No oscillator of 0 to 100 is above 100, and no hour above 23.
    ['rsi(14)', 90, 'level = 90 [45..99 step 9]'],
    ['hour', 20, 'level = 20 [10..22 step 2]'],
    ['weekday', 2, 'level = 2 [0..6 step 1]'],
    // A number outside is no reason to have no range.
    ['rsi(14)', 120, 'level = 120 [60..240 step 12]'],
  ])('RULE-202 beside %s, the range of %d ends where its kind does', (left, value, definition) => {
    expect(rangeOf(left, value)).toBe(definition);
  });
});
