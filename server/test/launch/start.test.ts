import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { migrateDatabase } from '@sextant/db/src/migrate.ts';
import { testSecret } from '../support/globalDatabase.ts';
import { makeMemoryFolder } from '../support/memoryFolder.ts';
import { freePort } from '../../launch/freePort.ts';
import { killHard, type Launched, launchReady, postgresPids, start } from './launcher.ts';

const isLinux = process.platform === 'linux';
let folder: string;
let dataDir: string;
const launched: Launched[] = [];
beforeEach(async () => {
  folder = await makeMemoryFolder('start');
  dataDir = join(folder, 'data');
});
afterEach(async () => {
  for (const { pid } of launched.splice(0)) killHard([pid]);
  if (isLinux) killHard(postgresPids(dataDir));
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});
const ready = async (env: Record<string, string> = {}): Promise<Launched> => {
  const one = await launchReady({ DATA_DIR: dataDir, ...env });
  launched.push(one);
  return one;
};

/** Output and exit code of a start that must fail. */
async function failed(env: Record<string, string>): Promise<{ code: number | string; lines: string[] }> {
  const { exit, output } = start({ DATA_DIR: dataDir, ...env });
  const code = await exit;
  return { code, lines: output().trim().split('\n') };
}

const occupy = (port: number): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer();
    server.listen(port, '127.0.0.1', () => resolve(server));
  });

describe('a start that cannot work ends with one clear line and exit code 1', () => {
  it('when the port is in use', async () => {
    const port = await freePort();
    const other = await occupy(port);
    try {
      expect(await failed({ PORT: String(port) })).toEqual({
        code: 1,
        lines: [`Sextant cannot start: 127.0.0.1:${port} is in use; stop the other program or set PORT to a free one`],
      });
    } finally {
      other.close();
    }
  });

  it('when the data folder cannot be written', async () => {
    // Below a file, which stops root too.
    const blocked = join(folder, 'file');
    await writeFile(blocked, '');
    const { code, lines } = await failed({ DATA_DIR: join(blocked, 'data'), PORT: String(await freePort()) });
    expect(code).toBe(1);
    expect(lines).toEqual([
      expect.stringMatching(/^Sextant cannot start: DATA_DIR .*\/file\/data cannot be written \(ENOTDIR\)/),
    ]);
  });

  it('when a variable is wrong', async () => {
    expect(await failed({ PORT: 'web' })).toEqual({ code: 1, lines: ['Sextant cannot start: PORT: must be a number'] });
    const replay = await failed({ MARKET_REPLAY: join(folder, 'missing') });
    expect(replay.lines).toEqual([
      `Sextant cannot start: MARKET_REPLAY: there is no folder ${join(folder, 'missing')}`,
    ]);
  });

  it('when a service whose library is loaded later is configured wrongly: at the start, not at the first use', async () => {
    const wrong: [Record<string, string>, string][] = [
      [{ SMTP_URL: 'smtp://me:50%@mail.example:587' }, 'SMTP_URL: has a bare % in its user or password; write %25'],
      [{ SMTP_URL: 'mail.example' }, 'SMTP_URL: must look like smtps://user:password@mail.example:465'],
      [{ S3_BUCKET: 'pictures' }, 'S3_BUCKET: also needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY'],
      [{ S3_ENDPOINT: 'minio' }, 'S3_ENDPOINT: '],
      [{ OPENAI_API_KEY: 'key', OPENAI_BASE_URL: 'model' }, 'OPENAI_BASE_URL: '],
      [{ EXCHANGES_URL: 'exchange' }, 'EXCHANGES_URL: '],
    ];
    for (const [env, line] of wrong) {
      const { code, lines } = await failed(env);
      expect([env, code, lines]).toEqual([env, 1, [expect.stringContaining(`Sextant cannot start: ${line}`)]]);
    }
  });

  it('when the external database does not respond', async () => {
    const { code, lines } = await failed({
      DATABASE_URL: 'postgres://127.0.0.1:9/x',
      PORT: String(await freePort()),
    });
    expect(code).toBe(1);
    expect(lines).toEqual([
      expect.stringMatching(/^Sextant cannot start: DATABASE_URL: cannot connect to PostgreSQL \(.*ECONNREFUSED/),
    ]);
  });

  it('when the secrets are damaged, which are never replaced', async () => {
    await mkdir(dataDir);
    await writeFile(join(dataDir, 'secrets.json'), '{}');
    const { code, lines } = await failed({ PORT: String(await freePort()) });
    expect([code, lines.length]).toEqual([1, 1]);
    expect(lines[0]).toMatch(/secrets\.json is damaged; restore it from a backup/);
    expect(await readFile(join(dataDir, 'secrets.json'), 'utf8')).toBe('{}');
  });
});

describe('a running Sextant', () => {
  it(
    'retains its secrets, lets no other start use its folder, and completes running requests before it stops',
    { timeout: 180_000 },
    async () => {
      // Like most starts: with only our own folder for compiled code.
      const one = await ready({ NODE_COMPILE_CACHE: '' });
      expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
      expect((await readdir(join(dataDir, 'code-cache'))).length).toBeGreaterThan(0);
      expect((await stat(join(dataDir, 'secrets.json'))).mode & 0o777).toBe(0o600);
      expect((await stat(join(dataDir, 'postgres'))).mode & 0o777).toBe(0o700);
      expect(one.output()).toContain(`open      ${one.url.replace('127.0.0.1', 'localhost')}`);
      expect(one.output()).toContain('market    simulated');
      expect(one.output()).toContain(`data      ${dataDir}`);
      const secrets = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as Record<string, string>;
      for (const secret of Object.values(secrets)) expect(one.output()).not.toContain(secret);

      const { code, lines } = await failed({ PORT: String(await freePort()) });
      expect([code, lines]).toEqual([
        1,
        [`Sextant cannot start: DATA_DIR ${dataDir} is in use by another Sextant; stop it or set DATA_DIR`],
      ]);
      expect((await fetch(`${one.url}/api/app`)).status).toBe(200);

      // Hashing runs four at a time, so some requests are waiting when the signal arrives. All of them take a busy machine far less than
      // the 8 s after which a stopping server cuts the rest.
      const responses = Array.from({ length: 8 }, (_, index) =>
        fetch(`${one.url}/api/auth/signin`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email: `nobody${index}@example.com`, password: 'wrong' }),
        }).then((response) => response.json() as Promise<{ code: string }>),
      );
      await Promise.race(responses);
      one.signal('SIGTERM');
      for (const response of await Promise.all(responses)) expect(response.code).toBe('invalid_credentials');
      expect(await one.exit).toBe(0);
      if (isLinux) expect(postgresPids(dataDir)).toEqual([]);
    },
  );

  it('stops cleanly on a signal during its start', { timeout: 180_000 }, async () => {
    const { child, exit, output } = start({ DATA_DIR: dataDir, PORT: String(await freePort()) });
    await expect.poll(() => existsSync(join(dataDir, 'postgres')), { timeout: 60_000, interval: 5 }).toBe(true);
    // Twice, as npm and the terminal do on one Ctrl-C.
    child.kill('SIGINT');
    child.kill('SIGINT');
    expect(await exit, output()).toBe(0);
    if (isLinux) expect(postgresPids(dataDir)).toEqual([]);
  });

  it(
    'NODE-025 NODE-027 uses an existing database once it is migrated, without the rights of its owner',
    { timeout: 180_000 },
    async () => {
      const name = `external_${process.pid}`;
      const urlOf = (database: string) => inject('clusterUrl').replace(/\/sextant$/, `/${database}`);
      const admin = new pg.Client({ connectionString: urlOf('postgres') });
      await admin.connect();
      await admin.query(`create database ${name}`);
      try {
        const url = new URL(urlOf(name));
        url.username = '';
        url.password = '';
        // Roles belong to the cluster, which all tests share, so the secret must be the same.
        const env = { DATABASE_URL: url.href, AUTH_SECRET: testSecret, PORT: String(await freePort()) };
        expect(await failed(env)).toEqual({
          code: 1,
          lines: [
            expect.stringMatching(
              /^Sextant cannot start: DATABASE_URL: migration 0001_users has not run; run npm run migrate$/,
            ),
          ],
        });
        expect((await failed({ ...env, DATABASE_URL: urlOf(name) })).lines[0]).toMatch(
          /^Sextant cannot start: DATABASE_URL: leave user and password out, .* DATABASE_OWNER_URL for npm run migrate$/,
        );
        await migrateDatabase(urlOf(name), testSecret);
        const one = await ready(env);
        expect(await (await fetch(`${one.url}/api/app`)).json()).toMatchObject({ mode: 'demo', demoAccount: false });
        expect(one.output()).toContain('PostgreSQL of DATABASE_URL');
        one.signal('SIGTERM');
        expect(await one.exit).toBe(0);
      } finally {
        await admin.query(`drop database ${name} with (force)`);
        await admin.end();
      }
    },
  );
});

describe.skipIf(!isLinux)('what an earlier run left behind', () => {
  it('a pid file that names a process of another program is ignored', { timeout: 180_000 }, async () => {
    const one = await ready();
    const database = postgresPids(dataDir);
    killHard([one.pid, ...database]);
    await one.exit;
    // As after a reboot: the pid now belongs to another program, which must survive.
    const pidFile = join(dataDir, 'postgres/data/postmaster.pid');
    const lines = (await readFile(pidFile, 'utf8')).split('\n');
    await writeFile(pidFile, [String(process.pid), ...lines.slice(1)].join('\n'));
    const two = await ready();
    expect((await fetch(`${two.url}/api/health`)).status).toBe(200);
    two.signal('SIGTERM');
    expect(await two.exit).toBe(0);
  });
});
