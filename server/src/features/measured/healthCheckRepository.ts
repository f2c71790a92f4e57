import type { SystemTx } from '../../platform/db/scope.ts';

export interface HealthCheck {
  /** Start of the minute the check stands for. */
  minute: Date;
  status: 'ok' | 'degraded' | 'error';
  message: string;
  responseTimeMs: number | null;
  external: 'ok' | 'degraded' | 'down' | 'unknown';
  error: string | null;
}

/** One row a minute for all nodes together: a good answer takes the place of a failure, never the other way round. */
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

/** The first minute there is a check for; null before the first one. */
export async function readFirstCheck(tx: SystemTx): Promise<Date | null> {
  const row = await tx
    .selectFrom('health_checks')
    .select(({ fn }) => fn.min('minute').as('first'))
    .executeTakeFirstOrThrow();
  return row.first;
}

/** Minutes with a good answer, from `since` to just before `before`. */
export async function countUpMinutes(tx: SystemTx, { since, before }: { since: Date; before: Date }): Promise<number> {
  const row = await tx
    .selectFrom('health_checks')
    .select(({ fn }) => fn.countAll().as('up_minutes'))
    .where('status', '!=', 'error')
    .where('minute', '>=', since)
    .where('minute', '<', before)
    .executeTakeFirstOrThrow();
  return Number(row.up_minutes);
}

export async function deleteHealthChecks(tx: SystemTx, before: Date): Promise<void> {
  await tx.deleteFrom('health_checks').where('minute', '<', before).execute();
}
