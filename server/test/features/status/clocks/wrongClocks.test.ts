import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCandleStore } from '../../../../src/features/history/candleStore.ts';
import { callNode, type ClusterUser, countRows, quotedAtMs, signUpOn } from '../../../support/clusterClient.ts';
import { until } from '../../positions/support/positions.ts';
import { type ClusterNode, createNodeCluster, noNodes, type NodeCluster } from '../../../support/nodeCluster.ts';

// Whole nodes in child processes: each test waits for states, and its limit only ends a product that hangs.
const timeout = 240_000;
const OFF_MS = 600_000;
const MINUTE_MS = 60_000;

let cluster: NodeCluster;
/** One node of each role has the right clock, the other one that of the test. */
let right: Record<'web' | 'worker' | 'market', ClusterNode>;
let wrong: typeof right;
let user: ClusterUser;
const pair = (at: 0 | 1): typeof right => {
  const of = (role: ClusterNode['role']): ClusterNode => {
    const node = cluster.of(role)[at];
    if (node === undefined) throw new Error(`no ${role} node`);
    return node;
  };
  return { web: of('web'), worker: of('worker'), market: of('market') };
};
const readyOf = async (node: ClusterNode): Promise<{ status: number; codes: string[] }> => {
  const { status, text } = await node.probe('/readyz');
  const { reasons = [] } = text === '' ? {} : (JSON.parse(text) as { reasons?: { code: string }[] });
  return { status, codes: reasons.map(({ code }) => code) };
};
const isOut = async (node: ClusterNode): Promise<boolean> => {
  const { status, codes } = await readyOf(node);
  return status === 503 && codes.includes('clock');
};
const isReady = async (node: ClusterNode): Promise<boolean> => (await readyOf(node)).status === 200;

/** Starts nodes with a clock that is off before the others, so that they could take every lease and job. */
async function startWrong(aheadMs: number): Promise<void> {
  const nodes = Object.values(wrong);
  await Promise.all(nodes.map((node) => node.kill()));
  await Promise.all(nodes.map((node) => node.setClock(aheadMs)));
  await Promise.all(nodes.map((node) => node.start()));
  for (const node of nodes) await until(`${node.role} is out`, () => isOut(node), timeout);
}

beforeAll(async () => {
  if (noNodes) return;
  cluster = await createNodeCluster({
    roles: ['web', 'worker', 'market', 'web', 'worker', 'market'],
    hasClocks: true,
  });
  [right, wrong] = [pair(0), pair(1)];
  await startWrong(OFF_MS);
  await Promise.all(Object.values(right).map((node) => node.start()));
  user = await signUpOn(cluster, right.web.url, { email: 'clocks@example.com', credits: 20 });
}, timeout);
afterAll(async () => {
  if (!noNodes) await cluster.close();
}, timeout);

async function scan(key: string): Promise<void> {
  const headers = { ...user.headers, 'idempotency-key': key };
  const body = { symbols: ['BTCUSDT', 'ETHUSDT'] };
  const send = () => callNode(`${right.web.url}/api/scan`, { body, headers }).then(({ status }) => status);
  await expect.poll(send, { timeout }).toBe(202);
}

describe.each([OFF_MS, -OFF_MS])('nodes whose clock is %i ms ahead of the others', (aheadMs) => {
  it.skipIf(noNodes)(
    'NODE-198 take no requests, leases or jobs and store no candles; the others serve, and the status is true',
    { timeout: 3 * timeout },
    async () => {
      if (aheadMs !== OFF_MS) await startWrong(aheadMs);
      for (const node of Object.values(right)) await expect.poll(() => isReady(node), { timeout }).toBe(true);
      await expect.poll(() => cluster.leaderPid('market'), { timeout }).toBe(String(right.market.pid()));
      await expect.poll(() => cluster.leaderPid('positions'), { timeout }).toBe(String(right.worker.pid()));
      const startedMs = Date.now();
      await expect.poll(() => quotedAtMs(right.web.url, user), { timeout }).toBeGreaterThan(startedMs);

      const keys = Array.from({ length: 6 }, (_, i) => `clock-${aheadMs}-${i}`);
      await Promise.all(keys.map(scan));
      const open = () => countRows(cluster, `from scans where status in ('queued', 'running')`);
      await expect.poll(open, { timeout }).toBe(0);
      expect(await countRows(cluster, `from scans where status <> 'done'`)).toBe(0);
      const jobsOf = async (node: ClusterNode) =>
        [...(await node.probe('/metrics')).text.matchAll(/^sextant_job_duration_seconds_count\{.*/gm)].map(String);
      expect((await jobsOf(right.worker)).length).toBeGreaterThan(0);
      expect(await jobsOf(wrong.worker)).toEqual([]);

      // By its clock these minutes have passed, so it would store that the exchange has no candle of them.
      const endTime = Date.now() + OFF_MS / 2;
      const query = `symbol=ETHUSDT&interval=1m&limit=50&endTime=${endTime}`;
      await callNode(`${wrong.web.url}/api/klines?${query}`, user).catch(() => undefined);
      // Stopping in order writes what it would still store.
      process.kill(wrong.web.pid() ?? 0, 'SIGTERM');
      await expect.poll(async () => (await wrong.web.probe('/readyz')).status, { timeout }).toBe(0);
      const store = createCandleStore({
        db: cluster.database.db,
        source: 'simulated default',
        onError: () => undefined,
      });
      const span = { fromMs: startedMs - 120 * MINUTE_MS, toMs: startedMs + 120 * MINUTE_MS };
      const stored = await store.readRange({ exchange: 'binance', symbol: 'ETHUSDT', interval: '1m' }, span);
      for (const each of stored.ok ? stored.value.covered : []) expect(each.toMs).toBeLessThan(Date.now());
      expect(await countRows(cluster, 'from history_chunks where last_at > clock_timestamp()')).toBe(0);
      expect(await countRows(cluster, 'from signals where candle_close_at > clock_timestamp()')).toBe(0);

      const state = async () => {
        const response = await callNode(`${right.web.url}/api/status`).catch(() => undefined);
        return response?.ok === true ? ((await response.json()) as { state: string }).state : undefined;
      };
      await expect.poll(state, { timeout }).toBe('operational');
      for (const table of ['status_probes', 'health_checks'])
        expect(await countRows(cluster, `from ${table} where minute > clock_timestamp()`)).toBe(0);
      expect(await countRows(cluster, `from health_checks where message like '%clock%'`)).toBe(0);
    },
  );
});

it.skipIf(noNodes)(
  'NODE-198 leaders whose clock steps are replaced, and no other node counts their clock as its own',
  { timeout: 3 * timeout },
  async () => {
    await Promise.all(Object.values(wrong).map((node) => node.kill()));
    await Promise.all(Object.values(wrong).map((node) => node.setClock(0)));
    await Promise.all(Object.values(wrong).map((node) => node.start()));
    for (const node of cluster.nodes) await expect.poll(() => isReady(node), { timeout }).toBe(true);
    const others = cluster.nodes.filter((node) => node !== right.market && node !== right.worker);
    /** Reasons of nodes whose clock is right, as long as the leaders' clocks are off. */
    const codes = new Set<string>();
    const watched = new AbortController();
    const watching = (async () => {
      while (!watched.signal.aborted) {
        for (const node of others) for (const code of (await readyOf(node)).codes) codes.add(code);
        await delay(50);
      }
    })();
    await Promise.all([right.market, right.worker].map((node) => node.setClock(-OFF_MS)));
    await expect.poll(() => cluster.leaderPid('market'), { timeout }).toBe(String(wrong.market.pid()));
    await expect.poll(() => cluster.leaderPid('positions'), { timeout }).toBe(String(wrong.worker.pid()));
    const steppedMs = Date.now();
    for (const { url } of cluster.of('web'))
      await expect.poll(() => quotedAtMs(url, user), { timeout }).toBeGreaterThan(steppedMs);
    for (const node of [right.market, right.worker]) await expect.poll(() => isOut(node), { timeout }).toBe(true);
    watched.abort();
    await watching;
    expect([...codes].filter((code) => code === 'clock')).toEqual([]);
    await Promise.all([right.market, right.worker].map((node) => node.setClock(0)));
    for (const node of [right.market, right.worker]) await expect.poll(() => isReady(node), { timeout }).toBe(true);
  },
);
