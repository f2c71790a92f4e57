import { timingSafeEqual } from 'node:crypto';
import { type ApiPlan, type ApiScope, apiPlans, TEST_HOURLY_LIMIT } from '@sextant/workers/src/core/apiAccess.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { App } from '../../platform/http/app.ts';
import type { Access } from '../../platform/auth/access.ts';
import type { AdmitKey, AuthenticatedUser, KeyRequest } from '../../platform/auth/requireUser.ts';
import type { Db, SystemTx } from '../../platform/db/scope.ts';
import type { EventHub } from '../../platform/events/eventHub.ts';
import { RejectionError, rejectionError } from '../../platform/http/rejectionError.ts';
import { clientKey } from '../../platform/limits/clientKey.ts';
import type { Outbox } from '../mail/outbox.ts';
import { createPublicLimit } from '../../platform/limits/publicLimit.ts';
import { type CallLog, createCallLog, type NewNetwork } from './callLog.ts';
import { createHourlyLimits, type HourlyLimits, type HourlyUse } from './hourlyLimits.ts';
import { type CachedKey, createKeyCache, type KeyCache } from './keyCache.ts';
import { hashKey, readPublicId } from './keyFormat.ts';
import type { WhoAmIResponse } from './contract.ts';
import { newNetworkEmail } from './emails.ts';
import { alertUse, planOf } from './subscriptions.ts';

/** Authorises, counts and logs calls with API keys. One instance per node. */
export interface ApiAccess {
  admit: AdmitKey;
  limits: HourlyLimits;
  calls: CallLog;
  /** Logs the response of a call with a key. */
  watch: (app: App) => void;
  /** Whether the key of a call has a scope besides the one its route declares. */
  hasScope: (request: FastifyRequest, scope: ApiScope) => boolean;
  /** Whether the key of an open call still has the access it started with; counts nothing. */
  isStillAllowed: (request: FastifyRequest) => Promise<boolean>;
  /** Id of a key by its full text; undefined when it is unknown or has ended. Checks nothing else. */
  findKeyId: (ip: string, key: string) => Promise<string | undefined>;
  /** Logs a call that stays open, with its initial status. */
  logOpened: (request: FastifyRequest, reply: FastifyReply, status: number) => void;
  nowMs: () => number;
  close: () => Promise<void>;
}

export interface ApiAccessOptions {
  db: Db;
  events: EventHub;
  outbox: Outbox;
  baseUrl: string;
  /** Epoch ms: clock for hours, plans and the window of unknown keys. */
  nowMs: () => number;
  onError: (error: unknown) => void;
}

/** Use by a request with a known key, for its row in the log. */
const keyCalls = new WeakMap<FastifyRequest, { key: CachedKey; credits: number }>();

/** Adds credits to the log entry of a call; does nothing without an API key. */
export function noteSpending(request: FastifyRequest, credits: number): void {
  const call = keyCalls.get(request);
  if (call !== undefined) call.credits += credits;
}

const invalidKey = (): RejectionError => rejectionError('not_authenticated', 'Invalid or missing API key.');

/** The same error for a missing scope and a disallowed address, so that a stolen key does not reveal which check failed. */
function rejectAccess(access: Access): RejectionError {
  if (access === 'session') return rejectionError('forbidden', 'This call needs a signed-in session, not an API key.');
  const scope = access === 'any_key' || access === 'public' ? '' : `the scope ${access} and `;
  return rejectionError(
    'forbidden',
    `API key lacks required permissions. The call needs ${scope}an address that the key allows.`,
  );
}

const hasScope = (key: CachedKey, access: Access): boolean =>
  access === 'any_key' || access === 'public' || (access !== 'session' && key.scopes.has(access satisfies ApiScope));

/** Unknown keys per network and minute; each costs a database query. Above the limit only cached keys are accepted. */
const unknownKeys = { hitMax: 120, windowMs: 60_000 };
const blockedNetworksMax = 10_000;
const policy = 'hour';

function sendUse(reply: FastifyReply, { limit, remaining, resetS }: HourlyUse): void {
  void reply
    .header('ratelimit-policy', `"${policy}";q=${limit};w=3600`)
    .header('ratelimit', `"${policy}";r=${remaining};t=${resetS}`);
}

function overLimit({ limit, resetS }: HourlyUse, plan: ApiPlan, { mode }: CachedKey): RejectionError {
  const whose = mode === 'test' ? 'with test keys' : `on the ${plan.name} plan`;
  const message = `API quota exceeded: ${limit} calls an hour ${whose}. Resets in ${Math.ceil(resetS / 60)} min.`;
  return new RejectionError({ code: 'rate_limited', message, retryAfterS: resetS });
}

/** Response of `whoami` to a test key: everything the sandbox knows of an account. */
const whoAmITest = (key: CachedKey, plan: ApiPlan, ip: string): z.output<typeof WhoAmIResponse> => ({
  user_id: key.userId,
  username: key.username,
  mode: 'test',
  key: { id: key.id, name: key.name, scopes: [...key.listedScopes], credit_cap: key.creditCap },
  ip,
  plan: plan.name,
  hourly_limit: TEST_HOURLY_LIMIT,
});

function callerOf(key: CachedKey, plan: ApiPlan, ip: string): AuthenticatedUser {
  const user = { id: key.userId, email: key.email, sessionId: '', apiKeyId: key.id };
  return key.mode === 'test' ? { ...user, testKey: { whoAmI: whoAmITest(key, plan, ip) } } : user;
}

/** Finds the key of a call. A network that sent many unknown keys is served from the cache only, for the rest of the minute. */
function createKeyFinder(keys: KeyCache, nowMs: () => number): (ip: string, key: string) => Promise<CachedKey> {
  const misses = createPublicLimit({ ...unknownKeys, now: nowMs });
  const blockedUntilMs = new Map<string, number>();
  function rejectBlocked(ip: string): void {
    const waitMs = (blockedUntilMs.get(clientKey(ip)) ?? 0) - nowMs();
    if (waitMs <= 0) return;
    const message = 'Too many invalid API keys from this network.';
    throw new RejectionError({ code: 'rate_limited', message, retryAfterS: Math.ceil(waitMs / 1000) });
  }

  function noteUnknown(ip: string): void {
    const waitS = misses.hit(clientKey(ip));
    if (waitS === undefined) return;
    if (blockedUntilMs.size >= blockedNetworksMax) blockedUntilMs.clear();
    blockedUntilMs.set(clientKey(ip), nowMs() + waitS * 1000);
  }

  return async (ip, key) => {
    const publicId = readPublicId(key);
    const digest = hashKey(key);
    if (publicId === undefined) throw invalidKey();
    if (keys.isCold(publicId)) rejectBlocked(ip);
    const match = await keys.find(publicId);
    // Unknown ids are compared too, for constant time.
    const isRight = timingSafeEqual(digest, match?.secretHash ?? Buffer.alloc(digest.length));
    if (match !== null && isRight) return match;
    noteUnknown(ip);
    throw invalidKey();
  };
}

/** Emails the owner of a key that was used from a new network. */
async function notifyOwner(
  tx: SystemTx,
  { outbox, baseUrl }: Pick<ApiAccessOptions, 'outbox' | 'baseUrl'>,
  { userId, keyId, ip }: NewNetwork,
): Promise<void> {
  const row = await tx
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .select(['api_keys.name', 'users.email'])
    .where('api_keys.id', '=', keyId)
    .where('users.id', '=', userId)
    .executeTakeFirst();
  if (row !== undefined) await outbox.add(tx, newNetworkEmail(baseUrl, row.email, { name: row.name, ip }));
}

/** Checks the key of a request as `admit` does, without counting against its limit. */
async function isStillAllowed(findKey: ReturnType<typeof createKeyFinder>, request: FastifyRequest): Promise<boolean> {
  const access = request.routeOptions.schema?.access ?? 'session';
  try {
    const key = await findKey(request.ip, String(request.headers['x-api-key']));
    const isLive = !key.isRevoked && key.expiresAtMs > Date.now();
    return isLive && hasScope(key, access) && key.isAllowedFrom(request.ip);
  } catch (failure) {
    if (failure instanceof RejectionError) return false;
    throw failure;
  }
}

async function findKeyId(findKey: ReturnType<typeof createKeyFinder>, ip: string, text: string) {
  try {
    const { id, isRevoked, expiresAtMs } = await findKey(ip, text);
    return isRevoked || expiresAtMs <= Date.now() ? undefined : id;
  } catch (failure) {
    if (failure instanceof RejectionError) return undefined;
    throw failure;
  }
}

/** Subscribes to changes of keys and plans at the first call with a key: a node without such calls needs no listening connection. */
function createKeyListener(events: EventHub, onChange: (userId: string | null) => void) {
  let stop: (() => void) | undefined;
  return {
    listen(): void {
      stop ??= events.onTopic((topic, userId) => {
        if (topic === 'resync') onChange(null);
        else if (topic === 'api' && userId !== null) onChange(userId);
      });
    },
    stop: () => stop?.(),
  };
}

export function createApiAccess({ db, events, outbox, baseUrl, nowMs, onError }: ApiAccessOptions): ApiAccess {
  const keys = createKeyCache(db);
  const findKey = createKeyFinder(keys, nowMs);
  const emailDeps = { db, outbox, baseUrl };
  const limits = createHourlyLimits({
    db,
    nowMs,
    onError,
    onUse: (userId, used, limit) => alertUse(emailDeps, { userId, used, limit }),
  });
  const testLimits = createHourlyLimits({ db, nowMs, onError, table: 'api_test_leases' });
  const calls = createCallLog({ db, onError, onNewNetwork: (tx, network) => notifyOwner(tx, emailDeps, network) });

  const listener = createKeyListener(events, (userId) => {
    keys.forget(userId);
    if (userId === null) return;
    for (const each of [limits, testLimits]) each.giveBack(userId).catch(onError);
  });

  const planNow = ({ boughtPlan }: CachedKey): ApiPlan =>
    boughtPlan !== null && boughtPlan.expiresAtMs > nowMs() ? planOf(boughtPlan.name) : apiPlans[0];

  async function admit(call: KeyRequest): Promise<AuthenticatedUser> {
    const { request, reply, access } = call;
    listener.listen();
    const key = await findKey(request.ip, call.key);
    keyCalls.set(request, { key, credits: 0 });
    if (key.isRevoked || key.expiresAtMs <= Date.now()) throw invalidKey();
    if (!hasScope(key, access) || !key.isAllowedFrom(request.ip)) throw rejectAccess(access);
    const plan = planNow(key);
    const taking =
      key.mode === 'test' ? testLimits.take(key.userId, TEST_HOURLY_LIMIT) : limits.take(key.userId, plan.hourlyLimit);
    const use = await taking;
    sendUse(reply, use);
    if (!use.isAdmitted) throw overLimit(use, plan, key);
    return callerOf(key, plan, request.ip);
  }

  return {
    admit,
    limits,
    calls,
    nowMs,
    hasScope: (request, scope) => keyCalls.get(request)?.key.scopes.has(scope) === true,
    findKeyId: (ip, key) => findKeyId(findKey, ip, key),
    isStillAllowed: (request) => isStillAllowed(findKey, request),
    logOpened(request, reply, status) {
      const call = keyCalls.get(request);
      keyCalls.delete(request);
      if (call !== undefined) calls.add({ ...toLogged(request, reply, call), status });
    },
    watch(app) {
      app.addHook('onResponse', (request, reply, done) => {
        const call = keyCalls.get(request);
        if (call !== undefined) calls.add(toLogged(request, reply, call));
        done();
      });
    },
    async close() {
      listener.stop();
      await Promise.all([limits.close(), testLimits.close(), calls.close()]);
    },
  };
}

function toLogged(request: FastifyRequest, reply: FastifyReply, { key, credits }: { key: CachedKey; credits: number }) {
  const path = request.url.split('?', 1)[0] ?? '/';
  return {
    atMs: Date.now() - reply.elapsedTime,
    requestId: request.id,
    userId: key.userId,
    keyId: key.id,
    method: request.method,
    route: request.routeOptions.url ?? path,
    path,
    status: reply.statusCode,
    durationMs: reply.elapsedTime,
    ip: request.ip,
    credits: reply.statusCode < 400 ? credits : 0,
  };
}
