import { describe, expect, it } from 'vitest';
import { edgeText, replayedText, timesText } from '../../../src/features/news/analysis/recordTexts.ts';

const times = (basis: string, checked: number, inTime: number) =>
  ({ basis, checked_count: checked, in_time_count: inTime, delay_s: null }) as never;

describe('HIST-128 beside each source stands whether its dates can be trusted', () => {
  it.each([
    [times('same_machine', 0, 0), 'Simulated: dated by this machine.'],
    [times('checked', 20, 19), 'Dates confirmed by 19 of 20 stories.'],
    [times('unchecked', 3, 3), 'Dates checked in 3 of 10 stories. Older ones wait.'],
    [times('untrusted', 12, 4), 'Dates unreliable: only 4 of 12 stories seen in time. Older ones are left out.'],
  ])('%#', (value, text) => expect(timesText(value, 10)).toBe(text));
});

describe('HIST-128 the missing edge is said first', () => {
  const source = (name: string, count: number, weight: number, replayedCount?: number) =>
    ({
      name,
      count,
      weight,
      replayed: replayedCount === undefined ? null : { count: replayedCount, day_count: 5 },
    }) as never;
  it.each([
    [[], 'No source has 30 measured stories yet.'],
    [[source('A', 29, 0, 3)], 'No source has 30 measured stories yet.'],
    [[source('A', 2, 0, 40), source('B', 31, 0), source('C', 1, 0)], 'No edge: 0 of 2 measured sources beat chance.'],
    [[source('A', 2, 0.2, 40), source('B', 31, 0)], 'Better than chance: A.'],
  ])('%#', (rows, text) => expect(edgeText(rows, 30, 5)).toBe(text));
});

describe('HIST-140 a replayed record says how many days it covers and which delays it has', () => {
  it.each([
    [1, 15, 15, '1 of 5 days, read 15 s after their dates'],
    [7, 15, 360, '7 days, read 15 s to 6 min after their dates'],
  ])('%i days, %i to %i s', (days, least, most, text) =>
    expect(replayedText({ day_count: days, delay_s_min: least, delay_s_max: most } as never, 5)).toBe(text),
  );
});
