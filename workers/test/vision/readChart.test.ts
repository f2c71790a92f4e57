import { describe, expect, it } from 'vitest';
import { drawChart, type PictureForm } from './drawChart.ts';
import { errorOf, randomCandles, rasterOf, readPicture, seeded } from './measure.ts';
import { readChart } from '../../src/vision/readChart.ts';
import { chartStyles } from './styles.ts';

const png: PictureForm = { format: 'png', quality: 100, scale: 1 };

describe('readChart', () => {
  it.each(
    chartStyles
      .filter(({ kind }) => kind === 'filled' || kind === 'hollow')
      .map((style) => [style.name, style] as const),
  )('finds the candles of a chart in the style %s', async (_, style) => {
    const candles = randomCandles(70, 60_000, seeded(11));
    const chart = await drawChart(style, candles, png);
    const { kind, found, correlation, close95, direction } = errorOf(await readPicture(chart.bytes), chart, candles);
    expect(kind).toBe('candles');
    expect(found).toBeGreaterThan(0.9);
    expect(correlation).toBeGreaterThan(0.99);
    expect(close95).toBeLessThan(0.01);
    expect(direction).toBeGreaterThan(0.95);
  });

  it('follows a line and finds where its closes stand', async () => {
    const candles = randomCandles(80, 3000, seeded(9));
    const style = chartStyles.find(({ kind }) => kind === 'line')!;
    const chart = await drawChart(style, candles, png);
    const reading = await readPicture(chart.bytes);
    if (reading.kind !== 'line') throw new Error(reading.kind);
    expect(reading.candles.length).toBeGreaterThan(76);
    // Ends of the line count as closes, so a step is wrong by less than two parts in eighty.
    expect(Math.abs(reading.step - (chart.xs.at(-1)! - chart.xs[0]!) / 79)).toBeLessThan(0.5);
    const height = Math.abs(chart.rowOf(candles[0]!.high * 1.1) - chart.rowOf(candles[0]!.high));
    for (const { x, close } of reading.candles) {
      const at = chart.xs.findIndex((column) => Math.abs(column - x) < 2);
      if (at >= 0) expect(Math.abs(close - chart.rowOf(candles[at]!.close))).toBeLessThan(height * 0.2);
    }
  });

  it('gives the same reading for the same pixels', async () => {
    const chart = await drawChart(chartStyles[0]!, randomCandles(40, 3000, seeded(5)), png);
    const raster = await rasterOf(chart.bytes);
    expect(readChart(raster)).toEqual(readChart(raster));
  });

  it.each([6, 9, 14])('counts %i candles, which are too few for a chart', async (count) => {
    const chart = await drawChart(chartStyles[1]!, randomCandles(count, 3000, seeded(5)), png);
    expect(await readPicture(chart.bytes)).toEqual({ kind: 'tooFew', count });
  });

  it('reads nothing out of noise, a plain area or bars on one base', () => {
    const random = seeded(3);
    const noise = new Uint8Array(400 * 300 * 3).map(() => Math.floor(random() * 256));
    const bars = new Uint8Array(400 * 300 * 3).fill(250);
    for (let bar = 0; bar < 40; bar++) {
      const height = 20 + Math.floor(random() * 200);
      for (let y = 280 - height; y < 280; y++)
        for (let x = bar * 10; x < bar * 10 + 7; x++) bars.set([30, 90, 200], (y * 400 + x) * 3);
    }
    for (const rgb of [noise, bars, new Uint8Array(400 * 300 * 3).fill(30)])
      expect(readChart({ width: 400, height: 300, rgb })).toEqual({ kind: 'none' });
  });
});
