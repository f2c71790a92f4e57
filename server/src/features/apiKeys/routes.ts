import { apiPlans } from '@sextant/workers/src/core/apiAccess.ts';
import { type Db, withSystem, withUser } from '../../platform/db/scope.ts';
import { createRejection } from '../../platform/errors.ts';
import type { App } from '../../platform/http/app.ts';
import { bodyRejections, problems, sendProblem } from '../../platform/http/problem.ts';
import { IdempotencyHeaders } from '../credits/idempotency.ts';
import type { ApiAccess } from './apiAccess.ts';
import {
  ApiKeyResponse,
  ApiKeyChange,
  ApiKeyCreated,
  ApiKeyId,
  ApiKeyRequest,
  ApiKeysResponse,
  ApiLogsResponse,
  ApiLogsCsv,
  ApiLogsCsvQuery,
  ApiLogsQuery,
  ApiUsageResponse,
  CalledRoutesResponse,
  ApiUsageQuery,
  KeyRevokedResponse,
  RotateRequest,
  SubscriptionResponse,
  SubscriptionRequest,
  WhoAmIResponse,
} from './contract.ts';
import { addKey, changeKey, readKeys, readOwnKey, revokeKey, rotateKey } from './keys.ts';
import { changePlan, readPaidPlans, readPlan } from './subscriptions.ts';
import { exampleLogs, exampleUsage } from './exampleUse.ts';
import { CSV_ROWS_MAX, readCalledRoutes, readCalls, readUsage, toCsv } from './usage.ts';

export interface ApiRouteDeps {
  db: Db;
  api: ApiAccess;
}

const tags = ['API access'];
const HOUR_MS = 3_600_000;
const fresh = problems('not_authenticated', 'forbidden', 'step_up_required');
const unknownKey = createRejection('not_found', 'No active key has this id.');

export function apiRoutes(app: App, deps: ApiRouteDeps): void {
  keyRoutes(app, deps);
  oneKeyRoutes(app, deps);
  subscriptionRoutes(app, deps);
  whoAmIRoute(app, deps);
  usageRoutes(app, deps);
  dayRoute(app, deps);
}

function keyRoutes(app: App, { db, api }: ApiRouteDeps): void {
  app.get(
    '/api/account/api-keys',
    {
      onRequest: app.requireUser,
      schema: { access: 'session', tags, summary: 'Your API keys', response: { 200: ApiKeysResponse } },
    },
    async (request) => {
      // The last use of a key is stored with its calls.
      await api.calls.flush();
      return { keys: await withSystem(db, (tx) => readKeys(tx, request.user.id)) };
    },
  );
  app.post(
    '/api/account/api-keys',
    {
      onRequest: app.requireFresh,
      schema: {
        access: 'session',
        tags,
        summary: 'Create an API key; only this response shows it in full',
        body: ApiKeyRequest,
        response: { 200: ApiKeyCreated, ...problems(...bodyRejections, 'conflict'), ...fresh },
      },
    },
    (request) => {
      const { user, ip, body } = request;
      return withSystem(db, (tx) => addKey(tx, { userId: user.id, ip }, body));
    },
  );
}

function oneKeyRoutes(app: App, { db }: ApiRouteDeps): void {
  app.patch(
    '/api/account/api-keys/:id',
    {
      onRequest: app.requireFresh,
      schema: {
        access: 'session',
        tags,
        summary: 'Update name, scopes, addresses or credit cap of an API key',
        params: ApiKeyId,
        body: ApiKeyChange,
        response: { 200: ApiKeyResponse, ...problems(...bodyRejections, 'not_found'), ...fresh },
      },
    },
    async (request, reply) => {
      const key = await withSystem(db, (tx) => changeKey(tx, request.user.id, request.params.id, request.body));
      return key === undefined ? sendProblem(reply, unknownKey) : { key };
    },
  );
  app.post(
    '/api/account/api-keys/:id/rotate',
    {
      onRequest: app.requireFresh,
      schema: {
        access: 'session',
        tags,
        summary: 'Rotate an API key; the old one can stay valid for an hour or a day',
        params: ApiKeyId,
        body: RotateRequest,
        response: { 200: ApiKeyCreated, ...problems(...bodyRejections, 'not_found'), ...fresh },
      },
    },
    async (request, reply) => {
      const rotated = await withSystem(db, (tx) => rotateKey(tx, request.user.id, request.params.id, request.body));
      return rotated ?? sendProblem(reply, unknownKey);
    },
  );
  app.delete(
    '/api/account/api-keys/:id',
    {
      onRequest: app.requireUser,
      schema: {
        access: 'session',
        tags,
        summary: 'Revoke an API key on every node, within 5 seconds',
        params: ApiKeyId,
        response: { 200: KeyRevokedResponse, ...problems('validation_failed', 'origin_refused', 'not_found') },
      },
    },
    async (request, reply) => {
      const isRevoked = await withSystem(db, (tx) => revokeKey(tx, request.user.id, request.params.id));
      return isRevoked ? { done: true as const } : sendProblem(reply, unknownKey);
    },
  );
}

const plans = apiPlans.map(({ name, priceCredits, hourlyLimit }) => ({
  plan: name,
  price_credits_month: priceCredits,
  hourly_limit: hourlyLimit,
}));

async function subscriptionOf({ db, api }: ApiRouteDeps, userId: string) {
  const nowMs = api.nowMs();
  const resetMs = (Math.floor(nowMs / HOUR_MS) + 1) * HOUR_MS;
  return withSystem(db, async (tx) => {
    const { plan, startedAt, expiresAt } = await readPlan(tx, userId, nowMs);
    const current = {
      plan: plan.name,
      hourly_limit: plan.hourlyLimit,
      window_count: await api.limits.countUsed(tx, userId),
      reset_at: new Date(resetMs).toISOString(),
      started_at: startedAt?.toISOString() ?? null,
      expires_at: expiresAt?.toISOString() ?? null,
    };
    const paid = (await readPaidPlans(tx, userId, nowMs)).map(({ plan: { name }, expiresAt: endsAt }) => ({
      plan: name,
      expires_at: endsAt.toISOString(),
    }));
    return { current, plans, paid };
  });
}

function subscriptionRoutes(app: App, deps: ApiRouteDeps): void {
  const { db, api } = deps;
  app.get(
    '/api/account/api-subscription',
    {
      onRequest: app.requireUser,
      schema: {
        access: 'read:account',
        sandbox: 'none',
        tags,
        summary: 'Read your API plan, hourly use and all plans',
        response: { 200: SubscriptionResponse },
      },
    },
    (request) => subscriptionOf(deps, request.user.id),
  );
  app.post(
    '/api/account/api-subscription',
    {
      onRequest: app.requireUser,
      schema: {
        access: 'session',
        tags,
        summary: 'Buy a plan for 30 days with credits, or change to FREE',
        description:
          'A paid plan can only change to FREE, at once and without a refund. Changing back is free until its paid end; ' +
          'another plan is bought separately. Plans do not renew.',
        headers: IdempotencyHeaders,
        body: SubscriptionRequest,
        response: {
          200: SubscriptionResponse,
          ...problems(...bodyRejections, 'not_authenticated', 'insufficient_credits', 'plan_locked', 'conflict'),
        },
      },
    },
    async (request, reply) => {
      const { user, body, headers } = request;
      const idempotencyKey = headers['idempotency-key'];
      const changed = await changePlan(db, { userId: user.id, plan: body.plan, idempotencyKey, nowMs: api.nowMs() });
      return changed.ok ? subscriptionOf(deps, user.id) : sendProblem(reply, changed.error);
    },
  );
}

function whoAmIRoute(app: App, { db, api }: ApiRouteDeps): void {
  app.get(
    '/api/account/whoami',
    {
      onRequest: app.requireUser,
      schema: {
        access: 'any_key',
        sandbox: 'frozen',
        tags,
        summary: 'Read the owner and permissions of this key',
        response: { 200: WhoAmIResponse },
      },
    },
    async (request) => {
      const { id, apiKeyId } = request.user;
      const key = apiKeyId === undefined ? null : await withUser(db, id, (tx) => readOwnKey(tx, apiKeyId));
      return withSystem(db, async (tx) => {
        const { plan } = await readPlan(tx, id, api.nowMs());
        const user = await tx.selectFrom('users').select('username').where('id', '=', id).executeTakeFirst();
        return {
          user_id: id,
          username: user?.username ?? null,
          // The sandbox serves test keys, from the same facts (apiAccess.ts).
          mode: 'live' as const,
          key,
          ip: request.ip,
          plan: plan.name,
          hourly_limit: plan.hourlyLimit,
        };
      });
    },
  );
}

function usageRoutes(app: App, { db, api }: ApiRouteDeps): void {
  app.get(
    '/api/account/api-logs',
    {
      onRequest: app.requireUser,
      schema: {
        access: 'read:account',
        sandbox: { answer: exampleLogs },
        tags,
        summary: 'List the newest calls with your keys (30 days)',
        querystring: ApiLogsQuery,
        response: { 200: ApiLogsResponse, ...problems('validation_failed') },
      },
    },
    async (request) => {
      const { limit, ...filters } = request.query;
      await api.calls.flush();
      return { items: await withUser(db, request.user.id, (tx) => readCalls(tx, filters, limit)) };
    },
  );
  app.get(
    '/api/account/api-logs/routes',
    {
      onRequest: app.requireUser,
      schema: {
        access: 'read:account',
        sandbox: { answer: { routes: [...new Set(exampleLogs.items.map(({ route }) => route))].sort() } },
        tags,
        summary: 'List the routes your keys called in the last 30 days',
        response: { 200: CalledRoutesResponse },
      },
    },
    async (request) => {
      await api.calls.flush();
      return { routes: await withUser(db, request.user.id, (tx) => readCalledRoutes(tx, request.user.id)) };
    },
  );
  app.get(
    '/api/account/api-logs/csv',
    {
      onRequest: app.requireUser,
      schema: {
        access: 'read:account',
        sandbox: 'none',
        tags,
        summary: 'Export the newest 10,000 calls as CSV',
        querystring: ApiLogsCsvQuery,
        response: { 200: ApiLogsCsv, ...problems('validation_failed') },
      },
    },
    async (request, reply) => {
      await api.calls.flush();
      const calls = await withUser(db, request.user.id, (tx) => readCalls(tx, request.query, CSV_ROWS_MAX));
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="sextant-api-calls.csv"')
        .send(toCsv(calls));
    },
  );
}

function dayRoute(app: App, { db, api }: ApiRouteDeps): void {
  app.get(
    '/api/account/api-usage',
    {
      onRequest: app.requireUser,
      schema: {
        access: 'read:account',
        sandbox: { answer: exampleUsage() },
        tags,
        summary: 'Read call counts, success and latency of the last 24 hours',
        description: 'Live keys by default; set `mode` to test for test keys.',
        querystring: ApiUsageQuery,
        response: { 200: ApiUsageResponse, ...problems('validation_failed') },
      },
    },
    async (request) => {
      await api.calls.flush();
      return withUser(db, request.user.id, (tx) => readUsage(tx, request.query.mode));
    },
  );
}
