import { readConfig } from '@sextant/server/src/config.ts';
import { createDeps } from '@sextant/server/src/deps.ts';
import { buildApp } from '@sextant/server/src/app.ts';
import { openDatabase } from '@sextant/server/src/platform/db/database.ts';
import { addRequireUser } from '@sextant/server/src/platform/auth/requireUser.ts';
import { startWorkers } from '@sextant/server/src/startWorkers.ts';
import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { createEnginePool } from '@sextant/workers/src/node/pool.ts';
import Fastify from 'fastify';

/**
 * The product's server in a process of its own, and a bare Fastify in the same one: same event loop, same key check, an answer of the
 * same size. Speaks to the bench by messages.
 */

export interface Question {
  ask: 'state' | 'streams' | 'bare';
  /** For `bare`: the body to answer with. */
  body?: string;
}
export interface Answer {
  url: string;
  bareUrl: string;
  token: string;
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
const deps = createDeps({
  config,
  database,
  newEngine: () => instantiate(engine.module),
  engine: createEnginePool({ engine, threads: 2, queueMax: 32, deadlineMs: 20_000 }),
  authSecret: env['AUTH_SECRET'] ?? '',
  version: '0.0.0-bench',
  webDir: '/nowhere',
});
const app = await buildApp(deps);
const url = await app.listen({ host: '127.0.0.1', port: 0 });

let body = '{}';
const bare = Fastify();
addRequireUser(bare, async (credentials) => {
  const session = await deps.auth.getSession(credentials);
  return session === null ? null : { ...session.account, sessionId: session.id };
});
bare.post('/api/bare', { onRequest: bare.requireUser }, (_request, reply) =>
  reply.header('content-type', 'application/json; charset=utf-8').send(body),
);
const bareUrl = await bare.listen({ host: '127.0.0.1', port: 0 });

const idleBytes = process.memoryUsage().rss;
const signedUp = await deps.auth.signUp('bench@example.com', 'correct horse battery', {
  ip: '127.0.0.1',
  userAgent: undefined,
});
if (!signedUp.ok || signedUp.value === null) throw new Error('no account');
const { token } = signedUp.value;
await startWorkers(deps, app.log);

async function answer(): Promise<Answer> {
  const turnovers = await deps.market.turnovers({ exchange: 'binance' });
  const { readyAfterMs, readyCount, candleBytes } = deps.market.warmth();
  const symbols = turnovers.ok ? turnovers.value.value.map(({ symbol }) => symbol) : [];
  const rssBytes = process.memoryUsage().rss - idleBytes;
  const { user, system } = process.cpuUsage();
  const cpuMs = (user + system) / 1000;
  return { url, bareUrl, token, symbols, readyAfterMs, readyCount, candleBytes, rssBytes, cpuMs };
}

process.on('message', (question: Question) => {
  if (question.body !== undefined) body = question.body;
  if (question.ask === 'streams')
    deps.startStreams((error) => app.log.error({ err: error }, 'a look at the streams failed'));
  void answer().then((message) => process.send?.(message));
});
process.on('disconnect', () => process.exit());
process.send?.(await answer());
