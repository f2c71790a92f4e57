import type { Columns } from '../candles.ts';
import { delayed, range, rolling, window } from './windows.ts';

type Output = Record<string, number[]>;

const DAY_MS = 86_400_000;

export function donchianReference({ high, low }: Columns, [period]: number[]): Output {
  return {
    upper: delayed(
      rolling(high, period!, (values) => Math.max(...values)),
      1,
    ),
    lower: delayed(
      rolling(low, period!, (values) => Math.min(...values)),
      1,
    ),
  };
}

export function ichimokuReference({ high, low }: Columns, params: number[]): Output {
  const [tenkanPeriod, kijunPeriod, span, displacement] = params as [number, number, number, number];
  const middle = (period: number): number[] =>
    range(high.length).map((i) =>
      i < period - 1 ? Number.NaN : (Math.max(...window(high, i, period)) + Math.min(...window(low, i, period))) / 2,
    );
  const tenkan = middle(tenkanPeriod);
  const kijun = middle(kijunPeriod);
  return {
    tenkan,
    kijun,
    senkouA: delayed(
      tenkan.map((value, i) => (value + kijun[i]!) / 2),
      displacement - 1,
    ),
    senkouB: delayed(middle(span), displacement - 1),
  };
}

export function pivotReference({ time, high, low, close }: Columns): Output {
  const dayOf = (i: number): number => Math.floor(time[i]! / DAY_MS);
  const output: Output = { pivot: [], r1: [], s1: [], r2: [], s2: [], r3: [], s3: [] };
  for (let i = 0; i < time.length; i++) {
    const days = [...new Set(range(i + 1).map(dayOf))];
    const before = days.at(-2);
    const members = range(i).filter((j) => dayOf(j) === before);
    const isCutOff = members[0] === 0 && time[0]! % DAY_MS !== 0;
    const isKnown = before !== undefined && !isCutOff;
    const top = isKnown ? Math.max(...members.map((j) => high[j]!)) : Number.NaN;
    const bottom = isKnown ? Math.min(...members.map((j) => low[j]!)) : Number.NaN;
    const middle = isKnown ? (top + bottom + close[members.at(-1)!]!) / 3 : Number.NaN;
    output['pivot']!.push(middle);
    output['r1']!.push(2 * middle - bottom);
    output['s1']!.push(2 * middle - top);
    output['r2']!.push(middle + (top - bottom));
    output['s2']!.push(middle - (top - bottom));
    output['r3']!.push(top + 2 * (middle - bottom));
    output['s3']!.push(bottom - 2 * (top - middle));
  }
  return output;
}

interface Swing {
  isHigh: boolean;
  price: number;
}

/** Swings confirmed by candle i, oldest first: a pure function of candles 0..i, computed again for each i. */
function swingsUpTo(high: ArrayLike<number>, low: ArrayLike<number>, i: number, reach: number): Swing[] {
  return range(Math.max(0, i - 2 * reach + 1)).flatMap((k) => {
    const j = k + reach;
    const left = range(reach).map((m) => j - 1 - m);
    const right = range(reach).map((m) => j + 1 + m);
    const matches: Swing[] = [];
    if (left.every((m) => high[m]! < high[j]!) && right.every((m) => high[m]! <= high[j]!)) {
      matches.push({ isHigh: true, price: high[j]! });
    }
    if (left.every((m) => low[m]! > low[j]!) && right.every((m) => low[m]! >= low[j]!)) {
      matches.push({ isHigh: false, price: low[j]! });
    }
    return matches;
  });
}

/** The last accepted high and low, and which of them came later. */
function legOf(swings: readonly Swing[]) {
  let top: number | undefined;
  let bottom: number | undefined;
  let isTopLast: boolean | undefined;
  for (const { isHigh, price } of swings) {
    if (isHigh) {
      const isFurther = top === undefined || isTopLast === false || price > top;
      if (!isFurther || (bottom !== undefined && price <= bottom)) continue;
      top = price;
    } else {
      const isFurther = bottom === undefined || isTopLast === true || price < bottom;
      if (!isFurther || (top !== undefined && price >= top)) continue;
      bottom = price;
    }
    isTopLast = isHigh;
  }
  return top === undefined || bottom === undefined ? undefined : { top, bottom, isUp: isTopLast === true };
}

export function fibReference({ high, low }: Columns, [reach]: number[]): Output {
  const levels = { level236: 0.236, level382: 0.382, level500: 0.5, level618: 0.618, level786: 0.786 };
  const legs = range(high.length).map((i) => legOf(swingsUpTo(high, low, i, reach!)));
  const levelAt = (fraction: number): number[] =>
    legs.map((leg) => {
      if (leg === undefined) return Number.NaN;
      const { top, bottom, isUp } = leg;
      return isUp ? top - fraction * (top - bottom) : bottom + fraction * (top - bottom);
    });
  return {
    swingHigh: legs.map((leg) => leg?.top ?? Number.NaN),
    swingLow: legs.map((leg) => leg?.bottom ?? Number.NaN),
    direction: legs.map((leg) => (leg === undefined ? Number.NaN : leg.isUp ? 1 : -1)),
    ...Object.fromEntries(Object.entries(levels).map(([name, fraction]) => [name, levelAt(fraction)])),
  };
}
