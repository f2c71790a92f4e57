import type uPlot from 'uplot';
import { inPlot, pixelMap, type PixelMap } from './candleLayer.ts';
import type { ChartTrade } from './chartModel.ts';
import type { Colours } from './colours.ts';

/** Above this many trades on screen their marks would only hide each other and the candles. */
export const MARKS_MAX = 600;

/**
 * Entries as triangles that point the trade's way, exits as dots, a line between, the stop at the exit as a grey line; the
 * selected trade as a filled box, with its target.
 */
export function drawTrades(
  u: uPlot,
  count: number,
  trades: readonly ChartTrade[],
  selected: number | null,
  colours: Colours,
): void {
  const map = pixelMap(u, count);
  const visible = trades.filter((trade) => trade.exitIndex >= map.from && trade.entryIndex <= map.to);
  inPlot(u, (ctx) => {
    const chosen = selected === null ? undefined : trades[selected];
    if (chosen !== undefined) drawSelection(ctx, map, chosen, colours);
    if (visible.length > MARKS_MAX) return;
    for (const trade of visible) drawStop(ctx, map, trade, colours);
    for (const trade of visible) drawTrade(ctx, map, trade, colours, selected !== null && trade !== chosen);
  });
}

function drawSelection(ctx: CanvasRenderingContext2D, map: PixelMap, trade: ChartTrade, colours: Colours): void {
  const x = map.x(trade.entryIndex) - map.barWidth / 2;
  const width = Math.max(2, map.x(trade.exitIndex) + map.barWidth / 2 - x);
  const top = map.y(Math.max(trade.entryPrice, trade.exitPrice));
  const height = Math.max(2, map.y(Math.min(trade.entryPrice, trade.exitPrice)) - top);
  ctx.fillStyle = trade.netPnl > 0 ? colours['up-soft'] : colours['down-soft'];
  ctx.fillRect(x, top, width, height);
  ctx.strokeStyle = trade.netPnl > 0 ? colours.up : colours.down;
  ctx.lineWidth = devicePixelRatio;
  ctx.strokeRect(x, top, width, height);
  drawPrice(ctx, map, trade, trade.takeProfitPrice, colours);
}

function drawStop(ctx: CanvasRenderingContext2D, map: PixelMap, trade: ChartTrade, colours: Colours): void {
  ctx.globalAlpha = 0.6;
  drawPrice(ctx, map, trade, trade.stopLossPrice, colours);
  ctx.globalAlpha = 1;
}

/** A level for as long as the trade was open. */
function drawPrice(
  ctx: CanvasRenderingContext2D,
  map: PixelMap,
  { entryIndex, exitIndex }: ChartTrade,
  price: number | undefined,
  { muted }: Colours,
): void {
  if (price === undefined) return;
  const y = Math.round(map.y(price)) + 0.5;
  ctx.strokeStyle = muted;
  ctx.lineWidth = devicePixelRatio;
  ctx.beginPath();
  ctx.moveTo(map.x(entryIndex) - map.barWidth / 2, y);
  ctx.lineTo(map.x(exitIndex) + map.barWidth / 2, y);
  ctx.stroke();
}

function drawTrade(
  ctx: CanvasRenderingContext2D,
  map: PixelMap,
  trade: ChartTrade,
  colours: Colours,
  isDim: boolean,
): void {
  const unit = devicePixelRatio * Math.min(5, Math.max(3, map.barWidth * 0.6));
  const fromX = map.x(trade.entryIndex);
  const toX = map.x(trade.exitIndex);
  const fromY = map.y(trade.entryPrice);
  const toY = map.y(trade.exitPrice);
  const points = trade.side === 'LONG' ? 1 : -1;
  const outcome = trade.netPnl > 0 ? colours.up : colours.down;
  ctx.globalAlpha = isDim ? 0.35 : 1;

  ctx.strokeStyle = outcome;
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(fromX, fromY);
  ctx.lineTo(toX, toY);
  ctx.stroke();
  ctx.setLineDash([]);

  // The outline in the panel's colour keeps a mark readable on top of a candle of its own colour.
  ctx.strokeStyle = colours.panel;
  ctx.lineWidth = 1.5 * devicePixelRatio;
  ctx.fillStyle = colours.accent;
  ctx.beginPath();
  ctx.moveTo(fromX, fromY - points * unit);
  ctx.lineTo(fromX - unit, fromY + points * unit);
  ctx.lineTo(fromX + unit, fromY + points * unit);
  ctx.closePath();
  ctx.stroke();
  ctx.fill();

  ctx.fillStyle = outcome;
  ctx.beginPath();
  ctx.arc(toX, toY, unit * 0.7, 0, 2 * Math.PI);
  ctx.stroke();
  ctx.fill();
  ctx.globalAlpha = 1;
}
