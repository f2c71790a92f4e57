/** Nothing given is `N/A`, nonsense is `Invalid Date`. */
function parse(value: number | string | Date | null | undefined): Date | 'N/A' | 'Invalid Date' {
  if (value === null || value === undefined || value === '') return 'N/A';
  const date = value instanceof Date ? value : new Date(value);
  return Number.isNaN(date.getTime()) ? 'Invalid Date' : date;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** Local time, `2026-01-03 14:05`: sorts as it reads, the same width in every row. */
export function formatTime(value: number | string | Date | null | undefined, hasSeconds = false): string {
  const date = parse(value);
  if (typeof date === 'string') return date;
  const seconds = hasSeconds ? `:${two(date.getSeconds())}` : '';
  return `${formatDay(date)} ${two(date.getHours())}:${two(date.getMinutes())}${seconds}`;
}

export function formatDay(value: number | string | Date | null | undefined): string {
  const date = parse(value);
  if (typeof date === 'string') return date;
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** A moment in the time the user has chosen, and in the other one for the hover. */
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

const steps = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** Two units at most: `2 d 4 h`, `15 min`, `8 s`; below a second `0.4 s`. */
export function formatDuration(durationMs: number): string {
  if (!Number.isFinite(durationMs)) return 'N/A';
  const ms = Math.max(0, durationMs);
  if (ms < 1000) return `${(ms / 1000).toFixed(1)} s`;
  const first = steps.findIndex(([, size]) => ms >= size);
  const lead = steps[first];
  if (lead === undefined) return '0 s';
  const whole = Math.floor(ms / lead[1]);
  const next = steps[first + 1];
  const rest = next === undefined ? 0 : Math.floor((ms - whole * lead[1]) / next[1]);
  return rest > 0 && next !== undefined ? `${whole} ${lead[0]} ${rest} ${next[0]}` : `${whole} ${lead[0]}`;
}
