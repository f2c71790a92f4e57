import type { FileCandles } from '@sextant/workers/src/candles/file/parseCandleFile.ts';
import { intervalToMs, type LoadedCandles } from '../../../api/candles.ts';

/** The rows of a file as loaded candles: no exchange, no fundings. */
export function candlesOfFile(fileName: string, { candles, interval }: FileCandles): LoadedCandles {
  const intervalMs = intervalToMs(interval);
  return { candles, label: fileName, interval, intervalMs, source: 'csv', exchange: null, funding: null };
}
