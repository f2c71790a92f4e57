import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import type uPlot from 'uplot';
import { inPlot, pixelMap, type PixelMap } from './candleLayer.ts';
import type { ChartTrade } from './chartModel.ts';
import type { Colours } from './colours.ts';
import { extremesOf, rangeOf } from './extremes.ts';

/** Trades opened and closed within a stretch of candles. */
interface TradeCluster {
  /** First and last candle, both included. */
  first: number;
  last: number;
  longs: number;
  shorts: number;
  wins: number;
  losses: number;
}

interface InSight {
  /** Candles in sight, both included; a cluster that reaches over the edge is counted whole, so that dragging changes no figure. */
  from: number;
  to: number;
  /** Candles of a cluster. */
  size: number;
}

/** Width of a cluster with its figures. */
const CLUSTER_PX = 46;
/** Marks with less room on the average hide each other and the candles. */
const MARK_ROOM_PX = 8;

/**
 * Candles per cluster, a power of two: zooming merges clusters and dragging moves them, and neither regroups them.
 * @param barPx pixels per candle
 */
export function clusterSize(barPx: number): number {
  return 2 ** Math.max(0, Math.ceil(Math.log2(CLUSTER_PX / barPx)));
}

/** Whether the visible trades are too many to draw one by one, and are counted instead. */
export const isDense = (tradeCount: number, widthPx: number): boolean => tradeCount * 2 * MARK_ROOM_PX > widthPx;

/** Entries by side and exits by outcome, counted over equal stretches of candles. Stretches without any are left out. */
export function clusterTrades(trades: readonly ChartTrade[], { from, to, size }: InSight): TradeCluster[] {
  const clusters = new Map<number, TradeCluster>();
  const clusterAt = (index: number): TradeCluster | undefined => {
    const at = Math.floor(index / size);
    if (at < Math.floor(from / size) || at > Math.floor(to / size)) return undefined;
    const known = clusters.get(at);
    if (known !== undefined) return known;
    const made = { first: at * size, last: (at + 1) * size - 1, longs: 0, shorts: 0, wins: 0, losses: 0 };
    clusters.set(at, made);
    return made;
  };
  for (const { side, entryIndex, exitIndex, netPnl } of trades) {
    const opened = clusterAt(entryIndex);
    if (opened !== undefined) opened[side === 'LONG' ? 'longs' : 'shorts']++;
    const closed = clusterAt(exitIndex);
    if (closed !== undefined) closed[netPnl > 0 ? 'wins' : 'losses']++;
  }
  return [...clusters.values()].sort((a, b) => a.first - b.first);
}

interface Shown {
  candles: Candles;
  trades: readonly ChartTrade[];
  /** Index of the marked trade. */
  selected: number | null;
  /** Whether a forming candle follows the closed ones. */
  isForming?: boolean;
}

/**
 * Entries as triangles that point the trade's way, exits as dots, a line between, the stop at the exit as a grey line; the
 * selected trade as a filled box, with its target. Where they would hide each other they are counted instead.
 */
export function drawTrades(u: uPlot, { candles, trades, selected, isForming = false }: Shown, colours: Colours): void {
  const map = pixelMap(u, candles.time.length + (isForming ? 1 : 0));
  const visible = trades.filter((trade) => trade.exitIndex >= map.from && trade.entryIndex <= map.to);
  const chosen = selected === null ? undefined : trades[selected];
  inPlot(u, (ctx) => {
    if (chosen !== undefined) drawSelection(ctx, map, chosen, colours);
    if (isDense(visible.length, u.bbox.width / devicePixelRatio)) {
      const size = clusterSize(map.barWidth / devicePixelRatio);
      const { from, to } = map;
      for (const cluster of clusterTrades(trades, { from, to, size }))
        drawCluster(u, map, { candles, cluster }, colours);
      if (chosen !== undefined) drawTrade(ctx, map, chosen, colours, false);
      return;
    }
    for (const trade of visible) drawStop(ctx, map, trade, colours);
    for (const trade of visible) drawTrade(ctx, map, trade, colours, selected !== null && trade !== chosen);
  });
}

const CLUSTER_LINE_PX = 12;
const CLUSTER_GAP_PX = 3;
type Word = [text: string, colour: string];

/** Long entries and exits by outcome below the candles of a cluster, short entries above them. */
function drawCluster(
  u: uPlot,
  map: PixelMap,
  { candles, cluster }: { candles: Candles; cluster: TradeCluster },
  colours: Colours,
): void {
  const { first, last, longs, shorts, wins, losses } = cluster;
  const range = rangeOf(extremesOf(candles.low, candles.high), first, Math.min(last, candles.time.length - 1));
  if (range === null) return;
  const unit = devicePixelRatio;
  const line = CLUSTER_LINE_PX * unit;
  const { left, top, width, height } = u.bbox;
  const edges = { left, right: left + width };
  const centre = map.x((first + last) / 2);
  const below: Word[][] = [
    longs === 0 ? [] : [[`\u2191${longs}`, colours.accent]],
    [
      ...(wins === 0 ? [] : [[`+${wins}`, colours.up] satisfies Word]),
      ...(losses === 0 ? [] : [[`\u2212${losses}`, colours.down] satisfies Word]),
    ],
  ];
  const rows = below.filter((words) => words.length > 0);
  const start = Math.min(map.y(range[0]) + CLUSTER_GAP_PX * unit, top + height - rows.length * line);
  rows.forEach((words, at) =>
    writeWords(u.ctx, words, { ...edges, centre, middle: start + (at + 0.5) * line }, colours),
  );
  if (shorts === 0) return;
  const above = Math.max(map.y(range[1]) - CLUSTER_GAP_PX * unit - line / 2, top + line / 2);
  writeWords(u.ctx, [[`\u2193${shorts}`, colours.accent]], { ...edges, centre, middle: above }, colours);
}

interface Place {
  centre: number;
  middle: number;
  /** Edges of the plot, which cuts nothing off. */
  left: number;
  right: number;
}

function writeWords(
  ctx: CanvasRenderingContext2D,
  words: readonly Word[],
  { centre, middle, left, right }: Place,
  { panel }: Colours,
): void {
  ctx.font = `${10 * devicePixelRatio}px "JetBrains Mono Variable", monospace`;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  const gap = 4 * devicePixelRatio;
  const widths = words.map(([text]) => ctx.measureText(text).width);
  const width = widths.reduce((sum, each) => sum + each, 0) + gap * (words.length - 1);
  let x = Math.min(Math.max(centre - width / 2, left), right - width);
  words.forEach(([text, colour], at) => {
    // The outline in the panel's colour keeps the figures readable on top of candles.
    ctx.strokeStyle = panel;
    ctx.lineWidth = 3 * devicePixelRatio;
    ctx.strokeText(text, x, middle);
    ctx.fillStyle = colour;
    ctx.fillText(text, x, middle);
    x += (widths[at] ?? 0) + gap;
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

  // Outlined in the panel's colour, so that a mark is readable on a candle of the same colour.
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
