import { sql } from 'kysely';
import type { SystemTx } from '../../../platform/db/scope.ts';
import type { Message } from '../../mail/letter.ts';
import type { Attempted, DeliverDeps, Due } from '../deliver.ts';

interface WebhookAttempt {
  webhookId: string;
  due: Due;
  attempted: Attempted;
  /** The last attempt of the schedule failed. */
  isExhausted: boolean;
}

/** Stores what an attempt says about its webhook. One that is gone or was silent for three days is switched off, and its owner told. */
export async function markWebhook(deps: DeliverDeps, tx: SystemTx, attempt: WebhookAttempt): Promise<void> {
  const { webhookId, due, attempted, isExhausted } = attempt;
  const { outcome, status, message } = attempted;
  const isSent = outcome === 'sent';
  // An attempt that was made to an address which was replaced meanwhile says nothing about the new one.
  const same = sql`id = ${webhookId} and url = ${due.address}`;
  if (due.kind === 'test')
    await sql`update webhooks set last_test_at = now(), last_test_succeeded = ${isSent} where ${same}`.execute(tx);
  if (outcome === 'never') return;
  await sql`update webhooks set last_delivery_at = now(), last_status = ${status},
      failing_since = case when ${isSent} then null else coalesce(failing_since, now()) end where ${same}`.execute(tx);
  if (outcome !== 'off' && !isExhausted) return;
  const reason = isExhausted ? 'Nothing has arrived for three days.' : (message ?? 'It takes no messages.');
  const { rows } = await sql<{ email: string }>`
    update webhooks w set is_on = false, off_reason = ${reason.slice(0, 200)} from users u
    where w.id = ${webhookId} and w.url = ${due.address} and w.is_on and u.id = w.user_id returning u.email`.execute(
    tx,
  );
  const [owner] = rows;
  if (owner === undefined || due.address === null) return;
  await deps.outbox.add(tx, switchedOffMail(deps.baseUrl, owner.email, { url: due.address, reason }));
}

const switchedOffMail = (baseUrl: string, to: string, { url, reason }: { url: string; reason: string }): Message => ({
  to,
  subject: 'A webhook was switched off',
  paragraphs: [
    `Sextant no longer sends messages to your webhook ${url}.`,
    reason,
    'Switch it on again in the API Manager once the receiver works. Failed messages can be sent again from its list for 30 days.',
  ],
  link: { label: 'Open the API Manager', url: `${baseUrl}/?tab=api-manager` },
});
