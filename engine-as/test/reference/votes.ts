import type { Columns } from '../candles.ts';
import { references } from './references.ts';
import { mean, range, rolling } from './windows.ts';

/** long and short conditions of one candle, in the words of the registry's vote rules. */
type Rule = (i: number) => { long: boolean; short: boolean };

type Values = Record<string, number>;

/** As docs/indicators.md states them; written out here so that a wrong default of the registry shows. */
const defaults: Record<string, Values> = {
  rsi: { period: 14, oversold: 30, overbought: 70 },
  macd: { fast: 12, slow: 26, signal: 9 },
  boll: { period: 20, width: 2 },
  adx: { period: 14, trend: 25 },
  supertrend: { period: 10, multiple: 3 },
  vwap: { period: 0 },
  mfi: { period: 14, oversold: 20, overbought: 80 },
  obv: { mean: 20 },
  cci: { period: 20, breakout: 100 },
  donchian: { period: 20 },
  ichimoku: { tenkan: 9, kijun: 26, span: 52, displacement: 26 },
  stochrsi: { rsi: 14, stochastic: 14, k: 3, d: 3, oversold: 20, overbought: 80 },
  fib: { reach: 5, near: 0.382, far: 0.618 },
  ema_cross: { fast: 12, slow: 26 },
  sma_cross: { fast: 20, slow: 50 },
  ich_align: { tenkan: 9, kijun: 26 },
  ich_cloud: { tenkan: 9, kijun: 26, span: 52, displacement: 26 },
};

/**
 * Every vote from the slow twins of the indicators, by vote id; NaN where it is not defined. Comparisons of prices leave
 * out what is closer than 1e-9 of the close, as the registry says.
 * @param own parameters by vote id where they are not the defaults
 */
export function votesReference(
  candles: Columns,
  own: Record<string, Record<string, number>> = {},
): Record<string, number[]> {
  const { close, volume } = candles;
  const get = (id: string, params: number[]) => references[id]!(candles, params);
  const p = (vote: string) => ({ ...defaults[vote], ...own[vote] }) as Record<string, number>;
  const [rsiOf, mfiOf, stochOf, adxOf, cciOf, fibOf] = ['rsi', 'mfi', 'stochrsi', 'adx', 'cci', 'fib'].map(
    p,
  ) as Values[];
  const rsi = get('rsi', [rsiOf!['period']!])['rsi']!;
  const histogram = get('macd', [p('macd')['fast']!, p('macd')['slow']!, p('macd')['signal']!])['histogram']!;
  const boll = get('boll', [p('boll')['period']!, p('boll')['width']!]);
  const { adx, plusDi, minusDi } = get('adx', [adxOf!['period']!]) as Record<'adx' | 'plusDi' | 'minusDi', number[]>;
  const direction = get('supertrend', [p('supertrend')['period']!, p('supertrend')['multiple']!])['direction']!;
  const vwap = get('vwap', [p('vwap')['period']!])['vwap']!;
  const mfi = get('mfi', [mfiOf!['period']!])['mfi']!;
  const obv = get('obv', [])['obv']!;
  const obvMean = rolling(obv, p('obv')['mean']!, mean);
  const cci = get('cci', [cciOf!['period']!])['cci']!;
  const donchian = get('donchian', [p('donchian')['period']!]);
  const cloudOf = (vote: string) => {
    const { tenkan, kijun, span, displacement } = p(vote);
    return get('ichimoku', [tenkan!, kijun!, span ?? 52, displacement ?? 26]);
  };
  const [ichimoku, aligned, clouded] = ['ichimoku', 'ich_align', 'ich_cloud'].map(cloudOf);
  const { k, d } = get('stochrsi', [
    stochOf!['rsi']!,
    stochOf!['stochastic']!,
    stochOf!['k']!,
    stochOf!['d']!,
  ]) as Record<'k' | 'd', number[]>;
  const fib = get('fib', [fibOf!['reach']!]);
  const pivot = get('pivot', [])['pivot']!;
  const average = (id: string, vote: string, name: string): number[] => get(id, [p(vote)[name]!])[id]!;
  const averages = {
    emaFast: average('ema', 'ema_cross', 'fast'),
    emaSlow: average('ema', 'ema_cross', 'slow'),
    smaFast: average('sma', 'sma_cross', 'fast'),
    smaSlow: average('sma', 'sma_cross', 'slow'),
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
  const cloud =
    (of: Record<string, number[]>): Rule =>
    (i) => {
      const spans = [of['senkouA']![i]!, of['senkouB']![i]!];
      return { long: above(close[i]!, Math.max(...spans), i), short: above(Math.min(...spans), close[i]!, i) };
    };
  const lines = (of: Record<string, number[]>): Rule => order(of['tenkan']!, of['kijun']!);
  const both =
    (a: Rule, b: Rule): Rule =>
    (i) => ({ long: a(i).long && b(i).long, short: a(i).short && b(i).short });
  const inZone = (i: number): boolean => {
    const [top, bottom] = [fib['swingHigh']![i]!, fib['swingLow']![i]!];
    const back = (fib['direction']![i]! > 0 ? top - close[i]! : close[i]! - bottom) / (top - bottom);
    return back >= fibOf!['near']! && back <= fibOf!['far']!;
  };

  const rules: Record<string, [Rule, ...(readonly number[])[]]> = {
    rsi: [(i) => ({ long: rsi[i]! < rsiOf!['oversold']!, short: rsi[i]! > rsiOf!['overbought']! }), rsi],
    macd: [(i) => ({ long: above(histogram[i]!, 0, i), short: above(0, histogram[i]!, i) }), histogram],
    boll: [
      (i) => ({ long: above(boll['lower']![i]!, close[i]!, i), short: above(close[i]!, boll['upper']![i]!, i) }),
      boll['middle']!,
    ],
    adx: [
      (i) => ({
        long: adx[i]! > adxOf!['trend']! && plusDi[i]! > minusDi[i]!,
        short: adx[i]! > adxOf!['trend']! && plusDi[i]! < minusDi[i]!,
      }),
      adx,
    ],
    supertrend: [(i) => ({ long: direction[i] === 1, short: direction[i] === -1 }), direction],
    vwap: [traded(order(close, vwap)), vwap],
    mfi: [traded((i) => ({ long: mfi[i]! < mfiOf!['oversold']!, short: mfi[i]! > mfiOf!['overbought']! })), mfi],
    obv: [traded((i) => ({ long: obv[i]! > obvMean[i]!, short: obv[i]! < obvMean[i]! })), obvMean],
    cci: [(i) => ({ long: cci[i]! > cciOf!['breakout']!, short: cci[i]! < -cciOf!['breakout']! }), cci],
    donchian: [
      (i) => ({
        long: above(close[i]!, donchian['upper']![i]!, i),
        short: above(donchian['lower']![i]!, close[i]!, i),
      }),
      donchian['upper']!,
    ],
    ichimoku: [both(cloud(ichimoku!), lines(ichimoku!)), ichimoku!['senkouA']!, ichimoku!['senkouB']!],
    stochrsi: [
      (i) => ({
        long: k[i]! < stochOf!['oversold']! && k[i]! - d[i]! > 1e-9,
        short: k[i]! > stochOf!['overbought']! && d[i]! - k[i]! > 1e-9,
      }),
      d,
    ],
    fib: [
      (i) => ({ long: inZone(i) && fib['direction']![i] === 1, short: inZone(i) && fib['direction']![i] === -1 }),
      fib['direction']!,
    ],
    ema_cross: [order(averages.emaFast, averages.emaSlow), averages.emaSlow],
    sma_cross: [order(averages.smaFast, averages.smaSlow), averages.smaSlow],
    ich_align: [both(order(close, aligned!['tenkan']!), lines(aligned!)), aligned!['tenkan']!, aligned!['kijun']!],
    ich_cloud: [cloud(clouded!), clouded!['senkouA']!, clouded!['senkouB']!],
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
