import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import type { EnginePool } from '@sextant/workers/src/protocol/tasks.ts';
import { coins } from './features/payments/coins.ts';
import { createVenues, preloadVenues } from './adapters/exchanges/createVenues.ts';
import { createModelAnalyst } from './adapters/llm/createModelAnalyst.ts';
import { createMoonPay } from './adapters/payments/moonPay.ts';
import { createNowPayments } from './adapters/payments/nowPayments.ts';
import { createDiskStore, createS3Store } from './adapters/storage/createFileStore.ts';
import type { AlertDeps } from './features/alerts/routes.ts';
import type { ArbitrageDeps } from './features/arbitrage/routes.ts';
import { expireArbitrage } from './features/arbitrage/runScan.ts';
import { createSpreadMemory, type SpreadMemory } from './features/arbitrage/sampler/spreadMemory.ts';
import { createApiAccess } from './features/apiKeys/apiAccess.ts';
import type { ApiRouteDeps } from './features/apiKeys/routes.ts';
import type { AccountDeps } from './features/account/routes.ts';
import { createFeedReader } from './adapters/feeds/createFeedReader.ts';
import { createXSearch } from './adapters/social/createXSearch.ts';
import { createSmtpMailer } from './adapters/mail/smtpMailer.ts';
import { createPushSender } from './adapters/outgoing/createPushSender.ts';
import { createKeyPair } from './adapters/outgoing/webPush.ts';
import { createWebhookPoster } from './adapters/outgoing/createWebhookPoster.ts';
import { createTelegramBot } from './adapters/telegram/createTelegramBot.ts';
import { baseUrlOf, cardSandboxUrl, type Config, ConfigError, pictureFolderOf } from './config.ts';
import { closeListeners } from './closeListeners.ts';
import { type BetterAuthOptions, createBetterAuthProvider } from './features/auth/betterAuthProvider.ts';
import type { AuthDeps } from './features/auth/handlers.ts';
import type { Passwords } from './features/auth/passwordHash.ts';
import type { ProofDeps } from './features/backtest/proof/makeProof.ts';
import type { RunBacktestDeps } from './features/backtest/runBacktest.ts';
import { createSandboxClocks, type SandboxClocks } from './features/sandbox/clocks.ts';
import type { AiCheckRouteDeps } from './features/scan/aicheck/routes.ts';
import { expireScan, type StartScanDeps } from './features/scan/startScan.ts';
import type { SignalRoutesDeps } from './features/signals/routes.ts';
import { createConfidenceBases } from './features/signals/confidenceBasis.ts';
import { createTuningCache } from './features/signals/tuningCache.ts';
import { tuningOf } from './features/tuning/tuningOf.ts';
import type { StatusDeps } from './features/status/routes.ts';
import type { StreamDeps } from './features/stream/routes.ts';
import type { TuningDeps } from './features/tuning/routes.ts';
import { createFailures, type Failures } from './platform/failures/failures.ts';
import { countSetAside } from './platform/jobs/jobRuns.ts';
import { createJobs, type Jobs } from './platform/jobs/jobs.ts';
import { isLed, type Leadership } from './platform/jobs/leadership.ts';
import type { DatabaseState } from './platform/db/databaseWatch.ts';
import { databaseNowMs } from './platform/db/databaseNow.ts';
import { createNodeState, type NodeState } from './platform/nodeState.ts';
import { type Clocks, createClocks } from './features/status/clocks/clocks.ts';
import type { Tracing } from './platform/tracing/tracing.ts';
import { createStreamCounts } from './platform/events/streamCounts.ts';
import { createMetrics, type Metrics, type MetricsDeps } from './features/status/metrics/createMetrics.ts';
import { type ReadinessDeps, readReadiness } from './features/status/ready/readiness.ts';
import type { CreditsDeps } from './features/credits/routes.ts';
import { createLedgerWatch, type LedgerWatch } from './features/credits/ledgerWatch.ts';
import type { EventsDeps } from './features/events/routes.ts';
import type { BrowserReportDeps } from './features/status/health/browserReports.ts';
import type { AppInfoDeps } from './features/status/health/appInfo.ts';
import type { HelpDeps } from './features/help/routes.ts';
import type { HealthDeps } from './features/status/health/readHealth.ts';
import { createSharedPing, HEALTH_FRESH_MS } from './features/status/health/sharedPing.ts';
import { createOutbox, type Outbox, type OutboxOptions } from './features/mail/outbox.ts';
import type { Mailer } from './features/mail/port.ts';
import type { DemoOutboxDeps } from './features/mail/demoOutbox.ts';
import { createMarket, type LiveMarket } from './features/market/createMarket.ts';
import { externalStatus } from './features/market/externalStatus.ts';
import type { HistoryRouteDeps } from './features/history/routes.ts';
import { hasUnexplained } from './features/positions/reconciliation/reconciliationRepository.ts';
import { type CandleStore, createCandleStore } from './features/history/candleStore.ts';
import type { History } from './features/history/port.ts';
import { createHistory } from './features/history/readHistory.ts';
import type { StartBackfillDeps } from './features/history/startBackfill.ts';
import { historySourceOf } from './features/history/source.ts';
import { withEndedContracts } from './features/history/withEndedContracts.ts';
import { keepWarm } from './features/market/keepWarm.ts';
import type { MarketDeps } from './features/market/routes.ts';
import { createLatencyWindow } from './features/status/measured/latencyWindow.ts';
import type { MeasuredDeps } from './features/status/measured/routes.ts';
import type { PositionRoutesDeps } from './features/positions/routes.ts';
import type { NewsRoutesDeps } from './features/news/routes.ts';
import { createNewsVotes, type NewsVotes } from './features/news/newsVotes.ts';
import type { NewsSources } from './features/news/newsSources.ts';
import type { PaymentRoutesDeps } from './features/payments/routes.ts';
import type { PushDeps } from './features/notifications/push/routes.ts';
import { createPushKeys } from './features/notifications/push/pushKeys.ts';
import type { NotificationRouteDeps } from './features/notifications/routes.ts';
import { LEADER_NAME } from './features/positions/watch/watch.ts';
import { countUnpriced } from './features/positions/unpriced.ts';
import type { PreferencesDeps } from './features/preferences/routes.ts';
import { createOwnSession, type OwnSession } from './platform/auth/ownSession.ts';
import { createReencode } from './platform/images/reencode.ts';
import type { ProfileDeps } from './features/profile/routes.ts';
import type { VisionDeps } from './features/vision/routes.ts';
import { createPictureReader } from './features/vision/readPicture.ts';
import { expireAnalysis } from './features/vision/runAnalysis.ts';
import type { Database } from './platform/db/database.ts';
import { openBuses } from './platform/bus/openBuses.ts';
import { eventNotices } from './platform/events/notify.ts';
import { createGatewayLink } from './features/market/gateway/gatewayLink.ts';
import { createRemoteVenues } from './features/market/gateway/remoteVenues.ts';
import { startGateway } from './features/market/gateway/startGateway.ts';
import type { NodeVenue } from './features/market/gateway/wire.ts';
import type { ExchangeId } from './features/market/port.ts';
import { createEventHub } from './platform/events/eventHub.ts';
import { withSystem, withUser } from './platform/db/scope.ts';
import { createGate } from './platform/limits/gate.ts';
import { createRateLimiter } from './platform/limits/rateLimiter.ts';
import { hasDifference } from './features/payments/reconcile.ts';
import { once } from './platform/once.ts';
import { createSeal } from './platform/seal.ts';
import { createSharedResponse } from './platform/sharedResponse.ts';

// Long because all parts of the product are composed here.

/**
 * External dependencies of the app, created once per process. Features declare the part they need as their own interface, so a
 * test can build the app with less.
 */
export interface Deps
  extends
    HealthDeps,
    AppInfoDeps,
    MeasuredDeps,
    BrowserReportDeps,
    AuthDeps,
    PreferencesDeps,
    MarketDeps,
    RunBacktestDeps,
    ProofDeps,
    CreditsDeps,
    EventsDeps,
    AccountDeps,
    AlertDeps,
    PushDeps,
    ProfileDeps,
    SignalRoutesDeps,
    TuningDeps,
    StartScanDeps,
    DemoOutboxDeps,
    PositionRoutesDeps,
    AiCheckRouteDeps,
    PaymentRoutesDeps,
    NewsRoutesDeps,
    HelpDeps,
    NotificationRouteDeps,
    ArbitrageDeps,
    VisionDeps,
    ApiRouteDeps,
    ReadinessDeps,
    StatusDeps,
    StreamDeps,
    HistoryRouteDeps,
    Pick<StartBackfillDeps, 'backfillVenues' | 'historySource'> {
  config: Config;
  /** The stored history, for features that read the past. */
  history: History;
  candleStore: CandleStore;
  newsSources: NewsSources;
  newsVotes: NewsVotes;
  ledger: LedgerWatch;
  /** Written by the spread sampler, read by scans. */
  spreadMemory: SpreadMemory;
  /** Sends emails for the outbox; undefined without an SMTP server. */
  mailer: Mailer | undefined;
  /** Queue of outgoing emails; main starts its loop. */
  outbox: Outbox;
  /** Credentials with which this process's probes call its own API. */
  ownSession: OwnSession;
  /** Folder of the built web; without it the app serves only the API. */
  webDir: string;
  /** Opens the exchange streams, once the server listens; in tests only on request. */
  startStreams: (onError: (error: unknown) => void) => void;
  /** Serves the exchanges to all nodes while this one holds the lease: `ROLE=market`. */
  startGateway: (onError: (error: unknown) => void) => Pick<Leadership, 'close'>;
  newEngine: () => Engine;
  newClient: Database['newClient'];
  /** Connection URLs with the server's login: of the pool, and of sessions without a pooler. */
  databaseUrl: string;
  databaseSessionUrl: string;
  failures: Failures;
  node: NodeState;
  databaseState: () => DatabaseState;
  clocks: Clocks;
  metrics: Metrics;
  /** Undefined without a collector of traces. */
  tracing: Tracing | undefined;
  /** Closes what createDeps created, after the last request. The caller that opened the database closes it. */
  close: () => Promise<void>;
  /** Reads and writes the sandbox clock of an account, which its test keys move. */
  sandboxClocks: SandboxClocks;
}

/** Values from the process: environment and secrets. */
export interface Surroundings {
  config: Config;
  database: Database;
  engine: EnginePool;
  /** An engine on this thread, for work of microseconds. */
  newEngine: () => Engine;
  /** Signs sessions; the same on every node. */
  authSecret: string;
  version: string;
  webDir: string;
  /** How passwords are hashed; argon2id unless given. */
  passwords?: Passwords;
  /** The connection that listens for events was lost; it reconnects automatically. */
  onEventError?: (error: Error) => void;
  /** Usage counts or rows of API calls could not be stored; storing them is retried. */
  onApiError?: (error: unknown) => void;
  /** Stored candles could not be read or written, or a chunk was set aside. */
  onHistoryError?: (error: Error) => void;
  /** A job or its queue threw; by default the database's error handler is called. */
  onJobError?: (error: Error) => void;
  /** Uncaught errors; a new counter is created when absent. */
  failures?: Failures;
  /** Phase of this process; a node that stays in its start when absent. */
  node?: NodeState;
  /** Spans of requests, jobs and outside calls; none when absent. */
  tracing?: Tracing | undefined;
  /** Called for each email that the SMTP server rejected. */
  onMailFailure?: OutboxOptions['onFailure'];
}

/**
 * Hashing a password takes about 50 ms and 19 MiB: four slots and a short queue limit a flood of sign-ins. The gate serves
 * networks in turn, so that a flood from one does not block others.
 */
const passwordSlots = { slotCount: 4, queueMax: 44 };

function createMailer({ config, database, authSecret, onMailFailure }: Surroundings): Pick<Deps, 'mailer' | 'outbox'> {
  if (config.isSignUpConfirmed && config.smtpUrl === undefined) {
    throw new ConfigError('SIGN_UP_CONFIRMATION: also needs SMTP_URL');
  }
  const mailer =
    config.smtpUrl === undefined ? undefined : createSmtpMailer({ url: config.smtpUrl, from: config.mailFrom });
  const onFailure = onMailFailure ?? (() => undefined);
  return { mailer, outbox: createOutbox({ db: database.db, mailer, seal: createSeal(authSecret, 'mail'), onFailure }) };
}

function authOptions(
  { config, database, authSecret, passwords }: Surroundings,
  made: Pick<BetterAuthOptions, 'limiter' | 'outbox' | 'forgetKeys'>,
): BetterAuthOptions {
  const baseUrl = baseUrlOf(config);
  return {
    ...made,
    systemDb: database.systemDb,
    secret: authSecret,
    baseUrl,
    isSecure: baseUrl.startsWith('https:'),
    passwordGate: createGate(passwordSlots),
    passwords,
    db: database.db,
    isSignUpConfirmed: config.isSignUpConfirmed,
  };
}

function createNotifications(
  { config, database, authSecret }: Surroundings,
  { jobs, outbox, mailer }: Pick<Deps, 'jobs' | 'outbox' | 'mailer'>,
): Deps['notifications'] {
  const { webhookReceiverOrigin: exceptOrigin } = config;
  return {
    db: database.db,
    jobs,
    poster: createWebhookPoster({ exceptOrigin }),
    push: createPushSender({ exceptOrigin, subject: contactOf(config) }),
    pushKeys: createPushKeys({ db: database.db, seal: createSeal(authSecret, 'push'), createPair: createKeyPair }),
    mailer,
    telegram: config.telegram === undefined ? undefined : createTelegramBot(config.telegram),
    seal: createSeal(authSecret, 'notifications'),
    outbox,
    baseUrl: baseUrlOf(config),
    practiceReceiver: exceptOrigin === undefined ? undefined : `${exceptOrigin}/hook`,
  };
}

const createProofs = ({ config, database, authSecret }: Surroundings): Deps['proofs'] => ({
  db: database.db,
  seal: createSeal(authSecret, 'proof'),
  issuer: baseUrlOf(config),
});

/** Contact that push services require of a sender. */
const contactOf = (config: Config): string =>
  config.contact.email === null ? baseUrlOf(config) : `mailto:${config.contact.email}`;

function createPayments(config: Config): Deps['payments'] {
  return {
    coins: config.nowPayments === undefined ? undefined : createNowPayments(config.nowPayments, coins),
    cards: config.moonPay === undefined ? undefined : createMoonPay(config.moonPay),
    cardSandboxUrl,
    seller: config.receiptSeller,
    baseUrl: baseUrlOf(config),
  };
}

const createAiCheck = ({ openai, aiDailyMicrousdMax }: Config): Deps['aiCheck'] => ({
  model: openai === undefined ? undefined : createModelAnalyst(openai),
  dailyMicrousdMax: aiDailyMicrousdMax,
});

function createNews({ config, database }: Surroundings): Pick<Deps, 'newsSources' | 'newsVotes'> {
  const { news, market } = config;
  const reader = createFeedReader({ exceptOrigin: news.localOrigin });
  const social = news.social === undefined ? undefined : createXSearch(news.social);
  const close = async () => void (await Promise.all([reader.close(), social?.close()]));
  return {
    newsSources: { reader, social, close },
    newsVotes: createNewsVotes({ db: database.db, market }),
  };
}

function deletionDeps(
  { config, database }: Surroundings,
  made: Pick<Deps['deletion'], 'files' | 'outbox' | 'forgetSessions' | 'forgetKeys'>,
): Deps['deletion'] {
  return {
    ...made,
    db: database.db,
    graceDays: config.deletionGraceDays,
    baseUrl: baseUrlOf(config),
  };
}

/** Cache time of the count in health: it is requested often and rarely changes. */
const setAsideFreshMs = 5000;

/** Status of the service, for `/api/health`. */
function createSelfChecks({ config, database, failures }: Surroundings) {
  const nowMs = () => performance.now();
  return {
    pingDatabase: createSharedPing(database.ping, nowMs),
    arePositionsWatched: createSharedResponse(
      HEALTH_FRESH_MS,
      () => withSystem(database.db, (tx) => isLed(tx, LEADER_NAME)),
      nowMs,
    ),
    doPaymentsDiffer: createSharedResponse(setAsideFreshMs, () => hasDifference(database.db), nowMs),
    hasUnexplained: createSharedResponse(setAsideFreshMs, () => withSystem(database.db, hasUnexplained), nowMs),
    countUnpriced: createSharedResponse(
      setAsideFreshMs,
      () => withSystem(database.db, (tx) => countUnpriced(tx, config.market)),
      nowMs,
    ),
    countSetAside: createSharedResponse(setAsideFreshMs, () => countSetAside(database.db), nowMs),
    failures: failures ?? createFailures({ log: () => undefined }),
  };
}

/** Timestamps in ms that never repeat in this process: they name files, which would otherwise collide. */
function createStampMs(): () => number {
  let lastMs = 0;
  return () => (lastMs = Math.max(Date.now(), lastMs + 1));
}

const createLatencyWindows = (): Pick<Deps, 'latency' | 'pageLoads'> => ({
  latency: createLatencyWindow(Date.now),
  pageLoads: createLatencyWindow(Date.now),
});

const createApi = (
  { config, database, onApiError = () => undefined }: Surroundings,
  { events, outbox }: Pick<Deps, 'events' | 'outbox'>,
): Deps['api'] =>
  createApiAccess({
    db: database.db,
    events,
    outbox,
    baseUrl: baseUrlOf(config),
    nowMs: Date.now,
    onError: onApiError,
  });

/** The buses of this node, and the exchanges: its own, or those of the gateway. */
function createNodeMarket({ config, database, onEventError }: Surroundings) {
  const { db, newClient } = database;
  const buses = openBuses({ db, newClient, natsUrl: config.natsUrl, notices: eventNotices, onError: onEventError });
  const link = config.isGatewayUsed ? createGatewayLink(buses.main) : undefined;
  const openVenues = () => createVenues(config);
  const lastReport = () => link?.lastReport();
  const venues = link === undefined ? openVenues() : createRemoteVenues(link);
  const deps: Pick<Deps, 'startGateway' | 'isRegionBlocked' | 'externalStatus'> = {
    startGateway(onError) {
      preloadVenues().catch(onError);
      return startGateway({ bus: buses.main, newClient, openVenues, lastReport, onError });
    },
    isRegionBlocked: (exchange) => venues.byExchange[exchange].state() === 'regionBlocked',
    externalStatus: { status: () => externalStatus(venues.byExchange) },
  };
  return { buses, venues, deps };
}

interface Closing extends Pick<
  Deps,
  'files' | 'jobs' | 'api' | 'engine' | 'events' | 'outbox' | 'payments' | 'notifications' | 'newsSources'
> {
  market: { stop: () => void };
  live: { stop: () => void };
  venues: { close: () => Promise<unknown> };
  buses: { close: () => Promise<void> };
  /** Writes the candles that are still in memory. */
  stopStoring: () => Promise<void>;
}

async function closeAll({ market, live, files, jobs, api, payments, notifications, ...rest }: Closing): Promise<void> {
  market.stop();
  live.stop();
  await rest.stopStoring();
  files.close();
  await jobs.stop();
  await api.close();
  rest.events.close();
  await Promise.all([rest.venues.close(), rest.engine.close(), rest.outbox.stop()]);
  await rest.buses.close();
  await Promise.all([payments.coins?.close(), payments.cards?.close()]);
  await Promise.all([
    notifications.poster.close(),
    notifications.push.close(),
    notifications.telegram?.close(),
    rest.newsSources.close(),
  ]);
}

/** This node's clock beside the database's and those of the exchanges. */
function createNodeClocks(
  { database }: Surroundings,
  byExchange: Record<ExchangeId, NodeVenue>,
): { clocks: Clocks; isClockRight: () => boolean } {
  const clocks = createClocks({
    readDatabaseMs: () => withSystem(database.db, databaseNowMs),
    readExchanges: () =>
      Object.fromEntries(
        Object.values(byExchange).flatMap(({ exchange, clockOffset }) => {
          const offset = clockOffset();
          return offset === undefined ? [] : [[exchange, offset]];
        }),
      ),
  });
  return { clocks, isClockRight: () => clocks.state().kind !== 'out' };
}

/** What the operator sees of this node: readiness, clocks and metrics. */
function createNodeChecks(
  { config, database, version, tracing, node = createNodeState() }: Surroundings,
  made: { byExchange: Record<ExchangeId, NodeVenue> } & Pick<
    Deps,
    'events' | 'ledger' | 'streamCounts' | 'failures' | 'externalStatus' | 'clocks'
  > &
    Omit<MetricsDeps['integrity'], 'ledgerDifferences'> & { live: Pick<LiveMarket, 'warmth' | 'dataAtMs'> },
): Pick<Deps, 'node' | 'databaseState' | 'clocks' | 'metrics' | 'tracing'> {
  const { byExchange, live, events, ledger, streamCounts, failures, clocks } = made;
  const venues = Object.values(byExchange);
  const databaseState = database.watch.state;
  const metrics = createMetrics({
    db: database.db,
    version,
    role: config.role,
    dataDir: config.dataDir,
    readiness: () => readReadiness({ node, databaseState, clocks, externalStatus: made.externalStatus }),
    pool: database.pool,
    databaseState,
    clocks,
    warmth: live.warmth,
    dataAtMs: live.dataAtMs,
    budgets: () => venues.flatMap(({ exchange, budgets }) => budgets().map((use) => ({ exchange, ...use }))),
    eventLagMs: events.lagMs,
    openStreams: streamCounts.read,
    unexpectedErrorCount: failures.count,
    droppedSpanCount: () => tracing?.droppedCount(),
    integrity: { ...made, ledgerDifferences: ledger.differenceCount },
  });
  return { node, databaseState, clocks, metrics, tracing };
}

/** What an operator needs: health, readiness, clocks, metrics and traces. */
function createOperation(
  surroundings: Surroundings,
  {
    venues,
    live,
    events,
    clocks,
    externalStatus,
  }: Pick<Deps, 'externalStatus' | 'events' | 'clocks'> & {
    venues: { byExchange: Record<ExchangeId, NodeVenue> };
    live: LiveMarket;
  },
) {
  const { db } = surroundings.database;
  const onExpired = { scan: expireScan, arbitrage: expireArbitrage, vision: expireAnalysis };
  const made = {
    ...createSelfChecks(surroundings),
    externalStatus,
    ledger: createLedgerWatch(db, onExpired),
    streamCounts: createStreamCounts(),
  };
  return { ...made, ...createNodeChecks(surroundings, { ...venues, ...made, live, events, clocks }) };
}

const databaseParts = ({ db, newClient, url, sessionUrl }: Database) => ({
  db,
  newClient,
  databaseUrl: url,
  databaseSessionUrl: sessionUrl,
});

const createPictureTools = (): Pick<Deps, 'reencode' | 'readChart' | 'nowMs'> => ({
  reencode: createReencode(),
  readChart: createPictureReader(),
  nowMs: createStampMs(),
});

const offersOf = ({ outboxUrl, isDemoAccountOffered }: Config): Pick<Deps, 'outboxUrl' | 'isDemoOffered'> => ({
  outboxUrl,
  isDemoOffered: isDemoAccountOffered,
});

/** The candle store and its readers. */
function createStored(
  { config, database, onHistoryError = () => undefined }: Surroundings,
  isClockRight: () => boolean,
) {
  const historySource = historySourceOf(config);
  const { db } = database;
  const candleStore = createCandleStore({ db, source: historySource, onError: onHistoryError, maySave: isClockRight });
  const history = createHistory({ db, source: historySource, store: candleStore });
  return { historySource, candleStore, history, stopStoring: candleStore.start() };
}

const createQueue = ({ database, onJobError = database.onError }: Surroundings, mayWork: () => boolean): Jobs =>
  createJobs({ url: database.sessionUrl, db: database.db, onError: onJobError, mayWork });

/** Version and folder of the built pages. */
const builtFiles = ({ version, webDir }: Surroundings): Pick<Deps, 'version' | 'webDir'> => ({ version, webDir });

export function createDeps(surroundings: Surroundings): Deps {
  const { config, database, engine } = surroundings;
  const limiter = createRateLimiter(database.db);
  const { mailer, outbox } = createMailer(surroundings);
  const { buses, venues, ...served } = createNodeMarket(surroundings);
  const events = createEventHub({ buses: buses.all });
  const { clocks, isClockRight } = createNodeClocks(surroundings, venues.byExchange);
  const { stopStoring, ...stored } = createStored(surroundings, isClockRight);
  const live = createMarket({ venues: venues.byExchange, archive: stored.candleStore });
  const market = withEndedContracts(keepWarm(live, { isStreamed: live.isStreamed }), stored.history);
  const forgetKeys = (userId: string): void => events.publish({ userId, topic: 'api', data: {} });
  const auth = createBetterAuthProvider(authOptions(surroundings, { limiter, outbox, forgetKeys }));
  const files = config.s3 === undefined ? createDiskStore(pictureFolderOf(config)) : createS3Store(config.s3);
  // The exchanges' clocks do not stop work: all nodes divide it by the database's.
  const jobs = createQueue(surroundings, clocks.isNearDatabase);
  const notifications = createNotifications(surroundings, { jobs, outbox, mailer });
  const payments = createPayments(config);
  const news = createNews(surroundings);
  const api = createApi(surroundings, { events, outbox });
  const spreadMemory = createSpreadMemory();
  const closed = { ...news, venues, buses, stopStoring, market, live, files, jobs };
  return {
    config,
    ...builtFiles(surroundings),
    ...databaseParts(database),
    ...createOperation(surroundings, { venues, live, events, clocks, externalStatus: served.deps.externalStatus }),
    ...served.deps,
    market,
    spreadMemory,
    existsSinceMs: spreadMemory.existsSinceMs,
    startStreams: (onError) => live.start(undefined, onError),
    ...stored,
    backfillVenues: venues.byExchange,
    engine,
    kernel: once(surroundings.newEngine),
    newEngine: surroundings.newEngine,
    closeListeners,
    events,
    files,
    ...createPictureTools(),
    deletion: deletionDeps(surroundings, { files, outbox, forgetKeys, forgetSessions: auth.forgetSessions }),
    ...createLatencyWindows(),
    jobs,
    notifications,
    proofs: createProofs(surroundings),
    payments,
    ...news,
    api,
    confidences: createConfidenceBases(database.db, config.market),
    aiCheck: createAiCheck(config),
    tuning: createTuningCache((userId) => withUser(database.db, userId, (tx) => tuningOf(tx, userId))),
    auth,
    limiter,
    sandboxClocks: createSandboxClocks(database.db, limiter),
    ownSession: createOwnSession(),
    mailer,
    outbox,
    ...offersOf(config),
    close: () => closeAll({ ...closed, api, engine, events, outbox, payments, notifications }),
  };
}
