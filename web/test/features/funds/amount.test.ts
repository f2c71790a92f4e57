import { describe, expect, it } from 'vitest';
import { digitsOf, clampAmount, raisedText } from '../../../src/features/funds/fundsState.ts';

const bounds = { min: 20, max: 10_000 };

describe('the amount of a purchase', () => {
  it.each([
    ['20abc', '20'],
    ['20.5', '205'],
    ['-7', '7'],
    ['1e9', '19'],
    ['  045 ', '45'],
    ['٣٤', ''],
    ['123456789012', '1234567'],
  ])('FUND-009 keeps the digits of %j: %j', (typed, stored) => expect(digitsOf(typed)).toBe(stored));

  it.each([
    ['', 20],
    ['0', 20],
    ['5', 20],
    ['19', 20],
    ['20', 20],
    ['21', 21],
    ['10000', 10_000],
    ['10001', 10_000],
  ])('FUND-010 raises %j to %i', (typed, amount) => expect(clampAmount(typed, bounds)).toBe(amount));

  it('says what it changed, and nothing when it changed nothing', () => {
    expect(raisedText('5', bounds)).toBe('Minimum 20 USD: 5 changed to 20.');
    expect(raisedText('', bounds)).toBe('Minimum 20 USD: nothing changed to 20.');
    expect(raisedText('20000', bounds)).toBe('Maximum 10000 USD at once: 20000 changed to 10000.');
    expect(raisedText('20', bounds)).toBeNull();
  });
});
