import type uPlot from 'uplot';
import { inPlot } from './candleLayer.ts';
import type { ChartLevel } from './chartModel.ts';
import type { PaneContext } from './paneOptions.ts';

const LABEL_GAP_PX = 6;
const LABEL_HEIGHT_PX = 15;
/** Levels may take so many times the height of the candles in sight; one farther away would press them flat. */
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

/** Where a level stands: `above` and `below` are outside the range and pinned at that edge. */
export interface PlacedLevel {
  level: ChartLevel;
  place: 'inside' | 'above' | 'below';
  /** Of the line, or of the edge. */
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
  // Downwards first, then back up from the bottom edge: what fits into the plot keeps its order and its distance.
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

/** Lines across the plot with their names at the left. A level outside the range is an arrow at the edge with its price. */
export function drawLevels(u: uPlot, levels: readonly ChartLevel[], { colours, format }: PaneContext): void {
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
      const text = place === 'inside' ? level.label : `${arrows[place]}${level.label} ${format(level.price)}`;
      const x = left + LABEL_GAP_PX * unit;
      // On the ground of the panel: candles behind the words would make them hard to read.
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
