import type { Measured } from '../../api/types.ts';
import { exchangeNames } from '../../format/exchangeName.ts';
import { formatCount, formatFixed, formatMany, formatPercent } from '../../format/number.ts';
import { formatUtc } from '../../format/time.ts';

export interface MeasuredCell {
  label: string;
  value: string;
  /** Window, count and moment of the figure, or why there is none. */
  note: string;
  isFigure: boolean;
}

const labels = ['Tradable symbols', 'Market data answers, p95', 'Uptime'] as const;

/** One cell per figure; without an answer of the server the cells keep their place and say what is going on. */
export function measuredCells(measured: Measured | undefined, hasFailed: boolean): MeasuredCell[] {
  if (measured === undefined) {
    const value = hasFailed ? 'not available' : '…';
    const note = hasFailed ? 'The server did not answer.' : '';
    return labels.map((label) => ({ label, value, note, isFigure: false }));
  }
  return [symbolsCell(measured), latencyCell(measured), uptimeCell(measured)];
}

function symbolsCell({ symbols, market }: Measured): MeasuredCell {
  const [label] = labels;
  if (symbols === null) return without(label, 'not read yet', 'The list of the exchange has not been fetched.');
  const source = market === 'live' ? exchangeNames[symbols.exchange] : `${market} ${exchangeNames[symbols.exchange]}`;
  return figure(label, formatCount(symbols.count), `${source}, ${formatUtc(symbols.at)}`);
}

function latencyCell({ latency }: Measured): MeasuredCell {
  const label = labels[1];
  const window = `n = ${formatCount(latency.count)}, last ${formatCount(latency.windowMinutes)} min`;
  if (latency.p95Ms === null) return without(label, 'not enough requests', `${window}; shown from ${latency.countMin}`);
  const median = latency.p50Ms === null ? '' : `, median ${formatFixed(latency.p50Ms, 1)} ms`;
  return figure(label, `${formatFixed(latency.p95Ms, 1)} ms`, `${window}${median}`);
}

function uptimeCell({ uptime }: Measured): MeasuredCell {
  const label = labels[2];
  if (uptime === null) return without(label, 'not known yet', 'Shown once a whole day has been measured.');
  const days = Math.round(uptime.minutes / (24 * 60));
  const span = days === 1 ? '24 hours' : formatMany(days, 'day');
  const minutes = `${formatCount(uptime.upMinutes)} of ${formatCount(uptime.minutes)} min`;
  return figure(label, formatPercent(uptime.fraction), `last ${span}, ${minutes}`);
}

const figure = (label: string, value: string, note: string): MeasuredCell => ({ label, value, note, isFigure: true });
const without = (label: string, value: string, note: string): MeasuredCell => ({
  label,
  value,
  note,
  isFigure: false,
});
