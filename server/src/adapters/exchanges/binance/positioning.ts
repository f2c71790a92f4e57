import type { PositioningDialect, PositioningRequest } from '../positioning.ts';
import { objectsIn, pathWith } from '../restDialect.ts';
import { readField } from '../rules.ts';

/** Most points of a response. */
const POINTS = '500';

const query = ({ id, interval }: PositioningRequest) => ({ symbol: id, period: interval, limit: POINTS });

export const binancePositioning: PositioningDialect = {
  async openInterest(transport, id) {
    const body = await transport.getJson(pathWith('/fapi/v1/openInterest', { symbol: id }));
    if (readField(body, 'symbol') !== id) return undefined;
    return { value: readField(body, 'openInterest'), atMs: readField(body, 'time') };
  },
  async openInterestSeries(transport, request) {
    const rows = objectsIn(await transport.getJson(pathWith('/futures/data/openInterestHist', query(request))));
    return rows.map((row) => ({ value: row['sumOpenInterest'], atMs: row['timestamp'] }));
  },
  async longShortSeries(transport, request) {
    const rows = objectsIn(
      await transport.getJson(pathWith('/futures/data/globalLongShortAccountRatio', query(request))),
    );
    return rows.map((row) => ({ value: row['longShortRatio'], atMs: row['timestamp'] }));
  },
};
