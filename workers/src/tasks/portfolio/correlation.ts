import { DAY_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { PortfolioResult, PortfolioTrade } from '../../protocol/portfolio.ts';

/**
 * Correlation (Pearson) of the net PnL that the symbols closed on each UTC day of the account; a day without a close counts as 0.
 * @returns the mean over the pairs that have one, null without any
 */
export function correlationOf(
  symbols: readonly string[],
  trades: readonly PortfolioTrade[],
  time: Float64Array,
): PortfolioResult['correlation'] {
  const dayOf = (step: number): number => Math.floor((time[step] ?? 0) / DAY_MS);
  const first = dayOf(0);
  const days = dayOf(time.length - 1) - first + 1;
  const columns = new Map(symbols.map((symbol) => [symbol, new Float64Array(days)]));
  for (const { symbol, exitStep, netPnl } of trades) {
    const column = columns.get(symbol);
    const day = dayOf(exitStep) - first;
    if (column !== undefined) column[day] = (column[day] ?? 0) + netPnl;
  }
  const unit = symbols.map((symbol) => standardised(columns.get(symbol) ?? new Float64Array(days)));
  const count = symbols.length;
  const values = new Float64Array(count * count);
  let sum = 0;
  let pairs = 0;
  for (let a = 0; a < count; a++) {
    for (let b = a; b < count; b++) {
      const value = a === b ? selfOf(unit[a]) : product(unit[a], unit[b]);
      values[a * count + b] = value;
      values[b * count + a] = value;
      if (a === b || Number.isNaN(value)) continue;
      sum += value;
      pairs++;
    }
  }
  return { symbols: [...symbols], values, mean: pairs > 0 ? sum / pairs : null };
}

/** Without its mean, of length 1; undefined where it does not vary. */
function standardised(column: Float64Array): Float64Array | undefined {
  const mean = sumOf(column) / column.length;
  const centred = column.map((value) => value - mean);
  const length = Math.sqrt(dot(centred, centred));
  return length > 0 ? centred.map((value) => value / length) : undefined;
}

const selfOf = (column: Float64Array | undefined): number => (column === undefined ? Number.NaN : 1);

function product(a: Float64Array | undefined, b: Float64Array | undefined): number {
  if (a === undefined || b === undefined) return Number.NaN;
  return Math.max(-1, Math.min(1, dot(a, b)));
}

function sumOf(column: Float64Array): number {
  let sum = 0;
  for (let day = 0; day < column.length; day++) sum += column[day] ?? 0;
  return sum;
}

/** A loop: there are 8,128 pairs of 128 symbols. */
function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let day = 0; day < a.length; day++) sum += (a[day] ?? 0) * (b[day] ?? 0);
  return sum;
}
