import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { strategyVersion } from '@sextant/workers/src/protocol/wire/strategy.ts';
import { sql } from 'kysely';
import type { UserTx } from '../../platform/db/scope.ts';
import { VERSIONS_MAX } from './contract.ts';

export interface StoredStrategy {
  id: string;
  name: string;
  version: string;
  value: Strategy;
  is_used: boolean;
  created_at: Date;
  updated_at: Date;
}

export async function readStrategies(tx: UserTx): Promise<StoredStrategy[]> {
  const rows = await tx
    .selectFrom('strategies')
    .select(['id', 'name', 'version', 'value', 'is_used', 'created_at', 'updated_at'])
    .orderBy('name')
    .execute();
  return rows.map((row) => ({ ...row, value: row.value as Strategy }));
}

/** Serialises the changes of one user, so that the limit and unique names hold. */
export async function lockStrategies(tx: UserTx, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`strategies ${userId}`}, 0))`.execute(tx);
}

export async function insertStrategy(tx: UserTx, userId: string, name: string, value: Strategy): Promise<void> {
  await tx
    .insertInto('strategies')
    .values({ user_id: userId, name, version: strategyVersion(value), value: JSON.stringify(value) })
    .execute();
}

export interface EarlierVersion {
  version: string;
  value: Strategy;
  replaced_at: Date;
}

/** Newest first. */
export async function readEarlierVersions(tx: UserTx, id: string): Promise<EarlierVersion[]> {
  const rows = await tx
    .selectFrom('strategy_history')
    .select(['version', 'value', 'replaced_at'])
    .where('strategy_id', '=', id)
    .orderBy('replaced_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map((row) => ({ ...row, value: row.value as Strategy }));
}

/** Stores the value that is about to be replaced, and drops the oldest beyond the limit. */
export async function storeEarlierVersion(
  tx: UserTx,
  userId: string,
  { id, version, value }: Pick<StoredStrategy, 'id' | 'version' | 'value'>,
): Promise<void> {
  await tx
    .insertInto('strategy_history')
    .values({ strategy_id: id, user_id: userId, version, value: JSON.stringify(value) })
    .execute();
  const newest = sql`select id from strategy_history where strategy_id = ${id} order by replaced_at desc, id desc`;
  await sql`delete from strategy_history where id in (${newest} offset ${VERSIONS_MAX})`.execute(tx);
}

export async function updateStrategy(
  tx: UserTx,
  id: string,
  { name, value }: { name?: string | undefined; value?: Strategy | undefined },
): Promise<void> {
  await tx
    .updateTable('strategies')
    .set({
      ...withoutUndefined({ name }),
      ...(value === undefined ? {} : { value: JSON.stringify(value), version: strategyVersion(value) }),
      updated_at: sql`now()`,
    })
    .where('id', '=', id)
    .execute();
}

export async function deleteStrategy(tx: UserTx, id: string): Promise<void> {
  await tx.deleteFrom('strategies').where('id', '=', id).execute();
}

/** @param id null: the built-in rules */
export async function useStrategy(tx: UserTx, id: string | null): Promise<void> {
  await tx.updateTable('strategies').set({ is_used: false }).where('is_used', '=', true).execute();
  if (id !== null) await tx.updateTable('strategies').set({ is_used: true }).where('id', '=', id).execute();
}
