import { createServer } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startThrowawayCluster } from '../../server/launch/postgres/throwaway.ts';
import { memoryRoot } from '../../server/test/support/memoryFolder.ts';
import { testSecret as secret } from '../../server/test/support/globalDatabase.ts';
import { migrateDatabase } from '../src/migrate.ts';

const names = ['migrate_one', 'migrate_two'];
let admin: pg.Client;
const urlOf = (name: string) => inject('clusterUrl').replace(/\/sextant$/, `/${name}`);
beforeAll(async () => {
  admin = new pg.Client({ connectionString: urlOf('postgres') });
  await admin.connect();
  for (const name of names) await admin.query(`create database ${name}`);
});
afterAll(async () => {
  for (const name of names) await admin.query(`drop database ${name} with (force)`);
  await admin.end();
});

describe('migrating', () => {
  it('is done once when several nodes start at the same moment', async () => {
    const url = urlOf('migrate_one');
    const runs = await Promise.all([1, 2, 3].map(() => migrateDatabase(url, secret)));
    const applied = runs.map((run) => run.applied);
    expect(applied.flat().sort()).toEqual(applied.find((list) => list.length > 0));
    expect((await migrateDatabase(url, secret)).applied).toEqual([]);
  });

  it('sets up the job queue again when its setup has changed, and leaves it alone otherwise', async () => {
    const url = urlOf('migrate_one');
    await migrateDatabase(url, secret);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const retriesAfterStart = async (): Promise<unknown> => {
      await client.query(`update jobs.queue set retry_limit = 7 where name = 'scan'`);
      await migrateDatabase(url, secret);
      return (await client.query(`select retry_limit from jobs.queue where name = 'scan'`)).rows;
    };
    try {
      expect(await retriesAfterStart()).toEqual([{ retry_limit: 7 }]);
      await client.query(`comment on schema jobs is 'sextant of an older version'`);
      expect(await retriesAfterStart()).toEqual([{ retry_limit: 2 }]);
    } finally {
      await client.end();
    }
  });

  it('rejects a database that a newer version has migrated', async () => {
    const url = urlOf('migrate_two');
    await migrateDatabase(url, secret);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`insert into migrations.kysely_migration (name, timestamp) values ('9999_later', now()::text)`);
    await client.end();
    await expect(migrateDatabase(url, secret)).rejects.toThrow(/^migration .*9999_later/);
  });
});

describe('the login of the server', () => {
  it('follows a secret that was changed on purpose, also when several nodes bring it at once, and owns nothing', async () => {
    // Roles belong to a whole cluster, so this one is not shared with the other tests.
    const cluster = await startThrowawayCluster(`${process.pid}-login`, memoryRoot);
    try {
      for (const each of ['first secret of at least 32 characters', 'second secret of at least 32 characters']) {
        const [run] = await Promise.all(
          [1, 2, 3].map(() => migrateDatabase(cluster.ownerUrl, each, { isSecretNew: true })),
        );
        const client = new pg.Client({ connectionString: run!.serverUrl });
        await client.connect();
        await expect(client.query('create table mine (id int)')).rejects.toThrow('permission denied');
        await client.end();
      }
    } finally {
      await cluster.stop();
    }
  });
});

describe('a secret that is not the one of the database', () => {
  const [right, wrong] = ['the secret of at least 32 characters', 'another secret of at least 32 characters'] as const;

  it('ends the start and leaves the login of the others alone', async () => {
    const cluster = await startThrowawayCluster(`${process.pid}-secret`, memoryRoot);
    const clients: pg.Client[] = [];
    const logIn = async (url: string) => {
      const client = new pg.Client({ connectionString: url });
      clients.push(client);
      await client.connect();
      return client;
    };
    try {
      const { serverUrl } = await migrateDatabase(cluster.ownerUrl, right);
      await logIn(serverUrl);
      await expect(migrateDatabase(cluster.ownerUrl, wrong)).rejects.toThrow(
        /^AUTH_SECRET: this database was set up with another secret; .* AUTH_SECRET_CHANGED=on$/,
      );
      await logIn(serverUrl);
      // Requested explicitly, and rejected while another server is connected.
      await expect(migrateDatabase(cluster.ownerUrl, wrong, { isSecretNew: true })).rejects.toThrow(
        /^AUTH_SECRET_CHANGED: another server is connected/,
      );
      for (const client of clients.splice(0)) await client.end();
      const changed = await migrateDatabase(cluster.ownerUrl, wrong, { isSecretNew: true });
      await logIn(changed.serverUrl);
      await expect(logIn(serverUrl)).rejects.toThrow('password authentication failed');
    } finally {
      for (const client of clients) await client.end().catch(() => undefined);
      await cluster.stop();
    }
  });
});

describe('unneeded privileges', () => {
  const serverOf = async (url: string, statement: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return await client.query(statement);
    } finally {
      await client.end();
    }
  };

  it('temporary tables and large objects are taken from the server', async () => {
    const { serverUrl } = await migrateDatabase(urlOf('migrate_one'), secret);
    for (const role of ['sextant_server', 'app_user', 'app_system']) {
      const { rows } = await admin.query(
        `select has_database_privilege($1, 'migrate_one', 'temporary') as temp,
          has_database_privilege($1, 'migrate_one', 'connect') as connect`,
        [role],
      );
      expect(rows, role).toEqual([{ temp: false, connect: true }]);
    }
    await expect(serverOf(serverUrl, 'create temporary table t (id int)')).rejects.toThrow('permission denied');
    await expect(serverOf(serverUrl, 'select lo_create(0)')).rejects.toThrow('permission denied for function');
    await expect(serverOf(serverUrl, `select lo_from_bytea(0, 'x')`)).rejects.toThrow('permission denied for function');
  });

  it('stay when the owner may not take them, as on a managed PostgreSQL, and the rest is set up all the same', async () => {
    const cluster = await startThrowawayCluster(`${process.pid}-managed`, memoryRoot);
    try {
      const superuser = new pg.Client({ connectionString: cluster.ownerUrl });
      await superuser.connect();
      await superuser.query(`create role tenant login createrole password 'only for this test'`);
      await superuser.query('create database rented owner tenant');
      await superuser.end();
      const url = new URL(cluster.ownerUrl);
      url.username = 'tenant';
      url.password = 'only for this test';
      url.pathname = '/rented';
      const { applied, serverUrl } = await migrateDatabase(url.href, secret);
      expect(applied).toContain('0001_users');
      expect((await serverOf(serverUrl, 'select 1 as one')).rows).toEqual([{ one: 1 }]);
    } finally {
      await cluster.stop();
    }
  });
});

describe('a database that cannot be used', () => {
  it('says so in one line when nothing listens', async () => {
    await expect(migrateDatabase('postgres://nobody@127.0.0.1:1/sextant', secret)).rejects.toThrow(
      /^DATABASE_OWNER_URL: cannot connect to PostgreSQL \(.*ECONNREFUSED.*\)$/,
    );
  });

  it('says so when the password is wrong', async () => {
    const url = new URL(urlOf('migrate_one'));
    url.password = 'wrong';
    await expect(migrateDatabase(url.href, secret)).rejects.toThrow(/^DATABASE_OWNER_URL: cannot connect .*password/);
  });

  it('says so when something else listens there', async () => {
    const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await expect(migrateDatabase(`postgres://nobody@127.0.0.1:${port}/x`, secret)).rejects.toThrow(
      /^DATABASE_OWNER_URL: cannot connect/,
    );
    server.close();
  });
});
