import { HOUR_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { cutKlineRows } from '@sextant/workers/src/protocol/wire/klineRows.ts';
import { candleWalks } from '../../data/candles.ts';
import { firstDifference } from '../agreement.ts';
import { candleColumns } from '../engineSide.ts';
import { inProcess, inTurn } from '../paired.ts';
import type { BenchCase } from '../suite.ts';

const ROWS = 500;
const TEXTS = 64;

/** One response of 500 candles as exchanges send them: JSON rows with prices as strings, parsed from bytes into columns. */
export function klineJsonCase(): BenchCase {
  const series = candleWalks(TEXTS, ROWS);
  const bodies = series.map((candles) => Buffer.from(klineText(candles)));
  const columns = Object.fromEntries(candleColumns.map((name) => [name, new Float64Array(ROWS)])) as unknown as Candles;
  const verify = (read: (body: Buffer, columns: Candles) => void): string[] =>
    series.flatMap((candles, k) => {
      read(bodies[k] as Buffer, columns);
      return candleColumns.flatMap((name) => firstDifference(columns[name], candles[name]) ?? []);
    });
  return {
    name: 'kline-json-500',
    unit: 'us',
    toFigure: (operationNs) => operationNs / 1000,
    operation: inTurn(TEXTS, (k) => readBytes(bodies[k] as Buffer, columns)),
    rivals: [
      { against: 'json-parse', contestant: inProcess(inTurn(TEXTS, (k) => parse(bodies[k] as Buffer, columns))) },
    ],
    verify: () => [...verify(readBytes), ...verify(parse)],
  };
}

/** As the server does. */
function readBytes(body: Buffer, columns: Candles): void {
  const rows = cutKlineRows(body, { cellCount: candleColumns.length });
  if (rows === undefined) throw new Error('the rows of the bench are rows of an exchange');
  candleColumns.forEach((name, index) => {
    const column = columns[name];
    for (let i = 0, at = index; i < rows.rowCount; i++, at += candleColumns.length)
      column[i] = rows.cells[at] as number;
  });
}

function parse(body: Buffer, columns: Candles): void {
  const rows = JSON.parse(body.toString()) as readonly (readonly (string | number)[])[];
  const { time, open, high, low, close, volume } = columns;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] ?? [];
    time[i] = Number(row[0]);
    open[i] = Number(row[1]);
    high[i] = Number(row[2]);
    low[i] = Number(row[3]);
    close[i] = Number(row[4]);
    volume[i] = Number(row[5]);
  }
}

/** A Binance USDT-M response: twelve fields a row, of which six are read. */
function klineText({ time, open, high, low, close, volume }: Candles): string {
  const rows = Array.from(time, (openMs, i) => {
    const prices = [open, high, low, close].map((column) => (column[i] as number).toFixed(2));
    const traded = (volume[i] as number).toFixed(3);
    const rest = [openMs + HOUR_MS - 1, '15023456.78120', 48_213, '251.204', '7512345.12345', '0'];
    return [openMs, ...prices, traded, ...rest];
  });
  return JSON.stringify(rows);
}
