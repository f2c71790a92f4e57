import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';

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
  // The AI checks of a scan that ran while its owner was away: up to ten requests in sequence. Retries cover servers that
  // died while running them; a request that was sent is not sent again.
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
  // Minutes of a long search: a wait for an exchange, which holds up no chunk of another search.
  search_minutes: {
    retryLimit: 20,
    retryDelay: 1,
    expireInSeconds: 150,
    heartbeatSeconds: 10,
    retentionSeconds: 172_800,
    deleteAfterSeconds: 600,
    notify: true,
  },
} as const;
export type QueueName = keyof typeof queues;

const grants = `
    revoke all on all functions in schema ${jobsSchema} from public;
    grant usage on schema ${jobsSchema} to app_system;
    grant select, insert, update, delete on all tables in schema ${jobsSchema} to app_system;
    grant execute on function ${jobsSchema}.job_now() to app_system`;

const commentOf = async (): Promise<string> => `sextant ${await hashSetup()}`;

/** Comment on the schema; readable by every role. */
const readComment = async (client: pg.ClientBase): Promise<string | null> => {
  const { rows } = await client.query<{ comment: string | null }>(
    `select obj_description(to_regnamespace($1), 'pg_namespace') as comment`,
    [jobsSchema],
  );
  return rows[0]?.comment ?? null;
};

/** Whether the queue has the rules of this version. */
export const isJobsSetUp = async (client: pg.ClientBase): Promise<boolean> =>
  (await readComment(client)) === (await commentOf());

/** Changes with the version of pg-boss, which our manifest states exactly, a rule of a queue or a grant. */
async function hashSetup(): Promise<string> {
  const manifest = await readFile(join(import.meta.dirname, '../package.json'), 'utf8');
  const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> };
  const setup = JSON.stringify([dependencies['pg-boss'], queues, grants]);
  return createHash('sha256').update(setup).digest('hex');
}

/**
 * Brings schema and queues of the job queue up to date, as the owner. The server then only works with the rows. A database that has this
 * setup already, as the comment on its schema says, is left alone.
 */
export async function ensureJobs(owner: pg.Client, ownerUrl: string): Promise<void> {
  if (await isJobsSetUp(owner)) return;
  await setUpJobs(owner, ownerUrl);
  // Last: a setup that was cut short is done again.
  await owner.query(`comment on schema ${jobsSchema} is '${await commentOf()}'`);
}

async function setUpJobs(owner: pg.Client, ownerUrl: string): Promise<void> {
  const { PgBoss } = await import('pg-boss');
  const boss = new PgBoss({
    connectionString: ownerUrl,
    // Its statements have backslashes in strings, which a role without this setting would read as escapes.
    options: '-c standard_conforming_strings=on',
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
  await owner.query(grants);
}
