import type { PositioningInterval } from '../../../features/market/port.ts';
import type { PositioningDialect } from '../positioning.ts';
import { objectsIn, pathWith } from '../restDialect.ts';
import { readField } from '../rules.ts';

const periods: Record<PositioningInterval, string> = {
  '5m': '5min',
  '15m': '15min',
  '1h': '1h',
  '4h': '4h',
  '1d': '1d',
};

const listIn = (body: unknown) => objectsIn(readField(readField(body, 'result'), 'list'));

export const bybitPositioning: PositioningDialect = {
  async openInterest(transport, id) {
    const body = await transport.getJson(pathWith('/v5/market/tickers', { category: 'linear', symbol: id }));
    const row = listIn(body).find(({ symbol }) => symbol === id);
    return row && { value: row['openInterest'], atMs: readField(body, 'time') };
  },
  async openInterestSeries(transport, { id, interval }) {
    const query = { category: 'linear', symbol: id, intervalTime: periods[interval], limit: '200' };
    const rows = listIn(await transport.getJson(pathWith('/v5/market/open-interest', query)));
    return rows.map((row) => ({ value: row['openInterest'], atMs: row['timestamp'] }));
  },
  async longShortSeries(transport, { id, interval }) {
    const query = { category: 'linear', symbol: id, period: periods[interval], limit: '500' };
    const rows = listIn(await transport.getJson(pathWith('/v5/market/account-ratio', query)));
    // Shares of the accounts, which sum to 1.
    return rows.map((row) => ({ value: Number(row['buyRatio']) / Number(row['sellRatio']), atMs: row['timestamp'] }));
  },
};
