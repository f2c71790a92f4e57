import { ok } from '@sextant/workers/src/core/result.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import { withSystem, withUser } from '../../../platform/db/scope.ts';
import { type Outcome, reject } from '../../../platform/errors.ts';
import { notifyUser } from '../../../platform/events/notify.ts';
import type { App } from '../../../platform/http/app.ts';
import { bodyRejections, problems, sendProblem } from '../../../platform/http/problem.ts';
import { countHit } from '../../../platform/limits/countHit.ts';
import { rejectDemo } from '../rejectDemo.ts';
import type { NotificationRouteDeps } from '../routes.ts';
import {
  PushEndpointBody,
  PushSubscriptionBody,
  PushSubscriptionsResponse,
  type PushSubscriptionsWire,
  SUBSCRIPTIONS_MAX,
} from './contract.ts';

export type PushDeps = Pick<NotificationRouteDeps, 'notifications' | 'limiter'>;

const tags = ['Notifications'];
const changeLimit = { hitMax: 20, windowS: 60 };

async function readSubscriptions({ db, pushKeys }: PushDeps['notifications'], userId: string) {
  const { publicKey } = await pushKeys();
  const rows = await withUser(db, userId, (tx) =>
    tx
      .selectFrom('push_subscriptions')
      .select(['endpoint', 'label', 'created_at', 'last_sent_at'])
      .orderBy('created_at')
      .orderBy('id')
      .execute(),
  );
  const response: PushSubscriptionsWire = {
    public_key: publicKey,
    subscriptions: rows.map((row) => ({
      endpoint: row.endpoint,
      label: row.label,
      created_at: row.created_at.toISOString(),
      last_sent_at: row.last_sent_at?.toISOString() ?? null,
    })),
  };
  return response;
}

/** Adds a browser. One that another account used in this browser now belongs to this user. */
async function subscribe(
  deps: PushDeps['notifications'],
  userId: string,
  { endpoint, keys, label }: z.output<typeof PushSubscriptionBody>,
): Promise<Outcome<PushSubscriptionsWire>> {
  const rejection = deps.push.rejectionOf(endpoint);
  if (rejection !== undefined)
    return reject('validation_failed', `endpoint ${rejection}. Use the address of the browser.`, { field: 'endpoint' });
  const isStored = await withSystem(deps.db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`push ${userId}`}, 0))`.execute(tx);
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from push_subscriptions
      where user_id = ${userId} and endpoint <> ${endpoint}`.execute(tx);
    if ((rows[0]?.count ?? 0) >= SUBSCRIPTIONS_MAX) return false;
    await sql`insert into push_subscriptions (user_id, endpoint, p256dh, sealed_auth, label)
      values (${userId}, ${endpoint}, ${keys.p256dh}, ${deps.seal.seal(keys.auth, userId)}, ${label})
      on conflict (endpoint) do update set user_id = excluded.user_id, p256dh = excluded.p256dh,
        sealed_auth = excluded.sealed_auth, label = excluded.label, failing_since = null`.execute(tx);
    await notifyUser(tx, userId, 'notifications');
    return true;
  });
  return isStored
    ? ok(await readSubscriptions(deps, userId))
    : reject('conflict', `Limit reached (${SUBSCRIPTIONS_MAX} browsers). Remove one first.`);
}

const unsubscribe = ({ db }: PushDeps['notifications'], userId: string, endpoint: string): Promise<void> =>
  withSystem(db, async (tx) => {
    await sql`delete from push_subscriptions where user_id = ${userId} and endpoint = ${endpoint}`.execute(tx);
    await notifyUser(tx, userId, 'notifications');
  });

export function pushRoutes(app: App, { notifications: deps, limiter }: PushDeps): void {
  app.addHook('onRequest', app.requireUser);
  app.addHook('onRequest', rejectDemo);
  app.get(
    '/api/push/subscriptions',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'List the browsers that receive pushes, with the key to subscribe another',
        response: {
          200: PushSubscriptionsResponse,
          ...problems('not_authenticated', 'forbidden', 'database_unavailable'),
        },
      },
    },
    ({ user }) => readSubscriptions(deps, user.id),
  );
  app.post(
    '/api/push/subscriptions',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Send pushes to this browser',
        description: 'A repeated subscription replaces the keys of the first.',
        body: PushSubscriptionBody,
        response: {
          200: PushSubscriptionsResponse,
          ...problems(...bodyRejections, 'not_authenticated', 'forbidden', 'conflict', 'rate_limited'),
        },
      },
    },
    async ({ user, body }, reply) => {
      await countHit(limiter, { key: `push:${user.id}`, ...changeLimit }, 'At most 20 changes a minute.');
      const stored = await subscribe(deps, user.id, body);
      return stored.ok ? stored.value : sendProblem(reply, stored.error);
    },
  );
  app.delete(
    '/api/push/subscriptions',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Send no more pushes to a browser, named in the body',
        description: 'Returns the remaining browsers, also when it was not listed.',
        body: PushEndpointBody,
        response: {
          200: PushSubscriptionsResponse,
          ...problems(...bodyRejections, 'not_authenticated', 'forbidden'),
        },
      },
    },
    async ({ user, body }) => {
      await unsubscribe(deps, user.id, body.endpoint);
      return readSubscriptions(deps, user.id);
    },
  );
}
