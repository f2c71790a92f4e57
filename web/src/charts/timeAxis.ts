const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Distances between labels that read well. */
const steps = [
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  5 * DAY,
  10 * DAY,
  30 * DAY,
  90 * DAY,
  365 * DAY,
];

interface TimeSplits {
  /** Candle indices that carry a label. */
  indices: number[];
  stepMs: number;
}

/**
 * Labels for a time axis that counts candles, so that gaps take no room: the first candle of each round local period.
 * @param time     open times, epoch ms, rising
 * @param min      first visible index, may lie before the first candle
 * @param countMax most labels there is room for
 */
export function timeSplits(time: ArrayLike<number>, min: number, max: number, countMax: number): TimeSplits {
  const from = Math.max(0, Math.ceil(min));
  const to = Math.min(time.length - 1, Math.floor(max));
  const first = time[from];
  const last = time[to];
  if (first === undefined || last === undefined || to <= from) return { indices: [], stepMs: HOUR };
  const stepMs = steps.find((step) => (last - first) / step <= countMax) ?? 365 * DAY;
  const offsetMs = new Date(last).getTimezoneOffset() * MINUTE;
  const periodOf = (ms: number) => Math.floor((ms - offsetMs) / stepMs);
  const indices: number[] = [];
  const before = time[from - 1];
  let period = before === undefined ? periodOf(first) : periodOf(before);
  for (let i = from; i <= to; i++) {
    const here = periodOf(time[i] ?? NaN);
    if (here !== period) indices.push(i);
    period = here;
  }
  // A gap can put more period starts close together than there is room for.
  const every = Math.ceil(indices.length / Math.max(1, countMax));
  return { indices: every > 1 ? indices.filter((_, at) => at % every === 0) : indices, stepMs };
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `14:30` within a day, `3 Jan` at its start, `2026` at the start of a year. */
export function timeLabel(ms: number, stepMs: number): string {
  const date = new Date(ms);
  const isMidnight = date.getHours() === 0 && date.getMinutes() === 0;
  if (stepMs < DAY && !isMidnight)
    return `${String(date.getHours()).padStart(2, '0')}:${String(date.getMinutes()).padStart(2, '0')}`;
  const month = months[date.getMonth()] ?? '';
  if (stepMs >= 365 * DAY) return String(date.getFullYear());
  return stepMs >= 30 * DAY ? `${month} ${date.getFullYear()}` : `${date.getDate()} ${month}`;
}
