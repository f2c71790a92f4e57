import { readPictureWith } from '../../src/node/readChartPicture.ts';
import type { TextReader } from '../../src/node/textReader.ts';
import type { ChartReading, NotAChart } from '../../src/vision/reading.ts';
import { drawChart, type ChartStyle, type DrawnCandle, type DrawnChart, type PictureForm } from './drawChart.ts';
import { correlationOf, imageOf, nth, percentile95, randomCandles, seeded } from './measure.ts';
import { chartStyles } from './styles.ts';

/** The pictures behind the figures in docs/vision.md: each style in each form, with a separate market, title and prices. */
export interface PictureCase {
  style: ChartStyle;
  form: PictureForm;
  symbol: string;
  interval: string;
  candles: DrawnCandle[];
}

export const pictureForms: readonly PictureForm[] = [
  { format: 'png', quality: 100, scale: 1 },
  { format: 'jpeg', quality: 95, scale: 1 },
  { format: 'jpeg', quality: 80, scale: 1 },
  { format: 'jpeg', quality: 60, scale: 1 },
  { format: 'jpeg', quality: 40, scale: 1 },
  { format: 'webp', quality: 80, scale: 1 },
  { format: 'png', quality: 100, scale: 2 },
  { format: 'png', quality: 100, scale: 1.5 },
  { format: 'png', quality: 100, scale: 0.75 },
  { format: 'png', quality: 100, scale: 0.5 },
];

/** As exchanges and charting sites write them. */
const markets: readonly { title: string; symbol: string; interval: string; price: number }[] = [
  { title: 'BTCUSDT Perpetual · 1h', symbol: 'BTCUSDT', interval: '1h', price: 60_000 },
  { title: 'ETH/USDT · 4h · Binance', symbol: 'ETHUSDT', interval: '4h', price: 3_000 },
  { title: 'SOLUSDT.P, 15, BYBIT', symbol: 'SOLUSDT', interval: '15m', price: 140 },
  { title: 'XRPUSDT 1D', symbol: 'XRPUSDT', interval: '1d', price: 2.4 },
  { title: 'DOGE-USDT-SWAP 5m', symbol: 'DOGEUSDT', interval: '5m', price: 0.12 },
  { title: 'LINK/USDT Perpetual 15m', symbol: 'LINKUSDT', interval: '15m', price: 14.5 },
  { title: 'ADAUSDT · 1H · OKX', symbol: 'ADAUSDT', interval: '1h', price: 0.45 },
];

/** Style after style, form after form; `rounds` markets of each. */
export function pictureCases(rounds: number, styles = chartStyles, forms = pictureForms): PictureCase[] {
  return Array.from({ length: rounds }).flatMap((_, round) =>
    styles.flatMap((style, styleAt) =>
      forms.map((form, formAt) => {
        const random = seeded(1 + round * 7919 + styleAt * 131 + formAt);
        for (let skipped = 0; skipped < 8; skipped++) random();
        const { title, symbol, interval, price } = nth(markets, round * 3 + styleAt + formAt);
        const count = 45 + Math.floor(random() * 60);
        const candles = randomCandles(count, price * (0.8 + random() * 0.4), random);
        return { style: { ...style, title }, form, symbol, interval, candles };
      }),
    ),
  );
}

export interface PictureResult {
  style: string;
  form: PictureForm;
  isChart: boolean;
  /** Share of the candles that were found; for a line, of its width. */
  found: number;
  correlation: number;
  /** Error of the closes as a share of the price range: by rows (mean) and by prices as they were read (mean, 95th percentile). */
  rowError: number;
  priceError: number;
  priceError95: number;
  hasPrices: boolean;
  isScale: boolean;
  isSymbol: boolean;
  isInterval: boolean;
}

export async function readCase(picture: PictureCase, reader: TextReader | null): Promise<PictureResult> {
  const chart = await drawChart(picture.style, picture.candles, picture.form);
  const reading = await readPictureWith(await imageOf(chart.bytes), reader);
  return resultOf(picture, chart, reading);
}

/** Close of the drawn market at a column, as a line shows it. */
function closeAt({ xs }: DrawnChart, candles: readonly DrawnCandle[], x: number): number | null {
  const next = xs.findIndex((column) => column >= x);
  if (next <= 0) return next === 0 && (xs[0] ?? 0) - x < 1 ? (candles[0]?.close ?? null) : null;
  const [from, to] = [xs[next - 1] as number, xs[next] as number];
  const [before, after] = [(candles[next - 1] as DrawnCandle).close, (candles[next] as DrawnCandle).close];
  return before + ((after - before) * (x - from)) / (to - from);
}

function resultOf(
  { style, form, symbol, interval, candles }: PictureCase,
  chart: DrawnChart,
  reading: ChartReading | NotAChart,
): PictureResult {
  const none = {
    style: style.name,
    form,
    isChart: false,
    found: 0,
    correlation: 0,
    rowError: 1,
    priceError: 1,
    priceError95: 1,
  };
  const unread = { hasPrices: false, isScale: false, isSymbol: false, isInterval: false };
  const isLine = style.kind === 'line' || style.kind === 'area';
  if (reading.kind === 'notAChart' || (reading.style === 'line') !== isLine) return { ...none, ...unread };
  const range = Math.max(...candles.map(({ high }) => high)) - Math.min(...candles.map(({ low }) => low));
  const rows = Math.abs(
    chart.rowOf(Math.max(...candles.map(({ high }) => high))) - chart.rowOf(Math.min(...candles.map(({ low }) => low))),
  );
  const prices = new Map(reading.prices?.candles.map((candle) => [candle.index, candle.close]));
  const pairs = reading.candles.flatMap(({ index, x, close }) => {
    const at = chart.xs.findIndex((column) => Math.abs(column - x) < reading.step * 0.5);
    const truth = isLine ? closeAt(chart, candles, x) : (candles[at]?.close ?? null);
    return truth === null ? [] : [{ truth, row: close, price: prices.get(index) ?? null }];
  });
  const priceErrors = pairs.map(({ truth, price }) => (price === null ? 1 : Math.abs(truth - price) / range));
  const span = Math.abs((chart.xs.at(-1) ?? 0) - (chart.xs[0] ?? 0));
  return {
    style: style.name,
    form,
    isChart: true,
    found: isLine ? (pairs.length * reading.step) / span : pairs.length / candles.length,
    correlation: correlationOf(
      pairs.map(({ truth }) => chart.rowOf(truth)),
      pairs.map(({ row }) => row),
    ),
    rowError: mean(pairs.map(({ truth, row }) => Math.abs(chart.rowOf(truth) - row) / rows)),
    priceError: mean(priceErrors),
    priceError95: percentile95(priceErrors),
    hasPrices: reading.prices !== null,
    isScale: reading.prices?.scale === (style.isLog ? 'log' : 'linear'),
    isSymbol: reading.text?.symbol?.value === symbol,
    isInterval: reading.text?.interval?.value === interval,
  };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The goals of one picture. */
export const isFollowed = ({ found, correlation }: PictureResult): boolean => found >= 0.9 && correlation >= 0.995;
export const isPriced = (result: PictureResult): boolean => isFollowed(result) && result.priceError <= 0.003;
export const isNamed = ({ isSymbol, isInterval }: PictureResult): boolean => isSymbol && isInterval;

const shareOf = (results: readonly PictureResult[], holds: (result: PictureResult) => boolean): string =>
  `${((results.filter(holds).length / results.length) * 100).toFixed(0)} %`;

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** Rows of a Markdown table: by style, then by form, then all. */
export function tableOf(results: readonly PictureResult[]): string {
  const formName = ({ format, quality, scale }: PictureForm): string =>
    format === 'png' ? `PNG, size ${scale}` : `${format.toUpperCase()} ${quality}`;
  const groups = new Map<string, PictureResult[]>();
  const add = (name: string, result: PictureResult): void =>
    void groups.set(name, [...(groups.get(name) ?? []), result]);
  for (const result of results) add(result.style, result);
  for (const result of results) add(formName(result.form), result);
  for (const result of results) add('all', result);
  const rows = [...groups].map(([name, group]) => [
    name,
    String(group.length),
    shareOf(group, isFollowed),
    shareOf(group, ({ priceError }) => priceError <= 0.003),
    shareOf(group, isPriced),
    `${(median(group.map(({ priceError }) => priceError)) * 100).toFixed(2)} %`,
    shareOf(group, ({ priceError95 }) => priceError95 <= 0.003),
    shareOf(group, ({ hasPrices }) => hasPrices),
    shareOf(group, isNamed),
  ]);
  const head = [
    'pictures',
    'n',
    'closes >= 0.995',
    'error <= 0.3 %',
    'both',
    'median error',
    '95 % of closes <= 0.3 %',
    'prices read',
    'symbol, interval',
  ];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
