import { durationText } from '@sextant/workers/src/core/timeText.ts';
import { LOCALE } from './locale.ts';

/** Nothing given is `N/A`, nonsense is `Invalid Date`. */
function parse(value: number | string | Date | null | undefined): Date | 'N/A' | 'Invalid Date' {
  if (value === null || value === undefined || value === '') return 'N/A';
  const date = value instanceof Date ? value : new Date(value);
  return Number.isNaN(date.getTime()) ? 'Invalid Date' : date;
}

/** Short names of the months, January first. */
export const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

const two = (value: number): string => String(value).padStart(2, '0');

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** No clock change lies further from the hour that it repeats. */
const CHANGE_REACH_MS = 3 * 3_600_000;

const offsetMs = (ms: number): number => new Date(ms).getTimezoneOffset() * MINUTE_MS;

/** Whether the local clock shows the same time at another moment too, because of a clock change. */
export function isRepeatedTime(ms: number): boolean {
  const own = offsetMs(ms);
  return [ms - CHANGE_REACH_MS, ms + CHANGE_REACH_MS].some((near) => {
    const other = offsetMs(near);
    return other !== own && offsetMs(ms - own + other) === other;
  });
}

/** Any winter and summer: their offsets change when the clock of the computer moves to another zone. */
const SEASONS_MS = [Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)];
let zoneFormat: { offsets: string; format: Intl.DateTimeFormat } | undefined;

/** Made once: a chart names the zone at each step of a slider, and making a formatter takes longer than formatting. */
function zoneFormatter(): Intl.DateTimeFormat {
  const offsets = SEASONS_MS.map(offsetMs).join();
  if (zoneFormat?.offsets !== offsets)
    zoneFormat = { offsets, format: new Intl.DateTimeFormat(LOCALE, { timeZoneName: 'short' }) };
  return zoneFormat.format;
}

/** Local time zone at a moment: `EDT`, `GMT+5:30`, `UTC`. */
export function zoneName(ms: number): string {
  const parts = zoneFormatter().formatToParts(ms);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** The time zone of this browser: `America/New_York`. */
export const localZone = (): string => new Intl.DateTimeFormat(LOCALE).resolvedOptions().timeZone;

/** Local time, `2026-01-03 14:05`: sorts as it reads, the same width in every row. A repeated hour has its zone: `01:00 EST`. */
export function formatTime(value: number | string | Date | null | undefined, hasSeconds = false): string {
  const date = parse(value);
  if (typeof date === 'string') return date;
  const ms = date.getTime();
  const seconds = hasSeconds ? `:${two(date.getSeconds())}` : '';
  const zone = isRepeatedTime(ms) ? ` ${zoneName(ms)}` : '';
  return `${formatDay(date)} ${two(date.getHours())}:${two(date.getMinutes())}${seconds}${zone}`;
}

/** A candle of a day or longer is labelled with its UTC date everywhere. */
export const isDated = (lengthMs: number): boolean => lengthMs >= DAY_MS;

/**
 * Open time of a candle in the user's time zone, with the other one for the hover; the UTC date for a day or longer.
 * @param lengthMs of the candle; NaN where unknown
 */
export function formatCandle(
  openMs: number | string | null,
  lengthMs: number,
  zone: 'local' | 'utc',
): [string, string] {
  return isDated(lengthMs) ? [formatUtc(openMs).split(' ')[0] ?? '', formatUtc(openMs)] : formatMoment(openMs, zone);
}

/** The same with the name of the zone, for a chart, which has no other place for it. */
export function formatCandleZoned(openMs: number, lengthMs: number, zone: 'local' | 'utc'): string {
  const [shown] = formatCandle(openMs, lengthMs, zone);
  const isNamed = isDated(lengthMs) || zone === 'utc' || !Number.isFinite(openMs) || isRepeatedTime(openMs);
  return isNamed ? shown : `${shown} ${zoneName(openMs)}`;
}

export function formatDay(value: number | string | Date | null | undefined): string {
  const date = parse(value);
  if (typeof date === 'string') return date;
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** A time in the user's time zone, with the other one for the hover. */
export function formatMoment(
  value: number | string | Date | null | undefined,
  zone: 'local' | 'utc',
  hasSeconds = false,
): [string, string] {
  const texts: [string, string] = [formatTime(value, hasSeconds), formatUtc(value, hasSeconds)];
  return zone === 'local' ? texts : [texts[1], texts[0]];
}

/** The same moment in UTC, for the hover: `2026-01-03 13:05 UTC`. */
export function formatUtc(value: number | string | Date | null | undefined, hasSeconds = false): string {
  const date = parse(value);
  if (typeof date === 'string') return date;
  return `${date
    .toISOString()
    .slice(0, hasSeconds ? 19 : 16)
    .replace('T', ' ')} UTC`;
}

/** Two units at most: `2 d 4 h`, `15 min`, `8 s`; below a second `0.4 s`. */
export function formatDuration(durationMs: number): string {
  if (!Number.isFinite(durationMs)) return 'N/A';
  return durationText(Math.max(0, durationMs));
}
