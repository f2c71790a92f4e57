import { sql } from 'kysely';
import type { SystemTx } from '../../../platform/db/scope.ts';

export interface HealthCheck {
  /** Start of the checked minute. */
  minute: Date;
  status: 'ok' | 'degraded' | 'error';
  message: string;
  responseTimeMs: number | null;
  external: 'ok' | 'degraded' | 'down' | 'unknown';
  error: string | null;
}

/** One row per minute for all nodes: a success replaces a failure, never the other way round. */
export async function saveHealthCheck(tx: SystemTx, check: HealthCheck): Promise<void> {
  const row = {
    minute: check.minute,
    status: check.status,
    message: check.message,
    response_time_ms: check.responseTimeMs,
    external_api_status: check.external,
    error: check.error,
  };
  await tx
    .insertInto('health_checks')
    .values(row)
    .onConflict((conflict) => conflict.column('minute').doUpdateSet(row).where('health_checks.status', '=', 'error'))
    .execute();
}

/** The first minute with a check; null before the first one. */
export async function readFirstCheck(tx: SystemTx): Promise<Date | null> {
  const row = await tx
    .selectFrom('health_checks')
    .select(({ fn }) => fn.min('minute').as('first'))
    .executeTakeFirstOrThrow();
  return row.first;
}

/** Minutes without a check that count as an outage; a single one is a missed check and does not count. */
const outageMinutes = 2;

/** Successful minutes, and minutes that count, from `since` to just before `before`. */
export async function countMinutes(
  tx: SystemTx,
  { since, before }: { since: Date; before: Date },
): Promise<{ upMinutes: number; minutes: number }> {
  const { rows } = await sql<{ up: number; checked: number; silent: number }>`
    with checks as (select minute, status from health_checks where minute >= ${since} and minute < ${before}),
    gaps as (
      select (extract(epoch from lead(at, 1, ${before}::timestamptz) over (order by at) - at) / 60)::int - step as minutes
      from (select minute as at, 1 as step from checks union all select ${since}::timestamptz, 0) marks)
    select (select count(*)::int from checks where status <> 'error') as up, (select count(*)::int from checks) as checked,
      coalesce((select sum(minutes)::int from gaps where minutes >= ${outageMinutes}), 0) as silent`.execute(tx);
  const [{ up, checked, silent } = { up: 0, checked: 0, silent: 0 }] = rows;
  return { upMinutes: up, minutes: checked + silent };
}

export async function deleteHealthChecks(tx: SystemTx, before: Date): Promise<void> {
  await tx.deleteFrom('health_checks').where('minute', '<', before).execute();
}
