import { withoutUndefined } from '@sextant/workers/src/withoutUndefined.ts';
import { SANDBOX_MS } from '@sextant/workers/src/apiAccess.ts';
import { creditPrices, creditsText } from '@sextant/workers/src/creditPrices.ts';
import { ok } from '@sextant/workers/src/result.ts';
import { numberSettings } from '@sextant/workers/src/settings.ts';
import { neutralTuning } from '@sextant/workers/src/signalRules.ts';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import type { Deps } from './deps.ts';
import type { ArbitrageScanAnswer, ArbitrageScanBody } from './features/arbitrage/contract.ts';
import { findOpportunities } from './features/arbitrage/findOpportunities.ts';
import { arbitrageRoutes } from './features/arbitrage/routes.ts';
import { messages, paramsOf } from './features/arbitrage/runScan.ts';
import { backtestRoutes } from './features/backtest/routes.ts';
import { marketRoutes } from './features/market/routes.ts';
import { unmeasured } from './features/performance/confidenceBasis.ts';
import { createFrozenMarket } from './features/sandbox/frozenMarket.ts';
import { judge } from './features/scan/candidates.ts';
import type { Scan, ScanParams, ScanStarted } from './features/scan/contract.ts';
import { type FindDeps, findSignals } from './features/scan/findSignals.ts';
import { resultsOf } from './features/scan/storedResults.ts';
import { withVerdicts } from './features/scan/verdicts.ts';
import { signalRoutes } from './features/signals/routes.ts';
import { addRequireFresh } from './platform/auth/requireFresh.ts';
import { addRequireUser, type AuthenticatedUser, type EnterSandbox } from './platform/auth/requireUser.ts';
import { createRefusal, type Outcome } from './platform/errors.ts';
import type { App } from './platform/http/app.ts';
import { createServer } from './platform/http/createServer.ts';
import { sendProblem } from './platform/http/problem.ts';
import { refusalError } from './platform/http/refusalError.ts';
import { once } from './platform/once.ts';

/**
 * The sandbox answers calls with test keys: a second app with the same features over a frozen market, which has no database, no mail and
 * no account. Whatever a feature does, it cannot reach live data from here. docs/security.md says how.
 */
export interface Sandbox {
  /** Answers a request that the live app has admitted. */
  enter: EnterSandbox;
  close: () => Promise<void>;
}

export type SandboxDeps = Pick<Deps, 'config' | 'engine' | 'kernel'>;
/** A route as the live app has it. */
export type SandboxRoute = Pick<RouteOptions, 'method' | 'url' | 'schema'>;

/** Of every answer; the header `x-request-id` has that of the call, which the log knows. */
const REQUEST_ID = '00000000-0000-4000-8000-000000000000';
const now = (): number => SANDBOX_MS;
const frozenAt = new Date(SANDBOX_MS).toISOString();
const scanDeadlineMs = 15_000;

/** In place of what a feature of the sandbox must not have: its use is answered with `not_in_sandbox`. */
const refusing: unknown = new Proxy(
  {},
  {
    get: () => {
      throw refusalError('not_in_sandbox');
    },
  },
);

/** The same id for the same thing, in the form of a UUID (version 8: made in a way of our own). */
function idOf(thing: unknown): string {
  const hex = createHash('sha256').update(JSON.stringify(thing)).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const routeDeps = ({ config, engine, kernel }: SandboxDeps) => ({
  config: { ...config, market: 'simulated' as const },
  engine,
  kernel,
  now,
  market: createFrozenMarket(),
  db: refusing as Deps['db'],
  jobs: refusing as Deps['jobs'],
  // The hour of the key is the limit.
  limiter: { hit: () => Promise.resolve(undefined), forget: () => Promise.resolve(), sweep: () => Promise.resolve() },
  storeRun: (_userId: string, body: unknown) => Promise.resolve(ok(idOf(body))),
  aiCheck: { model: undefined, dailyMicrousdMax: 0 },
  newsVotes: { read: () => ({ vote: undefined, strength: 0, storyCount: 0, stories: [] }), mark: () => '' },
  confidences: { of: unmeasured, refresh: () => Promise.resolve() },
  tuning: { get: () => Promise.resolve(neutralTuning), forget: () => undefined },
});
type RouteDeps = ReturnType<typeof routeDeps>;

type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown;
type Callers = (request: FastifyRequest) => AuthenticatedUser;

/** Scans of the sandbox: whatever is asked for, the one that is there is the documented one. */
const scanHandlers = (deps: RouteDeps): Record<string, Handler> => ({
  'POST /api/scan': (_request, reply) =>
    reply
      .code(202)
      .send({ scan_id: sandboxScanId(idOf), status: 'queued', credits: 0 } satisfies z.input<typeof ScanStarted>),
  async 'GET /api/scan/last'(_request, reply) {
    const scan = await sandboxScan(deps, idOf);
    return scan.ok ? { scan: scan.value, active: null } : sendProblem(reply, scan.error);
  },
  async 'GET /api/scan/:id'(request, reply) {
    const { id } = request.params as { id: string };
    if (id !== sandboxScanId(idOf)) return sendProblem(reply, createRefusal('not_found'));
    const scan = await sandboxScan(deps, idOf);
    return scan.ok ? { scan: scan.value } : sendProblem(reply, scan.error);
  },
});

/** Frozen routes that live need an account: told from the key, or done without a credit and without a record. */
const ownHandlers = (deps: RouteDeps, callerOf: Callers): Record<string, Handler> => ({
  ...scanHandlers(deps),
  'GET /api/account/whoami': (request) => callerOf(request).testKey?.whoAmI,
  async 'POST /api/arbitrage-scan'(request, reply) {
    const params = paramsOf(request.body as z.output<typeof ArbitrageScanBody>);
    const signal = AbortSignal.timeout(scanDeadlineMs);
    const onProgress = (): Promise<void> => Promise.resolve();
    const found = await findOpportunities(deps, params, { userId: callerOf(request).id, signal, onProgress });
    if (!found.ok) return sendProblem(reply, found.error);
    // Times of work are those of a machine; here nothing takes time.
    const results = { ...found.value, timing: { quotesMs: 0, engineMs: 0, booksMs: 0, totalMs: 0 } };
    const scanId = idOf(params);
    const isFound = results.items.length > 0;
    const scan = {
      scanId,
      status: isFound ? ('done' as const) : ('empty' as const),
      createdAt: frozenAt,
      finishedAt: frozenAt,
      params,
      progress: { done: 1, total: 1 },
      results,
      failure: null,
    };
    const message = isFound
      ? `Test keys are never charged: live, this scan costs ${creditsText(creditPrices.arbitrageScan)}`
      : messages.nothing;
    return { scanId, items: results.items, scan, charged: false, credits: 0, message } satisfies z.input<
      typeof ArbitrageScanAnswer
    >;
  },
});

const refuseRoute = (_request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  sendProblem(reply, createRefusal('not_in_sandbox'));

/** Gives each route the handler that its `sandbox` asks for. Before the first route. */
function applyRules(app: App, handlers: Record<string, Handler>): Set<string> {
  const known = new Set<string>();
  app.addHook('onRoute', (route) => {
    const name = `${String(route.method)} ${route.url}`;
    known.add(name);
    const rule = route.schema?.sandbox;
    if (rule === 'frozen') route.handler = handlers[name] ?? route.handler;
    else if (typeof rule === 'object') route.handler = () => rule.answer;
    else {
      // Before the body is read: it may be of a kind that only the live route takes.
      route.onRequest = (request, reply, _done) => void refuseRoute(request, reply);
      route.handler = refuseRoute;
    }
  });
  return known;
}

async function buildSandboxApp(deps: SandboxDeps, routes: readonly SandboxRoute[], callerOf: Callers): Promise<App> {
  const { config } = deps;
  // The live app writes the line of each answer.
  const logLevel = config.logLevel === 'silent' ? 'silent' : 'warn';
  const app = createServer({ ...config, logLevel }, () => REQUEST_ID);
  app.addHook('onSend', (_request, reply, _payload, done) => {
    // That of the live app is on its way already.
    reply.removeHeader('x-request-id');
    done();
  });
  addRequireUser(
    app,
    () => Promise.resolve(null),
    ({ request }) => {
      const { id, email, sessionId, apiKeyId } = callerOf(request);
      return Promise.resolve({ id, email, sessionId, ...withoutUndefined({ apiKeyId }) });
    },
  );
  addRequireFresh(app, () => Promise.resolve(createRefusal('not_in_sandbox')));
  const inner = routeDeps(deps);
  const known = applyRules(app, ownHandlers(inner, callerOf));
  // Each feature has a scope of its own, as in the live app.
  for (const feature of [marketRoutes, signalRoutes, backtestRoutes, arbitrageRoutes])
    await app.register((scope, _options, done) => {
      feature(scope, inner);
      done();
    });
  for (const { method, url, schema } of routes) {
    const isOther = schema?.sandbox !== undefined && schema.sandbox !== 'same';
    if (isOther && !known.has(`${String(method)} ${url}`)) app.route({ method, url, schema, handler: refuseRoute });
  }
  await app.ready();
  return app;
}

/** @param routes of the live app; read when the first test key calls, which builds the sandbox */
export function createSandbox(deps: SandboxDeps, routes: readonly SandboxRoute[]): Sandbox {
  const callers = new WeakMap<IncomingMessage, AuthenticatedUser>();
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
      callers.set(request.raw, user);
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

/** What the scan of the sandbox asked for: the request of the documentation with the defaults of a new account, but for the least confidence. */
const params: ScanParams = {
  exchange: 'binance',
  symbols: ['BTCUSDT', 'ETHUSDT'],
  intervals: ['1h'],
  limit: 500,
  balance: 1000,
  leverage: 10,
  riskTolerance: 'medium',
  isDynamicRisk: false,
  tuning: neutralTuning,
  confidenceFloor: null,
  // Without a calibration confidence is a score, which seldom reaches the usual 60.
  minConfidencePct: 25,
  positionsWanted: 5,
  maxSymbols: 100,
  whitelist: [],
  blacklist: [],
};

const deadlineMs = 20_000;

/** The one scan of the sandbox, which is done: computed from the frozen market each time, so that nothing has to be remembered. */
async function sandboxScan(
  deps: FindDeps & { now: () => number },
  idOf: (thing: unknown) => string,
): Promise<Outcome<z.input<typeof Scan>>> {
  const signal = AbortSignal.timeout(deadlineMs);
  const found = await findSignals(deps, params, { userId: '', signal, onProgress: () => Promise.resolve() });
  if (!found.ok) return found;
  const at = new Date(deps.now()).toISOString();
  const results = resultsOf(found.value, {
    judged: judge(found.value.scored, params),
    idOf: (series) => idOf([series.symbol, series.interval]),
    nowMs: deps.now(),
    totalMs: 0,
  });
  return ok({
    scan_id: idOf(params),
    status: 'done',
    created_at: at,
    finished_at: at,
    params,
    // Times of work are those of a machine; here nothing takes time.
    results: withVerdicts(
      { ...results, timing: { candles_ms: 0, engine_ms: 0, total_ms: 0 }, to_check: [] },
      // The sandbox has no account: nothing is open, and its clock stands still.
      { items: [], isTooOld: false, open: [], slots: numberSettings.max_concurrent_positions.default },
    ),
    failure: null,
  });
}

/** Its id. */
const sandboxScanId = (idOf: (thing: unknown) => string): string => idOf(params);
