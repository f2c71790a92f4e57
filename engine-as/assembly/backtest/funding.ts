import {
  FRAME_COUNT,
  FRAME_FUNDING_AT_OPEN,
  FRAME_FUNDING_COUNT,
  FRAME_FUNDING_INSIDE,
  FRAME_FUNDING_MARK,
  FRAME_FUNDING_RATE,
  FRAME_FUNDING_TIME,
  FRAME_MARK_OPEN,
  FRAME_OPEN,
  FRAME_RULES,
  FRAME_TIME,
  FUNDING_ASSUMED,
  FUNDING_HISTORY,
  RULE_ASSUMED_FUNDING,
  RULE_FUNDING_SOURCE,
} from '../../abi/backtest';
import { at, put } from '../series';
import { column, number } from './frame';

/** Longest time between two fundings on the venues we know; a longer hole in the history means that stamps are missing. */
const FUNDING_INTERVAL_MAX_MS: f64 = 8 * 3600 * 1000;
/** Venues stamp a funding some milliseconds after the moment it is charged for. */
const STAMP_UNIT_MS: f64 = 1000;

/** An assumed funding falls due at 0, 8 and 16 h UTC. */
const ASSUMED_EVERY_MS: f64 = 8 * 3600 * 1000;

/** Sums mark x rate of each bar's fundings into the frame's two columns: at its open, and after it until the next open. */
export function fundingByBar(frame: usize): void {
  const source = sourceOf(frame);
  if (source === FUNDING_ASSUMED) return assumedByBar(frame);
  const atOpen = column(frame, FRAME_FUNDING_AT_OPEN);
  const inside = column(frame, FRAME_FUNDING_INSIDE);
  const count = number(frame, FRAME_COUNT);
  const stamps = source === FUNDING_HISTORY ? number(frame, FRAME_FUNDING_COUNT) : 0;
  const times = column(frame, FRAME_TIME);
  const end = endOf(times, count);
  let stamp = 0;
  for (let i = 0; i < count; i++) {
    put(atOpen, i, 0);
    put(inside, i, 0);
    const next = i + 1 < count ? at(times, i + 1) : end;
    for (; stamp < stamps; stamp++) {
      const time = stampTime(frame, stamp);
      if (time >= next) break;
      if (time < at(times, i)) continue; // before the first bar
      const sum = time === at(times, i) ? atOpen : inside;
      put(sum, i, at(sum, i) + fundingMark(frame, stamp, i) * at(column(frame, FRAME_FUNDING_RATE), stamp));
    }
  }
}

/** The same for one rate at fixed hours; those that fall into a hole of the candles are charged in the bar before it. */
function assumedByBar(frame: usize): void {
  const rate = at(column(frame, FRAME_RULES), RULE_ASSUMED_FUNDING);
  const count = number(frame, FRAME_COUNT);
  const times = column(frame, FRAME_TIME);
  const end = endOf(times, count);
  for (let i = 0; i < count; i++) {
    const amount = markAtOpen(frame, i) * rate;
    const time = at(times, i) / ASSUMED_EVERY_MS;
    const next = (i + 1 < count ? at(times, i + 1) : end) / ASSUMED_EVERY_MS;
    put(column(frame, FRAME_FUNDING_AT_OPEN), i, time === Math.floor(time) ? amount : 0);
    put(column(frame, FRAME_FUNDING_INSIDE), i, amount * (Math.ceil(next) - Math.floor(time) - 1));
  }
}

function sourceOf(frame: usize): i32 {
  return <i32>at(column(frame, FRAME_RULES), RULE_FUNDING_SOURCE);
}

/** True when no stretch of the candles from `start` on is longer than a funding interval without a stamp. */
export function isFundingKnown(frame: usize, start: i32): bool {
  const stamps = number(frame, FRAME_FUNDING_COUNT);
  // What is assumed or left out is not known, whatever history lies beside it.
  if (stamps < 0 || sourceOf(frame) !== FUNDING_HISTORY) return false;
  const times = column(frame, FRAME_TIME);
  const end = endOf(times, number(frame, FRAME_COUNT));
  let covered = at(times, start);
  for (let stamp = 0; stamp < stamps; stamp++) {
    const time = stampTime(frame, stamp);
    if (time < covered) continue;
    if (Math.min(time, end) - covered > FUNDING_INTERVAL_MAX_MS) return false;
    covered = time;
  }
  return end - covered <= FUNDING_INTERVAL_MAX_MS;
}

function stampTime(frame: usize, stamp: i32): f64 {
  return Math.floor(at(column(frame, FRAME_FUNDING_TIME), stamp) / STAMP_UNIT_MS) * STAMP_UNIT_MS;
}

/** The mark price sent with the stamp, else the mark price at the bar's open, else the bar's open. */
function fundingMark(frame: usize, stamp: i32, bar: i32): f64 {
  const own = column(frame, FRAME_FUNDING_MARK);
  return own !== 0 ? at(own, stamp) : markAtOpen(frame, bar);
}

function markAtOpen(frame: usize, bar: i32): f64 {
  const mark = column(frame, FRAME_MARK_OPEN);
  return at(mark !== 0 ? mark : column(frame, FRAME_OPEN), bar);
}

/** End of the last bar, taken to be as long as the one before it. */
function endOf(times: usize, count: i32): f64 {
  const last = at(times, count - 1);
  return count > 1 ? last + (last - at(times, count - 2)) : last;
}
