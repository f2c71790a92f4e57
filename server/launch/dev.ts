import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { buildEngine } from '@sextant/engine-as/build.ts';
import { serverUrl } from '@sextant/db/src/roles.ts';
import { isOutboxAllowed, readConfig } from '../src/config.ts';
import { prepareDataDir } from '../src/platform/dataDir.ts';
import { readOrMakeSecrets } from '../src/platform/secrets.ts';
import { startEmbeddedDatabase } from './embeddedDatabase.ts';
import { fakeBinanceKey } from '../fakes/exchanges/binance/key.ts';
import { startFakes } from './fakes.ts';
import { checkPort } from './preflight.ts';
import { startMessage } from './startError.ts';

/**
 * `npm run dev`: pages with hot replacement on PORT, the server on PORT + 1, restarted when its sources change, and the engine
 * rebuilt when its sources change. Database and market are the ones of `npm start`.
 */
const root = join(import.meta.dirname, '../..');
const watched = ['server/src', 'workers/src', 'db/src', 'db/migrations'];
const rebuildPauseMs = 150;

const say = (line: string) => console.log(`[dev] ${line}`);
const stops: (() => Promise<void>)[] = [];

async function stopAll(exitCode: number): Promise<never> {
  for (const stop of stops.splice(0).reverse()) await stop().catch(() => undefined);
  process.exit(exitCode);
}

/** Starts a child process on this terminal; it is stopped together with this process. */
function start(args: string[], env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  stops.push(
    () =>
      new Promise((resolve) => {
        if (child.exitCode !== null || !child.kill('SIGTERM')) resolve();
        else child.once('exit', () => resolve());
      }),
  );
  return child;
}

async function rebuildEngine(): Promise<void> {
  try {
    const { isRebuilt, bytes } = await buildEngine();
    if (isRebuilt) say(`engine.wasm built, ${bytes} bytes`);
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
  }
}

function watchEngine(): void {
  let timer: NodeJS.Timeout | undefined;
  for (const folder of ['engine-as/assembly', 'engine-as/abi']) {
    const watcher = watch(join(root, folder), { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(() => void rebuildEngine(), rebuildPauseMs);
    });
    stops.push(() => {
      watcher.close();
      return Promise.resolve();
    });
  }
}

async function dev(): Promise<void> {
  process.chdir(root);
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = readConfig(process.env);
  const serverPort = config.port + 1;
  await checkPort(config.host, config.port);
  await checkPort(config.host, serverPort);
  const dataDir = await prepareDataDir(config.dataDir);
  const { databasePassword, authSecret } = await readOrMakeSecrets(dataDir);
  const secret = config.authSecret ?? authSecret;
  await rebuildEngine();
  const host = config.host === '127.0.0.1' ? 'localhost' : config.host;
  const env: Record<string, string> = {
    // The proxy of the pages changes the Host header, so the public URL is passed to the server.
    PUBLIC_URL: config.publicUrl ?? `http://${host}:${config.port}`,
    PORT: String(serverPort),
    DATA_DIR: dataDir,
    DEMO_ACCOUNT: config.isDemoAccountOffered ? 'on' : 'off',
    DEV_AUTH_SECRET: secret,
  };
  if (config.databaseUrl === undefined) {
    const database = await startEmbeddedDatabase(dataDir, databasePassword, say);
    stops.push(database.stop);
    env['DATABASE_OWNER_URL'] = database.ownerUrl;
    env['DATABASE_URL'] = serverUrl(database.ownerUrl, secret);
  }
  if (config.market !== 'live' && config.exchangesUrl === undefined) {
    const fakes = await startFakes({ MARKET_REPLAY: config.marketReplayDir ?? '' }, say);
    stops.push(fakes.stop);
    env['EXCHANGES_URL'] = fakes.exchangesUrl;
    if (fakes.replayWorld !== undefined) env['MARKET_REPLAY_WORLD'] = fakes.replayWorld;
    env['BINANCE_API_KEY'] = fakeBinanceKey.key;
    env['BINANCE_API_SECRET'] = fakeBinanceKey.secret;
    if (config.smtpUrl === undefined && config.databaseUrl === undefined && isOutboxAllowed(config)) {
      env['SMTP_URL'] = fakes.smtpUrl;
      env['OUTBOX_URL'] = fakes.mailboxUrl;
    }
  }
  start([...watched.map((folder) => `--watch-path=${folder}`), 'server/launch/devNode.ts'], env);
  const vite = join(dirname(createRequire(join(root, 'web/package.json')).resolve('vite/package.json')), 'bin/vite.js');
  start([vite, 'web', '--port', String(config.port), '--strictPort', '--host', host], {
    API_URL: `http://127.0.0.1:${serverPort}`,
  });
  watchEngine();
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stopAll(0));
try {
  await dev();
} catch (error) {
  console.error(startMessage(error));
  await stopAll(1);
}
