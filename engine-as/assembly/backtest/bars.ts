import {
  BAR_ATR,
  BAR_FUNDING_AT_OPEN,
  BAR_FUNDING_INSIDE,
  BAR_HIGH,
  BAR_LENGTH,
  BAR_LOW,
  BAR_MARK_HIGH,
  BAR_MARK_LOW,
  BAR_MARK_OPEN,
  BAR_OPEN,
  BAR_TIME,
  BAR_VOLUME,
  FRAME_ATR,
  FRAME_BAR,
  FRAME_COUNT,
  FRAME_FINE_COUNT,
  FRAME_FINE_TIME,
  FRAME_FUNDING_AT_OPEN,
  FRAME_FUNDING_INSIDE,
  FRAME_MARK_HIGH,
  FRAME_MARK_LOW,
  FRAME_MARK_OPEN,
  FRAME_PARTS,
  FRAME_TIME,
} from '../../abi/backtest';
import { addressOf, at, put } from '../series';
import { endOf, fineInterval } from './clock';
import { column, number } from './frame';

/** Copies candle `i` and what belongs to it into the frame's bar and returns its address. */
export function readBar(frame: usize, i: i32): usize {
  const bar = column(frame, FRAME_BAR);
  readCandle(frame, FRAME_TIME, i, bar);
  if (column(frame, FRAME_MARK_OPEN) !== 0) {
    put(bar, BAR_MARK_OPEN, at(column(frame, FRAME_MARK_OPEN), i));
    put(bar, BAR_MARK_HIGH, at(column(frame, FRAME_MARK_HIGH), i));
    put(bar, BAR_MARK_LOW, at(column(frame, FRAME_MARK_LOW), i));
  }
  if (column(frame, FRAME_ATR) !== 0) put(bar, BAR_ATR, at(column(frame, FRAME_ATR), i));
  put(bar, BAR_FUNDING_AT_OPEN, at(column(frame, FRAME_FUNDING_AT_OPEN), i));
  put(bar, BAR_FUNDING_INSIDE, at(column(frame, FRAME_FUNDING_INSIDE), i));
  return bar;
}

/** Candle `i` of six adjoining column slots (time first); its own prices stand in for the mark price. */
function readCandle(frame: usize, firstSlot: i32, i: i32, bar: usize): void {
  // BAR_TIME..BAR_VOLUME are in the order of the columns.
  for (let field = BAR_TIME; field <= BAR_VOLUME; field++) put(bar, field, at(column(frame, firstSlot + field), i));
  put(bar, BAR_MARK_OPEN, at(bar, BAR_OPEN));
  put(bar, BAR_MARK_HIGH, at(bar, BAR_HIGH));
  put(bar, BAR_MARK_LOW, at(bar, BAR_LOW));
  put(bar, BAR_ATR, NaN);
  put(bar, BAR_FUNDING_AT_OPEN, 0);
  put(bar, BAR_FUNDING_INSIDE, 0);
}

/**
 * Copies the finer candles inside candle `i` to the frame's parts and returns their number. None unless they cover the whole
 * candle: with one missing the order is unknown.
 */
export function readParts(frame: usize, i: i32): i32 {
  const parts = column(frame, FRAME_PARTS);
  const first = firstPart(frame, at(column(frame, FRAME_TIME), i));
  const last = firstPart(frame, endOf(frame, i));
  if (!isCovering(frame, i, first, last)) return 0;
  for (let part = first; part < last; part++) {
    readCandle(frame, FRAME_FINE_TIME, part, addressOf(parts, (part - first) * BAR_LENGTH));
  }
  return last - first;
}

/** Most finer candles inside one candle: the room that readParts needs. */
export function partCountMax(frame: usize): i32 {
  if (number(frame, FRAME_FINE_COUNT) === 0) return 0;
  let most = 0;
  for (let i = 0; i < number(frame, FRAME_COUNT); i++) {
    most = max(most, firstPart(frame, nextTime(frame, i)) - firstPart(frame, at(column(frame, FRAME_TIME), i)));
  }
  return most;
}

function nextTime(frame: usize, i: i32): f64 {
  return i + 1 < number(frame, FRAME_COUNT) ? at(column(frame, FRAME_TIME), i + 1) : Infinity;
}

/** Finer candles [first, last) lie end to end from the open of candle `i` to its end. */
function isCovering(frame: usize, i: i32, first: i32, last: i32): bool {
  const times = column(frame, FRAME_FINE_TIME);
  const interval = fineInterval(frame, last - 1);
  let due = at(column(frame, FRAME_TIME), i);
  for (let part = first; part < last; part++) {
    if (at(times, part) !== due) return false;
    due += interval;
  }
  return due === endOf(frame, i); // false for NaN: a single finer candle has no interval
}

/** Index of the first finer candle at or after `time` (binary search). */
function firstPart(frame: usize, time: f64): i32 {
  const times = column(frame, FRAME_FINE_TIME);
  let low = 0;
  let high = number(frame, FRAME_FINE_COUNT);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(times, middle) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
