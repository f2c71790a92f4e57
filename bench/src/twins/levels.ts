import { DAY_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';

/** Classic pivots of the previous UTC day: pivot, r1, s1, r2, s2, r3, s3. A first day cut off by the data gives none. */
export function pivot({ time, high, low, close }: Candles, planes: readonly Float64Array[]): void {
  const [middle, r1, s1, r2, s2, r3, s3] = planes as Planes7;
  let day = NaN;
  let isWhole = false;
  let now = { high: NaN, low: NaN, close: NaN };
  let before = { high: NaN, low: NaN, close: NaN };
  for (let i = 0; i < time.length; i++) {
    const at = time[i] as number;
    const today = Math.floor(at / DAY_MS);
    if (today !== day) {
      if (isWhole) before = now;
      isWhole = i > 0 || at === today * DAY_MS;
      now = { high: -Infinity, low: Infinity, close: NaN };
      day = today;
    }
    now.high = Math.max(now.high, high[i] as number);
    now.low = Math.min(now.low, low[i] as number);
    now.close = close[i] as number;
    const p = (before.high + before.low + before.close) / 3;
    const range = before.high - before.low;
    middle[i] = p;
    r1[i] = 2 * p - before.low;
    s1[i] = 2 * p - before.high;
    r2[i] = p + range;
    s2[i] = p - range;
    r3[i] = before.high + 2 * (p - before.low);
    s3[i] = before.low - 2 * (before.high - p);
  }
}

type Planes7 = [
  ...[Float64Array, Float64Array, Float64Array, Float64Array],
  ...[Float64Array, Float64Array, Float64Array],
];

const RATIOS = [0.236, 0.382, 0.5, 0.618, 0.786] as const;

interface Leg {
  top: number;
  bottom: number;
  /** 1 when the last swing is the top, -1 when it is the bottom, 0 before there is one. */
  direction: number;
}

/**
 * Retracement levels of the last leg between confirmed swings: swing high, swing low, direction, then the five levels.
 * A swing is known `reach` candles after its extreme; swings alternate, the further one on the same side wins.
 */
export function fib({ high, low }: Candles, reach: number, planes: readonly Float64Array[]): void {
  const leg: Leg = { top: NaN, bottom: NaN, direction: 0 };
  for (let i = 0; i < high.length; i++) {
    const j = i - reach;
    if (j >= reach) {
      if (isSwing(high, j, reach, 1)) moveTop(leg, high[j] as number);
      if (isSwing(low, j, reach, -1)) moveBottom(leg, low[j] as number);
    }
    putLevels(planes, i, leg);
  }
}

function moveTop(leg: Leg, price: number): void {
  const isFurther = leg.direction <= 0 || !(price <= leg.top);
  if (!isFurther || price <= leg.bottom) return;
  leg.top = price;
  leg.direction = 1;
}

function moveBottom(leg: Leg, price: number): void {
  const isFurther = leg.direction >= 0 || !(price >= leg.bottom);
  if (!isFurther || price >= leg.top) return;
  leg.bottom = price;
  leg.direction = -1;
}

/** A swing is the extreme of `reach` candles on either side, and no earlier candle equals it. */
function isSwing(values: Float64Array, j: number, reach: number, side: 1 | -1): boolean {
  const price = side * (values[j] as number);
  for (let k = 1; k <= reach; k++) {
    if (side * (values[j - k] as number) >= price || side * (values[j + k] as number) > price) return false;
  }
  return true;
}

function putLevels(planes: readonly Float64Array[], i: number, { top, bottom, direction }: Leg): void {
  const isKnown = !Number.isNaN(top) && !Number.isNaN(bottom);
  const end = direction > 0 ? top : bottom;
  const way = isKnown ? (direction > 0 ? bottom : top) - end : NaN;
  put(planes, 0, i, isKnown ? top : NaN);
  put(planes, 1, i, isKnown ? bottom : NaN);
  put(planes, 2, i, isKnown ? direction : NaN);
  for (let k = 0; k < RATIOS.length; k++) put(planes, 3 + k, i, end + (RATIOS[k] as number) * way);
}

function put(planes: readonly Float64Array[], plane: number, i: number, value: number): void {
  (planes[plane] as Float64Array)[i] = value;
}
