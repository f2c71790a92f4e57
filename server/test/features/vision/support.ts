import type { ChartReading } from '@sextant/workers/src/vision/reading.ts';
import type { ReadPicture } from '../../../src/features/vision/readPicture.ts';
import type { TestApp, TestUser } from '../../support/createTestApp.ts';

export interface Bars {
  time: number[];
  open: number[];
  high: number[];
  low: number[];
  close: number[];
}

/**
 * Late in an hour the price may have passed a level of its last closed candle: then nothing opens. The check leaves a margin on both sides.
 */
export async function isBetweenLevels(
  test: TestApp,
  user: TestUser,
  symbol: string,
  { stop, target }: { stop: number | null; target: number | null },
): Promise<boolean> {
  if (stop === null || target === null) return false;
  const response = await test.app.inject({ url: `/api/price?symbol=${symbol}`, headers: user.bearer });
  const share = (response.json<{ price: number }>().price - stop) / (target - stop);
  return share > 0.08 && share < 0.92;
}

/** Closed candles as the API returns them. */
export async function klines(
  test: TestApp,
  user: TestUser,
  symbol: string,
  interval: string,
  limit: number,
): Promise<Bars> {
  const url = `/api/klines?symbol=${symbol}&interval=${interval}&limit=${limit}`;
  return (await test.app.inject({ url, headers: user.bearer })).json<{ candles: Bars }>().candles;
}

const rowsHigh = 500;

/** The result of a reader for a picture of these candles: rows of pixels, and the text in it. */
export function readingOf(
  { open, high, low, close }: Omit<Bars, 'time'>,
  {
    title = null,
    withPrices = true,
  }: { title?: { symbol: string; interval: string } | null; withPrices?: boolean } = {},
): ChartReading {
  const [top, bottom] = [Math.max(...high), Math.min(...low)];
  const row = (price: number): number => 40 + Math.round(((top - price) / (top - bottom)) * rowsHigh);
  const value = (text: string) => ({ value: text, confidence: 0.9 });
  return {
    kind: 'chart',
    style: 'candles',
    plot: { left: 0, top: 40, right: close.length * 10, bottom: 40 + rowsHigh },
    background: [0, 0, 0],
    up: [0, 200, 0],
    down: [200, 0, 0],
    step: 10,
    candles: close.map((_, index) => ({
      index,
      x: 5 + index * 10,
      open: row(open[index]!),
      high: row(high[index]!),
      low: row(low[index]!),
      close: row(close[index]!),
    })),
    prices: withPrices
      ? {
          candles: close.map((_, index) => ({
            index,
            open: open[index]!,
            high: high[index]!,
            low: low[index]!,
            close: close[index]!,
          })),
          scale: 'linear',
          residualFraction: 0.001,
          labelsUsed: 6,
          labelsRead: 6,
        }
      : null,
    text:
      title === null
        ? { symbol: null, interval: null, priceLabels: [], dateLabels: [] }
        : { symbol: value(title.symbol), interval: value(title.interval), priceLabels: [], dateLabels: [] },
    textFailure: null,
    indicators: [],
    volume: null,
  };
}

type Shape = Omit<Bars, 'time'>;
const shaped = (of: Shape, change: (values: number[]) => number[]): Shape => ({
  open: change(of.open),
  high: change(of.high),
  low: change(of.low),
  close: change(of.close),
});

/** The candles of a chart mirrored left to right: each opens where it closed. */
export function backwards({ open, high, low, close }: Shape): Shape {
  return shaped({ open: close, high, low, close: open }, (values) => values.toReversed());
}

/** The candles of a chart mirrored top to bottom. */
export function turnedOver({ open, high, low, close }: Shape): Shape {
  const sum = Math.max(...high) + Math.min(...low);
  return shaped({ open, high: low, low: high, close }, (values) => values.map((value) => sum - value));
}

/** The last candles. */
export const sliceOf = (bars: Shape, count: number): Shape => shaped(bars, (values) => values.slice(-count));

export const pictured = (reading: ReadPicture['reading']): ReadPicture => ({
  reading,
  size: { width: 1000, height: 600 },
  picture: Buffer.from('RIFF'),
});

/** A form as a browser sends it. */
export function formOf(bytes: Uint8Array, { field = 'image', name = 'chart.png', type = 'image/png' } = {}) {
  const boundary = '----sextant';
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="${name}"\r\ncontent-type: ${type}\r\n\r\n`;
  return {
    payload: Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from(`\r\n--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}

/** mulberry32 from 0 to 1. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A market that no exchange lists, rising when `drift` is above 0. */
export function strangeBars(count: number, price: number, seed: number, drift = 0): Omit<Bars, 'time'> {
  const random = seeded(seed);
  const bars = { open: [] as number[], high: [] as number[], low: [] as number[], close: [] as number[] };
  let at = price;
  for (let i = 0; i < count; i++) {
    const open = at;
    at *= 1 + drift + (random() + random() - 1) * 0.01;
    bars.open.push(open);
    bars.close.push(at);
    bars.high.push(Math.max(open, at) * (1 + random() * 0.003));
    bars.low.push(Math.min(open, at) * (1 - random() * 0.003));
  }
  return bars;
}
