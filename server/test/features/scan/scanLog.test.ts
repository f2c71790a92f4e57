import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWorkers } from '../../../src/startWorkers.ts';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import type { TestUser } from '../../support/createTestApp.ts';

let test: MarketApp;
let stopWorkers: () => Promise<void>;
let anna: TestUser;
const slot = `scan_log_${process.pid}`;
beforeAll(async () => {
  test = await createMarketApp({ env: { MARKET_STREAMS: 'off', HISTORY_BACKFILL: 'off' } });
  stopWorkers = await startWorkers(test.deps, test.app.log);
  await test.database.asOwner('create extension pg_walinspect');
  // The log is shared with other tests: without a slot a checkpoint may remove what is read here.
  await test.database.asOwner('select pg_create_physical_replication_slot($1, true)', [slot]);
  anna = await test.signUp();
  await test.app.inject({
    method: 'PUT',
    url: '/api/preferences',
    headers: anna.bearer,
    payload: { max_symbols: 128 },
  });
});
afterAll(async () => {
  await test.database.asOwner('select pg_drop_replication_slot($1)', [slot]);
  await stopWorkers();
  await test.close();
});

/** Written by the clock, and once for each candle whatever number of scans reads it. */
const byTheClock = ['leaderships', 'status_probes', 'health_checks', 'history_chunks'];
/** Bytes of the write-ahead log that a scan may take. */
const LOG_BYTES_MAX = 60_000;

async function position(): Promise<string> {
  const [row] = await test.database.asOwner<{ at: string }>('select pg_current_wal_insert_lsn()::text as at');
  return row?.at ?? '';
}

/**
 * Bytes of the log by table, indexes and long values included, of this database alone: others share the log. Without the images of
 * pages that follow a checkpoint.
 */
async function logByTable(from: string): Promise<Map<string, number>> {
  // What is not flushed yet cannot be read: without durable commits that is up to some tenths of a second of the log.
  const end = await position();
  for (;;) {
    const [row] = await test.database.asOwner<{ isFlushed: boolean }>(
      `select pg_current_wal_flush_lsn() >= $1::pg_lsn as "isFlushed"`,
      [end],
    );
    if (row?.isFlushed === true) break;
    await pause(20);
  }
  const rows = await test.database.asOwner<{ name: string | null; bytes: number }>(
    `with blocks as (
       select start_lsn, block_id, reltablespace, relfilenode, record_length,
         sum(coalesce(block_fpi_length, 0)) over (partition by start_lsn) as images,
         row_number() over (partition by start_lsn order by block_id) as nth
       from pg_get_wal_block_info($1::pg_lsn, pg_current_wal_flush_lsn())
       where reldatabase = (select oid from pg_database where datname = current_database())),
     records as (
       select pg_filenode_relation(case reltablespace when 1663 then 0 else reltablespace end, relfilenode) as relation,
         record_length - images as bytes
       from blocks where nth = 1)
     select coalesce(owner.relname, t.relname, c.relname) as name, sum(bytes)::float8 as bytes
     from records left join pg_class c on c.oid = relation
     left join pg_index i on i.indexrelid = c.oid left join pg_class t on t.oid = i.indrelid
     left join pg_class owner on owner.reltoastrelid = coalesce(t.oid, c.oid)
     group by 1 order by 2 desc`,
    [from],
  );
  return new Map(rows.map(({ name, bytes }) => [name ?? 'other', bytes]));
}

interface ShownScan {
  status: string;
  params: { maxSymbols: number };
}

/** A scan that a busy machine ended by its deadline is repeated. @returns where the log stood before the one that was done */
async function scanOnce(): Promise<string> {
  for (;;) {
    const from = await position();
    const sent = await test.app.inject({ method: 'POST', url: '/api/scan', headers: anna.bearer, payload });
    expect(sent.statusCode, sent.body).toBe(202);
    const { scan_id: id } = sent.json<{ scan_id: string }>();
    const read = async () =>
      (await test.app.inject({ url: `/api/scan/${id}`, headers: anna.bearer })).json<{ scan: ShownScan }>().scan;
    let scan = await read();
    for (; scan.status === 'queued' || scan.status === 'running'; scan = await read()) await pause(50);
    expect(scan.params).toMatchObject({ maxSymbols: 128 });
    if (scan.status === 'done') return from;
  }
}
const payload = { intervals: ['15m', '1h', '4h'] };

it('NODE-097 a scan of 128 symbols takes at most 60 kB of the write-ahead log', { timeout: 300_000 }, async () => {
  // The first scan adds its signals to the public record, and makes the partitions of the day.
  await scanOnce();
  const tables = await logByTable(await scanOnce());
  for (const table of byTheClock) tables.delete(table);
  const bytes = [...tables.values()].reduce((sum, each) => sum + each, 0);
  const parts = [...tables].map(([name, each]) => `${name} ${Math.round(each)}`).join(', ');
  process.stdout.write(`log of a scan: ${Math.round(bytes)} bytes: ${parts}\n`);
  expect(bytes).toBeLessThanOrEqual(LOG_BYTES_MAX);
  // The log was read: a scan stores its results.
  expect(bytes).toBeGreaterThan(5000);
});
