import type { Trade } from '@sextant/workers/src/protocol.ts';
import { csvText } from './csvCell.ts';
import { tradeUnits, withUnit } from './exportUnits.ts';

const fields = Object.keys(tradeUnits) as (keyof Trade)[];
const utc = (atMs: number): string => new Date(atMs).toISOString();

/** Columns beside those of the engine: the number of the page, and times that can be read. */
const read = ['number', 'entryTime (UTC)', 'exitTime (UTC)'] as const;

/** The trades as CSV in the order of their entries, numbers in full, the unit of each column in its name. */
export function tradesCsv(trades: readonly Trade[]): string {
  return csvText([
    [...read, ...fields.map((name) => withUnit(name, tradeUnits[name]))],
    ...trades.map((trade, at) => [
      ...[at + 1, utc(trade.entryTimeMs), utc(trade.exitTimeMs)],
      ...fields.map((name) => trade[name]),
    ]),
  ]);
}
