import { describe, expect, it } from 'vitest';
import {
  differenceText,
  forecastText,
  partsBySize,
  partsShown,
} from '../../../src/features/positions/reconciliation/reconciliationTexts.ts';

const parts = [
  { cause: 'revision', amount: 0 },
  { cause: 'entry', amount: 0.4 },
  { cause: 'exit', amount: -1.6 },
] as const;

describe('live against the test', () => {
  it('HIST-127 says beside the funding how far the announced rates were from the paid ones', () => {
    expect(forecastText({ count: 1, error: 0.04, mean_error_pct: 0.02 }, 'LONG')).toBe(
      'Funding cost 0.04 USDT more than announced, 1 settlement (+0.0200\u00a0% on average).',
    );
    expect(forecastText({ count: 3, error: -1.5, mean_error_pct: -0.01 }, 'LONG')).toBe(
      'Funding cost 1.50 USDT less than announced, 3 settlements (\u22120.0100\u00a0% on average).',
    );
    // Longs paid 0.02 % more to a short: both figures are lower.
    expect(forecastText({ count: 1, error: -0.04, mean_error_pct: 0.02 }, 'SHORT')).toBe(
      'Funding cost 0.04 USDT less than announced, 1 settlement (\u22120.0200\u00a0% on average).',
    );
    expect(forecastText({ count: 2, error: 0.001, mean_error_pct: 0.0001 }, 'LONG')).toContain(
      'Funding cost as announced',
    );
    // The funding is a cause of 0 in a test that knows the paid rates.
    expect(partsShown(parts, null).map(({ cause }) => cause)).toEqual(['exit', 'entry']);
    expect(partsShown(parts, { count: 1, error: 0.04, mean_error_pct: 0.02 }).at(-1)).toEqual({
      cause: 'funding',
      amount: 0,
    });
  });

  it('HIST-066 lists causes by size and leaves out those that changed nothing', () => {
    expect(partsBySize(parts).map(({ cause }) => cause)).toEqual(['exit', 'entry']);
  });

  it('HIST-066 states the difference first, with its largest cause', () => {
    expect(differenceText(-1.2, parts)).toBe('Live earned 1.20 USDT less than the test. Largest cause: exit fill.');
    expect(differenceText(1.2, parts, 12)).toBe(
      'Live earned 1.20 USDT more than the test over 12 positions. Largest cause: exit fill.',
    );
    expect(differenceText(0, [])).toBe('Live equals the test.');
    expect(differenceText(0.001, parts)).toBe('Live equals the test to the cent.');
  });
});
