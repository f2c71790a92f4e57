import type { Columns } from '../candles.ts';
import { references } from './references.ts';
import { mean, range, rolling } from './windows.ts';

/** long and short conditions of one candle, in the words of the registry's vote rules. */
type Rule = (i: number) => { long: boolean; short: boolean };

/**
 * Every vote from the slow twins of the indicators, by vote id; NaN where it is not defined. Comparisons of prices leave
 * out what is closer than 1e-9 of the close, as the registry says.
 */
export function votesReference(candles: Columns): Record<string, number[]> {
  const { close, volume } = candles;
  const get = (id: string, params: number[]) => references[id]!(candles, params);
  const rsi = get('rsi', [14])['rsi']!;
  const histogram = get('macd', [12, 26, 9])['histogram']!;
  const boll = get('boll', [20, 2]);
  const { adx, plusDi, minusDi } = get('adx', [14]) as Record<'adx' | 'plusDi' | 'minusDi', number[]>;
  const direction = get('supertrend', [10, 3])['direction']!;
  const vwap = get('vwap', [0])['vwap']!;
  const mfi = get('mfi', [14])['mfi']!;
  const obv = get('obv', [])['obv']!;
  const obvMean = rolling(obv, 20, mean);
  const cci = get('cci', [20])['cci']!;
  const donchian = get('donchian', [20]);
  const ichimoku = get('ichimoku', [9, 26, 52, 26]);
  const { k, d } = get('stochrsi', [14, 14, 3, 3]) as Record<'k' | 'd', number[]>;
  const fib = get('fib', [5]);
  const pivot = get('pivot', [])['pivot']!;
  const average = (id: string, period: number): number[] => get(id, [period])[id]!;
  const averages = {
    ema12: average('ema', 12),
    ema26: average('ema', 26),
    sma20: average('sma', 20),
    sma50: average('sma', 50),
  };

  const above = (a: number, b: number, i: number): boolean => a - b > 1e-9 * close[i]!;
  const order =
    (a: ArrayLike<number>, b: ArrayLike<number>): Rule =>
    (i) => ({
      long: above(a[i]!, b[i]!, i),
      short: above(b[i]!, a[i]!, i),
    });
  const traded =
    (rule: Rule): Rule =>
    (i) =>
      volume[i]! > 0 ? rule(i) : { long: false, short: false };
  const cloud: Rule = (i) => {
    const spans = [ichimoku['senkouA']![i]!, ichimoku['senkouB']![i]!];
    return { long: above(close[i]!, Math.max(...spans), i), short: above(Math.min(...spans), close[i]!, i) };
  };
  const lines = order(ichimoku['tenkan']!, ichimoku['kijun']!);
  const both =
    (a: Rule, b: Rule): Rule =>
    (i) => ({ long: a(i).long && b(i).long, short: a(i).short && b(i).short });
  const inZone = (i: number): boolean => {
    const [top, bottom] = [fib['swingHigh']![i]!, fib['swingLow']![i]!];
    const back = (fib['direction']![i]! > 0 ? top - close[i]! : close[i]! - bottom) / (top - bottom);
    return back >= 0.382 && back <= 0.618;
  };

  const rules: Record<string, [Rule, ...(readonly number[])[]]> = {
    rsi: [(i) => ({ long: rsi[i]! < 30, short: rsi[i]! > 70 }), rsi],
    macd: [(i) => ({ long: above(histogram[i]!, 0, i), short: above(0, histogram[i]!, i) }), histogram],
    boll: [
      (i) => ({ long: above(boll['lower']![i]!, close[i]!, i), short: above(close[i]!, boll['upper']![i]!, i) }),
      boll['middle']!,
    ],
    adx: [
      (i) => ({ long: adx[i]! > 25 && plusDi[i]! > minusDi[i]!, short: adx[i]! > 25 && plusDi[i]! < minusDi[i]! }),
      adx,
    ],
    supertrend: [(i) => ({ long: direction[i] === 1, short: direction[i] === -1 }), direction],
    vwap: [traded(order(close, vwap)), vwap],
    mfi: [traded((i) => ({ long: mfi[i]! < 20, short: mfi[i]! > 80 })), mfi],
    obv: [traded((i) => ({ long: obv[i]! > obvMean[i]!, short: obv[i]! < obvMean[i]! })), obvMean],
    cci: [(i) => ({ long: cci[i]! > 100, short: cci[i]! < -100 }), cci],
    donchian: [
      (i) => ({
        long: above(close[i]!, donchian['upper']![i]!, i),
        short: above(donchian['lower']![i]!, close[i]!, i),
      }),
      donchian['upper']!,
    ],
    ichimoku: [both(cloud, lines), ichimoku['senkouA']!, ichimoku['senkouB']!],
    stochrsi: [(i) => ({ long: k[i]! < 20 && k[i]! - d[i]! > 1e-9, short: k[i]! > 80 && d[i]! - k[i]! > 1e-9 }), d],
    fib: [
      (i) => ({ long: inZone(i) && fib['direction']![i] === 1, short: inZone(i) && fib['direction']![i] === -1 }),
      fib['direction']!,
    ],
    ema_cross: [order(averages.ema12, averages.ema26), averages.ema26],
    sma_cross: [order(averages.sma20, averages.sma50), averages.sma50],
    ich_align: [both(order(close, ichimoku['tenkan']!), lines), ichimoku['kijun']!],
    ich_cloud: [cloud, ichimoku['senkouB']!],
    pivot: [order(close, pivot), pivot],
  };
  return Object.fromEntries(
    Object.entries(rules).map(([id, [rule, ...needs]]) => [
      id,
      range(close.length).map((i) => {
        if (needs.some((series) => Number.isNaN(series[i]!))) return Number.NaN;
        const { long, short } = rule(i);
        return Number(long) - Number(short);
      }),
    ]),
  );
}
