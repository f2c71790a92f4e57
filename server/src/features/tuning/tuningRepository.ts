import { sql } from 'kysely';
import type { SystemTx, UserTx } from '../../platform/db/scope.ts';
import { tuningIds } from '../signals/rules.ts';
import { neutralTuning, type TuningWeights } from '@sextant/workers/src/signals/signalRules.ts';

export interface StoredTuning {
  weights: TuningWeights;
  /** Null before the first save. */
  updatedAt: Date | null;
}

export interface TuningVersion {
  id: string;
  name: string;
  weights: TuningWeights;
  created_at: Date;
}

/** Versions stored per user. */
export const VERSIONS_MAX = 50;

/** The tuning of `userId`; also for the service, which acts for users who are away. */
export async function readTuning(tx: UserTx | SystemTx, userId: string): Promise<StoredTuning> {
  const row = await tx.selectFrom('signal_tuning').selectAll().where('user_id', '=', userId).executeTakeFirst();
  if (row === undefined) return { weights: neutralTuning, updatedAt: null };
  const stored = row.weights as Partial<TuningWeights>;
  const weights = Object.fromEntries(tuningIds.map((id) => [id, stored[id] ?? neutralTuning[id]])) as TuningWeights;
  return { weights, updatedAt: row.updated_at };
}

/** Saves the weights that are given; the others stay. */
export async function saveTuning(
  tx: UserTx,
  userId: string,
  weights: { [Id in keyof TuningWeights]?: number | undefined },
): Promise<void> {
  await tx
    .insertInto('signal_tuning')
    .values({ user_id: userId, weights: JSON.stringify(weights, [...tuningIds]) })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ weights: sql`signal_tuning.weights || excluded.weights`, updated_at: sql`now()` }),
    )
    .execute();
}

export async function readVersions(tx: UserTx): Promise<TuningVersion[]> {
  const rows = await tx
    .selectFrom('tuning_versions')
    .select(['id', 'name', 'weights', 'created_at'])
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(VERSIONS_MAX)
    .execute();
  return rows.map((row) => ({ ...row, weights: row.weights as TuningWeights }));
}

/** Stores the weights under a name, replacing an earlier version of that name. False when there are too many. */
export async function keepVersion(tx: UserTx, userId: string, name: string, weights: TuningWeights): Promise<boolean> {
  await tx.deleteFrom('tuning_versions').where('name', '=', name).execute();
  const { count } = await tx
    .selectFrom('tuning_versions')
    .select((rows) => rows.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count >= VERSIONS_MAX) return false;
  await tx
    .insertInto('tuning_versions')
    .values({ user_id: userId, name, weights: JSON.stringify(weights) })
    .execute();
  return true;
}

export async function deleteVersion(tx: UserTx, id: string): Promise<boolean> {
  const gone = await tx.deleteFrom('tuning_versions').where('id', '=', id).executeTakeFirst();
  return gone.numDeletedRows === 1n;
}
