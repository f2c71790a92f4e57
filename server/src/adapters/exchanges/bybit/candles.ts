import type { Interval } from '../../../features/market/port.ts';
import { asList, barCount, type CandleDialect, pathWith } from '../restDialect.ts';
import { readField } from '../rules.ts';
import { BYBIT_CANDLES, BYBIT_MARK_CANDLES } from './rules.ts';

export const intervalNames: Record<Interval, string> = {
  '1m': '1',
  '5m': '5',
  '15m': '15',
  '1h': '60',
  '4h': '240',
  '1d': 'D',
};

const pathOf =
  (path: string): CandleDialect['path'] =>
  (question) =>
    pathWith(path, {
      category: 'linear',
      symbol: question.id,
      interval: intervalNames[question.interval],
      start: String(question.fromMs),
      end: String(question.toMs),
      limit: barCount(question),
    });

const rows: CandleDialect['rows'] = (body) => asList(readField(readField(body, 'result'), 'list'));

export const candles: CandleDialect = {
  pageSize: 1000,
  path: pathOf(BYBIT_CANDLES),
  layout: { listName: 'list', cellCount: 6 },
  rows,
  volumeCell: 5,
};

/** Rows of five cells, without volume and turnover. */
export const markCandles: CandleDialect = {
  pageSize: 1000,
  path: pathOf(BYBIT_MARK_CANDLES),
  layout: { listName: 'list', cellCount: 5 },
  rows,
  volumeCell: null,
};
