import { at } from '../series';
import { Chart, DOJI_BODY, EQUAL, LONG_BODY, SHORT_BODY, VERY_SHORT_SHADOW } from './chart';

// Patterns of two candles: `a` is the first, `i` the second. abi/patterns.ts defines each in words.

/** |value - level| within the threshold, as two comparisons: a difference would round. */
function isEqual(value: f64, level: f64, threshold: f64): bool {
  return value <= level + threshold && value >= level - threshold;
}

export function counterattack(c: Chart): void {
  const longBefore = c.threshold(LONG_BODY, 1);
  const long = c.threshold(LONG_BODY, 0);
  const equal = c.threshold(EQUAL, 1);
  for (let i = c.first; i < c.length; i++) {
    const a = i - 1;
    if (
      c.colour(a) === -c.colour(i) &&
      c.body(a) > at(longBefore, i) &&
      c.body(i) > at(long, i) &&
      isEqual(c.closesAt(i), c.closesAt(a), at(equal, i))
    )
      c.mark(i, 100 * c.colour(i));
  }
}

export function separatingLines(c: Chart): void {
  const tiny = c.threshold(VERY_SHORT_SHADOW, 0);
  const long = c.threshold(LONG_BODY, 0);
  const equal = c.threshold(EQUAL, 1);
  for (let i = c.first; i < c.length; i++) {
    const a = i - 1;
    const shadow = c.isWhite(i) ? c.lower(i) : c.upper(i);
    if (
      c.colour(a) === -c.colour(i) &&
      isEqual(c.opensAt(i), c.opensAt(a), at(equal, i)) &&
      c.body(i) > at(long, i) &&
      shadow < at(tiny, i)
    )
      c.mark(i, 100 * c.colour(i));
  }
}

export function darkCloudCover(c: Chart, penetration: f64): void {
  const long = c.threshold(LONG_BODY, 1);
  for (let i = c.first; i < c.length; i++) {
    const a = i - 1;
    if (
      c.isWhite(a) &&
      c.body(a) > at(long, i) &&
      c.isBlack(i) &&
      c.opensAt(i) > c.highOf(a) &&
      c.closesAt(i) > c.opensAt(a) &&
      c.closesAt(i) < c.closesAt(a) - c.body(a) * penetration
    )
      c.mark(i, -100);
  }
}

export function piercing(c: Chart): void {
  const longBefore = c.threshold(LONG_BODY, 1);
  const long = c.threshold(LONG_BODY, 0);
  for (let i = c.first; i < c.length; i++) {
    const a = i - 1;
    if (
      c.isBlack(a) &&
      c.body(a) > at(longBefore, i) &&
      c.isWhite(i) &&
      c.body(i) > at(long, i) &&
      c.opensAt(i) < c.lowOf(a) &&
      c.closesAt(i) < c.opensAt(a) &&
      c.closesAt(i) > c.closesAt(a) + c.body(a) * 0.5
    )
      c.mark(i, 100);
  }
}

/** A long black candle and a white one that opens below its low. */
function rises(c: Chart, i: i32, long: usize): bool {
  const a = i - 1;
  return c.isBlack(a) && c.body(a) > at(long, i) && c.isWhite(i) && c.opensAt(i) < c.lowOf(a);
}

export function inNeck(c: Chart): void {
  const equal = c.threshold(EQUAL, 1);
  const long = c.threshold(LONG_BODY, 1);
  for (let i = c.first; i < c.length; i++) {
    const close = c.closesAt(i);
    const before = c.closesAt(i - 1);
    if (rises(c, i, long) && close <= before + at(equal, i) && close >= before) c.mark(i, -100);
  }
}

export function onNeck(c: Chart): void {
  const equal = c.threshold(EQUAL, 1);
  const long = c.threshold(LONG_BODY, 1);
  for (let i = c.first; i < c.length; i++) {
    if (rises(c, i, long) && isEqual(c.closesAt(i), c.lowOf(i - 1), at(equal, i))) c.mark(i, -100);
  }
}

export function thrusting(c: Chart): void {
  const equal = c.threshold(EQUAL, 1);
  const long = c.threshold(LONG_BODY, 1);
  for (let i = c.first; i < c.length; i++) {
    const a = i - 1;
    const close = c.closesAt(i);
    if (rises(c, i, long) && close > c.closesAt(a) + at(equal, i) && close <= c.closesAt(a) + c.body(a) * 0.5)
      c.mark(i, -100);
  }
}

export function dojiStar(c: Chart): void {
  const long = c.threshold(LONG_BODY, 1);
  const flat = c.threshold(DOJI_BODY, 0);
  for (let i = c.first; i < c.length; i++) {
    const a = i - 1;
    const gaps = c.isWhite(a) ? c.gapsUp(i, a) : c.gapsDown(i, a);
    if (c.body(a) > at(long, i) && c.body(i) <= at(flat, i) && gaps) c.mark(i, -100 * c.colour(a));
  }
}

export function engulfing(c: Chart): void {
  for (let i = c.first; i < c.length; i++) {
    const a = i - 1;
    if (c.colour(i) === c.colour(a)) continue;
    const sign = <f64>c.colour(i);
    // Distances by which open and close of the second reach beyond the first; one may be 0.
    const beyondOpen = sign * c.closesAt(i) - sign * c.opensAt(a);
    const beyondClose = sign * c.closesAt(a) - sign * c.opensAt(i);
    if (beyondOpen < 0 || beyondClose < 0 || (beyondOpen === 0 && beyondClose === 0)) continue;
    c.mark(i, (beyondOpen > 0 && beyondClose > 0 ? 100 : 80) * c.colour(i));
  }
}

export function harami(c: Chart): void {
  small(c, c.threshold(LONG_BODY, 1), c.threshold(SHORT_BODY, 0));
}

export function haramiCross(c: Chart): void {
  small(c, c.threshold(LONG_BODY, 1), c.threshold(DOJI_BODY, 0));
}

/** A small body within a long one: 100, or 80 where an edge is shared. */
function small(c: Chart, long: usize, short: usize): void {
  for (let i = c.first; i < c.length; i++) {
    const a = i - 1;
    if (!(c.body(a) > at(long, i) && c.body(i) <= at(short, i))) continue;
    if (c.isInside(i, a)) c.mark(i, -100 * c.colour(a));
    else if (c.top(i) <= c.top(a) && c.bottom(i) >= c.bottom(a)) c.mark(i, -80 * c.colour(a));
  }
}

export function homingPigeon(c: Chart): void {
  const long = c.threshold(LONG_BODY, 1);
  const short = c.threshold(SHORT_BODY, 0);
  for (let i = c.first; i < c.length; i++) {
    const a = i - 1;
    if (
      c.isBlack(a) &&
      c.isBlack(i) &&
      c.body(a) > at(long, i) &&
      c.body(i) <= at(short, i) &&
      c.opensAt(i) < c.opensAt(a) &&
      c.closesAt(i) > c.closesAt(a)
    )
      c.mark(i, 100);
  }
}

export function matchingLow(c: Chart): void {
  const equal = c.threshold(EQUAL, 1);
  for (let i = c.first; i < c.length; i++) {
    const a = i - 1;
    if (c.isBlack(a) && c.isBlack(i) && isEqual(c.closesAt(i), c.closesAt(a), at(equal, i))) c.mark(i, 100);
  }
}

export function kicking(c: Chart): void {
  kicks(c, false);
}

export function kickingByLength(c: Chart): void {
  kicks(c, true);
}

/** Two candles without shadows, of opposite colours, with a gap between their ranges. */
function kicks(c: Chart, byLength: bool): void {
  const tinyBefore = c.threshold(VERY_SHORT_SHADOW, 1);
  const tiny = c.threshold(VERY_SHORT_SHADOW, 0);
  const longBefore = c.threshold(LONG_BODY, 1);
  const long = c.threshold(LONG_BODY, 0);
  for (let i = c.first; i < c.length; i++) {
    const a = i - 1;
    const gaps = c.isBlack(a) ? c.lowOf(i) > c.highOf(a) : c.highOf(i) < c.lowOf(a);
    if (
      c.colour(a) === -c.colour(i) &&
      gaps &&
      c.body(a) > at(longBefore, i) &&
      c.upper(a) < at(tinyBefore, i) &&
      c.lower(a) < at(tinyBefore, i) &&
      c.body(i) > at(long, i) &&
      c.upper(i) < at(tiny, i) &&
      c.lower(i) < at(tiny, i)
    )
      c.mark(i, 100 * c.colour(byLength && !(c.body(i) > c.body(a)) ? a : i));
  }
}
