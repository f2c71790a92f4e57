import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { userlistLine } from '@sextant/db/src/roles.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startExchanges, type ExchangesFake } from '../../../fakes/exchanges/server.ts';
import { freePort } from '../../../launch/freePort.ts';
import { createPostgresBus } from '../../../src/platform/bus/postgresBus.ts';
import { createEventHub } from '../../../src/platform/events/eventHub.ts';
import { eventNotices, notifyUser } from '../../../src/platform/events/notify.ts';
import { type Database, openDatabase } from '../../../src/platform/db/database.ts';
import { withSystem, withUser } from '../../../src/platform/db/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import { findProgram } from '../../support/findProgram.ts';
import { testSecret } from '../../support/globalDatabase.ts';
import { createKillableNode, type KillableNode } from '../../support/killableNode.ts';

/** Debian's package, or one that PGBOUNCER names. */
const program = findProgram('pgbouncer', '--version', process.env['PGBOUNCER']);
const suite = `NODE-028 PgBouncer in transaction mode${program === undefined ? ' (skipped: pgbouncer is not installed)' : ''}`;

describe.skipIf(program === undefined)(suite, () => {
  let test: TestDatabase;
  let folder: string;
  let bouncer: ChildProcess;
  let pooledUrl: string;
  let database: Database;
  let exchanges: ExchangesFake;
  let node: KillableNode | undefined;

  beforeAll(async () => {
    test = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'sextant-pgbouncer-'));
    await chmod(folder, 0o755);
    const { hostname, port, pathname } = new URL(test.serverUrl);
    const listenPort = await freePort();
    await writeFile(join(folder, 'userlist.txt'), `${userlistLine(testSecret)}\n`);
    // Two sessions for all requests: each of them serves many clients in turn.
    await writeFile(
      join(folder, 'pgbouncer.ini'),
      [
        '[databases]',
        `* = host=${hostname} port=${port}`,
        '[pgbouncer]',
        'pool_mode = transaction',
        `listen_addr = 127.0.0.1`,
        `listen_port = ${listenPort}`,
        'unix_socket_dir =',
        'auth_type = scram-sha-256',
        `auth_file = ${folder}/userlist.txt`,
        'default_pool_size = 2',
        'max_client_conn = 200',
      ].join('\n'),
    );
    // It does not run as root.
    const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
    bouncer = spawn(program ?? '', [...user, join(folder, 'pgbouncer.ini')], { stdio: 'ignore' });
    const url = new URL(test.serverUrl);
    url.host = `127.0.0.1:${listenPort}`;
    url.pathname = pathname;
    pooledUrl = url.href;
    database = openDatabase({
      url: pooledUrl,
      sessionUrl: test.serverUrl,
      waitMsMax: 45_000,
      onError: () => undefined,
    });
    await vi.waitUntil(
      () =>
        database.ping().then(
          () => true,
          () => false,
        ),
      { timeout: 30_000 },
    );
    exchanges = await startExchanges();
  });
  afterAll(async () => {
    await node?.close();
    await exchanges.close();
    await database.close();
    bouncer.kill();
    await rm(folder, { recursive: true, force: true });
    await test.drop();
  });

  it('gives each of many transactions its own role, user and limits, and leaves none of them behind', async () => {
    const users = await Promise.all(Array.from({ length: 6 }, () => test.addUser()));
    const seen = await Promise.all(
      Array.from({ length: 60 }, async (_, at) => {
        const userId = users[at % users.length] ?? '';
        const { rows } = await withUser(database.db, userId, (tx) =>
          sql<{ role: string; id: string; rows: number; limit: string; pid: number }>`
            select current_user as role, current_setting('app.user_id') as id, (select count(*)::int from preferences) as rows,
              current_setting('statement_timeout') as limit, pg_backend_pid() as pid`.execute(tx),
        );
        return { ...rows[0], isOwn: rows[0]?.id === userId };
      }),
    );
    for (const each of seen) expect(each).toMatchObject({ role: 'app_user', isOwn: true, rows: 1, limit: '10s' });
    expect(new Set(seen.map(({ pid }) => pid)).size).toBeLessThanOrEqual(2);
    const other = new pg.Client({ connectionString: pooledUrl });
    await other.connect();
    const { rows } = await other.query(
      `select current_user as role, coalesce(current_setting('app.user_id', true), '') as id, current_setting('statement_timeout') as limit`,
    );
    await other.end();
    expect(rows).toEqual([{ role: 'sextant_server', id: '', limit: '0' }]);
  });

  it('carries notices, which listen on a session of their own', async () => {
    const userId = await test.addUser();
    const bus = createPostgresBus({ newClient: database.newClient, notices: eventNotices });
    const hub = createEventHub({ buses: [bus] });
    const topics: string[] = [];
    hub.start();
    try {
      const stop = hub.onTopic((topic, ofUser) => {
        if (ofUser === userId) topics.push(topic);
      });
      await vi.waitUntil(
        async () => {
          await withSystem(database.db, (tx) => notifyUser(tx, userId, 'credits', {}));
          return topics.length > 0;
        },
        { timeout: 30_000, interval: 200 },
      );
      stop();
    } finally {
      hub.close();
      await bus.close();
    }
    expect(topics[0]).toBe('credits');
  });

  it('serves a whole node: sign-up, leases, a scan through the queue', { timeout: 180_000 }, async () => {
    node = await createKillableNode({
      DATABASE_URL: pooledUrl,
      DATABASE_SESSION_URL: test.serverUrl,
      EXCHANGES_URL: exchanges.url,
    });
    await node.start();
    const json = { 'content-type': 'application/json' };
    const { url } = node;
    const signUp = await fetch(`${url}/api/auth/signup`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ email: 'pooled@example.com', password: 'correct horse battery' }),
    });
    expect(signUp.status, await signUp.clone().text()).toBeLessThan(300);
    const cookie = signUp.headers
      .getSetCookie()
      .map((line) => line.split(';', 1)[0])
      .join('; ');
    const headers = { ...json, cookie, origin: url };
    const body = JSON.stringify({ symbols: ['BTCUSDT', 'ETHUSDT'], intervals: ['1h'] });
    const sent = (await (await fetch(`${url}/api/scan`, { method: 'POST', headers, body })).json()) as {
      scan_id: string;
    };
    const state = async () =>
      ((await (await fetch(`${url}/api/scan/${sent.scan_id}`, { headers })).json()) as { scan: { status: string } })
        .scan.status;
    await vi.waitUntil(async () => !['queued', 'running'].includes(await state()), { timeout: 120_000, interval: 250 });
    expect(await state()).toBe('done');
    const [leases] = await test.asOwner<{ count: number }>(
      'select count(*)::int as count from leaderships where expires_at > clock_timestamp()',
    );
    expect(leases?.count).toBeGreaterThan(0);
  });
});
