import { FUNDING_ASSUMED, FUNDING_HISTORY } from '../../abi/backtest';
import { Frame } from '../records.gen';
import { at, put } from '../series';

/** Longest time between two fundings on the supported venues; a longer gap in the history means that stamps are missing. */
const FUNDING_INTERVAL_MAX_MS: f64 = 8 * 3600 * 1000;
/** Venues stamp a funding some milliseconds after the moment it is charged for. */
const STAMP_UNIT_MS: f64 = 1000;

/** An assumed funding falls due at 0, 8 and 16 h UTC. */
const ASSUMED_EVERY_MS: f64 = 8 * 3600 * 1000;

/** Sums mark x rate of each bar's fundings into the frame's two columns: at its open, and after it until the next open. */
export function fundingByBar(frame: Frame): void {
  const source = sourceOf(frame);
  if (source === FUNDING_ASSUMED) return assumedByBar(frame);
  const atOpen = frame.fundingAtOpen;
  const inside = frame.fundingInside;
  const count = frame.count;
  const stamps = source === FUNDING_HISTORY ? frame.fundingCount : 0;
  const times = frame.time;
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
      put(sum, i, at(sum, i) + fundingMark(frame, stamp, i) * at(frame.fundingRate, stamp));
    }
  }
}

/** The same for one rate at fixed hours; those that fall into a hole of the candles are charged in the bar before it. */
function assumedByBar(frame: Frame): void {
  const rate = frame.rules.assumedFunding;
  const count = frame.count;
  const times = frame.time;
  const end = endOf(times, count);
  for (let i = 0; i < count; i++) {
    const amount = markAtOpen(frame, i) * rate;
    const time = at(times, i) / ASSUMED_EVERY_MS;
    const next = (i + 1 < count ? at(times, i + 1) : end) / ASSUMED_EVERY_MS;
    put(frame.fundingAtOpen, i, time === Math.floor(time) ? amount : 0);
    put(frame.fundingInside, i, amount * (Math.ceil(next) - Math.floor(time) - 1));
  }
}

function sourceOf(frame: Frame): i32 {
  return <i32>frame.rules.fundingSource;
}

/** True when no stretch of the candles from `start` on is longer than a funding interval without a stamp. */
export function isFundingKnown(frame: Frame, start: i32): bool {
  const stamps = frame.fundingCount;
  // Assumed and left-out funding counts as unknown, even where a history is given too.
  if (stamps < 0 || sourceOf(frame) !== FUNDING_HISTORY) return false;
  const times = frame.time;
  const end = endOf(times, frame.count);
  let covered = at(times, start);
  for (let stamp = 0; stamp < stamps; stamp++) {
    const time = stampTime(frame, stamp);
    if (time < covered) continue;
    if (Math.min(time, end) - covered > FUNDING_INTERVAL_MAX_MS) return false;
    covered = time;
  }
  return end - covered <= FUNDING_INTERVAL_MAX_MS;
}

function stampTime(frame: Frame, stamp: i32): f64 {
  return Math.floor(at(frame.fundingTime, stamp) / STAMP_UNIT_MS) * STAMP_UNIT_MS;
}

/** The mark price sent with the stamp, else the mark price at the bar's open, else the bar's open. */
function fundingMark(frame: Frame, stamp: i32, bar: i32): f64 {
  const own = frame.fundingMark;
  return own !== 0 ? at(own, stamp) : markAtOpen(frame, bar);
}

function markAtOpen(frame: Frame, bar: i32): f64 {
  const mark = frame.markOpen;
  return at(mark !== 0 ? mark : frame.open, bar);
}

/** End of the last bar, taken to be as long as the one before it. */
function endOf(times: usize, count: i32): f64 {
  const last = at(times, count - 1);
  return count > 1 ? last + (last - at(times, count - 2)) : last;
}
