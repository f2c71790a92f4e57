import { at } from '../series';
import {
  Chart,
  DOJI_BODY,
  LONG_BODY,
  LONG_SHADOW,
  NEAR,
  SHORT_BODY,
  SHORT_SHADOW,
  VERY_LONG_SHADOW,
  VERY_SHORT_SHADOW,
} from './chart';

// Patterns of one candle; hammer and hanging man also compare with the candle before. abi/patterns.ts defines each in words.

export function beltHold(c: Chart): void {
  const long = c.threshold(LONG_BODY, 0);
  const tiny = c.threshold(VERY_SHORT_SHADOW, 0);
  for (let i = c.first; i < c.length; i++) {
    const shadow = c.isWhite(i) ? c.lower(i) : c.upper(i);
    if (c.body(i) > at(long, i) && shadow < at(tiny, i)) c.mark(i, 100 * c.colour(i));
  }
}

export function closingMarubozu(c: Chart): void {
  const long = c.threshold(LONG_BODY, 0);
  const tiny = c.threshold(VERY_SHORT_SHADOW, 0);
  for (let i = c.first; i < c.length; i++) {
    const shadow = c.isWhite(i) ? c.upper(i) : c.lower(i);
    if (c.body(i) > at(long, i) && shadow < at(tiny, i)) c.mark(i, 100 * c.colour(i));
  }
}

export function marubozu(c: Chart): void {
  const long = c.threshold(LONG_BODY, 0);
  const tiny = c.threshold(VERY_SHORT_SHADOW, 0);
  for (let i = c.first; i < c.length; i++) {
    if (c.body(i) > at(long, i) && c.upper(i) < at(tiny, i) && c.lower(i) < at(tiny, i)) c.mark(i, 100 * c.colour(i));
  }
}

export function longLine(c: Chart): void {
  const long = c.threshold(LONG_BODY, 0);
  const short = c.threshold(SHORT_SHADOW, 0);
  for (let i = c.first; i < c.length; i++) {
    if (c.body(i) > at(long, i) && c.upper(i) < at(short, i) && c.lower(i) < at(short, i)) c.mark(i, 100 * c.colour(i));
  }
}

export function shortLine(c: Chart): void {
  const small = c.threshold(SHORT_BODY, 0);
  const short = c.threshold(SHORT_SHADOW, 0);
  for (let i = c.first; i < c.length; i++) {
    if (c.body(i) < at(small, i) && c.upper(i) < at(short, i) && c.lower(i) < at(short, i))
      c.mark(i, 100 * c.colour(i));
  }
}

export function spinningTop(c: Chart): void {
  const small = c.threshold(SHORT_BODY, 0);
  for (let i = c.first; i < c.length; i++) {
    const body = c.body(i);
    if (body < at(small, i) && c.upper(i) > body && c.lower(i) > body) c.mark(i, 100 * c.colour(i));
  }
}

export function highWave(c: Chart): void {
  const small = c.threshold(SHORT_BODY, 0);
  const long = c.threshold(VERY_LONG_SHADOW, 0);
  for (let i = c.first; i < c.length; i++) {
    if (c.body(i) < at(small, i) && c.upper(i) > at(long, i) && c.lower(i) > at(long, i)) c.mark(i, 100 * c.colour(i));
  }
}

export function doji(c: Chart): void {
  const flat = c.threshold(DOJI_BODY, 0);
  for (let i = c.first; i < c.length; i++) {
    if (c.body(i) <= at(flat, i)) c.mark(i, 100);
  }
}

export function dragonflyDoji(c: Chart): void {
  const flat = c.threshold(DOJI_BODY, 0);
  const tiny = c.threshold(VERY_SHORT_SHADOW, 0);
  for (let i = c.first; i < c.length; i++) {
    if (c.body(i) <= at(flat, i) && c.upper(i) < at(tiny, i) && c.lower(i) > at(tiny, i)) c.mark(i, 100);
  }
}

export function gravestoneDoji(c: Chart): void {
  const flat = c.threshold(DOJI_BODY, 0);
  const tiny = c.threshold(VERY_SHORT_SHADOW, 0);
  for (let i = c.first; i < c.length; i++) {
    if (c.body(i) <= at(flat, i) && c.lower(i) < at(tiny, i) && c.upper(i) > at(tiny, i)) c.mark(i, 100);
  }
}

export function longLeggedDoji(c: Chart): void {
  const flat = c.threshold(DOJI_BODY, 0);
  const long = c.threshold(LONG_SHADOW, 0);
  for (let i = c.first; i < c.length; i++) {
    if (c.body(i) <= at(flat, i) && (c.lower(i) > at(long, i) || c.upper(i) > at(long, i))) c.mark(i, 100);
  }
}

export function rickshawMan(c: Chart): void {
  const flat = c.threshold(DOJI_BODY, 0);
  const long = c.threshold(LONG_SHADOW, 0);
  const near = c.threshold(NEAR, 0);
  for (let i = c.first; i < c.length; i++) {
    const middle = c.lowOf(i) + (c.highOf(i) - c.lowOf(i)) / 2;
    if (
      c.body(i) <= at(flat, i) &&
      c.lower(i) > at(long, i) &&
      c.upper(i) > at(long, i) &&
      c.bottom(i) <= middle + at(near, i) &&
      c.top(i) >= middle - at(near, i)
    )
      c.mark(i, 100);
  }
}

export function takuri(c: Chart): void {
  const flat = c.threshold(DOJI_BODY, 0);
  const tiny = c.threshold(VERY_SHORT_SHADOW, 0);
  const long = c.threshold(VERY_LONG_SHADOW, 0);
  for (let i = c.first; i < c.length; i++) {
    if (c.body(i) <= at(flat, i) && c.upper(i) < at(tiny, i) && c.lower(i) > at(long, i)) c.mark(i, 100);
  }
}

export function hammer(c: Chart): void {
  const small = c.threshold(SHORT_BODY, 0);
  const long = c.threshold(LONG_SHADOW, 0);
  const tiny = c.threshold(VERY_SHORT_SHADOW, 0);
  const near = c.threshold(NEAR, 1);
  for (let i = c.first; i < c.length; i++) {
    const hangs = c.body(i) < at(small, i) && c.lower(i) > at(long, i) && c.upper(i) < at(tiny, i);
    if (hangs && c.bottom(i) <= c.lowOf(i - 1) + at(near, i)) c.mark(i, 100);
  }
}

export function hangingMan(c: Chart): void {
  const small = c.threshold(SHORT_BODY, 0);
  const long = c.threshold(LONG_SHADOW, 0);
  const tiny = c.threshold(VERY_SHORT_SHADOW, 0);
  const near = c.threshold(NEAR, 1);
  for (let i = c.first; i < c.length; i++) {
    const hangs = c.body(i) < at(small, i) && c.lower(i) > at(long, i) && c.upper(i) < at(tiny, i);
    if (hangs && c.bottom(i) >= c.highOf(i - 1) - at(near, i)) c.mark(i, -100);
  }
}

export function invertedHammer(c: Chart): void {
  const small = c.threshold(SHORT_BODY, 0);
  const long = c.threshold(LONG_SHADOW, 0);
  const tiny = c.threshold(VERY_SHORT_SHADOW, 0);
  for (let i = c.first; i < c.length; i++) {
    const stands = c.body(i) < at(small, i) && c.upper(i) > at(long, i) && c.lower(i) < at(tiny, i);
    if (stands && c.gapsDown(i, i - 1)) c.mark(i, 100);
  }
}

export function shootingStar(c: Chart): void {
  const small = c.threshold(SHORT_BODY, 0);
  const long = c.threshold(LONG_SHADOW, 0);
  const tiny = c.threshold(VERY_SHORT_SHADOW, 0);
  for (let i = c.first; i < c.length; i++) {
    const stands = c.body(i) < at(small, i) && c.upper(i) > at(long, i) && c.lower(i) < at(tiny, i);
    if (stands && c.gapsUp(i, i - 1)) c.mark(i, -100);
  }
}
