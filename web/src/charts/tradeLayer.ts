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

/** Entries and exits with their lines, entries alone, or counts. */
type Detail = 'whole' | 'entries' | 'counts';

/**
 * Candles per cluster, a power of two: zooming merges clusters and dragging moves them, and neither regroups them.
 * @param barPx pixels per candle
 */
export function clusterSize(barPx: number): number {
  return 2 ** Math.max(0, Math.ceil(Math.log2(CLUSTER_PX / barPx)));
}

/** How much of the visible trades there is room for: on a phone 40 trades of 500 candles still have their arrows. */
export function detailOf(tradeCount: number, widthPx: number): Detail {
  const room = widthPx / MARK_ROOM_PX;
  if (2 * tradeCount <= room) return 'whole';
  return tradeCount <= room ? 'entries' : 'counts';
}

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
 * Entries as arrows that point the trade's way, filled when it won and hollow when it lost; exits as dots when it won and crosses when it
 * lost; a line between, the stop at the exit as a grey line; the selected trade as a filled box, with its target. With less room only the
 * arrows are drawn, and where these would hide each other they are counted instead.
 */
export function drawTrades(u: uPlot, { candles, trades, selected, isForming = false }: Shown, colours: Colours): void {
  const map = pixelMap(u, candles.time.length + (isForming ? 1 : 0));
  const visible = trades.filter((trade) => trade.exitIndex >= map.from && trade.entryIndex <= map.to);
  const chosen = selected === null ? undefined : trades[selected];
  inPlot(u, (ctx) => {
    if (chosen !== undefined) drawSelection(ctx, map, chosen, colours);
    const detail = detailOf(visible.length, u.bbox.width / devicePixelRatio);
    if (detail === 'counts') {
      const size = clusterSize(map.barWidth / devicePixelRatio);
      const { from, to } = map;
      for (const cluster of clusterTrades(trades, { from, to, size }))
        drawCluster(u, map, { candles, cluster }, colours);
      if (chosen !== undefined) drawTrade(ctx, map, { candles, trade: chosen }, colours);
      return;
    }
    if (detail === 'whole') for (const trade of visible) drawStop(ctx, map, trade, colours);
    for (const trade of visible) {
      ctx.globalAlpha = selected !== null && trade !== chosen ? 0.35 : 1;
      if (detail === 'whole' || trade === chosen) drawTrade(ctx, map, { candles, trade }, colours);
      else drawArrow(ctx, map, { candles, trade }, colours);
    }
    ctx.globalAlpha = 1;
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

interface Drawn {
  candles: Candles;
  trade: ChartTrade;
}

/** A gain has filled shapes, a loss hollow ones and crosses: colour alone is unreadable to some. */
const isWin = ({ netPnl }: Pick<ChartTrade, 'netPnl'>): boolean => netPnl > 0;

/** Half the width of a mark, CSS pixels: readable on a phone, where 500 candles are less than a pixel wide. */
const markUnit = (barPx: number): number => Math.min(5, Math.max(4, barPx * 0.6));
const ARROW_GAP_PX = 3;

type Point = [x: number, y: number];

/**
 * Corners of the arrow of an entry, its tip first: of a long below the low of its candle and pointing up, of a short above the high and
 * pointing down.
 * @param at centre of the candle and pixels of its low and high; `unit` and `gap` in the same pixels
 */
export function arrowOf(
  { side }: Pick<ChartTrade, 'side'>,
  at: { x: number; low: number; high: number },
  { unit, gap }: { unit: number; gap: number },
): [tip: Point, left: Point, right: Point] {
  // Pixels grow downwards.
  const away = side === 'LONG' ? 1 : -1;
  const tip = (side === 'LONG' ? at.low : at.high) + away * gap;
  const base = tip + away * 2 * unit;
  return [
    [at.x, tip],
    [at.x - unit, base],
    [at.x + unit, base],
  ];
}

function drawArrow(ctx: CanvasRenderingContext2D, map: PixelMap, { candles, trade }: Drawn, colours: Colours): void {
  const { entryIndex, entryPrice } = trade;
  const unit = devicePixelRatio * markUnit(map.barWidth / devicePixelRatio);
  const low = map.y(candles.low[entryIndex] ?? entryPrice);
  const high = map.y(candles.high[entryIndex] ?? entryPrice);
  const corners = arrowOf(trade, { x: map.x(entryIndex), low, high }, { unit, gap: ARROW_GAP_PX * devicePixelRatio });
  ctx.beginPath();
  for (const [at, [x, y]] of corners.entries()) ctx[at === 0 ? 'moveTo' : 'lineTo'](x, y);
  ctx.closePath();
  fillMark(ctx, trade, colours);
}

/** Filled in the colour of the outcome, or hollow with an outline in it. */
function fillMark(ctx: CanvasRenderingContext2D, trade: ChartTrade, colours: Colours): void {
  const outcome = isWin(trade) ? colours.up : colours.down;
  // Outlined in the panel's colour, so that a mark is readable on a candle of the same colour.
  ctx.strokeStyle = colours.panel;
  ctx.lineWidth = 3 * devicePixelRatio;
  ctx.stroke();
  ctx.fillStyle = isWin(trade) ? outcome : colours.panel;
  ctx.fill();
  ctx.strokeStyle = outcome;
  ctx.lineWidth = 1.5 * devicePixelRatio;
  ctx.stroke();
}

function drawTrade(ctx: CanvasRenderingContext2D, map: PixelMap, { candles, trade }: Drawn, colours: Colours): void {
  const toX = map.x(trade.exitIndex);
  const toY = map.y(trade.exitPrice);
  ctx.strokeStyle = isWin(trade) ? colours.up : colours.down;
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(map.x(trade.entryIndex), map.y(trade.entryPrice));
  ctx.lineTo(toX, toY);
  ctx.stroke();
  ctx.setLineDash([]);
  drawArrow(ctx, map, { candles, trade }, colours);
  drawExit(ctx, map, trade, colours);
}

/** A dot, or a cross for a loss. */
function drawExit(ctx: CanvasRenderingContext2D, map: PixelMap, trade: ChartTrade, colours: Colours): void {
  const unit = 0.75 * devicePixelRatio * markUnit(map.barWidth / devicePixelRatio);
  const x = map.x(trade.exitIndex);
  const y = map.y(trade.exitPrice);
  ctx.beginPath();
  if (isWin(trade)) {
    ctx.arc(x, y, unit, 0, 2 * Math.PI);
    fillMark(ctx, trade, colours);
    return;
  }
  ctx.moveTo(x - unit, y - unit);
  ctx.lineTo(x + unit, y + unit);
  ctx.moveTo(x + unit, y - unit);
  ctx.lineTo(x - unit, y + unit);
  for (const [colour, width] of [
    [colours.panel, 4.5],
    [colours.down, 2],
  ] as const) {
    ctx.strokeStyle = colour;
    ctx.lineWidth = width * devicePixelRatio;
    ctx.stroke();
  }
}
