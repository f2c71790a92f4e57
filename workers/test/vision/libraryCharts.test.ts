import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readChart } from '../../src/vision/readChart.ts';
import { drawLibraryChart, type LibraryPicture, libraryStyles, openBrowser } from './libraries/libraryCharts.ts';
import { drawMplfinance, mplStyles } from './libraries/mplfinance.ts';
import { correlationOf, randomCandles, rasterOf, seeded } from './measure.ts';

/** `npm run test:statistics` draws each style with five counts of candles, `npm test` with one. */
const counts = process.env.STATISTICS === 'full' ? [30, 40, 70, 100, 150] : [70];

const cases = [...libraryStyles, ...mplStyles].flatMap((style) =>
  counts.map((count) => [style.name, count, style] as const),
);

describe('charts in the default style of public libraries', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it.each(cases)('%s with %i candles is read to within one candle', async (_, count, style) => {
    const candles = randomCandles(count, 60_000, seeded(11 + count));
    const picture: LibraryPicture =
      'library' in style ? await drawLibraryChart(browser, style, candles) : await drawMplfinance(style, candles);
    const reading = readChart(await rasterOf(picture.bytes));
    if (reading.kind !== 'candles' && reading.kind !== 'line') throw new Error(reading.kind);
    const isLine = 'kind' in style && (style.kind === 'line' || style.kind === 'area');
    expect(reading.kind).toBe(isLine ? 'line' : 'candles');
    expect(Math.abs((reading.candles.at(-1)?.index ?? 0) + 1 - count)).toBeLessThanOrEqual(1);
    const pairs = reading.candles.flatMap(({ x, close }) => {
      const at = picture.xs.findIndex((column) => Math.abs(column - x) < reading.step * 0.5);
      return at < 0 ? [] : [{ drawn: picture.rows[at] as number, read: close }];
    });
    expect(pairs.length).toBeGreaterThan(count * 0.85);
    const correlation = correlationOf(
      pairs.map(({ drawn }) => drawn),
      pairs.map(({ read }) => read),
    );
    expect(correlation).toBeGreaterThan(0.99);
  });
});
