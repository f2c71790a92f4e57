import { formatFixed } from '../format/number.ts';
import { formatMoment } from '../format/time.ts';
import { timeZoneState } from '../state/timeZone.ts';
import type { ChartModel } from './chartModel.ts';

/** The line over each pane: the values under the crosshair, or the last ones. Written to the page directly: it changes with every move. */
function part(name: string, value: string, className = ''): Node {
  const span = document.createElement('span');
  span.className = className;
  const figure = document.createElement('b');
  figure.textContent = value;
  span.append(name === '' ? '' : `${name} `, figure);
  return span;
}

export function readCandle({ candles, priceDecimals }: ChartModel, index: number | null): Node[] {
  const at = index ?? candles.time.length - 1;
  const price = (column: Float64Array) => formatFixed(column[at], priceDecimals);
  const isUp = (candles.close[at] ?? 0) >= (candles.open[at] ?? 0);
  return [
    part('', formatMoment(candles.time[at], timeZoneState.zone)[0]),
    part('C', price(candles.close), isUp ? 'is-up' : 'is-down'),
    part('O', price(candles.open)),
    part('H', price(candles.high)),
    part('L', price(candles.low)),
  ];
}

export function readLine(model: ChartModel, at: number, index: number | null): Node[] {
  const pane = model.panes[at];
  if (pane === undefined) return [];
  return [part(pane.label, pane.format(pane.values[index ?? pane.values.length - 1]))];
}
