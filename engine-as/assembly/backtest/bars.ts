import { Bar, Frame } from '../records.gen';
import { barAt, copyCandle } from '../rows';
import { at } from '../series';
import { endOf, fineInterval } from './clock';

/** Copies candle `i` and what belongs to it into the frame's bar and returns it. */
export function readBar(frame: Frame, i: i32): Bar {
  const bar = frame.bar;
  copyCandle(changetype<usize>(frame) + offsetof<Frame>('time'), i, bar);
  if (frame.markOpen !== 0) {
    bar.markOpen = at(frame.markOpen, i);
    bar.markHigh = at(frame.markHigh, i);
    bar.markLow = at(frame.markLow, i);
  }
  if (frame.atr !== 0) bar.atr = at(frame.atr, i);
  bar.fundingAtOpen = at(frame.fundingAtOpen, i);
  bar.fundingInside = at(frame.fundingInside, i);
  return bar;
}

/**
 * Copies the finer candles inside candle `i` to the frame's parts and returns their number. None unless they cover the whole
 * candle: with one missing the order is unknown.
 */
export function readParts(frame: Frame, i: i32): i32 {
  const parts = frame.parts;
  const columns = changetype<usize>(frame) + offsetof<Frame>('fineTime');
  const first = firstPart(frame, at(frame.time, i));
  const last = firstPart(frame, endOf(frame, i));
  if (!isCovering(frame, i, first, last)) return 0;
  for (let part = first; part < last; part++) {
    copyCandle(columns, part, barAt(parts, part - first));
  }
  return last - first;
}

/** Most finer candles inside one candle: the room that readParts needs. */
export function partCountMax(frame: Frame): i32 {
  if (frame.fineCount === 0) return 0;
  let most = 0;
  for (let i = 0; i < frame.count; i++) {
    most = max(most, firstPart(frame, nextTime(frame, i)) - firstPart(frame, at(frame.time, i)));
  }
  return most;
}

function nextTime(frame: Frame, i: i32): f64 {
  return i + 1 < frame.count ? at(frame.time, i + 1) : Infinity;
}

/** Finer candles [first, last) lie end to end from the open of candle `i` to its end. */
function isCovering(frame: Frame, i: i32, first: i32, last: i32): bool {
  const times = frame.fineTime;
  const interval = fineInterval(frame, last - 1);
  let due = at(frame.time, i);
  for (let part = first; part < last; part++) {
    if (at(times, part) !== due) return false;
    due += interval;
  }
  return due === endOf(frame, i); // false for NaN: a single finer candle has no interval
}

/** Index of the first finer candle at or after `time` (binary search). */
function firstPart(frame: Frame, time: f64): i32 {
  const times = frame.fineTime;
  let low = 0;
  let high = frame.fineCount;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(times, middle) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
