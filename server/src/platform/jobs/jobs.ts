import { jobsSchema, type QueueName } from '@sextant/db/src/jobsSchema.ts';
import { CompiledQuery } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { SystemTx } from '../db/scope.ts';

/** `data` is what was sent, as JSON carried it. */
export type JobHandler = (data: unknown, signal: AbortSignal) => Promise<void>;

export interface SendOptions {
  /** Nobody takes the job before. */
  startAfterS?: number;
  /** Higher ones are taken first, equal ones in the order they were sent. */
  priority?: number;
}

/** Work that is done after the request, by whichever node takes it. */
export interface Jobs {
  /** The job is there when the transaction commits, and not when it rolls back. `id` makes it one job, however often it is sent. */
  send: (tx: SystemTx, queue: QueueName, id: string, data: object, options?: SendOptions) => Promise<void>;
  /**
   * Takes jobs of a queue, `atOnce` at a time. The signal ends when the job has run too long or the node stops. A handler that
   * throws is tried again, on any node; one whose process died, too.
   */
  work: (queue: QueueName, atOnce: number, handler: JobHandler) => Promise<void>;
  stop: () => Promise<void>;
}

export interface JobsOptions {
  /** The server's login. Each of its connections acts as app_system, whose grants on the queue end at its rows. */
  url: string;
  onError: (error: Error) => void;
}

const monitorS = 5;
const connectionsMax = 4;

/** The queue on PostgreSQL. It connects with the first job that is sent or asked for. */
export function createJobs({ url, onError }: JobsOptions): Jobs {
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
    async work(queue, atOnce, handler) {
      const boss = await started();
      const rules = { pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 1 };
      for (let i = 0; i < atOnce; i++) {
        const worker: { id?: string } = {};
        worker.id = await boss.work<object>(queue, rules, async (jobs) => {
          for (const job of jobs) await handler(job.data, job.signal);
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
