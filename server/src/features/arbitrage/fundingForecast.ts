import { HOUR_MS, MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { FundingDifference } from './contract.ts';

/** An announced rate counts as last seen this long before its settlement. */
export const ANNOUNCED_LEAD_MS = 30 * MINUTE_MS;

interface Rate {
  atMs: number;
  rate: number;
}

/** Exchanges stamp a settlement some seconds late: it belongs to the nearest full hour. */
const hourOf = (atMs: number): number => Math.round(atMs / HOUR_MS);

/** How far announced rates were from those that were paid, percent of the notional; null while none of both is known. */
export function forecastOf(
  announced: readonly Rate[],
  settled: readonly Rate[],
): FundingDifference['legs']['long']['forecast'] {
  const paid = new Map(settled.map(({ atMs, rate }) => [hourOf(atMs), rate]));
  const errors = announced.flatMap(({ atMs, rate }) => {
    const result = paid.get(hourOf(atMs));
    return result === undefined ? [] : [(result - rate) * 100];
  });
  if (errors.length === 0) return null;
  const mean = (of: (error: number) => number): number =>
    errors.reduce((sum, each) => sum + of(each), 0) / errors.length;
  return { count: errors.length, meanAbsPct: mean(Math.abs), biasPct: mean((error) => error) };
}
