import { afterAll, beforeAll, expect, it } from 'vitest';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { type CandleStore, createCandleStore } from '../../../src/features/history/candleStore.ts';
import type { Interval } from '../../../src/features/market/port.ts';
import {
  type ClusterNode,
  createNodeCluster,
  noNodes,
  type NodeCluster,
  type NodeRole,
} from '../../support/nodeCluster.ts';

/** NODES=10 with `npm run test:statistics`. */
const isWhole = process.env['NODES'] === '10';
const roles: NodeRole[] = isWhole
  ? ['web', 'web', 'web', 'web', 'worker', 'worker', 'worker', 'worker', 'market', 'market']
  : ['web', 'web', 'worker', 'market'];
/** From the last port to every series in memory. On a machine that is busy with other tests it only ends a product that hangs. */
const warmMsMax = isWhole ? 10_000 : Infinity;
const timeout = 240_000;

let cluster: NodeCluster;
let store: CandleStore;
beforeAll(async () => {
  if (noNodes) return;
  cluster = await createNodeCluster({ roles });
  store = createCandleStore({ db: cluster.database.db, source: 'simulated default', onError: () => undefined });
}, timeout);
afterAll(async () => {
  if (!noNodes) await cluster.close();
}, timeout);

const readers = (): ClusterNode[] => cluster.nodes.filter(({ role }) => role !== 'market');
/** Ready, with every wanted series in memory. */
async function isWarm(node: ClusterNode): Promise<boolean> {
  if ((await node.probe('/readyz')).status !== 200) return false;
  if (node.role === 'market') return true;
  const wanted = await node.metric('sextant_warm_series{state="wanted"}');
  return wanted !== undefined && wanted > 0 && wanted === (await node.metric('sextant_warm_series{state="ready"}'));
}

/** Starts all at once. @returns ms from the last port to the last warm node */
async function startAll(): Promise<{ portsMs: number; warmMs: number }> {
  const startedAt = performance.now();
  await Promise.all(cluster.nodes.map((node) => node.start()));
  const openAt = performance.now();
  const waiting = new Set(cluster.nodes);
  const warmNow = async (): Promise<number> => {
    for (const node of waiting) if (await isWarm(node)) waiting.delete(node);
    return waiting.size;
  };
  await expect.poll(warmNow, { timeout, interval: 100 }).toBe(0);
  return { portsMs: Math.round(openAt - startedAt), warmMs: Math.round(performance.now() - openAt) };
}

/** Opens that are stored, by series. */
async function readStored(untilMs: number): Promise<Map<string, { fromMs: number; toMs: number }[]>> {
  const rows = await cluster.database.asOwner<{ symbol: string; interval: Interval }>(
    `select distinct symbol, interval from history_chunks where exchange = 'binance' and price = 'last'`,
  );
  const covered = new Map<string, { fromMs: number; toMs: number }[]>();
  for (const { symbol, interval } of rows) {
    const span = { fromMs: untilMs - 1000 * intervalMs[interval], toMs: untilMs };
    const read = await store.readRange({ exchange: 'binance', symbol, interval }, span);
    if (!read.ok) throw new Error(read.error.message);
    covered.set(`${symbol} ${interval}`, read.value.covered);
  }
  return covered;
}

/** Bars of a request that were stored, beyond one at each end, which is compared. */
function repeatedBars(
  { symbol, interval, startTime, endTime }: Partial<Record<string, string>>,
  stored: Awaited<ReturnType<typeof readStored>>,
): number {
  const stepMs = intervalMs[interval as Interval];
  const bars = (stored.get(`${symbol} ${interval}`) ?? []).reduce((sum, each) => {
    const [fromMs, toMs] = [Math.max(each.fromMs, Number(startTime)), Math.min(each.toMs, Number(endTime))];
    return sum + Math.max(0, Math.floor((toMs - fromMs) / stepMs) + 1);
  }, 0);
  return Math.max(0, bars - 2);
}

it.skipIf(noNodes)(
  `NODE-191 ${roles.length} nodes started at once are warm without a request of web and worker, and restart from stored candles`,
  async () => {
    const first = await startAll();
    for (const node of readers()) expect(node.exchangeConnections()).toBe(0);
    const seriesCount = (await readers()[0]?.metric('sextant_warm_series{state="wanted"}')) ?? 0;
    expect(seriesCount).toBeGreaterThan(0);
    const isKline = ({ path }: { path: string }): boolean => path === '/fapi/v1/klines';
    const firstPages = cluster.exchanges.requests.all().filter(isKline).length;
    expect(firstPages).toBeGreaterThan(0);

    // A stop in order writes what is still in memory. After a restart of everything no node has candles in memory.
    for (const node of cluster.nodes) process.kill(node.pid() ?? 0, 'SIGTERM');
    for (const node of cluster.nodes)
      await expect.poll(async () => (await node.probe('/readyz')).status, { timeout }).toBe(0);
    await Promise.all(cluster.nodes.map((node) => node.kill()));
    const stored = await readStored(Date.now());
    expect(stored.size).toBeGreaterThanOrEqual(seriesCount);
    cluster.exchanges.requests.clear();

    const second = await startAll();
    for (const node of readers()) expect(node.exchangeConnections()).toBe(0);
    const again = cluster.exchanges.requests.all().filter(isKline);
    // Candles that closed since are requested; of those that were stored, none.
    const repeated = again.map(({ query }) => repeatedBars(query, stored));
    process.stdout.write(
      `many nodes ${JSON.stringify({ nodes: roles.length, first, second, seriesCount, firstPages, pages: again.length })}\n`,
    );
    expect(repeated.filter((bars) => bars > 0)).toEqual([]);
    expect(Math.max(first.warmMs, second.warmMs)).toBeLessThanOrEqual(warmMsMax);
  },
  timeout * 3,
);
