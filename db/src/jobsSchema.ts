import type pg from 'pg';
import { PgBoss } from 'pg-boss';

/** Where the job queue keeps its tables. Outside `public`: its rows are no user's, and row-level security is not its business. */
export const jobsSchema = 'jobs';

/**
 * Every queue and its rules. A worker that dies stops its heartbeat, and the job goes to another one; a job that hangs is ended by
 * `expireInSeconds`. Finished jobs are deleted soon: what they did is in the tables of their feature.
 */
export const queues = {
  scan: {
    retryLimit: 2,
    retryDelay: 0,
    expireInSeconds: 45,
    heartbeatSeconds: 10,
    retentionSeconds: 300,
    deleteAfterSeconds: 600,
    notify: true,
  },
  // The AI checks of a scan that ran while its owner was away: up to ten questions, one after the other. The retries are for servers that
  // died on it; what was asked is not asked again.
  scan_checks: {
    retryLimit: 20,
    retryDelay: 2,
    expireInSeconds: 400,
    heartbeatSeconds: 10,
    retentionSeconds: 3600,
    deleteAfterSeconds: 600,
    notify: true,
  },
  // One attempt to deliver; the next one is a job of its own, later. The retries here are for servers that died on it.
  notification: {
    retryLimit: 20,
    retryDelay: 5,
    expireInSeconds: 45,
    heartbeatSeconds: 10,
    retentionSeconds: 172_800,
    deleteAfterSeconds: 600,
    notify: true,
  },
  // Chunks of long searches: a minute of work at most, waiting behind others for two days at most. The retries are for servers that died on
  // it, and those of a row of deaths all fall on the chunk that is first in line.
  search: {
    retryLimit: 20,
    retryDelay: 1,
    expireInSeconds: 300,
    heartbeatSeconds: 10,
    retentionSeconds: 172_800,
    deleteAfterSeconds: 600,
    notify: true,
  },
} as const;
export type QueueName = keyof typeof queues;

/** Brings schema and queues of the job queue up to date, as the owner. The server then only works with the rows. */
export async function ensureJobs(owner: pg.Client, ownerUrl: string): Promise<void> {
  const boss = new PgBoss({
    connectionString: ownerUrl,
    schema: jobsSchema,
    max: 2,
    application_name: 'sextant migration',
    supervise: false,
    schedule: false,
  });
  boss.on('error', () => undefined);
  await boss.start();
  try {
    const present = new Set((await boss.getQueues()).map(({ name }) => name));
    for (const [name, rules] of Object.entries(queues)) {
      if (present.has(name)) await boss.updateQueue(name, rules);
      else await boss.createQueue(name, rules);
    }
  } finally {
    await boss.stop({ graceful: false });
  }
  await owner.query(`
    revoke all on all functions in schema ${jobsSchema} from public;
    grant usage on schema ${jobsSchema} to app_system;
    grant select, insert, update, delete on all tables in schema ${jobsSchema} to app_system;
    grant execute on function ${jobsSchema}.job_now() to app_system`);
}
