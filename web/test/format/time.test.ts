import { describe, expect, it } from 'vitest';
import { formatDay, formatDuration, formatTime, formatUtc } from '../../src/format/time.ts';

describe('dates', () => {
  it.each([null, undefined, ''])('SHELL-014 %s is N/A', (value) => {
    expect([formatTime(value), formatDay(value), formatUtc(value)]).toEqual(['N/A', 'N/A', 'N/A']);
  });

  it('SHELL-014 that cannot be read are Invalid Date', () => {
    expect([formatTime('soon'), formatDay(NaN), formatUtc('2022-13-01')]).toEqual(Array(3).fill('Invalid Date'));
  });

  it('are local, with UTC beside them', () => {
    const local = new Date(2022, 0, 3, 4, 5);
    expect(formatTime(local)).toBe('2022-01-03 04:05');
    expect(formatDay(local)).toBe('2022-01-03');
    expect(formatUtc(Date.UTC(2022, 0, 3, 14, 7))).toBe('2022-01-03 14:07 UTC');
  });
});

describe('durations', () => {
  it.each([
    [0, '0.0 s'],
    [450, '0.5 s'],
    [8000, '8 s'],
    [90_000, '1 min 30 s'],
    [3_600_000, '1 h'],
    [187_200_000, '2 d 4 h'],
    [-5, '0.0 s'],
    [NaN, 'N/A'],
  ])('%f ms is %s', (ms, text) => expect(formatDuration(ms)).toBe(text));
});
