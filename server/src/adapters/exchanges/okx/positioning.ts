import type { PositioningInterval } from '../../../features/market/port.ts';
import type { PositioningDialect, PositioningRequest, RawPoint } from '../positioning.ts';
import { asList, objectsIn, pathWith } from '../restDialect.ts';
import { readField } from '../rules.ts';

/** Days in UTC: without the suffix they are those of Hong Kong. */
const periods: Record<PositioningInterval, string> = {
  '5m': '5m',
  '15m': '15m',
  '1h': '1H',
  '4h': '4H',
  '1d': '1Dutc',
};

const query = ({ id, interval }: PositioningRequest) => ({ instId: id, period: periods[interval], limit: '100' });

/** Rows start with their time and a value: contracts, or a ratio. */
const points = (body: unknown): RawPoint[] =>
  asList(readField(body, 'data')).map((row) => {
    const [atMs, value] = asList(row);
    return { value, atMs };
  });

export const okxPositioning: PositioningDialect = {
  async openInterest(transport, id) {
    const body = await transport.getJson(pathWith('/api/v5/public/open-interest', { instType: 'SWAP', instId: id }));
    const row = objectsIn(readField(body, 'data')).find(({ instId }) => instId === id);
    return row && { value: row['oi'], atMs: row['ts'] };
  },
  async openInterestSeries(transport, request) {
    return points(
      await transport.getJson(pathWith('/api/v5/rubik/stat/contracts/open-interest-history', query(request))),
    );
  },
  async longShortSeries(transport, request) {
    return points(
      await transport.getJson(
        pathWith('/api/v5/rubik/stat/contracts/long-short-account-ratio-contract', query(request)),
      ),
    );
  },
};
