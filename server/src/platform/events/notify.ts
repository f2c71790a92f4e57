import { publishIn } from '../bus/publishIn.ts';
import type { SystemTx, UserTx } from '../db/scope.ts';
import type { EventData, EventNotice, Topic } from './topics.ts';
import { topics } from './topics.ts';

/** The PostgreSQL channel of events. */
export const eventChannel = 'sextant_events';
/** PostgreSQL rejects a payload of 8000 bytes, and with it the transaction. */
const payloadMax = 7000;

/** Wire format between nodes; db/migrations/0001_users.sql writes the same. */
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
  return notify(tx, [{ u: userId, t: topic, d: data }]);
}

/** `notifyUser` for many changes at once, in one statement. */
export async function notifyUsers(
  tx: UserTx | SystemTx,
  topic: Topic,
  notices: readonly { userId: string; data: EventData }[],
): Promise<void> {
  await notify(
    tx,
    notices.map(({ userId, data }) => ({ u: userId, t: topic, d: data })),
  );
}

/** Notifies every open page of all users. */
export function notifyEveryone(tx: SystemTx, topic: Topic, data: EventData = {}): Promise<void> {
  return notify(tx, [{ u: null, t: topic, d: data }]);
}

function textOf(payload: Payload): string {
  const text = JSON.stringify(payload);
  if (Buffer.byteLength(text) > payloadMax) throw new RangeError(`the event ${payload.t} carries too much data`);
  return text;
}

function notify(tx: UserTx | SystemTx, payloads: readonly Payload[]): Promise<void> {
  const messages = payloads.map((payload) => ({ subject: eventSubject(payload.u), body: textOf(payload) }));
  return publishIn(tx, eventChannel, messages);
}

const EVENT_ROOT = 'events';
/** Subjects of all events. */
export const eventPattern = `${EVENT_ROOT}.>`;
const eventSubject = (userId: string | null): string =>
  userId === null ? `${EVENT_ROOT}.all` : `${EVENT_ROOT}.user.${userId}`;

/** How the events travel over NOTIFY: as bare notices, which a trigger of db/migrations/0001_users.sql sends, too. */
export const eventNotices = {
  root: EVENT_ROOT,
  channel: eventChannel,
  subjectOf(body: string): string | undefined {
    const notice = parseNotice(body);
    return notice && eventSubject(notice.userId);
  },
};

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
