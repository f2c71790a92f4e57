import { describe, expect, it } from 'vitest';
import { digits, formatEnvironment, formatTable } from '../src/report.ts';

const line = { suite: 's', case: 'rsi', figure: 3.14159, unit: 'ns/bar' };

describe('formatTable', () => {
  it('lines figures and ratios up', () =>
    expect(
      formatTable([
        { ...line, against: 'typescript', ratio: 2.3456, margin: 0.0123 },
        { ...line, case: 'donchian', figure: 123456, against: 'native', ratio: 0.5, margin: 0.1 },
      ]),
    ).toBe(
      [
        'case       figure  unit    against     ratio  margin',
        'rsi          3.14  ns/bar  typescript  2.35x  ±1.2 %',
        'donchian  123,456  ns/bar  native       0.5x  ±10.0 %',
      ].join('\n'),
    ));

  it('says what was skipped and ends with what did not agree', () =>
    expect(
      formatTable([
        { suite: 's', case: 'rsi', mismatch: 'candle 7' },
        { suite: 's', case: 'ema', against: 'native', skipped: 'no cc' },
      ]).split('\n'),
    ).toEqual([expect.any(String), expect.stringMatching(/ema.*native.*skipped.*no cc/), 'MISMATCH rsi: candle 7']));
});

it('shows three digits, or all of a large number', () => {
  expect([0.0123456, 1, 12.345, 1234.5, 56_630.2].map(digits)).toEqual(['0.0123', '1', '12.3', '1230', '56,630']);
});

it('warns when the machine was busier than it has cores', () => {
  const quiet = { node: 'v24', cpu: 'c', cores: 2, commit: 'abc', engine: 'e'.repeat(64), load1: 1, date: 'd' };
  expect(formatEnvironment(quiet)).not.toContain('busier');
  expect(formatEnvironment({ ...quiet, load1: 3 })).toContain('busier');
});
