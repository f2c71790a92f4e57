import type { Interval } from '../../../features/market/port.ts';
import { asList, barCount, type CandleDialect, pathWith } from '../restDialect.ts';
import { readField } from '../rules.ts';

// Without `utc` a day begins in Hong Kong.
export const intervalNames: Record<Interval, string> = {
  '1m': '1m',
  '5m': '5m',
  '15m': '15m',
  '1h': '1H',
  '4h': '4H',
  '1d': '1Dutc',
};

/** Older bars are served by another path, which has half the rate. */
const recentBarCount = 1439;

export const candles: CandleDialect = {
  pageSize: 300,
  path: (question) => {
    const { id, interval, intervalMs, fromMs, toMs, nowMs } = question;
    const isOld = fromMs < nowMs - recentBarCount * intervalMs;
    return pathWith(isOld ? '/api/v5/market/history-candles' : '/api/v5/market/candles', {
      instId: id,
      bar: intervalNames[interval],
      limit: barCount(question),
      // Both exclude the time they name.
      before: String(fromMs - 1),
      after: String(toMs + intervalMs),
    });
  },
  layout: { listName: 'data', cellCount: 7 },
  rows: (body) => asList(readField(body, 'data')),
  // Cell 5 is the volume in contracts.
  volumeCell: 6,
};
