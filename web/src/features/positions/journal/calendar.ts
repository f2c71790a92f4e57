import type { JournalStatistics } from '../../../api/types.ts';
import { monthNames } from '../../../format/time.ts';

export type JournalDay = JournalStatistics['days'][number];

export interface CalendarCell {
  /** `2026-01-31`. */
  day: string;
  /** Null: nothing was closed on it. */
  result: JournalDay | null;
}

export interface CalendarWeek {
  /** `Jan` above the first week of a month; otherwise empty. */
  month: string;
  /** Monday to Sunday; null after today. */
  cells: (CalendarCell | null)[];
}

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;
/** A year and the week that it starts in. */
const WEEKS = 53;

/** Days since Monday. */
const weekdayOf = (ms: number): number => (new Date(ms).getUTCDay() + 6) % WEEK_DAYS;
const textOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Weeks that the name of a month is wide. */
const NAME_WEEKS = 2;
const isSameMonth = (a: number, b: number): boolean => new Date(a).getUTCMonth() === new Date(b).getUTCMonth();

/** The weeks up to today, the oldest first. Calendar days have no hours, so that clock changes do not move them. */
export function calendarWeeks(today: string, days: readonly JournalDay[]): CalendarWeek[] {
  const results = new Map(days.map((each) => [each.day, each]));
  const todayMs = Date.parse(`${today}T00:00:00Z`);
  const firstMs = todayMs - (weekdayOf(todayMs) + WEEK_DAYS * (WEEKS - 1)) * DAY_MS;
  // The name of a month that has only days left at the start would meet the next one.
  let lastMonth = isSameMonth(firstMs, firstMs + NAME_WEEKS * WEEK_DAYS * DAY_MS)
    ? -1
    : new Date(firstMs).getUTCMonth();
  return Array.from({ length: WEEKS }, (_, week) => {
    const startMs = firstMs + week * WEEK_DAYS * DAY_MS;
    const month = new Date(startMs).getUTCMonth();
    const isNew = month !== lastMonth;
    lastMonth = month;
    const cells = Array.from({ length: WEEK_DAYS }, (_day, weekday): CalendarCell | null => {
      const ms = startMs + weekday * DAY_MS;
      const day = textOf(ms);
      return ms > todayMs ? null : { day, result: results.get(day) ?? null };
    });
    return { month: isNew ? (monthNames[month] ?? '') : '', cells };
  });
}

/** Least tint of a day with a result, percent: it stands out from an empty day. */
const TINT_MIN = 25;
const TINT_MAX = 100;

/** Tint of a result, percent. Grows with the root of the amount, so that one extreme day does not make all others pale. */
export function tintOf(netPnl: number, largest: number): number {
  if (!(largest > 0)) return TINT_MIN;
  return Math.round(TINT_MIN + (TINT_MAX - TINT_MIN) * Math.sqrt(Math.min(1, Math.abs(netPnl) / largest)));
}

/** Days with a gain, days with a loss and the best and worst of them; null without a day. */
export function summaryOfDays(days: readonly JournalDay[]): {
  gained: number;
  lost: number;
  best: JournalDay;
  worst: JournalDay;
} | null {
  const [first] = days;
  if (first === undefined) return null;
  return {
    gained: days.filter(({ net_pnl: net }) => net > 0).length,
    lost: days.filter(({ net_pnl: net }) => net < 0).length,
    best: days.reduce((best, day) => (day.net_pnl > best.net_pnl ? day : best), first),
    worst: days.reduce((worst, day) => (day.net_pnl < worst.net_pnl ? day : worst), first),
  };
}
