import type { Interval } from '../../../features/market/port.ts';
import { asList, barCount, type CandleDialect, pathWith } from '../restDialect.ts';
import { readField } from '../rules.ts';

// Without `utc` a day starts at midnight in Hong Kong.
export const intervalNames: Record<Interval, string> = {
  '1m': '1m',
  '5m': '5m',
  '15m': '15m',
  '1h': '1H',
  '4h': '4H',
  '1d': '1Dutc',
};

/** Older bars are served by another endpoint with half the rate limit. */
const recentBarCount = 1439;

/** @param name of the endpoint; the endpoint for older bars has the prefix `history-` */
const pathOf =
  (name: string): CandleDialect['path'] =>
  (question) => {
    const { id, interval, intervalMs, fromMs, toMs, nowMs } = question;
    const isOld = fromMs < nowMs - recentBarCount * intervalMs;
    return pathWith(`/api/v5/market/${isOld ? 'history-' : ''}${name}`, {
      instId: id,
      bar: intervalNames[interval],
      limit: barCount(question),
      // Both bounds are exclusive.
      before: String(fromMs - 1),
      after: String(toMs + intervalMs),
    });
  };

const rows: CandleDialect['rows'] = (body) => asList(readField(body, 'data'));

export const candles: CandleDialect = {
  pageSize: 300,
  path: pathOf('candles'),
  layout: { listName: 'data', cellCount: 7 },
  rows,
  // Cell 5 is the volume in contracts.
  volumeCell: 6,
};

/** Rows of open time and four prices, then whether the bar is closed. */
export const markCandles: CandleDialect = {
  pageSize: 100,
  path: pathOf('mark-price-candles'),
  layout: { listName: 'data', cellCount: 5 },
  rows,
  volumeCell: null,
};
