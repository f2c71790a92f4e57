import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import type uPlot from 'uplot';
import { formatPercent } from '../format/number.ts';
import { inPlot, pixelMap } from './candleLayer.ts';
import type { ChartLevel, ChartMark } from './chartModel.ts';
import type { Colours } from './colours.ts';
import type { PaneContext } from './paneOptions.ts';

const LABEL_GAP_PX = 6;
const LABEL_HEIGHT_PX = 15;
/** Levels may extend the price range to this multiple of the visible candles; farther ones would flatten them. */
const STRETCH_MAX = 1.5;

/**
 * The range of the price axis: the candles in sight, widened for the levels that are near, the nearest first. A level that would
 * take the range beyond STRETCH_MAX of the candles stays outside.
 */
export function fitRange([lowest, highest]: readonly [number, number], levels: readonly number[]): [number, number] {
  const most = (highest - lowest) * STRETCH_MAX;
  const outside = (price: number): number => Math.max(lowest - price, price - highest, 0);
  let [low, high] = [lowest, highest];
  for (const price of [...levels].sort((a, b) => outside(a) - outside(b))) {
    const [nextLow, nextHigh] = [Math.min(low, price), Math.max(high, price)];
    if (nextHigh - nextLow <= most) [low, high] = [nextLow, nextHigh];
  }
  return [low, high];
}

/** Position of a level: `above` and `below` are outside the range and pinned at that edge. */
interface PlacedLevel {
  level: ChartLevel;
  place: 'inside' | 'above' | 'below';
  /** Position of the line, or of the edge. */
  y: number;
  /** Bottom of the label. */
  labelY: number;
}

interface Plot {
  top: number;
  bottom: number;
  yOf: (price: number) => number;
  labelHeight: number;
}

/**
 * Places the levels of a plot so that no two labels overlap: each label stands over its line, pushed up or down as far as its
 * neighbours need. Those outside stand at the edge, the farthest outermost.
 */
export function placeLevels(levels: readonly ChartLevel[], { top, bottom, yOf, labelHeight }: Plot): PlacedLevel[] {
  const placed = levels
    .map((level): PlacedLevel => {
      const at = yOf(level.price);
      const place = at < top ? 'above' : at > bottom ? 'below' : 'inside';
      const y = Math.min(bottom, Math.max(top, at));
      return { level, place, y, labelY: Math.min(bottom, Math.max(top + labelHeight, y)) };
    })
    .sort((a, b) => b.level.price - a.level.price);
  // Downwards first, then back up from the bottom edge: labels that fit keep their order and distance.
  let least = top + labelHeight;
  for (const each of placed) {
    each.labelY = Math.max(each.labelY, least);
    least = each.labelY + labelHeight;
  }
  let most = bottom;
  for (const each of placed.toReversed()) {
    each.labelY = Math.min(each.labelY, most);
    most = each.labelY - labelHeight;
  }
  return placed;
}

const arrows = { inside: '', above: '\u2191 ', below: '\u2193 ' };

/** `stop 95.00 (−5.00 %)`: price of a level out of range, and how far the last price is from it. */
export function pinnedText(
  { label, price }: Pick<ChartLevel, 'label' | 'price'>,
  format: (price: number) => string,
  lastPrice: number | undefined,
): string {
  const distance = lastPrice === undefined ? '' : ` (${formatPercent(price / lastPrice - 1, true)})`;
  return `${label} ${format(price)}${distance}`;
}

/** Lines across the plot with their names at the left. A level outside the range is an arrow at the edge. */
export function drawLevels(
  u: uPlot,
  levels: readonly ChartLevel[],
  { colours, format }: PaneContext,
  lastPrice: number | undefined,
): void {
  inPlot(u, (ctx) => {
    const unit = devicePixelRatio;
    const { left, top, width, height } = u.bbox;
    const yOf = (price: number): number => Math.round(u.valToPos(price, 'y', true)) + 0.5;
    const labelHeight = LABEL_HEIGHT_PX * unit;
    const placed = placeLevels(levels, { top, bottom: top + height, yOf, labelHeight });
    ctx.lineWidth = unit;
    ctx.font = `${11 * unit}px "Inter Variable", sans-serif`;
    ctx.textBaseline = 'bottom';
    for (const { level, place, y, labelY } of placed) {
      const colour = colours[level.colour];
      ctx.strokeStyle = colour;
      if (place === 'inside') {
        ctx.beginPath();
        ctx.moveTo(left, y);
        ctx.lineTo(left + width, y);
        ctx.stroke();
      }
      const text = place === 'inside' ? level.label : `${arrows[place]}${pinnedText(level, format, lastPrice)}`;
      const x = left + LABEL_GAP_PX * unit;
      // On the panel's background: candles behind the text would make it hard to read.
      ctx.fillStyle = colours.panel;
      ctx.fillRect(
        x - 2 * unit,
        labelY - labelHeight + unit,
        ctx.measureText(text).width + 4 * unit,
        labelHeight - 2 * unit,
      );
      ctx.fillStyle = colour;
      ctx.fillText(text, x, labelY - unit);
    }
  });
}

const HALF_PX = 4.5;
const ABOVE_AXIS_PX = 9;
const colourOf = { bullish: 'up', bearish: 'down', neutral: 'muted' } as const;

/** The candle in which a moment lies, or -1. @param stepMs length of a candle */
export function candleAt({ time }: Candles, stepMs: number, atMs: number): number {
  let low = 0;
  let high = time.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((time[middle] ?? Infinity) <= atMs) low = middle + 1;
    else high = middle;
  }
  const index = low - 1;
  return index >= 0 && atMs < (time[index] ?? 0) + stepMs ? index : -1;
}

/** Diamonds at the foot of the plot, one for each candle with stories, in the colour of the first of them. */
export function drawMarks(u: uPlot, count: number, marks: readonly ChartMark[], colours: Colours): void {
  if (marks.length === 0) return;
  const map = pixelMap(u, count);
  const half = HALF_PX * devicePixelRatio;
  const y = u.bbox.top + u.bbox.height - ABOVE_AXIS_PX * devicePixelRatio;
  const drawn = new Set<number>();
  inPlot(u, (ctx) => {
    for (const { index, direction } of marks) {
      if (index < map.from || index > map.to || drawn.has(index)) continue;
      drawn.add(index);
      const x = map.x(index);
      ctx.beginPath();
      ctx.moveTo(x, y - half);
      ctx.lineTo(x + half, y);
      ctx.lineTo(x, y + half);
      ctx.lineTo(x - half, y);
      ctx.closePath();
      // Outlined in the panel's colour, so that a mark is readable on a candle of the same colour.
      ctx.strokeStyle = colours.panel;
      ctx.lineWidth = 2 * devicePixelRatio;
      ctx.stroke();
      ctx.fillStyle = colours[colourOf[direction]];
      ctx.fill();
    }
  });
}

const TITLE_MAX = 90;

/** `Bitcoin surges 5 % (and 2 more)`; undefined for a candle without a story. */
export function marksText(marks: readonly ChartMark[], index: number): string | undefined {
  const own = marks.filter((mark) => mark.index === index);
  const [first] = own;
  if (first === undefined) return undefined;
  const title = first.title.length > TITLE_MAX ? `${first.title.slice(0, TITLE_MAX).trimEnd()}…` : first.title;
  return own.length === 1 ? title : `${title} (and ${own.length - 1} more)`;
}
