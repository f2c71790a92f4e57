import { type RawBuilder, sql } from 'kysely';
import type { NotificationKind } from './kinds.ts';

/** Messages about money. They are sent before all others, and a busy host does not delay them. */
const moneyKinds: readonly NotificationKind[] = ['payment_completed', 'credits_low', 'plan_expiring'];
export const isAboutMoney = (kind: NotificationKind): boolean => moneyKinds.includes(kind);

/** Priority of queued messages: money, then positions, then the rest. */
export const priorityOf = (kind: NotificationKind): number =>
  isAboutMoney(kind) ? 2 : kind.startsWith('position_') ? 1 : 0;

/** `priorityOf` of the column `kind`. */
export const prioritySql: RawBuilder<number> = sql<number>`case when kind = any (${moneyKinds}) then 2 when starts_with(kind, 'position_') then 1 else 0 end`;

/** Concurrent posts on one node. One account or one slow host must leave slots to others. */
const atOnce = { account: 2, host: 4 } as const;

/** Posts per minute: of one account to all its targets, of all accounts to one host, and of one account to one host. */
export const postsAMinute: Readonly<Record<'account' | 'host' | 'accountToHost', number>> = {
  account: 120,
  host: 300,
  accountToHost: 60,
};
/** Posts per hour of one account to one host. Further ones wait, except those about money. */
export const POSTS_AN_HOUR_TO_HOST = 600;

/** Emails of alerts per hour of one account. */
export const EMAILS_AN_HOUR = 30;

/** Regular expression for the host of a URL in PostgreSQL. */
export const HOST_PATTERN = '^[a-z]+://([^/?#]+)';

export interface Post {
  userId: string;
  host: string;
  kind: NotificationKind;
}

const underWay = new Map<string, number>();

function release(key: string): void {
  const left = (underWay.get(key) ?? 1) - 1;
  if (left > 0) underWay.set(key, left);
  else underWay.delete(key);
}

/**
 * Acquires a slot for a post; call the result to release it. Undefined while its account, or its host, uses all of its slots. A message
 * about money may use one slot more than its account has, and any number of its host.
 */
export function acquirePostSlot({ userId, host, kind }: Post): (() => void) | undefined {
  const isMoney = isAboutMoney(kind);
  const keys = [`account ${userId}`, `host ${host}`] as const;
  const [ofAccount, ofHost] = keys.map((key) => underWay.get(key) ?? 0) as [number, number];
  if (ofAccount >= atOnce.account + (isMoney ? 1 : 0)) return undefined;
  if (ofHost >= atOnce.host && !isMoney) return undefined;
  for (const key of keys) underWay.set(key, (underWay.get(key) ?? 0) + 1);
  return () => keys.forEach(release);
}
