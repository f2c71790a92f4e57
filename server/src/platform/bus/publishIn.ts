import { sql } from 'kysely';
import { afterCommit, type Db, dbOf, type SystemTx, type UserTx } from '../db/scope.ts';
import type { Bus, BusMessage } from './port.ts';

const buses = new WeakMap<Db, Bus>();

/** Sends the notices of this database's transactions over a bus, after each commit. Without one, PostgreSQL sends them at commit. */
export const sendNoticesOver = (db: Db, bus: Bus): void => void buses.set(db, bus);

/** The bus that carries the notices of a database instead of NOTIFY. */
export const busOf = (db: Db): Bus | undefined => buses.get(db);

/**
 * Sends when the transaction commits, never after a rollback.
 * @param channel channel of NOTIFY; PostgreSQL merges equal bodies of one transaction
 */
export async function publishIn(
  tx: UserTx | SystemTx,
  channel: string,
  messages: readonly BusMessage[],
): Promise<void> {
  const bus = buses.get(dbOf());
  if (bus !== undefined) {
    afterCommit(() => bus.publish(messages));
    return;
  }
  const texts = messages.map(({ body }) => body);
  await sql`select pg_notify(${channel}, text) from unnest(${texts}::text[]) as text`.execute(tx);
}
