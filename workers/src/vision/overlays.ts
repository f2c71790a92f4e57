import type { CandleReading, PixelCandle } from './candles.ts';
import { curvesOf } from './lines.ts';
import { distance2, type Raster, type Rgb } from './raster.ts';
import type { IndicatorLine, VolumeReading } from './reading.ts';

/** Where candles stand, other things of the chart stand too: bars of volume below them, and curves over them. */

/** Nearer to the background than this, a pixel is no bar: bars may be pale. */
const barContrast = 24;
/** Farther from the colour of the bar than this, a pixel belongs to something else. */
const barSpread = 46;
/** Rows of a curve over a bar. */
const barGapMax = 4;
/** Bars of this share of the candles make a volume. */
const barShareMin = 0.6;
/** Median height of bars as a share of the picture; lower ones are a line across it. */
const barHeightMin = 0.008;

interface Bars {
  raster: Raster;
  background: Rgb;
  reading: CandleReading;
}

/** Heights of the bars that stand on one common row below the candles, in their order; null when there are none. */
export function readVolume(bars: Bars): VolumeReading | null {
  const { height } = bars.raster;
  const { candles } = bars.reading;
  const ends = new Uint32Array(height + 1);
  for (const { x } of candles)
    for (let y = Math.floor(height * 0.4); y < height; y++)
      if (isBar(bars, x, y) && !isBar(bars, x, y + 1)) ends[y + 1] = (ends[y + 1] as number) + 1;
  const near = (row: number): number => (ends[row - 1] ?? 0) + (ends[row] ?? 0) + (ends[row + 1] ?? 0);
  let base = 0;
  for (let row = 0; row <= height; row++) if (near(row) > near(base)) base = row;
  if (near(base) < candles.length * barShareMin) return null;
  // Of three rows, the one on which most bars end.
  base = [base - 1, base, base + 1].reduce((most, row) => ((ends[row] ?? 0) > (ends[most] ?? 0) ? row : most), base);
  const heights = candles.map(({ x }) => barHeight(bars, x, base));
  const standing = heights.filter((one) => one > 0).sort((a, b) => a - b);
  if ((standing[standing.length >> 1] ?? 0) < Math.max(3, height * barHeightMin)) return null;
  // Bars of one height are a frame, and candles themselves do not end on one row.
  const isVaried = new Set(standing.map(Math.round)).size > standing.length * 0.1;
  return isVaried && standing.length >= candles.length * barShareMin ? { base, heights } : null;
}

/** True where both sides of the column are drawn. */
function isBar({ raster, background, reading }: Bars, x: number, y: number): boolean {
  if (y < 0 || y >= raster.height) return false;
  const aside = Math.max(1, Math.floor(reading.bodyWidth * 0.3));
  const left = (y * raster.width + Math.floor(x - aside)) * 3;
  const right = (y * raster.width + Math.floor(x + aside)) * 3;
  const least = barContrast * barContrast;
  return distance2(raster.rgb, left, background) > least && distance2(raster.rgb, right, background) > least;
}

/** Rows of one colour upwards from the base, the last one by how much of it is covered. */
function barHeight({ raster, background, reading }: Bars, x: number, base: number): number {
  const { width, rgb } = raster;
  const column = Math.floor(x + Math.max(1, Math.floor(reading.bodyWidth * 0.3)));
  const byteAt = (y: number): number => (y * width + column) * 3;
  const far = (y: number, colour: Rgb): number => Math.sqrt(distance2(rgb, byteAt(y), colour));
  let start = base - 1;
  while (start > base - 4 && far(start, background) <= barContrast) start--;
  if (far(start, background) <= barContrast) return 0;
  // The row on the base is blended with the row below; the next one has the colour of the bar, when there is a next one.
  const sample = byteAt(far(start - 1, background) > barContrast ? start - 1 : start);
  const colour = [rgb[sample] as number, rgb[sample + 1] as number, rgb[sample + 2] as number] as const;
  let top = start;
  for (let y = start - 1, missed = 0; y >= 0 && missed <= barGapMax; y--) {
    if (far(y, colour) <= barSpread && far(y, background) > barContrast) {
      top = y;
      missed = 0;
    } else missed++;
  }
  const full = Math.sqrt(distance2(colour, 0, background));
  const above = top > 0 ? far(top - 1, background) / full : 0;
  const own = Math.min(1, far(top, background) / full);
  return base - top - (1 - own) + (above < 0.5 && own > 0.9 ? above : 0);
}

/** Share of the candles' width that a piece of a curve runs over. */
const pieceShareMin = 0.1;
/** Share of the candles at which a curve is seen. */
const seenMin = 0.25;
/** Candles at which two pieces of one curve may both be seen. */
const overlapMax = 3;
/** Colours nearer than this are one. */
const sameColour = 40;

/** Curves in a colour that is not of the candles, at the candles' columns. Pieces of one colour beside each other are one curve. */
export function readIndicators({ raster, background, reading }: Bars, foreground: Uint8Array): IndicatorLine[] {
  const { candles, up, down, step } = reading;
  const [first, last] = [candles[0] as PixelCandle, candles.at(-1) as PixelCandle];
  const area = { left: first.x - step, right: last.x + step };
  const shareMin = ((last.x - first.x) * pieceShareMin) / raster.width;
  const lines: IndicatorLine[] = [];
  for (const curve of curvesOf(raster, background, foreground, { shareMin, without: [up, down], area })) {
    const rows = candles.map(({ x }) => curve.rowAt(Math.floor(x)));
    const other = lines.find(
      (line) =>
        distance2(line.colour, 0, curve.colour) < sameColour * sameColour &&
        rows.filter((row, at) => row !== null && line.rows[at] !== null).length <= overlapMax,
    );
    if (other === undefined) lines.push({ colour: curve.colour, rows, values: null });
    else other.rows = other.rows.map((row, at) => row ?? rows[at] ?? null);
  }
  return lines.filter(({ rows }) => rows.filter((row) => row !== null).length >= candles.length * seenMin);
}
