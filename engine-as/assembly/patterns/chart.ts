import { at, put } from '../series';

/** How a candle compares with those before it: a multiple of the mean of `period` candles, or of the candle itself when that is 0. */
export const LONG_BODY: i32 = 0;
export const SHORT_BODY: i32 = 1;
export const DOJI_BODY: i32 = 2;
export const LONG_SHADOW: i32 = 3;
export const VERY_LONG_SHADOW: i32 = 4;
export const SHORT_SHADOW: i32 = 5;
export const VERY_SHORT_SHADOW: i32 = 6;
export const NEAR: i32 = 7;
export const FAR: i32 = 8;
export const EQUAL: i32 = 9;

const BY_BODY: i32 = 0;
const BY_RANGE: i32 = 1;
const BY_SHADOWS: i32 = 2;

/** The most thresholds that one pattern compares with. */
export const THRESHOLD_MAX: i32 = 9;

/** Input candles and output address of the pattern rules. Lives in the arena. */
@unmanaged
export class Chart {
  open: usize;
  high: usize;
  low: usize;
  close: usize;
  length: i32;
  /** First candle that may complete the pattern. */
  first: i32;
  /** f64[THRESHOLD_MAX * length]: thresholds, handed out one after the other. */
  thresholds: usize;
  thresholdCount: i32;
  /** i16[length] */
  out: usize;

  opensAt(i: i32): f64 {
    return at(this.open, i);
  }

  highOf(i: i32): f64 {
    return at(this.high, i);
  }

  lowOf(i: i32): f64 {
    return at(this.low, i);
  }

  closesAt(i: i32): f64 {
    return at(this.close, i);
  }

  /** A close equal to the open counts as white. */
  isWhite(i: i32): bool {
    return this.closesAt(i) >= this.opensAt(i);
  }

  isBlack(i: i32): bool {
    return !this.isWhite(i);
  }

  /** 1 for white, -1 for black. */
  colour(i: i32): i32 {
    return this.isWhite(i) ? 1 : -1;
  }

  top(i: i32): f64 {
    return max(this.opensAt(i), this.closesAt(i));
  }

  bottom(i: i32): f64 {
    return min(this.opensAt(i), this.closesAt(i));
  }

  body(i: i32): f64 {
    return abs(this.closesAt(i) - this.opensAt(i));
  }

  upper(i: i32): f64 {
    return this.highOf(i) - this.top(i);
  }

  lower(i: i32): f64 {
    return this.bottom(i) - this.lowOf(i);
  }

  /** The body of `i` is above the body of `before`. */
  gapsUp(i: i32, before: i32): bool {
    return this.bottom(i) > this.top(before);
  }

  gapsDown(i: i32, before: i32): bool {
    return this.top(i) < this.bottom(before);
  }

  /** The body of `i` is within the body of `before`, edges excluded. */
  isInside(i: i32, before: i32): bool {
    return this.top(i) < this.top(before) && this.bottom(i) > this.bottom(before);
  }

  /** Opens within the body of `before`, edges excluded; `before` is black. */
  opensInBlack(i: i32, before: i32): bool {
    return this.opensAt(i) < this.opensAt(before) && this.opensAt(i) > this.closesAt(before);
  }

  mark(i: i32, value: i32): void {
    store<i16>(this.out + ((<usize>i) << 1), <i16>value);
  }

  /** Thresholds for the candle `back` before each candle: element i belongs to candle i - back, from `this.first` on. */
  threshold(setting: i32, back: i32): usize {
    return this.thresholdFrom(setting, back, this.first);
  }

  /**
   * The sum runs from `first` on, adding the newest and subtracting the oldest candle at once: TA-Lib adds in this order, and the last bit
   * decides for a candle exactly on its threshold.
   */
  thresholdFrom(setting: i32, back: i32, first: i32): usize {
    const column = this.thresholds + ((<usize>this.thresholdCount * <usize>this.length) << 3);
    this.thresholdCount = this.thresholdCount + 1;
    const by = measureOf(setting);
    const period = periodOf(setting);
    const factor = factorOf(setting);
    // Both shadows of a candle are measured together, one is compared.
    const parts: f64 = by === BY_SHADOWS ? 2 : 1;
    if (period === 0) {
      for (let i = first; i < this.length; i++) put(column, i, (factor * this.measure(by, i - back)) / parts);
      return column;
    }
    if (first >= this.length) return column;
    let sum: f64 = 0;
    for (let i = first - period; i < first; i++) sum += this.measure(by, i - back);
    for (let i = first; i < this.length; i++) {
      put(column, i, (factor * (sum / <f64>period)) / parts);
      sum += this.measure(by, i - back) - this.measure(by, i - period - back);
    }
    return column;
  }

  private measure(by: i32, i: i32): f64 {
    if (by === BY_BODY) return this.body(i);
    if (by === BY_RANGE) return this.highOf(i) - this.lowOf(i);
    return this.upper(i) + this.lower(i);
  }
}

function measureOf(setting: i32): i32 {
  if (setting <= SHORT_BODY || setting === LONG_SHADOW || setting === VERY_LONG_SHADOW) return BY_BODY;
  return setting === SHORT_SHADOW ? BY_SHADOWS : BY_RANGE;
}

/** Candles before the one that is judged; 0 compares it with its own body. */
function periodOf(setting: i32): i32 {
  if (setting === LONG_SHADOW || setting === VERY_LONG_SHADOW) return 0;
  return setting >= NEAR ? 5 : 10;
}

function factorOf(setting: i32): f64 {
  if (setting === VERY_LONG_SHADOW) return 2;
  if (setting === DOJI_BODY || setting === VERY_SHORT_SHADOW) return 0.1;
  if (setting === NEAR) return 0.2;
  if (setting === FAR) return 0.6;
  return setting === EQUAL ? 0.05 : 1;
}
