import {
  CLOCK_FINE_INTERVAL,
  CLOCK_FINE_SEEN,
  CLOCK_INTERVAL,
  CLOCK_SEEN,
  FRAME_CLOCK,
  FRAME_COUNT,
  FRAME_FINE_TIME,
  FRAME_SUMMARY,
  FRAME_TIME,
  SUMMARY_GAP_COUNT,
  SUMMARY_MISSING_CANDLE_COUNT,
} from '../../abi/backtest';
import { at, put } from '../series';
import { column, number } from './frame';

// The interval of a series is the shortest time between two of its candles SO FAR: what happens in a candle must not depend on
// the times of later ones.

/** From this many intervals on, the next candle is late. Calendar months differ by less than that. */
const LATE: f64 = 1.5;

/** Begins anew, with nothing seen. */
export function resetClock(frame: usize): void {
  const clock = column(frame, FRAME_CLOCK);
  put(clock, CLOCK_INTERVAL, NaN);
  put(clock, CLOCK_FINE_INTERVAL, NaN);
  put(clock, CLOCK_SEEN, 0);
  put(clock, CLOCK_FINE_SEEN, 0);
}

/** Where candle `i` ends: an interval after its open, or at the next open when that is earlier; NaN for the first candle. */
export function endOf(frame: usize, i: i32): f64 {
  const times = column(frame, FRAME_TIME);
  const due = at(times, i) + intervalUpTo(frame, i, times, CLOCK_SEEN, CLOCK_INTERVAL);
  return i + 1 < number(frame, FRAME_COUNT) ? Math.min(at(times, i + 1), due) : due;
}

/** Interval of the finer candles up to the one with index `last`. */
export function fineInterval(frame: usize, last: i32): f64 {
  return intervalUpTo(frame, last, column(frame, FRAME_FINE_TIME), CLOCK_FINE_SEEN, CLOCK_FINE_INTERVAL);
}

/** Interval of all loaded candles; NaN for a single one. */
export function loadedInterval(frame: usize): f64 {
  const last = number(frame, FRAME_COUNT) - 1;
  return intervalUpTo(frame, last, column(frame, FRAME_TIME), CLOCK_SEEN, CLOCK_INTERVAL);
}

/** Counts the holes in the loaded candles into the summary. */
export function countGaps(frame: usize): void {
  const times = column(frame, FRAME_TIME);
  const last = number(frame, FRAME_COUNT) - 1;
  const interval = loadedInterval(frame);
  let gaps: f64 = 0;
  let missing: f64 = 0;
  for (let i = 0; i < last; i++) {
    const step = at(times, i + 1) - at(times, i);
    if (step < LATE * interval) continue;
    gaps++;
    missing += Math.floor(step / interval + 0.5) - 1;
  }
  put(column(frame, FRAME_SUMMARY), SUMMARY_GAP_COUNT, gaps);
  put(column(frame, FRAME_SUMMARY), SUMMARY_MISSING_CANDLE_COUNT, missing);
}

/** Candles are asked for from the oldest to the newest, so each step is looked at once. */
function intervalUpTo(frame: usize, last: i32, times: usize, seenSlot: i32, intervalSlot: i32): f64 {
  const clock = column(frame, FRAME_CLOCK);
  let shortest = at(clock, intervalSlot);
  let seen = <i32>at(clock, seenSlot);
  while (seen < last) {
    seen++;
    const step = at(times, seen) - at(times, seen - 1);
    if (!(step >= shortest)) shortest = step;
  }
  put(clock, seenSlot, <f64>seen);
  put(clock, intervalSlot, shortest);
  return shortest;
}
