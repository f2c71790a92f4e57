import { setTimeout as pause } from 'node:timers/promises';
import { readEnvironment } from '../environment.ts';
import { disturb, movePrices } from './faults.ts';
import { sampleNodes, summarise, verify } from './figures.ts';
import { populate } from './population.ts';
import { createLoadProduct, type LoadProduct } from './product.ts';
import { type LoadShape, readShape, usage } from './shape.ts';
import { createClient, openStreams, readPages, startScans } from './traffic.ts';
import { join } from 'node:path';

const WARM_MS_MAX = 600_000;
const SEED = 43;
const gigabyte = 1e9;

const round = (value: number): number => Math.round(value * 10) / 10;
const log = (text: string): void => void process.stderr.write(`${text}\n`);

/** All nodes ready, with every series in memory. */
async function untilWarm({ nodes }: LoadProduct): Promise<void> {
  const endMs = performance.now() + WARM_MS_MAX;
  const states = (text: string): string[] =>
    ['wanted', 'ready'].map(
      (state) => new RegExp(`^sextant_warm_series\\{state="${state}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? '',
    );
  for (const node of nodes)
    for (;;) {
      const [wanted, ready] = states(await node.metrics());
      const isWarm = node.role === 'market' || (wanted !== '' && wanted !== '0' && wanted === ready);
      if (isWarm && (await node.isReady())) break;
      if (performance.now() > endMs) throw new Error(`${node.name} was not warm within ${WARM_MS_MAX / 1000} s`);
      await pause(500);
    }
}

async function readStorage({ sql }: LoadProduct): Promise<{ walBytes: number; databaseBytes: number }> {
  const [row] = await sql<{ wal: string; size: string }>(
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text as wal, pg_database_size(current_database())::text as size`,
  );
  return { walBytes: Number(row?.wal), databaseBytes: Number(row?.size) };
}

async function run(product: LoadProduct, shape: LoadShape): Promise<boolean> {
  log('accounts, positions and alerts');
  const population = await populate(product, shape);
  log('nodes');
  for (const node of product.nodes) await node.start();
  await untilWarm(product);
  const client = createClient(product.of('web').map(({ url }) => url));
  const [first] = population.users;
  const session = await client.request(0, '/api/positions', { headers: first?.headers ?? {} });
  if (session.status !== 200) throw new Error(`a session of the load was rejected: HTTP ${session.status}`);
  log('streams');
  const streams = await openStreams(client, population.users.slice(0, shape.streams));
  const durationMs = shape.minutes * 60_000;
  const stored = await readStorage(product);
  const stopSampling = sampleNodes(product);
  log(`load of ${shape.minutes} minutes`);
  const startedMs = performance.now();
  const [reads, scanIds, faults] = await Promise.all([
    readPages(client, population, { ratePerS: shape.readsPerS, durationMs, seed: SEED }),
    startScans(client, population, { ratePerS: shape.scansPerHour / 3600, durationMs, seed: SEED + 1 }),
    disturb(product, durationMs),
    movePrices(product, population, durationMs),
  ]);
  log('what is still due');
  const outcome = await verify(product, population, scanIds);
  const seconds = (performance.now() - startedMs) / 1000;
  const nodes = await stopSampling();
  const { open, events, resyncs, reconnects } = streams.figures;
  streams.close();
  const grown = await readStorage(product);
  const figures = summarise(reads, faults);
  const report = {
    environment: readEnvironment(join(import.meta.dirname, '../../../engine-as/build/engine.wasm'), new Date()),
    shape,
    bus: product.busName,
    seconds: round(seconds),
    reads: {
      count: figures.count,
      failed: figures.failed,
      quiet: Object.fromEntries(Object.entries(figures.quiet).map(([name, value]) => [name, round(value)])),
      p99ByPath: Object.fromEntries(Object.entries(figures.p99ByPath).map(([path, value]) => [path, round(value)])),
    },
    faults: faults.map(({ name, fromMs, toMs }) => ({ name, seconds: round((toMs - fromMs) / 1000) })),
    ...outcome,
    streams: { open, events, resyncs, reconnects },
    nodes: nodes.map((each) => ({
      ...each,
      cpuS: round(each.cpuS),
      coresShare: round((each.cpuS / seconds) * 100) / 100,
    })),
    storage: {
      walGb: round(((grown.walBytes - stored.walBytes) / gigabyte) * 100) / 100,
      databaseGb: round(((grown.databaseBytes - stored.databaseBytes) / gigabyte) * 100) / 100,
    },
  };
  process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
  for (const each of outcome.wrong) log(`wrong: ${each}`);
  return outcome.wrong.length === 0;
}

async function main(): Promise<number> {
  const args = process.argv.slice(2);
  if (args.includes('--help')) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  const shape = readShape(args);
  const product = await createLoadProduct();
  try {
    return (await run(product, shape)) ? 0 : 1;
  } finally {
    await product.close();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
