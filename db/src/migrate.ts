import { Kysely, PostgresDialect, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { ensureJobs } from './jobsSchema.ts';
import { ensureRoles, serverUrl, setServerPassword } from './roles.ts';

const folder = join(import.meta.dirname, '../migrations');
const versionMin = 150_000;
const loginLock = 7_345_218;

/** A database we cannot use. The message is one line for the person who set it up. */
export class DatabaseSetupError extends Error {
  override name = 'DatabaseSetupError';
}

/** The migrations in order, by file name. They only go forward. */
export async function readMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  const entries = files.map(async (file): Promise<[string, Migration]> => {
    const text = await readFile(join(folder, file), 'utf8');
    return [
      file.replace(/\.sql$/, ''),
      {
        up: async (db) => {
          await sql.raw(text).execute(db);
        },
      },
    ];
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function connectOwner(ownerUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: ownerUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    const reason = error instanceof Error && error.message !== '' ? error.message : 'no answer';
    throw new DatabaseSetupError(`DATABASE_URL: cannot connect to PostgreSQL (${reason})`);
  }
}

async function checkVersion(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ number: number; name: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as name`,
  );
  const version = rows[0];
  if (version === undefined || version.number < versionMin) {
    throw new DatabaseSetupError(`DATABASE_URL: PostgreSQL ${version?.name ?? '?'} is too old, 15 or newer is needed`);
  }
}

async function runMigrations(ownerUrl: string): Promise<string[]> {
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 1 });
  pool.on('error', () => undefined);
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    // Kysely holds an advisory lock while it migrates: several nodes may start at once.
    const migrator = new Migrator({
      db,
      provider: { getMigrations: readMigrations },
      migrationTableSchema: 'migrations',
    });
    const { error, results } = await migrator.migrateToLatest();
    if (error !== undefined) {
      const failed = results?.find((result) => result.status === 'Error')?.migrationName;
      const reason = error instanceof Error ? error.message : JSON.stringify(error);
      throw new DatabaseSetupError(`migration ${failed ?? ''} failed: ${reason}`.replace('  ', ' '));
    }
    return (results ?? []).map((result) => result.migrationName);
  } finally {
    await db.destroy();
  }
}

async function canLogIn(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

export interface MigratedDatabase {
  /** Where the server logs in: never the owner. */
  serverUrl: string;
  /** Names of the migrations that were run now. */
  applied: string[];
}

/**
 * Brings the database up to date: version check, roles, migrations, the server's login.
 * @param ownerUrl a role that may create roles and tables
 * @param secret   at least 32 characters, the same on every node
 */
export async function migrateDatabase(ownerUrl: string, secret: string): Promise<MigratedDatabase> {
  const owner = await connectOwner(ownerUrl);
  try {
    await checkVersion(owner);
    await ensureRoles(owner, secret);
    const applied = await runMigrations(ownerUrl);
    const url = serverUrl(ownerUrl, secret);
    // Several nodes may come at once, with a new secret at that. The lock ends with the session.
    await owner.query('select pg_advisory_lock($1)', [loginLock]);
    await ensureJobs(owner, ownerUrl);
    if (!(await canLogIn(url))) await setServerPassword(owner, secret);
    return { serverUrl: url, applied };
  } finally {
    await owner.end();
  }
}
