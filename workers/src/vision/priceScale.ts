import type { PixelCandle } from './candles.ts';
import { priceOf, type PriceText } from './parseText.ts';
import type { IndicatorLine, PriceLabel, PriceReading } from './reading.ts';

/** A label as it was read: the text may have lost its point. */
export interface AxisLabel {
  y: number;
  text: PriceText;
  confidence: number;
}

export interface FittedScale {
  kind: 'linear' | 'log';
  /** Price, or its logarithm, at row 0 and per row. */
  at0: number;
  perRow: number;
  residualFraction: number;
  used: PriceLabel[];
}

/** Fewer agreeing labels are no proof of a scale. */
const usedMin = 3;
/** Labels can all be misread alike, such as dotted zeros as nines: then they agree, but each is doubtful. */
const confidenceMin = 0.7;
/** Rows a label may stand off: half a pixel of reading, one of drawing. */
const slackRows = 1.6;

/**
 * The scale through most labels: each pair of labels is tried, the line that most others lie on wins, and is fitted through those by least
 * squares. Misread labels lie beside it. Null when fewer than three labels, or less than half of them, agree, or when these were read with little
 * confidence.
 */
export function fitScale(labels: readonly AxisLabel[]): FittedScale | null {
  const read = withCandidates(labels);
  const fits = [fitted(read, 'linear'), fitted(read, 'log')].flatMap((fit) => (fit === null ? [] : [fit]));
  const [linear, log] = [fits.find(({ kind }) => kind === 'linear'), fits.find(({ kind }) => kind === 'log')];
  const best = linear === undefined || log === undefined ? (linear ?? log) : isBetter(log, linear) ? log : linear;
  if (best === undefined || best.used.length < Math.max(usedMin, labels.length / 2)) return null;
  const confidence = best.used.reduce((sum, label) => sum + label.confidence, 0) / best.used.length;
  return confidence >= confidenceMin ? best : null;
}

/** Over a small range both fit: then the scale is called linear. */
const isBetter = (log: FittedScale, linear: FittedScale): boolean =>
  log.used.length > linear.used.length ||
  (log.used.length === linear.used.length && log.residualFraction < linear.residualFraction * 0.6);

interface Candidate {
  label: AxisLabel;
  prices: number[];
}

/** A label without a point may have lost it: then it counts with as many decimals as most others have, too. */
function withCandidates(labels: readonly AxisLabel[]): Candidate[] {
  const counts = new Map<number, number>();
  for (const { text } of labels)
    if (text.decimals !== null) counts.set(text.decimals, (counts.get(text.decimals) ?? 0) + 1);
  const [common] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [null];
  return labels.map((label) => ({
    label,
    prices: [
      priceOf(label.text),
      ...(label.text.decimals === null && common !== null ? [priceOf({ ...label.text, decimals: common })] : []),
    ].filter((price) => price > 0),
  }));
}

type Point = { y: number; value: number; price: number; confidence: number };

function fitted(read: readonly Candidate[], kind: FittedScale['kind']): FittedScale | null {
  const points = read.map(({ label, prices }) =>
    prices.map((price) => ({
      y: label.y,
      value: kind === 'log' ? Math.log(price) : price,
      price,
      confidence: label.confidence,
    })),
  );
  const best = mostAgreeing(points);
  if (best.length < usedMin) return null;
  const meanY = best.reduce((sum, { y }) => sum + y, 0) / best.length;
  const meanValue = best.reduce((sum, { value }) => sum + value, 0) / best.length;
  let [cross, square] = [0, 0];
  for (const { y, value } of best) {
    cross += (y - meanY) * (value - meanValue);
    square += (y - meanY) ** 2;
  }
  const perRow = cross / square;
  const at0 = meanValue - perRow * meanY;
  const rows = best.map(({ y }) => y);
  const span = Math.max(...rows) - Math.min(...rows);
  const residual = Math.max(...best.map(({ y, value }) => Math.abs((value - at0) / perRow - y)));
  const used = best.map(({ price, y, confidence }) => ({ price, y, confidence }));
  return { kind, at0, perRow, residualFraction: residual / span, used };
}

/** The largest set of labels on one line that falls down the picture; of two, the one with less rest. */
function mostAgreeing(points: readonly Point[][]): Point[] {
  let best: Point[] = [];
  let least = Infinity;
  const tryPair = (first: Point, second: Point): void => {
    const perRow = (second.value - first.value) / (second.y - first.y);
    if (!(perRow < 0)) return;
    let rest = 0;
    const on = points.flatMap((choices) => {
      for (const point of choices) {
        const off = Math.abs(first.y + (point.value - first.value) / perRow - point.y);
        if (off > slackRows) continue;
        rest += off;
        return [point];
      }
      return [];
    });
    if (on.length < best.length || (on.length === best.length && rest >= least)) return;
    best = on;
    least = rest;
  };
  for (let a = 0; a < points.length; a++)
    for (let b = a + 1; b < points.length; b++)
      for (const first of points[a] ?? [])
        for (const second of points[b] ?? []) if (Math.abs(first.y - second.y) > 8) tryPair(first, second);
  return best;
}

const priceAt = ({ at0, perRow, kind }: FittedScale, row: number): number =>
  kind === 'log' ? Math.exp(at0 + perRow * row) : at0 + perRow * row;

/** A curve in prices of the scale. */
export const withValues = (line: IndicatorLine, scale: FittedScale): IndicatorLine => ({
  ...line,
  values: line.rows.map((row) => (row === null ? null : priceAt(scale, row))),
});

/** The candles in prices of the scale. */
export function priceCandles(candles: readonly PixelCandle[], scale: FittedScale, labelsRead: number): PriceReading {
  const price = (row: number): number => priceAt(scale, row);
  return {
    candles: candles.map(({ index, open, high, low, close }) => ({
      index,
      open: price(open),
      high: price(high),
      low: price(low),
      close: price(close),
    })),
    scale: scale.kind,
    residualFraction: scale.residualFraction,
    labelsUsed: scale.used.length,
    labelsRead,
  };
}
