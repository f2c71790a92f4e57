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
  /**
   * Records the start of a job. `set_aside` when two processes have died while it ran: it must not run. A job during which one has died
   * waits until it is the only one of its kind here: many run at once, and the next death is to be that of one.
   */
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
  const alone = createMutex();
  return {
    async start(jobId, queue) {
      const outcome = await start({ jobId, queue });
      if (outcome !== 'suspect') return outcome;
      await alone.acquire(jobId);
      await withSystem(db, (tx) => markStarted(tx, processId, jobId));
      return 'run';
    },
    end: (jobId) => end(jobId).finally(() => alone.release(jobId)),
  };
}

/** Held by one job at a time, in the order of their arrival. */
function createMutex() {
  // Twice for a job that is taken again after its deadline.
  const ends = new Map<string, (() => void)[]>();
  let last = Promise.resolve();
  return {
    async acquire(jobId: string): Promise<void> {
      const before = last;
      const { promise, resolve } = Promise.withResolvers<undefined>();
      last = promise.then(() => undefined);
      ends.set(jobId, [...(ends.get(jobId) ?? []), () => resolve(undefined)]);
      await before;
    },
    release(jobId: string): void {
      const [first, ...others] = ends.get(jobId) ?? [];
      first?.();
      if (others.length > 0) ends.set(jobId, others);
      else ends.delete(jobId);
    },
  };
}

const markStarted = (tx: SystemTx, processId: string, jobId: string): Promise<unknown> =>
  sql`update job_runs set process_id = ${processId}::uuid, started_at = now() where job_id = ${jobId}::uuid`.execute(
    tx,
  );

interface Started {
  jobId: string;
  queue: string;
}

async function startRuns(
  tx: SystemTx,
  processId: string,
  jobs: readonly Started[],
): Promise<('run' | 'suspect' | 'set_aside')[]> {
  const queues = new Map(jobs.map(({ jobId, queue }) => [jobId, queue]));
  const ids = [...queues.keys()].sort();
  // A row still marked by this process is no death: the job was stopped at its deadline and has not returned yet.
  const { rows } = await sql<{ job_id: string; death_count: number }>`
    insert into job_runs as r (job_id, queue, process_id)
    select job_id, queue, ${processId}::uuid
    from unnest(${ids}::uuid[], ${ids.map((id) => queues.get(id) ?? '')}::text[]) as g (job_id, queue)
    on conflict (job_id) do update set process_id = excluded.process_id, started_at = now(),
      death_count = r.death_count + case when r.process_id <> excluded.process_id then 1 else 0 end
    returning job_id, death_count`.execute(tx);
  const deathsOf = new Map(rows.map((row) => [row.job_id, row.death_count]));
  const withDeaths = (isGiven: (count: number) => boolean): string[] =>
    ids.filter((id) => isGiven(deathsOf.get(id) ?? 0));
  const setAside = withDeaths((count) => count >= DEATHS_MAX);
  const suspect = withDeaths((count) => count > 0 && count < DEATHS_MAX);
  if (setAside.length > 0)
    await sql`update job_runs set process_id = null, set_aside_at = coalesce(set_aside_at, now())
      where job_id = any (${setAside}::uuid[])`.execute(tx);
  // While a suspect waits for its turn, the death of this process is not its own.
  if (suspect.length > 0)
    await sql`update job_runs set process_id = null where job_id = any (${suspect}::uuid[])`.execute(tx);
  return jobs.map(({ jobId }) =>
    setAside.includes(jobId) ? 'set_aside' : suspect.includes(jobId) ? 'suspect' : 'run',
  );
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
