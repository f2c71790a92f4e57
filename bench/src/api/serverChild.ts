import { readConfig } from '@sextant/server/src/config.ts';
import { createDeps } from '@sextant/server/src/deps.ts';
import { buildApp } from '@sextant/server/src/app.ts';
import { createApiAccess } from '@sextant/server/src/features/apiKeys/apiAccess.ts';
import { grant } from '@sextant/server/src/features/credits/ledger.ts';
import { openDatabase } from '@sextant/server/src/platform/db/database.ts';
import { withSystem } from '@sextant/server/src/platform/db/scope.ts';
import { addRequireUser } from '@sextant/server/src/platform/auth/requireUser.ts';
import { startWorkers } from '@sextant/server/src/startWorkers.ts';
import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { createEnginePool } from '@sextant/workers/src/node/pool.ts';
import Fastify from 'fastify';

/**
 * Runs the product's server in a separate process, beside a bare Fastify: same event loop, same key check, a response of the same size.
 * Exchanges messages with the bench.
 */

/** Their plans admit 38,400 calls an hour, more than any run of the load makes. */
const KEYS = 16;

export interface Question {
  /** `hour`: advances the clock of the hourly limits by one hour; `credits`: grants the account 1,000 credits. */
  ask: 'state' | 'streams' | 'bare' | 'hour' | 'credits';
  /** For `bare`: the response body. */
  body?: string;
}
export interface ResponseBody {
  url: string;
  bareUrl: string;
  token: string;
  /** API keys, one per account, all on the largest plan. */
  apiKeys: string[];
  symbols: string[];
  readyAfterMs: number | null;
  readyCount: number;
  candleBytes: number;
  rssBytes: number;
  /** Processor time of this process since its start, ms. */
  cpuMs: number;
}

const env = process.env;
const config = readConfig(env);
const database = openDatabase({ url: env['SERVER_URL'] ?? '', onError: () => undefined });
const engine = await loadModule();
const made = createDeps({
  config,
  database,
  newEngine: () => instantiate(engine.module),
  engine: createEnginePool({ engine, threads: 2, queueMax: 32, deadlineMs: 20_000 }),
  authSecret: env['AUTH_SECRET'] ?? '',
  version: '0.0.0-bench',
  webDir: '/nowhere',
});
// Only the hours and plans of API keys use this clock, so that a load of many hours passes in minutes.
let aheadMs = 0;
const api = createApiAccess({
  db: made.db,
  events: made.events,
  outbox: made.outbox,
  baseUrl: 'http://localhost',
  nowMs: () => Date.now() + aheadMs,
  onError: (error) => app.log.error({ err: error }, 'uses or calls of API keys were not stored'),
});
const deps = { ...made, api };
const app = await buildApp(deps);
const url = await app.listen({ host: '127.0.0.1', port: 0 });

let body = '{}';
const bare = Fastify();
addRequireUser(bare, () => Promise.resolve(null), api.admit);
bare.post('/api/bare', { onRequest: bare.requireUser, schema: { access: 'read:signals' } }, (_request, reply) =>
  reply.header('content-type', 'application/json; charset=utf-8').send(body),
);
const bareUrl = await bare.listen({ host: '127.0.0.1', port: 0 });

const idleBytes = process.memoryUsage().rss;
async function signUp(email: string): Promise<{ token: string; userId: string }> {
  const client = { ip: '127.0.0.1', userAgent: undefined };
  const signedUp = await deps.auth.signUp(email, 'correct horse battery', client);
  if (!signedUp.ok || signedUp.value === null) throw new Error('no account');
  return { token: signedUp.value.token, userId: signedUp.value.account.id };
}

/** As the page does it: a plan bought with credits, then a key. */
async function buyKey(email: string): Promise<string> {
  const { token: bearer, userId } = await signUp(email);
  await withSystem(deps.db, (tx) => grant(tx, { userId, credits: 1000, reason: 'demo', key: `bench:${userId}` }));
  const headers = { authorization: `Bearer ${bearer}` };
  const plan = { plan: 'BUSINESS' };
  await app.inject({ method: 'POST', url: '/api/account/api-subscription', headers, payload: plan });
  const responded = await app.inject({ method: 'POST', url: '/api/account/api-keys', headers, payload: {} });
  return responded.json<{ api_key: string }>().api_key;
}

// A restarted server finds the accounts of the one before in its database.
const { pid } = process;
const { token, userId } = await signUp(`bench-${pid}@example.com`);
const apiKeys: string[] = [];
for (let at = 0; at < KEYS; at += 1) apiKeys.push(await buyKey(`bench-${pid}-${at}@example.com`));
await startWorkers(deps, app.log);

async function respond(): Promise<ResponseBody> {
  const turnovers = await deps.market.turnovers({ exchange: 'binance' });
  const { readyAfterMs, readyCount, candleBytes } = deps.market.warmth();
  const symbols = turnovers.ok ? turnovers.value.value.map(({ symbol }) => symbol) : [];
  const rssBytes = process.memoryUsage().rss - idleBytes;
  const { user, system } = process.cpuUsage();
  const cpuMs = (user + system) / 1000;
  return { url, bareUrl, token, apiKeys, symbols, readyAfterMs, readyCount, candleBytes, rssBytes, cpuMs };
}

process.on('message', (question: Question) => {
  if (question.body !== undefined) body = question.body;
  if (question.ask === 'streams')
    deps.startStreams((error) => app.log.error({ err: error }, 'a check of the streams failed'));
  if (question.ask === 'hour') aheadMs += 3_600_000;
  const granted =
    question.ask === 'credits'
      ? withSystem(deps.db, (tx) => grant(tx, { userId, credits: 1000, reason: 'demo', key: `bench:${userId}` }))
      : Promise.resolve(true);
  void granted.then(respond).then((message) => process.send?.(message));
});
process.on('disconnect', () => process.exit());
process.send?.(await respond());
