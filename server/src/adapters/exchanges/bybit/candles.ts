import type { Interval } from '../../../features/market/port.ts';
import { asList, barCount, type CandleDialect, pathWith } from '../restDialect.ts';
import { readField } from '../rules.ts';

export const intervalNames: Record<Interval, string> = {
  '1m': '1',
  '5m': '5',
  '15m': '15',
  '1h': '60',
  '4h': '240',
  '1d': 'D',
};

export const candles: CandleDialect = {
  pageSize: 1000,
  path: (question) =>
    pathWith('/v5/market/kline', {
      category: 'linear',
      symbol: question.id,
      interval: intervalNames[question.interval],
      start: String(question.fromMs),
      end: String(question.toMs),
      limit: barCount(question),
    }),
  layout: { listName: 'list', cellCount: 6 },
  rows: (body) => asList(readField(readField(body, 'result'), 'list')),
  volumeCell: 5,
};
