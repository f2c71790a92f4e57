import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { SANDBOX_MS } from '@sextant/workers/src/core/apiAccess.ts';
import { creditPrices, creditsText } from '@sextant/workers/src/core/creditPrices.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { numberSettings } from '@sextant/workers/src/core/settings.ts';
import { neutralTuning } from '@sextant/workers/src/signals/signalRules.ts';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
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
import { createFrozenMarket } from './features/sandbox/frozenMarket.ts';
import { judge } from './features/scan/candidates.ts';
import type { Scan, ScanParams, ScanStarted } from './features/scan/contract.ts';
import { type FindDeps, findSignals } from './features/scan/findSignals.ts';
import { resultsOf } from './features/scan/storedResults.ts';
import { withVerdicts } from './features/scan/verdicts.ts';
import { signalRoutes } from './features/signals/routes.ts';
import { addRequireFresh } from './platform/auth/requireFresh.ts';
import { addRequireUser, type AuthenticatedUser, type EnterSandbox } from './platform/auth/requireUser.ts';
import { createRejection, type Outcome } from './platform/errors.ts';
import type { App } from './platform/http/app.ts';
import { createServer } from './platform/http/createServer.ts';
import { sendProblem } from './platform/http/problem.ts';
import { rejectionError } from './platform/http/rejectionError.ts';
import { once } from './platform/once.ts';

/**
 * The sandbox handles calls with test keys: a second app with the same features over a frozen market, without database, email and
 * accounts. No feature can reach live data from here. docs/security.md describes how.
 */
export interface Sandbox {
  /** Handles a request that the live app has admitted. */
  enter: EnterSandbox;
  close: () => Promise<void>;
}

export type SandboxDeps = Pick<Deps, 'config' | 'engine' | 'kernel'>;
/** A route as declared in the live app. */
export type SandboxRoute = Pick<RouteOptions, 'method' | 'url' | 'schema'>;

/** Request id in every response body; the header `x-request-id` has the call's real id, which is logged. */
const REQUEST_ID = '00000000-0000-4000-8000-000000000000';
const now = (): number => SANDBOX_MS;
const frozenAt = new Date(SANDBOX_MS).toISOString();
const scanDeadlineMs = 15_000;

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

const routeDeps = ({ config, engine, kernel }: SandboxDeps) => ({
  config: { ...config, market: 'simulated' as const },
  engine,
  kernel,
  now,
  market: createFrozenMarket(),
  isRegionBlocked: () => false,
  db: rejecting as Deps['db'],
  jobs: rejecting as Deps['jobs'],
  // The key's hourly limit applies instead.
  limiter: { hit: () => Promise.resolve(undefined), forget: () => Promise.resolve(), sweep: () => Promise.resolve() },
  storeRun: (_userId: string, body: unknown) => Promise.resolve(ok(idOf(body))),
  readAuto: () => Promise.resolve(defaultAuto),
  aiCheck: { model: undefined, dailyMicrousdMax: 0 },
  newsVotes: { read: () => ({ vote: undefined, strength: 0, storyCount: 0, stories: [] }), mark: () => '' },
  confidences: { of: unmeasured, refresh: () => Promise.resolve() },
  tuning: { get: () => Promise.resolve(neutralTuning), forget: () => undefined },
});
type RouteDeps = ReturnType<typeof routeDeps>;

type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown;
type Callers = (request: FastifyRequest) => AuthenticatedUser;

/** Scans of the sandbox: every request gets the one documented scan. */
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
    if (id !== sandboxScanId(idOf)) return sendProblem(reply, createRejection('not_found'));
    const scan = await sandboxScan(deps, idOf);
    return scan.ok ? { scan: scan.value } : sendProblem(reply, scan.error);
  },
});

/** Frozen routes that need an account when live: they read the key instead, or run without credits and without a stored row. */
const ownHandlers = (deps: RouteDeps, callerOf: Callers): Record<string, Handler> => ({
  ...scanHandlers(deps),
  'GET /api/account/whoami': (request) => callerOf(request).testKey?.whoAmI,
  async 'POST /api/arbitrage-scan'(request, reply) {
    const params = paramsOf(request.body as z.output<typeof ArbitrageScanBody>);
    const signal = AbortSignal.timeout(scanDeadlineMs);
    const onProgress = (): Promise<void> => Promise.resolve();
    const outcome = await findOpportunities(deps, params, { userId: callerOf(request).id, signal, onProgress });
    if (!outcome.ok) return sendProblem(reply, outcome.error);
    // Durations depend on the machine, so the sandbox states zero.
    const results = { ...outcome.value, timing: { quotesMs: 0, engineMs: 0, booksMs: 0, totalMs: 0 } };
    const scanId = idOf(params);
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
      const { id, email, sessionId, apiKeyId } = callerOf(request);
      return Promise.resolve({ id, email, sessionId, ...withoutUndefined({ apiKeyId }) });
    },
  );
  addRequireFresh(app, () => Promise.resolve(createRejection('not_in_sandbox')));
  const inner = routeDeps(deps);
  const known = applyRules(app, ownHandlers(inner, callerOf));
  // Each feature has its own scope, as in the live app.
  for (const feature of [marketRoutes, signalRoutes, backtestRoutes, rulesRoutes, arbitrageRoutes])
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

/** Options of the sandbox scan: the documented request with the defaults of a new account, except the minimum confidence. */
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
  // Without a calibration, confidence is a score that rarely reaches the default of 60.
  minConfidencePct: 25,
  positionsWanted: 5,
  maxSymbols: 100,
  whitelist: [],
  blacklist: [],
};

const deadlineMs = 20_000;

/** The finished scan of the sandbox: computed from the frozen market at each call, so nothing is stored. */
async function sandboxScan(
  deps: FindDeps & { now: () => number },
  idOf: (thing: unknown) => string,
): Promise<Outcome<z.input<typeof Scan>>> {
  const signal = AbortSignal.timeout(deadlineMs);
  const outcome = await findSignals(deps, params, { userId: '', signal, onProgress: () => Promise.resolve() });
  if (!outcome.ok) return outcome;
  const at = new Date(deps.now()).toISOString();
  const results = resultsOf(outcome.value, {
    judged: judge(outcome.value.scored, params),
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
    // Durations depend on the machine, so the sandbox states zero.
    results: withVerdicts(
      { ...results, timing: { candles_ms: 0, engine_ms: 0, total_ms: 0 }, to_check: [], is_complete: true },
      // The sandbox has no account: no open positions, no guards, and a frozen clock.
      { items: [], isRunOver: false, isTooOld: false, open: [], guards: [], settings: openingDefaults },
    ),
    failure: null,
  });
}

const openingDefaults = {
  auto_open_enabled: true,
  min_auto_conf_pct: params.minConfidencePct,
  tuning_conf_floor: params.confidenceFloor,
  min_conf_on_score: false,
  blacklist: '',
  whitelist: '',
  positions_wanted: params.positionsWanted,
  max_concurrent_positions: numberSettings.max_concurrent_positions.default,
};

const sandboxScanId = (idOf: (thing: unknown) => string): string => idOf(params);
