import { type CandleReading, type PixelCandle, readCandles } from './candles.ts';
import { type LineReading, readLine } from './lines.ts';
import { readIndicators, readVolume } from './overlays.ts';
import { backgroundOf, foregroundOf, inksOf, type Raster, type Rgb, shrunk } from './raster.ts';
import { frameOf, within } from './frame.ts';
import { fewMin } from './lattice.ts';
import { readOhlcBars } from './ohlcBars.ts';
import type { IndicatorLine, VolumeReading } from './reading.ts';

/** A picture read without its text: its candles, the closes of its line, or no chart. All positions in pixels of the picture. */
export type ShapeReading =
  | ({ kind: 'candles'; background: Rgb; volume: VolumeReading | null; indicators: IndicatorLine[] } & CandleReading)
  | ({ kind: 'line'; background: Rgb } & LineReading)
  | { kind: 'tooFew'; count: number }
  | { kind: 'none' };

/** Deterministic: the same pixels give the same reading. Cost grows with the number of pixels. */
export function readChart(original: Raster): ShapeReading {
  const { raster, scale } = shrunk(original);
  const background = backgroundOf(raster);
  const everything = foregroundOf(raster, background);
  const frame = frameOf(raster, everything);
  const foreground = frame === null ? everything : within(everything, raster.width, frame);
  const inks = inksOf(raster, foreground);
  const reading =
    readOhlcBars(raster, background, foreground, inks) ?? readCandles(raster, background, foreground, inks);
  const scaled = (candles: readonly PixelCandle[]): PixelCandle[] =>
    candles.map(({ index, x, open, high, low, close }) => ({
      index,
      x: x * scale,
      open: open * scale,
      high: high * scale,
      low: low * scale,
      close: close * scale,
    }));
  if (reading === null) {
    const line = readLine(raster, background, foreground);
    const few = line?.isMixed === false ? null : readCandles(raster, background, foreground, inks, fewMin);
    if (few !== null) return { kind: 'tooFew', count: few.candles.length };
    if (line === null) return { kind: 'none' };
    return { kind: 'line', background, ...line, candles: scaled(line.candles), step: line.step * scale };
  }
  const { step, bodyWidth, up, down } = reading;
  const chart = { raster, background, reading };
  const volume = readVolume(chart);
  const times = (row: number | null): number | null => (row === null ? null : row * scale);
  return {
    kind: 'candles',
    background,
    candles: scaled(reading.candles),
    step: step * scale,
    bodyWidth: bodyWidth * scale,
    up,
    down,
    volume: volume && { base: volume.base * scale, heights: volume.heights.map((height) => height * scale) },
    indicators: readIndicators(chart, foreground).map((line) => ({ ...line, rows: line.rows.map(times) })),
  };
}
