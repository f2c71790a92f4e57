import {
  CLOCK_FINE_INTERVAL,
  CLOCK_INTERVAL,
  FRAME_CLOCK,
  FRAME_COUNT,
  FRAME_FINE_COUNT,
  FRAME_FINE_TIME,
  FRAME_SUMMARY,
  FRAME_TIME,
  SUMMARY_GAP_COUNT,
  SUMMARY_MISSING_CANDLE_COUNT,
} from '../../abi/backtest';
import { at, put } from '../series';
import { column, number } from './frame';

/** From this many intervals on, the next candle is late. Calendar months differ by less than that. */
const LATE: f64 = 1.5;

/** Fills the frame's clock. @returns true, so that it can stand in a chain of conditions */
export function writeClock(frame: usize): bool {
  const clock = column(frame, FRAME_CLOCK);
  put(clock, CLOCK_INTERVAL, intervalOf(column(frame, FRAME_TIME), number(frame, FRAME_COUNT)));
  put(clock, CLOCK_FINE_INTERVAL, intervalOf(column(frame, FRAME_FINE_TIME), number(frame, FRAME_FINE_COUNT)));
  return true;
}

/** Where candle `i` ends: at the next open, or an interval after its own when candles are missing behind it. */
export function endOf(frame: usize, i: i32): f64 {
  const times = column(frame, FRAME_TIME);
  const due = at(times, i) + at(column(frame, FRAME_CLOCK), CLOCK_INTERVAL);
  if (i + 1 >= number(frame, FRAME_COUNT)) return due;
  const next = at(times, i + 1);
  return isLate(frame, i) ? due : next;
}

/** Counts the holes in the loaded candles into the summary. */
export function countGaps(frame: usize): void {
  const times = column(frame, FRAME_TIME);
  const interval = at(column(frame, FRAME_CLOCK), CLOCK_INTERVAL);
  let gaps: f64 = 0;
  let missing: f64 = 0;
  for (let i = 0; i + 1 < number(frame, FRAME_COUNT); i++) {
    if (!isLate(frame, i)) continue;
    gaps++;
    missing += Math.floor((at(times, i + 1) - at(times, i)) / interval + 0.5) - 1;
  }
  put(column(frame, FRAME_SUMMARY), SUMMARY_GAP_COUNT, gaps);
  put(column(frame, FRAME_SUMMARY), SUMMARY_MISSING_CANDLE_COUNT, missing);
}

function isLate(frame: usize, i: i32): bool {
  const times = column(frame, FRAME_TIME);
  return at(times, i + 1) - at(times, i) >= LATE * at(column(frame, FRAME_CLOCK), CLOCK_INTERVAL);
}

/** Shortest time between two candles; NaN below two. */
function intervalOf(times: usize, count: i32): f64 {
  let shortest: f64 = NaN;
  for (let i = 1; i < count; i++) {
    const step = at(times, i) - at(times, i - 1);
    if (!(step >= shortest)) shortest = step;
  }
  return shortest;
}
