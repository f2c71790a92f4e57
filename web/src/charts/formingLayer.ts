import type uPlot from 'uplot';
import { inPlot, pixelMap } from './candleLayer.ts';
import type { FormingCandle } from './chartModel.ts';
import type { Colours } from './colours.ts';

const LABEL_GAP_PX = 4;

/** The candle that has not closed, hollow and with its name: it may still become another one. @param index the one after the last closed */
export function drawForming(u: uPlot, index: number, candle: FormingCandle, colours: Colours): void {
  const map = pixelMap(u, index + 1);
  if (map.to < index) return;
  const unit = devicePixelRatio;
  inPlot(u, (ctx) => {
    const centre = Math.round(map.x(index)) + 0.5;
    const width = Math.max(2 * unit, Math.floor(map.barWidth * 0.72));
    const [top, bottom] = [map.y(candle.high), map.y(candle.low)];
    const bodyTop = map.y(Math.max(candle.open, candle.close));
    const bodyBottom = map.y(Math.min(candle.open, candle.close));
    ctx.strokeStyle = candle.close >= candle.open ? colours.up : colours.down;
    ctx.lineWidth = unit;
    ctx.beginPath();
    ctx.moveTo(centre, top);
    ctx.lineTo(centre, bodyTop);
    ctx.moveTo(centre, bodyBottom);
    ctx.lineTo(centre, bottom);
    ctx.stroke();
    ctx.strokeRect(centre - width / 2, bodyTop, width, Math.max(unit, bodyBottom - bodyTop));
    ctx.fillStyle = colours.muted;
    ctx.font = `${10 * unit}px "Inter Variable", sans-serif`;
    ctx.textAlign = 'right';
    ctx.textBaseline = 'bottom';
    const right = Math.min(u.bbox.left + u.bbox.width - LABEL_GAP_PX * unit, centre + width / 2);
    const isRoomAbove = top - 14 * unit > u.bbox.top;
    ctx.fillText('forming', right, isRoomAbove ? top - LABEL_GAP_PX * unit : bottom + 14 * unit);
  });
}
