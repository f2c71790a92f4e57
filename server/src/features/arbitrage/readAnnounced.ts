import type { MarketMode } from '../../config.ts';
import type { SystemTx } from '../../platform/db/scope.ts';
import type { ExchangeId } from '../market/port.ts';

/** Settlements of a series between two moments, both included. */
interface AnnouncedSpan {
  market: MarketMode;
  exchange: ExchangeId;
  symbol: string;
  fromMs: number;
  toMs: number;
}

/** Rates that an exchange announced half an hour before its settlements: fractions that longs pay. Older ones are deleted after 30 days. */
export async function readAnnounced(
  tx: SystemTx,
  { market, exchange, symbol, fromMs, toMs }: AnnouncedSpan,
): Promise<{ atMs: number; rate: number }[]> {
  const rows = await tx
    .selectFrom('arbitrage_announced')
    .select(['settles_at', 'rate'])
    .where('market', '=', market)
    .where('exchange', '=', exchange)
    .where('symbol', '=', symbol)
    .where('settles_at', '>=', new Date(fromMs))
    .where('settles_at', '<=', new Date(toMs))
    .orderBy('settles_at')
    .execute();
  return rows.map(({ settles_at: at, rate }) => ({ atMs: at.getTime(), rate }));
}
