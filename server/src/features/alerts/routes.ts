import { isDeepStrictEqual } from 'node:util';
import { type AlertChannel, alertLimits } from '@sextant/workers/src/alerts/conditions.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import type { z } from 'zod';
import type { MarketMode } from '../../config.ts';
import type { AuthenticatedUser } from '../../platform/auth/requireUser.ts';
import { databaseNowMs } from '../../platform/db/databaseNow.ts';
import { type Db, type UserTx, withUser } from '../../platform/db/scope.ts';
import { type Outcome, reject } from '../../platform/errors.ts';
import type { App } from '../../platform/http/app.ts';
import { bodyRejections, problems, sendProblem } from '../../platform/http/problem.ts';
import { countHit } from '../../platform/limits/countHit.ts';
import type { RateLimiter } from '../../platform/limits/rateLimiter.ts';
import type { Market } from '../market/port.ts';
import type { NotificationRouteDeps } from '../notifications/routes.ts';
import {
  type AlertChange,
  deleteAlert,
  insertAlert,
  lockAlert,
  markShown,
  readAlerts,
  readReceipts,
  updateAlert,
} from './alertRepository.ts';
import { channelsToWire, readMissing } from './channels.ts';
import { checkCondition, checkOwned, startOf } from './checkCondition.ts';
import {
  AlertBody,
  AlertChangeBody,
  AlertId,
  AlertReceiptsResponse,
  AlertResponse,
  type AlertsWire,
  AlertsResponse,
  type AlertWire,
  ReceiptId,
  ShownResponse,
} from './contract.ts';

export interface AlertDeps {
  db: Db;
  config: { market: MarketMode };
  market: Market;
  limiter: RateLimiter;
  /** Channels that this installation is configured for. */
  notifications: NotificationRouteDeps['notifications'];
}

const tags = ['Alerts'];
const signedIn = problems('not_authenticated', 'database_unavailable');
const reaching = problems('symbol_unknown', 'upstream_unavailable', 'upstream_rate_limited', 'deadline_exceeded');
const notFound = 'Alert not found. Reload the list.';

const changeLimit = { hitMax: 120, windowS: 60 };
const tooMany = `At most ${changeLimit.hitMax} changes of alerts a minute.`;
const countChange = ({ limiter }: AlertDeps, userId: string): Promise<void> =>
  countHit(limiter, { key: `alerts:${userId}`, ...changeLimit }, tooMany);

type User = Pick<AuthenticatedUser, 'id' | 'email'>;
type Body = z.output<typeof AlertBody>;
type Change = z.output<typeof AlertChangeBody>;

/** A channel that cannot deliver is rejected: the alert would promise what does not arrive. */
async function checkChannels(
  tx: UserTx,
  user: User,
  deps: AlertDeps,
  channels: readonly AlertChannel[],
): Promise<Outcome<null>> {
  const missing = await readMissing(tx, user, deps.notifications);
  const first = channels.find((channel) => missing[channel] !== null);
  return first === undefined
    ? ok(null)
    : reject('validation_failed', `${missing[first]} Or remove ${first} from channels.`, { field: 'channels' });
}

const checkExpiry = (expiresAt: string | null, nowMs: number): Outcome<null> =>
  expiresAt !== null && Date.parse(expiresAt) <= nowMs
    ? reject('validation_failed', 'expires_at must be in the future.', { field: 'expires_at' })
    : ok(null);

async function createAlert(deps: AlertDeps, user: User, body: Body): Promise<Outcome<AlertWire>> {
  const checked = await checkCondition(deps.market, body.condition);
  if (!checked.ok) return checked;
  const condition = checked.value;
  const nowMs = await withUser(deps.db, user.id, databaseNowMs);
  const start = await startOf(deps.market, condition, nowMs);
  return withUser(deps.db, user.id, async (tx) => {
    for (const check of [
      checkExpiry(body.expires_at, nowMs),
      await checkOwned(tx, condition),
      await checkChannels(tx, user, deps, body.channels),
    ])
      if (!check.ok) return check;
    const alert = await insertAlert(tx, user.id, {
      market: deps.config.market,
      condition,
      repeats: body.repeats,
      pauseS: body.pause_minutes * 60,
      channels: body.channels,
      note: body.note === '' ? null : body.note,
      expiresAt: body.expires_at,
      ...start,
    });
    return alert === null
      ? reject('conflict', `Limit reached (${alertLimits.countMax} alerts). Delete one first.`)
      : ok(alert);
  });
}

async function changeAlert(deps: AlertDeps, user: User, id: string, body: Change): Promise<Outcome<AlertWire>> {
  const before = await withUser(deps.db, user.id, (tx) => lockAlert(tx, id));
  if (before === undefined) return reject('not_found', notFound);
  const checked = body.condition === undefined ? ok(null) : await checkCondition(deps.market, body.condition);
  if (!checked.ok) return checked;
  // Active on a contract that has ended it would wait for ever.
  const isRearmed = body.state === 'active' && before.state !== 'active' && body.condition === undefined;
  const rearmed = isRearmed ? await checkCondition(deps.market, before.condition) : ok(null);
  if (!rearmed.ok) return rearmed;
  const nowMs = await withUser(deps.db, user.id, databaseNowMs);
  const wanted = checked.value ?? before.condition;
  const start = await startOf(deps.market, wanted, nowMs);
  return withUser(deps.db, user.id, async (tx) => {
    const alert = await lockAlert(tx, id);
    if (alert === undefined) return reject('not_found', notFound);
    const change = changeOf(alert, { ...body, condition: checked.value ?? alert.condition }, start);
    const isJudged = change.start !== undefined;
    for (const check of [
      change.state === 'active' ? checkExpiry(change.expiresAt, nowMs) : ok(null),
      isJudged ? await checkOwned(tx, change.condition) : ok(null),
      body.channels === undefined ? ok(null) : await checkChannels(tx, user, deps, body.channels),
    ])
      if (!check.ok) return check;
    return ok(await updateAlert(tx, user.id, id, change));
  });
}

/** The alert with the changed fields. Another condition, or an alert that is activated, starts again. */
function changeOf(
  alert: AlertWire,
  body: Change & { condition: AlertWire['condition'] },
  start: AlertChange['start'],
): AlertChange {
  // The database returns the keys in an order of its own.
  const isOther = !isDeepStrictEqual(JSON.parse(JSON.stringify(body.condition)), alert.condition);
  const state = body.state ?? (isOther ? 'active' : alert.state);
  const restarts = state === 'active' && (isOther || alert.state !== 'active');
  const given = {
    repeats: alert.repeats,
    pause_minutes: alert.pause_minutes,
    channels: alert.channels,
    note: alert.note,
    expires_at: alert.expires_at,
    ...withoutUndefined(body),
  };
  return {
    condition: body.condition,
    repeats: given.repeats,
    pauseS: given.pause_minutes * 60,
    channels: [...given.channels],
    note: given.note === '' ? null : given.note,
    expiresAt: given.expires_at,
    state,
    start: restarts ? start : undefined,
  };
}

const listAlerts = (deps: AlertDeps, user: User): Promise<AlertsWire> =>
  withUser(deps.db, user.id, async (tx) => ({
    alerts: await readAlerts(tx, deps.config.market),
    count_max: alertLimits.countMax,
    channels: channelsToWire(await readMissing(tx, user, deps.notifications)),
  }));

export function alertRoutes(app: App, deps: AlertDeps): void {
  app.addHook('onRequest', app.requireUser);
  addReads(app, deps);
  addChanges(app, deps);
  addDelete(app, deps);
}

function addReads(app: App, deps: AlertDeps): void {
  app.get(
    '/api/alerts',
    {
      schema: {
        access: 'read:account',
        sandbox: 'none',
        tags,
        summary: 'List your alerts and the channels they can use',
        response: { 200: AlertsResponse, ...signedIn },
      },
    },
    ({ user }) => listAlerts(deps, user),
  );
  app.get(
    '/api/alerts/:id/receipts',
    {
      schema: {
        access: 'read:account',
        sandbox: 'none',
        tags,
        summary: 'Read what fired an alert, and where it was delivered',
        description: 'Each receipt has the values that decided: deciding again from them gives the same result.',
        params: AlertId,
        response: { 200: AlertReceiptsResponse, ...signedIn, ...problems('validation_failed', 'not_found') },
      },
    },
    async ({ user, params: { id } }, reply) => {
      const receipts = await withUser(deps.db, user.id, (tx) => readReceipts(tx, id));
      return receipts === undefined ? sendProblem(reply, { code: 'not_found', message: notFound }) : { receipts };
    },
  );
  app.post(
    '/api/alerts/:id/receipts/:receipt/shown',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Store that a page showed a firing, and read it',
        params: ReceiptId,
        response: {
          200: ShownResponse,
          ...signedIn,
          ...problems('validation_failed', 'origin_refused', 'not_found'),
        },
      },
    },
    async ({ user, params }, reply) => {
      const receipt = await withUser(deps.db, user.id, (tx) => markShown(tx, user.id, params.receipt));
      return receipt === undefined ? sendProblem(reply, { code: 'not_found', message: notFound }) : { receipt };
    },
  );
}

function addChanges(app: App, deps: AlertDeps): void {
  app.post(
    '/api/alerts',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Set an alert',
        description:
          'Judged on the server also while no page is open. A crossing during a downtime is detected from the minute candles afterwards ' +
          `and marked late. At most ${alertLimits.countMax} alerts.`,
        body: AlertBody,
        response: {
          200: AlertResponse,
          ...signedIn,
          ...reaching,
          ...problems(...bodyRejections, 'conflict', 'rate_limited'),
        },
      },
    },
    async ({ user, body }, reply) => {
      await countChange(deps, user.id);
      const created = await createAlert(deps, user, body);
      return created.ok ? { alert: created.value } : sendProblem(reply, created.error);
    },
  );
  app.patch(
    '/api/alerts/:id',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Change, pause or rearm an alert',
        params: AlertId,
        body: AlertChangeBody,
        response: {
          200: AlertResponse,
          ...signedIn,
          ...reaching,
          ...problems(...bodyRejections, 'not_found', 'rate_limited'),
        },
      },
    },
    async ({ user, body, params: { id } }, reply) => {
      await countChange(deps, user.id);
      const changed = await changeAlert(deps, user, id, body);
      return changed.ok ? { alert: changed.value } : sendProblem(reply, changed.error);
    },
  );
}

function addDelete(app: App, deps: AlertDeps): void {
  app.delete(
    '/api/alerts/:id',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Delete an alert with its receipts',
        params: AlertId,
        response: {
          200: AlertsResponse,
          ...signedIn,
          ...problems('validation_failed', 'origin_refused', 'not_found', 'rate_limited'),
        },
      },
    },
    async ({ user, params: { id } }, reply) => {
      await countChange(deps, user.id);
      const isDeleted = await withUser(deps.db, user.id, (tx) => deleteAlert(tx, user.id, id));
      return isDeleted ? listAlerts(deps, user) : sendProblem(reply, { code: 'not_found', message: notFound });
    },
  );
}
