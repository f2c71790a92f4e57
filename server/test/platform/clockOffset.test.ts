import { describe, expect, it } from 'vitest';
import { isOut, offsetOf, provenMs } from '../../src/platform/clockOffset.ts';

describe('a reading of another clock', () => {
  it('is taken in the middle, at most half of the round trip wrong', () => {
    const read = offsetOf({ sentAtMs: 1000, receivedAtMs: 1400, theirsMs: 3200, errorMs: 50 });
    expect(read).toEqual({ offsetMs: 2000, errorMs: 250 });
    expect(provenMs(read)).toBe(1750);
  });

  it.each([
    ['in', false, 29_000, 0, false],
    ['just out', false, 30_001, 0, true],
    ['perhaps out, by a slow response: stays in', false, 34_000, 6000, false],
    ['still above the lower bound: stays out', true, 25_000, 0, true],
    ['perhaps in, by a slow response: stays out', true, 25_000, 6000, true],
    ['in again', true, 19_000, 500, false],
    ['in again, behind', true, -19_000, 500, false],
  ])('NODE-202 %s', (_, wasOut, offsetMs, errorMs, expected) => {
    expect(isOut({ offsetMs, errorMs }, wasOut)).toBe(expected);
  });
});
