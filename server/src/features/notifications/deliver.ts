// Long because one delivery is followed from its turn to its record.
import { WEBHOOK_SPAN_TEXT, webhookPausesS } from '@sextant/workers/src/core/webhooks.ts';
import type { Result } from '@sextant/workers/src/core/result.ts';
import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import { type Db, type SystemTx, withSystem } from '../../platform/db/scope.ts';
import { notifyUser, notifyUsers } from '../../platform/events/notify.ts';
import { createGather, perDb } from '../../platform/gather.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { hitAll, type Limit } from '../../platform/limits/rateLimiter.ts';
import type { Seal } from '../../platform/seal.ts';
import { letterOf, type Message } from '../mail/letter.ts';
import type { Outbox } from '../mail/outbox.ts';
import type { Mailer } from '../mail/port.ts';
import type { NotificationKind, NotificationPayloads } from './kinds.ts';
import { ALERT_LATE_WAIT_S, ALERT_TURN_MS, isAboutAlert, LATE_TURN_TEXT } from './alertLimits.ts';
import { bodyOf, pushTextOf, signedHeaders, textOf } from './message.ts';
import {
  acquirePostSlot,
  HOST_PATTERN,
  isAboutMoney,
  type Post,
  EMAILS_AN_HOUR,
  POSTS_AN_HOUR_TO_HOST,
  postsAMinute,
  priorityOf,
} from './postSlots.ts';
import type {
  PostResponse,
  PostFailure,
  PushKeys,
  PushSender,
  TelegramBot,
  TelegramFailure,
  WebhookPoster,
} from './port.ts';

const EXHAUSTED_TEXT = `No message was accepted for ${WEBHOOK_SPAN_TEXT}.`;

const jitterFraction = 0.1;

/**
 * Seconds until the next attempt; undefined when there is none. A pause requested by the receiver is never shortened; the jitter
 * (`random` is 0 to 1) spreads the retries of deliveries that failed together.
 */
export function nextPauseS(attemptCount: number, retryAfterS: number | undefined, random: number): number | undefined {
  const usual = webhookPausesS[attemptCount - 1];
  if (usual === undefined) return undefined;
  return Math.ceil(Math.max(usual * (1 + jitterFraction * random), Math.min(retryAfterS ?? 0, 86_400)));
}

export interface DeliverDeps {
  db: Db;
  jobs: Jobs;
  poster: WebhookPoster;
  /** Undefined without a bot. */
  telegram: TelegramBot | undefined;
  push: PushSender;
  pushKeys: () => Promise<PushKeys>;
  /** Undefined without an SMTP server. */
  mailer: Mailer | undefined;
  seal: Seal;
  /** For the notice about a webhook that was switched off. */
  outbox: Outbox;
  baseUrl: string;
  nowMs?: () => number;
  random?: () => number;
}

/** A delivery to send. `endpoint` is a webhook of the API, with an id, a separate key and numbered messages. */
export interface Due {
  user_id: string;
  channel: 'telegram' | 'webhook' | 'endpoint' | 'email' | 'push';
  webhook_id: string | null;
  sequence: number | null;
  kind: NotificationKind;
  payload: NotificationPayloads[NotificationKind];
  created_at: Date;
  /** URL, chat or email address; null: the target no longer exists. */
  address: string | null;
  /** Public key of the browser of a push. */
  p256dh: string | null;
  is_on: boolean | null;
  /** The account is being deleted: nothing is sent for it. */
  is_leaving: boolean;
  sealed: string | null;
  /** The previous key, while it still signs. */
  previous_sealed: string | null;
  /** Seconds until the previous message about the same position, or to the same failing target, is tried; null: this one is first. */
  held_s: number | null;
}

/** Result of an attempt. `off`: the target no longer accepts messages and is switched off with this reason. */
export interface Attempted {
  outcome: 'sent' | 'again' | 'never' | 'off' | 'moved';
  status: number | null;
  message: string | null;
  retryAfterS?: number | undefined;
  address?: string;
}

/** Deliveries that are read, counted or marked in one transaction: a close that fires hundreds of alerts sends as many messages. */
const TOGETHER_MAX = 50;
const readTogether = perDb((db) =>
  createGather((turns: readonly Turn[]) => withSystem(db, (tx) => readDues(tx, turns)), TOGETHER_MAX),
);
const hitTogether = perDb((db) => createGather((limits: readonly Limit[][]) => hitAll(db, limits), TOGETHER_MAX));
const markTogether = perDb((db) =>
  createGather((made: readonly Marked[]) => withSystem(db, (tx) => markAll(tx, made)), TOGETHER_MAX),
);

/** A delivery and the number of its earlier attempts. */
interface Turn {
  id: string;
  attempt: number;
}

/**
 * One attempt of one delivery. The attempt is stored after it was made: if the node dies in between, the job runs again and sends a
 * second time, with the same id. `attempt` is the number of earlier attempts; a job about an earlier one does nothing.
 */
export async function attemptDelivery(deps: DeliverDeps, deliveryId: string, attempt: number): Promise<void> {
  const due = await readTogether(deps.db)({ id: deliveryId, attempt });
  if (due === undefined) return;
  const priority = priorityOf(due.kind);
  if (due.held_s !== null) return holdBack(deps, { deliveryId, attempt }, due.held_s, priority);
  // A test is triggered by a click and does not wait for other messages.
  const slot = await enterTurn(deps, due);
  if (typeof slot === 'number') {
    const turnS = isAboutMoney(due.kind) ? 0 : await withSystem(deps.db, (tx) => readTurnS(tx, due));
    const waitS = Math.max(slot, turnS);
    // After an outage many are late at once: a turn that comes soon is worth the wait.
    const isLate = isAboutAlert(due.kind) && Date.now() - due.created_at.getTime() > ALERT_TURN_MS;
    if (isLate && attempt === 0 && waitS > ALERT_LATE_WAIT_S) return failDelivery(deps.db, deliveryId, LATE_TURN_TEXT);
    return holdBack(deps, { deliveryId, attempt }, waitS, priority);
  }
  const startedAt = performance.now();
  try {
    const attempted = await send(deps, deliveryId, due);
    const durationMs = Math.round(performance.now() - startedAt);
    await markTogether(deps.db)({ deps, id: deliveryId, attempt, due, attempted, durationMs });
  } finally {
    slot();
  }
}

const crowdedS = 5;
const noSlot = (): void => undefined;

/**
 * Host of a webhook. Telegram and the mail server count as one each; the push service of a browser serves all users, so each of them
 * counts as a host. Another address that was given as a browser's is a host like that of a webhook.
 */
function hostOf(push: PushSender, { channel, address, user_id: userId }: Due): string {
  if (channel === 'telegram' || channel === 'email') return channel;
  if (address === null || !URL.canParse(address)) return channel;
  const { host } = new URL(address);
  return channel === 'push' && push.isOfBrowsers(address) ? `${host} ${userId}` : host;
}

/**
 * Seconds until the turn behind the messages of the account that wait for the same channel: a backlog queues up instead of returning all at
 * once.
 */
async function readTurnS(tx: SystemTx, { user_id: userId, channel }: Due): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from notification_deliveries
    where user_id = ${userId} and channel = ${channel} and state = 'waiting' and attempt_count = 0 and next_attempt_at > now()`.execute(
    tx,
  );
  return Math.ceil(((rows[0]?.count ?? 0) * 60) / postsAMinute.account);
}

/** Acquires a slot for a message within the limits of its account and host: returns its release function, or the seconds to wait. */
async function enterTurn({ db, push }: DeliverDeps, due: Due): Promise<(() => void) | number> {
  if (due.kind === 'test') return noSlot;
  const post = { userId: due.user_id, host: hostOf(push, due), kind: due.kind };
  const leave = acquirePostSlot(post);
  if (leave === undefined) return crowdedS;
  // Telegram's own rate limits are respected by its client; a slot keeps a hanging Telegram from blocking the webhooks.
  if (due.channel === 'telegram') return leave;
  const blocked = await (due.channel === 'email' ? findEmailBlock(db, due.user_id) : findBlock(db, post)).catch(
    (error: unknown) => {
      leave();
      throw error;
    },
  );
  if (blocked === undefined) return leave;
  leave();
  return blocked.retryAfterS;
}

/** An address may belong to another user: alerts cannot flood it. Further emails wait. */
const findEmailBlock = (db: Db, userId: string): Promise<{ retryAfterS: number } | undefined> =>
  hitTogether(db)([{ key: `alert-emails:${userId}`, hitMax: EMAILS_AN_HOUR, windowS: 3600 }]);

/** The first limit that delays a post. */
export async function findBlock(db: Db, { userId, host, kind }: Post): Promise<{ retryAfterS: number } | undefined> {
  const hit = hitTogether(db);
  const ofAccount = { key: `posts-account:${userId}`, hitMax: postsAMinute.account, windowS: 60 };
  if (isAboutMoney(kind)) return hit([ofAccount]);
  const own = `posts-own:${userId}:${host}`;
  const blocked = await hit([
    ofAccount,
    { key: `posts-host:${host}`, hitMax: postsAMinute.host, windowS: 60 },
    { key: `${own}:minute`, hitMax: postsAMinute.accountToHost, windowS: 60 },
  ]);
  // A post delayed by the minute limit does not count against the hour.
  return blocked ?? hit([{ key: `${own}:hour`, hitMax: POSTS_AN_HOUR_TO_HOST, windowS: 3600 }]);
}

/** Delays a close message until the opening message of its position is delivered. The next attempt checks again. */
const holdBack = (
  deps: DeliverDeps,
  job: { deliveryId: string; attempt: number },
  startAfterS: number,
  priority: number,
): Promise<void> =>
  withSystem(deps.db, async (tx) => {
    // Where an earlier run of this job has held it back already, that one's job continues: two would send twice.
    const { rows } = await sql`
      update notification_deliveries set next_attempt_at = now() + make_interval(secs => ${startAfterS})
      where id = ${job.deliveryId} and state = 'waiting' and attempt_count = ${job.attempt}
        and next_attempt_at <= now() + interval '1 second' returning id`.execute(tx);
    if (rows.length === 0) return;
    await deps.jobs.send(tx, 'notification', randomUUID(), job, { startAfterS, priority });
  });

/** Seconds between two checks of a message that is being sent. */
const heldS = 2;
/** Delay after the attempt that shows whether a failing target works again. */
const behindS = 2;

/**
 * Seconds until the account's probe of a failing target, the message with the most attempts; null without one. A target that responds
 * with errors is one webhook; an unreachable one is a whole host. Only the probe is sent, so that a failing target costs the attempts
 * of one message and not of all waiting ones.
 */
const behindFailing = sql<number | null>`(
  select ${behindS} + max(greatest(0, ceil(extract(epoch from o.next_attempt_at - now()))))::int
  from notification_deliveries o left join webhooks ow on ow.id = o.webhook_id
  left join notification_targets ot on ot.user_id = o.user_id and ot.channel = o.channel
  left join push_subscriptions op on op.id = o.push_id
  where o.user_id = d.user_id and o.id <> d.id and o.channel <> 'telegram' and o.state = 'waiting' and o.attempt_count > 0
    and (o.attempt_count, d.created_at, d.id) > (d.attempt_count, o.created_at, o.id)
    and coalesce(ow.failing_since, ot.failing_since, op.failing_since) is not null
    and ((o.channel = d.channel and o.webhook_id is not distinct from d.webhook_id and o.push_id is not distinct from d.push_id)
      or (o.status is null and substring(coalesce(ow.url, ot.address) from ${HOST_PATTERN})
        = substring(coalesce(w.url, t.address) from ${HOST_PATTERN}))))`;

async function readDues(tx: SystemTx, turns: readonly Turn[]): Promise<(Due | undefined)[]> {
  const { rows } = await sql<Due & Turn>`
    select d.id, d.attempt_count as attempt, d.user_id, d.channel, d.webhook_id, d.sequence, n.kind, n.payload, n.created_at,
      coalesce(w.url, t.address, p.endpoint, u.email) as address, coalesce(w.is_on, t.is_on, coalesce(p.id, u.id) is not null) as is_on,
      p.p256dh,
      exists (select from deletion_requests l where l.user_id = d.user_id) as is_leaving,
      coalesce(s.sealed, k.sealed, p.sealed_auth) as sealed,
      case when coalesce(s.previous_until, k.previous_until) > now() then coalesce(s.previous_sealed, k.previous_sealed) end
        as previous_sealed,
      greatest((select max(greatest(${heldS}, 1 + ceil(extract(epoch from e.next_attempt_at - now()))))::int
        from notifications o left join notification_deliveries e on e.notification_id = o.id and e.channel = d.channel
          and e.webhook_id is not distinct from d.webhook_id
        where n.kind = 'position_closed' and o.kind = 'position_opened' and o.user_id = n.user_id and o.key = n.key
          and (o.dispatched_at is null or e.state = 'waiting')),
        case when n.kind <> 'test' and d.channel <> 'telegram' then ${behindFailing} end) as held_s
    from unnest(${turns.map(({ id }) => id)}::uuid[], ${turns.map(({ attempt }) => attempt)}::int[]) as g (id, attempt)
    join notification_deliveries d on d.id = g.id and d.attempt_count = g.attempt and d.state = 'waiting'
    join notifications n on n.id = d.notification_id
    left join notification_targets t on t.user_id = d.user_id and t.channel = d.channel
    left join webhook_keys k on k.user_id = d.user_id and d.channel = 'webhook'
    left join webhooks w on w.id = d.webhook_id left join webhook_secrets s on s.webhook_id = d.webhook_id
    left join push_subscriptions p on p.id = d.push_id and p.user_id = d.user_id left join users u on u.id = d.user_id and d.channel = 'email'`.execute(
    tx,
  );
  const keyOf = ({ id, attempt }: Turn): string => `${id} ${attempt}`;
  const found = new Map(rows.map((row) => [keyOf(row), row]));
  return turns.map((turn) => found.get(keyOf(turn)));
}

async function send(deps: DeliverDeps, id: string, due: Due): Promise<Attempted> {
  const { address, kind } = due;
  if (due.is_leaving) return { outcome: 'never', status: null, message: 'The account is being deleted.' };
  // A test may be sent to a target that is switched off, to check it before switching it on.
  if (address === null || (due.is_on !== true && kind !== 'test'))
    return { outcome: 'never', status: null, message: 'The target was switched off.' };
  const message = { kind, payload: due.payload, createdAt: due.created_at };
  if (due.channel === 'telegram') {
    if (deps.telegram === undefined)
      return { outcome: 'never', status: null, message: 'This installation has no Telegram bot.' };
    const sent = await deps.telegram.send(address, textOf(message));
    return sent.ok ? { outcome: 'sent', status: 200, message: null } : ofTelegram(sent.error);
  }
  if (due.channel === 'email') return sendEmail(deps, id, address, message);
  if (due.sealed === null) return { outcome: 'never', status: null, message: 'The target has no signing secret.' };
  if (due.channel === 'push') {
    const browser = {
      endpoint: address,
      p256dh: due.p256dh ?? '',
      auth: deps.seal.open(due.sealed, due.user_id),
    };
    return ofPush(await deps.push.send(browser, await deps.pushKeys(), pushTextOf(message)));
  }
  const body = bodyOf(message, due.sequence ?? undefined);
  const sealed = [due.sealed, ...(due.previous_sealed === null ? [] : [due.previous_sealed])];
  const secrets = sealed.map((each) => deps.seal.open(each, due.user_id));
  const headers = signedHeaders(secrets, `msg_${id}`, (deps.nowMs ?? Date.now)(), body);
  return ofPost(await deps.poster.post(address, headers, body));
}

async function sendEmail(
  { mailer, baseUrl }: DeliverDeps,
  id: string,
  to: string,
  message: Parameters<typeof textOf>[0],
): Promise<Attempted> {
  if (mailer === undefined) return { outcome: 'never', status: null, message: 'This installation sends no email.' };
  const [subject = '', ...lines] = textOf(message).split('\n');
  const link = { label: 'Open your alerts', url: `${baseUrl}/?tab=dashboard` };
  const failure = await mailer.send(letterOf({ to, subject, paragraphs: [subject, ...lines], link }), id);
  if (failure === undefined) return { outcome: 'sent', status: null, message: null };
  return { outcome: failure.isFinal ? 'never' : 'again', status: null, message: failure.message };
}

/** A push service returns 404, or 410, for a subscription that has ended. */
function ofPush(posted: Result<PostResponse, PostFailure>): Attempted {
  if (!posted.ok || (posted.value.status !== 404 && posted.value.status !== 410)) return ofPost(posted);
  const { status } = posted.value;
  return { outcome: 'off', status, message: 'The browser ended its subscription. Allow notifications there again.' };
}

function ofPost(posted: Result<PostResponse, PostFailure>): Attempted {
  if (!posted.ok) {
    const { kind, message } = posted.error;
    return { outcome: kind === 'blocked' ? 'off' : 'again', status: null, message };
  }
  const { status, retryAfterS } = posted.value;
  if (status >= 200 && status < 300) return { outcome: 'sent', status, message: null };
  if (status === 410) return { outcome: 'off', status, message: 'The receiver returned 410 Gone.' };
  const redirect = status >= 300 && status < 400 ? ' Redirects are not followed.' : '';
  return { outcome: 'again', status, message: `The receiver returned ${status}.${redirect}`, retryAfterS };
}

function ofTelegram(failure: TelegramFailure): Attempted {
  const { status, message } = failure;
  switch (failure.kind) {
    case 'busy':
      return { outcome: 'again', status, message, retryAfterS: failure.retryAfterS };
    case 'gone':
      return { outcome: 'off', status, message };
    case 'moved':
      return { outcome: 'moved', status, message, address: failure.chatId };
    default:
      return { outcome: 'again', status, message };
  }
}

interface Marked extends Turn {
  deps: DeliverDeps;
  due: Due;
  attempted: Attempted;
  durationMs: number;
}

/** Stores attempts: those that were sent and change nothing else in set statements, the others one by one. */
async function markAll(tx: SystemTx, made: readonly Marked[]): Promise<undefined[]> {
  const isPlain = ({ due, attempted }: Marked): boolean => attempted.outcome === 'sent' && due.webhook_id === null;
  await markSent(tx, made.filter(isPlain));
  for (const each of made) if (!isPlain(each)) await mark(tx, each);
  return made.map(() => undefined);
}

async function markSent(tx: SystemTx, made: readonly Marked[]): Promise<void> {
  if (made.length === 0) return;
  const rows = made.map(({ id, attempt, attempted: { status }, durationMs }) => ({
    id,
    attempt,
    status,
    duration_ms: durationMs,
  }));
  const { rows: stored } = await sql<{ id: string }>`
    update notification_deliveries d set state = 'sent', attempt_count = d.attempt_count + 1, status = g.status,
      duration_ms = g.duration_ms, failure = null, next_attempt_at = now(), finished_at = now()
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g (id uuid, attempt int, status int, duration_ms int)
    where d.id = g.id and d.state = 'waiting' and d.attempt_count = g.attempt returning d.id`.execute(tx);
  // Another node has already stored the rest: those were made twice, and count once.
  const ids = new Set(stored.map(({ id }) => id));
  const counted = made.flatMap(({ id, due }) => (ids.has(id) ? [due] : []));
  await markTargetsSent(tx, counted);
  const users = [...new Set(counted.map((due) => due.user_id))];
  await notifyUsers(
    tx,
    'notifications',
    users.map((userId) => ({ userId, data: {} })),
  );
}

async function markTargetsSent(tx: SystemTx, sent: readonly Due[]): Promise<void> {
  const given = (dues: readonly Due[]) =>
    sql`jsonb_to_recordset(${JSON.stringify(
      dues.map(({ user_id, channel, address }) => ({ user_id, channel, address })),
    )}::jsonb) as g (user_id uuid, channel text, address text)`;
  const pushes = sent.filter(({ channel }) => channel === 'push');
  const others = sent.filter(({ channel }) => channel !== 'push');
  if (pushes.length > 0)
    await sql`update push_subscriptions p set last_sent_at = now(), failing_since = null from ${given(pushes)}
      where p.user_id = g.user_id and p.endpoint = g.address`.execute(tx);
  if (others.length > 0)
    await sql`update notification_targets t set failing_since = null from ${given(others)}
      where t.user_id = g.user_id and t.channel = g.channel and t.address = g.address and t.failing_since is not null`.execute(
      tx,
    );
}

async function mark(tx: SystemTx, marked: Marked): Promise<void> {
  const { deps, id, attempt, due, attempted, durationMs } = marked;
  const { outcome, status, message } = attempted;
  const isTest = due.kind === 'test';
  // A test has one attempt: its owner waits for the result.
  const isRepeated = (outcome === 'again' || outcome === 'moved') && !isTest;
  const pauseS = isRepeated
    ? nextPauseS(attempt + 1, attempted.retryAfterS, (deps.random ?? Math.random)())
    : undefined;
  const state = outcome === 'sent' ? 'sent' : pauseS === undefined ? 'failed' : 'waiting';
  const { rows } = await sql`
    update notification_deliveries set state = ${state}, attempt_count = attempt_count + 1, status = ${status},
      duration_ms = ${durationMs}, failure = ${message?.slice(0, 300) ?? null}, next_attempt_at = now() + make_interval(secs => ${pauseS ?? 0}),
      finished_at = case when ${state}::text = 'waiting' then null else now() end
    where id = ${id} and state = 'waiting' and attempt_count = ${attempt} returning id`.execute(tx);
  // Another node has already stored this attempt: it was made twice, and counts once.
  if (rows.length === 0) return;
  if (pauseS !== undefined) {
    const next = { deliveryId: id, attempt: attempt + 1 };
    await deps.jobs.send(tx, 'notification', randomUUID(), next, {
      startAfterS: pauseS,
      priority: priorityOf(due.kind),
    });
  }
  const isExhausted = state === 'failed' && outcome === 'again' && !isTest;
  if (due.webhook_id === null) await markTarget(tx, due, attempted, isExhausted);
  else await markWebhook(deps, tx, { webhookId: due.webhook_id, due, attempted, isExhausted });
  await notifyUser(tx, due.user_id, 'notifications');
}

/** Ends a delivery that waits. @param failure absent: its job crashed the server twice */
export const failDelivery = (
  db: Db,
  id: string,
  failure = 'Sending failed twice on our side and was stopped.',
): Promise<void> =>
  withSystem(db, async (tx) => {
    const { rows } = await sql<{ user_id: string }>`
      update notification_deliveries set state = 'failed', finished_at = now(), failure = ${failure}
      where id = ${id} and state = 'waiting' returning user_id`.execute(tx);
    if (rows[0] !== undefined) await notifyUser(tx, rows[0].user_id, 'notifications');
  });

async function markTarget(tx: SystemTx, due: Due, attempted: Attempted, isExhausted: boolean): Promise<void> {
  if (due.channel === 'push') return markBrowser(tx, due, attempted, isExhausted);
  const target = sql`user_id = ${due.user_id} and channel = ${due.channel} and address = ${due.address}`;
  if (attempted.outcome === 'moved')
    await sql`update notification_targets set address = ${attempted.address ?? ''} where ${target}`.execute(tx);
  else if (attempted.outcome === 'off' || isExhausted) {
    const reason = isExhausted ? EXHAUSTED_TEXT : (attempted.message ?? 'It accepts no messages.');
    await sql`update notification_targets set is_on = false, off_reason = ${reason.slice(0, 200)} where ${target}`.execute(
      tx,
    );
  } else if (attempted.outcome === 'again')
    await sql`update notification_targets set failing_since = coalesce(failing_since, now()) where ${target}`.execute(
      tx,
    );
}

/** A browser that ended its subscription, or accepted nothing for as long as messages are tried, is removed: its user allows notifications again there. */
async function markBrowser(tx: SystemTx, due: Due, { outcome }: Attempted, isExhausted: boolean): Promise<void> {
  const browser = sql`user_id = ${due.user_id} and endpoint = ${due.address}`;
  if (outcome === 'off' || isExhausted) await sql`delete from push_subscriptions where ${browser}`.execute(tx);
  else if (outcome === 'again')
    await sql`update push_subscriptions set failing_since = coalesce(failing_since, now()) where ${browser}`.execute(
      tx,
    );
}

interface WebhookAttempt {
  webhookId: string;
  due: Due;
  attempted: Attempted;
  /** The last attempt of the schedule failed. */
  isExhausted: boolean;
}

/** Stores the result of an attempt for its webhook. A gone or exhausted one is switched off, and its owner notified. */
async function markWebhook(deps: DeliverDeps, tx: SystemTx, attempt: WebhookAttempt): Promise<void> {
  const { webhookId, due, attempted, isExhausted } = attempt;
  const { outcome, status, message } = attempted;
  const isSent = outcome === 'sent';
  // A result for an address that was replaced meanwhile does not apply to the new one.
  const same = sql`id = ${webhookId} and url = ${due.address}`;
  if (due.kind === 'test')
    await sql`update webhooks set last_test_at = now(), last_test_succeeded = ${isSent} where ${same}`.execute(tx);
  if (outcome === 'never') return;
  await sql`update webhooks set last_delivery_at = now(), last_status = ${status},
      failing_since = case when ${isSent} then null else coalesce(failing_since, now()) end where ${same}`.execute(tx);
  if (outcome !== 'off' && !isExhausted) return;
  const reason = isExhausted ? EXHAUSTED_TEXT : (message ?? 'It accepts no messages.');
  const { rows } = await sql<{ email: string }>`
    update webhooks w set is_on = false, off_reason = ${reason.slice(0, 200)} from users u
    where w.id = ${webhookId} and w.url = ${due.address} and w.is_on and u.id = w.user_id returning u.email`.execute(
    tx,
  );
  const [owner] = rows;
  if (owner === undefined || due.address === null) return;
  await deps.outbox.add(tx, switchedOffEmail(deps.baseUrl, owner.email, { url: due.address, reason }));
}

const switchedOffEmail = (baseUrl: string, to: string, { url, reason }: { url: string; reason: string }): Message => ({
  to,
  subject: 'Your webhook was switched off',
  paragraphs: [
    `Sextant stopped sending messages to ${url}.`,
    reason,
    'Fix the receiver, then switch the webhook on in the API Manager. You can resend failed messages for 30 days.',
  ],
  link: { label: 'Open the API Manager', url: `${baseUrl}/?tab=api-manager` },
});
