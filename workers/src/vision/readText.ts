import type { PixelCandle } from './candles.ts';
import { parseDate, parseInterval, parsePriceText, parseSymbol } from './parseText.ts';
import type { AxisLabel } from './priceScale.ts';
import type { Raster } from './raster.ts';
import type { Area, ChartText, TextValue } from './reading.ts';
import { patchOf, sheetOf, type Patch, type TextLine, textLines, type TextSheet } from './textLines.ts';

export interface RecognisedLine {
  text: string;
  /** 0 to 1. */
  confidence: number;
  /** Row of the sheet. */
  middle: number;
}

/** Reads a sheet. `characters`: the only ones it may contain, all when empty. */
export type ReadCharacters = (sheet: TextSheet, characters: string) => Promise<RecognisedLine[]>;

/** Where the candles stand, in pixels of the picture. */
export interface Shapes {
  plot: Area;
  step: number;
  candles: readonly PixelCandle[];
}

export interface TextReading {
  text: Omit<ChartText, 'priceLabels'>;
  axis: AxisLabel[];
}

/** Without a currency sign: small fives are read as one. */
const axisCharacters = '0123456789.,K';
const titleLinesMax = 8;
const axisLinesMax = 30;
const datesMax = 16;

/** Reads title, price axis and time axis. Rejects only as `read` does. */
export async function readText(raster: Raster, shapes: Shapes, read: ReadCharacters): Promise<TextReading> {
  const title = titleLines(raster, shapes);
  const dates = dateLines(raster, shapes);
  const words = await linesOf(read, [...title, ...dates], '');
  const right = await axisLabels(raster, axisArea(raster, shapes, 'right'), read);
  const axis = right.length >= 3 ? right : await axisLabels(raster, axisArea(raster, shapes, 'left'), read);
  const titles = words.filter(({ index }) => index < title.length);
  return {
    text: {
      symbol: firstOf(titles, parseSymbol),
      interval: firstOf(titles, parseInterval),
      dateLabels: words.flatMap(({ index, text }) => {
        const line = dates[index - title.length]?.line;
        const date = line === undefined ? null : parseDate(text);
        return line === undefined || date === null ? [] : [{ text: date, x: (line.box.left + line.box.right) / 2 }];
      }),
    },
    axis,
  };
}

interface TextMatch {
  patch: Patch;
  line: TextLine;
}

interface ReadLine {
  text: string;
  confidence: number;
  /** Index of the line in the list that was read. */
  index: number;
}

async function linesOf(read: ReadCharacters, lines: readonly TextMatch[], characters: string): Promise<ReadLine[]> {
  if (lines.length === 0) return [];
  const sheet = sheetOf(lines);
  const matches = await read(sheet, characters);
  return lines.flatMap((_, index) => {
    const [from, end] = [sheet.ends[index - 1] ?? 0, sheet.ends[index] ?? 0];
    const parts = matches.filter(({ middle }) => middle >= from && middle < end);
    if (parts.length === 0) return [];
    const confidence = Math.min(...parts.map((part) => part.confidence));
    return [{ index, text: parts.map(({ text }) => text).join(' '), confidence }];
  });
}

function firstOf(lines: readonly ReadLine[], parse: (text: string) => string | null): TextValue | null {
  for (const { text, confidence } of lines) {
    const value = parse(text);
    if (value !== null) return { value, confidence };
  }
  return null;
}

/** Lines in the upper part that are no candles. */
function titleLines(raster: Raster, { candles, step }: Shapes): TextMatch[] {
  const patch = patchOf(raster, { left: 0, top: 0, right: raster.width, bottom: raster.height * 0.22 });
  const isCandle = ({ left, right, top, bottom }: Area): boolean =>
    candles.some(
      (candle) => candle.x > left - step / 3 && candle.x < right + step / 3 && candle.high < bottom && candle.low > top,
    );
  return textLines(patch, 3, Math.max(16, raster.height * 0.06), isCandle)
    .filter(({ box, height }) => box.right - box.left >= height * 4)
    .slice(0, titleLinesMax)
    .map((line) => ({ patch, line }));
}

/** Labels on one row below the candles. */
function dateLines(raster: Raster, { plot }: Shapes): TextMatch[] {
  const top = Math.max(plot.bottom, raster.height * 0.8);
  const patch = patchOf(raster, { left: 0, top, right: raster.width, bottom: raster.height });
  const lines = textLines(patch, 1.5, Math.max(14, raster.height * 0.04), () => false);
  const beside = (line: TextLine): TextLine[] =>
    lines.filter(({ middle, height }) => Math.abs(middle - line.middle) <= Math.max(2, height * 0.4));
  const row = lines.reduce<TextLine[]>((most, line) => {
    const matches = beside(line);
    return matches.length > most.length ? matches : most;
  }, []);
  return row.slice(0, datesMax).map((line) => ({ patch, line }));
}

const axisArea = (raster: Raster, { plot }: Shapes, side: 'left' | 'right'): Area => ({
  left: side === 'right' ? plot.right : 0,
  right: side === 'right' ? raster.width : plot.left,
  top: 0,
  bottom: raster.height,
});

async function axisLabels(raster: Raster, area: Area, read: ReadCharacters): Promise<AxisLabel[]> {
  if (area.right - area.left < 12) return [];
  const patch = patchOf(raster, area);
  const matches = textLines(patch, 1, Math.max(14, raster.height * 0.05), () => false)
    .filter(({ box, height }) => box.right - box.left >= height)
    .slice(0, axisLinesMax)
    .map((line) => ({ patch, line }));
  const lines = await linesOf(read, matches, axisCharacters);
  return lines.flatMap(({ index, text, confidence }) => {
    const price = parsePriceText(text);
    const line = matches[index]?.line;
    return price === null || line === undefined ? [] : [{ y: line.middle, text: price, confidence }];
  });
}
