import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { migrateDatabase } from '@sextant/db/src/migrate.ts';
import { type Fakes, startFakes } from '@sextant/server/launch/fakes.ts';
import { mallocSettings } from '@sextant/server/launch/freedMemory.ts';
import { freePort } from '@sextant/server/launch/freePort.ts';
import { type ClusterOptions, startCluster } from '@sextant/server/launch/postgres/cluster.ts';
import { type Database, openDatabase } from '@sextant/server/src/platform/db/database.ts';
import pg from 'pg';

export type Role = 'web' | 'worker' | 'market';

export interface LoadNode {
  name: string;
  role: Role;
  url: string;
  /** Resolves when it listens. */
  start: () => Promise<void>;
  /** SIGKILL: nothing is finished. */
  kill: () => Promise<void>;
  pid: () => number | undefined;
  /** Whether it may get requests; false while nothing listens. */
  isReady: () => Promise<boolean>;
  /** Text of `/metrics`; empty while nothing listens. */
  metrics: () => Promise<string>;
}

export interface LoadProduct {
  nodes: LoadNode[];
  of: (role: Role) => LoadNode[];
  database: Database;
  /** Runs SQL as the owner. */
  sql: <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>;
  authSecret: string;
  exchangesUrl: string;
  /** Stops PostgreSQL in order and starts it on the same port. */
  restartDatabase: () => Promise<void>;
  /** Kills the bus and starts it again: NATS, or the sessions that listen to notices where it is not installed. */
  restartBus: () => Promise<void>;
  busName: 'NATS' | 'NOTIFY';
  close: () => Promise<void>;
}

const authSecret = 'a secret that signs the sessions of the load';
const root = join(import.meta.dirname, '../../..');
/** As `npm start` sets them, so that memory is that of an installation. */
const flags = ['--max-old-space-size=320', '--max-semi-space-size=8', 'server/src/main.ts'];
const natsProgram = process.env['NATS_SERVER'] ?? 'nats-server';
/** 35 for each node, the requests of the load and the owner. */
const CONNECTIONS_MAX = 250;
const READY_MS = 60_000;
const PROBE_MS = 5000;

async function createNode(role: Role, index: number, shared: Record<string, string>): Promise<LoadNode> {
  const [port, probePort] = [await freePort(), await freePort()];
  const probes = `http://127.0.0.1:${probePort}`;
  let child: ChildProcess | undefined;
  const read = (path: string): Promise<Response | undefined> =>
    fetch(`${probes}${path}`, { signal: AbortSignal.timeout(PROBE_MS) }).catch(() => undefined);
  return {
    name: `${role}-${index + 1}`,
    role,
    url: `http://127.0.0.1:${port}`,
    async start() {
      const env = { ...shared, ROLE: role, PORT: String(port), PROBE_PORT: String(probePort) };
      const started = spawn(process.execPath, flags, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
      child = started;
      let output = '';
      const listens = Promise.withResolvers<undefined>();
      for (const stream of [started.stdout, started.stderr])
        stream.on('data', (text: Buffer) => {
          output = `${output}${String(text)}`.slice(-4000);
          if (output.includes('http://')) listens.resolve(undefined);
        });
      const ended = once(started, 'exit').then(() => Promise.reject(new Error(`a ${role} node ended: ${output}`)));
      ended.catch(() => undefined);
      await Promise.race([listens.promise, ended]);
    },
    async kill() {
      const killed = child;
      child = undefined;
      if (killed === undefined || killed.exitCode !== null || killed.signalCode !== null) return;
      const exit = once(killed, 'exit');
      killed.kill('SIGKILL');
      await exit;
    },
    pid: () => child?.pid,
    async isReady() {
      const response = await read('/readyz');
      await response?.body?.cancel();
      return response?.status === 200;
    },
    metrics: async () => (await (await read('/metrics'))?.text().catch(() => '')) ?? '',
  };
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.unref();
  });

/** A NATS server that can be killed and started on its port; undefined where it is not installed. */
async function startNats(): Promise<
  { url: string; restart: () => Promise<void>; stop: () => Promise<void> } | undefined
> {
  if (spawnSync(natsProgram, ['-v']).status !== 0) return undefined;
  const port = await freePort();
  let child: ChildProcess | undefined;
  async function start(): Promise<void> {
    child = spawn(natsProgram, ['-a', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
    while (!(await isOpen(port))) await pause(20);
  }
  async function stop(): Promise<void> {
    if (child === undefined || child.exitCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }
  await start();
  return {
    url: `nats://127.0.0.1:${port}`,
    stop,
    async restart() {
      await stop();
      await pause(2000);
      await start();
    },
  };
}

/** Settings of all nodes. */
const envOf = (
  folder: string,
  { serverUrl, exchangesUrl, natsUrl }: { serverUrl: string; exchangesUrl: string; natsUrl: string | undefined },
): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: join(folder, 'code-cache'),
  ...mallocSettings,
  DATABASE_URL: serverUrl,
  AUTH_SECRET: authSecret,
  DATA_DIR: join(folder, 'data'),
  EXCHANGES_URL: exchangesUrl,
  HISTORY_BACKFILL: 'off',
  LOG_LEVEL: 'silent',
  DRAIN_S: '0',
  ...(natsUrl !== undefined && { NATS_URL: natsUrl }),
});

/** Two web, two worker and one market node, not started yet, with PostgreSQL as an installation has it. */
export async function createLoadProduct(): Promise<LoadProduct> {
  const folder = await mkdtemp(join(tmpdir(), 'sextant-load-'));
  const place: ClusterOptions = {
    home: join(folder, 'postgres'),
    password: 'throwaway',
    database: 'sextant',
    connectionsMax: CONNECTIONS_MAX,
  };
  let cluster = await startCluster(place);
  const fakes: Fakes = await startFakes({ PATH: process.env['PATH'] ?? '' }, () => undefined);
  const { serverUrl } = await migrateDatabase(cluster.ownerUrl, authSecret);
  const nats = await startNats();
  const owner = new pg.Pool({ connectionString: cluster.ownerUrl, max: 4 });
  owner.on('error', () => undefined);
  owner.on('connect', (client) => client.on('error', () => undefined));
  const database = openDatabase({ url: serverUrl, connectionsMax: 8, waitMsMax: READY_MS, onError: () => undefined });
  const shared = envOf(folder, { serverUrl, exchangesUrl: fakes.exchangesUrl, natsUrl: nats?.url });
  const nodes: LoadNode[] = [];
  for (const role of ['web', 'web', 'worker', 'worker', 'market'] as const)
    nodes.push(await createNode(role, nodes.filter((each) => each.role === role).length, shared));
  const sql: LoadProduct['sql'] = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
    (await owner.query<Row>(text, values)).rows;
  return {
    nodes,
    of: (role) => nodes.filter((node) => node.role === role),
    database,
    sql,
    authSecret,
    exchangesUrl: fakes.exchangesUrl,
    async restartDatabase() {
      const { port } = cluster;
      await cluster.stop();
      await pause(2000);
      cluster = await startCluster({ ...place, port });
    },
    async restartBus() {
      if (nats !== undefined) return nats.restart();
      await sql(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sextant events'`);
    },
    busName: nats === undefined ? 'NOTIFY' : 'NATS',
    async close() {
      for (const node of nodes) await node.kill();
      await database.close();
      await owner.end();
      await nats?.stop();
      await fakes.stop();
      await cluster.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
