import type uPlot from 'uplot';
import { formatFixed } from '../format/number.ts';
import type { ChartModel, LinePane } from './chartModel.ts';
import { extremesOf, rangeOf } from './extremes.ts';

/** A logarithm needs prices above 0. */
export const hasLog = ({ candles: { low, high } }: ChartModel): boolean =>
  (rangeOf(extremesOf(low, high), 0, low.length - 1)?.[0] ?? 0) > 0;

/** The first close in sight, from which percentages are counted. */
export function firstClose(u: uPlot, { candles: { close } }: ChartModel): number {
  const first = Math.max(0, Math.ceil(u.scales['x']?.min ?? 0));
  return close[Math.min(first, close.length - 1)] ?? NaN;
}

export function hasSamePanes(a: ChartModel, b: ChartModel): boolean {
  const shape = ({ panes, overlays = [] }: ChartModel) =>
    [...panes.map(({ id, weight }) => `${id} ${weight}`), ...overlays.map(({ id }) => id)].join();
  return shape(a) === shape(b);
}

/** Whether two panes of one place draw the same. */
export function isSameLine(a: LinePane | undefined, b: LinePane): boolean {
  if (a === undefined || !isSameColumn(a.levels, b.levels)) return false;
  const [before, now] = [a, b].map((pane) => [pane, ...(pane.others ?? [])]);
  return (
    before?.length === now?.length &&
    before?.every(
      ({ values, label }, at) => label === now?.[at]?.label && isSameColumn(values, now.at(at)?.values ?? []),
    ) === true
  );
}

const isSameColumn = (a: readonly (number | null)[], b: readonly (number | null)[]): boolean =>
  a === b || (a.length === b.length && a.every((value, at) => value === b[at]));

/** Characters of the widest value label: of the highest price, or of the last value of a line. */
export function longestLabel({ candles, priceDecimals, panes }: ChartModel): number {
  const [, highest] = rangeOf(extremesOf(candles.low, candles.high), 0, candles.time.length - 1) ?? [0, 0];
  const lines = panes.map(({ values, format }) => format(values.at(-1)).length);
  return Math.max(formatFixed(highest, priceDecimals).length, ...lines);
}
