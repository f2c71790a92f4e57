import { intervalMs, type IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import { HISTORY_CANDLES_MAX } from '@sextant/workers/src/core/limits.ts';
import { failWith, ok, type Result } from '@sextant/workers/src/core/result.ts';
import { formatCount } from '../../../format/number.ts';
import { scoredOf } from './scored.ts';

/** UTC days, `2026-03-01`, both included. */
export interface DateRange {
  from: string;
  to: string;
}

/** The window of a range. */
interface RangeWindow {
  /** Open time of its first candle, epoch ms. */
  fromMs: number;
  /** Close time of its last candle, epoch ms. */
  untilMs: number;
  /** Candles of the range, all of them scored. */
  scored: number;
}

/** The problem with a range, and its field. */
interface RangeProblem {
  field: keyof DateRange;
  message: string;
}
export type RangeReading = Result<RangeWindow, RangeProblem>;

const DAY_MS = 86_400_000;
/** Fewer are no window to judge by. */
export const RANGE_MIN = 50;
/** As many as are scored of the longest history. */
const RANGE_MAX = scoredOf(HISTORY_CANDLES_MAX);
/** Before the first perpetual of any exchange. */
const FIRST_DAY = '2017-01-01';

export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The days of candles: from the open of the first one to the close of the last. */
export const daysOf = (fromMs: number, untilMs: number): DateRange => ({ from: dayOf(fromMs), to: dayOf(untilMs - 1) });

/** Midnight UTC of a day; NaN when the text is not a day. */
function dayStart(text: string): number {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
  // Date.parse would roll 31 February over into March.
  return Number.isFinite(ms) && dayOf(ms) === text ? ms : NaN;
}

/** The days of the newest candles, up to the maximum that may be scored. @param lengthMs of the requested candles */
export function newestDays(nowMs: number, lengthMs: number, interval: IntervalName): DateRange {
  const mostMs = RANGE_MAX * intervalMs[interval];
  const from = dayOf(nowMs - Math.max(DAY_MS, Math.min(lengthMs, mostMs)));
  // The day starts earlier than the candle does.
  const isTooLong = nowMs - dayStart(from) > mostMs;
  const first = isTooLong ? dayOf(dayStart(from) + DAY_MS) : from;
  return { from: first < FIRST_DAY ? FIRST_DAY : first, to: dayOf(nowMs) };
}

const reject = (field: keyof DateRange, message: string): RangeReading => failWith({ field, message });

/** The candles of a range, or its problem and the field. The last day may still be in progress: then it ends now. */
export function readRange({ from, to }: DateRange, interval: IntervalName, nowMs: number): RangeReading {
  const [fromMs, lastMs] = [dayStart(from), dayStart(to)];
  if (Number.isNaN(fromMs)) return reject('from', 'Choose the first day.');
  if (Number.isNaN(lastMs)) return reject('to', 'Choose the last day.');
  if (from < FIRST_DAY) return reject('from', `Start on ${FIRST_DAY} or later.`);
  if (fromMs > nowMs) return reject('from', `${from} is in the future (UTC).`);
  if (lastMs < fromMs) return reject('to', `Choose ${from} or later as the last day.`);
  if (lastMs > nowMs) return reject('to', `${to} is in the future (UTC): choose today or earlier.`);
  const untilMs = Math.min(lastMs + DAY_MS, nowMs);
  const scored = Math.floor((untilMs - fromMs) / intervalMs[interval]);
  const holds = `${formatCount(scored)} candles of ${interval} in these days`;
  if (scored < RANGE_MIN)
    return reject('to', `${holds}; a run needs ${RANGE_MIN}. Choose more days or a shorter interval.`);
  if (scored > RANGE_MAX)
    return reject('from', `${holds}; the limit is ${formatCount(RANGE_MAX)}. Choose fewer days or a longer interval.`);
  return ok({ fromMs, untilMs, scored });
}
