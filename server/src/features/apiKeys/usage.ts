import type { KeyMode } from '@sextant/workers/src/core/apiAccess.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { UserTx } from '../../platform/db/scope.ts';
import type { ApiCall, ApiLogsCsvQuery, ApiUsageResponse } from './contract.ts';

type Call = z.output<typeof ApiCall>;
type Filters = z.output<typeof ApiLogsCsvQuery>;

/** Rows of one CSV file. */
export const CSV_ROWS_MAX = 10_000;

interface Row {
  mode: KeyMode;
  created_at: Date;
  request_id: string;
  method: string;
  path: string;
  route: string;
  status: number;
  duration_ms: number;
  ip: string;
  credits: number;
  key_id: string;
  key_name: string | null;
}

function statusRange(status: string): [from: number, to: number] {
  if (!status.endsWith('xx')) return [Number(status), Number(status)];
  const from = Number(status[0]) * 100;
  return [from, from + 99];
}

/** The newest calls with the user's keys. */
export async function readCalls(tx: UserTx, { key_id, route, status, mode }: Filters, limit: number): Promise<Call[]> {
  const [from, to] = status === undefined ? [100, 599] : statusRange(status);
  const { rows } = await sql<Row>`
    select c.created_at, c.request_id, c.method, c.path, c.route, c.status, c.duration_ms, c.ip, c.credits, c.key_id, k.name as key_name, k.mode
    from api_calls c join api_keys k on k.id = c.key_id
    where (${mode ?? null}::text is null or k.mode = ${mode ?? null}::text) and (${key_id ?? null}::uuid is null or c.key_id = ${key_id ?? null}::uuid)
      and (${route ?? null}::text is null or c.route = ${route ?? null}::text) and c.status between ${from} and ${to}
    order by c.created_at desc, c.request_id limit ${limit}`.execute(tx);
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString(), success: row.status < 400 }));
}

const ROUTES_MAX = 300;

/** Every route in the stored calls: one index lookup per route, regardless of the number of calls. */
export async function readCalledRoutes(tx: UserTx, userId: string): Promise<string[]> {
  const { rows } = await sql<{ route: string }>`
    with recursive called as (
      (select route from api_calls where user_id = ${userId} order by route limit 1)
      union all
      select (select c.route from api_calls c where c.user_id = ${userId} and c.route > called.route order by c.route limit 1)
      from called where called.route is not null
    )
    select route from called where route is not null limit ${ROUTES_MAX}`.execute(tx);
  return rows.map(({ route }) => route);
}

interface Totals {
  total: number;
  success: number;
  credits: number;
  avg_ms: number | null;
  percentiles: (number | null)[] | null;
}

/** Counts and times of the last 24 hours, of keys of one kind. */
export async function readUsage(tx: UserTx, mode: KeyMode): Promise<z.output<typeof ApiUsageResponse>> {
  const recent = sql`created_at > now() - interval '24 hours' and key_id in (select id from api_keys where mode = ${mode})`;
  const { rows } = await sql<Totals>`
    select count(*)::int as total, count(*) filter (where status < 400)::int as success, coalesce(sum(credits), 0)::int as credits,
      avg(duration_ms) as avg_ms, percentile_cont(array[0.5, 0.95, 0.99]) within group (order by duration_ms) as percentiles
    from api_calls where ${recent}`.execute(tx);
  const hours = await sql<{ at: Date; total: number; ok: number }>`
    select at, coalesce(c.total, 0)::int as total, coalesce(c.ok, 0)::int as ok
    from generate_series(date_trunc('hour', now() - interval '24 hours'), date_trunc('hour', now()), interval '1 hour') at
    left join (select date_trunc('hour', created_at) as hour, count(*) as total, count(*) filter (where status < 400) as ok
      from api_calls where ${recent} group by 1) c on c.hour = at order by at`.execute(tx);
  const { rows: unlisted } = await sql<{ hour: Date; count: number }>`
    select hour, sum(count)::int as count from api_refused_counts where hour > now() - interval '25 hours'
      and key_id in (select id from api_keys where mode = ${mode}) group by hour`.execute(tx);
  const unlistedAt = new Map(unlisted.map(({ hour, count }) => [hour.getTime(), count]));
  const notListed = unlisted.reduce((sum, { count }) => sum + count, 0);
  const routes = await sql<{ route: string; total: number }>`
    select route, count(*)::int as total from api_calls where ${recent}
    group by route order by total desc, route limit 100`.execute(tx);
  const { success, credits, avg_ms, percentiles, ...listed } = rows[0] ?? none;
  const total = listed.total + notListed;
  const [p50 = null, p95 = null, p99 = null] = percentiles ?? [];
  return {
    total,
    success,
    success_rate: total === 0 ? null : success / total,
    credits,
    avg_ms,
    p50_ms: p50,
    p95_ms: p95,
    p99_ms: p99,
    not_listed: notListed,
    items: hours.rows.map(({ at, total: each, ok }) => ({
      at: at.toISOString(),
      total: each + (unlistedAt.get(at.getTime()) ?? 0),
      ok,
    })),
    routes: routes.rows,
  };
}
const none: Totals = { total: 0, success: 0, credits: 0, avg_ms: null, percentiles: null };

const csvColumns = [
  'created_at',
  'method',
  'path',
  'route',
  'status',
  'duration_ms',
  'ip',
  'key_name',
  'mode',
  'key_id',
  'request_id',
  'credits',
] as const;

/** Prefixes an apostrophe to a text that a spreadsheet would run as a formula. */
function toCell(value: string | number | null): string {
  const text = typeof value === 'number' ? String(value) : (value ?? '').replace(/^[=+\-@\t\r]/, `'$&`);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Calls as CSV (RFC 4180). */
export const toCsv = (calls: readonly Call[]): string =>
  [csvColumns.join(','), ...calls.map((call) => csvColumns.map((column) => toCell(call[column])).join(',')), ''].join(
    '\r\n',
  );
