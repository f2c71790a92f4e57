import type pg from 'pg';
import { baseline } from './baseline.ts';
import { hashCatalogue, readCatalogue } from './catalogue.ts';
import { DatabaseSetupError } from './databaseSetupError.ts';
import { countNodeSessions, waitForNoSessions } from './roles.ts';

const listedMax = 3;
const lockTimeout = '55P03';

/**
 * The last step from the replaced migrations to the schema of the baseline. The owner of the tables sees no rows under forced row-level
 * security, unless it is a superuser, so the table is unforced for the one statement that reads them.
 */
const lastStep = `
  alter table signal_tuning
    add column weights jsonb not null default '{}' check (jsonb_typeof(weights) = 'object' and pg_column_size(weights) <= 1024),
    no force row level security;
  update signal_tuning set weights = jsonb_build_object('adx', adx, 'supertrend', supertrend, 'ema_cross', ema_cross,
    'sma_cross', sma_cross, 'pivot', pivot, 'vwap', vwap, 'mfi', mfi, 'donchian', donchian, 'ich_align', ich_align,
    'ich_cloud', ich_cloud, 'news', news);
  alter table signal_tuning
    drop column adx, drop column supertrend, drop column ema_cross, drop column sma_cross, drop column pivot, drop column vwap,
    drop column mfi, drop column donchian, drop column ich_align, drop column ich_cloud, drop column news,
    add constraint signal_tuning_weights_range check (
      not jsonb_path_exists(weights, 'strict $.* ? (@.type() != "number" || @ < 0.5 || @ > 1.5)', '{}', true)),
    force row level security;
  alter table orders drop constraint orders_exchange_check, alter column exchange type exchange_id;
  alter table arbitrage_announced drop constraint arbitrage_announced_exchange_check, alter column exchange type exchange_id;
  alter table position_fills validate constraint position_fills_costs`;

async function readApplied(owner: pg.Client): Promise<string[]> {
  const { rows: tables } = await owner.query(
    `select from pg_class where oid = to_regclass('migrations.kysely_migration')`,
  );
  if (tables.length === 0) return [];
  const { rows } = await owner.query<{ name: string }>('select name from migrations.kysely_migration order by name');
  return rows.map(({ name }) => name);
}

/** @throws DatabaseSetupError that says how to move, when the database has not all of the replaced migrations and nothing else */
function checkNames(applied: readonly string[]): void {
  const missing = baseline.replaced.filter((name) => !applied.includes(name));
  const last = baseline.replaced.at(-1);
  if (missing.length > 0)
    throw new DatabaseSetupError(
      `DATABASE_OWNER_URL: this database is of an earlier version and lacks migration ${missing[0]}; run npm run migrate of the last ` +
        `version that has db/migrations/${last}.sql first, then of this one (docs/operations.md#database)`,
    );
  const other = applied.find((name) => !baseline.replaced.includes(name));
  if (other !== undefined)
    throw new DatabaseSetupError(
      `DATABASE_OWNER_URL: this database has a migration of another version, ${other}; restore a backup from before it, or start that version`,
    );
}

/** Names of the objects that are not as the baseline has them. */
async function findDifferences(owner: pg.Client): Promise<string[]> {
  const present = hashCatalogue(await readCatalogue(owner));
  const names = new Set([...Object.keys(baseline.objects), ...Object.keys(present)]);
  return [...names].filter((name) => present[name] !== baseline.objects[name]).sort();
}

/** A node of the earlier version that goes on with the new tables would read columns that are gone. */
const nodesConnected = (): DatabaseSetupError =>
  new DatabaseSetupError(
    'DATABASE_OWNER_URL: nodes of the earlier version are connected to this database; stop all nodes, and PgBouncer, for this one upgrade ' +
      'and run npm run migrate again (docs/operations.md#database)',
  );

/** Brings the schema to the one of the baseline and replaces the names. Runs in a transaction that the caller ends. */
async function replaceNames(owner: pg.Client): Promise<void> {
  // A node that starts now waits here with its check, and then reads the new names.
  await owner.query('lock table migrations.kysely_migration in access exclusive mode');
  await owner.query(lastStep);
  const different = await findDifferences(owner);
  if (different.length > 0) {
    const more = different.length > listedMax ? ` and ${different.length - listedMax} more` : '';
    throw new DatabaseSetupError(
      `DATABASE_OWNER_URL: ${different.slice(0, listedMax).join(', ')}${more} of this database differ from the version it is of; ` +
        'undo the changes, which docs/operations.md#database says how to list, and run npm run migrate again',
    );
  }
  await owner.query('delete from migrations.kysely_migration');
  await owner.query(
    `insert into migrations.kysely_migration (name, timestamp)
     select name, to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') from unnest($1::text[]) name`,
    [baseline.names],
  );
  await owner.query(`delete from migrations.compatible_migrations where name = any ($1)`, [baseline.replaced]);
  // A node that had read the earlier names before the lock has connected by now.
  if ((await countNodeSessions(owner)) > 0) throw nodesConnected();
}

function describeFailure(error: unknown, lockWaitMs: number): DatabaseSetupError {
  if (error instanceof DatabaseSetupError) return error;
  const { code, message } = error instanceof Error ? (error as Error & { code?: string }) : { message: String(error) };
  const reason =
    code === lockTimeout
      ? `another session has used one of its tables for ${lockWaitMs / 1000} s; end it (a backup, an open query) and run npm run migrate again`
      : message;
  return new DatabaseSetupError(
    `DATABASE_OWNER_URL: the database of the earlier version was not taken over: ${reason}`,
  );
}

interface TakeOverLimits {
  /** Longest wait for the sessions of nodes that were stopped, ms. */
  sessionWaitMs?: number;
  /** Longest wait for a table that another session uses, ms. */
  lockWaitMs?: number;
}

/**
 * Takes over a database that has the replaced migrations: brings it to the schema of the baseline, compares everything, and puts the new
 * names in the place of the old ones, in one transaction. A killed process leaves the database as it was. The caller holds the lock of
 * migrations. No node may be connected: those of the earlier version read columns that are removed. They reject the database afterwards,
 * because its names are of a newer version.
 * @returns how many names were replaced; 0 for a database that has none of them
 * @throws DatabaseSetupError when the database is of no known version, was changed by hand or is in use; it stays as it is
 */
export async function takeOver(
  owner: pg.Client,
  { sessionWaitMs, lockWaitMs = 30_000 }: TakeOverLimits = {},
): Promise<number> {
  const applied = await readApplied(owner);
  if (!applied.some((name) => baseline.replaced.includes(name))) return 0;
  checkNames(applied);
  if (!(await waitForNoSessions(() => countNodeSessions(owner), sessionWaitMs))) throw nodesConnected();
  await owner.query('begin');
  try {
    await owner.query('set local search_path = public');
    await owner.query(`select set_config('lock_timeout', $1, true)`, [`${lockWaitMs}ms`]);
    await replaceNames(owner);
    await owner.query('commit');
    return baseline.replaced.length;
  } catch (error) {
    await owner.query('rollback').catch(() => undefined);
    throw describeFailure(error, lockWaitMs);
  }
}
