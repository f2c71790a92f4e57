import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { testSecret as secret } from '../../server/test/support/globalDatabase.ts';
import { migrateDatabase } from '../src/migrate.ts';
import { listCompatible, migrationsFolder } from '../src/migrationFiles.ts';
import { nodeUrl, serverUrl } from '../src/roles.ts';
import { checkDatabase } from '../src/schemaState.ts';

const name = `schema_state_${process.pid}`;
const urlOf = (database: string) => inject('clusterUrl').replace(/\/sextant$/, `/${database}`);
let admin: pg.Client;
let owner: pg.Client;
const login = { setting: 'DATABASE_URL', url: '' };
const check = () => checkDatabase(login, login);
beforeAll(async () => {
  admin = new pg.Client({ connectionString: urlOf('postgres') });
  await admin.connect();
  await admin.query(`create database ${name}`);
  login.url = serverUrl(urlOf(name), secret);
  owner = new pg.Client({ connectionString: urlOf(name) });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await admin.query(`drop database ${name} with (force)`);
  await admin.end();
});

describe('a node at its start', () => {
  it('NODE-025 rejects a database that was not migrated, then one without this version’s migrations', async () => {
    await expect(check()).rejects.toThrow(/^DATABASE_URL: migration 0001_users has not run; run npm run migrate$/);
    await migrateDatabase(urlOf(name), secret);
    await check();
    const files = await readdir(join(import.meta.dirname, '../migrations'));
    const newest = files
      .toSorted()
      .at(-1)
      ?.replace(/\.sql$/, '');
    const last = `(select max(name) from migrations.kysely_migration)`;
    await owner.query(`create table saved as select * from migrations.kysely_migration where name = ${last}`);
    await owner.query(`delete from migrations.kysely_migration where name = ${last}`);
    await expect(check()).rejects.toThrow(
      new RegExp(`^DATABASE_URL: migration ${newest} has not run; run npm run migrate$`),
    );
    await owner.query(`insert into migrations.kysely_migration select * from saved; drop table saved`);
    await check();
  });

  it('NODE-026 works beside a newer schema whose migrations are marked as compatible, and rejects any other', async () => {
    const add = (migration: string) =>
      owner.query('insert into migrations.kysely_migration (name, timestamp) values ($1, now()::text)', [migration]);
    await add('9998_later');
    await expect(check()).rejects.toThrow(
      /^DATABASE_URL: migration 9998_later is of a newer version that this one does not work with; start the newer version$/,
    );
    await owner.query(`insert into migrations.compatible_migrations values ('9998_later')`);
    await check();
    // The queue of a newer version may have other rules.
    const { rows } = await owner.query<{ comment: string }>(
      `select obj_description('jobs'::regnamespace, 'pg_namespace') as comment`,
    );
    await owner.query(`comment on schema jobs is 'sextant of a newer version'`);
    await check();
    // The command of the older version leaves the newer schema alone, too.
    await add('9999_last');
    await expect(check()).rejects.toThrow(/migration 9999_last is of a newer version/);
    await owner.query(`delete from migrations.kysely_migration where name like '999%'`);
    await expect(check()).rejects.toThrow(/^DATABASE_URL: the job queue is of another version; run npm run migrate$/);
    await owner.query(`comment on schema jobs is '${rows[0]?.comment}'`);
    await check();
  });

  it('NODE-026 the mark is the first line of a migration, and older nodes work beside one that has it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sextant-newer-'));
    const newer = `${name}_newer`;
    await admin.query(`create database ${newer}`);
    try {
      await cp(migrationsFolder, folder, { recursive: true });
      await writeFile(join(folder, '9990_adds.sql'), '-- expand\n-- Adds a table.\ncreate table added (id int);\n');
      expect(await listCompatible(folder)).toEqual([...(await listCompatible()), '9990_adds']);
      expect(await listCompatible()).not.toContain('0001_users');
      await migrateDatabase(urlOf(newer), secret, { folder });
      const client = new pg.Client({ connectionString: urlOf(newer) });
      await client.connect();
      const { rows } = await client.query<{ name: string }>(
        'select name from migrations.compatible_migrations order by 1',
      );
      expect(rows.map((row) => row.name)).toEqual(await listCompatible(folder));
      // A node of this version, which has not the newer file.
      const node = { setting: 'DATABASE_URL', url: serverUrl(urlOf(newer), secret) };
      await checkDatabase(node, node);
      // The same migration without the mark.
      await writeFile(join(folder, '9991_takes.sql'), '-- Takes a table.\n-- expand\ndrop table added;\n');
      expect(await listCompatible(folder)).not.toContain('9991_takes');
      expect((await migrateDatabase(urlOf(newer), secret, { folder })).applied).toEqual(['9991_takes']);
      await client.end();
      await expect(checkDatabase(node, node)).rejects.toThrow(/migration 9991_takes is of a newer version/);
    } finally {
      await admin.query(`drop database ${newer} with (force)`);
      await rm(folder, { recursive: true });
    }
  });

  it('NODE-027 logs in without the rights of an owner, and cannot change what was migrated', async () => {
    expect(() => nodeUrl('DATABASE_URL', urlOf(name), secret)).toThrow(/^DATABASE_URL: leave user and password out/);
    expect(nodeUrl('DATABASE_URL', 'postgres://db.example:5432/x', secret)).toBe(
      serverUrl('postgres://db.example:5432/x', secret),
    );
    // The secret decides, whatever password a URL has: nodes with different secrets never share a database.
    const other = serverUrl(urlOf(name), 'another secret of at least 32 characters');
    expect(nodeUrl('DATABASE_URL', other, secret)).toBe(login.url);
    const asOwner = { setting: 'DATABASE_URL', url: urlOf(name) };
    await expect(checkDatabase(asOwner, asOwner)).rejects.toThrow(/^DATABASE_URL: sextant_owner may change tables; /);
    const node = new pg.Client({ connectionString: login.url });
    await node.connect();
    try {
      for (const role of ['sextant_server', 'app_system', 'app_user']) {
        await node.query('begin');
        await node.query(`set local role ${role}`);
        const insert = `insert into migrations.kysely_migration (name, timestamp) values ('x', '')`;
        await expect(node.query(insert), role).rejects.toThrow('permission denied');
        await node.query('rollback');
        await expect(node.query(`alter table users add column mine int`)).rejects.toThrow(
          /must be owner|permission denied/,
        );
      }
    } finally {
      await node.end();
    }
  });

  it('NODE-027 with another secret says which setting is wrong', async () => {
    const other = { setting: 'DATABASE_URL', url: serverUrl(urlOf(name), 'another secret of at least 32 characters') };
    await expect(checkDatabase(other, other)).rejects.toThrow(
      /^AUTH_SECRET: this database was set up with another secret, or not at all; /,
    );
    const nowhere = { setting: 'DATABASE_SESSION_URL', url: 'postgres://sextant_server@127.0.0.1:1/x' };
    await expect(checkDatabase(nowhere, nowhere)).rejects.toThrow(
      /^DATABASE_SESSION_URL: cannot connect to PostgreSQL \(.*ECONNREFUSED.*\)$/,
    );
    await expect(checkDatabase(login, { ...nowhere, setting: 'DATABASE_URL' })).rejects.toThrow(
      /^DATABASE_URL: cannot connect/,
    );
  });
});
