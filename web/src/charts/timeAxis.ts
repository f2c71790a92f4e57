import { monthNames, isRepeatedTime, zoneName } from '../format/time.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface Step {
  /** Length, or for months their least. */
  ms: number;
  /** Start of the local period that holds a moment. */
  startOf: (ms: number) => number;
  /** Start of the next period. */
  next: (startMs: number) => number;
}

/** Time zone in which a day starts and labels are written. */
export type AxisZone = 'local' | 'utc';

/** Periods of equal length, counted in the time of the zone. */
function even(length: number, zone: AxisZone): Step {
  const offsetOf = (ms: number) => (zone === 'utc' ? 0 : new Date(ms).getTimezoneOffset() * MINUTE);
  const startOf = (ms: number) => {
    const offset = offsetOf(ms);
    const clock = Math.floor((ms - offset) / length) * length;
    // Where the clock changed since, the period started by the earlier offset; a time that the change left out starts at the change.
    const earlier = clock + offsetOf(clock + offset);
    return earlier <= ms ? earlier : clock + offset;
  };
  // Daylight-saving changes would otherwise shift longer periods away from midnight.
  const slack = zone === 'local' && length > HOUR ? HOUR : 0;
  const next = (startMs: number) => {
    const start = startOf(startMs + length + slack);
    // An hour in which the clock went back lasts longer than its length.
    return start > startMs ? start : startOf(startMs + length + HOUR);
  };
  return { ms: length, startOf, next };
}

/** Months differ in length: a year must start in January, on whatever day. */
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
 * Labels for a time axis that counts candles, so that gaps take no room: the first candle of each round period. Costs a binary search per
 * label, independent of the number of visible candles.
 * @param time open times, epoch ms, rising
 * @param min first visible index, may lie before the first candle
 * @param countMax maximum number of labels that fit
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
  // The period of the candle before the first visible one has already started; its start is not labelled again.
  const started = step.next(step.startOf(time[from - 1] ?? first));
  for (let start = Math.max(started, step.startOf(first)); start <= last; start = step.next(start)) {
    const index = firstFrom(time, start, from, to);
    if (index !== indices.at(-1)) indices.push(index);
  }
  // A gap can put more period starts close together than fit.
  const every = Math.ceil(indices.length / Math.max(1, countMax));
  return { indices: every > 1 ? indices.filter((_, at) => at % every === 0) : indices, stepMs: step.ms };
}

/** First index within [low, high] whose time is not before `ms`; must exist. */
function firstFrom(time: ArrayLike<number>, ms: number, low: number, high: number): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((time[middle] ?? NaN) < ms) from = middle + 1;
    else to = middle;
  }
  return from;
}

export const offsetName = (ms: number): string => zoneName(ms).replace('GMT', '');

/** Shifted, so that its UTC parts are those of the zone. */
const shifted = (ms: number, zone: AxisZone): Date =>
  new Date(zone === 'utc' ? ms : ms - new Date(ms).getTimezoneOffset() * MINUTE);

const dateLabel = (date: Date): string => `${date.getUTCDate()} ${monthNames[date.getUTCMonth()] ?? ''}`;

/**
 * Labels of an axis. The first one of a day is its date, also where candles do not start at midnight; after a clock change the first one
 * names its zone.
 */
export function timeLabels(times: readonly number[], stepMs: number, zone: AxisZone = 'local'): string[] {
  return times.map((ms, at) => {
    const before = times[at - 1];
    if (before === undefined || stepMs >= DAY) return timeLabel(ms, stepMs, zone);
    const [date, last] = [shifted(ms, zone), shifted(before, zone)];
    const text = date.getUTCDate() === last.getUTCDate() ? timeLabel(ms, stepMs, zone) : dateLabel(date);
    const isChanged = zone === 'local' && new Date(ms).getTimezoneOffset() !== new Date(before).getTimezoneOffset();
    return isChanged && !text.includes(offsetName(ms)) ? `${text} ${offsetName(ms)}` : text;
  });
}

/** `14:30` within a day, `01:30 EST` where the clock reads so twice, `3 Jan` for whole days, `May 2022` for months, `2022` for years. */
export function timeLabel(ms: number, stepMs: number, zone: AxisZone = 'local'): string {
  const date = shifted(ms, zone);
  const [hour, minute] = [date.getUTCHours(), date.getUTCMinutes()];
  if (stepMs < DAY && (hour !== 0 || minute !== 0)) {
    const clock = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
    return zone === 'local' && isRepeatedTime(ms) ? `${clock} ${offsetName(ms)}` : clock;
  }
  const month = monthNames[date.getUTCMonth()] ?? '';
  if (stepMs >= longest[zone].ms) return String(date.getUTCFullYear());
  return stepMs >= 30 * DAY ? `${month} ${date.getUTCFullYear()}` : dateLabel(date);
}
