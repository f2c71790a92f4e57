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
 * position, entry fees and funding included. They sum to the net results. Works in the user's and in the service role. Reads at most
 * `limit` positions that closed and `limit` parts, however many there are.
 */
export async function readRealised(
  tx: UserTx | SystemTx,
  { userId, market, limit }: { userId: string; market: MarketMode; limit: number },
): Promise<GuardedClose[]> {
  const { rows } = await sql<Row>`
    with parts as (
      select f.at, f.reason, f.pnl - f.fee as net, f.position_id, f.seq
      from position_fills f join positions p on p.id = f.position_id
      where f.user_id = ${userId} and f.kind = 'partial_close' and p.market = ${market}
      order by f.at desc, f.position_id, f.seq desc
      limit ${limit}
    ), closed as (
      select id, closed_at, close_reason, net_pnl
      from positions
      where user_id = ${userId} and market = ${market} and closed_at is not null
      order by closed_at desc, net_pnl, id
      limit ${limit}
    )
    select at, reason, net::float8 as net, null::float8 as position_net, position_id as id, seq from parts
    union all
    select c.closed_at, c.close_reason, (c.net_pnl - coalesce(own.net, 0))::float8, c.net_pnl::float8, c.id, null
    from closed c left join lateral (
      select sum(f.pnl - f.fee) as net from position_fills f where f.position_id = c.id and f.kind = 'partial_close'
    ) own on true
    order by 1 desc, position_net nulls last, id, seq desc
    limit ${limit}`.execute(tx);
  return rows.reverse().map(({ at, reason, net, position_net: positionNet }) => ({
    closedAtMs: at.getTime(),
    reason,
    net,
    positionNet,
  }));
}
