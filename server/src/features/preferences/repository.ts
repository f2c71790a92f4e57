import { sql } from 'kysely';
import type { SystemTx, UserTx } from '../../platform/db/scope.ts';
import { type Preferences, PreferencesResponse, type PreferencesChange } from './contract.ts';

/** The user's preferences. Parsed, because the type of a text column does not include its checks. */
function toPreferences(row: { updated_at: Date }): Preferences {
  return PreferencesResponse.parse({ ...row, updated_at: row.updated_at.toISOString() });
}

export async function readPreferences(tx: UserTx): Promise<Preferences> {
  return toPreferences(await tx.selectFrom('preferences').selectAll().executeTakeFirstOrThrow());
}

export async function readPreferencesOf(tx: SystemTx, userId: string): Promise<Preferences> {
  const query = tx.selectFrom('preferences').selectAll().where('user_id', '=', userId);
  return toPreferences(await query.executeTakeFirstOrThrow());
}

/**
 * Value of `updated_at` for a change. Pages compare it to find out whether they already have the change, so it differs from the previous
 * one by at least a millisecond, the precision of the response.
 */
const nextVersion = sql<Date>`greatest(clock_timestamp(), preferences.updated_at + interval '1 millisecond')`;

/** Writes the changes and returns the whole row. Columns that were never set have the defaults of the table. */
export async function savePreferences(tx: UserTx, userId: string, change: PreferencesChange): Promise<Preferences> {
  const { interval_opts: intervals, ...rest } = change;
  const columns = {
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
    ...(intervals === undefined ? {} : { interval_opts: JSON.stringify(intervals) }),
  };
  const row = await tx
    .insertInto('preferences')
    .values({ user_id: userId, ...columns })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ ...columns, updated_at: nextVersion }))
    .returningAll()
    .executeTakeFirstOrThrow();
  return toPreferences(row);
}
