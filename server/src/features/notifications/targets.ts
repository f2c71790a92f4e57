import { WEBHOOK_OVERLAP_HOURS } from '@sextant/workers/src/core/webhooks.ts';
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { SystemTx, UserTx } from '../../platform/db/scope.ts';
import { notifyUser } from '../../platform/events/notify.ts';
import type { Seal } from '../../platform/seal.ts';
import type { ChosenKind } from './kinds.ts';
import { secretText } from './message.ts';

export type Channel = 'telegram' | 'webhook';

export interface Target {
  channel: Channel;
  address: string;
  label: string | null;
  isOn: boolean;
  kinds: ChosenKind[];
  offReason: string | null;
  failingSince: Date | null;
}

export async function readTargets(tx: UserTx): Promise<Target[]> {
  const rows = await tx.selectFrom('notification_targets').selectAll().execute();
  return rows.map((row) => ({
    channel: row.channel as Channel,
    address: row.address,
    label: row.label,
    isOn: row.is_on,
    kinds: row.kinds as ChosenKind[],
    offReason: row.off_reason,
    failingSince: row.failing_since,
  }));
}

/** Both the preferences and the targets change: notifies open pages of both. */
async function notifyPreferences(tx: SystemTx, userId: string, channel: Channel, shown: string | null): Promise<void> {
  const column = channel === 'telegram' ? sql.ref('telegram') : sql.ref('webhook');
  await sql`update preferences set ${column} = ${shown}, updated_at = now() where user_id = ${userId}`.execute(tx);
  await notifyUser(tx, userId, 'preferences');
  await notifyUser(tx, userId, 'notifications');
}

/** A new address starts switched on. */
export async function setTarget(
  tx: SystemTx,
  userId: string,
  target: { channel: Channel; address: string; label: string | null },
): Promise<void> {
  const { channel, address, label } = target;
  await sql`
    insert into notification_targets (user_id, channel, address, label) values (${userId}, ${channel}, ${address}, ${label})
    on conflict (user_id, channel) do update set address = excluded.address, label = excluded.label, is_on = true,
      off_reason = null, failing_since = null`.execute(tx);
  await notifyPreferences(tx, userId, channel, label ?? address);
}

/** False when there is no such target. Switching it on clears the reason why it was switched off. */
export async function changeTarget(
  tx: SystemTx,
  userId: string,
  channel: Channel,
  { isOn, kinds }: { isOn?: boolean | undefined; kinds?: ChosenKind[] | undefined },
): Promise<boolean> {
  const { rows } = await sql`
    update notification_targets set is_on = coalesce(${isOn ?? null}, is_on),
      off_reason = case when ${isOn ?? null}::boolean is true then null else off_reason end,
      failing_since = case when ${isOn ?? null}::boolean is true then null else failing_since end,
      kinds = coalesce(${kinds ?? null}::text[], kinds)
    where user_id = ${userId} and channel = ${channel} returning channel`.execute(tx);
  if (rows.length > 0) await notifyUser(tx, userId, 'notifications');
  return rows.length > 0;
}

export async function removeTarget(tx: SystemTx, userId: string, channel: Channel): Promise<void> {
  await tx.deleteFrom('notification_targets').where('user_id', '=', userId).where('channel', '=', channel).execute();
  if (channel === 'webhook') await tx.deleteFrom('webhook_keys').where('user_id', '=', userId).execute();
  await notifyPreferences(tx, userId, channel, null);
}

/** 32 random bytes, sealed for their owner. */
const newSecret = (): string => secretText(randomBytes(32));

/** Creates the key of a webhook without one. Returns it only once: afterwards only the sealed key is stored. Null when there is one. */
export async function ensureSecret(tx: SystemTx, seal: Seal, userId: string): Promise<string | null> {
  const secret = newSecret();
  const { rows } = await sql`
    insert into webhook_keys (user_id, sealed) values (${userId}, ${seal.seal(secret, userId)})
    on conflict do nothing returning user_id`.execute(tx);
  return rows.length > 0 ? secret : null;
}

export interface RenewedSecret {
  secret: string;
  /** Until when the previous key also signs. */
  previousUntil: Date;
}

/**
 * Rotates the key; null when there is no webhook. The previous key signs for another day; any older one stops.
 */
export async function renewSecret(tx: SystemTx, seal: Seal, userId: string): Promise<RenewedSecret | null> {
  const secret = newSecret();
  const { rows } = await sql<{ previous_until: Date }>`
    update webhook_keys set previous_sealed = sealed, previous_until = now() + make_interval(hours => ${WEBHOOK_OVERLAP_HOURS}),
      sealed = ${seal.seal(secret, userId)}, created_at = now() where user_id = ${userId}
    returning previous_until`.execute(tx);
  return rows[0] === undefined ? null : { secret, previousUntil: rows[0].previous_until };
}
