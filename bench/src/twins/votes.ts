import * as preset from '@sextant/engine-as/abi/defaults.ts';
import { voteIds } from '@sextant/engine-as/abi/voteExports.ts';
import { BACKTEST_VOTE_COUNT } from '@sextant/engine-as/abi/votes.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { sma } from './averages.ts';
import { donchian, ichimoku } from './extremes.ts';
import { cci, mfi, obv, sessionVwap } from './flow.ts';
import { fib } from './levels.ts';
import { macd, rsi, stochRsi } from './momentum.ts';
import { bollinger } from './ranges.ts';
import { adx, supertrend } from './trend.ts';

// The thirteen votes of a backtest, each from its indicator at the default parameters: -1, 0 or 1 per candle.

export interface TwinVotes {
  /** One column per vote, in the engine's order (abi/voteExports.ts). */
  columns: Int8Array[];
  /** First candle where each vote is defined. */
  first: number[];
}

/** The vote of candle i: 1 long, -1 short, 0 neither. */
type Rule = (i: number) => number;

/** At most one of the two holds. */
const sideOf = (isLong: boolean, isShort: boolean): number => (isLong ? 1 : isShort ? -1 : 0);

/** Two prices closer than this are equal. */
const bandOf = (close: Float64Array, i: number): number => preset.NEUTRAL_BAND * (close[i] as number);

export function votesTwin(candles: Candles): TwinVotes {
  const length = candles.close.length;
  const votes: TwinVotes = { columns: [], first: [] };
  const add = (first: number, rule: Rule): void => {
    const from = Math.min(first, length);
    const column = new Int8Array(length);
    for (let i = from; i < length; i++) column[i] = rule(i);
    votes.columns.push(column);
    votes.first.push(from);
  };
  addMomentum(candles, add);
  addTrend(candles, add);
  addVolume(candles, add);
  addLevels(candles, add);
  return inEngineOrder(votes);
}

type Add = (first: number, rule: Rule) => void;

const columnsOf = ({ close }: Candles, count: number): Float64Array[] =>
  Array.from({ length: count }, () => new Float64Array(close.length));
type Columns = [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];

function reversal(values: Float64Array, under: number, over: number): Rule {
  return (i) => sideOf((values[i] as number) < under, (values[i] as number) > over);
}

/** Ids of the votes in the order in which they are added; `inEngineOrder` sorts them into the engine's order. */
const addedOrder = [
  'rsi',
  'macd',
  'boll',
  'stochrsi',
  'adx',
  'supertrend',
  'vwap',
  'mfi',
  'obv',
  'cci',
  'donchian',
  'ichimoku',
  'fib',
];

function inEngineOrder({ columns, first }: TwinVotes): TwinVotes {
  const places = voteIds.slice(0, BACKTEST_VOTE_COUNT).map((id) => addedOrder.indexOf(id));
  return {
    columns: places.map((place) => columns[place] as Int8Array),
    first: places.map((place) => first[place] as number),
  };
}

function addMomentum(candles: Candles, add: Add): void {
  const { close } = candles;
  const [a, b, c, d, e] = columnsOf(candles, 5) as Columns;
  rsi(close, preset.RSI_PERIOD, a);
  add(preset.RSI_PERIOD, reversal(a, preset.RSI_OVERSOLD, preset.RSI_OVERBOUGHT));

  macd(close, { fast: preset.MACD_FAST, slow: preset.MACD_SLOW, signal: preset.MACD_SIGNAL }, a, b, c);
  add(preset.MACD_SLOW + preset.MACD_SIGNAL - 2, (i) => {
    const histogram = c[i] as number;
    return sideOf(histogram > bandOf(close, i), histogram < -bandOf(close, i));
  });

  bollinger(close, preset.BOLL_PERIOD, preset.BOLL_WIDTH, a, b, c);
  add(preset.BOLL_PERIOD - 1, (i) => {
    const price = close[i] as number;
    const band = bandOf(close, i);
    return sideOf(price - (c[i] as number) < -band, price - (a[i] as number) > band);
  });

  const periods = {
    rsi: preset.STOCHRSI_RSI,
    stochastic: preset.STOCHRSI_STOCH,
    k: preset.STOCHRSI_K,
    d: preset.STOCHRSI_D,
  };
  stochRsi(close, periods, a, b, [c, d, e]);
  add(periods.rsi + periods.stochastic + periods.k + periods.d - 3, (i) => {
    const k = a[i] as number;
    const d = b[i] as number;
    return sideOf(k < preset.STOCHRSI_OVERSOLD && k > d, k > preset.STOCHRSI_OVERBOUGHT && k < d);
  });
}

function addTrend(candles: Candles, add: Add): void {
  const [a, b, c] = columnsOf(candles, 3) as Columns;
  adx(candles, preset.ADX_PERIOD, a, b, c);
  add(2 * preset.ADX_PERIOD - 1, (i) => {
    const isTrend = (a[i] as number) > preset.ADX_TREND;
    const lead = (b[i] as number) - (c[i] as number);
    return sideOf(isTrend && lead > 0, isTrend && lead < 0);
  });

  const { SUPERTREND_PERIOD: period, SUPERTREND_MULTIPLE: multiple } = preset;
  supertrend(candles, { period, multiple }, a, b, c);
  add(period, (i) => sideOf((b[i] as number) > 0, (b[i] as number) < 0));
}

function addVolume(candles: Candles, add: Add): void {
  const { close, volume } = candles;
  const [a, b, c] = columnsOf(candles, 3) as Columns;
  const ifTraded = (i: number, isLong: boolean, isShort: boolean): number =>
    (volume[i] as number) > 0 ? sideOf(isLong, isShort) : 0;
  sessionVwap(candles, a);
  add(0, (i) => {
    const gap = (close[i] as number) - (a[i] as number);
    return ifTraded(i, gap > bandOf(close, i), gap < -bandOf(close, i));
  });

  mfi(candles, preset.MFI_PERIOD, a, [b, c]);
  add(preset.MFI_PERIOD, (i) =>
    ifTraded(i, (a[i] as number) < preset.MFI_OVERSOLD, (a[i] as number) > preset.MFI_OVERBOUGHT),
  );

  obv(candles, a);
  sma(a, preset.OBV_MEAN_PERIOD, b);
  add(preset.OBV_MEAN_PERIOD - 1, (i) =>
    ifTraded(i, (a[i] as number) > (b[i] as number), (a[i] as number) < (b[i] as number)),
  );

  cci(candles, preset.CCI_PERIOD, a, [b, c]);
  add(preset.CCI_PERIOD - 1, (i) =>
    sideOf((a[i] as number) > preset.CCI_BREAKOUT, (a[i] as number) < -preset.CCI_BREAKOUT),
  );
}

function addLevels(candles: Candles, add: Add): void {
  const { close } = candles;
  const [a, b, c, d, e] = columnsOf(candles, 5) as Columns;
  donchian(candles, preset.DONCHIAN_PERIOD, a, b);
  add(preset.DONCHIAN_PERIOD, (i) => {
    const price = close[i] as number;
    const band = bandOf(close, i);
    return sideOf(price - (a[i] as number) > band, (b[i] as number) - price > band);
  });

  const periods = {
    tenkan: preset.ICHIMOKU_TENKAN,
    kijun: preset.ICHIMOKU_KIJUN,
    span: preset.ICHIMOKU_SPAN,
    displacement: preset.ICHIMOKU_DISPLACEMENT,
  };
  ichimoku(candles, periods, [a, b, c, d], e);
  add(periods.span + periods.displacement - 2, (i) => {
    const price = close[i] as number;
    const band = bandOf(close, i);
    const lines = (a[i] as number) - (b[i] as number);
    const isAbove = price - Math.max(c[i] as number, d[i] as number) > band;
    const isBelow = Math.min(c[i] as number, d[i] as number) - price > band;
    return sideOf(isAbove && lines > band, isBelow && lines < -band);
  });

  const planes = columnsOf(candles, 8);
  fib(candles, preset.FIB_REACH, planes);
  const [top, bottom, direction] = planes as Columns;
  const defined = direction.findIndex((value) => !Number.isNaN(value));
  add(defined < 0 ? close.length : defined, (i) => {
    const isUp = (direction[i] as number) > 0;
    const back = isUp ? (top[i] as number) - (close[i] as number) : (close[i] as number) - (bottom[i] as number);
    const leg = (top[i] as number) - (bottom[i] as number);
    const isInZone = back >= preset.FIB_ZONE_NEAR * leg && back <= preset.FIB_ZONE_FAR * leg;
    return sideOf(isInZone && isUp, isInZone && !isUp);
  });
}

/** Weighted mean of the votes, weights in tenths; NaN before every weighted vote is defined. */
export function scoreTwin({ columns, first }: TwinVotes, weights: readonly number[], out: Float64Array): void {
  let total = 0;
  let start = 0;
  weights.forEach((weight, k) => {
    total += weight;
    if (weight > 0) start = Math.max(start, first[k] as number);
  });
  out.fill(NaN, 0, start);
  for (let i = start; i < out.length; i++) {
    let sum = 0;
    for (let k = 0; k < columns.length; k++) sum += (weights[k] as number) * ((columns[k] as Int8Array)[i] as number);
    out[i] = total > 0 ? sum / total : 0;
  }
}
