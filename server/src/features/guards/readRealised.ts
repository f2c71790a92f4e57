import { sql } from 'kysely';
import type { MarketMode } from '../../config.ts';
import type { SystemTx, UserTx } from '../../platform/db/scope.ts';
import type { GuardedClose } from './guards.ts';

interface Row {
  at: Date;
  reason: string;
  net: number;
  position_net: number | null;
}

/**
 * The newest results of a user on one market, oldest first: each partial close when it happened, and each final close with the rest of its
 * position, entry fees and funding included. They sum to the net results. Works in the user's and in the service role.
 */
export async function readRealised(
  tx: UserTx | SystemTx,
  { userId, market, limit }: { userId: string; market: MarketMode; limit: number },
): Promise<GuardedClose[]> {
  const { rows } = await sql<Row>`
    with parts as (
      select f.position_id, f.at, f.reason, f.pnl - f.fee as net
      from position_fills f join positions p on p.id = f.position_id
      where f.user_id = ${userId} and f.kind = 'partial_close' and p.market = ${market}
    )
    select at, reason, net::float8 as net, null::float8 as position_net, position_id as id from parts
    union all
    select p.closed_at, p.close_reason, (p.net_pnl - coalesce(sum(parts.net), 0))::float8, p.net_pnl::float8, p.id
    from positions p left join parts on parts.position_id = p.id
    where p.user_id = ${userId} and p.market = ${market} and p.closed_at is not null
    group by p.id
    order by 1 desc, position_net nulls last, id
    limit ${limit}`.execute(tx);
  return rows.reverse().map(({ at, reason, net, position_net: positionNet }) => ({
    closedAtMs: at.getTime(),
    reason,
    net,
    positionNet,
  }));
}
