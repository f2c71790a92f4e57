import { describe, expect, it } from 'vitest';
import { formatClock, formatFunding, formatLarge } from '../../../src/features/dashboard/positioningColumns.ts';

const MINUTE = 60_000;

describe('positioning in the watch list', () => {
  it('DESK-127 the funding clock counts whole minutes down', () => {
    expect(formatClock(125 * MINUTE, 0)).toBe('2 h 05 min');
    expect(formatClock(59.5 * MINUTE, 0)).toBe('1 h 00 min');
    expect(formatClock(1, 0)).toBe('1 min');
    expect(formatClock(0, 1)).toBe('due');
  });

  it('DESK-127 large amounts have three or four digits, fundings their sign', () => {
    expect([1_234_567_890, 456_000_000, 12_340, 999].map(formatLarge)).toEqual(['1.23B', '456.0M', '12.34k', '999.0']);
    expect(formatLarge(null)).toBe('–');
    expect([0.0001, -0.00025, null].map(formatFunding)).toEqual(['+0.0100\u00a0%', '\u22120.0250\u00a0%', '–']);
  });
});
