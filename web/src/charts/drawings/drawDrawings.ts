import type uPlot from 'uplot';
import { inPlot } from '../candleLayer.ts';
import type { Colours } from '../colours.ts';
import type { Drawing } from './drawing.ts';
import { measureTexts, positionTexts } from './drawingFacts.ts';
import { type Area, fibonacciRatios, handlesRadius, type Outline, type Point, TEXT_CHAR_PX } from './geometry.ts';

/** A drawing with its pixels on the canvas. */
export interface PlacedDrawing {
  drawing: Drawing;
  points: readonly Point[];
  handles: readonly Point[];
  outline: Outline;
  /** Candles between the first two anchors. */
  candles: number;
  isSelected: boolean;
}

interface Painter {
  ctx: CanvasRenderingContext2D;
  colours: Colours;
  unit: number;
  decimals: number;
  format: (price: number) => string;
  area: Area;
}

const FONT_PX = 12;
const LABEL_GAP_PX = 4;

/** How drawings are painted. */
export interface Style {
  colours: Colours;
  decimals: number;
  format: (price: number) => string;
}

/** Draws what lies in sight, the selected one last and with its handles. @param canvas of the same size as that of the plot */
export function paintDrawings(
  u: uPlot,
  placed: readonly PlacedDrawing[],
  { colours, decimals, format }: Style,
  canvas?: CanvasRenderingContext2D,
): void {
  const unit = devicePixelRatio;
  const { left, top, width, height } = u.bbox;
  const area = { left, top, right: left + width, bottom: top + height };
  inPlot(
    u,
    (ctx) => {
      const painter: Painter = { ctx, colours, unit, decimals, format, area };
      ctx.font = `${FONT_PX * unit}px "JetBrains Mono Variable", ui-monospace, monospace`;
      ctx.textBaseline = 'alphabetic';
      ctx.textAlign = 'left';
      for (const each of placed) if (isInSight(painter, each)) paintOne(painter, each);
      for (const { handles, isSelected, drawing } of placed) if (isSelected) paintHandles(painter, handles, drawing);
    },
    canvas,
  );
}

/** Rows of text that stand over or under a drawing, with one to spare. */
const LABEL_ROWS = 5;

/** Whether a drawing, with its texts, lies at the height of the plot; candles in sight are selected by their index before. */
function isInSight({ area, unit }: Painter, { points, outline }: PlacedDrawing): boolean {
  const room = LABEL_ROWS * (FONT_PX + LABEL_GAP_PX) * unit;
  let [top, bottom] = [Infinity, -Infinity];
  const see = (from: number, to: number): void => {
    top = Math.min(top, from, to);
    bottom = Math.max(bottom, from, to);
  };
  for (const { y } of points) see(y, y);
  for (const [from, to] of outline.segments) see(from.y, to.y);
  for (const box of outline.boxes) see(box.top, box.bottom);
  return top <= area.bottom + room && bottom >= area.top - room;
}

function paintOne(painter: Painter, placed: PlacedDrawing): void {
  const { ctx, colours, unit } = painter;
  const { drawing, outline, isSelected } = placed;
  ctx.lineWidth = (isSelected ? 2 : 1.5) * unit;
  ctx.strokeStyle = colours.accent;
  ctx.fillStyle = colours.accent;
  if (drawing.kind === 'long' || drawing.kind === 'short') {
    paintPosition(painter, placed);
    return;
  }
  ctx.beginPath();
  for (const [from, to] of outline.segments) {
    ctx.moveTo(from.x, from.y);
    ctx.lineTo(to.x, to.y);
  }
  ctx.stroke();
  paintTexts(painter, placed);
}

/** Figures of a drawing that is narrower than this hide each other and the candles; those of the selected one are shown. */
const LABELLED_PX = 48;

function isLabelled({ unit }: Painter, { points, isSelected }: Pick<PlacedDrawing, 'points' | 'isSelected'>): boolean {
  const [first, second] = points;
  return isSelected || Math.abs((second?.x ?? 0) - (first?.x ?? 0)) >= LABELLED_PX * unit;
}

function paintTexts(painter: Painter, { drawing, points, outline, candles, isSelected }: PlacedDrawing): void {
  const { unit, format, area, decimals } = painter;
  const [first, second] = points;
  const [from, to] = drawing.anchors;
  const gap = LABEL_GAP_PX * unit;
  if (first === undefined || from === undefined) return;
  if (drawing.kind === 'text') label(painter, drawing.text, { x: first.x, y: first.y - gap });
  if (drawing.kind === 'horizontal') label(painter, format(from.price), { x: area.left + gap, y: first.y - gap });
  if (second === undefined || to === undefined || !isLabelled(painter, { points, isSelected })) return;
  if (drawing.kind === 'fibonacci') {
    fibonacciRatios.forEach((ratio, at) => {
      const row = outline.segments[at]?.[0];
      const price = to.price + (from.price - to.price) * ratio;
      if (row !== undefined) label(painter, `${ratio} ${format(price)}`, { x: row.x + gap, y: row.y - gap / 2 });
    });
  }
  if (drawing.kind === 'measure') {
    const lines = measureTexts(from, to, candles, decimals);
    const below = Math.max(first.y, second.y);
    lines.forEach((text, at) =>
      label(painter, text, { x: Math.min(first.x, second.x), y: below + (at + 1) * (FONT_PX + LABEL_GAP_PX) * unit }),
    );
  }
}

/** Target and stop as boxes of gain and loss, with their prices. */
function paintPosition(painter: Painter, { drawing, points, outline, isSelected }: PlacedDrawing): void {
  const { ctx, colours, unit, decimals } = painter;
  const [entry, target, stop] = points;
  const texts = positionTexts(drawing, decimals);
  if (entry === undefined || target === undefined || stop === undefined || texts === null) return;
  const gap = LABEL_GAP_PX * unit;
  outline.boxes.forEach(({ left, top, right, bottom }, at) => {
    const colour = at === 0 ? colours.up : colours.down;
    ctx.fillStyle = colour;
    ctx.globalAlpha = 0.18;
    ctx.fillRect(left, top, right - left, bottom - top);
    ctx.globalAlpha = 1;
    ctx.strokeStyle = colour;
    ctx.strokeRect(left, top, right - left, bottom - top);
  });
  ctx.strokeStyle = colours.text;
  ctx.beginPath();
  ctx.moveTo(entry.x, entry.y);
  ctx.lineTo(target.x, entry.y);
  ctx.stroke();
  if (!isLabelled(painter, { points, isSelected })) return;
  const under = (y: number) => y + (FONT_PX + LABEL_GAP_PX / 2) * unit;
  const isLong = drawing.kind === 'long';
  const [targetText, entryText, stopText] = texts;
  ctx.fillStyle = colours.up;
  label(painter, targetText, { x: entry.x, y: isLong ? target.y - gap : under(target.y) });
  ctx.fillStyle = colours.text;
  label(painter, entryText, { x: entry.x, y: entry.y - gap });
  ctx.fillStyle = colours.down;
  label(painter, stopText, { x: entry.x, y: isLong ? under(stop.y) : stop.y - gap });
}

/** On the panel's background: candles behind the text would make it hard to read. */
function label({ ctx, colours, unit }: Painter, text: string, { x, y }: Point): void {
  const colour = ctx.fillStyle;
  ctx.globalAlpha = 0.8;
  ctx.fillStyle = colours.panel;
  const width = (text.length * TEXT_CHAR_PX + 2) * unit;
  ctx.fillRect(x - unit, y - (FONT_PX - 1) * unit, width, (FONT_PX + 2) * unit);
  ctx.globalAlpha = 1;
  ctx.fillStyle = colour;
  ctx.fillText(text, x, y);
}

function paintHandles({ ctx, colours, unit }: Painter, handles: readonly Point[], { is_locked }: Drawing): void {
  const radius = handlesRadius * unit;
  ctx.lineWidth = 2 * unit;
  ctx.strokeStyle = is_locked ? colours.muted : colours.accent;
  ctx.fillStyle = colours.panel;
  for (const { x, y } of handles) {
    ctx.beginPath();
    ctx.arc(x, y, radius, 0, 2 * Math.PI);
    ctx.fill();
    ctx.stroke();
  }
}
