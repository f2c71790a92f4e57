import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { type Db, type SystemTx, withSystem } from '../db/scope.ts';
import { createGather } from '../gather.ts';

/** A job whose process died this often while it ran is not run again. */
export const DEATHS_MAX = 2;
/** How long a job that was set aside counts in `/api/health`, and how long its row is stored. */
const SHOWN_HOURS = 24;
const RETENTION_DAYS = 30;

export interface JobRuns {
  /** Records the start of a job. `set_aside` when two processes have died while it ran: it must not run. */
  start: (jobId: string, queue: string) => Promise<'run' | 'set_aside'>;
  /** Records that a run ended normally, successful or not. */
  end: (jobId: string) => Promise<void>;
}

/** Jobs whose starts or ends are one transaction. */
const RUNS_AT_ONCE = 50;

/** Counts the processes that died while a job ran. One instance per process. */
export function createJobRuns(db: Db): JobRuns {
  const processId = randomUUID();
  const start = createGather(
    (jobs: readonly Started[]) => withSystem(db, (tx) => startRuns(tx, processId, jobs)),
    RUNS_AT_ONCE,
  );
  const end = createGather(
    (ids: readonly string[]) => withSystem(db, (tx) => endRuns(tx, processId, ids)),
    RUNS_AT_ONCE,
  );
  return { start: (jobId, queue) => start({ jobId, queue }), end };
}

interface Started {
  jobId: string;
  queue: string;
}

async function startRuns(tx: SystemTx, processId: string, jobs: readonly Started[]): Promise<('run' | 'set_aside')[]> {
  const queues = new Map(jobs.map(({ jobId, queue }) => [jobId, queue]));
  const ids = [...queues.keys()].sort();
  // A row still marked by this process is no death: the job was stopped at its deadline and has not returned yet.
  const { rows } = await sql<{ job_id: string; is_set_aside: boolean }>`
    insert into job_runs as r (job_id, queue, process_id)
    select job_id, queue, ${processId}::uuid
    from unnest(${ids}::uuid[], ${ids.map((id) => queues.get(id) ?? '')}::text[]) as g (job_id, queue)
    on conflict (job_id) do update set process_id = excluded.process_id, started_at = now(),
      death_count = r.death_count + case when r.process_id <> excluded.process_id then 1 else 0 end
    returning job_id, death_count >= ${DEATHS_MAX} as is_set_aside`.execute(tx);
  const setAside = rows.flatMap((row) => (row.is_set_aside ? [row.job_id] : []));
  if (setAside.length > 0)
    await sql`update job_runs set process_id = null, set_aside_at = coalesce(set_aside_at, now())
      where job_id = any (${setAside}::uuid[])`.execute(tx);
  return jobs.map(({ jobId }) => (setAside.includes(jobId) ? 'set_aside' : 'run'));
}

async function endRuns(tx: SystemTx, processId: string, ids: readonly string[]): Promise<undefined[]> {
  await sql`delete from job_runs where job_id = any (${[...ids]}::uuid[]) and death_count = 0`.execute(tx);
  await sql`update job_runs set process_id = null where job_id = any (${[...ids]}::uuid[]) and process_id = ${processId}`.execute(
    tx,
  );
  return ids.map(() => undefined);
}

/** Jobs of all nodes that were set aside within the last day. */
export const countSetAside = (db: Db): Promise<number> =>
  withSystem(db, async (tx) => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from job_runs
      where set_aside_at > now() - make_interval(hours => ${SHOWN_HOURS})`.execute(tx);
    return rows[0]?.count ?? 0;
  });

/** Deletes rows of jobs that ended long ago. */
export const deleteOldJobRuns = (db: Db): Promise<void> =>
  withSystem(db, async (tx) => {
    await sql`delete from job_runs where started_at < now() - make_interval(days => ${RETENTION_DAYS})`.execute(tx);
  });
