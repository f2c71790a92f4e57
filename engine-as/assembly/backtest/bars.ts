import { Bar, Frame } from '../records.gen';
import { barAt, copyCandle } from '../rows';
import { at } from '../series';
import { endOf, fineInterval } from './clock';

/** Copies candle `i` and what belongs to it into the frame's bar and returns it. */
export function readBar(frame: Frame, i: i32): Bar {
  const bar = frame.bar;
  copyCandle(changetype<usize>(frame) + offsetof<Frame>('time'), i, bar);
  if (frame.markOpen !== 0) copyMark(frame, i, bar);
  if (frame.atr !== 0) bar.atr = at(frame.atr, i);
  bar.fundingAtOpen = at(frame.fundingAtOpen, i);
  bar.fundingInside = at(frame.fundingInside, i);
  if (frame.impact !== 0) bar.impact = at(frame.impact, i);
  return bar;
}

/** Copies the mark prices of candle `i` into `bar`. */
export function copyMark(frame: Frame, i: i32, bar: Bar): void {
  bar.markOpen = at(frame.markOpen, i);
  bar.markHigh = at(frame.markHigh, i);
  bar.markLow = at(frame.markLow, i);
}

/** Room for the range of readParts. */
const range: usize = memory.data(8);

/**
 * Copies the finer candles inside candle `i` to the frame's parts and returns their number. None unless they cover the whole
 * candle: with one missing the order is unknown.
 */
export function readParts(frame: Frame, i: i32): i32 {
  findParts(frame, i, range);
  return copyParts(frame, load<i32>(range), load<i32>(range, 4));
}

/** Writes the indices of the first finer candle of candle `i` and of the one after its last, i32[2]; equal unless they cover it. */
export function findParts(frame: Frame, i: i32, found: usize): void {
  const first = firstPart(frame, at(frame.time, i));
  const last = firstPart(frame, endOf(frame, i));
  store<i32>(found, first);
  store<i32>(found, isCovering(frame, i, first, last) ? last : first, 4);
}

/** Copies finer candles [first, last) to the frame's parts and returns their number. */
export function copyParts(frame: Frame, first: i32, last: i32): i32 {
  const parts = frame.parts;
  const columns = changetype<usize>(frame) + offsetof<Frame>('fineTime');
  for (let part = first; part < last; part++) {
    copyCandle(columns, part, barAt(parts, part - first));
  }
  return last - first;
}

/** Most finer candles inside one candle: the room that readParts needs for a run that ends anywhere. */
export function partCountMax(frame: Frame): i32 {
  if (frame.fineCount === 0) return 0;
  let most = 0;
  for (let i = 0; i < frame.count; i++) {
    most = max(most, firstPart(frame, latestEnd(frame, i)) - firstPart(frame, at(frame.time, i)));
  }
  return most;
}

/** Upper bound of the end of candle `i`, epoch ms: the next open, or its open plus the length of the candle before it if that is later. */
function latestEnd(frame: Frame, i: i32): f64 {
  const times = frame.time;
  const open = at(times, i);
  const due = i > 0 ? open + (open - at(times, i - 1)) : open;
  return i + 1 < frame.count ? Math.max(at(times, i + 1), due) : due;
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
