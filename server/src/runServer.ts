import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { availableParallelism } from 'node:os';
import { migrateDatabase } from '@sextant/db/src/migrate.ts';
import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { createEnginePool } from '@sextant/workers/src/node/pool.ts';
import { claimFileStore } from './adapters/storage/claimFileStore.ts';
import { buildApp } from './app.ts';
import { baseUrlOf, type Config, pictureFolderOf } from './config.ts';
import { createDeps, type Deps } from './deps.ts';
import { deleteOldNotifications } from './features/notifications/dispatch.ts';
import { fillDemoCredits } from './features/auth/demoCredits.ts';
import { sweepDeletions } from './features/account/deletion.ts';
import { sendAnnouncement } from './features/mail/announcements.ts';
import { deleteExpiredSessions } from './features/auth/expiredSessions.ts';
import { createWelcomeHash, markWelcomed } from './features/auth/welcomeOnce.ts';
import { deleteExpiredKeys } from './features/credits/idempotency.ts';
import { startHealthProbe } from './features/measured/healthProbe.ts';
import { deleteOldSkips } from './features/positions/deleteOldSkips.ts';
import type { App } from './platform/http/app.ts';
import type { EarlyServer } from './platform/http/earlyServer.ts';
import { createFailures, guardProcess } from './platform/failures/failures.ts';
import { deleteOldJobRuns } from './platform/jobs/jobRuns.ts';
import { drain } from './platform/http/drain.ts';
import { openDatabase } from './platform/db/database.ts';
import { startWorkers } from './startWorkers.ts';
import type { Secrets } from './platform/secrets.ts';

const root = join(import.meta.dirname, '../..');
/** One run uses one thread; more than this wait, more than that are refused as overloaded. */
const engineRules = { threads: availableParallelism(), queueMax: 32, deadlineMs: 20_000 };
const sweepMs = 10 * 60 * 1000;

export interface RunningServer {
  /** Where it listens, for people: `http://localhost:3000`. */
  url: string;
  /** Stops taking requests, lets the running ones finish, closes everything. */
  stop: () => Promise<void>;
}

async function readVersion(): Promise<string> {
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  return manifest.version;
}

/** Limits and sessions that are over are deleted now and then; nothing reads them. */
function sweepRegularly(deps: Deps, app: App, authSecret: string): () => void {
  const welcomeHashOf = createWelcomeHash(authSecret);
  const sweep = () =>
    Promise.all([
      deps.limiter.sweep(),
      deleteExpiredSessions(deps.db),
      deleteExpiredKeys(deps.db),
      fillDemoCredits(deps.db),
      markWelcomed(deps.db, welcomeHashOf),
      deleteOldNotifications(deps.db),
      deleteOldSkips(deps.db),
      deleteOldJobRuns(deps.db),
      sweepDeletions(deps.deletion),
      sendAnnouncement(deps.db, deps.outbox, { baseUrl: baseUrlOf(deps.config) }),
    ]);
  const timer = setInterval(() => {
    sweep().catch((error: unknown) => app.log.warn({ err: error }, 'what has expired was not deleted'));
  }, sweepMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Takes over the socket that has answered since the start; opens one when there is none. */
async function listen(app: App, { host, port }: Config, early: EarlyServer | undefined): Promise<void> {
  const options = { host, port, ...(early === undefined ? {} : { handle: early.handle }) };
  await app.listen(options);
  early?.release();
}

/**
 * A worker has no port: it lives on the queue. The session library is loaded once pages are served; one that cannot be set up still ends the
 * start.
 */
async function serve(app: App, { config, auth }: Pick<Deps, 'config' | 'auth'>, early: EarlyServer | undefined) {
  if (config.role !== 'worker') await listen(app, config, early);
  await auth.load();
}

/** Where it listens, for people. */
function addressOf({ host, port, publicUrl }: Config): string {
  const name = host === '127.0.0.1' || host === '0.0.0.0' ? 'localhost' : host;
  return publicUrl ?? `http://${name}:${port}`;
}

/** The database and the place of pictures. Rejects when another server keeps pictures elsewhere. */
async function openStores(config: Config, url: string, onError: (error: Error) => void) {
  const database = openDatabase({ url, onError });
  const place = { s3: config.s3, folder: pictureFolderOf(config) };
  const releaseFileStore = await claimFileStore(place, database.newClient).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  return { database, releaseFileStore };
}

/** Brings the database up to date and serves. `config.databaseUrl` is the owner's; the server itself logs in as less. */
export async function runServer(
  config: Config & { databaseUrl: string },
  secrets: Secrets,
  early?: EarlyServer,
): Promise<RunningServer> {
  const authSecret = config.authSecret ?? secrets.authSecret;
  const isSecretNew = config.isAuthSecretNew;
  const { serverUrl } = await migrateDatabase(config.databaseUrl, authSecret, { isSecretNew });
  const log: { current: App['log'] | undefined } = { current: undefined };
  const failures = createFailures({
    log: (error, origin) => log.current?.error({ err: error, origin }, 'an unexpected error was caught; going on'),
  });
  const stopGuarding = guardProcess(failures);
  const { database, releaseFileStore } = await openStores(config, serverUrl, (error) =>
    log.current?.warn({ err: error }, 'database connection lost'),
  );
  const engine = await loadModule();
  const deps = createDeps({
    config,
    database,
    engine: createEnginePool({ engine, ...engineRules }),
    newEngine: () => instantiate(engine.module),
    authSecret,
    failures,
    version: await readVersion(),
    webDir: join(root, 'web/dist'),
    onEventError: (error) => log.current?.warn({ err: error }, 'connection for events lost'),
    onMailFailure: (failure) => log.current?.warn(failure, 'a mail was not taken'),
  });
  const app = await buildApp(deps);
  log.current = app.log;
  const stopSweeping = sweepRegularly(deps, app, authSecret);
  const stopWatching = deps.ledger.start(app.log);
  const stopProbing = startHealthProbe(deps, (error) =>
    app.log.warn({ err: error }, 'the health check was not stored'),
  );
  let stopWorkers = (): Promise<void> => Promise.resolve();
  const stop = async () => {
    await stopWorkers();
    stopSweeping();
    stopWatching();
    stopProbing();
    await drain(app);
    await deps.close();
    await releaseFileStore();
    await database.close();
    stopGuarding();
  };
  try {
    await serve(app, deps, early);
    if (config.role !== 'web') stopWorkers = await startWorkers(deps, app.log);
    deps.outbox.start();
  } catch (error) {
    await stop();
    throw error;
  }
  if (config.isMarketStreamed)
    deps.startStreams((error) => app.log.error({ err: error }, 'a look at the streams failed'));
  return { url: addressOf(config), stop };
}
