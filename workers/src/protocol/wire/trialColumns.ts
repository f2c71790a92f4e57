import type { TrialColumns } from '../optimize.ts';

/** The columns that are stored and sent, in their order; the others follow from them. */
export const storedColumns = [
  'netPnl',
  'tradeCount',
  'winCount',
  'profitFactor',
  'closedDrawdownFraction',
  'maxDrawdownFraction',
  'sharpe',
  'sortino',
  'calmar',
  'value',
] as const satisfies readonly (keyof TrialColumns)[];
export type StoredColumns = Pick<TrialColumns, (typeof storedColumns)[number]>;

/** Bytes of one trial. */
export const TRIAL_BYTES = 8 * storedColumns.length;

/** Parts of a search as one table: f64, little-endian, column after column. */
export function packTrials(parts: readonly StoredColumns[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(TRIAL_BYTES * parts.reduce((sum, part) => sum + part.value.length, 0));
  let at = 0;
  for (const name of storedColumns) {
    for (const part of parts) {
      const { buffer, byteOffset, byteLength } = part[name];
      bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
      at += byteLength;
    }
  }
  return bytes;
}

/** @param bytes a whole number of trials, at any offset */
export function unpackStored(bytes: Uint8Array): StoredColumns {
  // A copy that starts at a multiple of eight, which a view of numbers needs.
  const values = new Float64Array(Uint8Array.from(bytes).buffer);
  const count = values.length / storedColumns.length;
  return Object.fromEntries(
    storedColumns.map((name, i) => [name, values.slice(i * count, (i + 1) * count)]),
  ) as unknown as StoredColumns;
}

/** The table with the columns that were left out, computed as the search computes them. */
export function unpackTrials(bytes: Uint8Array): TrialColumns {
  const stored = unpackStored(bytes);
  const perTrade = (column: Float64Array): Float64Array =>
    column.map((value, i) => ((stored.tradeCount[i] ?? 0) > 0 ? value / (stored.tradeCount[i] ?? 0) : Number.NaN));
  return { ...stored, winRate: perTrade(stored.winCount), expectancy: perTrade(stored.netPnl) };
}
