import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';

/** Text of each migration that the baseline replaces, by name: the files as they were when the last of them was added. */
export async function readReplaced(): Promise<Record<string, string>> {
  const packed = await readFile(join(import.meta.dirname, 'replacedMigrations.json.gz'));
  return JSON.parse(gunzipSync(packed).toString()) as Record<string, string>;
}

/** Migrates an empty database as the last version before the baseline did. The roles exist already. */
export async function migrateAsBefore(ownerUrl: string): Promise<void> {
  const texts = Object.entries(await readReplaced());
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 1 });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const migrations = texts.map(([name, text]) => [
      name,
      { up: async (tx: Kysely<unknown>) => void (await sql.raw(text).execute(tx)) },
    ]);
    const migrator = new Migrator({
      db,
      provider: { getMigrations: () => Promise.resolve(Object.fromEntries(migrations) as never) },
      migrationTableSchema: 'migrations',
    });
    const { error } = await migrator.migrateToLatest();
    if (error !== undefined) throw new Error('a replaced migration failed', { cause: error });
    const compatible = texts.filter(([, text]) => text.startsWith('-- expand\n')).map(([name]) => name);
    await pool.query('create table migrations.compatible_migrations (name text primary key)');
    await pool.query('insert into migrations.compatible_migrations select unnest($1::text[])', [compatible]);
    await pool.query('grant usage on schema migrations to app_system');
    await pool.query('grant select on all tables in schema migrations to app_system');
  } finally {
    await db.destroy();
  }
}
