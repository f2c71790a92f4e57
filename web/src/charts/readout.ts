import { formatFixed } from '../format/number.ts';
import { formatMoment } from '../format/time.ts';
import { timeZoneState } from '../state/timeZone.ts';
import type { ChartModel, ChartOverlay, FormingCandle, PlotLine } from './chartModel.ts';
import { timeAt } from './crosshair.ts';
import { marksText } from './markLayer.ts';

/** The line over each pane: the values under the crosshair, or the last ones. Written to the page directly: it changes with every move. */
function part(name: string, value: string, className = '', colour?: string): Node {
  const span = document.createElement('span');
  span.className = className;
  if (colour !== undefined) span.style.color = `var(--${colour})`;
  const figure = document.createElement('b');
  figure.textContent = value;
  span.append(name === '' ? '' : `${name} `, figure);
  return span;
}

/** The candle under the crosshair, else the newest: the forming one where there is one. */
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
    part('', `${formatMoment(timeAt(time, at), timeZoneState.zone)[0]}${isForming ? ' forming' : ''}`),
    part('C', price(of(close, 'close')), isUp ? 'is-up' : 'is-down'),
    part('O', price(of(open, 'open'))),
    // Of a forming candle they are those of the prices that were seen here, and no figure to read off.
    ...(isForming ? [] : [part('H', price(high[at])), part('L', price(low[at])), part('V', formatVolume(volume[at]))]),
    ...overlays.flatMap((overlay) =>
      overlayValues(overlay, index, price).map(([name, value]) => part(name, value, '', overlay.lines[0]?.colour)),
    ),
    ...(news === undefined ? [] : [part('News', news)]),
  ];
}

/** More lines than these are told by their names. */
const NAMELESS_MAX = 3;

/**
 * Names and values of an overlay at a candle, each a piece that a narrow pane can put on the next line; at rest the last values, as a
 * forming candle has none yet.
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

/** As many figures as a reader compares: cents of a thousand coins say nothing. */
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
