import { skipMessage, type SkipNumbers } from '@sextant/workers/src/signals/skipReasons.ts';
import type { z } from 'zod';
import type { MarketMode } from '../../config.ts';
import type { SystemTx, UserTx } from '../../platform/db/scope.ts';
import type { PositionEvent, SkipsResponse } from './contract.ts';
import type { PositionRow } from './positionRow.ts';

type EventWire = z.input<typeof PositionEvent>;

/** Open ones, newest first. */
export const readOpen = (tx: UserTx, limit: number): Promise<PositionRow[]> =>
  tx
    .selectFrom('positions')
    .selectAll()
    .where('closed_at', 'is', null)
    .orderBy('opened_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();

/** All open positions of a user on one market. Works in the user's and in the service role. */
export const readOpenOn = (tx: UserTx | SystemTx, userId: string, market: MarketMode): Promise<PositionRow[]> =>
  tx
    .selectFrom('positions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('market', '=', market)
    .where('closed_at', 'is', null)
    .execute();

/** Those closed since a time, newest close first. */
export const readClosed = (tx: UserTx, since: Date, limit: number): Promise<PositionRow[]> =>
  tx
    .selectFrom('positions')
    .selectAll()
    .where('closed_at', '>=', since)
    .orderBy('closed_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();

export const readPosition = (tx: UserTx, id: string): Promise<PositionRow | undefined> =>
  tx.selectFrom('positions').selectAll().where('id', '=', id).executeTakeFirst();

export async function readEvents(tx: UserTx, positionId: string): Promise<EventWire[]> {
  const rows = await tx
    .selectFrom('position_events')
    .select(['id', 'kind', 'at', 'data'])
    .where('position_id', '=', positionId)
    .orderBy('seq')
    .execute();
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }) as EventWire);
}

type Skips = z.input<typeof SkipsResponse>['skips'];
type SkipData = Omit<Skips[number], 'id' | 'at' | 'message'> & Partial<SkipNumbers>;

/** Skipped openings, newest first. */
export async function readSkips(tx: UserTx, since: Date | undefined, limit: number): Promise<Skips> {
  const rows = await tx
    .selectFrom('position_events')
    .select(['id', 'at', 'data'])
    .where('kind', '=', 'skipped')
    .$if(since !== undefined, (query) => query.where('at', '>=', since ?? new Date(0)))
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ id, at, data }) => {
    const { value, limit: bound, ...skip } = data as SkipData;
    const numbers = value === undefined || bound === undefined ? null : { value, limit: bound };
    return { id, at: at.toISOString(), ...skip, message: skipMessage(skip.reason, skip.detail, numbers) };
  });
}
