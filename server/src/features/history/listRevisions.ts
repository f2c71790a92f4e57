import { indexFrom } from '@sextant/workers/src/candles/candleColumns.ts';
import { sql } from 'kysely';
import type { SystemTx } from '../../platform/db/scope.ts';
import { candleAt } from '../market/columns.ts';
import type { ExchangeId, Interval, PriceKind } from '../market/port.ts';
import { readChunks, type StoredSeries } from './chunkRepository.ts';
import { LISTED_MAX, type RevisionWire } from './contract.ts';
import type { BarRange } from './ranges.ts';

interface Key {
  source: string;
  exchange: ExchangeId;
  symbol: string;
}

const MS_MAX = Date.UTC(9999, 0);
const iso = (timeMs: number): string => new Date(timeMs).toISOString();

interface RevisionRow {
  interval: Interval;
  price: PriceKind;
  opens_at: Date;
  noticed_at: Date;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

/** The newest revisions of a symbol, or of a span of one series, with the first version of each bar. */
export async function listRevisions(
  tx: SystemTx,
  key: Key,
  within?: Pick<StoredSeries, 'interval' | 'price'> & BarRange,
): Promise<RevisionWire[]> {
  const { interval: only = null, price: ofPrice = null, fromMs = 0, toMs = MS_MAX } = within ?? {};
  const { rows } = await sql<RevisionRow>`
    select interval, price, opens_at, noticed_at, open, high, low, close, volume from history_revisions
    where source = ${key.source} and exchange = ${key.exchange} and symbol = ${key.symbol}
      and (${only}::text is null or interval = ${only}) and (${ofPrice}::text is null or price = ${ofPrice})
      and opens_at between ${new Date(fromMs)} and ${new Date(toMs)}
    order by noticed_at desc, opens_at desc limit ${LISTED_MAX}`.execute(tx);
  const listed = [];
  for (const { interval, price, opens_at, noticed_at, ...revised } of rows) {
    const atMs = opens_at.getTime();
    const { chunks } = await readChunks(tx, { ...key, interval, price }, { fromMs: atMs, toMs: atMs });
    const candles = chunks[0]?.candles;
    const index = candles === undefined ? -1 : indexFrom(candles.time, atMs);
    const first = candles?.time[index] === atMs ? candleAt(candles, index) : null;
    const version = first && {
      open: first.open,
      high: first.high,
      low: first.low,
      close: first.close,
      volume: first.volume,
    };
    listed.push({ interval, price, at: iso(atMs), noticed_at: noticed_at.toISOString(), first: version, revised });
  }
  return listed;
}
