import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ExchangesFake, startExchanges } from '../../../../fakes/exchanges/server.ts';
import { freePort } from '../../../../launch/freePort.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/createTestDatabase.ts';
import { createKillableNode, type KillableNode } from '../../../support/killableNode.ts';

/** Far above what is promised: it only ends a failed test on a busy machine. */
const timeout = 90_000;

let database: TestDatabase;
let exchanges: ExchangesFake;
const nodes: KillableNode[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  exchanges = await startExchanges();
});
afterAll(async () => {
  for (const node of nodes) await node.close();
  await exchanges.close();
  await database.drop();
});

async function startNode(env: Record<string, string>): Promise<{ node: KillableNode; probes: string }> {
  const probePort = String(await freePort());
  const shared = { DATABASE_URL: database.serverUrl, EXCHANGES_URL: exchanges.url, PROBE_PORT: probePort };
  const first = nodes[0];
  const node = await createKillableNode({ ...shared, ...(first && { DATA_DIR: first.dataDir }), ...env });
  nodes.push(node);
  await node.start();
  return { node, probes: `http://127.0.0.1:${probePort}` };
}

const read = async (url: string): Promise<{ status: number; text: string }> => {
  const response = await fetch(url, { redirect: 'manual' });
  return { status: response.status, text: await response.text() };
};
const statusOf = (url: string): Promise<number | string> =>
  read(url).then(
    ({ status }) => status,
    () => 'closed',
  );

it('NODE-004 NODE-007 a node that stops is not ready first, still serves, and then closes its port', async () => {
  const { node, probes } = await startNode({ ROLE: 'all', DRAIN_S: '4' });
  await expect.poll(() => statusOf(`${probes}/readyz`), { timeout }).toBe(200);
  const { text } = await read(`${probes}/metrics`);
  for (const name of ['sextant_info', 'nodejs_eventloop_lag_p99_seconds', 'sextant_database_pool_connections'])
    expect(text).toContain(`# TYPE ${name} gauge\n`);
  const clock = 'sextant_clock_offset_seconds{clock="database"}';
  await expect.poll(async () => (await read(`${probes}/metrics`)).text.includes(clock), { timeout }).toBe(true);
  process.kill(node.pid() ?? 0, 'SIGTERM');
  await expect.poll(() => statusOf(`${probes}/readyz`), { timeout, interval: 20 }).toBe(503);
  // Both are read before the 4 s are over, on a machine of any speed: the port cannot close before it was seen not to be ready.
  const [probe, product] = await Promise.all([read(`${probes}/readyz`), statusOf(`${node.url}/livez`)]);
  expect(JSON.parse(probe.text)).toMatchObject({ status: 'not_ready', reasons: [{ code: 'draining' }] });
  expect(product).toBe(200);
  await expect.poll(() => statusOf(`${node.url}/livez`), { timeout }).toBe('closed');
  await expect.poll(() => statusOf(`${probes}/livez`), { timeout }).toBe('closed');
});

it('NODE-001 NODE-008 NODE-070 a worker has probes and metrics on its own port, and no other', async () => {
  const { node, probes } = await startNode({ ROLE: 'worker' });
  await expect.poll(() => statusOf(`${probes}/readyz`), { timeout }).toBe(200);
  expect(await statusOf(`${probes}/livez`)).toBe(200);
  expect(await statusOf(`${probes}/livez/x`)).toBe(404);
  expect(await statusOf(`${node.url}/livez`)).toBe('closed');
  const { text } = await read(`${probes}/metrics`);
  expect(text).toMatch(/sextant_info\{[^}]*role="worker"/);
  // The watch thread reports its figures to the server thread.
  const watchReport = /^sextant_watch_report_age_seconds \d/m;
  await expect.poll(async () => watchReport.test((await read(`${probes}/metrics`)).text), { timeout }).toBe(true);
  await node.kill();
  await pause(0);
});

it('NODE-008 a chosen probe port that is in use ends the start with one line', async () => {
  const { node, probes } = await startNode({ ROLE: 'worker' });
  const taken = new URL(probes).port;
  await expect(startNode({ ROLE: 'worker', PROBE_PORT: taken })).rejects.toThrow(
    `PROBE_PORT: 127.0.0.1:${taken} cannot be listened on (EADDRINUSE)`,
  );
  await node.kill();
});
