import { KLINES_MAX } from '@sextant/workers/src/core/limits.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exchangeIds } from '../../adapters/exchanges/support/testExchanges.ts';
import { callNode, type ClusterUser, countRows, signUpOn } from '../../support/clusterClient.ts';
import { createNodeCluster, noNodes, type NodeCluster } from '../../support/nodeCluster.ts';

/** BUSY_S=150 with `npm run test:statistics`: more than two minutes of the exchanges' limits. */
const busyMs = Number(process.env['BUSY_S'] ?? 12) * 1000;
const USERS = 8;
const SCANS_EACH = 2;
const intervals = ['1m', '5m', '15m', '1h', '4h'] as const;
/** Only ends a product that hangs. */
const timeout = 240_000;

let cluster: NodeCluster;
/** What the exchanges rejected by their published limits, and the most that Binance counted in a minute. */
const rejected: string[] = [];
let weightMost = 0;
let requestCount = 0;
beforeAll(async () => {
  if (noNodes) return;
  cluster = await createNodeCluster({ roles: ['web', 'web', 'worker', 'worker', 'market'] });
  const { limits } = cluster.exchanges;
  const count = limits.count.bind(limits);
  limits.count = (venue, path, ...rest) => {
    const counted = count(venue, path, ...rest);
    requestCount += 1;
    weightMost = Math.max(weightMost, Number(counted.headers['x-mbx-used-weight-1m'] ?? 0));
    if (counted.overuse !== undefined) rejected.push(`${venue} ${counted.overuse.status} ${path}`);
    return counted;
  };
  await Promise.all(cluster.nodes.map((node) => node.start()));
}, timeout);
afterAll(async () => {
  if (!noNodes) await cluster.close();
}, timeout);

it.skipIf(noNodes)(
  'NODE-193 busy web and worker nodes together stay below the published limits of every exchange',
  async () => {
    const urls = cluster.of('web').map(({ url }) => url);
    const webOf = (index: number): string => urls[index % urls.length] ?? '';
    const users: ClusterUser[] = [];
    for (let i = 0; i < USERS; i++)
      users.push(await signUpOn(cluster, webOf(i), { email: `busy${i}@example.com`, credits: 100 }));
    const symbols = [...cluster.exchanges.listings.binance.values()].map(({ id }) => id);
    const statuses: Record<number, number> = {};
    const endMs = performance.now() + busyMs;
    let next = 0;
    /** Each request is of candles that no node has: another symbol, interval or exchange. */
    async function readOld(user: ClusterUser, url: string): Promise<void> {
      const index = (next += 1);
      const symbol = symbols[index % symbols.length] ?? 'BTCUSDT';
      const interval = intervals[index % intervals.length] ?? '1h';
      const exchange = exchangeIds[index % exchangeIds.length] ?? 'binance';
      const query = new URLSearchParams({ symbol, interval, limit: String(KLINES_MAX), exchange });
      const status = await callNode(`${url}/api/klines?${query.toString()}`, user).then(
        async (response) => {
          await response.body?.cancel();
          return response.status;
        },
        () => 0,
      );
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
    const scans = users.flatMap((user, at) =>
      Array.from({ length: SCANS_EACH }, (_, i) =>
        callNode(`${webOf(at)}/api/scan`, {
          body: {},
          headers: { ...user.headers, 'idempotency-key': `busy-${at}-${i}` },
        }).then(({ status }) => status),
      ),
    );
    await Promise.all(
      users.flatMap((user, at) =>
        Array.from({ length: 4 }, async () => {
          while (performance.now() < endMs) await readOld(user, webOf(at));
        }),
      ),
    );
    const started = (await Promise.all(scans)).filter((status) => status === 202).length;
    const open = () => countRows(cluster, `from scans where status in ('queued', 'running')`);
    await expect.poll(open, { timeout }).toBe(0);
    const done = await countRows(cluster, `from scans where status = 'done'`);
    process.stdout.write(
      `busy nodes ${JSON.stringify({ seconds: busyMs / 1000, requestCount, weightMost, statuses, started, done })}\n`,
    );
    expect(rejected).toEqual([]);
    for (const node of cluster.nodes) expect(node.exchangeConnections()).toBe(0);
    // It was busy: a start alone takes less.
    expect(statuses[200] ?? 0).toBeGreaterThan(20);
    expect(done).toBeGreaterThan(0);
  },
  timeout + 4 * busyMs,
);
