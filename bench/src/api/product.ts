import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { migrateDatabase } from '@sextant/db/src/migrate.ts';
import { startFakes } from '@sextant/server/launch/fakes.ts';
import { startThrowawayCluster } from '@sextant/server/launch/postgres/throwaway.ts';
import pg from 'pg';
import type { ResponseBody, Question } from './serverChild.ts';

export interface Product {
  ask: (question: Question) => Promise<ResponseBody>;
  /** One request over a keep-alive connection, with an API key or the account's session. Rejects on any other status. */
  call: (url: string, body?: object, apiKey?: string) => Promise<string>;
  /** The server's login. */
  serverUrl: string;
  sql: (statement: string) => Promise<Record<string, unknown>[]>;
  /** Session token of the account that `call` uses; another one after a restart. */
  readonly token: string;
  exchangesUrl: string;
  /** Kills the server and starts another one on the same database and exchanges; `call` goes on with an account of the new one. */
  restart: () => Promise<ResponseBody>;
  close: () => Promise<void>;
}

const authSecret = 'a secret that signs the sessions of the bench';

/**
 * Starts the product with its own database and fakes, each in its own process.
 * @param envOf additional server variables, from the origin of the practice payment providers
 * @param isThrowaway false: the database has the settings of the product, write-ahead log included
 */
export async function startProduct(
  envOf: (paymentsUrl: string) => Record<string, string> = () => ({}),
  isThrowaway = true,
): Promise<Product> {
  const cluster = await startThrowawayCluster('bench', undefined, isThrowaway);
  const fakes = await startFakes({ PATH: process.env['PATH'] ?? '' }, () => undefined);
  const { serverUrl } = await migrateDatabase(cluster.ownerUrl, authSecret);
  const env = {
    PATH: process.env['PATH'] ?? '',
    DATA_DIR: '/tmp',
    SERVER_URL: serverUrl,
    DATABASE_URL: cluster.ownerUrl,
    AUTH_SECRET: authSecret,
    EXCHANGES_URL: fakes.exchangesUrl,
    ...envOf(fakes.paymentsUrl),
  };
  let server = await startServer(env);
  const owner = new pg.Client({ connectionString: cluster.ownerUrl });
  await owner.connect();
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  return {
    ask: (question) => {
      server.child.send(question);
      return server.respond();
    },
    call: (url, body, apiKey) => {
      const credentials =
        apiKey === undefined ? { authorization: `Bearer ${server.first.token}` } : { 'x-api-key': apiKey };
      return callWith(agent, credentials, url, body);
    },
    get token() {
      return server.first.token;
    },
    exchangesUrl: fakes.exchangesUrl,
    restart: async () => {
      server.child.kill('SIGKILL');
      await server.gone.catch(() => undefined);
      server = await startServer(env);
      return server.first;
    },
    serverUrl,
    sql: async (statement) => (await owner.query<Record<string, unknown>>(statement)).rows,
    close: async () => {
      agent.destroy();
      // A restart that failed leaves a server that has ended.
      if (server.child.connected) server.child.disconnect();
      await server.gone.catch(() => undefined);
      await owner.end();
      await fakes.stop();
      await cluster.stop();
    },
  };
}

interface RunningServer {
  child: ChildProcess;
  first: ResponseBody;
  respond: () => Promise<ResponseBody>;
  /** Rejects when the server ends. */
  gone: Promise<never>;
}

async function startServer(env: Record<string, string>): Promise<RunningServer> {
  const child = fork(join(import.meta.dirname, 'serverChild.ts'), [], {
    env,
    execArgv: process.env['BENCH_CHILD_ARGS']?.split(' ') ?? [],
  });
  const gone = once(child, 'exit').then(() => Promise.reject(new Error('the server ended')));
  gone.catch(() => undefined);
  const respond = async (): Promise<ResponseBody> => {
    const [message] = (await Promise.race([once(child, 'message'), gone])) as [ResponseBody];
    return message;
  };
  return { child, gone, respond, first: await respond() };
}

function callWith(
  agent: Agent,
  credentials: Record<string, string>,
  url: string,
  body: object | undefined,
): Promise<string> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const headers = {
      ...credentials,
      ...(text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    };
    const sent = request(url, { agent, method: text === undefined ? 'GET' : 'POST', headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const result = Buffer.concat(parts).toString();
        const status = response.statusCode ?? 0;
        if (status < 200 || status > 299) reject(new Error(`${status} ${result.slice(0, 200)}`));
        else resolve(result);
      });
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(text);
  });
}
