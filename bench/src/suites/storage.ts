import { signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { type Product, startProduct } from '../api/product.ts';
import { type ResultLine, rounded } from '../results.ts';

const SCANS = 50;
const CHECKED_SCANS = 20;
const IDLE_MS = 20_000;
const WARM_MAX_MS = 120_000;
const kilobyte = 1000;

interface Sizes {
  walBytes: number;
  /** Bytes of each table with its indexes and long values. */
  tables: ReadonlyMap<string, number>;
}

async function readSizes({ sql }: Product): Promise<Sizes> {
  // Tables that were appended to and emptied, such as the queue's, give their pages back.
  const rows = await sql(`
    select c.oid::regclass::text as name, pg_total_relation_size(c.oid)::float8 as bytes from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ('public', 'jobs', 'api_log', 'scan_log')`);
  const [wal] = await sql(`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes`);
  return {
    walBytes: Number(wal?.['bytes']),
    tables: new Map(rows.map(({ name, bytes }) => [String(name), Number(bytes)])),
  };
}

/** From the request to the last job of the scan, so that all that it writes is written. */
export async function scanOnce(product: Product, url: string): Promise<string> {
  const sent = await product.call(`${url}/api/scan`, { intervals: signalIntervals });
  const { scan_id: id } = JSON.parse(sent) as { scan_id: string };
  for (;;) {
    const [row] = await product.sql(`select status from scans where id = '${id}'`);
    const status = String(row?.['status']);
    if (status === 'done') return id;
    if (status === 'failed' || status === 'cancelled') throw new Error(`the scan ${status}`);
    await delay(25);
  }
}

/** The AI checks that a page requests of a scan, by the built-in rules. */
export async function checkAll(product: Product, url: string, id: string): Promise<void> {
  const { scan } = JSON.parse(await product.call(`${url}/api/scan/${id}`)) as {
    scan: { results: { to_check: string[]; all: { signal_id: string; symbol: string; interval: string }[] } };
  };
  for (const signalId of scan.results.to_check) {
    const result = scan.results.all.find((each) => each.signal_id === signalId);
    const body = { scan_id: id, symbol: result?.symbol, interval: result?.interval };
    // A signal that its check rejects is a 409.
    await product.call(`${url}/api/signal/ai-check`, body).catch(() => undefined);
  }
}

const growthOf = (before: Sizes, after: Sizes) => {
  const tables = [...after.tables]
    .map(([name, bytes]) => ({ name, bytes: bytes - (before.tables.get(name) ?? 0) }))
    .filter(({ bytes }) => bytes !== 0)
    .toSorted((a, b) => b.bytes - a.bytes);
  return {
    tables,
    diskBytes: tables.reduce((sum, { bytes }) => sum + bytes, 0),
    walBytes: after.walBytes - before.walBytes,
  };
};

const QUIET_MS = 4000;
const QUIET_BYTES = 20_000;
const CANDLE_MS = 15 * 60_000;
/** Longer than the measurement takes. */
const CLEAR_MS = 150_000;

/** Until the candles that the start read are stored, and the next close of a scanned interval is far. */
async function untilQuiet(product: Product): Promise<void> {
  for (;;) {
    const before = (await readSizes(product)).walBytes;
    await delay(QUIET_MS);
    const untilCloseMs = CANDLE_MS - (Date.now() % CANDLE_MS);
    if ((await readSizes(product)).walBytes - before < QUIET_BYTES && untilCloseMs > CLEAR_MS) return;
  }
}

export async function untilWarm(product: Product): Promise<string> {
  let state = await product.ask({ ask: 'streams' });
  for (const endAt = performance.now() + WARM_MAX_MS; performance.now() < endAt && state.readyAfterMs === null;) {
    await delay(500);
    state = await product.ask({ ask: 'state' });
  }
  await product.ask({ ask: 'credits' });
  await untilQuiet(product);
  return state.url;
}

/** A first scan, whose signals are all new to the record, and 50 that follow it, by one account. */
export async function measureStorage(
  report: (line: ResultLine) => void,
): Promise<{ lines: ResultLine[]; notes: string[] }> {
  const lines: ResultLine[] = [];
  const notes: string[] = [];
  // The candle store writes by the clock, not by scans.
  const product = await startProduct(() => ({ HISTORY_BACKFILL: 'off', MARKET_STREAMS: 'off' }), false);
  const add = (name: string, figure: number, unit: string): void => {
    const line = { suite: 'storage', case: name, figure: rounded(figure), unit };
    lines.push(line);
    report(line);
  };
  /** Leases, probes and queues write by the clock; a slow machine, whose scans take longer, counts more of it for a scan. */
  const measureIdle = async (): Promise<void> => {
    const before = await readSizes(product);
    await delay(IDLE_MS);
    const bytes = (await readSizes(product)).walBytes - before.walBytes;
    add('no scans, log', ((bytes / IDLE_MS) * 60_000) / kilobyte, 'kB/min');
  };
  const measure = async (name: string, url: string, count: number, hasChecks = false): Promise<void> => {
    const startedAt = performance.now();
    const before = await readSizes(product);
    for (let at = 0; at < count; at += 1) {
      const id = await scanOnce(product, url);
      if (hasChecks) await checkAll(product, url, id);
    }
    const { tables, diskBytes, walBytes } = growthOf(before, await readSizes(product));
    add(`${name}, disk`, diskBytes / count / kilobyte, 'kB/scan');
    add(`${name}, log`, walBytes / count / kilobyte, 'kB/scan');
    const seconds = rounded((performance.now() - startedAt) / 1000);
    notes.push(`${name} took ${seconds} s.`);
    const parts = tables.map(({ name: table, bytes }) => `${table} ${rounded(bytes / count / kilobyte)}`);
    notes.push(`${name}, kB of disk a scan: ${parts.join(', ')}.`);
  };
  try {
    const url = await untilWarm(product);
    await measure('first scan', url, 1);
    await product.sql('checkpoint');
    await measure(`${SCANS} scans`, url, SCANS);
    await measure(`${CHECKED_SCANS} scans with ten AI checks each`, url, CHECKED_SCANS, true);
    await measureIdle();
  } finally {
    await product.close();
  }
  notes.push(
    'Log: difference of pg_current_wal_lsn, pages after a checkpoint and what the clock writes included; disk: pg_total_relation_size.',
  );
  return { lines, notes };
}
