import { JOURNAL_PICTURES_BYTES_MAX } from '@sextant/workers/src/core/journal.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { sql } from 'kysely';
import type { UserTx } from '../../platform/db/scope.ts';
import { type Outcome, reject } from '../../platform/errors.ts';
import { notifyUser } from '../../platform/events/notify.ts';
import { readPosition } from '../positions/readPositions.ts';
import type { JournalChange, JournalEntryWire } from './contract.ts';

/** What the user wrote about a position; undefined: they have no such position. */
export async function readEntry(tx: UserTx, positionId: string): Promise<JournalEntryWire | undefined> {
  if ((await readPosition(tx, positionId)) === undefined) return undefined;
  const entry = await tx
    .selectFrom('journal_entries')
    .select(['note', 'tags', 'revision', 'updated_at'])
    .where('position_id', '=', positionId)
    .executeTakeFirst();
  const picture = await tx
    .selectFrom('journal_pictures')
    .select(['width', 'height', 'created_at'])
    .where('position_id', '=', positionId)
    .executeTakeFirst();
  return {
    position_id: positionId,
    note: entry?.note ?? '',
    tags: entry?.tags ?? [],
    revision: entry?.revision ?? 0,
    updated_at: entry?.updated_at.toISOString() ?? null,
    picture: picture === undefined ? null : { ...picture, created_at: picture.created_at.toISOString() },
  };
}

const missing = () => reject('not_found', 'There is no such position.');

async function afterChange(tx: UserTx, userId: string, positionId: string): Promise<Outcome<JournalEntryWire>> {
  await notifyUser(tx, userId, 'positions', { change: 'journal', position_id: positionId });
  const entry = await readEntry(tx, positionId);
  return entry === undefined ? missing() : ok(entry);
}

/** Stores note and tags. Another revision than the stored one is a conflict. */
export async function writeEntry(
  tx: UserTx,
  userId: string,
  positionId: string,
  { note, tags, revision }: JournalChange,
): Promise<Outcome<JournalEntryWire>> {
  // Serialises the changes of one user: two first ones would both find nothing stored.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`journal ${userId}`}, 0))`.execute(tx);
  const before = await readEntry(tx, positionId);
  if (before === undefined) return missing();
  if (before.revision !== revision)
    return reject('conflict', 'The entry was changed elsewhere. Load it again and save.', { field: 'revision' });
  const columns = { note, tags, revision: revision + 1 };
  await tx
    .insertInto('journal_entries')
    .values({ position_id: positionId, user_id: userId, ...columns })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'position_id']).doUpdateSet({ ...columns, updated_at: sql`now()` }),
    )
    .execute();
  return afterChange(tx, userId, positionId);
}

interface Picture {
  bytes: Buffer;
  width: number;
  height: number;
}

/** Stores the picture of a position in place of an earlier one, within the quota of the account. */
export async function writePicture(
  tx: UserTx,
  userId: string,
  positionId: string,
  { bytes, width, height }: Picture,
): Promise<Outcome<JournalEntryWire>> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`journal ${userId}`}, 0))`.execute(tx);
  if ((await readPosition(tx, positionId)) === undefined) return missing();
  const { others } = await tx
    .selectFrom('journal_pictures')
    .select(sql<number>`coalesce(sum(octet_length(picture)), 0)::float8`.as('others'))
    .where('position_id', '<>', positionId)
    .executeTakeFirstOrThrow();
  if (others + bytes.length > JOURNAL_PICTURES_BYTES_MAX)
    return reject(
      'quota_exceeded',
      `Your journal holds ${JOURNAL_PICTURES_BYTES_MAX / 2 ** 20} MiB. Remove a picture.`,
    );
  const columns = { picture: bytes, width, height };
  await tx
    .insertInto('journal_pictures')
    .values({ position_id: positionId, user_id: userId, ...columns })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'position_id']).doUpdateSet({ ...columns, created_at: sql`now()` }),
    )
    .execute();
  return afterChange(tx, userId, positionId);
}

export async function deletePicture(
  tx: UserTx,
  userId: string,
  positionId: string,
): Promise<Outcome<JournalEntryWire>> {
  await tx.deleteFrom('journal_pictures').where('position_id', '=', positionId).execute();
  return afterChange(tx, userId, positionId);
}

/** WebP; null: none is stored. */
export async function readJournalPicture(tx: UserTx, positionId: string): Promise<Buffer | null> {
  const row = await tx
    .selectFrom('journal_pictures')
    .select('picture')
    .where('position_id', '=', positionId)
    .executeTakeFirst();
  return row?.picture ?? null;
}

/** Tags by position, of all entries that have some. */
export async function readTags(tx: UserTx): Promise<Map<string, string[]>> {
  const rows = await tx
    .selectFrom('journal_entries')
    .select(['position_id', 'tags'])
    .where(sql<boolean>`cardinality(tags) > 0`)
    .execute();
  return new Map(rows.map(({ position_id: id, tags }) => [id, tags]));
}
