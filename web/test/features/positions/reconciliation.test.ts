import { describe, expect, it } from 'vitest';
import { differenceText, partsBySize } from '../../../src/features/positions/reconciliation/reconciliationTexts.ts';

const parts = [
  { cause: 'revision', amount: 0 },
  { cause: 'entry', amount: 0.4 },
  { cause: 'exit', amount: -1.6 },
] as const;

describe('live against the test', () => {
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
