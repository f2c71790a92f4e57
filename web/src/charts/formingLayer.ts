import type { Candles } from '@sextant/workers/src/protocol.ts';
import type uPlot from 'uplot';
import { inPlot, pixelMap } from './candleLayer.ts';
import type { FormingCandle } from './chartModel.ts';
import type { Colours } from './colours.ts';
import { extremesOf, rangeOf } from './extremes.ts';

const LABEL_GAP_PX = 4;
const LABEL_PX = 44;
const LABEL_HEIGHT_PX = 12;

interface Shown {
  candles: Candles;
  forming: FormingCandle;
}

/** The candle that has not closed, hollow and with its name: it may still become another one. */
export function drawForming(u: uPlot, { candles, forming }: Shown, colours: Colours): void {
  const index = candles.time.length;
  const map = pixelMap(u, index + 1);
  if (map.to < index) return;
  const unit = devicePixelRatio;
  inPlot(u, (ctx) => {
    const centre = Math.round(map.x(index)) + 0.5;
    const width = Math.max(3 * unit, Math.floor(map.barWidth * 0.72));
    const [top, bottom] = [map.y(forming.high), map.y(forming.low)];
    const bodyTop = map.y(Math.max(forming.open, forming.close));
    const bodyBottom = map.y(Math.min(forming.open, forming.close));
    ctx.strokeStyle = forming.close >= forming.open ? colours.up : colours.down;
    ctx.lineWidth = unit;
    ctx.beginPath();
    ctx.moveTo(centre, top);
    ctx.lineTo(centre, bodyTop);
    ctx.moveTo(centre, bodyBottom);
    ctx.lineTo(centre, bottom);
    ctx.stroke();
    ctx.strokeRect(centre - width / 2, bodyTop, width, Math.max(unit, bodyBottom - bodyTop));

    // Above the candles over which the words reach.
    const reach = Math.ceil((LABEL_PX * unit) / map.barWidth);
    const [, highest] = rangeOf(extremesOf(candles.low, candles.high), index - reach, index - 1) ?? [0, forming.high];
    const foot = map.y(Math.max(highest, forming.high)) - LABEL_GAP_PX * unit;
    ctx.fillStyle = colours.muted;
    ctx.font = `${10 * unit}px "Inter Variable", sans-serif`;
    ctx.textAlign = 'right';
    ctx.textBaseline = 'bottom';
    const right = Math.min(u.bbox.left + u.bbox.width - LABEL_GAP_PX * unit, centre + width / 2);
    ctx.fillText('forming', right, Math.max(foot, u.bbox.top + LABEL_HEIGHT_PX * unit));
  });
}
