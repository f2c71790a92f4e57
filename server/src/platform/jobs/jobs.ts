import { jobsSchema, type QueueName } from '@sextant/db/src/jobsSchema.ts';
import { CompiledQuery } from 'kysely';
import type { JobResult, PgBoss } from 'pg-boss';
import type { Db, SystemTx } from '../db/scope.ts';
import { asError } from '../asError.ts';
import { observe } from '../observe.ts';
import { repeat } from '../repeat.ts';
import { createJobRuns, type JobRuns } from './jobRuns.ts';

/** `data` is the sent object after a JSON round trip. */
export type JobHandler = (data: unknown, signal: AbortSignal) => Promise<void>;

export interface Work {
  /** Workers of the queue on this node. */
  atOnce: number;
  /** Jobs that a worker takes together and runs at the same time; 1 when absent. It takes others when all of them have ended. */
  together?: number;
  handle: JobHandler;
  /** Notifies the feature that a job will not run: two processes died while it ran. */
  setAside: (data: unknown) => Promise<void>;
}

export interface SendOptions {
  /** Earliest start of the job. */
  startAfterS?: number;
  /** Higher priorities are taken first, equal ones in the order they were sent. */
  priority?: number;
}

/** A job to send; higher priorities are taken first. */
export interface NewJob {
  id: string;
  data: object;
  priority: number;
}

/** Thrown by a handler that has no capacity for the job now: the queue retries, and it does not count as a failure. */
export class NoRoom extends Error {}

/** Background jobs, run by any node. */
export interface Jobs {
  /** Adds the job when the transaction commits. `id` deduplicates: sending it again adds no second job. */
  send: (tx: SystemTx, queue: QueueName, id: string, data: object, options?: SendOptions) => Promise<void>;
  /** `send` for many jobs, in one statement. */
  sendAll: (tx: SystemTx, queue: QueueName, jobs: readonly NewJob[]) => Promise<void>;
  /**
   * Takes jobs of a queue. The signal aborts when the job has run too long or the node stops. A job whose handler throws is retried
   * on any node. A job whose process died is retried once: after the second death it is set aside.
   */
  work: (queue: QueueName, work: Work) => Promise<void>;
  stop: () => Promise<void>;
}

export interface JobsOptions {
  /** The server's login, without a pooler: the queue listens for notices. Its connections act as app_system, whose grants on the queue cover only its rows. */
  url: string;
  db: Db;
  /** Receives errors of the queue and of failed attempts, with the thrown error as cause; not `NoRoom`. */
  onError: (error: Error) => void;
  /** False while this node must take no job, e.g. by a wrong clock: running ones end, and other nodes take the rest. */
  mayWork?: () => boolean;
}

const monitorS = 5;
const connectionsMax = 4;
const polling = { pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 1 };
/** How often `mayWork` is read. */
const adjustMs = 1000;

/** A queue on PostgreSQL. Connects at the first job that is sent or requested. */
export function createJobs({ url, db, onError, mayWork = () => true }: JobsOptions): Jobs {
  const runs = createJobRuns(db);
  let starting: Promise<PgBoss> | undefined;
  const started = (): Promise<PgBoss> => (starting ??= start(url, onError));
  const works: [QueueName, Work][] = [];
  let isTaking = mayWork();
  let stopAdjusting: (() => void) | undefined;
  let last: Promise<unknown> = Promise.resolve();
  /** One after the other: workers that are still being registered would miss their stop. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  }
  async function take(boss: PgBoss, [queue, work]: [QueueName, Work]): Promise<void> {
    for (let i = 0; i < work.atOnce; i++) {
      const worker: { id?: string } = {};
      worker.id = await boss.work<object>(queue, rulesOf(work), async (jobs) => {
        const ends = await runTogether({ runs, onError }, jobs, [queue, work]);
        // Otherwise a further job would wait for the next poll, a second away. After a failure it does.
        if (worker.id !== undefined && ends.every(isCompleted)) boss.notifyWorker(worker.id);
        return ends;
      });
    }
  }
  /** Takes jobs again, or no more, when `mayWork` has changed. */
  async function adjust(): Promise<void> {
    const may = mayWork();
    if (may === isTaking) return;
    isTaking = may;
    const boss = await started();
    // Running jobs end first: taking again beside them would run twice as many at once.
    for (const each of works) await (may ? take(boss, each) : boss.offWork(each[0], { wait: true }));
  }
  return {
    async send(tx, queue, id, data, { startAfterS = 0, priority = 0 } = {}) {
      const boss = await started();
      await boss.send(queue, data, { id, db: withinOf(tx), startAfter: startAfterS, priority });
    },
    async sendAll(tx, queue, jobs) {
      if (jobs.length > 0) await (await started()).insert(queue, [...jobs], { db: withinOf(tx) });
    },
    async work(queue, work) {
      const boss = await started();
      stopAdjusting ??= repeat(
        adjustMs,
        () => inTurn(adjust),
        (error) => onError(asError(error)),
      );
      await inTurn(async () => {
        // The clock may have been measured since the queue was made.
        await adjust();
        works.push([queue, work]);
        if (isTaking) await take(boss, [queue, work]);
      });
    },
    async stop() {
      stopAdjusting?.();
      const boss = await starting?.catch(() => undefined);
      starting = undefined;
      await boss?.stop({ graceful: true, timeout: 8000 });
    },
  };
}

const rulesOf = ({ together = 1 }: Work) => ({ ...polling, batchSize: together, perJobResults: true }) as const;

const isCompleted = ({ status }: JobResult): boolean => status === 'completed';

/** Runs jobs that were taken together at the same time. */
const runTogether = (
  context: Parameters<typeof runJob>[0],
  jobs: readonly Omit<TakenJob, 'queue'>[],
  [queue, work]: [QueueName, Work],
): Promise<JobResult[]> =>
  Promise.all(
    jobs.map(({ id, data, signal }) =>
      runJob(context, { id, queue, data, signal }, work).then(
        (): JobResult => ({ id, status: 'completed' }),
        (error: unknown): JobResult => ({ id, status: 'failed', output: asError(error) }),
      ),
    ),
  );

/** The transaction, as the queue executes statements in it. */
const withinOf = (tx: SystemTx) => ({
  executeSql: (text: string, values: unknown[] = []) =>
    tx.executeQuery<never>(CompiledQuery.raw(text, values)).then(({ rows }) => ({ rows })),
});

interface TakenJob {
  id: string;
  queue: QueueName;
  data: unknown;
  signal: AbortSignal;
}

/** Runs one job between a start and an end record; a process that dies in between leaves the start record. */
async function runJob(
  { runs, onError }: { runs: JobRuns } & Pick<JobsOptions, 'onError'>,
  { id, queue, data, signal }: TakenJob,
  work: Work,
): Promise<void> {
  // A job stopped at its deadline may continue for a while, but its process is alive.
  const end = () => runs.end(id).catch(() => undefined);
  try {
    if ((await runs.start(id, queue)) === 'set_aside') {
      await work.setAside(data);
      return;
    }
    signal.addEventListener('abort', () => void end(), { once: true });
    try {
      // It may have waited for its turn beyond its deadline.
      signal.throwIfAborted();
      const isExpected = (error: unknown): boolean => signal.aborted || error instanceof NoRoom;
      await observe({ kind: 'job', name: queue, isExpected }, () => work.handle(data, signal));
    } finally {
      await end();
    }
  } catch (error) {
    // The queue stores the failure only in its table, which has no alert. A stopped job did not fail on its own.
    if (!signal.aborted && !(error instanceof NoRoom))
      onError(new Error(`an attempt of job ${id} of the queue ${queue} failed`, { cause: error }));
    throw error;
  }
}

async function start(url: string, onError: (error: Error) => void): Promise<PgBoss> {
  // Loaded on demand: a node without jobs does not need it.
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
