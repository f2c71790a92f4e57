import pg from 'pg';
import { baseline } from './baseline.ts';
import { DatabaseSetupError } from './databaseSetupError.ts';
import { isJobsSetUp } from './jobsSchema.ts';
import { listMigrations } from './migrationFiles.ts';
import { checkName } from './roles.ts';

const versionMin = 150_000;
export const invalidPassword = '28P01';
export const invalidAuthorization = '28000';

/** What the database has, compared with this version's files. */
export interface SchemaState {
  /** Migrations of this version that were not run. */
  missing: string[];
  /** Migrations of a newer version that this one does not work with. */
  unknown: string[];
  /** Migrations of a newer version that this one works with. */
  newer: string[];
  /** Whether the role of the nodes may read the migration tables. */
  isReadable: boolean;
}

/** @throws DatabaseSetupError when PostgreSQL is too old */
export async function checkVersion(client: pg.Client, setting: string): Promise<void> {
  const { rows } = await client.query<{ number: number; name: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as name`,
  );
  const version = rows[0];
  if (version === undefined || version.number < versionMin)
    throw new DatabaseSetupError(`${setting}: PostgreSQL ${version?.name ?? '?'} is too old, 15 or newer is needed`);
}

/** @param client of the owner, or of a node that acts as app_system */
export async function readSchemaState(client: pg.Client, folder?: string): Promise<SchemaState> {
  const files = await listMigrations(folder);
  const [tables] = (
    await client.query<{ migrations: boolean; compatible: boolean; isReadable: boolean }>(`
      select count(*) filter (where c.relname = 'kysely_migration' and has_table_privilege(c.oid, 'select')) > 0 as migrations,
        count(*) filter (where c.relname = 'compatible_migrations' and has_table_privilege(c.oid, 'select')) > 0 as compatible,
        coalesce(bool_and(has_table_privilege('app_system', c.oid, 'select')) filter (where c.relname in ('kysely_migration', 'compatible_migrations')), false)
          as "isReadable"
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'migrations' and c.relkind = 'r' and has_schema_privilege(n.oid, 'usage')`)
  ).rows;
  if (tables?.migrations !== true) return { missing: files, unknown: [], newer: [], isReadable: false };
  const names = async (table: string): Promise<string[]> =>
    (await client.query<{ name: string }>(`select name from migrations.${table}`)).rows.map(({ name }) => name);
  const applied = new Set(await names('kysely_migration'));
  const compatible = new Set(tables.compatible ? await names('compatible_migrations') : []);
  // Migrations that the baseline replaced are older, never newer.
  const others = [...applied].filter((name) => !files.includes(name) && !baseline.replaced.includes(name)).sort();
  return {
    missing: files.filter((name) => !applied.has(name)),
    unknown: others.filter((name) => !compatible.has(name)),
    newer: others.filter((name) => compatible.has(name)),
    isReadable: tables.compatible && tables.isReadable,
  };
}

interface NodeLogin {
  /** The setting that the URL is of, for messages. */
  setting: string;
  /** With the login of nodes. */
  url: string;
}

async function connect({ setting, url }: NodeLogin): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    const { code = '', message } = error as Error & { code?: string };
    if (code === invalidPassword || code === invalidAuthorization)
      throw new DatabaseSetupError(
        'AUTH_SECRET: this database was set up with another secret, or not at all; ' +
          'set AUTH_SECRET to the value of the other servers, or run npm run migrate first',
      );
    throw new DatabaseSetupError(`${setting}: cannot connect to PostgreSQL (${message === '' ? code : message})`);
  }
}

/**
 * Whether a node of this version may use the database: all migrations of this version, and of newer ones only those that are marked as
 * compatible. Changes nothing.
 * @param direct a connection that is one session, for the check itself
 * @param pooled the connection of requests, which must respond too
 * @throws DatabaseSetupError that states the fix
 */
export async function checkDatabase(direct: NodeLogin, pooled: NodeLogin): Promise<void> {
  const client = await connect(direct);
  try {
    // Overrides an application name from the URL or the environment.
    await client.query(`set application_name = '${checkName}'`);
    await checkVersion(client, direct.setting);
    await checkRights(client, direct.setting);
    await client.query('set role app_system');
    await checkSchema(client);
  } finally {
    await client.end();
  }
  if (pooled.url === direct.url) return;
  const other = await connect(pooled);
  try {
    await other.query('select 1');
  } finally {
    await other.end();
  }
}

/** Rejects a login that may change tables: every node would have the rights of the owner. */
async function checkRights(client: pg.Client, setting: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    select current_user as name from pg_roles r where r.rolname = current_user and (r.rolsuper or r.rolbypassrls or r.rolcreaterole
      or exists (select from pg_class c where c.oid = to_regclass('public.users') and pg_has_role(r.oid, c.relowner, 'member')))`);
  if (rows[0] !== undefined)
    throw new DatabaseSetupError(
      `${setting}: ${rows[0].name} may change tables; revoke these rights, nodes do not need them`,
    );
}

async function checkSchema(client: pg.Client): Promise<void> {
  const { missing, unknown, newer } = await readSchemaState(client);
  if (unknown[0] !== undefined)
    throw new DatabaseSetupError(
      `DATABASE_URL: migration ${unknown[0]} is of a newer version that this one does not work with; start the newer version`,
    );
  if (missing[0] !== undefined)
    throw new DatabaseSetupError(`DATABASE_URL: migration ${missing[0]} has not run; run npm run migrate`);
  // A newer version may have set up the queue.
  if (newer.length === 0 && !(await isJobsSetUp(client)))
    throw new DatabaseSetupError('DATABASE_URL: the job queue is of another version; run npm run migrate');
}
