import { at } from '../series';
import {
  Chart,
  DOJI_BODY,
  EQUAL,
  FAR,
  LONG_BODY,
  LONG_SHADOW,
  NEAR,
  SHORT_BODY,
  SHORT_SHADOW,
  VERY_SHORT_SHADOW,
} from './chart';

// Long because the patterns of three candles are many, each independent.
// Patterns of three candles: `a`, `b` and `i`. abi/patterns.ts defines each in words.

export function twoCrows(c: Chart): void {
  const long = c.threshold(LONG_BODY, 2);
  for (let i = c.first; i < c.length; i++) {
    const a = i - 2;
    const b = i - 1;
    if (
      c.isWhite(a) &&
      c.body(a) > at(long, i) &&
      c.isBlack(b) &&
      c.gapsUp(b, a) &&
      c.isBlack(i) &&
      c.opensInBlack(i, b) &&
      c.closesAt(i) > c.opensAt(a) &&
      c.closesAt(i) < c.closesAt(a)
    )
      c.mark(i, -100);
  }
}

export function upsideGapTwoCrows(c: Chart): void {
  const long = c.threshold(LONG_BODY, 2);
  const short = c.threshold(SHORT_BODY, 1);
  for (let i = c.first; i < c.length; i++) {
    const a = i - 2;
    const b = i - 1;
    if (
      c.isWhite(a) &&
      c.body(a) > at(long, i) &&
      c.isBlack(b) &&
      c.body(b) <= at(short, i) &&
      c.gapsUp(b, a) &&
      c.isBlack(i) &&
      c.opensAt(i) > c.opensAt(b) &&
      c.closesAt(i) < c.closesAt(b) &&
      c.closesAt(i) > c.closesAt(a)
    )
      c.mark(i, -100);
  }
}

export function threeInside(c: Chart): void {
  const long = c.threshold(LONG_BODY, 2);
  const short = c.threshold(SHORT_BODY, 1);
  for (let i = c.first; i < c.length; i++) {
    const a = i - 2;
    const b = i - 1;
    const turns = c.isWhite(a)
      ? c.isBlack(i) && c.closesAt(i) < c.opensAt(a)
      : c.isWhite(i) && c.closesAt(i) > c.opensAt(a);
    if (c.body(a) > at(long, i) && c.body(b) <= at(short, i) && c.isInside(b, a) && turns)
      c.mark(i, -100 * c.colour(a));
  }
}

export function threeOutside(c: Chart): void {
  for (let i = c.first; i < c.length; i++) {
    const a = i - 2;
    const b = i - 1;
    if (c.isWhite(b)) {
      const engulfs = c.isBlack(a) && c.closesAt(b) > c.opensAt(a) && c.opensAt(b) < c.closesAt(a);
      if (engulfs && c.closesAt(i) > c.closesAt(b)) c.mark(i, 100);
    } else {
      const engulfs = c.isWhite(a) && c.opensAt(b) > c.closesAt(a) && c.closesAt(b) < c.opensAt(a);
      if (engulfs && c.closesAt(i) < c.closesAt(b)) c.mark(i, -100);
    }
  }
}

export function threeStarsInSouth(c: Chart): void {
  const long = c.threshold(LONG_BODY, 2);
  const longShadow = c.threshold(LONG_SHADOW, 2);
  const tinyBefore = c.threshold(VERY_SHORT_SHADOW, 1);
  const tiny = c.threshold(VERY_SHORT_SHADOW, 0);
  const short = c.threshold(SHORT_BODY, 0);
  for (let i = c.first; i < c.length; i++) {
    const a = i - 2;
    const b = i - 1;
    if (
      c.isBlack(a) &&
      c.isBlack(b) &&
      c.isBlack(i) &&
      c.body(a) > at(long, i) &&
      c.lower(a) > at(longShadow, i) &&
      c.body(b) < c.body(a) &&
      c.opensAt(b) > c.closesAt(a) &&
      c.opensAt(b) <= c.highOf(a) &&
      c.lowOf(b) < c.closesAt(a) &&
      c.lowOf(b) >= c.lowOf(a) &&
      c.lower(b) > at(tinyBefore, i) &&
      c.body(i) < at(short, i) &&
      c.lower(i) < at(tiny, i) &&
      c.upper(i) < at(tiny, i) &&
      c.lowOf(i) > c.lowOf(b) &&
      c.highOf(i) < c.highOf(b)
    )
      c.mark(i, 100);
  }
}

/** Three white candles with rising closes. */
function rise(c: Chart, i: i32): bool {
  return (
    c.isWhite(i - 2) &&
    c.isWhite(i - 1) &&
    c.isWhite(i) &&
    c.closesAt(i) > c.closesAt(i - 1) &&
    c.closesAt(i - 1) > c.closesAt(i - 2)
  );
}

/** Opens above the open of the candle before, and within its body or near its close. */
function opensInWhite(c: Chart, i: i32, before: i32, near: f64): bool {
  return c.opensAt(i) > c.opensAt(before) && c.opensAt(i) <= c.closesAt(before) + near;
}

export function threeWhiteSoldiers(c: Chart): void {
  const tinyA = c.threshold(VERY_SHORT_SHADOW, 2);
  const tinyB = c.threshold(VERY_SHORT_SHADOW, 1);
  const tiny = c.threshold(VERY_SHORT_SHADOW, 0);
  const nearA = c.threshold(NEAR, 2);
  const nearB = c.threshold(NEAR, 1);
  const farA = c.threshold(FAR, 2);
  const farB = c.threshold(FAR, 1);
  const short = c.threshold(SHORT_BODY, 0);
  for (let i = c.first; i < c.length; i++) {
    const a = i - 2;
    const b = i - 1;
    if (
      rise(c, i) &&
      c.upper(a) < at(tinyA, i) &&
      c.upper(b) < at(tinyB, i) &&
      c.upper(i) < at(tiny, i) &&
      opensInWhite(c, b, a, at(nearA, i)) &&
      opensInWhite(c, i, b, at(nearB, i)) &&
      c.body(b) > c.body(a) - at(farA, i) &&
      c.body(i) > c.body(b) - at(farB, i) &&
      c.body(i) > at(short, i)
    )
      c.mark(i, 100);
  }
}

export function advanceBlock(c: Chart): void {
  const shortA = c.threshold(SHORT_SHADOW, 2);
  const shortB = c.threshold(SHORT_SHADOW, 1);
  const short = c.threshold(SHORT_SHADOW, 0);
  const longShadow = c.threshold(LONG_SHADOW, 0);
  const nearA = c.threshold(NEAR, 2);
  const nearB = c.threshold(NEAR, 1);
  const farA = c.threshold(FAR, 2);
  const farB = c.threshold(FAR, 1);
  const long = c.threshold(LONG_BODY, 2);
  for (let i = c.first; i < c.length; i++) {
    const a = i - 2;
    const b = i - 1;
    if (
      !(
        rise(c, i) &&
        opensInWhite(c, b, a, at(nearA, i)) &&
        opensInWhite(c, i, b, at(nearB, i)) &&
        c.body(a) > at(long, i) &&
        c.upper(a) < at(shortA, i)
      )
    )
      continue;
    const shrinksAtOnce = c.body(b) < c.body(a) - at(farA, i) && c.body(i) < c.body(b) + at(nearB, i);
    const shrinksLast = c.body(i) < c.body(b) - at(farB, i);
    const hasShadow = c.upper(i) > at(short, i) || c.upper(b) > at(shortB, i);
    const shrinksSlowly = c.body(i) < c.body(b) && c.body(b) < c.body(a) && hasShadow;
    const hasLongShadow = c.body(i) < c.body(b) && c.upper(i) > at(longShadow, i);
    if (shrinksAtOnce || shrinksLast || shrinksSlowly || hasLongShadow) c.mark(i, -100);
  }
}

export function stalled(c: Chart): void {
  const longA = c.threshold(LONG_BODY, 2);
  const longB = c.threshold(LONG_BODY, 1);
  const short = c.threshold(SHORT_BODY, 0);
  const tiny = c.threshold(VERY_SHORT_SHADOW, 1);
  const nearA = c.threshold(NEAR, 2);
  const nearB = c.threshold(NEAR, 1);
  for (let i = c.first; i < c.length; i++) {
    const a = i - 2;
    const b = i - 1;
    if (
      rise(c, i) &&
      c.body(a) > at(longA, i) &&
      c.body(b) > at(longB, i) &&
      c.upper(b) < at(tiny, i) &&
      opensInWhite(c, b, a, at(nearA, i)) &&
      c.body(i) < at(short, i) &&
      c.opensAt(i) >= c.closesAt(b) - c.body(i) - at(nearB, i)
    )
      c.mark(i, -100);
  }
}

export function identicalThreeCrows(c: Chart): void {
  const tinyA = c.threshold(VERY_SHORT_SHADOW, 2);
  const tinyB = c.threshold(VERY_SHORT_SHADOW, 1);
  const tiny = c.threshold(VERY_SHORT_SHADOW, 0);
  const equalA = c.threshold(EQUAL, 2);
  const equalB = c.threshold(EQUAL, 1);
  for (let i = c.first; i < c.length; i++) {
    const a = i - 2;
    const b = i - 1;
    if (
      c.isBlack(a) &&
      c.lower(a) < at(tinyA, i) &&
      c.isBlack(b) &&
      c.lower(b) < at(tinyB, i) &&
      c.isBlack(i) &&
      c.lower(i) < at(tiny, i) &&
      c.closesAt(a) > c.closesAt(b) &&
      c.closesAt(b) > c.closesAt(i) &&
      c.opensAt(b) <= c.closesAt(a) + at(equalA, i) &&
      c.opensAt(b) >= c.closesAt(a) - at(equalA, i) &&
      c.opensAt(i) <= c.closesAt(b) + at(equalB, i) &&
      c.opensAt(i) >= c.closesAt(b) - at(equalB, i)
    )
      c.mark(i, -100);
  }
}

export function morningStar(c: Chart, penetration: f64): void {
  star(c, penetration, SHORT_BODY, 1);
}

export function morningDojiStar(c: Chart, penetration: f64): void {
  star(c, penetration, DOJI_BODY, 1);
}

export function eveningStar(c: Chart, penetration: f64): void {
  star(c, penetration, SHORT_BODY, -1);
}

export function eveningDojiStar(c: Chart, penetration: f64): void {
  star(c, penetration, DOJI_BODY, -1);
}

/** A long candle against `direction`, a small one beyond a gap, and one that closes deep within the first. */
function star(c: Chart, penetration: f64, middle: i32, direction: i32): void {
  const long = c.threshold(LONG_BODY, 2);
  const small = c.threshold(middle, 1);
  const short = c.threshold(SHORT_BODY, 0);
  for (let i = c.first; i < c.length; i++) {
    const a = i - 2;
    const b = i - 1;
    const depth = c.body(a) * penetration;
    const gaps = direction > 0 ? c.gapsDown(b, a) : c.gapsUp(b, a);
    const reaches = direction > 0 ? c.closesAt(i) > c.closesAt(a) + depth : c.closesAt(i) < c.closesAt(a) - depth;
    if (
      c.body(a) > at(long, i) &&
      c.colour(a) === -direction &&
      c.body(b) <= at(small, i) &&
      gaps &&
      c.body(i) > at(short, i) &&
      c.colour(i) === direction &&
      reaches
    )
      c.mark(i, 100 * direction);
  }
}

export function abandonedBaby(c: Chart, penetration: f64): void {
  const long = c.threshold(LONG_BODY, 2);
  const flat = c.threshold(DOJI_BODY, 1);
  const short = c.threshold(SHORT_BODY, 0);
  for (let i = c.first; i < c.length; i++) {
    const a = i - 2;
    const b = i - 1;
    if (!(c.body(a) > at(long, i) && c.body(b) <= at(flat, i) && c.body(i) > at(short, i))) continue;
    const depth = c.body(a) * penetration;
    const isAbove = c.lowOf(b) > c.highOf(a) && c.highOf(i) < c.lowOf(b);
    const isBelow = c.highOf(b) < c.lowOf(a) && c.lowOf(i) > c.highOf(b);
    if (c.isWhite(a) && c.isBlack(i) && c.closesAt(i) < c.closesAt(a) - depth && isAbove) c.mark(i, -100);
    if (c.isBlack(a) && c.isWhite(i) && c.closesAt(i) > c.closesAt(a) + depth && isBelow) c.mark(i, 100);
  }
}

export function sideBySideWhite(c: Chart): void {
  const near = c.threshold(NEAR, 1);
  const equal = c.threshold(EQUAL, 1);
  for (let i = c.first; i < c.length; i++) {
    const a = i - 2;
    const b = i - 1;
    const isUp = c.gapsUp(b, a) && c.gapsUp(i, a);
    const isDown = c.gapsDown(b, a) && c.gapsDown(i, a);
    if (
      (isUp || isDown) &&
      c.isWhite(b) &&
      c.isWhite(i) &&
      c.body(i) >= c.body(b) - at(near, i) &&
      c.body(i) <= c.body(b) + at(near, i) &&
      c.opensAt(i) >= c.opensAt(b) - at(equal, i) &&
      c.opensAt(i) <= c.opensAt(b) + at(equal, i)
    )
      c.mark(i, isUp ? 100 : -100);
  }
}

export function tasukiGap(c: Chart): void {
  const near = c.threshold(NEAR, 1);
  for (let i = c.first; i < c.length; i++) {
    const a = i - 2;
    const b = i - 1;
    if (!(abs(c.body(b) - c.body(i)) < at(near, i))) continue;
    if (c.gapsUp(b, a) && c.isWhite(b) && c.isBlack(i)) {
      const opens = c.opensAt(i) < c.closesAt(b) && c.opensAt(i) > c.opensAt(b);
      if (opens && c.closesAt(i) < c.opensAt(b) && c.closesAt(i) > c.top(a)) c.mark(i, 100);
    } else if (c.gapsDown(b, a) && c.isBlack(b) && c.isWhite(i)) {
      const opens = c.opensInBlack(i, b);
      if (opens && c.closesAt(i) > c.opensAt(b) && c.closesAt(i) < c.bottom(a)) c.mark(i, -100);
    }
  }
}

export function gapThreeMethods(c: Chart): void {
  for (let i = c.first; i < c.length; i++) {
    const a = i - 2;
    const b = i - 1;
    const gaps = c.isWhite(a) ? c.gapsUp(b, a) : c.gapsDown(b, a);
    if (
      c.colour(a) === c.colour(b) &&
      c.colour(b) === -c.colour(i) &&
      gaps &&
      c.opensAt(i) < c.top(b) &&
      c.opensAt(i) > c.bottom(b) &&
      c.closesAt(i) < c.top(a) &&
      c.closesAt(i) > c.bottom(a)
    )
      c.mark(i, 100 * c.colour(a));
  }
}

export function stickSandwich(c: Chart): void {
  const equal = c.threshold(EQUAL, 2);
  for (let i = c.first; i < c.length; i++) {
    const a = i - 2;
    const b = i - 1;
    if (
      c.isBlack(a) &&
      c.isWhite(b) &&
      c.isBlack(i) &&
      c.lowOf(b) > c.closesAt(a) &&
      c.closesAt(i) <= c.closesAt(a) + at(equal, i) &&
      c.closesAt(i) >= c.closesAt(a) - at(equal, i)
    )
      c.mark(i, 100);
  }
}

/** All three are compared with the threshold of the first, as TA-Lib does. */
export function tristar(c: Chart): void {
  const flat = c.threshold(DOJI_BODY, 2);
  for (let i = c.first; i < c.length; i++) {
    const a = i - 2;
    const b = i - 1;
    if (!(c.body(a) <= at(flat, i) && c.body(b) <= at(flat, i) && c.body(i) <= at(flat, i))) continue;
    if (c.gapsUp(b, a) && c.top(i) < c.top(b)) c.mark(i, -100);
    if (c.gapsDown(b, a) && c.bottom(i) > c.bottom(b)) c.mark(i, 100);
  }
}

export function uniqueThreeRiver(c: Chart): void {
  const long = c.threshold(LONG_BODY, 2);
  const short = c.threshold(SHORT_BODY, 0);
  for (let i = c.first; i < c.length; i++) {
    const a = i - 2;
    const b = i - 1;
    if (
      c.body(a) > at(long, i) &&
      c.isBlack(a) &&
      c.isBlack(b) &&
      c.closesAt(b) > c.closesAt(a) &&
      c.opensAt(b) <= c.opensAt(a) &&
      c.lowOf(b) < c.lowOf(a) &&
      c.body(i) < at(short, i) &&
      c.isWhite(i) &&
      c.opensAt(i) > c.lowOf(b)
    )
      c.mark(i, 100);
  }
}
