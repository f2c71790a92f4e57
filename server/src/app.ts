import { contracts } from './apiSchemas.ts';
import { baseUrlOf } from './config.ts';
import type { Deps } from './deps.ts';
import { accountRoutes } from './features/account/routes.ts';
import { alertRoutes } from './features/alerts/routes.ts';
import { arbitrageRoutes } from './features/arbitrage/routes.ts';
import { sessionCookie } from './features/auth/betterAuthSetup.ts';
import { apiRoutes } from './features/apiKeys/routes.ts';
import { documentationRoutes } from './features/apiDocs/docRoutes.ts';
import { apiDocsRoutes } from './features/apiDocs/routes.ts';
import { authRoutes } from './features/auth/routes.ts';
import { proofRoutes } from './features/backtest/proof/routes.ts';
import { backtestRoutes } from './features/backtest/routes.ts';
import { rulesRoutes } from './features/rules/routes.ts';
import { sharedBacktestRoutes } from './features/backtest/shared/routes.ts';
import { aiCheckRoutes } from './features/scan/aicheck/routes.ts';
import { scanRoutes } from './features/scan/routes.ts';
import { signalRoutes } from './features/signals/routes.ts';
import { strategyRoutes } from './features/strategies/routes.ts';
import { sandboxRoutes } from './features/sandbox/routes.ts';
import { statusRoutes } from './features/status/routes.ts';
import { streamRoutes } from './features/stream/routes.ts';
import { visionRoutes } from './features/vision/routes.ts';
import { probeRoutes } from './features/status/ready/probeResponses.ts';
import { tuningRoutes } from './features/tuning/routes.ts';
import { creditsRoutes } from './features/credits/routes.ts';
import { chartRoutes } from './features/charts/routes.ts';
import { communityRoutes } from './features/community/routes.ts';
import { eventRoutes } from './features/events/routes.ts';
import { appInfoRoutes } from './features/status/health/appInfo.ts';
import { browserReportRoutes } from './features/status/health/browserReports.ts';
import { helpArticleRoutes, helpChatRoutes, helpQuestionRoutes } from './features/help/routes.ts';
import { healthRoutes } from './features/status/health/routes.ts';
import { addPatience } from './features/market/patience.ts';
import { historyRoutes } from './features/history/routes.ts';
import { positioningRoutes } from './features/positioning/routes.ts';
import { journalRoutes } from './features/journal/routes.ts';
import { marketRoutes } from './features/market/routes.ts';
import { newsRoutes } from './features/news/routes.ts';
import { mcpRoutes } from './features/mcp/routes.ts';
import { measuredRoutes, watchLatency } from './features/status/measured/routes.ts';
import { orderRoutes } from './features/orders/routes.ts';
import { reconciliationRoutes } from './features/positions/reconciliation/routes.ts';
import { positionRoutes } from './features/positions/routes.ts';
import { paymentNoticeRoutes } from './features/payments/noticeRoutes.ts';
import { paymentRecordRoutes } from './features/payments/recordRoutes.ts';
import { paymentRoutes } from './features/payments/routes.ts';
import { performanceRoutes } from './features/trackRecord/routes.ts';
import { strategyReplayRoutes } from './features/trackRecord/strategyReplayRoutes.ts';
import { demoOutboxRoutes } from './features/mail/demoOutbox.ts';
import { notificationRoutes } from './features/notifications/routes.ts';
import { pushRoutes } from './features/notifications/push/routes.ts';
import { webhookRoutes } from './features/notifications/webhooks/routes.ts';
import { preferencesRoutes } from './features/preferences/routes.ts';
import { profileRoutes } from './features/profile/routes.ts';
import { watchlistRoutes } from './features/watchlist/routes.ts';
import { checkAccess } from './platform/auth/access.ts';
import { addCallProgress } from './platform/callProgress.ts';
import { addRequireFresh } from './platform/auth/requireFresh.ts';
import { addRequireUser, credentialsOf } from './platform/auth/requireUser.ts';
import { nodeName } from './platform/jobs/leadership.ts';
import { checkResponses } from './platform/http/responseSchemas.ts';
import type { App, Feature } from './platform/http/app.ts';
import { createServer } from './platform/http/createServer.ts';
import { listRoutes, notFoundHandler, watchRoutes } from './platform/http/notFound.ts';
import { createSandbox, type SandboxRoute } from './sandbox.ts';
import { originGuard } from './platform/http/originGuard.ts';
import { nameSchemas, serveOpenApi } from './platform/http/openApi.ts';
import { serveWeb } from './platform/http/staticFiles.ts';

/** All features. A new one needs a line here and its dependencies in deps.ts. */
const features: Feature<Deps>[] = [
  probeRoutes,
  healthRoutes,
  statusRoutes,
  browserReportRoutes,
  appInfoRoutes,
  measuredRoutes,
  authRoutes,
  demoOutboxRoutes,
  preferencesRoutes,
  marketRoutes,
  historyRoutes,
  backtestRoutes,
  proofRoutes,
  sharedBacktestRoutes,
  rulesRoutes,
  creditsRoutes,
  eventRoutes,
  accountRoutes,
  profileRoutes,
  communityRoutes,
  watchlistRoutes,
  chartRoutes,
  helpArticleRoutes,
  helpQuestionRoutes,
  helpChatRoutes,
  apiRoutes,
  apiDocsRoutes,
  documentationRoutes,
  sandboxRoutes,
  signalRoutes,
  streamRoutes,
  tuningRoutes,
  strategyRoutes,
  scanRoutes,
  aiCheckRoutes,
  performanceRoutes,
  strategyReplayRoutes,
  positionRoutes,
  reconciliationRoutes,
  journalRoutes,
  positioningRoutes,
  orderRoutes,
  arbitrageRoutes,
  visionRoutes,
  notificationRoutes,
  webhookRoutes,
  pushRoutes,
  alertRoutes,
  paymentRoutes,
  paymentNoticeRoutes,
  paymentRecordRoutes,
  newsRoutes,
  mcpRoutes,
];

const loopbackHosts = new Set(['127.0.0.1', 'localhost', '::1']);

/** Collects the API routes as declared, while the features register them. */
function watchSchemas(app: App): SandboxRoute[] {
  const routes: SandboxRoute[] = [];
  app.addHook('onRoute', ({ method, url, schema }) => {
    if (method !== 'HEAD' && url.startsWith('/api/')) routes.push({ method, url, ...(schema && { schema }) });
  });
  return routes;
}

/** Builds the app without listening: main.ts listens, tests inject. */
export async function buildApp(deps: Deps): Promise<App> {
  const { config, auth } = deps;
  nameSchemas(contracts);
  const fields = { role: config.role, version: deps.version, node: nodeName() };
  const app = createServer(config, undefined, { fields, traceId: deps.tracing?.traceId });
  // The first hook, so that its span has the work of all others.
  if (deps.tracing !== undefined) app.addHook('onRequest', deps.tracing.watchRequests);
  const serveDocument = serveOpenApi(app, deps.version);
  checkResponses(app);
  checkAccess(app);
  addCallProgress(app);
  const paths = watchRoutes(app);
  const originRule = { publicUrl: config.publicUrl, isLoopbackOnly: loopbackHosts.has(config.host) };
  app.addHook('onRequest', originGuard(originRule, sessionCookie));
  app.addHook('onResponse', watchLatency(deps.latency));
  app.addHook('onResponse', deps.metrics.watchResponses);
  const sandbox = createSandbox(deps, watchSchemas(app));
  app.addHook('onClose', () => sandbox.close());
  addRequireUser(
    app,
    async (credentials, route) => {
      const own = deps.ownSession.identify(credentials, route);
      if (own !== null) return own;
      const session = await auth.getSession(credentials);
      return session === null ? null : { ...session.account, sessionId: session.id };
    },
    deps.api.admit,
    sandbox.enter,
  );
  deps.api.watch(app);
  addPatience(app);
  addRequireFresh(app, auth.checkFresh);
  // Each feature has its own scope: a hook it adds, like requireUser, affects only its own routes.
  for (const feature of features) await app.register(async (scope) => feature(scope as App, deps));
  serveDocument();
  app.decorate('routeNames', listRoutes(paths));
  const leadHome = await serveWeb(app, deps.webDir, baseUrlOf(config), (request) =>
    auth.getSession(credentialsOf(request)),
  );
  app.setNotFoundHandler(notFoundHandler(paths, leadHome));
  return app;
}
