import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { SystemTx, UserTx } from '../../platform/db/scope.ts';

/** Deletes all but the newest `count` rows selected by `which`, so that a script cannot fill the disk. */
export async function keepNewest(
  tx: UserTx | SystemTx,
  table: 'backtests' | 'backtest_searches',
  count: number,
  which: RawBuilder<SqlBool>,
): Promise<void> {
  const newest = sql`select id from ${sql.table(table)} where ${which} order by created_at desc, id`;
  await sql`delete from ${sql.table(table)} where id in (${newest} offset ${count})`.execute(tx);
}
