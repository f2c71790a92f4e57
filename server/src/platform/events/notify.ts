import { sql } from 'kysely';
import type { SystemTx, UserTx } from '../db/scope.ts';
import type { EventData, EventNotice, Topic } from './topics.ts';
import { topics } from './topics.ts';

/** The PostgreSQL channel that every node listens on. */
export const eventChannel = 'sextant_events';
/** PostgreSQL rejects a payload of 8000 bytes, and with it the transaction. */
const payloadMax = 7000;

/** Wire format between nodes; db/migrations/0020_session_events.sql writes the same. */
interface Payload {
  u: string | null;
  t: string;
  d?: EventData;
}

/**
 * Notifies every open page of a user that their data changed: `await notifyUser(tx, userId, 'credits')`. It is sent when
 * the transaction commits, not when it rolls back; PostgreSQL merges equal notices of one transaction.
 */
export function notifyUser(tx: UserTx | SystemTx, userId: string, topic: Topic, data: EventData = {}): Promise<void> {
  return notify(tx, { u: userId, t: topic, d: data });
}

/** `notifyUser` for many changes at once, in one statement. */
export async function notifyUsers(
  tx: UserTx | SystemTx,
  topic: Topic,
  notices: readonly { userId: string; data: EventData }[],
): Promise<void> {
  const texts = notices.map(({ userId, data }) => textOf({ u: userId, t: topic, d: data }));
  await sql`select pg_notify(${eventChannel}, text) from unnest(${texts}::text[]) as text`.execute(tx);
}

/** Notifies every open page of all users. */
export function notifyEveryone(tx: SystemTx, topic: Topic, data: EventData = {}): Promise<void> {
  return notify(tx, { u: null, t: topic, d: data });
}

function textOf(payload: Payload): string {
  const text = JSON.stringify(payload);
  if (Buffer.byteLength(text) > payloadMax) throw new RangeError(`the event ${payload.t} carries too much data`);
  return text;
}

async function notify(tx: UserTx | SystemTx, payload: Payload): Promise<void> {
  await sql`select pg_notify(${eventChannel}, ${textOf(payload)})`.execute(tx);
}

const known = new Set<string>(topics);

/** Undefined for a foreign notice: another program may share the database. */
export function parseNotice(text: string): EventNotice | undefined {
  let payload: Payload | null;
  try {
    payload = JSON.parse(text) as Payload | null;
  } catch {
    return undefined;
  }
  if (payload === null || typeof payload !== 'object' || !known.has(payload.t)) return undefined;
  // An event whose owner is neither a user nor an explicit null must not go to all users.
  if (payload.u !== null && typeof payload.u !== 'string') return undefined;
  return { userId: payload.u, topic: payload.t as Topic, data: payload.d ?? {} };
}
