import { describe, expect, it } from 'vitest';
import { calendarWeeks, summaryOfDays, tintOf } from '../../../../src/features/positions/journal/calendar.ts';
import { readTagList } from '../../../../src/features/positions/journal/JournalPanel.tsx';

const day = (text: string, net: number) => ({
  day: text,
  trades: 1,
  wins: net > 0 ? 1 : 0,
  net_pnl: net,
  r_multiple: null,
});

describe('the calendar of results', () => {
  it('DESK-123 has 53 weeks from Monday to Sunday that end today', () => {
    // 2026-11-29 is a Sunday; 2026-12-01 a Tuesday.
    const weeks = calendarWeeks('2026-12-01', [day('2026-11-29', 5), day('2026-12-01', -2)]);
    expect(weeks).toHaveLength(53);
    expect(weeks[0]?.cells[0]?.day).toBe('2025-12-01');
    expect(weeks.at(-2)?.cells[6]).toEqual({ day: '2026-11-29', result: day('2026-11-29', 5) });
    expect(weeks.at(-1)?.cells.map((cell) => cell?.day ?? null)).toEqual([
      '2026-11-30',
      '2026-12-01',
      null,
      null,
      null,
      null,
      null,
    ]);
    expect(weeks.at(-1)?.cells[1]?.result?.net_pnl).toBe(-2);
  });

  it('DESK-123 names each month once, in a leap year too', () => {
    const weeks = calendarWeeks('2028-03-05', []);
    expect(weeks.map(({ month }) => month).filter((month) => month !== '')).toEqual(
      'Mar Apr May Jun Jul Aug Sep Oct Nov Dec Jan Feb'.split(' '),
    );
    expect(weeks.flatMap(({ cells }) => cells).map((cell) => cell?.day)).toContain('2028-02-29');
  });

  it('DESK-123 tints by the root of the amount, and counts days up and down', () => {
    expect([tintOf(100, 100), tintOf(-25, 100), tintOf(0, 100), tintOf(0, 0)]).toEqual([100, 63, 25, 25]);
    const days = [day('2026-01-01', 3), day('2026-01-02', -4), day('2026-01-03', 0)];
    expect(summaryOfDays(days)).toEqual({ gained: 1, lost: 1, best: days[0], worst: days[1] });
    expect(summaryOfDays([])).toBeNull();
  });
});

describe('the list of tags', () => {
  it('DESK-120 is read as the server stores it', () => {
    expect(readTagList(' Late  Entry, fomo,, FOMO ')).toEqual({ tags: ['late entry', 'fomo'] });
    expect(readTagList('')).toEqual({ tags: [] });
  });

  it('DESK-120 says what cannot be stored', () => {
    expect(readTagList('a;b').error).toMatch(/^Use at most 30/);
    expect(readTagList('x'.repeat(31)).error).toMatch(/^Use at most 30/);
    expect(readTagList(Array.from({ length: 11 }, (_, i) => `t${i}`).join(',')).error).toBe('At most 10 tags');
  });
});
