import { sql } from 'kysely';
import type { MarketMode } from '../../config.ts';
import type { SystemTx } from '../../platform/db/scope.ts';

/** Open positions whose series has had no price for a minute. The watching node stores the last prices four times a minute. */
export async function countUnpriced(tx: SystemTx, market: MarketMode): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from positions p
      where p.closed_at is null and p.market = ${market} and p.opened_at < now() - interval '1 minute'
        and not exists (
          select from position_marks m where (m.market, m.exchange, m.symbol) = (p.market, p.exchange, p.symbol)
            and m.at > now() - interval '1 minute')`.execute(tx);
  return rows[0]?.count ?? 0;
}
