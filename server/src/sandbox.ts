import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { SANDBOX_MS } from '@sextant/workers/src/core/apiAccess.ts';
import { creditPrices, creditsText } from '@sextant/workers/src/core/creditPrices.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { neutralTuning } from '@sextant/workers/src/signals/signalRules.ts';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import type { Deps } from './deps.ts';
import type { ArbitrageScanResponse, ArbitrageScanBody } from './features/arbitrage/contract.ts';
import { findOpportunities } from './features/arbitrage/findOpportunities.ts';
import { arbitrageRoutes } from './features/arbitrage/routes.ts';
import { messages, paramsOf } from './features/arbitrage/runScan.ts';
import { backtestRoutes } from './features/backtest/routes.ts';
import { marketRoutes } from './features/market/routes.ts';
import { rulesRoutes } from './features/rules/routes.ts';
import { unmeasured } from './features/signals/confidenceBasis.ts';
import { defaultAuto } from './features/sandbox/defaultAuto.ts';
import type { StoredWorld } from './features/sandbox/clocks.ts';
import { createFrozenMarket } from './features/sandbox/frozenMarket.ts';
import { moveClock } from './features/sandbox/moveClock.ts';
import { sandboxRoutes } from './features/sandbox/routes.ts';
import { type IdOf, shownWorld, type WorldRequest } from './features/sandbox/world.ts';
import type { ScanStarted } from './features/scan/contract.ts';
import { sandboxScan, sandboxScanId, sandboxSignals } from './sandboxScan.ts';
import { signalRoutes } from './features/signals/routes.ts';
import { addRequireFresh } from './platform/auth/requireFresh.ts';
import { addRequireUser, type AuthenticatedUser, type EnterSandbox } from './platform/auth/requireUser.ts';
import { createRejection } from './platform/errors.ts';
import type { Market } from './features/market/port.ts';
import type { App } from './platform/http/app.ts';
import { createServer } from './platform/http/createServer.ts';
import { disconnectSignal } from './platform/http/disconnectSignal.ts';
import { holdSlot } from './platform/http/holdSlot.ts';
import { sendProblem } from './platform/http/problem.ts';
import { rejectionError } from './platform/http/rejectionError.ts';
import { createSlots } from './platform/limits/slots.ts';
import { once } from './platform/once.ts';

/**
 * The sandbox handles calls with test keys: a second app with the same features over a frozen market, without database, email and
 * accounts. No feature can reach live data from here: only the clock of an account is stored. docs/security.md describes how.
 */
export interface Sandbox {
  /** Handles a request that the live app has admitted. */
  enter: EnterSandbox;
  close: () => Promise<void>;
}

export interface SandboxDeps extends Pick<Deps, 'config' | 'engine' | 'kernel' | 'sandboxClocks'> {
  notifications: Pick<Deps['notifications'], 'poster'>;
}
/** A route as declared in the live app. */
export type SandboxRoute = Pick<RouteOptions, 'method' | 'url' | 'schema'>;

/** Request id in every response body; the header `x-request-id` has the call's real id, which is logged. */
const REQUEST_ID = '00000000-0000-4000-8000-000000000000';
/** Time of the call that is handled: each account has its own. */
const clock = new AsyncLocalStorage<number>();
const now = (): number => clock.getStore() ?? SANDBOX_MS;
const scanDeadlineMs = 15_000;

/** Markets of the times used last: a market holds the candles that were read. */
const MARKETS_MAX = 8;
const markets = new Map<number, Market>();
function marketAt(nowMs: number): Market {
  const market = markets.get(nowMs) ?? createFrozenMarket(nowMs);
  // Move to the end: the least recently used one is dropped first.
  markets.delete(nowMs);
  markets.set(nowMs, market);
  for (const oldest of markets.keys()) {
    if (markets.size <= MARKETS_MAX) break;
    markets.delete(oldest);
  }
  return market;
}

/** The market at the time of the call. */
const marketOfCall = new Proxy({} as Market, { get: (_target, name: keyof Market) => marketAt(now())[name] });

/** Replaces dependencies a sandbox feature must not have: their use returns `not_in_sandbox`. */
const rejecting: unknown = new Proxy(
  {},
  {
    get: () => {
      throw rejectionError('not_in_sandbox');
    },
  },
);

/** A deterministic id of a value, in the form of a UUID (version 8, custom). */
function idOf(thing: unknown): string {
  const hex = createHash('sha256').update(JSON.stringify(thing)).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
/** The id of a thing of this moment: after the start, equal things of other moments have other ids. */
const idNow: IdOf = (thing) => idOf(now() === SANDBOX_MS ? thing : [now(), thing]);

const routeDeps = ({ config, engine, kernel }: SandboxDeps) => ({
  config: { ...config, market: 'simulated' as const },
  engine,
  kernel,
  now,
  market: marketOfCall,
  isRegionBlocked: () => false,
  db: rejecting as Deps['db'],
  jobs: rejecting as Deps['jobs'],
  // The key's hourly limit applies instead.
  limiter: { hit: () => Promise.resolve(undefined), forget: () => Promise.resolve(), sweep: () => Promise.resolve() },
  storeRun: (_userId: string, body: unknown) => Promise.resolve(ok(idNow(body))),
  readAuto: () => Promise.resolve(defaultAuto),
  aiCheck: { model: undefined, dailyMicrousdMax: 0 },
  newsVotes: { read: () => ({ vote: undefined, strength: 0, storyCount: 0, stories: [] }), mark: () => '' },
  confidences: { of: unmeasured, refresh: () => Promise.resolve() },
  tuning: { get: () => Promise.resolve(neutralTuning), forget: () => undefined },
});
type RouteDeps = ReturnType<typeof routeDeps>;

type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown;
/** A caller with the world of its account. */
interface Caller {
  user: AuthenticatedUser;
  stored: StoredWorld;
}
type Callers = (request: FastifyRequest) => Caller;

/** Scans of the sandbox: every request of a moment gets the one documented scan. */
const scanHandlers = (deps: RouteDeps): Record<string, Handler> => ({
  'POST /api/scan': (_request, reply) =>
    reply
      .code(202)
      .send({ scan_id: sandboxScanId(idNow), status: 'queued', credits: 0 } satisfies z.input<typeof ScanStarted>),
  async 'GET /api/scan/last'(_request, reply) {
    const scan = await sandboxScan(deps, idNow);
    return scan.ok ? { scan: scan.value, active: null } : sendProblem(reply, scan.error);
  },
  async 'GET /api/scan/:id'(request, reply) {
    const { id } = request.params as { id: string };
    if (id !== sandboxScanId(idNow)) return sendProblem(reply, createRejection('not_found'));
    const scan = await sandboxScan(deps, idNow);
    return scan.ok ? { scan: scan.value } : sendProblem(reply, scan.error);
  },
});

/** Reads and moves the clock of the caller's account. */
function clockHandlers(deps: RouteDeps, own: SandboxDeps, callerOf: Callers): Record<string, Handler> {
  const move = {
    clocks: own.sandboxClocks,
    poster: own.notifications.poster,
    idOf,
    scanAt: (nowMs: number) => clock.run(nowMs, () => sandboxSignals(deps, idNow)),
  };
  const moveSlots = createSlots({ slotCount: 2, perKey: 1, queueMaxPerKey: 1, waitMsMax: 10_000 });
  return {
    'GET /api/sandbox/clock': (request) => shownWorld(callerOf(request).stored.world),
    async 'POST /api/sandbox/clock'(request, reply) {
      const { id } = callerOf(request).user;
      // A move runs hundreds of scans: one of an account at a time.
      await holdSlot(moveSlots, id, reply);
      const moved = await moveClock(move, id, request.body as WorldRequest, disconnectSignal(reply));
      return moved.ok ? moved.value : sendProblem(reply, moved.error);
    },
  };
}

/** Frozen routes that need an account when live: they read the key instead, or run without credits and without a stored row. */
const ownHandlers = (deps: RouteDeps, own: SandboxDeps, callerOf: Callers): Record<string, Handler> => ({
  ...scanHandlers(deps),
  ...clockHandlers(deps, own, callerOf),
  'GET /api/account/whoami': (request) => callerOf(request).user.testKey?.whoAmI,
  async 'POST /api/arbitrage-scan'(request, reply) {
    const params = paramsOf(request.body as z.output<typeof ArbitrageScanBody>);
    const signal = AbortSignal.timeout(scanDeadlineMs);
    const onProgress = (): Promise<void> => Promise.resolve();
    const outcome = await findOpportunities(deps, params, { userId: callerOf(request).user.id, signal, onProgress });
    if (!outcome.ok) return sendProblem(reply, outcome.error);
    // Durations depend on the machine, so the sandbox states zero.
    const results = { ...outcome.value, timing: { quotesMs: 0, engineMs: 0, booksMs: 0, totalMs: 0 } };
    const scanId = idNow(params);
    const frozenAt = new Date(now()).toISOString();
    const exists = results.items.length > 0;
    const scan = {
      scanId,
      status: exists ? ('done' as const) : ('empty' as const),
      createdAt: frozenAt,
      finishedAt: frozenAt,
      params,
      progress: { done: 1, total: 1 },
      results,
      failure: null,
    };
    const message = exists
      ? `Test keys are free. Live, this scan costs ${creditsText(creditPrices.arbitrageScan)}`
      : messages.nothing;
    return { scanId, items: results.items, scan, charged: false, credits: 0, message } satisfies z.input<
      typeof ArbitrageScanResponse
    >;
  },
});

const rejectRoute = (_request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  sendProblem(reply, createRejection('not_in_sandbox'));

/** Replaces each route's handler according to its `sandbox` rule. Call before the first route. */
function applyRules(app: App, handlers: Record<string, Handler>): Set<string> {
  const known = new Set<string>();
  app.addHook('onRoute', (route) => {
    const name = `${String(route.method)} ${route.url}`;
    known.add(name);
    const rule = route.schema?.sandbox;
    if (rule === 'frozen') route.handler = handlers[name] ?? route.handler;
    else if (typeof rule === 'object') route.handler = () => rule.answer;
    else {
      // Before the body is parsed: its content type may be one that only the live route accepts.
      route.onRequest = (request, reply, _done) => void rejectRoute(request, reply);
      route.handler = rejectRoute;
    }
  });
  return known;
}

async function buildSandboxApp(deps: SandboxDeps, routes: readonly SandboxRoute[], callerOf: Callers): Promise<App> {
  const { config } = deps;
  // The live app logs each response.
  const logLevel = config.logLevel === 'silent' ? 'silent' : 'warn';
  const app = createServer({ ...config, logLevel }, () => REQUEST_ID);
  app.addHook('onSend', (_request, reply, _payload, done) => {
    // The live app has already set its own.
    reply.removeHeader('x-request-id');
    done();
  });
  addRequireUser(
    app,
    () => Promise.resolve(null),
    ({ request }) => {
      const { id, email, sessionId, apiKeyId } = callerOf(request).user;
      return Promise.resolve({ id, email, sessionId, ...withoutUndefined({ apiKeyId }) });
    },
  );
  addRequireFresh(app, () => Promise.resolve(createRejection('not_in_sandbox')));
  const inner = routeDeps(deps);
  // After the body is read: its events do not carry the context of the call.
  app.addHook('preHandler', (request, _reply, done) => clock.run(callerOf(request).stored.world.nowMs, done));
  const known = applyRules(app, ownHandlers(inner, deps, callerOf));
  // Each feature has its own scope, as in the live app.
  for (const feature of [marketRoutes, signalRoutes, backtestRoutes, rulesRoutes, arbitrageRoutes, sandboxRoutes])
    await app.register((scope, _options, done) => {
      feature(scope, inner);
      done();
    });
  for (const { method, url, schema } of routes) {
    const isOther = schema?.sandbox !== undefined && schema.sandbox !== 'same';
    if (isOther && !known.has(`${String(method)} ${url}`)) app.route({ method, url, schema, handler: rejectRoute });
  }
  await app.ready();
  return app;
}

/** @param routes of the live app; read when the first test key calls, which builds the sandbox */
export function createSandbox(deps: SandboxDeps, routes: readonly SandboxRoute[]): Sandbox {
  const callers = new WeakMap<IncomingMessage, Caller>();
  const callerOf: Callers = ({ raw }) => {
    const caller = callers.get(raw);
    if (caller === undefined) throw new Error('a call reached the sandbox without being admitted');
    return caller;
  };
  let built = false;
  const inner = once(() => {
    built = true;
    return buildSandboxApp(deps, routes, callerOf);
  });
  return {
    async enter(request, reply, user) {
      const app = await inner();
      callers.set(request.raw, { user, stored: await deps.sandboxClocks.read(user.id) });
      reply.hijack();
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) reply.raw.setHeader(name, value);
      app.routing(request.raw, reply.raw);
    },
    async close() {
      if (built) await (await inner()).close();
    },
  };
}
