import { randomUUID } from 'node:crypto';
import {
  type ApiPlan,
  type ApiPlanName,
  apiPlans,
  PLAN_DAYS,
  PLAN_NOTICE_DAYS,
} from '@sextant/workers/src/core/apiAccess.ts';
import { sql } from 'kysely';
import { type Db, type SystemTx, withSystem } from '../../platform/db/scope.ts';
import type { Outcome } from '../../platform/errors.ts';
import { notifyUser } from '../../platform/events/notify.ts';
import { rejectionError } from '../../platform/http/rejectionError.ts';
import { runOncePerKey } from '../credits/idempotency.ts';
import { capture, hold, inLedger } from '../credits/ledger.ts';
import type { Outbox } from '../mail/outbox.ts';
import { queueForWebhooks } from '../notifications/queueNotification.ts';
import { planEndingEmail, usageEmail } from './emails.ts';

const [freePlan] = apiPlans;

export const planOf = (name: ApiPlanName): ApiPlan => apiPlans.find((plan) => plan.name === name) ?? freePlan;

/** The active plan and when it ends; null for the free plan. */
export interface CurrentPlan {
  plan: ApiPlan;
  startedAt: Date | null;
  expiresAt: Date | null;
}

/** A bought plan is active until its end by the clock of the hourly limits. */
export async function readPlan(tx: SystemTx, userId: string, nowMs: number): Promise<CurrentPlan> {
  const row = await tx
    .selectFrom('api_subscriptions')
    .select(['plan', 'created_at', 'expires_at'])
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', new Date(nowMs))
    .orderBy('expires_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return { plan: freePlan, startedAt: null, expiresAt: null };
  return { plan: planOf(row.plan as ApiPlanName), startedAt: row.created_at, expiresAt: row.expires_at };
}

interface PaidPlan {
  id: string;
  plan: ApiPlan;
  expiresAt: Date;
}

/** Plans that were changed to FREE before their paid end, latest end first. */
export async function readPaidPlans(tx: SystemTx, userId: string, nowMs: number): Promise<PaidPlan[]> {
  const rows = await tx
    .selectFrom('api_subscriptions')
    .select(['id', 'plan', 'expires_at'])
    .where('user_id', '=', userId)
    .where('ended_at', 'is not', null)
    .where('expires_at', '>', new Date(nowMs))
    .orderBy('expires_at', 'desc')
    .execute();
  return rows.map((row) => ({ id: row.id, plan: planOf(row.plan as ApiPlanName), expiresAt: row.expires_at }));
}

interface PlanRequest {
  userId: string;
  plan: ApiPlanName;
  idempotencyKey: string | undefined;
  nowMs: number;
}

/**
 * Buys a plan, or changes to the free one. Hold, plan and capture share one transaction, so a plan exists exactly when it is paid. A
 * paid plan can only be changed to FREE, at once and without a refund. A plan is paid once for its time: changing back to it before
 * its end costs nothing.
 */
export async function changePlan(db: Db, request: PlanRequest): Promise<Outcome<ApiPlanName>> {
  const { userId, plan, idempotencyKey: key, nowMs } = request;
  const outcome = await inLedger(db, (tx) =>
    runOncePerKey(tx, { userId, route: 'POST /api/account/api-subscription', key, body: { plan } }, async () => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`api_subscription ${userId}`}, 0))`.execute(tx);
      const current = await readPlan(tx, userId, nowMs);
      if (plan === freePlan.name) await endPlans(tx, userId, nowMs);
      else await buyPlan(tx, request, current);
      await notifyUser(tx, userId, 'api');
      return { status: 200, answer: { plan } };
    }),
  );
  return outcome.ok ? { ok: true, value: outcome.value.answer.plan } : outcome;
}

async function buyPlan(tx: SystemTx, { userId, plan, nowMs }: PlanRequest, current: CurrentPlan): Promise<void> {
  if (current.expiresAt !== null) {
    const until = current.expiresAt.toISOString().slice(0, 10);
    throw rejectionError(
      'plan_locked',
      `Your ${current.plan.name} plan runs until ${until}; until then you can only change to FREE.`,
    );
  }
  const paid = (await readPaidPlans(tx, userId, nowMs)).find((each) => each.plan.name === plan);
  if (paid !== undefined) {
    await sql`update api_subscriptions set ended_at = null where id = ${paid.id}`.execute(tx);
    return;
  }
  const { priceCredits } = planOf(plan);
  const id = randomUUID();
  const request = {
    userId,
    credits: priceCredits,
    reason: 'plan',
    ref: id,
    key: `plan:${id}`,
    expiresInS: 60,
  } as const;
  const held = await hold(tx, request);
  await tx
    .insertInto('api_subscriptions')
    .values({
      id,
      user_id: userId,
      plan,
      price_credits: priceCredits,
      credit_ref: held.id,
      created_at: new Date(nowMs),
      expires_at: new Date(nowMs + PLAN_DAYS * 86_400_000),
    })
    .execute();
  await capture(tx, held.id);
}

async function endPlans(tx: SystemTx, userId: string, nowMs: number): Promise<void> {
  await sql`update api_subscriptions set ended_at = ${new Date(nowMs)}
    where user_id = ${userId} and ended_at is null and expires_at > ${new Date(nowMs)}`.execute(tx);
}

interface EmailDeps {
  db: Db;
  outbox: Outbox;
  baseUrl: string;
}

/** Queues the notice of plans that end within `PLAN_NOTICE_DAYS`, once per plan. @returns how many */
export async function announceEnds({ db, outbox, baseUrl }: EmailDeps): Promise<number> {
  const count = await withSystem(db, async (tx) => {
    const { rows } = await sql<{ id: string; user_id: string; email: string; plan: string; expires_at: Date }>`
      update api_subscriptions s set notified_at = now() from users u
      where u.id = s.user_id and s.ended_at is null and s.notified_at is null and s.expires_at > now()
        and s.expires_at <= now() + make_interval(days => ${PLAN_NOTICE_DAYS})
      returning s.id, s.user_id, u.email, s.plan, s.expires_at`.execute(tx);
    for (const { id, user_id: userId, email, plan, expires_at: endsAt } of rows) {
      await outbox.add(tx, planEndingEmail(baseUrl, email, { plan, endsAt }));
      const message = { subscription_id: id, plan, expires_at: endsAt.toISOString() };
      await queueForWebhooks(tx, userId, 'plan_expiring', [message]);
    }
    return rows.length;
  });
  if (count > 0) outbox.wake();
  return count;
}

/** Emails a user at 80 and at 100 % of the hourly limit, each at most once a day. */
export async function alertUse(
  { db, outbox, baseUrl }: EmailDeps,
  { userId, used, limit }: { userId: string; used: number; limit: number },
): Promise<void> {
  const percent = used >= limit ? 100 : used >= 0.8 * limit ? 80 : undefined;
  if (percent === undefined) return;
  const isNew = await withSystem(db, async (tx) => {
    const { rows } = await sql<{ email: string }>`
      with notified as (
        insert into api_usage_alerts as a (user_id, percent) values (${userId}, ${percent})
        on conflict (user_id, percent) do update set sent_at = now() where a.sent_at < now() - interval '1 day' returning user_id)
      select email from users join notified on notified.user_id = users.id`.execute(tx);
    const [row] = rows;
    if (row === undefined) return false;
    const plan = apiPlans.find(({ hourlyLimit }) => hourlyLimit === limit)?.name ?? freePlan.name;
    await outbox.add(tx, usageEmail(baseUrl, row.email, { percent, limit, plan }));
    return true;
  });
  if (isNew) outbox.wake();
}
