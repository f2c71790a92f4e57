import { DAY_MS, MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { sql } from 'kysely';
import type { MarketMode } from '../../../config.ts';
import { type Db, type SystemTx, withSystem } from '../../../platform/db/scope.ts';
import type { ExchangeId, Market } from '../../market/port.ts';
import { EXCHANGES } from '../sameContract.ts';
import { ANNOUNCED_LEAD_MS } from '../fundingForecast.ts';
import { type CoinQuotes, readUniverse } from './universe.ts';

/** Rates are noted from this long before the latest moment that counts. */
const WINDOW_MS = 15 * MINUTE_MS;
const RETENTION_DAYS = 30;
const RATE_MAX = 1;

/** The rate that an exchange announces for a coming settlement. */
export interface Announced {
  symbol: string;
  exchange: ExchangeId;
  settlesAtMs: number;
  rate: number;
}

/** Announced rates whose settlement is half an hour away, or up to a quarter of an hour more. */
export function announcedOf(quotes: CoinQuotes, nowMs: number): Announced[] {
  return [...quotes].flatMap(([coin, result]) =>
    EXCHANGES.flatMap((exchange): Announced[] => {
      const { fundingRate: rate = null, nextFundingAtMs: settlesAtMs = null } = result[exchange] ?? {};
      if (rate === null || settlesAtMs === null || Math.abs(rate) > RATE_MAX) return [];
      const leadMs = settlesAtMs - nowMs;
      const isDue = leadMs >= ANNOUNCED_LEAD_MS && leadMs <= ANNOUNCED_LEAD_MS + WINDOW_MS;
      return isDue ? [{ symbol: `${coin}USDT`, exchange, settlesAtMs, rate }] : [];
    }),
  );
}

/** Stores announced rates; the one that was seen last stays. */
export async function storeAnnounced(
  tx: SystemTx,
  market: MarketMode,
  rows: readonly Announced[],
  seenAtMs: number,
): Promise<void> {
  if (rows.length === 0) return;
  const values = rows.map(({ symbol, exchange, settlesAtMs, rate }) => ({
    symbol,
    exchange,
    settles_at: new Date(settlesAtMs).toISOString(),
    rate,
  }));
  await sql`
    insert into arbitrage_announced (market, symbol, exchange, settles_at, rate, seen_at)
    select ${market}, symbol, exchange, settles_at, rate, ${new Date(seenAtMs)}
    from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as g (symbol text, exchange text, settles_at timestamptz, rate float8)
    on conflict (market, symbol, exchange, settles_at) do update set rate = excluded.rate, seen_at = excluded.seen_at
      where excluded.seen_at > arbitrage_announced.seen_at`.execute(tx);
}

export const deleteOldAnnounced = async (tx: SystemTx, nowMs: number): Promise<void> => {
  await sql`delete from arbitrage_announced where settles_at < ${new Date(nowMs - RETENTION_DAYS * DAY_MS)}`.execute(
    tx,
  );
};

interface AnnouncedDeps {
  db: Db;
  config: { market: MarketMode };
  market: Pick<Market, 'symbols' | 'readTop'>;
  /** First statement of each write. */
  assertLeader: (tx: SystemTx) => Promise<void>;
}

/** One round: notes what the exchanges announce. @returns how many rates were stored */
export async function noteAnnounced(
  { db, config, market, assertLeader }: AnnouncedDeps,
  nowMs: number,
): Promise<number> {
  const rows = announcedOf(await readUniverse(market), nowMs);
  if (rows.length === 0) return 0;
  await withSystem(db, async (tx) => {
    await assertLeader(tx);
    await storeAnnounced(tx, config.market, rows, nowMs);
  });
  return rows.length;
}
