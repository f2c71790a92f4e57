import type { PositionsTable } from '@sextant/db/src/schema.gen.ts';
import type { Selectable } from 'kysely';
import type { MarketMode } from '../../config.ts';
import type { SystemTx, UserTx } from '../../platform/db/scope.ts';

/** The newest closes of a user on one market, oldest first. Works in the user's and in the service role. */
export async function readCloses(
  tx: UserTx | SystemTx,
  { userId, market, limit }: { userId: string; market: MarketMode; limit: number },
): Promise<Pick<Selectable<PositionsTable>, 'closed_at' | 'close_reason' | 'net_pnl'>[]> {
  const newestFirst = await tx
    .selectFrom('positions')
    .select(['closed_at', 'close_reason', 'net_pnl'])
    .where('user_id', '=', userId)
    .where('market', '=', market)
    .where('closed_at', 'is not', null)
    .orderBy('closed_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
  return newestFirst.reverse();
}
