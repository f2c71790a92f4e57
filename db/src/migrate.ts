import { Kysely, PostgresDialect, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import pg from 'pg';
import { readCatalogue } from './catalogue.ts';
import { DatabaseSetupError } from './databaseSetupError.ts';
import { ensureJobs } from './jobsSchema.ts';
import { listCompatible, listMigrations, migrationsFolder, readMigration } from './migrationFiles.ts';
import { countServerSessions, ensureRoles, serverUrl, setServerPassword, waitForNoSessions } from './roles.ts';
import { checkVersion, invalidAuthorization, invalidPassword, readSchemaState } from './schemaState.ts';
import { takeOver } from './takeOver.ts';

const loginLock = 7_345_218;

/** The migrations in order, by file name. They only go forward. */
async function readMigrations(folder: string): Promise<Record<string, Migration>> {
  const entries = (await listMigrations(folder)).map(async (name): Promise<[string, Migration]> => {
    const text = await readMigration(name, folder);
    return [
      name,
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
    const reason = error instanceof Error && error.message !== '' ? error.message : 'no response';
    throw new DatabaseSetupError(`DATABASE_OWNER_URL: cannot connect to PostgreSQL (${reason})`);
  }
}

/** True when the database has the migrations of this version, and besides only newer ones that this version works with. */
async function isMigrated(owner: pg.Client, folder: string): Promise<boolean> {
  const state = await readSchemaState(owner, folder);
  return state.missing.length === 0 && state.unknown.length === 0 && state.isReadable;
}

/** Notes which migrations older versions work with, and lets nodes read it. */
async function publishState(owner: pg.Client, folder: string): Promise<void> {
  await owner.query('create table if not exists migrations.compatible_migrations (name text primary key)');
  await owner.query('insert into migrations.compatible_migrations select unnest($1::text[]) on conflict do nothing', [
    await listCompatible(folder),
  ]);
  await owner.query(`
    grant usage on schema migrations to app_system;
    grant select on all tables in schema migrations to app_system`);
}

async function runMigrations(owner: pg.Client, ownerUrl: string, folder: string): Promise<string[]> {
  if (await isMigrated(owner, folder)) return [];
  // The files have backslashes in strings, which a role without this setting would read as escapes.
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 1, options: '-c standard_conforming_strings=on' });
  pool.on('error', () => undefined);
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    // Kysely holds an advisory lock while it migrates: several nodes may start at once.
    const migrator = new Migrator({
      db,
      // Features that are made side by side have numbers of their own, and none changes a table of another.
      allowUnorderedMigrations: true,
      provider: { getMigrations: () => readMigrations(folder) },
      migrationTableSchema: 'migrations',
    });
    const { error, results } = await migrator.migrateToLatest();
    if (error !== undefined) {
      const failed = results?.find((result) => result.status === 'Error')?.migrationName;
      const reason = error instanceof Error ? error.message : JSON.stringify(error);
      throw new DatabaseSetupError(`migration ${failed ?? ''} failed: ${reason}`.replace('  ', ' '));
    }
    await publishState(owner, folder);
    return (results ?? []).map((result) => result.migrationName);
  } finally {
    await db.destroy();
  }
}

/** True when the server's login takes the password made from this secret. An overloaded database shows neither. */
async function isSecretRight(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === invalidPassword || code === invalidAuthorization) return false;
    throw new DatabaseSetupError(`DATABASE_OWNER_URL: the server's login cannot connect (${(error as Error).message})`);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Another secret than the database was set up with ends the start: taking it over would lock out every server that has the right one.
 * Only an operator who says that the secret was changed gets a new password, and only while no other server is connected.
 */
async function matchSecret(owner: pg.Client, ownerUrl: string, { secret, isSecretNew }: Secret): Promise<void> {
  if (await isSecretRight(serverUrl(ownerUrl, secret))) return;
  if (!isSecretNew) {
    throw new DatabaseSetupError(
      'AUTH_SECRET: this database was set up with another secret; set AUTH_SECRET to the value of the other servers, ' +
        'or, if you mean to change it, stop all servers and run npm run migrate (npm start with the embedded database) with AUTH_SECRET_CHANGED=on',
    );
  }
  if (!(await waitForNoSessions(() => countServerSessions(owner))))
    throw new DatabaseSetupError(
      'AUTH_SECRET_CHANGED: another server is connected to this PostgreSQL; stop all servers before you change AUTH_SECRET',
    );
  await setServerPassword(owner, secret);
}

export interface MigratedDatabase {
  /** Where the server logs in: never the owner. */
  serverUrl: string;
  /** Names of the migrations that were run now. */
  applied: string[];
  /** How many names of an earlier version were replaced (db/src/takeOver.ts). */
  replacedCount: number;
}

interface Secret {
  /** At least 32 characters, the same on every node. */
  secret: string;
  /** The operator has changed it: the server's login gets a new password. */
  isSecretNew: boolean;
}

interface MigrateOptions extends Partial<Pick<Secret, 'isSecretNew'>> {
  /** Where the migrations are; tests name another folder. */
  folder?: string;
}

/**
 * Brings the database up to date: version check, roles, the server's login, migrations. A database of the versions before the baseline is
 * taken over.
 * @param ownerUrl a role that may create roles and tables
 */
export async function migrateDatabase(
  ownerUrl: string,
  secret: string,
  { isSecretNew = false, folder = migrationsFolder }: MigrateOptions = {},
): Promise<MigratedDatabase> {
  const owner = await connectOwner(ownerUrl);
  try {
    await checkVersion(owner, 'DATABASE_OWNER_URL');
    await ensureRoles(owner, secret);
    // Several nodes may start at once, with a new secret at that. The lock ends with the session.
    await owner.query('select pg_advisory_lock($1)', [loginLock]);
    await matchSecret(owner, ownerUrl, { secret, isSecretNew });
    const replacedCount = await takeOver(owner);
    const applied = await runMigrations(owner, ownerUrl, folder);
    await ensureJobs(owner, ownerUrl);
    return { serverUrl: serverUrl(ownerUrl, secret), applied, replacedCount };
  } finally {
    await owner.end();
  }
}

/**
 * What a takeover compares, one line for each fact, sorted: two databases of one version differ in the lines that were changed by hand.
 * Changes nothing.
 * @param ownerUrl a role that may read the catalogue, e.g. the owner
 */
export async function listFacts(ownerUrl: string): Promise<string[]> {
  const owner = await connectOwner(ownerUrl);
  try {
    await checkVersion(owner, 'DATABASE_OWNER_URL');
    await owner.query('begin read only');
    const catalogue = await readCatalogue(owner);
    return Object.entries(catalogue)
      .flatMap(([object, facts]) => facts.map((fact) => `${object}: ${fact.replaceAll(/\s+/g, ' ')}`))
      .sort();
  } finally {
    await owner.end();
  }
}
