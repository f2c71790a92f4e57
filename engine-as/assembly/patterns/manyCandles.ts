import { at } from '../series';
import { Chart, LONG_BODY, NEAR, SHORT_BODY, VERY_SHORT_SHADOW } from './chart';

// Patterns of four and five candles, and the two that a later candle confirms. abi/patterns.ts defines each in words.

export function threeBlackCrows(c: Chart): void {
  const tinyA = c.threshold(VERY_SHORT_SHADOW, 2);
  const tinyB = c.threshold(VERY_SHORT_SHADOW, 1);
  const tiny = c.threshold(VERY_SHORT_SHADOW, 0);
  for (let i = c.first; i < c.length; i++) {
    const before = i - 3;
    const a = i - 2;
    const b = i - 1;
    if (
      c.isWhite(before) &&
      c.isBlack(a) &&
      c.lower(a) < at(tinyA, i) &&
      c.isBlack(b) &&
      c.lower(b) < at(tinyB, i) &&
      c.isBlack(i) &&
      c.lower(i) < at(tiny, i) &&
      c.opensInBlack(b, a) &&
      c.opensInBlack(i, b) &&
      c.highOf(before) > c.closesAt(a) &&
      c.closesAt(a) > c.closesAt(b) &&
      c.closesAt(b) > c.closesAt(i)
    )
      c.mark(i, -100);
  }
}

export function threeLineStrike(c: Chart): void {
  const nearA = c.threshold(NEAR, 3);
  const nearB = c.threshold(NEAR, 2);
  for (let i = c.first; i < c.length; i++) {
    const a = i - 3;
    const b = i - 2;
    const d = i - 1;
    const colour = c.colour(d);
    if (c.colour(a) !== colour || c.colour(b) !== colour || c.colour(i) !== -colour) continue;
    if (!(isNearBody(c, b, a, at(nearA, i)) && isNearBody(c, d, b, at(nearB, i)))) continue;
    const strikes =
      colour > 0
        ? c.closesAt(d) > c.closesAt(b) &&
          c.closesAt(b) > c.closesAt(a) &&
          c.opensAt(i) > c.closesAt(d) &&
          c.closesAt(i) < c.opensAt(a)
        : c.closesAt(d) < c.closesAt(b) &&
          c.closesAt(b) < c.closesAt(a) &&
          c.opensAt(i) < c.closesAt(d) &&
          c.closesAt(i) > c.opensAt(a);
    if (strikes) c.mark(i, 100 * colour);
  }
}

/** Opens within the body of the candle before, or near it. */
function isNearBody(c: Chart, i: i32, before: i32, near: f64): bool {
  return c.opensAt(i) >= c.bottom(before) - near && c.opensAt(i) <= c.top(before) + near;
}

export function concealingBabySwallow(c: Chart): void {
  const tinyA = c.threshold(VERY_SHORT_SHADOW, 3);
  const tinyB = c.threshold(VERY_SHORT_SHADOW, 2);
  const tinyD = c.threshold(VERY_SHORT_SHADOW, 1);
  for (let i = c.first; i < c.length; i++) {
    const a = i - 3;
    const b = i - 2;
    const d = i - 1;
    if (
      c.isBlack(a) &&
      c.isBlack(b) &&
      c.isBlack(d) &&
      c.isBlack(i) &&
      c.lower(a) < at(tinyA, i) &&
      c.upper(a) < at(tinyA, i) &&
      c.lower(b) < at(tinyB, i) &&
      c.upper(b) < at(tinyB, i) &&
      c.gapsDown(d, b) &&
      c.upper(d) > at(tinyD, i) &&
      c.highOf(d) > c.closesAt(b) &&
      c.highOf(i) > c.highOf(d) &&
      c.lowOf(i) < c.lowOf(d)
    )
      c.mark(i, 100);
  }
}

export function breakaway(c: Chart): void {
  const long = c.threshold(LONG_BODY, 4);
  for (let i = c.first; i < c.length; i++) {
    const a = i - 4;
    const b = i - 3;
    const colour = c.colour(a);
    if (!(c.body(a) > at(long, i)) || c.colour(b) !== colour || c.colour(i - 1) !== colour || c.colour(i) !== -colour)
      continue;
    if (colour < 0) {
      const falls = c.gapsDown(b, a) && isBelow(c, i - 2, b) && isBelow(c, i - 1, i - 2);
      if (falls && c.closesAt(i) > c.opensAt(b) && c.closesAt(i) < c.closesAt(a)) c.mark(i, 100);
    } else {
      const climbs = c.gapsUp(b, a) && isBelow(c, b, i - 2) && isBelow(c, i - 2, i - 1);
      if (climbs && c.closesAt(i) < c.opensAt(b) && c.closesAt(i) > c.closesAt(a)) c.mark(i, -100);
    }
  }
}

/** Lower high and lower low. */
function isBelow(c: Chart, i: i32, other: i32): bool {
  return c.highOf(i) < c.highOf(other) && c.lowOf(i) < c.lowOf(other);
}

/** The range of `i` is within the range of the candle before, edges excluded. */
function isInsideBar(c: Chart, i: i32): bool {
  return c.highOf(i) < c.highOf(i - 1) && c.lowOf(i) > c.lowOf(i - 1);
}

export function ladderBottom(c: Chart): void {
  const tiny = c.threshold(VERY_SHORT_SHADOW, 1);
  for (let i = c.first; i < c.length; i++) {
    const a = i - 4;
    const b = i - 3;
    const d = i - 2;
    const e = i - 1;
    if (
      c.isBlack(a) &&
      c.isBlack(b) &&
      c.isBlack(d) &&
      c.opensAt(a) > c.opensAt(b) &&
      c.opensAt(b) > c.opensAt(d) &&
      c.closesAt(a) > c.closesAt(b) &&
      c.closesAt(b) > c.closesAt(d) &&
      c.isBlack(e) &&
      c.upper(e) > at(tiny, i) &&
      c.isWhite(i) &&
      c.opensAt(i) > c.opensAt(e) &&
      c.closesAt(i) > c.highOf(e)
    )
      c.mark(i, 100);
  }
}

export function matHold(c: Chart, penetration: f64): void {
  const long = c.threshold(LONG_BODY, 4);
  const shortB = c.threshold(SHORT_BODY, 3);
  const shortD = c.threshold(SHORT_BODY, 2);
  const shortE = c.threshold(SHORT_BODY, 1);
  for (let i = c.first; i < c.length; i++) {
    const a = i - 4;
    const b = i - 3;
    const d = i - 2;
    const e = i - 1;
    const floor = c.closesAt(a) - c.body(a) * penetration;
    if (
      c.body(a) > at(long, i) &&
      c.body(b) < at(shortB, i) &&
      c.body(d) < at(shortD, i) &&
      c.body(e) < at(shortE, i) &&
      c.isWhite(a) &&
      c.isBlack(b) &&
      c.isWhite(i) &&
      c.gapsUp(b, a) &&
      c.bottom(d) < c.closesAt(a) &&
      c.bottom(e) < c.closesAt(a) &&
      c.bottom(d) > floor &&
      c.bottom(e) > floor &&
      c.top(d) < c.opensAt(b) &&
      c.top(e) < c.top(d) &&
      c.opensAt(i) > c.closesAt(e) &&
      c.closesAt(i) > max(max(c.highOf(b), c.highOf(d)), c.highOf(e))
    )
      c.mark(i, 100);
  }
}

export function threeMethods(c: Chart): void {
  const longA = c.threshold(LONG_BODY, 4);
  const shortB = c.threshold(SHORT_BODY, 3);
  const shortD = c.threshold(SHORT_BODY, 2);
  const shortE = c.threshold(SHORT_BODY, 1);
  const long = c.threshold(LONG_BODY, 0);
  for (let i = c.first; i < c.length; i++) {
    const a = i - 4;
    const b = i - 3;
    const d = i - 2;
    const e = i - 1;
    const colour = c.colour(a);
    const sign = <f64>colour;
    if (
      c.body(a) > at(longA, i) &&
      c.body(b) < at(shortB, i) &&
      c.body(d) < at(shortD, i) &&
      c.body(e) < at(shortE, i) &&
      c.body(i) > at(long, i) &&
      c.colour(b) === -colour &&
      c.colour(d) === -colour &&
      c.colour(e) === -colour &&
      c.colour(i) === colour &&
      touchesRange(c, b, a) &&
      touchesRange(c, d, a) &&
      touchesRange(c, e, a) &&
      c.closesAt(d) * sign < c.closesAt(b) * sign &&
      c.closesAt(e) * sign < c.closesAt(d) * sign &&
      c.opensAt(i) * sign > c.closesAt(e) * sign &&
      c.closesAt(i) * sign > c.closesAt(a) * sign
    )
      c.mark(i, 100 * colour);
  }
}

/** A part of the body of `i` lies within the range of `other`. */
function touchesRange(c: Chart, i: i32, other: i32): bool {
  return c.bottom(i) < c.highOf(other) && c.top(i) > c.lowOf(other);
}

export function hikkake(c: Chart): void {
  let confirms = 0;
  let result = 0;
  for (let i = c.first - 3; i < c.length; i++) {
    const direction = isInsideBar(c, i - 1) ? leaves(c, i) : 0;
    if (direction !== 0) {
      result = 100 * direction;
      confirms = i;
      if (i >= c.first) c.mark(i, result);
    } else if (confirms > 0 && i <= confirms + 3 && isConfirmed(c, i, confirms - 1, result)) {
      confirms = 0;
      if (i >= c.first) c.mark(i, 2 * result);
    }
  }
}

export function modifiedHikkake(c: Chart): void {
  const near = c.thresholdFrom(NEAR, 2, c.first - 3);
  let confirms = 0;
  let result = 0;
  for (let i = c.first - 3; i < c.length; i++) {
    let direction = isInsideBar(c, i - 2) && isInsideBar(c, i - 1) ? leaves(c, i) : 0;
    const close = c.closesAt(i - 2);
    if (direction > 0 && !(close <= c.lowOf(i - 2) + at(near, i))) direction = 0;
    if (direction < 0 && !(close >= c.highOf(i - 2) - at(near, i))) direction = 0;
    if (direction !== 0) {
      result = 100 * direction;
      confirms = i;
      if (i >= c.first) c.mark(i, result);
    } else if (confirms > 0 && i <= confirms + 3 && isConfirmed(c, i, confirms - 1, result)) {
      confirms = 0;
      if (i >= c.first) c.mark(i, 2 * result);
    }
  }
}

/** 1 when both ends of the range fall below those of the candle before (a trap for sellers), -1 when both rise above, 0 otherwise. */
function leaves(c: Chart, i: i32): i32 {
  if (isBelow(c, i, i - 1)) return 1;
  return isBelow(c, i - 1, i) ? -1 : 0;
}

/** Closes beyond the inside bar in the expected direction. */
function isConfirmed(c: Chart, i: i32, insideBar: i32, result: i32): bool {
  return result > 0 ? c.closesAt(i) > c.highOf(insideBar) : c.closesAt(i) < c.lowOf(insideBar);
}
