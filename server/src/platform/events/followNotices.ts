import type pg from 'pg';
import { busOf } from '../bus/publishIn.ts';
import type { Db } from '../db/scope.ts';
import { eventChannel, eventPattern, parseNotice } from './notify.ts';
import type { EventNotice } from './topics.ts';

/**
 * Calls back for the notices of all users: those of the connection, which renews a lease and whose loss ends the leadership, and those
 * of the bus that carries notices instead of NOTIFY. `resync` means that some may have been lost. @returns stops the bus
 */
export async function followNotices(
  db: Db,
  client: pg.Client,
  handle: (notice: EventNotice) => void,
): Promise<() => void> {
  const take = (body: string | undefined): void => {
    const notice = body === undefined ? undefined : parseNotice(body);
    if (notice !== undefined) handle(notice);
  };
  client.on('notification', ({ payload }) => take(payload));
  await client.query(`listen ${client.escapeIdentifier(eventChannel)}`);
  const stop = busOf(db)?.subscribe(eventPattern, {
    onMessage: ({ body }) => take(body),
    onGap: () => handle({ userId: null, topic: 'resync', data: {} }),
  });
  return () => stop?.();
}
