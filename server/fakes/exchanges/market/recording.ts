import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSymbol } from '@sextant/workers/src/core/symbolPattern.ts';
import { levelOfInterval } from './levels.ts';

export interface RecordedCandle {
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

/** The candles of one symbol at the finest interval a folder has of it. */
export interface Recording {
  symbol: string;
  interval: string;
  rows: RecordedCandle[];
  funding: { time: number; rate: number }[];
  isVolumeInQuote: boolean;
  /** Coins per quoted unit: 1000 for a symbol such as 1000PEPEUSDT. */
  unit: number;
}

const fileName = /^(.+)-(1m|5m|15m|1h|4h|1d)\.csv$/;

/**
 * Reads a folder of `SYMBOL-INTERVAL.csv` (time,open,high,low,close,volume; epoch ms) and `SYMBOL-funding-8h.csv` (time,rate).
 * Symbols named in `quoteVolumeSymbols` have their volume in USDT; the others in coins. Throws with one line that names the file.
 */
export function readRecordings(folder: string, quoteVolumeSymbols: readonly string[] = []): Recording[] {
  const finest = new Map<string, string>();
  for (const name of readdirSync(folder)) {
    const [, symbol, interval] = fileName.exec(name) ?? [];
    if (symbol === undefined || interval === undefined || !isSymbol(symbol)) continue;
    const known = finest.get(symbol);
    const isFiner = known === undefined || (levelOfInterval[interval] ?? 0) > (levelOfInterval[known] ?? 0);
    if (isFiner) finest.set(symbol, interval);
  }
  if (finest.size === 0) throw new Error(`${folder}: no file is named like BTCUSDT-15m.csv`);
  return [...finest].map(([symbol, interval]) => ({
    symbol,
    interval,
    rows: readCandles(join(folder, `${symbol}-${interval}.csv`)),
    funding: readFunding(folder, symbol),
    isVolumeInQuote: quoteVolumeSymbols.includes(symbol),
    unit: /^1000/.test(symbol) ? 1000 : 1,
  }));
}

function readCandles(path: string): RecordedCandle[] {
  const rows = readTable(path, 'time,open,high,low,close,volume').map(([time, open, high, low, close, volume]) => ({
    time: time as number,
    open: open as number,
    high: high as number,
    low: low as number,
    close: close as number,
    volume: volume as number,
  }));
  if (rows.length < 2) throw new Error(`${path}: needs at least two candles`);
  rows.forEach((row, index) => {
    const before = rows[index - 1];
    const isOrdered = before === undefined || row.time > before.time;
    const isShaped =
      row.high >= Math.max(row.open, row.close) && row.low <= Math.min(row.open, row.close) && row.low > 0;
    if (!isOrdered || !isShaped || row.volume < 0) throw new Error(`${path}: line ${index + 2} is not a valid candle`);
  });
  return rows;
}

function readFunding(folder: string, symbol: string): { time: number; rate: number }[] {
  const name = `${symbol}-funding-8h.csv`;
  if (!readdirSync(folder).includes(name)) return [];
  return readTable(join(folder, name), 'time,rate').map(([time, rate]) => ({
    time: time as number,
    rate: rate as number,
  }));
}

function readTable(path: string, header: string): number[][] {
  const [first, ...lines] = readFileSync(path, 'utf8').trim().split(/\r?\n/);
  if (first !== header) throw new Error(`${path}: the first line must be ${header}`);
  return lines.map((line, index) => {
    const cells = line.split(',').map(Number);
    if (cells.length !== header.split(',').length || !cells.every(Number.isFinite)) {
      throw new Error(`${path}: line ${index + 2} does not hold ${header.split(',').length} numbers`);
    }
    return cells;
  });
}
