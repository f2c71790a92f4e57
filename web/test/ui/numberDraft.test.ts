import { describe, expect, it } from 'vitest';
import { numberText, readNumber } from '../../src/ui/NumberInput.tsx';

const bounds = { min: 0.1, max: 10 };

describe('a typed number', () => {
  it.each([
    ['2', 2],
    [' 2.5 ', 2.5],
    ['2,5', 2.5],
    ['.5', 0.5],
    ['10', 10],
  ])('%s is %f', (text, value) => expect(readNumber(text, bounds)).toEqual({ kind: 'value', value }));

  it.each(['', '-', '.', 'abc', '1e3', '0x10', '1 000', '1.2.3', 'Infinity'])('"%s" is none', (text) =>
    expect(readNumber(text, bounds)).toEqual({ kind: 'error', text: 'Enter a number' }),
  );

  it.each(['0', '-1', '10.01'])('%s is outside, and the bounds are named', (text) =>
    expect(readNumber(text, bounds)).toEqual({ kind: 'error', text: '0.1 to 10' }),
  );
});

it('a value shows as many decimals as it needs', () =>
  expect([numberText(2, 2), numberText(0.25, 2), numberText(0.1 + 0.2, 4)]).toEqual(['2', '0.25', '0.3']));
