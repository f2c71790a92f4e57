import { candleLengthMs } from '@sextant/workers/src/candles/closedCandles.ts';
import type uPlot from 'uplot';
import { formatFixed } from '../format/number.ts';
import { formatCandleZoned } from '../format/time.ts';
import { timeZoneState } from '../state/timeZone.ts';
import type { ChartModel, ChartOverlay, FormingCandle, PlotLine } from './chartModel.ts';
import { marksText } from './levelsAndMarks.ts';
import type { PaneContext } from './paneOptions.ts';

/**
 * The line over each pane: the values under the crosshair, or the last ones. Written to the DOM directly, because it changes with every
 * pointer move.
 */
function part(name: string, value: string, className = '', colour?: string): Node {
  const span = document.createElement('span');
  span.className = className;
  if (colour !== undefined) span.style.color = `var(--${colour})`;
  const figure = document.createElement('b');
  figure.textContent = value;
  span.append(name === '' ? '' : `${name} `, figure);
  return span;
}

/** The candle under the crosshair, else the newest, which may be forming. */
export function readCandle(
  { candles, priceDecimals, marks = [], overlays = [], forming = null }: ChartModel,
  index: number | null,
) {
  const { time, open, high, low, close, volume } = candles;
  const at = index ?? time.length - (forming === null ? 1 : 0);
  const isForming = forming !== null && at >= time.length;
  const of = (column: Float64Array, name: keyof FormingCandle) => (isForming ? forming[name] : column[at]);
  const price = (value: number | undefined) => formatFixed(value, priceDecimals);
  const isUp = (of(close, 'close') ?? 0) >= (of(open, 'open') ?? 0);
  const news = index === null ? undefined : marksText(marks, index);
  return [
    part('', `${candleTime(time, at, timeZoneState.current.zone)}${isForming ? ' forming' : ''}`),
    part('O', price(of(open, 'open'))),
    // High, low and volume of a forming candle cover only prices seen in this browser, so they are not shown.
    ...(isForming ? [] : [part('H', price(high[at])), part('L', price(low[at]))]),
    part('C', price(of(close, 'close')), isUp ? 'is-up' : 'is-down'),
    ...(isForming ? [] : [part('V', formatVolume(volume[at]))]),
    ...overlays.flatMap((overlay) =>
      overlayValues(overlay, index, price).map(([name, value]) => part(name, value, '', overlay.lines[0]?.colour)),
    ),
    ...(news === undefined ? [] : [part('News', news)]),
  ];
}

/** An overlay with more lines than this names each of them. */
const NAMELESS_MAX = 3;

/**
 * Names and values of an overlay at a candle, each a piece that a narrow pane can wrap; without a candle the last values, as a forming
 * candle has none yet.
 */
export function overlayValues(
  { label: title, lines }: Pick<ChartOverlay, 'label' | 'lines'>,
  index: number | null,
  price: (value: number | undefined) => string,
): [name: string, value: string][] {
  const valueOf = ({ values }: PlotLine) => price(values[index ?? values.length - 1] ?? undefined);
  if (lines.length <= NAMELESS_MAX) return [[title, lines.map(valueOf).join(' ')]];
  return lines.map((line, at) => [at === 0 ? `${title} ${line.label}` : line.label, valueOf(line)]);
}

/** Only as many digits as readers compare: cents of a thousand coins are noise. */
const formatVolume = (volume: number | undefined): string =>
  formatFixed(volume, volume === undefined || volume >= 1000 ? 0 : 2);

export function readLine(model: ChartModel, at: number, index: number | null): Node[] {
  const pane = model.panes[at];
  if (pane === undefined) return [];
  const valueOf = ({ values }: PlotLine) => pane.format(values[index ?? values.length - 1]);
  return [
    part(pane.label, valueOf(pane)),
    ...(pane.others ?? []).map((line) => part(line.label, valueOf(line), '', line.colour)),
  ];
}

const candleTime = (time: ArrayLike<number>, index: number, zone: PaneContext['zone']): string =>
  formatCandleZoned(timeAt(time, index), candleLengthMs(time), zone);

/** Open time of a candle, including the one after the last closed one. */
export function timeAt(time: ArrayLike<number>, index: number): number {
  const known = time[index];
  if (known !== undefined) return known;
  const last = time[time.length - 1] ?? NaN;
  return last + (last - (time[time.length - 2] ?? NaN)) * (index - time.length + 1);
}

function label(u: uPlot, className: string): HTMLElement {
  const element = document.createElement('div');
  element.className = `chart-axis-label ${className}`;
  element.hidden = true;
  u.over.parentElement?.append(element);
  return element;
}

/** Where the crosshair meets the axes: the value under the pointer at the right of its pane, the time below the lowest pane. */
export function crosshairLabels({ format, time, zone, hasTimeLabels }: PaneContext): uPlot.Plugin {
  let value: HTMLElement | undefined;
  let moment: HTMLElement | undefined;
  const move = (u: uPlot): void => {
    const { left = -1, top = -1, idx } = u.cursor;
    const isOn = left >= 0 && idx != null;
    const plotLeft = u.bbox.left / devicePixelRatio;
    const plotTop = u.bbox.top / devicePixelRatio;
    if (value !== undefined) {
      // The panes share the time under the pointer, not the height.
      const isHere = isOn && top >= 0 && (u.over.matches(':hover') || 'keys' in u.root.dataset);
      value.hidden = !isHere;
      if (isHere) {
        value.textContent = format(u.posToVal(top, 'y'));
        value.style.transform = `translate(${plotLeft + u.over.clientWidth + 1}px, ${plotTop + top}px) translateY(-50%)`;
      }
    }
    if (moment === undefined) return;
    moment.hidden = !isOn;
    if (!isOn) return;
    moment.textContent = candleTime(time, idx, zone);
    const half = moment.offsetWidth / 2;
    const centre = Math.min(Math.max(plotLeft + left, half), Math.max(half, u.width - half));
    moment.style.transform = `translate(${centre}px, ${plotTop + u.over.clientHeight + 2}px) translateX(-50%)`;
  };
  return {
    hooks: {
      init: (u) => {
        value = label(u, 'is-value');
        if (hasTimeLabels) moment = label(u, 'is-time');
      },
      setCursor: move,
    },
  };
}
