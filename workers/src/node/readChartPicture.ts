import { priceOf } from '../vision/parseText.ts';
import { fitScale, priceCandles, withValues } from '../vision/priceScale.ts';
import { readText } from '../vision/readText.ts';
import { startTextReader, TextFailure, type TextReader } from './textReader.ts';
import { readChart } from '../vision/readChart.ts';
import type { ChartImage, ChartReading, NotAChart, ReadOptions } from '../vision/reading.ts';
import type { PixelCandle } from '../vision/candles.ts';
import type { Raster } from '../vision/raster.ts';

/** Smaller pictures have no room for a chart with its axes. */
const sideMin = 80;

const deadlineDefaultMs = 20_000;

/** Reads a chart picture. Shapes are read in the calling thread, so a server calls this in a separate process or worker. */
export async function readChartPicture(image: ChartImage, options: ReadOptions): Promise<ChartReading | NotAChart> {
  // It loads while the shapes are read.
  const reader = options.withText ? startTextReader(options.textDeadlineMs ?? deadlineDefaultMs) : null;
  try {
    return await readPictureWith(image, reader, options.onProgress);
  } finally {
    await reader?.end();
  }
}

/** The same with a running reader of characters, or none: for many pictures in a row. */
export async function readPictureWith(
  image: ChartImage,
  reader: TextReader | null,
  onProgress?: ReadOptions['onProgress'],
): Promise<ChartReading | NotAChart> {
  if (image.width < sideMin || image.height < sideMin) return { kind: 'notAChart', reason: 'tooSmall' };
  onProgress?.({ step: 'shapes', fraction: 0 });
  const raster = rasterOf(image);
  const reading = readShapes(raster);
  onProgress?.({ step: 'shapes', fraction: reader === null ? 1 : 0.3 });
  return reading.kind === 'notAChart' || reader === null ? reading : withText(reading, raster, reader, onProgress);
}

async function withText(
  reading: ChartReading,
  raster: Raster,
  reader: TextReader,
  onProgress: ReadOptions['onProgress'],
): Promise<ChartReading> {
  let sheets = 0;
  try {
    const { text, axis } = await readText(raster, reading, async (sheet, characters) => {
      const lines = await reader.read(sheet, characters);
      sheets++;
      onProgress?.({ step: 'text', fraction: Math.min(0.9, 0.3 + 0.3 * sheets) });
      return lines;
    });
    const scale = fitScale(axis);
    onProgress?.({ step: 'prices', fraction: 1 });
    return {
      ...reading,
      text: {
        ...text,
        priceLabels: axis.map((label) => ({ price: priceOf(label.text), y: label.y, confidence: label.confidence })),
      },
      prices: scale === null ? null : priceCandles(reading.candles, scale, axis.length),
      indicators: scale === null ? reading.indicators : reading.indicators.map((line) => withValues(line, scale)),
    };
  } catch (error) {
    if (error instanceof TextFailure) return { ...reading, textFailure: error.reason };
    throw error;
  }
}

function readShapes(raster: Raster): ChartReading | NotAChart {
  const match = readChart(raster);
  if (match.kind === 'none') return { kind: 'notAChart', reason: 'noCandles' };
  if (match.kind === 'tooFew') return { kind: 'notAChart', reason: 'tooFewCandles', candleCount: match.count };
  const { background, step, candles } = match;
  const { up, down } = match.kind === 'line' ? { up: match.colour, down: match.colour } : match;
  return {
    kind: 'chart',
    style: match.kind,
    plot: plotOf(candles, step),
    background,
    up,
    down,
    step,
    candles,
    prices: null,
    text: null,
    textFailure: null,
    indicators: match.kind === 'line' ? [] : match.indicators,
    volume: match.kind === 'line' ? null : match.volume,
  };
}

/** Without opacity: transparent pixels are drawn on white. */
function rasterOf({ width, height, rgba }: ChartImage): Raster {
  const rgb = new Uint8Array(width * height * 3);
  for (let from = 0, to = 0; to < rgb.length; from += 4) {
    if (rgba[from + 3] === 255) {
      rgb[to++] = rgba[from] as number;
      rgb[to++] = rgba[from + 1] as number;
      rgb[to++] = rgba[from + 2] as number;
      continue;
    }
    const opacity = (rgba[from + 3] as number) / 255;
    for (let part = 0; part < 3; part++)
      rgb[to++] = Math.round((rgba[from + part] as number) * opacity + 255 * (1 - opacity));
  }
  return { width, height, rgb };
}

function plotOf(candles: readonly PixelCandle[], step: number): ChartReading['plot'] {
  const xs = candles.map(({ x }) => x);
  return {
    left: Math.max(0, Math.min(...xs) - step / 2),
    top: Math.min(...candles.map(({ high }) => high)),
    right: Math.max(...xs) + step / 2,
    bottom: Math.max(...candles.map(({ low }) => low)),
  };
}
