import { intervalToMs, type LoadedCandles } from '../../../api/candles.ts';
import type { CsvCandles } from './parseCsv.ts';

/** The rows of a file as loaded candles: no exchange, no fundings. */
export function candlesOfFile(fileName: string, { candles, interval }: CsvCandles): LoadedCandles {
  const intervalMs = intervalToMs(interval);
  return { candles, label: fileName, interval, intervalMs, source: 'csv', exchange: null, funding: null };
}
