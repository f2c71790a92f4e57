import { LAYOUTS_MAX } from '@sextant/workers/src/core/chartDrawings.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import { type Db, type UserTx, withUser } from '../../platform/db/scope.ts';
import { type Outcome, reject } from '../../platform/errors.ts';
import type { LayoutChangeRequest, LayoutRequest, LayoutsResponse } from './contract.ts';

type Layouts = z.output<typeof LayoutsResponse>;

export async function readLayouts(tx: UserTx): Promise<Layouts> {
  const rows = await tx.selectFrom('chart_layouts').select(['id', 'name', 'value']).orderBy('name').execute();
  return { layouts: rows.map((row) => ({ ...row, value: row.value as Layouts['layouts'][number]['value'] })) };
}

/** Serialises the changes of one user, so that the limit and unique names hold. */
const lock = (tx: UserTx, userId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`chart_layouts ${userId}`}, 0))`.execute(tx);

const taken = (name: string) => reject('conflict', `A layout named ${name} already exists.`, { field: 'name' });
const missing = () => reject('not_found', 'Layout not found.');

/** Saves a layout under a new name. */
export function saveLayout(
  db: Db,
  userId: string,
  { name, value }: z.output<typeof LayoutRequest>,
): Promise<Outcome<Layouts>> {
  return withUser(db, userId, async (tx) => {
    await lock(tx, userId);
    const { layouts } = await readLayouts(tx);
    if (layouts.some((each) => each.name === name)) return taken(name);
    if (layouts.length >= LAYOUTS_MAX)
      return reject('conflict', `Limit reached (${LAYOUTS_MAX} layouts). Delete one first.`);
    await tx
      .insertInto('chart_layouts')
      .values({ user_id: userId, name, value: JSON.stringify(value) })
      .execute();
    return ok(await readLayouts(tx));
  });
}

/** Renames a layout or replaces what it holds. */
export function changeLayout(
  db: Db,
  userId: string,
  id: string,
  { name, value }: z.output<typeof LayoutChangeRequest>,
): Promise<Outcome<Layouts>> {
  return withUser(db, userId, async (tx) => {
    await lock(tx, userId);
    const { layouts } = await readLayouts(tx);
    const before = layouts.find((each) => each.id === id);
    if (before === undefined) return missing();
    if (name !== undefined && layouts.some((each) => each.name === name && each.id !== id)) return taken(name);
    await tx
      .updateTable('chart_layouts')
      .set({ name: name ?? before.name, value: JSON.stringify(value ?? before.value), updated_at: sql`now()` })
      .where('id', '=', id)
      .execute();
    return ok(await readLayouts(tx));
  });
}

export function deleteLayout(db: Db, userId: string, id: string): Promise<Outcome<Layouts>> {
  return withUser(db, userId, async (tx) => {
    const { numDeletedRows } = await tx.deleteFrom('chart_layouts').where('id', '=', id).executeTakeFirst();
    return numDeletedRows === 0n ? missing() : ok(await readLayouts(tx));
  });
}
