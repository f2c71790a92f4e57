import type { Interval } from '../../../features/market/port.ts';
import { asList, barCount, type CandleDialect, pathWith } from '../restDialect.ts';

export const intervalNames: Record<Interval, string> = {
  '1m': '1m',
  '5m': '5m',
  '15m': '15m',
  '1h': '1h',
  '4h': '4h',
  '1d': '1d',
};

const pathOf =
  (path: string): CandleDialect['path'] =>
  (question) =>
    pathWith(path, {
      symbol: question.id,
      interval: intervalNames[question.interval],
      startTime: String(question.fromMs),
      endTime: String(question.toMs),
      limit: barCount(question),
    });

export const candles: CandleDialect = {
  // Documented as 1,500; spans above 1,000 have come back incomplete, and ccxt caps there too.
  pageSize: 1000,
  path: pathOf('/fapi/v1/klines'),
  layout: { cellCount: 6 },
  rows: asList,
  volumeCell: 5,
};

/** Same layout as candles; the volume cell holds "0". */
export const markCandles: CandleDialect = {
  pageSize: 1000,
  path: pathOf('/fapi/v1/markPriceKlines'),
  layout: { cellCount: 5 },
  rows: asList,
  volumeCell: null,
};
