import { type AlertChannel, alertChannels } from '@sextant/workers/src/alerts/conditions.ts';
import { isDemoEmail } from '../../platform/auth/demoAccount.ts';
import type { AuthenticatedUser } from '../../platform/auth/requireUser.ts';
import type { UserTx } from '../../platform/db/scope.ts';
import type { DeliverDeps } from '../notifications/deliver.ts';
import { readTargets } from '../notifications/targets.ts';

/** Channels that this installation is configured for. */
type ChannelDeps = Pick<DeliverDeps, 'mailer' | 'telegram'>;

type MissingOf = Record<AlertChannel, string | null>;

/** Returns for each channel the step that is missing before it delivers; null: none. */
export async function readMissing(
  tx: UserTx,
  { email }: Pick<AuthenticatedUser, 'email'>,
  { mailer, telegram }: ChannelDeps,
): Promise<MissingOf> {
  const targets = await readTargets(tx);
  const browser = await tx.selectFrom('push_subscriptions').select('id').limit(1).executeTakeFirst();
  const isOn = (channel: string): boolean => targets.some((target) => target.channel === channel && target.isOn);
  const demo = isDemoEmail(email) ? 'Create your own account first.' : null;
  return {
    page: null,
    push: demo ?? (browser === undefined ? 'Allow notifications in this browser first.' : null),
    email: demo ?? (mailer !== undefined ? null : 'This installation sends no email.'),
    telegram:
      demo ??
      (isOn('telegram')
        ? null
        : telegram !== undefined
          ? 'Link Telegram in Account, Notifications first.'
          : 'This installation has no Telegram bot.'),
    webhook: demo ?? (isOn('webhook') ? null : 'Add a webhook in Account, Notifications first.'),
  };
}

export const channelsToWire = (missing: MissingOf): { id: AlertChannel; missing: string | null }[] =>
  alertChannels.map((id) => ({ id, missing: missing[id] }));
