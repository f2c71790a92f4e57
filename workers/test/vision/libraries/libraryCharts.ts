import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { chromiumLaunch } from '../../../../browser.ts';
import type { DrawnCandle } from '../drawChart.ts';

/** Charts as public charting libraries draw them by default, from known candles, in a real browser. */
export interface LibraryStyle {
  name: string;
  library: 'lightweight' | 'echarts' | 'chartjs' | 'highcharts' | 'klinecharts';
  kind: 'candles' | 'hollow' | 'ohlc' | 'line' | 'area';
  isDark?: boolean;
  isLog?: boolean;
  /** Arrows or flags of trades. */
  markers?: boolean;
  /** White space around the chart, in CSS pixels. */
  margin?: number;
  /** Size of the labels of the price axis, CSS pixels; they stand inside the plot of Highcharts, over its last candles. */
  labelSize?: number;
  /** Device pixels of a CSS pixel. */
  scale?: number;
}

export const libraryStyles: readonly LibraryStyle[] = [
  { name: 'lightweight-charts', library: 'lightweight', kind: 'candles' },
  { name: 'lightweight-charts, dark', library: 'lightweight', kind: 'candles', isDark: true },
  { name: 'lightweight-charts, trade markers', library: 'lightweight', kind: 'candles', markers: true },
  { name: 'lightweight-charts, white margins', library: 'lightweight', kind: 'candles', margin: 60 },
  { name: 'lightweight-charts, retina', library: 'lightweight', kind: 'candles', scale: 2 },
  { name: 'lightweight-charts, logarithmic', library: 'lightweight', kind: 'candles', isLog: true },
  { name: 'lightweight-charts, OHLC', library: 'lightweight', kind: 'ohlc' },
  { name: 'lightweight-charts, line', library: 'lightweight', kind: 'line' },
  { name: 'lightweight-charts, area', library: 'lightweight', kind: 'area' },
  { name: 'ECharts', library: 'echarts', kind: 'candles' },
  { name: 'ECharts, mark points', library: 'echarts', kind: 'candles', markers: true },
  { name: 'ECharts, retina', library: 'echarts', kind: 'candles', scale: 2 },
  { name: 'ECharts, line', library: 'echarts', kind: 'line' },
  { name: 'Chart.js', library: 'chartjs', kind: 'candles' },
  { name: 'Chart.js, white margins', library: 'chartjs', kind: 'candles', margin: 60 },
  { name: 'Chart.js, OHLC', library: 'chartjs', kind: 'ohlc' },
  { name: 'Chart.js, line', library: 'chartjs', kind: 'line' },
  { name: 'Highcharts', library: 'highcharts', kind: 'candles' },
  { name: 'Highcharts, flags', library: 'highcharts', kind: 'candles', markers: true },
  { name: 'Highcharts, OHLC', library: 'highcharts', kind: 'ohlc' },
  { name: 'Highcharts, OHLC, labels over the last bars', library: 'highcharts', kind: 'ohlc', labelSize: 14 },
  { name: 'Highcharts, line', library: 'highcharts', kind: 'line' },
  { name: 'KLineCharts', library: 'klinecharts', kind: 'candles' },
  { name: 'KLineCharts, dark', library: 'klinecharts', kind: 'candles', isDark: true },
  { name: 'KLineCharts, hollow', library: 'klinecharts', kind: 'hollow' },
  { name: 'KLineCharts, OHLC', library: 'klinecharts', kind: 'ohlc' },
  { name: 'KLineCharts, area', library: 'klinecharts', kind: 'area' },
];

const { resolve } = createRequire(import.meta.url);

/** Not every library exports the file that a page takes, so its folder is searched as Node does. */
function packageFile(name: string, path: string): string {
  const folder = (resolve.paths(name) ?? []).find((parent) => existsSync(join(parent, name)));
  if (folder === undefined) throw new Error(`${name} is not installed`);
  return readFileSync(join(folder, name, path), 'utf8');
}

const scripts: Record<LibraryStyle['library'], () => string[]> = {
  lightweight: () => [packageFile('lightweight-charts', 'dist/lightweight-charts.standalone.production.js')],
  echarts: () => [packageFile('echarts', 'dist/echarts.min.js')],
  chartjs: () => [
    packageFile('chart.js', 'dist/chart.umd.min.js'),
    packageFile('chartjs-chart-financial', 'dist/chartjs-chart-financial.min.js'),
  ],
  highcharts: () => [packageFile('highcharts', 'highstock.js')],
  klinecharts: () => [packageFile('klinecharts', 'dist/umd/klinecharts.min.js')],
};

const drawing = readFileSync(join(import.meta.dirname, 'draw.js'), 'utf8');
const hourMs = 3_600_000;
const firstTime = Date.UTC(2026, 0, 5);

/** In pixels of the picture: the columns of the candles and the rows of their closes. */
export interface LibraryPicture {
  bytes: Uint8Array;
  xs: number[];
  rows: number[];
}

export const openBrowser = async (): Promise<Browser> => chromium.launch(await chromiumLaunch());

/** A screenshot of the page, as a user takes one. */
export async function drawLibraryChart(
  browser: Browser,
  style: LibraryStyle,
  candles: readonly DrawnCandle[],
  size = { width: 1200, height: 640 },
): Promise<LibraryPicture> {
  const { margin = 0, scale = 1 } = style;
  const viewport = { width: size.width + 2 * margin, height: size.height + 2 * margin };
  const page = await browser.newPage({ viewport, deviceScaleFactor: scale, locale: 'en-US' });
  try {
    await page.setContent(
      `<!doctype html><style>body{margin:${margin}px;background:#fff}#chart{width:${size.width}px;height:${size.height}px}</style><div id="chart"></div>`,
    );
    for (const content of [...scripts[style.library](), drawing]) await page.addScriptTag({ content });
    const options = { ...style, candles: candles.map((candle, at) => ({ ...candle, time: firstTime + at * hourMs })) };
    const call = `globalThis.drawLibrary(${JSON.stringify(style.library)}, ${JSON.stringify(options)})`;
    const { xs, rows } = await page.evaluate<{ xs: number[]; rows: number[] }>(call);
    const bytes = new Uint8Array(await page.screenshot());
    return { bytes, xs: xs.map((x) => x * scale), rows: rows.map((row) => row * scale) };
  } finally {
    await page.close();
  }
}
