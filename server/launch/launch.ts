import { existsSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { baseUrlOf, type Config, ConfigError, isOutboxAllowed, readConfig } from '../src/config.ts';
import { prepareDataDir } from '../src/platform/dataDir.ts';
import { readOrMakeSecrets, type Secrets } from '../src/platform/secrets.ts';
import { fakeBinanceKey } from '../fakes/exchanges/binance/key.ts';
import { type Fakes, startFakes } from './fakes.ts';
import { takePort } from './preflight.ts';
import { startMessage } from './startError.ts';

/** Brings the built files up to date and reports what it had to build. */
export type Build = (report: (line: string) => void) => Promise<void>;

const say = (line: string) => console.log(line);

/** Started parts in order; they are stopped in reverse order. */
const running: { stop: () => Promise<void> }[] = [];
let isStopping = false;
const repeatMs = 1000;

async function stopAll(): Promise<void> {
  for (const part of running.splice(0).reverse()) {
    await part.stop().catch((error: unknown) => console.error(error instanceof Error ? error.message : String(error)));
  }
}

/** @param starting settles when nothing new will be started */
function stopOnSignals(starting: Promise<void>): void {
  let firstAtMs: number | undefined;
  const stop = () => {
    const now = performance.now();
    // npm passes Ctrl-C on to a child that has it from the terminal already: two at once are one.
    if (firstAtMs !== undefined) {
      // A second signal ends the process at once. The next start recovers what this leaves behind.
      if (now - firstAtMs > repeatMs) process.exit(1);
      return;
    }
    firstAtMs = now;
    isStopping = true;
    say('\nStopping: running requests are finished, then the database is stopped.');
    void starting
      .catch(() => undefined)
      .then(stopAll)
      .then(() => process.exit(0));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  // A closed terminal; under nohup, where there is none, closing it must not matter.
  if (process.stdin.isTTY) process.on('SIGHUP', stop);
}

/**
 * The second start need not compile the same code again. In our own folder, unless the caller named one: a process that can write there
 * decides what we run.
 */
function keepCompiledCode(folder: string): void {
  if ((process.env['NODE_COMPILE_CACHE'] ?? '') !== '') return;
  enableCompileCache(folder);
  process.env['NODE_COMPILE_CACHE'] = folder;
}

/** The embedded database is migrated here; an operator migrates another one by `npm run migrate`. */
async function database(config: Config, dataDir: string, secrets: Secrets): Promise<{ url: string; text: string }> {
  if (config.databaseUrl !== undefined) return { url: config.databaseUrl, text: 'PostgreSQL of DATABASE_URL' };
  const { startEmbeddedDatabase } = await import('./embeddedDatabase.ts');
  const embedded = await startEmbeddedDatabase(dataDir, secrets.databasePassword, say);
  running.push(embedded);
  const { migrateDatabase } = await import('@sextant/db/src/migrate.ts');
  const { serverUrl } = await migrateDatabase(embedded.ownerUrl, config.authSecret ?? secrets.authSecret, {
    isSecretNew: config.isAuthSecretNew,
  });
  return { url: serverUrl, text: `embedded PostgreSQL on 127.0.0.1:${embedded.port}` };
}

/** The fakes see only what is theirs: none of our secrets. */
function fakesEnv(config: Config): Record<string, string> {
  const names = [
    'EXCHANGES_SEED',
    'EXCHANGES_START',
    'EXCHANGES_WEIGHT',
    'EXCHANGES_PORT',
    'MARKET_REPLAY_QUOTE_VOLUME',
    'PATH',
    'NODE_COMPILE_CACHE',
  ];
  const entries = names.map((name) => [name, process.env[name] ?? '']).filter(([, value]) => value !== '');
  return {
    ...Object.fromEntries(entries),
    MARKET_REPLAY: config.marketReplayDir ?? '',
    PAYMENTS_NOTIFY_URL: `${baseUrlOf(config)}/api/billing/moonpay/webhook`,
  } as Record<string, string>;
}

type OutsideName =
  | 'exchangesUrl'
  | 'binanceKey'
  | 'smtpUrl'
  | 'outboxUrl'
  | 'telegram'
  | 'webhookReceiverOrigin'
  | 'nowPayments'
  | 'moonPay'
  | 'receiptSeller'
  | 'news'
  | 'history';

/** Addresses of the outside services, simulated or real, for the rest of the start. */
interface Outside extends Pick<Config, OutsideName> {
  text: string;
}

/** The simulated mail server receives emails of a demo without `SMTP_URL`; only the demo may read them. */
function emailOf(config: Config, fakes: Fakes): Pick<Config, 'smtpUrl' | 'outboxUrl'> {
  const isOurs = config.smtpUrl === undefined && config.databaseUrl === undefined && isOutboxAllowed(config);
  return isOurs
    ? { smtpUrl: fakes.smtpUrl, outboxUrl: fakes.mailboxUrl }
    : { smtpUrl: config.smtpUrl, outboxUrl: config.outboxUrl };
}

/** A demo on this machine messages a practice chat and may post to a practice receiver; nothing of it leaves the machine. */
async function targetsOf(config: Config, fakes: Fakes): Promise<Pick<Config, 'telegram' | 'webhookReceiverOrigin'>> {
  const { telegram, webhookReceiverOrigin } = config;
  if (config.databaseUrl !== undefined || !isOutboxAllowed(config)) return { telegram, webhookReceiverOrigin };
  const { telegramUrl, webhooksUrl } = fakes;
  const { fakeBot } = await import('../fakes/telegram/server.ts');
  return {
    telegram: telegram ?? { token: fakeBot.token, apiUrl: telegramUrl, linkUrl: telegramUrl },
    webhookReceiverOrigin: webhookReceiverOrigin ?? webhooksUrl,
  };
}

/** A demo on this machine pays practice providers; no money moves and nothing leaves the machine. */
async function providersOf(
  config: Config,
  fakes: Fakes,
): Promise<Pick<Config, 'nowPayments' | 'moonPay' | 'receiptSeller'>> {
  const { nowPayments, moonPay, receiptSeller } = config;
  if (config.databaseUrl !== undefined || !isOutboxAllowed(config)) return { nowPayments, moonPay, receiptSeller };
  const { paymentsUrl } = fakes;
  const { fakeNowPayments } = await import('../fakes/payments/nowPayments.ts');
  const { fakeMoonPay } = await import('../fakes/payments/moonPay.ts');
  return {
    receiptSeller: receiptSeller ?? { name: 'Practice seller (no real sale)', address: 'This machine', taxId: null },
    nowPayments: nowPayments ?? { ...fakeNowPayments, apiUrl: `${paymentsUrl}/v1` },
    moonPay: moonPay ?? {
      ...fakeMoonPay,
      apiUrl: paymentsUrl,
      widgetUrl: `${paymentsUrl}/widget`,
    },
  };
}

/** A demo on this machine reads news of its simulated market. Feeds that are configured are read instead. */
async function newsOf(config: Config, fakes: Fakes): Promise<Pick<Config, 'news'>> {
  const { news } = config;
  const isConfigured = news.feeds.length > 0 || (process.env['NEWS_FEEDS'] ?? '') !== '';
  if (isConfigured || config.databaseUrl !== undefined || !isOutboxAllowed(config)) return { news };
  const { fakeX } = await import('../fakes/feeds/server.ts');
  return {
    news: {
      feeds: fakes.feeds.map(({ name, url }) => ({ name, url, isSimulated: true })),
      localOrigin: fakes.feedsUrl,
      social: news.social ?? { token: fakeX.token, apiUrl: fakes.feedsUrl, query: 'crypto', isSimulated: true },
    },
  };
}

async function outside(config: Config): Promise<Outside> {
  const { smtpUrl, outboxUrl, telegram, webhookReceiverOrigin, nowPayments, moonPay, receiptSeller, news } = config;
  const { binanceKey } = config;
  const emails = { smtpUrl, outboxUrl, telegram, webhookReceiverOrigin };
  const given = { ...emails, binanceKey, nowPayments, moonPay, receiptSeller, news, history: config.history };
  if (config.market === 'live') return { exchangesUrl: undefined, ...given, text: 'live (Binance, Bybit and OKX)' };
  const text =
    config.market === 'replay'
      ? `replay of ${config.marketReplayDir ?? ''}`
      : 'simulated (MARKET=live uses Binance, Bybit and OKX)';
  if (config.exchangesUrl !== undefined) return { exchangesUrl: config.exchangesUrl, ...given, text };
  const fakes = await startFakes(fakesEnv(config), say);
  running.push(fakes);
  return {
    exchangesUrl: fakes.exchangesUrl,
    binanceKey: fakeBinanceKey,
    ...emailOf(config, fakes),
    ...(await targetsOf(config, fakes)),
    ...(await providersOf(config, fakes)),
    ...(await newsOf(config, fakes)),
    history: { ...config.history, replayWorld: fakes.replayWorld },
    text,
  };
}

/** The model behind AI checks: a stand-in only when AI_FAKE is set. */
async function analyst(config: Config): Promise<Pick<Config, 'openai'>> {
  if (!config.isAiFaked) return { openai: config.openai };
  const { startLlm } = await import('../fakes/llm/server.ts');
  const fake = await startLlm();
  fake.say({
    rationale: 'Practice model of AI_FAKE: it approves every signal and has judged nothing.',
    tags: ['practice'],
  });
  fake.see({ rationale: 'Practice model of AI_FAKE: it says LONG to every chart without reading it.' });
  running.push({ stop: fake.close });
  return { openai: { apiKey: 'practice', model: 'practice', baseUrl: fake.url, reservedMicrousd: 1 } };
}

async function start(build: Build): Promise<void> {
  const startedAt = performance.now();
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = readConfig(process.env);
  if (config.marketReplayDir !== undefined && !existsSync(config.marketReplayDir)) {
    throw new ConfigError(`MARKET_REPLAY: there is no folder ${config.marketReplayDir}`);
  }
  // A worker has no port.
  const early =
    config.role === 'worker' || config.role === 'market' ? undefined : await takePort(config.host, config.port);
  const dataDir = await prepareDataDir(config.dataDir);
  const secrets = await readOrMakeSecrets(dataDir);
  keepCompiledCode(join(dataDir, 'code-cache'));
  // Side by side: the build keeps a processor busy, the other two mostly wait. All are waited for, so that all can be stopped.
  const parts = [
    database(config, dataDir, secrets),
    outside(config),
    build(say),
    analyst(config),
    // Loaded now: reading the server takes a second that a start with a wrong variable need not wait for.
    import('../src/runServer.ts'),
  ] as const;
  await Promise.allSettled(parts);
  const [store, { text, ...services }, , ai, { runServer }] = await Promise.all(parts);
  if (isStopping) return;
  const served = { ...config, dataDir, databaseUrl: store.url, ...services, ...ai };
  const server = await runServer(served, secrets, early);
  running.push(server);
  flushCompileCache();
  say(`Sextant is ready after ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`);
  say(`  open      ${server.url}`);
  say(`  market    ${text}`);
  if (services.outboxUrl !== undefined) say(`  email     ${server.url}/outbox`);
  say(`  data      ${dataDir}`);
  say(`  database  ${store.text}`);
}

/**
 * Starts everything on one machine: database, built files, market and server. Ends the process with one line when it cannot, and
 * in order on a stop signal.
 */
export async function launch(build: Build): Promise<void> {
  process.chdir(join(import.meta.dirname, '../..'));
  const starting = start(build);
  stopOnSignals(starting);
  try {
    await starting;
  } catch (error) {
    // Stopped during the start: any failure follows from that.
    if (isStopping) return;
    console.error(startMessage(error));
    await stopAll();
    process.exit(1);
  }
}
