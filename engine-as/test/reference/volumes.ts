import type { Columns } from '../candles.ts';
import { typicalOf } from './oscillators.ts';
import { range, sum } from './windows.ts';

type Output = Record<string, number[]>;

const DAY_MS = 86_400_000;

export function vwapReference(candles: Columns, [period]: number[]): Output {
  const price = typicalOf(candles);
  const dayOf = (i: number): number => Math.floor(candles.time[i]! / DAY_MS);
  const averageOf = (members: number[], i: number): number => {
    const traded = sum(members.map((j) => candles.volume[j]!));
    return traded > 0 ? sum(members.map((j) => price[j]! * candles.volume[j]!)) / traded : price[i]!;
  };
  const vwap = price.map((_, i) => {
    if (period! > 0)
      return i < period! - 1
        ? Number.NaN
        : averageOf(
            range(period!).map((j) => i - j),
            i,
          );
    let start = i;
    while (start > 0 && dayOf(start - 1) === dayOf(i)) start--;
    return averageOf(
      range(i - start + 1).map((j) => start + j),
      i,
    );
  });
  return { vwap };
}

export function obvReference({ close, volume }: Columns): Output {
  let total = volume[0] ?? 0;
  const obv = range(close.length).map((i) => {
    if (i > 0) total += Math.sign(close[i]! - close[i - 1]!) * volume[i]!;
    return total;
  });
  return { obv };
}
