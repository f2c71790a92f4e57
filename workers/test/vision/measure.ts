import sharp from 'sharp';
import { type ShapeReading, readChart } from '../../src/vision/readChart.ts';
import type { ChartImage } from '../../src/vision/reading.ts';
import type { Raster } from '../../src/vision/raster.ts';
import type { DrawnCandle, DrawnChart } from './drawChart.ts';

/** xorshift32 from 0 to 1: the same pictures on every machine. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4_294_967_296;
  };
}

export const nth = <T>(list: readonly T[], at: number): T => list[at % list.length] as T;

export async function imageOf(bytes: Uint8Array): Promise<ChartImage> {
  const { data, info } = await sharp(bytes)
    .ensureAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgba: new Uint8Array(data) };
}

export async function rasterOf(bytes: Uint8Array): Promise<Raster> {
  const { data, info } = await sharp(bytes)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgb: new Uint8Array(data) };
}

export const readPicture = async (bytes: Uint8Array): Promise<ShapeReading> => readChart(await rasterOf(bytes));

/** Fat-tailed moves, gaps of nothing: each candle opens where the one before closed. `random`: 0 to 1. */
export function randomCandles(count: number, price: number, random: () => number): DrawnCandle[] {
  const candles: DrawnCandle[] = [];
  let at = price;
  for (let index = 0; index < count; index++) {
    const open = at;
    let [high, low] = [at, at];
    for (let tick = 0; tick < 12; tick++) {
      at *= 1 + (random() + random() + random() - 1.5) * 0.004 * (random() < 0.05 ? 4 : 1);
      high = Math.max(high, at);
      low = Math.min(low, at);
    }
    candles.push({ open, high, low, close: at, volume: 20 + random() * 80 });
  }
  return candles;
}

export interface ReadingError {
  kind: ShapeReading['kind'];
  /** Share of the drawn candles that were found, 0 to 1. */
  found: number;
  correlation: number;
  /** Largest error of close, and of high and low, as a share of the height of the price range; 95th percentile over the candles. */
  close95: number;
  extreme95: number;
  /** Share of candles with the right direction. */
  direction: number;
}

export const correlationOf = (a: readonly number[], b: readonly number[]): number => {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanA, meanB] = [mean(a), mean(b)];
  let [cross, squareA, squareB] = [0, 0, 0];
  a.forEach((value, at) => {
    const [x, y] = [value - meanA, (b[at] as number) - meanB];
    cross += x * y;
    squareA += x * x;
    squareB += y * y;
  });
  return cross / Math.sqrt(squareA * squareB);
};

export const percentile95 = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * 0.95))] ?? NaN;

/** The reading beside the truth, both as rows of the picture. */
export function errorOf(reading: ShapeReading, chart: DrawnChart, candles: readonly DrawnCandle[]): ReadingError {
  const range = Math.abs(
    chart.rowOf(Math.max(...candles.map(({ high }) => high))) - chart.rowOf(Math.min(...candles.map(({ low }) => low))),
  );
  const none = { kind: reading.kind, found: 0, correlation: 0, close95: 1, extreme95: 1, direction: 0 };
  if (reading.kind !== 'candles') return none;
  const pairs = reading.candles.flatMap((read) => {
    const at = chart.xs.findIndex((x) => Math.abs(x - read.x) < reading.step * 0.5);
    const truth = candles[at];
    return truth === undefined ? [] : [{ truth, read }];
  });
  if (pairs.length < 2) return none;
  const share = (price: number, row: number): number => Math.abs(chart.rowOf(price) - row) / range;
  return {
    kind: 'candles',
    found: pairs.length / candles.length,
    correlation: correlationOf(
      pairs.map(({ truth }) => chart.rowOf(truth.close)),
      pairs.map(({ read }) => read.close),
    ),
    close95: percentile95(pairs.map(({ truth, read }) => share(truth.close, read.close))),
    extreme95: percentile95(
      pairs.map(({ truth, read }) => Math.max(share(truth.high, read.high), share(truth.low, read.low))),
    ),
    direction:
      pairs.filter(({ truth, read }) => truth.close >= truth.open === read.close <= read.open).length / pairs.length,
  };
}
