import { jobsSchema, type QueueName } from '@sextant/db/src/jobsSchema.ts';
import { CompiledQuery } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { Db, SystemTx } from '../db/scope.ts';
import { createJobRuns, type JobRuns } from './jobRuns.ts';

/** `data` is what was sent, as JSON carried it. */
export type JobHandler = (data: unknown, signal: AbortSignal) => Promise<void>;

export interface Work {
  /** How many jobs of the queue this node runs at the same time. */
  atOnce: number;
  handle: JobHandler;
  /** Tells the feature that a job will not be run: two processes died while it ran. */
  setAside: (data: unknown) => Promise<void>;
}

export interface SendOptions {
  /** Earliest start of the job. */
  startAfterS?: number;
  /** Higher ones are taken first, equal ones in the order they were sent. */
  priority?: number;
}

/** A handler throws it when there is no room for the job now: the queue tries again, and nothing has failed. */
export class NoRoom extends Error {}

/** Work that is done after the request, by whichever node takes it. */
export interface Jobs {
  /** The job is there when the transaction commits, and not when it rolls back. `id` makes it one job, however often it is sent. */
  send: (tx: SystemTx, queue: QueueName, id: string, data: object, options?: SendOptions) => Promise<void>;
  /**
   * Takes jobs of a queue. The signal ends when the job has run too long or the node stops. A handler that throws is tried again,
   * on any node; one whose process died, too, but only once: at its second death a job is set aside.
   */
  work: (queue: QueueName, work: Work) => Promise<void>;
  stop: () => Promise<void>;
}

export interface JobsOptions {
  /** The server's login. Each of its connections acts as app_system, whose grants on the queue end at its rows. */
  url: string;
  db: Db;
  /** Takes errors of the queue itself, and each attempt of a job that threw, with what was thrown as its cause; not `NoRoom`. */
  onError: (error: Error) => void;
}

const monitorS = 5;
const connectionsMax = 4;

/** The queue on PostgreSQL. It connects with the first job that is sent or asked for. */
export function createJobs({ url, db, onError }: JobsOptions): Jobs {
  const runs = createJobRuns(db);
  let starting: Promise<PgBoss> | undefined;
  const started = (): Promise<PgBoss> => (starting ??= start(url, onError));
  return {
    async send(tx, queue, id, data, { startAfterS = 0, priority = 0 } = {}) {
      const boss = await started();
      const db = {
        executeSql: (text: string, values: unknown[] = []) =>
          tx.executeQuery<never>(CompiledQuery.raw(text, values)).then(({ rows }) => ({ rows })),
      };
      await boss.send(queue, data, { id, db, startAfter: startAfterS, priority });
    },
    async work(queue, work) {
      const boss = await started();
      const rules = { pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 1 };
      for (let i = 0; i < work.atOnce; i++) {
        const worker: { id?: string } = {};
        worker.id = await boss.work<object>(queue, rules, async (jobs) => {
          for (const { id, data, signal } of jobs) await runJob({ runs, onError }, { id, queue, data, signal }, work);
          // There may be more: without this the next one waits for the next poll, a second away.
          if (worker.id !== undefined) boss.notifyWorker(worker.id);
        });
      }
    },
    async stop() {
      const boss = await starting?.catch(() => undefined);
      starting = undefined;
      await boss?.stop({ graceful: true, timeout: 8000 });
    },
  };
}

interface TakenJob {
  id: string;
  queue: QueueName;
  data: unknown;
  signal: AbortSignal;
}

/** Runs one job between two notes, so that a process that dies in the middle leaves the first one behind. */
async function runJob(
  { runs, onError }: { runs: JobRuns } & Pick<JobsOptions, 'onError'>,
  { id, queue, data, signal }: TakenJob,
  work: Work,
): Promise<void> {
  // A job that is stopped at its deadline may go on for a while, but its process lives.
  const end = () => runs.end(id).catch(() => undefined);
  try {
    if ((await runs.begin(id, queue)) === 'set_aside') {
      await work.setAside(data);
      return;
    }
    signal.addEventListener('abort', () => void end(), { once: true });
    try {
      await work.handle(data, signal);
    } finally {
      await end();
    }
  } catch (error) {
    // The queue keeps the failure in its table alone, where no alert looks. A job that was stopped did not fail by itself.
    if (!signal.aborted && !(error instanceof NoRoom))
      onError(new Error(`an attempt of job ${id} of the queue ${queue} failed`, { cause: error }));
    throw error;
  }
}

async function start(url: string, onError: (error: Error) => void): Promise<PgBoss> {
  // Loaded when it is needed: a node without jobs does without it.
  const { PgBoss } = await import('pg-boss');
  const boss = new PgBoss({
    connectionString: url,
    options: '-c role=app_system',
    schema: jobsSchema,
    max: connectionsMax,
    application_name: 'sextant jobs',
    migrate: false,
    createSchema: false,
    schedule: false,
    superviseIntervalSeconds: monitorS,
    monitorIntervalSeconds: monitorS,
    useListenNotify: true,
    reindex: false,
    monitorVacuum: false,
  });
  boss.on('error', onError);
  return boss.start();
}
