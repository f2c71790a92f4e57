import { openDatabase } from '@sextant/server/src/platform/db/database.ts';
import { deleteOld } from '@sextant/server/src/features/retention/startRetention.ts';
import { retentionDefault } from '@sextant/server/src/retentionDays.ts';
import { type Product, startProduct } from '../api/product.ts';
import { type ResultLine, rounded } from '../results.ts';
import { checkAll, scanOnce, untilWarm } from './storage.ts';

const USERS = 20;
/** Assumed scans of a user per day; stated with the figures. */
const SCANS = 2;
const DAYS = 60;
const gigabyte = 1e9;

const bytesOf = async ({ sql }: Pick<Product, 'sql'>): Promise<number> => {
  const [row] = await sql(`
    select sum(pg_total_relation_size(c.oid))::float8 as bytes from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and (n.nspname = 'scan_log' or n.nspname = 'public'
      and c.relname in ('scans', 'scan_ai_checks', 'found_signals', 'credit_ledger'))`);
  return Number(row?.['bytes']);
};

/** Copies a scan with all that belongs to it, `days` ago, for each user. */
async function copyScans({ sql }: Pick<Product, 'sql'>, scanId: string, days: number): Promise<void> {
  const at = `((now() at time zone 'UTC')::date - ${days} + time '12:00') at time zone 'UTC'`;
  await sql(`
    do $$ declare day date := (now() at time zone 'UTC')::date - ${days}; begin
      if to_regclass('scan_log.details_' || to_char(day, 'YYYYMMDD')) is null then
        execute format('create table scan_log.%I partition of scan_details for values from (%L) to (%L)',
          'details_' || to_char(day, 'YYYYMMDD'), day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
      end if;
    end $$`);
  await sql(`
    with made as (
      insert into scans (user_id, created_at, status, params, summary, credit_ref, started_at, finished_at)
      select u.id, ${at}, 'done', s.params, s.summary, gen_random_uuid(), ${at}, ${at}
      from scans s, users u, generate_series(1, ${SCANS}) where s.id = '${scanId}' and u.email like 'user%@growth'
      returning id, user_id, created_at),
    details as (
      insert into scan_details (created_at, scan_id, user_id, packed)
      select made.created_at, made.id, made.user_id, d.packed from made, scan_details d where d.scan_id = '${scanId}'),
    checks as (
      insert into scan_ai_checks (scan_id, user_id, symbol, interval, place, signal_id, state, reason, decided_by, model, verdict,
        soft_approval, allow_correction, asked_at, created_at)
      select made.id, made.user_id, c.symbol, c.interval, c.place, c.signal_id, c.state, c.reason, c.decided_by, c.model, c.verdict,
        c.soft_approval, c.allow_correction, made.created_at, made.created_at
      from made, scan_ai_checks c where c.scan_id = '${scanId}'),
    found as (
      insert into found_signals (user_id, created_at, scan_id, signal_ids)
      select made.user_id, made.created_at, made.id, f.signal_ids from made, found_signals f where f.scan_id = '${scanId}'),
    held as (
      insert into credit_ledger (user_id, kind, reason, delta_credits, idempotency_key, expires_at, created_at)
      select user_id, 'hold', 'scan', -1, id::text, created_at, created_at from made returning id, user_id, created_at)
    insert into credit_ledger (user_id, kind, reason, delta_credits, idempotency_key, hold_id, created_at)
    select user_id, 'capture', 'scan', 0, 'capture:' || id, id, created_at from held`);
}

/** Two months of scans of 20 users, copied from a real one with its checks, before and after the retention job. */
export async function measureGrowth(
  report: (line: ResultLine) => void,
): Promise<{ lines: ResultLine[]; notes: string[] }> {
  const lines: ResultLine[] = [];
  const add = (name: string, figure: number, unit: string): void => {
    const line = { suite: 'growth', case: name, figure: rounded(figure), unit };
    lines.push(line);
    report(line);
  };
  const product = await startProduct(() => ({ HISTORY_BACKFILL: 'off', MARKET_STREAMS: 'off' }));
  try {
    const url = await untilWarm(product);
    const scanId = await scanOnce(product, url);
    await checkAll(product, url, scanId);
    await product.sql(
      `insert into users (name, email) select 'User', 'user' || n || '@growth' from generate_series(1, ${USERS}) n`,
    );
    const empty = await bytesOf(product);
    for (let day = DAYS - 1; day >= 0; day -= 1) await copyScans(product, scanId, day);
    const full = (await bytesOf(product)) - empty;
    const database = openDatabase({ url: product.serverUrl, onError: () => undefined });
    const deps = { db: database.db, config: { retention: retentionDefault } };
    await deleteOld(deps, { signal: new AbortController().signal, assertLeader: () => Promise.resolve() });
    await database.close();
    await product.sql('vacuum (analyze)');
    const [row] = await product.sql(`
      select sum(pg_total_relation_size(c.oid))::float8 as bytes from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname = 'scan_log'`);
    const details = Number(row?.['bytes']);
    const left = (await bytesOf(product)) - empty;
    const userDays = USERS * DAYS;
    const detailBytes = details / (USERS * (retentionDefault.resultDays + 1));
    const lastingBytes = (left - details) / userDays;
    add('two months without deletion', full / userDays / 1000, 'kB/user and day');
    add('details, for 30 days', detailBytes / 1000, 'kB/user and day');
    add('for ever', lastingBytes / 1000, 'kB/user and day');
    for (const users of [1000, 100_000]) {
      const name = users.toLocaleString('en-US');
      add(`${name} users, details`, (users * detailBytes * (retentionDefault.resultDays + 1)) / gigabyte, 'GB');
      add(`${name} users, each further year`, (users * lastingBytes * 365) / gigabyte, 'GB');
      add(`${name} users, each further year without deletion`, (users * (full / userDays) * 365) / gigabyte, 'GB');
    }
  } finally {
    await product.close();
  }
  const notes = [
    `${USERS} users with ${SCANS} scans of the simulated universe a day for ${DAYS} days, each with ten AI checks and its ledger entries; more users are a multiple of it.`,
    'For ever: summary, decisions of the checks, ids of found signals, ledger. Public record and candles do not grow with users of the same rules.',
  ];
  return { lines, notes };
}
