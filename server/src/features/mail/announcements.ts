import { sql } from 'kysely';
import { type Db, type SystemTx, withSystem } from '../../platform/db/scope.ts';
import type { Message } from './letter.ts';
import type { Outbox } from './outbox.ts';

interface Announcement {
  id: string;
  subject: string;
  body: string;
}

const mailOf = (baseUrl: string, to: string, { subject, body }: Announcement): Message => ({
  to,
  subject,
  paragraphs: [
    ...body.split(/\n{2,}/),
    'You get this because Marketing is on. Turn it off under Account, Privacy & Data.',
  ],
  link: { label: 'Open Sextant', url: `${baseUrl}/?tab=account` },
});

/** Addresses of users who allow marketing emails and are not being deleted. */
async function readerAddresses(tx: SystemTx): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select email from users join privacy_settings on privacy_settings.user_id = users.id
    where marketing and not exists (select from deletion_requests where deletion_requests.user_id = users.id)`.execute(
    tx,
  );
  return rows.map(({ email }) => email);
}

/**
 * Queues the oldest unsent announcement for every user who accepts them, and marks it as sent in the same transaction: it is sent
 * once on all nodes together.
 * @returns how many emails were queued; 0 also when there is nothing to send, or no mail server
 */
export async function sendAnnouncement(db: Db, outbox: Outbox, { baseUrl }: { baseUrl: string }): Promise<number> {
  if (!outbox.isOn) return 0;
  const count = await withSystem(db, async (tx) => {
    const { rows } = await sql<Announcement>`
      select id, subject, body from announcements where sent_at is null
      order by created_at limit 1 for update skip locked`.execute(tx);
    const [next] = rows;
    if (next === undefined) return 0;
    const addresses = await readerAddresses(tx);
    for (const address of addresses) await outbox.add(tx, mailOf(baseUrl, address, next));
    const done = { sent_at: sql<Date>`now()`, sent_count: addresses.length };
    await tx.updateTable('announcements').set(done).where('id', '=', next.id).execute();
    return addresses.length;
  });
  if (count > 0) outbox.wake();
  return count;
}
