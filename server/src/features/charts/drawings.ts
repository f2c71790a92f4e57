import { DRAWINGS_MAX, DRAWINGS_OF_ACCOUNT_MAX, DRAWN_SYMBOLS_MAX } from '@sextant/workers/src/core/chartDrawings.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import { type Db, type UserTx, withUser } from '../../platform/db/scope.ts';
import { type Outcome, reject } from '../../platform/errors.ts';
import { notifyUser } from '../../platform/events/notify.ts';
import type { Drawing, DrawingsChangeResponse, DrawingsRequest, DrawingsResponse } from './contract.ts';

/** A drawing with the version of the row that changed it last. */
interface StoredDrawing extends Drawing {
  version: number;
}

interface StoredRow {
  version: number;
  drawings: StoredDrawing[];
}

async function readRow(tx: UserTx, symbol: string): Promise<StoredRow> {
  const row = await tx
    .selectFrom('chart_drawings')
    .select(['version', 'drawings'])
    .where('symbol', '=', symbol)
    .executeTakeFirst();
  return row === undefined
    ? { version: 0, drawings: [] }
    : { version: row.version, drawings: row.drawings as StoredDrawing[] };
}

const shown = (drawings: readonly StoredDrawing[]): Drawing[] => drawings.map(({ version: _version, ...rest }) => rest);

/** The drawings on a symbol, the oldest first. */
export async function readDrawings(tx: UserTx, symbol: string): Promise<z.output<typeof DrawingsResponse>> {
  const { version, drawings } = await readRow(tx, symbol);
  return { symbol, version, drawings: shown(drawings) };
}

type Change = z.output<typeof DrawingsRequest>;

/** The row after a change: written drawings keep their position in the order, new ones come last. */
function changed({ version, drawings }: StoredRow, { put, remove }: Change): StoredRow {
  const next = version + 1;
  const written = new Map(put.map((drawing) => [drawing.id, { ...drawing, version: next }]));
  const removed = new Set(remove);
  const before = drawings.filter(({ id }) => !removed.has(id));
  const known = new Set(before.map(({ id }) => id));
  const added = [...written.values()].filter(({ id }) => !known.has(id));
  return { version: next, drawings: [...before.map((drawing) => written.get(drawing.id) ?? drawing), ...added] };
}

/** Stores a change. The last write wins per drawing; the response names those that another page had changed meanwhile. */
export function changeDrawings(
  db: Db,
  userId: string,
  symbol: string,
  change: Change,
): Promise<Outcome<z.output<typeof DrawingsChangeResponse>>> {
  return withUser(db, userId, async (tx) => {
    // Locked: concurrent changes would otherwise read the same version.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`chart_drawings ${userId}`}, 0))`.execute(tx);
    const before = await readRow(tx, symbol);
    const { version, drawings } = changed(before, change);
    if (drawings.length > DRAWINGS_MAX)
      return reject('conflict', `Limit reached (${DRAWINGS_MAX} drawings). Delete some first.`, { field: 'put' });
    const stored = await countStored(tx);
    const addedCount = drawings.length - before.drawings.length;
    if (addedCount > 0 && stored.drawingCount + addedCount > DRAWINGS_OF_ACCOUNT_MAX)
      return reject(
        'conflict',
        `Limit reached (${DRAWINGS_OF_ACCOUNT_MAX} drawings on all symbols). Delete some first.`,
        { field: 'put' },
      );
    if (before.version === 0 && stored.symbolCount >= DRAWN_SYMBOLS_MAX)
      return reject('conflict', `Limit reached (${DRAWN_SYMBOLS_MAX} symbols). Delete the drawings of one first.`, {
        field: 'symbol',
      });
    await writeRow(tx, userId, symbol, { version, drawings });
    await notifyUser(tx, userId, 'charts', { symbol, version });
    const sent = new Set([...change.put.map(({ id }) => id), ...change.remove]);
    return ok({
      symbol,
      version,
      drawings: before.version === change.version ? null : shown(drawings),
      overwritten: before.drawings
        .filter((each) => sent.has(each.id) && each.version > change.version)
        .map(({ id }) => id),
    });
  });
}

/** What the account has stored. Symbols count without drawings too: an emptied row stays, because its version must not fall. */
async function countStored(tx: UserTx): Promise<{ symbolCount: number; drawingCount: number }> {
  return tx
    .selectFrom('chart_drawings')
    .select([
      sql<number>`count(*)::int`.as('symbolCount'),
      sql<number>`coalesce(sum(jsonb_array_length(drawings)), 0)::int`.as('drawingCount'),
    ])
    .executeTakeFirstOrThrow();
}

async function writeRow(tx: UserTx, userId: string, symbol: string, { version, drawings }: StoredRow): Promise<void> {
  const columns = { version, drawings: JSON.stringify(drawings) };
  await tx
    .insertInto('chart_drawings')
    .values({ user_id: userId, symbol, ...columns })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'symbol']).doUpdateSet({ ...columns, updated_at: sql`now()` }),
    )
    .execute();
}
