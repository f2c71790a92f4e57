import { Frame } from '../records.gen';
import { at } from '../series';

// The interval of a series is the shortest time between two of its candles SO FAR: what happens in a candle must not depend on
// the times of later ones.

/** From this many intervals on, the next candle is late. Calendar months differ by less than that. */
const LATE: f64 = 1.5;

/** Resets the clock to its state before the first candle. */
export function resetClock(frame: Frame): void {
  const clock = frame.clock;
  clock.interval = NaN;
  clock.fineInterval = NaN;
  clock.seen = 0;
  clock.fineSeen = 0;
}

/** Where candle `i` ends: an interval after its open, or at the next open when that is earlier; NaN for the first candle. */
export function endOf(frame: Frame, i: i32): f64 {
  const times = frame.time;
  const due = at(times, i) + intervalUpTo(frame, i);
  return i + 1 < frame.count ? Math.min(at(times, i + 1), due) : due;
}

/** Interval of the finer candles up to the one with index `last`. */
export function fineInterval(frame: Frame, last: i32): f64 {
  const clock = frame.clock;
  clock.fineInterval = shortestStep(frame.fineTime, <i32>clock.fineSeen, last, clock.fineInterval);
  clock.fineSeen = Math.max(clock.fineSeen, last);
  return clock.fineInterval;
}

/** Interval of all loaded candles; NaN for a single one. */
export function loadedInterval(frame: Frame): f64 {
  const last = frame.count - 1;
  return intervalUpTo(frame, last);
}

/** Counts the holes in the loaded candles into the summary. */
export function countGaps(frame: Frame): void {
  const times = frame.time;
  const last = frame.count - 1;
  const interval = loadedInterval(frame);
  let gaps: f64 = 0;
  let missing: f64 = 0;
  for (let i = 0; i < last; i++) {
    const step = at(times, i + 1) - at(times, i);
    if (step < LATE * interval) continue;
    gaps++;
    missing += Math.floor(step / interval + 0.5) - 1;
  }
  frame.summary.gapCount = gaps;
  frame.summary.missingCandleCount = missing;
}

/** Interval of the loaded candles up to the one with index `last`. */
function intervalUpTo(frame: Frame, last: i32): f64 {
  const clock = frame.clock;
  clock.interval = shortestStep(frame.time, <i32>clock.seen, last, clock.interval);
  clock.seen = Math.max(clock.seen, last);
  return clock.interval;
}

/** Candles are read from the oldest to the newest, so each step after `seen` is checked once. */
function shortestStep(times: usize, seen: i32, last: i32, known: f64): f64 {
  let shortest = known;
  for (let i = seen + 1; i <= last; i++) {
    const step = at(times, i) - at(times, i - 1);
    if (!(step >= shortest)) shortest = step;
  }
  return shortest;
}
