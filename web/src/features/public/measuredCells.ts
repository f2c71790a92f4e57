import type { Measured } from '../../api/types.ts';
import { formatCount, formatFixed, formatPercent } from '../../format/number.ts';

export interface MeasuredCell {
  label: string;
  value: string;
  /** Window, count and moment of the figure, or why there is none. */
  note: string;
  isFigure: boolean;
}

const labels = ['Tradable symbols', 'Market data answers, p95', 'Uptime'] as const;
const dateAndTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
const utc = (at: string): string => `${dateAndTime.format(new Date(at))} UTC`;

/** One cell per figure; without an answer of the server the cells keep their place and say what is going on. */
export function measuredCells(measured: Measured | undefined, hasFailed: boolean): MeasuredCell[] {
  if (measured === undefined) {
    const value = hasFailed ? 'not available' : '…';
    const note = hasFailed ? 'The server did not answer.' : '';
    return labels.map((label) => ({ label, value, note, isFigure: false }));
  }
  return [symbolsCell(measured), latencyCell(measured), uptimeCell(measured)];
}

const names = { binance: 'Binance', bybit: 'Bybit', okx: 'OKX' } as const;

function symbolsCell({ symbols, market }: Measured): MeasuredCell {
  const [label] = labels;
  if (symbols === null) return without(label, 'not read yet', 'The list of the exchange has not been fetched.');
  const source = market === 'live' ? names[symbols.exchange] : `${market} ${names[symbols.exchange]}`;
  return figure(label, formatCount(symbols.count), `${source}, ${utc(symbols.at)}`);
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
  if (uptime === null) return without(label, 'not measured yet', 'The first minute is not over.');
  return figure(
    label,
    formatPercent(uptime.fraction),
    `${formatCount(uptime.upMinutes)} of ${formatCount(uptime.minutes)} min since ${utc(uptime.from)}`,
  );
}

const figure = (label: string, value: string, note: string): MeasuredCell => ({ label, value, note, isFigure: true });
const without = (label: string, value: string, note: string): MeasuredCell => ({
  ...{ label, value, note },
  isFigure: false,
});
