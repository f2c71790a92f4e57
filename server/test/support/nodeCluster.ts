import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ExchangesFake, type ExchangesOptions, startExchanges } from '../../fakes/exchanges/server.ts';
import { freePort } from '../../launch/freePort.ts';
import { createNatsServer, type NatsServer, noNats } from '../platform/bus/natsServer.ts';
import { createTestDatabase, type TestDatabase } from './createTestDatabase.ts';
import { createKillableNode, type KillableNode } from './killableNode.ts';

/**
 * Tests with six to ten nodes run only where NODES is set, in `npm run test:statistics`: on a machine busy with other tests the nodes starve,
 * and report a database or a market as away that is only slow.
 */
export const noNodes = process.env['NODES'] === undefined;

export type NodeRole = 'web' | 'worker' | 'market';

export interface ClusterNode extends KillableNode {
  role: NodeRole;
  /** Connections that this node opened to the address of the exchanges; a gateway has the simulated ones instead. */
  exchangeConnections: () => number;
  /** Sets how far its clock is ahead, ms; for nodes of a cluster with `hasClocks`. */
  setClock: (aheadMs: number) => Promise<void>;
  /** Status and body of a path of its probe port; 0 while nothing listens. */
  probe: (path: '/readyz' | '/metrics') => Promise<{ status: number; text: string }>;
  /** A metric by its name with labels as they stand in `/metrics`; undefined while it is absent. */
  metric: (name: string) => Promise<number | undefined>;
}

export interface NodeCluster {
  database: TestDatabase;
  exchanges: ExchangesFake;
  /** Undefined where nats-server is not installed or not wanted: notices go through PostgreSQL. */
  nats: NatsServer | undefined;
  nodes: ClusterNode[];
  of: (role: NodeRole) => ClusterNode[];
  /** Process id of the holder of a lease. */
  leaderPid: (name: string) => Promise<string | undefined>;
  close: () => Promise<void>;
}

export interface ClusterOptions {
  /** One node for each; the first web node's `DATA_DIR` serves all. */
  roles: readonly NodeRole[];
  env?: Record<string, string>;
  isOnNats?: boolean;
  /** Their clocks can be set. */
  hasClocks?: boolean;
  exchanges?: ExchangesOptions;
}

/** An address of exchanges that nothing may request: counts connections and closes them. */
async function listenForNone(): Promise<{ url: string; count: () => number; close: () => Promise<void> }> {
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.on('error', () => undefined).destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: () => count,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

const skewClock = fileURLToPath(new URL('skewClock.ts', import.meta.url));

/** Nodes of single roles around a market gateway, not started yet, with one database and one set of simulated exchanges. */
export async function createNodeCluster(options: ClusterOptions): Promise<NodeCluster> {
  const { roles, env = {}, isOnNats = false, hasClocks = false } = options;
  const database = await createTestDatabase();
  const exchanges = await startExchanges(options.exchanges);
  const nats = isOnNats && !noNats ? await createNatsServer() : undefined;
  await nats?.start();
  const folder = await mkdtemp(join(tmpdir(), 'sextant-cluster-'));
  const closing: (() => Promise<unknown>)[] = [];
  const nodes: ClusterNode[] = [];
  for (const [index, role] of roles.entries()) {
    const probePort = await freePort();
    const none = role === 'market' ? undefined : await listenForNone();
    const clockFile = join(folder, `clock-${index}`);
    const node = await createKillableNode({
      DATABASE_URL: database.serverUrl,
      MARKET_STREAMS: 'on',
      MARKET_GATEWAY: 'on',
      HISTORY_BACKFILL: 'off',
      ...(nats === undefined ? {} : { NATS_URL: nats.url }),
      ...(hasClocks ? { NODE_OPTIONS: `--import=${skewClock}`, TEST_CLOCK_FILE: clockFile } : {}),
      ...env,
      ROLE: role,
      DATA_DIR: folder,
      EXCHANGES_URL: none?.url ?? exchanges.url,
      PROBE_PORT: String(probePort),
    });
    closing.push(node.close, async () => none?.close());
    const probe: ClusterNode['probe'] = (path) =>
      fetch(`http://127.0.0.1:${probePort}${path}`, { signal: AbortSignal.timeout(5000) }).then(
        async (response) => ({ status: response.status, text: await response.text() }),
        () => ({ status: 0, text: '' }),
      );
    nodes.push({
      ...node,
      role,
      exchangeConnections: () => none?.count() ?? 0,
      setClock: (aheadMs) => writeFile(clockFile, String(aheadMs)),
      probe,
      async metric(name) {
        const { text } = await probe('/metrics');
        const line = text.split('\n').find((each) => each.startsWith(`${name} `));
        return line === undefined ? undefined : Number(line.slice(name.length + 1));
      },
    });
  }
  return {
    database,
    exchanges,
    nats,
    nodes,
    of: (role) => nodes.filter((node) => node.role === role),
    leaderPid: async (name) =>
      (
        await database.asOwner<{ pid: string }>(
          `select split_part(node, ' ', 2) as pid from leaderships where name = $1 and expires_at > clock_timestamp()`,
          [name],
        )
      )[0]?.pid,
    async close() {
      for (const close of closing) await close();
      await nats?.kill();
      await exchanges.close();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
