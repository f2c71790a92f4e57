import type { BacktestInput, Candles } from '../../src/protocol/backtest.ts';
import { type Random, seededRandom } from './randomRuns.ts';

/** Standard normal by Box and Muller. */
export function seededNormal(seed: number): Random {
  const uniform = seededRandom(seed);
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

/**
 * A market without gaps whose highs and lows are those of a continuous path (the extremes of a Brownian bridge), so that no level is ever
 * jumped over: a path of few steps would fill stops better than possible, which is a false edge. Without `trend` it is a fair game; with it
 * the drift is `trend` deviations per candle, up or down for 20 to 60 candles.
 */
export function market(count: number, seed: number, { volatility = 0.02, trend = 0, stepMs = 900_000 } = {}): Candles {
  const [normal, uniform] = [seededNormal(seed), seededRandom(seed + 1_000_003)];
  const [time, open, high, low, close, volume] = Array.from({ length: 6 }, () => new Float64Array(count)) as Six;
  let [price, drift, left] = [100, 0, 0];
  for (let i = 0; i < count; i++) {
    if (left-- <= 0) {
      left = 20 + Math.floor(uniform() * 40);
      drift = uniform() < 0.5 ? trend : -trend;
    }
    const move = volatility * (drift + normal() - volatility / 2);
    const reach = (u: number): number => Math.sqrt(move ** 2 - 2 * volatility ** 2 * Math.log(1 - u));
    time[i] = 1_735_689_600_000 + i * stepMs;
    open[i] = price;
    high[i] = Math.max(price * Math.exp((move + reach(uniform())) / 2), price);
    low[i] = Math.min(price * Math.exp((move - reach(uniform())) / 2), price);
    price *= Math.exp(move);
    close[i] = price;
    high[i] = Math.max(high[i] ?? 0, price);
    low[i] = Math.min(low[i] ?? 0, price);
    volume[i] = 100 + 100 * uniform();
  }
  return { time, open, high, low, close, volume };
}

type Column = Float64Array<ArrayBuffer>;
type Six = [Column, Column, Column, Column, Column, Column];

/** A minute path through each candle of 15: to the high in the first minute and to the low in the last one, or the other way round. */
export function minutesOf({ time, open, high, low, close, volume }: Candles, first: 'high' | 'low' = 'high'): Candles {
  const rows: number[][] = [];
  time.forEach((from, i) => {
    const [top, bottom, end] = [high[i] ?? 0, low[i] ?? 0, close[i] ?? 0];
    const [early, late] = first === 'high' ? [top, bottom] : [bottom, top];
    let before = open[i] ?? 0;
    for (let minute = 0; minute < 15; minute++) {
      const after = minute === 0 ? early : minute === 13 ? late : minute === 14 ? end : before;
      rows.push([
        from + 60_000 * minute,
        before,
        Math.max(before, after),
        Math.min(before, after),
        after,
        (volume[i] ?? 0) / 15,
      ]);
      before = after;
    }
  });
  const column = (field: number): Column => Float64Array.from(rows, (row) => row[field] ?? 0);
  return { time: column(0), open: column(1), high: column(2), low: column(3), close: column(4), volume: column(5) };
}

/** Mark prices of the candles, moved by a part of each price; with `dips` some of them go far down inside the candle. */
export function marksOf(
  { open, high, low }: Candles,
  shift: number,
  dips = 0,
): NonNullable<BacktestInput['markPrices']> {
  const moved = (column: Float64Array): Column => Float64Array.from(column, (price) => price * (1 + shift));
  const marks = { open: moved(open), high: moved(high), low: moved(low) };
  if (dips > 0) marks.low.forEach((price, i) => i % 7 === 0 && (marks.low[i] = price * (1 - dips)));
  return marks;
}
