import uPlot from 'uplot';
import { drawCandles, inPlot, pixelMap } from './candleLayer.ts';
import type { ChartModel } from './chartModel.ts';
import type { Colours } from './colours.ts';
import type { PlotColumn } from './columns.ts';
import { drawLevels, fitRange } from './levelLayer.ts';
import { drawLines } from './lineLayer.ts';
import { drawMarks } from './markLayer.ts';
import { basicOptions, drawnByLayer, indicesOf, type PaneContext, visibleRange } from './paneOptions.ts';
import { drawTrades } from './tradeLayer.ts';

/** The stop through time: flat while it stands, a step where it moved. */
function drawStops(u: uPlot, stops: PlotColumn, colours: Colours): void {
  if (stops.length === 0) return;
  const map = pixelMap(u, stops.length);
  inPlot(u, (ctx) => {
    ctx.strokeStyle = colours.down;
    ctx.lineWidth = 1.5 * devicePixelRatio;
    ctx.beginPath();
    let isDrawing = false;
    for (let i = map.from; i <= map.to; i++) {
      const stop = stops[i] ?? null;
      if (stop === null) {
        isDrawing = false;
        continue;
      }
      const left = map.x(i) - map.barWidth / 2;
      if (isDrawing) ctx.lineTo(left, map.y(stop));
      else ctx.moveTo(left, map.y(stop));
      ctx.lineTo(left + map.barWidth, map.y(stop));
      isDrawing = true;
    }
    ctx.stroke();
  });
}

const HEADROOM_FRACTION = 0.08;
/** Between the readout and what is drawn below it. */
const READOUT_GAP_PX = 6;
/** Room that the words of the warm-up need. */
const WARMUP_LABEL_PX = 130;

export interface Drawn {
  model: ChartModel;
  selectedTrade: number | null;
}

/**
 * @param readout the line over the pane, in the page already: the plot begins below it
 * @param drawn read at each draw: a new result is drawn by redrawing, not by building the chart anew */
export function candlePane(
  host: HTMLElement,
  context: PaneContext,
  size: { width: number; height: number },
  drawn: Drawn,
  onCursor: (index: number | null) => void,
  readout: HTMLElement,
): uPlot {
  const options = basicOptions(context, size);
  options.scales = {
    ...options.scales,
    y: {
      range: (u) => {
        const { candles, levels = [], stops = [] } = drawn.model;
        const seen = visibleRange(u, candles.low, candles.high) ?? [0, 0];
        const prices = [...levels.map(({ price }) => price), ...Array.from(stops)];
        const [low, high] = fitRange(
          seen,
          prices.filter((price) => price !== null),
        );
        const room = (high - low || Math.abs(high) * 0.01 || 1) * HEADROOM_FRACTION;
        return [low - room, high + room];
      },
    },
  };
  // The readout takes as many lines as it needs; labels of levels at the top edge must stay below them.
  options.padding = [() => readout.offsetHeight + READOUT_GAP_PX, 0, context.hasTimeLabels ? 0 : 6, 0];
  options.series = [{}, drawnByLayer];
  options.hooks = {
    drawClear: [(u) => shadeWarmup(u, drawn.model.scoredFrom, context)],
    draw: [
      (u) => {
        const { candles, trades } = drawn.model;
        drawCandles(u, candles, context.colours);
        drawTrades(u, candles.time.length, trades, drawn.selectedTrade, context.colours);
        drawStops(u, drawn.model.stops ?? [], context.colours);
        drawLines(u, candles.time.length, drawn.model.lines ?? [], context.colours);
        drawLevels(u, drawn.model.levels ?? [], context);
        drawMarks(u, candles.time.length, drawn.model.marks ?? [], context.colours);
        drawLastPrice(u, candles.close, context);
      },
    ],
    setCursor: [(u) => onCursor(u.cursor.idx ?? null)],
  };
  return new uPlot(options, candlePaneData(drawn.model), host);
}

/** The closes are there for the crosshair; the layer draws from the columns themselves. */
export function candlePaneData({ candles }: ChartModel): uPlot.AlignedData {
  return [indicesOf(candles.time.length), candles.close];
}

function shadeWarmup(u: uPlot, scoredFrom: number, { colours }: PaneContext): void {
  if (scoredFrom <= 0) return;
  inPlot(u, (ctx) => {
    const edge = pixelMap(u, scoredFrom).x(scoredFrom - 0.5);
    if (edge <= u.bbox.left) return;
    ctx.fillStyle = colours.bg;
    ctx.fillRect(u.bbox.left, u.bbox.top, edge - u.bbox.left, u.bbox.height);
    ctx.fillStyle = colours.muted;
    ctx.fillRect(Math.round(edge), u.bbox.top, 1, u.bbox.height);
    const isRoomy = edge - u.bbox.left > WARMUP_LABEL_PX * devicePixelRatio;
    if (!isRoomy) return;
    ctx.font = `${11 * devicePixelRatio}px "Inter Variable", sans-serif`;
    ctx.textAlign = 'right';
    ctx.textBaseline = 'bottom';
    ctx.fillText('warm-up, not traded', edge - 8 * devicePixelRatio, u.bbox.top + u.bbox.height - 6 * devicePixelRatio);
  });
}

function drawLastPrice(u: uPlot, close: Float64Array, { colours, format }: PaneContext): void {
  const last = close.at(-1);
  if (last === undefined) return;
  const { ctx, bbox } = u;
  const y = Math.round(u.valToPos(last, 'y', true)) + 0.5;
  if (y < bbox.top || y > bbox.top + bbox.height) return;
  const unit = devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = colours.muted;
  ctx.lineWidth = unit;
  ctx.setLineDash([2 * unit, 3 * unit]);
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.fillStyle = colours.text;
  ctx.fillRect(bbox.left + bbox.width + 1, y - 8 * unit, u.ctx.canvas.width - bbox.left - bbox.width - 1, 16 * unit);
  ctx.fillStyle = colours.panel;
  ctx.font = `${11 * unit}px "JetBrains Mono Variable", monospace`;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  ctx.fillText(format(last), bbox.left + bbox.width + 8 * unit, y + 0.5 * unit);
  ctx.restore();
}
