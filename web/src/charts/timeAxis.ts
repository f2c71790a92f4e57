const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface Step {
  /** Length, or for months their least. */
  ms: number;
  /** Start of the local period that holds a moment. */
  startOf: (ms: number) => number;
  /** Start of the period after the one that starts there. */
  next: (startMs: number) => number;
}

/** In which time a day begins and a label is written. */
export type AxisZone = 'local' | 'utc';

/** Periods of equal length, counted in the time of the zone. */
function even(length: number, zone: AxisZone): Step {
  const offsetOf = (ms: number) => (zone === 'utc' ? 0 : new Date(ms).getTimezoneOffset() * MINUTE);
  const startOf = (ms: number) => {
    const offset = offsetOf(ms);
    return Math.floor((ms - offset) / length) * length + offset;
  };
  // The hour that a clock change adds or takes would otherwise shift longer periods away from midnight.
  const slack = zone === 'local' && length > HOUR ? HOUR : 0;
  return { ms: length, startOf, next: (startMs) => startOf(startMs + length + slack) };
}

/** Months are not equally long: a year must begin in January, whatever day it is. */
function months(count: number, zone: AxisZone): Step {
  const monthOf = (ms: number, further: number) => {
    const date = new Date(ms);
    const month =
      zone === 'utc' ? date.getUTCFullYear() * 12 + date.getUTCMonth() : date.getFullYear() * 12 + date.getMonth();
    const sinceEpoch = (Math.floor(month / count) + further) * count - 1900 * 12;
    return zone === 'utc' ? Date.UTC(1900, sinceEpoch) : new Date(1900, sinceEpoch).getTime();
  };
  return { ms: count * 30 * DAY, startOf: (ms) => monthOf(ms, 0), next: (startMs) => monthOf(startMs, 1) };
}

/** Distances between labels that read well. */
const stepsIn = (zone: AxisZone): readonly Step[] => [
  ...[5, 15, 30].map((minutes) => even(minutes * MINUTE, zone)),
  ...[1, 2, 4, 6, 12].map((hours) => even(hours * HOUR, zone)),
  ...[1, 2, 5, 10].map((days) => even(days * DAY, zone)),
  ...[1, 3, 12].map((count) => months(count, zone)),
];
const steps: Record<AxisZone, readonly Step[]> = { local: stepsIn('local'), utc: stepsIn('utc') };
const longest: Record<AxisZone, Step> = { local: months(12, 'local'), utc: months(12, 'utc') };

interface TimeSplits {
  /** Candle indices that carry a label. */
  indices: number[];
  stepMs: number;
}

/**
 * Labels for a time axis that counts candles, so that gaps take no room: the first candle of each round period.
 * Costs a binary search for each label, however many candles are in sight.
 * @param time     open times, epoch ms, rising
 * @param min      first visible index, may lie before the first candle
 * @param countMax most labels there is room for
 */
export function timeSplits(
  time: ArrayLike<number>,
  min: number,
  max: number,
  countMax: number,
  zone: AxisZone = 'local',
): TimeSplits {
  const from = Math.max(0, Math.ceil(min));
  const to = Math.min(time.length - 1, Math.floor(max));
  const first = time[from];
  const last = time[to];
  if (first === undefined || last === undefined || to <= from) return { indices: [], stepMs: HOUR };
  const step = steps[zone].find(({ ms }) => (last - first) / ms <= countMax) ?? longest[zone];
  const indices: number[] = [];
  // The period of the candle before the first visible one has begun already; its start is not labelled again.
  const begun = step.next(step.startOf(time[from - 1] ?? first));
  for (let start = Math.max(begun, step.startOf(first)); start <= last; start = step.next(start)) {
    const index = firstFrom(time, start, from, to);
    if (index !== indices.at(-1)) indices.push(index);
  }
  // A gap can put more period starts close together than there is room for.
  const every = Math.ceil(indices.length / Math.max(1, countMax));
  return { indices: every > 1 ? indices.filter((_, at) => at % every === 0) : indices, stepMs: step.ms };
}

/** First index within [low, high] whose time is not before `ms`; there is one. */
function firstFrom(time: ArrayLike<number>, ms: number, low: number, high: number): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((time[middle] ?? NaN) < ms) from = middle + 1;
    else to = middle;
  }
  return from;
}

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `14:30` within a day, `3 Jan` for whole days, `May 2022` for months, `2022` for years. */
export function timeLabel(ms: number, stepMs: number, zone: AxisZone = 'local'): string {
  // Read as if it were UTC: then the parts are those of the zone.
  const date = new Date(zone === 'utc' ? ms : ms - new Date(ms).getTimezoneOffset() * MINUTE);
  const [hour, minute] = [date.getUTCHours(), date.getUTCMinutes()];
  if (stepMs < DAY && (hour !== 0 || minute !== 0))
    return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
  const month = monthNames[date.getUTCMonth()] ?? '';
  if (stepMs >= longest[zone].ms) return String(date.getUTCFullYear());
  return stepMs >= 30 * DAY ? `${month} ${date.getUTCFullYear()}` : `${date.getUTCDate()} ${month}`;
}
