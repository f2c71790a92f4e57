import { setTimeout as pause } from 'node:timers/promises';
import { FALL_FACTOR, type Population } from './population.ts';
import type { LoadNode, LoadProduct } from './product.ts';

/** A fault and the time until every node was ready again, by `performance.now()`. */
export interface Fault {
  name: string;
  fromMs: number;
  toMs: number;
}

/** A process that a supervisor starts again. */
const AWAY_MS = 2000;
const READY_MS_MAX = 300_000;
const CHECK_MS = 200;

async function untilReady(nodes: readonly LoadNode[]): Promise<void> {
  const endMs = performance.now() + READY_MS_MAX;
  for (const node of nodes)
    while (!(await node.isReady())) {
      if (performance.now() > endMs) throw new Error(`${node.name} was not ready within ${READY_MS_MAX / 1000} s`);
      await pause(CHECK_MS);
    }
}

async function killAndStart(node: LoadNode): Promise<void> {
  await node.kill();
  await pause(AWAY_MS);
  await node.start();
}

/** The worker that watches positions. */
async function leader({ sql, of }: LoadProduct): Promise<LoadNode | undefined> {
  const [row] = await sql<{ pid: string }>(
    `select split_part(node, ' ', 2) as pid from leaderships where name = 'positions' and expires_at > clock_timestamp()`,
  );
  return of('worker').find((node) => String(node.pid()) === row?.pid) ?? of('worker')[0];
}

/** A kill of each role, a restart of PostgreSQL and of the bus, one after the other over the duration. */
export async function disturb(product: LoadProduct, durationMs: number): Promise<Fault[]> {
  const kill = (node: LoadNode | undefined) => async () => {
    if (node !== undefined) await killAndStart(node);
  };
  const plan: [fraction: number, name: string, act: () => Promise<void>][] = [
    [0.15, 'market killed', kill(product.of('market')[0])],
    [0.3, 'web killed', kill(product.of('web')[1])],
    [0.45, 'leading worker killed', async () => kill(await leader(product))()],
    [0.6, 'PostgreSQL restarted', product.restartDatabase],
    [0.75, `${product.busName} restarted`, product.restartBus],
  ];
  const startMs = performance.now();
  const faults: Fault[] = [];
  for (const [fraction, name, act] of plan) {
    await pause(Math.max(0, startMs + fraction * durationMs - performance.now()));
    const fromMs = performance.now();
    await act();
    await untilReady(product.nodes);
    faults.push({ name, fromMs, toMs: performance.now() });
  }
  return faults;
}

/** Lets the moved symbols fall one after the other over the duration, also while something is down. */
export async function movePrices(product: LoadProduct, { moved }: Population, durationMs: number): Promise<void> {
  const startMs = performance.now();
  for (const [at, symbol] of moved.entries()) {
    await pause(Math.max(0, startMs + ((at + 0.5) / moved.length) * durationMs - performance.now()));
    const response = await fetch(`${product.exchangesUrl}/__control/price`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ symbol, factor: FALL_FACTOR }),
    });
    if (!response.ok) throw new Error(`${symbol} was not moved: HTTP ${response.status}`);
  }
}
