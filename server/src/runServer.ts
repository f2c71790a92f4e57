import { join } from 'node:path';
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { nodeUrl } from '@sextant/db/src/roles.ts';
import { checkDatabase } from '@sextant/db/src/schemaState.ts';
import { type Engine, instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { createEnginePool, type ThreadPool } from '@sextant/workers/src/node/pool.ts';
import { claimFileStore } from './adapters/storage/claimFileStore.ts';
import { buildApp } from './app.ts';
import { baseUrlOf, type Config, ConfigError, pictureFolderOf } from './config.ts';
import { createDeps, type Deps } from './deps.ts';
import { deleteOldLeases } from './features/apiKeys/hourlyLimits.ts';
import { announceEnds } from './features/apiKeys/subscriptions.ts';
import { endDemoAccounts } from './features/account/endDemoAccounts.ts';
import { sweepDeletions } from './features/account/deletion.ts';
import { sendAnnouncement } from './features/mail/announcements.ts';
import { deleteExpiredSessions } from './features/auth/expiredSessions.ts';
import { createWelcomeHash, markWelcomed } from './features/auth/welcomeOnce.ts';
import { deleteExpiredKeys } from './features/credits/idempotency.ts';
import { type Help, readHelp } from './features/help/articles.ts';
import { storeHelp } from './features/help/storeHelp.ts';
import { startHealthProbe } from './features/status/measured/healthProbe.ts';
import { createSignalCall } from './features/status/callSignal.ts';
import { dependencyProbes } from './features/status/dependencies.ts';
import { type FailedProbe, startStatusProbes } from './features/status/probes.ts';
import type { App } from './platform/http/app.ts';
import type { EarlyServer } from './platform/http/earlyServer.ts';
import { listenProbes, type ProbeServer } from './platform/http/probeServer.ts';
import { databaseNowMs } from './platform/db/databaseNow.ts';
import { withSystem } from './platform/db/scope.ts';
import { createNodeState } from './platform/nodeState.ts';
import { createProbeResponder } from './features/status/ready/probeResponses.ts';
import { createFailures, guardProcess } from './platform/failures/failures.ts';
import { deleteOldJobRuns } from './platform/jobs/jobRuns.ts';
import { drain } from './platform/http/drain.ts';
import { openDatabase } from './platform/db/database.ts';
import { untilAvailable } from './platform/db/untilAvailable.ts';
import { openTracing } from './openTracing.ts';
import { startWorkers } from './startWorkers.ts';
import { readVersion } from './platform/readVersion.ts';
import type { Secrets } from './platform/secrets.ts';

const root = join(import.meta.dirname, '../..');
/** One run uses one thread; further runs wait in the queue, and beyond its limit they are rejected as overloaded. */
const engineRules = { threads: availableParallelism(), queueMax: 32, deadlineMs: 20_000 };
const breathMs = 150;
const sweepMs = 10 * 60 * 1000;

export interface RunningServer {
  /** URL for users: `http://localhost:3000`. */
  url: string;
  /** Reports that it is not ready for a while, stops taking requests, lets the running ones finish, closes everything. */
  stop: () => Promise<void>;
}

/** Regularly deletes expired limits and sessions, and refreshes the news votes of this node. */
function repeatRegularly(deps: Deps, app: App, authSecret: string): () => void {
  if (deps.config.role === 'market') return () => undefined;
  const welcomeHashOf = createWelcomeHash(authSecret);
  const sweep = () =>
    Promise.all([
      deps.limiter.sweep(),
      deleteExpiredSessions(deps.db),
      deleteExpiredKeys(deps.db),
      markWelcomed(deps.db, welcomeHashOf),
      deleteOldJobRuns(deps.db),
      deleteOldLeases(deps.db),
      announceEnds({ db: deps.db, outbox: deps.outbox, baseUrl: baseUrlOf(deps.config) }),
      endDemoAccounts(deps.db).then(() => sweepDeletions(deps.deletion)),
      sendAnnouncement(deps.db, deps.outbox, { baseUrl: baseUrlOf(deps.config) }),
    ]);
  const timer = setInterval(() => {
    sweep().catch((error: unknown) => app.log.warn({ err: error }, 'expired data was not deleted'));
  }, sweepMs);
  timer.unref();
  const stopNewsVotes = deps.newsVotes.start((error) => app.log.warn({ err: error }, 'news votes were not refreshed'));
  return () => {
    clearInterval(timer);
    stopNewsVotes();
  };
}

/** URL of this process's own port; undefined while it has none. */
function ownOriginOf(app: App, { host, port, role }: Config): string | undefined {
  if (role === 'worker' || role === 'market') return undefined;
  const address = app.server.address();
  const ownPort = typeof address === 'object' && address !== null ? address.port : port;
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${ownPort}`;
}

/** Checks the service and each of its parts once a minute, independent of clients. Call once it listens. */
function startProbes(deps: Deps, app: App): () => void {
  const onFailure = (error: unknown): void => app.log.warn({ err: error }, 'a probe was not stored');
  const { db, market, payments, notifications, aiCheck, ownSession } = deps;
  const origin = ownOriginOf(app, deps.config);
  const callSignal = origin === undefined ? undefined : createSignalCall(origin, ownSession.authorization);
  const probes = dependencyProbes({
    ...deps,
    coins: payments.coins,
    cards: payments.cards,
    model: aiCheck.model,
    telegram: notifications.telegram,
  });
  const onFailed = (failed: FailedProbe): void => app.log.warn(failed, 'a status probe failed');
  const onLate = (lateMs: number): void =>
    app.log.warn({ lateMs }, 'status probes started late: the process was paused');
  const now = (): Promise<number> => withSystem(db, databaseNowMs);
  const isClockRight = (): boolean => deps.clocks.state().kind !== 'out';
  const status = { db, market, callSignal, asks: probes, now, onFailed, onLate, isClockRight };
  const onClock = (error: unknown): void => app.log.warn({ err: error }, 'the clock of the database was not read');
  const stopStatus = startStatusProbes(status, onFailure);
  const stops = [startHealthProbe(deps, onFailure), deps.clocks.start(onClock)];
  return () => {
    void stopStatus();
    for (const stop of stops) stop();
  };
}

/** Takes over the early server's socket, or opens one when there is none. */
async function listen(app: App, { host, port }: Config, early: EarlyServer | undefined): Promise<void> {
  const options = { host, port, ...(early === undefined ? {} : { handle: early.handle }) };
  await app.listen(options);
  early?.release();
}

/**
 * Stores the help articles before the first page requests them. A worker has no port, only jobs. The session library and the engine
 * threads load after pages are served; a failure to load still ends the start.
 */
async function serve(
  app: App,
  { config, auth, db, events }: Pick<Deps, 'config' | 'auth' | 'db' | 'events'>,
  { early, threads, help }: { early: EarlyServer | undefined; threads: ThreadPool; help: Help },
) {
  await untilAvailable(() => storeHelp(db, help), START_WAIT_MS);
  if (config.role !== 'worker') {
    events.start();
    await listen(app, config, early);
    // Loading blocks the processor: respond to the requests that waited for the start first.
    await pause(breathMs);
  }
  await auth.load();
  await threads.warm();
}

/** As long as a supervisor would give the start of a node. */
const START_WAIT_MS = 60_000;

/** How the parts of a role are stopped; set as they start, so that a failed start stops what runs. */
interface RoleStops {
  probing: () => void;
  /** Releases the leases, before the rest stops. */
  workers: () => Promise<void>;
}

/** Starts what a role does. A gateway serves the exchanges and measures its clocks; the other roles probe the service. */
async function startRole(deps: Deps, app: App, parts: Parameters<typeof serve>[2], stops: RoleStops): Promise<void> {
  const { role } = deps.config;
  if (role === 'market') {
    const onError = (error: unknown): void => app.log.warn({ err: error }, 'the market gateway reported a problem');
    const gateway = deps.startGateway(onError);
    stops.workers = gateway.close;
    stops.probing = deps.clocks.start(onError);
    return;
  }
  await serve(app, deps, parts);
  // Before jobs are taken: a node with a wrong clock takes none.
  await deps.clocks.measure().catch(() => undefined);
  stops.probing = startProbes(deps, app);
  if (role !== 'web') stops.workers = await startWorkers(deps, app.log);
  deps.outbox.start();
}

/** URL for users. */
function addressOf({ host, port, publicUrl }: Config): string {
  const name = host === '127.0.0.1' || host === '0.0.0.0' ? 'localhost' : host;
  return publicUrl ?? `http://${name}:${port}`;
}

/** The start waits for a busy database as long as its migrations do, longer than a request. */
const START_CONNECT_MS = 10_000;

/** The database and the picture store. Rejects when another server uses a different store. */
async function openStores(config: Config, urls: DatabaseUrls, onError: (error: Error) => void) {
  const database = openDatabase({ ...urls, onError });
  const place = { s3: config.s3, folder: pictureFolderOf(config) };
  // A gateway stores no pictures.
  if (config.role === 'market') return { database, releaseFileStore: () => Promise.resolve() };
  const releaseFileStore = await claimFileStore(place, () => database.newClient(START_CONNECT_MS)).catch(
    async (error: unknown) => {
      await database.close();
      throw error;
    },
  );
  return { database, releaseFileStore };
}

async function openEngine(): Promise<{ threads: ThreadPool; newEngine: () => Engine }> {
  const engine = await loadModule();
  return { threads: createEnginePool({ engine, ...engineRules }), newEngine: () => instantiate(engine.module) };
}

interface DatabaseUrls {
  url: string;
  sessionUrl: string;
}

/** Logs in once, and rejects a database of another version. */
async function openLogin(config: Config & { databaseUrl: string }, authSecret: string): Promise<DatabaseUrls> {
  const { databaseUrl, databaseSessionUrl } = config;
  const url = nodeUrl('DATABASE_URL', databaseUrl, authSecret);
  const setting = databaseSessionUrl === undefined ? 'DATABASE_URL' : 'DATABASE_SESSION_URL';
  const sessionUrl = nodeUrl(setting, databaseSessionUrl ?? databaseUrl, authSecret);
  await checkDatabase({ setting, url: sessionUrl }, { setting: 'DATABASE_URL', url });
  return { url, sessionUrl };
}

/** In parallel: the first mostly waits for the database. */
const readParts = (config: Config & { databaseUrl: string }, authSecret: string) =>
  Promise.all([openLogin(config, authSecret), readHelp(), openEngine(), readVersion()]);

/** Opens the probe port. Undefined when there is none, or the usual one is in use. @throws ConfigError for a chosen one */
async function openProbes({ probes }: Config): Promise<ProbeServer | undefined> {
  if (probes === undefined) return undefined;
  const { host, port, isChosen } = probes;
  try {
    return await listenProbes(host, port);
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    if (isChosen) throw new ConfigError(`PROBE_PORT: ${host}:${port} cannot be listened on (${code})`);
    return undefined;
  }
}

/** Serves a database that `npm run migrate`, or the launcher for the embedded one, has brought up to date. */
export async function runServer(
  config: Config & { databaseUrl: string },
  secrets: Secrets,
  early?: EarlyServer,
): Promise<RunningServer> {
  const probes = await openProbes(config);
  try {
    return await runNode({ config, secrets, early, probes });
  } catch (error) {
    await probes?.close();
    throw error;
  }
}

/** What the parts that work in the background report, once there is a log. */
const reportsOf = (log: { current: App['log'] | undefined }) => ({
  onEventError: (error: unknown) => log.current?.warn({ err: error }, 'connection for events lost'),
  onJobError: (error: unknown) => log.current?.warn({ err: error }, 'a job, or the queue of jobs, failed'),
  onHistoryError: (error: Error) => log.current?.warn({ err: error }, 'the candle store has a problem'),
  onApiError: (error: unknown) => log.current?.warn({ err: error }, 'calls with API keys were not stored yet'),
  onUnexpected: (error: unknown, origin: string) =>
    log.current?.error({ err: error, origin }, 'an unexpected error was caught; going on'),
  onDatabaseError: (error: Error) => log.current?.warn({ err: error }, 'database connection lost'),
  onTraceError: (error: unknown) => log.current?.warn({ err: error }, 'spans are lost'),
  onMailFailure: (failure: object) => log.current?.warn(failure, 'an email was not accepted'),
});

/** Opens the streams and reports the node as ready. One with a wrong clock must not be ready for a moment. */
async function enterService({ config, clocks, node, startStreams }: Deps, app: App): Promise<void> {
  const isStreamed = config.isMarketStreamed && config.role !== 'market';
  if (isStreamed) startStreams((error) => app.log.error({ err: error }, 'a check of the streams failed'));
  await clocks.measure().catch(() => undefined);
  node.phase = 'serving';
}

/** Counts the connections of the product's port; a worker has none. */
const connectionsOf = (app: App, { role }: Config): (() => Promise<number>) | undefined =>
  role === 'worker' ? undefined : promisify(app.server.getConnections.bind(app.server));

interface NodeParts {
  config: Config & { databaseUrl: string };
  secrets: Secrets;
  early: EarlyServer | undefined;
  probes: ProbeServer | undefined;
}

async function runNode({ config, secrets, early, probes }: NodeParts): Promise<RunningServer> {
  const node = createNodeState();
  const authSecret = config.authSecret ?? secrets.authSecret;
  const [urls, help, { threads, newEngine }, version] = await readParts(config, authSecret);
  const log: { current: App['log'] | undefined } = { current: undefined };
  const { onUnexpected, onDatabaseError, onTraceError, ...reports } = reportsOf(log);
  const failures = createFailures({ log: onUnexpected });
  const stopGuarding = guardProcess(failures);
  const { database, releaseFileStore } = await openStores(config, urls, onDatabaseError);
  const tracing = await openTracing(config, version, onTraceError);
  const deps = createDeps({
    config,
    database,
    engine: threads,
    newEngine,
    authSecret,
    failures,
    node,
    version,
    tracing,
    webDir: join(root, 'web/dist'),
    ...reports,
  });
  const app = await buildApp(deps);
  log.current = app.log;
  const stopRepeating = repeatRegularly(deps, app, authSecret);
  const stopWatching = deps.ledger.start(app.log);
  const stops: RoleStops = { probing: () => undefined, workers: () => Promise.resolve() };
  probes?.use(createProbeResponder(deps));
  const stopMeasuring = deps.metrics.start(connectionsOf(app, config));
  database.watch.start();
  const stop = async (drainMs = 0) => {
    node.phase = 'draining';
    await Promise.all([stops.workers(), pause(drainMs)]);
    stopRepeating();
    stopWatching();
    stops.probing();
    await drain(app);
    await deps.close();
    stopMeasuring();
    await deps.tracing?.close();
    await releaseFileStore();
    await database.close();
    await probes?.close();
    stopGuarding();
  };
  try {
    await startRole(deps, app, { early, threads, help }, stops);
  } catch (error) {
    await stop();
    throw error;
  }
  await enterService(deps, app);
  return { url: addressOf(config), stop: () => stop(config.drainMs) };
}
