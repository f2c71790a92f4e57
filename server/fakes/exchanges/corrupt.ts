import type { PayloadFault, VenueFault } from './faults.ts';

type Row = unknown[] | Record<string, unknown>;

/** Stands for a number literal JSON.stringify cannot write; replaced in the text afterwards. */
const HUGE = '__1e400__';

/**
 * Damages the rows of a response. All three exchanges send candles as [open time, open, high, low, close, volume, ...], so one set of
 * damages fits them; other responses are objects, whose numeric fields are damaged.
 */
export function corrupt(fault: PayloadFault | VenueFault, rows: Row[], intervalMs: number, nowMs: number): Row[] {
  switch (fault) {
    case 'emptyList':
      return [];
    case 'notANumber':
      return damageMiddle(rows, 'NaN');
    case 'text':
      return damageMiddle(rows, 'abc');
    case 'hugeNumber':
      return damageMiddle(rows, HUGE);
    case 'outOfOrder':
      return [...rows.filter((_, index) => index % 2 === 1), ...rows.filter((_, index) => index % 2 === 0)];
    case 'duplicate':
      return rows.flatMap((row, index) => (index % 5 === 2 ? [row, row] : [row]));
    case 'gap':
      return rows.filter((row, index) => !isInHole(row, index, intervalMs));
    case 'negativeVolume':
      return rows.map((row, index) => (index % 9 === 4 ? withNegativeVolume(row) : row));
    case 'highBelowLow':
      return rows.map((row, index) =>
        index % 9 === 4 && Array.isArray(row) ? withCells(row, { 2: row[3], 3: row[2] }) : row,
      );
    case 'unclosedBar':
      return addBar(rows, intervalMs, nowMs);
    case 'futureBar':
      return addBar(rows, intervalMs, nowMs + 2 * intervalMs);
    case 'wrongSymbol':
      return rows.map((row) => (Array.isArray(row) ? row : renamed(row)));
    case 'emptyRate':
      return withEmptyRate(rows);
    case 'staleClock':
      return rows;
  }
}

const withEmptyRate = (rows: Row[]): Row[] =>
  rows.map((row, index) => (index > 0 || Array.isArray(row) ? row : { ...row, realizedRate: '' }));

/** The text of a damaged body. */
export const corruptText = (body: unknown): string => JSON.stringify(body).replaceAll(`"${HUGE}"`, '1e400');

/** Three bars of every forty, by their time, so that the gap is the same on every request. */
function isInHole(row: Row, index: number, intervalMs: number): boolean {
  const position = Array.isArray(row) && intervalMs > 0 ? Number(row[0]) / intervalMs : index;
  return position % 40 >= 7 && position % 40 < 10;
}

/** OKX has the volume three times: in contracts, in coins and in quote currency. */
const withNegativeVolume = (row: Row): Row =>
  Array.isArray(row) && row.length < 5
    ? withCells(row, { 1: '-12.5' })
    : withCells(row, Array.isArray(row) && row.length === 9 ? { 5: '-12.5', 6: '-12.5', 7: '-12.5' } : { 5: '-12.5' });

function damageMiddle(rows: Row[], value: string): Row[] {
  const middle = Math.floor(rows.length / 2);
  return rows.map((row, index) => {
    // A level of an order book is [price, size, ...]: too short for the cells of a candle.
    const cells = Array.isArray(row) && row.length < 5 ? { 1: value } : { 2: value, 4: value };
    if (Array.isArray(row)) return index === middle ? withCells(row, cells) : row;
    return Object.fromEntries(
      Object.entries(row).map(([key, cell]) => [key, isNumeric(cell) && !/time|ts$/i.test(key) ? value : cell]),
    );
  });
}

const isNumeric = (cell: unknown): boolean =>
  typeof cell === 'number' || (typeof cell === 'string' && cell !== '' && Number.isFinite(Number(cell)));

function withCells(row: Row, cells: Record<number, unknown>): Row {
  if (!Array.isArray(row)) return row;
  return row.map((cell, index) => (index in cells ? cells[index] : cell));
}

/** Adds a bar that has not ended, or has not started, marked as closed. */
function addBar(rows: Row[], intervalMs: number, atMs: number): Row[] {
  const model = rows.find((row) => Array.isArray(row));
  if (model === undefined || intervalMs === 0) return rows;
  const openMs = Math.floor(atMs / intervalMs) * intervalMs;
  const bar = withCells(model, { 0: typeof model[0] === 'number' ? openMs : String(openMs), 8: '1' });
  const isNewestFirst = Number((rows[0] as unknown[])[0]) > Number((rows.at(-1) as unknown[])[0]);
  return isNewestFirst ? [bar, ...rows] : [...rows, bar];
}

function renamed(row: Record<string, unknown>): Record<string, unknown> {
  const copy = { ...row };
  if (typeof copy['symbol'] === 'string') copy['symbol'] = 'WRONGUSDT';
  if (typeof copy['instId'] === 'string') copy['instId'] = 'WRONG-USDT-SWAP';
  return copy;
}
