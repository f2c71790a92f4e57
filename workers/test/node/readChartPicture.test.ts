import { describe, expect, it } from 'vitest';
import { drawChart } from '../vision/drawChart.ts';
import { imageOf, randomCandles, seeded } from '../vision/measure.ts';
import { chartStyles } from '../vision/styles.ts';
import { readChartPicture } from '../../src/node/readChartPicture.ts';
import type { ChartImage, ReadProgress } from '../../src/vision/reading.ts';

/** White, with 40 candles of known bodies: candle i stands at column 20 + 10 i and falls from row 40 + 4 i to 44 + 4 i, so each opens where the last closed. */
function ladder(): ChartImage {
  const [width, height] = [440, 240];
  const rgba = new Uint8Array(width * height * 4).fill(255);
  for (let candle = 0; candle < 40; candle++) {
    for (let y = 40 + 4 * candle; y < 44 + 4 * candle; y++)
      for (let x = 17 + candle * 10; x < 24 + candle * 10; x++) rgba.set([20, 150, 90, 255], (y * width + x) * 4);
  }
  return { width, height, rgba };
}

describe('readChartPicture', () => {
  it('gives the rows of the candles and the area they stand in', async () => {
    const reading = await readChartPicture(ladder(), { withText: false });
    if (reading.kind !== 'chart') throw new Error(reading.reason);
    expect(reading.candles).toHaveLength(40);
    expect(reading.candles[3]).toMatchObject({ index: 3, x: 50.5, open: 52, high: 52, low: 56, close: 56 });
    expect(reading.plot).toEqual({ left: 15.5, top: 40, right: 415.5, bottom: 200 });
    expect(reading.text).toBeNull();
    expect(reading.prices).toBeNull();
  });

  it('says why a picture is no chart', async () => {
    const plain = { width: 300, height: 200, rgba: new Uint8Array(300 * 200 * 4).fill(90) };
    expect(await readChartPicture(plain, { withText: false })).toEqual({ kind: 'notAChart', reason: 'noCandles' });
    const tiny = { width: 40, height: 300, rgba: new Uint8Array(40 * 300 * 4).fill(255) };
    expect(await readChartPicture(tiny, { withText: false })).toEqual({ kind: 'notAChart', reason: 'tooSmall' });
  });

  it('reads symbol, interval and prices, and reports its progress', async () => {
    const candles = randomCandles(60, 3000, seeded(4));
    const style = { ...chartStyles[0]!, title: 'ETH/USDT · 4h · Perpetual' };
    const chart = await drawChart(style, candles, { format: 'png', quality: 100, scale: 1 });
    const progress: ReadProgress[] = [];
    const reading = await readChartPicture(await imageOf(chart.bytes), {
      withText: true,
      textDeadlineMs: 50_000,
      onProgress: (step) => progress.push(step),
    });
    if (reading.kind !== 'chart') throw new Error(reading.reason);
    expect(reading.text?.symbol?.value).toBe('ETHUSDT');
    expect(reading.text?.interval?.value).toBe('4h');
    expect(reading.text?.dateLabels.map(({ text }) => text)).toContain('15:00');
    expect(reading.prices?.scale).toBe('linear');
    expect(reading.prices?.residualFraction).toBeLessThan(0.005);
    const range = Math.max(...candles.map(({ high }) => high)) - Math.min(...candles.map(({ low }) => low));
    for (const { index, close } of reading.prices?.candles ?? [])
      expect(Math.abs(close - (candles[index]?.close ?? 0))).toBeLessThan(range * 0.01);
    const fractions = progress.map(({ fraction }) => fraction);
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    expect(progress.at(-1)).toEqual({ step: 'prices', fraction: 1 });
  });

  it('keeps the shapes when the text takes too long', async () => {
    const chart = await drawChart(chartStyles[0]!, randomCandles(40, 3000, seeded(4)), {
      format: 'png',
      quality: 100,
      scale: 0.7,
    });
    const reading = await readChartPicture(await imageOf(chart.bytes), { withText: true, textDeadlineMs: 0 });
    expect(reading).toMatchObject({ kind: 'chart', text: null, prices: null, textFailure: 'timeout' });
  });
});
