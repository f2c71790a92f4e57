import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { serverPassword, serverUrl } from '@sextant/db/src/roles.ts';
import { checkDatabase } from '@sextant/db/src/schemaState.ts';
import { migrateAsBefore } from '../../../db/test/support/replacedDatabase.ts';
import { childEnv } from '../support/childEnv.ts';
import { testSecret } from '../support/globalDatabase.ts';

const name = `migrate_command_${process.pid}`;
const urlOf = (database: string) => inject('clusterUrl').replace(/\/sextant$/, `/${database}`);
let folder: string;
let admin: pg.Client;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sextant-migrate-'));
  await writeFile(join(folder, 'secret'), `${testSecret}\n`);
  await writeFile(join(folder, 'owner'), urlOf(name));
  admin = new pg.Client({ connectionString: urlOf('postgres') });
  await admin.connect();
  await admin.query(`create database ${name}`);
});
afterAll(async () => {
  await admin.query(`drop database ${name} with (force)`);
  await admin.end();
  await rm(folder, { recursive: true });
});

async function migrate(
  env: Record<string, string>,
  ...args: string[]
): Promise<{ code: number | null; lines: string[] }> {
  const program = join(import.meta.dirname, '../../launch/migrate.ts');
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...childEnv, DATA_DIR: join(folder, 'data'), ...env },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { code, lines: text.trim().split('\n') };
}

it('NODE-025 NODE-029 npm run migrate brings a database up to date, with owner and secret from files', async () => {
  const env = { DATABASE_OWNER_URL_FILE: join(folder, 'owner'), AUTH_SECRET_FILE: join(folder, 'secret') };
  const first = await migrate(env);
  expect(first.code, first.lines.join()).toBe(0);
  expect(first.lines[0]).toBe('0001_users');
  expect(first.lines.at(-1)).toMatch(/^Ran \d+ migrations\.$/);
  const login = { setting: 'DATABASE_URL', url: serverUrl(urlOf(name), testSecret) };
  await checkDatabase(login, login);
  expect(await migrate(env)).toEqual({ code: 0, lines: ['The database is up to date.'] });
});

it('NODE-025 npm run migrate says that it took over a database of an earlier version', async () => {
  const earlier = `${name}_earlier`;
  await admin.query(`create database ${earlier}`);
  try {
    await migrateAsBefore(urlOf(earlier));
    const env = { DATABASE_OWNER_URL: urlOf(earlier), AUTH_SECRET: testSecret };
    const facts = await migrate(env, '--facts');
    expect(facts.code).toBe(0);
    expect(facts.lines).toContain('signal_tuning: column adx double precision not null storage p default 1');
    // The migrations of the baseline count as run, later ones run.
    const { code, lines } = await migrate(env);
    expect(code, lines.join()).toBe(0);
    expect(lines).toContain('Took over a database of an earlier version with 112 migrations.');
    expect(lines.filter((line) => /^\d{4}_/.test(line) && line < '0140')).toEqual([]);
    expect(await migrate(env)).toEqual({ code: 0, lines: ['The database is up to date.'] });
  } finally {
    await admin.query(`drop database ${earlier} with (force)`);
  }
});

it('NODE-025 npm run migrate names the setting that is missing or wrong', async () => {
  expect(await migrate({})).toEqual({
    code: 1,
    lines: [expect.stringMatching(/^The database was not migrated: DATABASE_OWNER_URL: set it to a role/)],
  });
  const nowhere = await migrate({ DATABASE_OWNER_URL: 'postgres://o@127.0.0.1:1/x', AUTH_SECRET: testSecret });
  expect(nowhere.lines).toEqual([
    expect.stringMatching(/^The database was not migrated: DATABASE_OWNER_URL: cannot connect to PostgreSQL/),
  ]);
});

it('NODE-028 npm run migrate -- --userlist prints the login for a pooler', async () => {
  expect(await migrate({ AUTH_SECRET: testSecret }, '--userlist')).toEqual({
    code: 0,
    lines: [`"sextant_server" "${serverPassword(testSecret)}"`],
  });
});
