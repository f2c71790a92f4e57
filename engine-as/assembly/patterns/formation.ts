import * as kinds from '../../abi/formationKinds';
import { STATUS_BAD_PARAMETER, STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { closeOf, highOf, lowOf } from '../columns';
import { arenaMark, arenaRelease, arenaReserve } from '../memory';
import { at } from '../series';

/** Input candles, their swings so far and the output address. Lives in the arena. */
@unmanaged
class Swings {
  high: usize;
  low: usize;
  close: usize;
  length: i32;
  out: usize;
  anchors: usize;
  /** i32[length]: alternating extremes, 2 * candle + 1 for a high, 2 * candle for a low. */
  extremes: usize;
  count: i32;
  /** i32[length]: candles of the swings of one side, for levels. */
  touches: usize;
  touchCount: i32;
  /** The newest extreme of the last formation that was reported: each is reported once. */
  reported: i32;

  /** Code of the extreme `back` before the newest. */
  code(back: i32): i32 {
    return load<i32>(this.extremes + ((<usize>(this.count - 1 - back)) << 2));
  }

  candle(back: i32): i32 {
    return this.code(back) >> 1;
  }

  isHigh(back: i32): bool {
    return (this.code(back) & 1) === 1;
  }

  price(back: i32): f64 {
    const candle = this.candle(back);
    return this.isHigh(back) ? at(this.high, candle) : at(this.low, candle);
  }

  /** Takes a confirmed swing. Of two on one side the farther one stays. True when the newest extreme is another one. */
  add(candle: i32, isHigh: bool): bool {
    const code = (candle << 1) | (isHigh ? 1 : 0);
    if (this.count > 0 && this.isHigh(0) === isHigh) {
      const isFarther = isHigh ? at(this.high, candle) > this.price(0) : at(this.low, candle) < this.price(0);
      if (!isFarther) return false;
      this.count = this.count - 1;
    }
    store<i32>(this.extremes + ((<usize>this.count) << 2), code);
    this.count = this.count + 1;
    return true;
  }

  mark(i: i32, value: i32): void {
    store<i16>(this.out + ((<usize>i) << 1), <i16>value);
  }

  anchor(i: i32, place: i32, candle: i32): void {
    store<i32>(this.anchors + ((<usize>(i * kinds.ANCHORS_MAX + place)) << 2), candle);
  }

  meanRange(before: i32): f64 {
    let sum: f64 = 0;
    for (let i = before - kinds.RANGE_CANDLES; i < before; i++) sum += at(this.high, i) - at(this.low, i);
    return sum / <f64>kinds.RANGE_CANDLES;
  }
}

/** See abi/formationExports.ts. */
export function formation(kind: i32, columns: usize, length: i32, out: usize, anchors: usize): i32 {
  if (kind < 0 || kind >= kinds.FORMATION_COUNT) return STATUS_BAD_PARAMETER;
  const mark = arenaMark();
  const place = arenaReserve(offsetof<Swings>());
  const extremes = arenaReserve((<usize>length) << 2);
  const touches = arenaReserve((<usize>length) << 2);
  if (place === 0 || extremes === 0 || touches === 0) {
    arenaRelease(mark);
    return STATUS_OUT_OF_MEMORY;
  }
  memory.fill(out, 0, (<usize>length) << 1);
  memory.fill(anchors, 0xff, (<usize>(length * kinds.ANCHORS_MAX)) << 2);
  const s = changetype<Swings>(place);
  s.high = highOf(columns);
  s.low = lowOf(columns);
  s.close = closeOf(columns);
  s.length = length;
  s.out = out;
  s.anchors = anchors;
  s.extremes = extremes;
  s.count = 0;
  s.touches = touches;
  s.touchCount = 0;
  s.reported = -1;
  if (kind === kinds.FORMATION_FLAG) findFlags(s);
  else if (kind === kinds.FORMATION_SUPPORT || kind === kinds.FORMATION_RESISTANCE) findLevels(s, kind);
  else findShapes(s, kind);
  arenaRelease(mark);
  return STATUS_OK;
}

/** Above the wing before it, and not below the wing after it: of equal highs the first counts. */
function isSwingHigh(s: Swings, c: i32): bool {
  const top = at(s.high, c);
  for (let k = 1; k <= kinds.SWING_WING; k++) if (at(s.high, c - k) >= top || at(s.high, c + k) > top) return false;
  return true;
}

function isSwingLow(s: Swings, c: i32): bool {
  const bottom = at(s.low, c);
  for (let k = 1; k <= kinds.SWING_WING; k++) if (at(s.low, c - k) <= bottom || at(s.low, c + k) < bottom) return false;
  return true;
}

/** The swing that candle `i` confirms is taken; a candle that is both a high and a low is neither. True when there is a new extreme. */
function takeSwing(s: Swings, i: i32): bool {
  const c = i - kinds.SWING_WING;
  const isHigh = isSwingHigh(s, c);
  if (isHigh === isSwingLow(s, c)) return false;
  return s.add(c, isHigh);
}

function findShapes(s: Swings, kind: i32): void {
  for (let i = 2 * kinds.SWING_WING; i < s.length; i++) {
    const isNew = takeSwing(s, i);
    if (s.count < 4 || s.code(0) === s.reported || i - s.candle(0) > kinds.FORMATION_AGE_MAX) continue;
    if (kind <= kinds.FORMATION_DOUBLE_BOTTOM) double(s, i, kind === kinds.FORMATION_DOUBLE_TOP ? 1 : -1);
    else if (kind <= kinds.FORMATION_INVERSE_HEAD_AND_SHOULDERS)
      headAndShoulders(s, i, kind === kinds.FORMATION_HEAD_AND_SHOULDERS ? 1 : -1);
    else if (kind === kinds.FORMATION_CHANNEL) {
      if (isNew) channel(s, i);
    } else triangle(s, i, kind);
  }
}

function report(s: Swings, i: i32, value: i32, anchorCount: i32): void {
  s.mark(i, value);
  s.reported = s.code(0);
  for (let place = 0; place < anchorCount; place++) s.anchor(i, place, s.candle(anchorCount - 1 - place));
}

/** `turn` 1: a top; -1: a bottom, whose prices are turned upside down. */
function double(s: Swings, i: i32, turn: f64): void {
  if (s.isHigh(0) !== turn > 0) return;
  const second = turn * s.price(0);
  const between = turn * s.price(1);
  const first = turn * s.price(2);
  const height = max(first, second) - between;
  if (
    abs(first - second) <= kinds.FORMATION_TOLERANCE * height &&
    s.candle(0) - s.candle(2) >= kinds.DOUBLE_GAP_MIN &&
    turn * s.price(3) < between &&
    turn * at(s.close, i) < between
  )
    report(s, i, <i32>(-100 * turn), 3);
}

function lineAt(x1: i32, y1: f64, x2: i32, y2: f64, x: i32): f64 {
  return y1 + ((y2 - y1) * <f64>(x - x1)) / <f64>(x2 - x1);
}

function headAndShoulders(s: Swings, i: i32, turn: f64): void {
  if (s.count < 5 || s.isHigh(0) !== turn > 0) return;
  const right = turn * s.price(0);
  const rightNeck = turn * s.price(1);
  const head = turn * s.price(2);
  const leftNeck = turn * s.price(3);
  const left = turn * s.price(4);
  const slack = kinds.FORMATION_TOLERANCE * (head - (leftNeck + rightNeck) / 2);
  if (
    head > left &&
    head > right &&
    abs(left - right) <= slack &&
    abs(leftNeck - rightNeck) <= slack &&
    turn * at(s.close, i) < lineAt(s.candle(3), leftNeck, s.candle(1), rightNeck, i)
  )
    report(s, i, <i32>(-100 * turn), 5);
}

function triangle(s: Swings, i: i32, kind: i32): void {
  const h = s.isHigh(0) ? 0 : 1;
  const l = 1 - h;
  const top = max(s.price(h), s.price(h + 2));
  const bottom = min(s.price(l), s.price(l + 2));
  const slack = kinds.FORMATION_TOLERANCE * (top - bottom);
  const fall = s.price(h + 2) - s.price(h);
  const rise = s.price(l) - s.price(l + 2);
  const isFlatTop = abs(fall) <= slack;
  const isFlatBottom = abs(rise) <= slack;
  const isShape =
    kind === kinds.FORMATION_ASCENDING_TRIANGLE
      ? isFlatTop && rise > slack
      : kind === kinds.FORMATION_DESCENDING_TRIANGLE
        ? isFlatBottom && fall > slack
        : fall > slack && rise > slack;
  if (!isShape) return;
  const upper = lineAt(s.candle(h + 2), s.price(h + 2), s.candle(h), s.price(h), i);
  const lower = lineAt(s.candle(l + 2), s.price(l + 2), s.candle(l), s.price(l), i);
  // Beyond the apex the lines have crossed.
  if (upper <= lower) return;
  const close = at(s.close, i);
  if (close > upper) report(s, i, 100, 4);
  else if (close < lower) report(s, i, -100, 4);
}

function channel(s: Swings, i: i32): void {
  const h = s.isHigh(0) ? 0 : 1;
  const l = 1 - h;
  const end = s.candle(0);
  const span = <f64>(end - s.candle(3));
  const upperSlope = (s.price(h) - s.price(h + 2)) / <f64>(s.candle(h) - s.candle(h + 2));
  const lowerSlope = (s.price(l) - s.price(l + 2)) / <f64>(s.candle(l) - s.candle(l + 2));
  const upper = lineAt(s.candle(h + 2), s.price(h + 2), s.candle(h), s.price(h), end);
  const lower = lineAt(s.candle(l + 2), s.price(l + 2), s.candle(l), s.price(l), end);
  const width = upper - lower;
  if (
    width > 0 &&
    upperSlope * lowerSlope > 0 &&
    abs(upperSlope - lowerSlope) * span <= kinds.FORMATION_TOLERANCE * width &&
    min(abs(upperSlope), abs(lowerSlope)) * span >= kinds.CHANNEL_RISE_MIN * width
  )
    report(s, i, upperSlope > 0 ? 100 : -100, 4);
}

/** The newest pole of each direction; -1: none. */
function findFlags(s: Swings): void {
  let upFrom = -1;
  let upTo = -1;
  let downFrom = -1;
  let downTo = -1;
  for (let i = 2 * kinds.SWING_WING; i < s.length; i++) {
    if (takeSwing(s, i) && isPole(s)) {
      if (s.isHigh(0)) {
        upFrom = s.candle(1);
        upTo = s.candle(0);
      } else {
        downFrom = s.candle(1);
        downTo = s.candle(0);
      }
    }
    if (upTo >= 0 && isFlagOver(s, i, 1, upFrom, upTo)) upTo = -1;
    if (downTo >= 0 && isFlagOver(s, i, -1, downFrom, downTo)) downTo = -1;
  }
}

function isPole(s: Swings): bool {
  if (s.count < 2) return false;
  const from = s.candle(1);
  if (from < kinds.RANGE_CANDLES || s.candle(0) - from > kinds.POLE_CANDLES_MAX) return false;
  return abs(s.price(0) - s.price(1)) >= kinds.POLE_RANGES_MIN * s.meanRange(from);
}

/** Reports a flag that candle `i` leaves in the direction of its pole. True when the search for this flag is over. */
function isFlagOver(s: Swings, i: i32, turn: f64, from: i32, to: i32): bool {
  const head = turn > 0 ? at(s.high, to) : -at(s.low, to);
  const foot = turn > 0 ? at(s.low, from) : -at(s.high, from);
  const deepest = head - kinds.FLAG_RETRACEMENT_MAX * (head - foot);
  for (let k = to + 1; k <= i; k++) {
    const low = turn > 0 ? at(s.low, k) : -at(s.high, k);
    if (low < deepest) return true;
  }
  const candles = i - to;
  if (candles > kinds.FLAG_CANDLES_MAX) return true;
  if (turn * at(s.close, i) <= head) return false;
  if (candles >= kinds.FLAG_CANDLES_MIN) {
    s.mark(i, <i32>(100 * turn));
    s.anchor(i, 0, from);
    s.anchor(i, 1, to);
    s.anchor(i, 2, i);
  }
  return true;
}

function findLevels(s: Swings, kind: i32): void {
  const isSupport = kind === kinds.FORMATION_SUPPORT;
  const side = isSupport ? s.low : s.high;
  for (let i = 2 * kinds.SWING_WING; i < s.length; i++) {
    const c = i - kinds.SWING_WING;
    const isHigh = isSwingHigh(s, c);
    if (isHigh === isSwingLow(s, c) || isHigh === isSupport) continue;
    if (c >= kinds.RANGE_CANDLES) touch(s, i, c, side, isSupport ? 100 : -100);
    store<i32>(s.touches + ((<usize>s.touchCount) << 2), c);
    s.touchCount = s.touchCount + 1;
  }
}

/** Reports the level when enough earlier swings lie at it. */
function touch(s: Swings, i: i32, c: i32, side: usize, value: i32): void {
  const level = at(side, c);
  const slack = kinds.LEVEL_RANGES_MAX * s.meanRange(c);
  let count = 1;
  for (let k = s.touchCount - 1; k >= 0; k--) {
    const before = load<i32>(s.touches + ((<usize>k) << 2));
    if (c - before > kinds.LEVEL_CANDLES_MAX) break;
    if (abs(at(side, before) - level) > slack) continue;
    if (count < kinds.ANCHORS_MAX) s.anchor(i, count, before);
    count++;
  }
  s.anchor(i, 0, c);
  if (count >= kinds.LEVEL_TOUCHES_MIN) s.mark(i, value);
  else for (let place = 0; place < kinds.ANCHORS_MAX; place++) s.anchor(i, place, -1);
}
