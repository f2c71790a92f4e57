import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { strategyVersion } from '@sextant/workers/src/protocol/wire/strategy.ts';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { rowOf } from '../../../../db/test/support/userRows.ts';
import { isLeaving } from '../../../src/platform/auth/leaving.ts';
import { insertScan as insertArbitrage } from '../../../src/features/arbitrage/scanRepository.ts';
import { capture, hold, type PaidReason } from '../../../src/features/credits/ledger.ts';
import { attemptDelivery } from '../../../src/features/notifications/deliver.ts';
import { dispatchQueued } from '../../../src/features/notifications/dispatch.ts';
import { queueForWebhooks, queueNotification } from '../../../src/features/notifications/queueNotification.ts';
import { insertPosition } from '../../../src/features/positions/eventWriter.ts';
import { openReversals } from '../../../src/features/positions/openReversals.ts';
import { queueScan } from '../../../src/features/scan/startScan.ts';
import { ScanBody } from '../../../src/features/scan/contract.ts';
import { insertAnalysis } from '../../../src/features/vision/visionRepository.ts';
import { type SystemTx, withSystem } from '../../../src/platform/db/scope.ts';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import type { TestUser } from '../../support/createTestApp.ts';
import { type EventReader, listenOn, readEvents } from '../../support/readEvents.ts';
import { createNode, type MadeKey, makeKey } from '../apiKeys/support.ts';
import { order } from '../backtest/search/searchHarness.ts';
import { newPosition } from '../positions/support/positions.ts';
import { scanParams } from '../../support/scanParams.ts';

/** Keys, streams, messages, scans and openings of an account stop on every node when its deletion is requested. */
let test: MarketApp;
let origin: string;
beforeAll(async () => {
  test = await createMarketApp();
  origin = await listenOn(test.app);
});
afterAll(async () => {
  test.app.server.closeAllConnections();
  await test.close();
});

let anna: TestUser;
let bert: TestUser;
beforeEach(async () => {
  [anna, bert] = [await test.signUp(), await test.signUp()];
});

const requestDeletion = async (user: TestUser) => {
  const payload = { email: user.email };
  const url = '/api/account/deletion';
  const response = await test.app.inject({ method: 'POST', url, headers: user.bearer, payload });
  expect(response.statusCode).toBe(200);
};
/** Signs in again, as the owner does to cancel the deletion. */
async function signInAgain(user: TestUser): Promise<{ authorization: string }> {
  const outcome = await test.deps.auth.signIn(user.email, user.password, { ip: '127.0.0.1', userAgent: undefined });
  if (!outcome.ok || !('token' in outcome.value)) throw new Error('not signed in');
  return { authorization: `Bearer ${outcome.value.token}` };
}
const read = (headers: MadeKey['header'], app = test.app) => app.inject({ url: '/api/account/whoami', headers });
const allScopes = { scopes: ['read:market', 'read:signals', 'read:account', 'run:signals'] };
const rowsOf = (table: string, user: TestUser, where = 'true') =>
  test.database.asOwner<Record<string, unknown>>(`select * from ${table} where user_id = $1 and ${where}`, [user.id]);

describe('an account whose deletion was requested', () => {
  it('has no working key on any node from that moment on, cached or not: reads, paid scans, test keys', async () => {
    const [live, test_, other] = [
      await makeKey(test, anna, allScopes),
      await makeKey(test, anna, { mode: 'test' }),
      await makeKey(test, bert, allScopes),
    ];
    const node = await createNode(test, Date.now);
    try {
      for (const app of [test.app, node.app])
        for (const key of [live, test_, other]) expect((await read(key.header, app)).statusCode).toBe(200);
      await requestDeletion(anna);
      expect((await read(live.header)).statusCode).toBe(401);
      // The revocation notice reaches the other node through the database; its cache would have accepted the key for 4.5 s more.
      await expect.poll(async () => (await read(live.header, node.app)).statusCode, { timeout: 2500 }).toBe(401);
      for (const app of [test.app, node.app]) {
        expect((await read(test_.header, app)).statusCode).toBe(401);
        const scan = { method: 'POST', url: '/api/scan', headers: live.header, payload: {} } as const;
        expect((await app.inject(scan)).statusCode).toBe(401);
        expect((await read(other.header, app)).statusCode, 'of another user').toBe(200);
      }
      expect(await rowsOf('credit_ledger', anna, `kind = 'hold'`)).toEqual([]);
    } finally {
      await node.close();
    }
  });

  it('creates no key until the deletion is cancelled, and cancelling restores no key', async () => {
    const key = await makeKey(test, anna);
    await requestDeletion(anna);
    const back = await signInAgain(anna);
    const make = () =>
      test.app.inject({ method: 'POST', url: '/api/account/api-keys', headers: back, payload: { name: 'New' } });
    expect((await make()).json()).toMatchObject({
      status: 409,
      message: 'Your account is being deleted. Cancel the deletion to create a key.',
    });
    await test.app.inject({ method: 'DELETE', url: '/api/account/deletion', headers: back });
    expect((await read(key.header)).statusCode).toBe(401);
    expect((await make()).statusCode).toBe(200);
  });

  it('has no open stream and no open page: SSE, WebSocket and events end at once', async () => {
    const key = await makeKey(test, anna, allScopes);
    const others = await makeKey(test, bert, allScopes);
    const streamUrl = `${origin}/api/stream?symbols=BTCUSDT`;
    const stream = await readEvents(streamUrl, key.header);
    const page = await readEvents(`${origin}/api/events`, anna.bearer);
    const foreign = await readEvents(streamUrl, others.header);
    const socket = new WebSocket(streamUrl.replace('http', 'ws'), { headers: key.header });
    await once(socket, 'message');
    await expect.poll(() => [stream, page].map(({ events }) => events.length > 0)).toEqual([true, true]);
    const closed = once(socket, 'close');
    await requestDeletion(anna);
    const isEnded = (reader: EventReader) => reader.isEnded();
    await expect.poll(() => [stream, page].map(isEnded), { timeout: 10_000 }).toEqual([true, true]);
    await closed;
    expect(stream.events.at(-1)).toMatchObject({ event: 'end', data: { reason: 'key_ended' } });
    expect(foreign.isEnded()).toBe(false);
    foreign.close();
  });

  it('has no tools for an agent', async () => {
    const key = await makeKey(test, anna, allScopes);
    const headers = {
      ...key.header,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const request = async (method: string, params: object) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const response = await fetch(`${origin}/mcp`, { method: 'POST', headers, body });
      return { status: response.status, text: await response.text() };
    };
    const account = { name: 'get_account', arguments: {} };
    expect((await request('tools/list', {})).status).toBe(200);
    await requestDeletion(anna);
    expect((await request('tools/list', {})).status).toBe(401);
    const called = await request('tools/call', account);
    expect(called.text).not.toContain(anna.id);
  });

  it('sends no message: queued messages are dropped, waiting retries end, later events are not queued', async () => {
    const events = ['signal.created', 'position.closed'];
    for (const user of [anna, bert]) {
      await test.database.asOwner(
        `insert into webhooks (user_id, url, events, payload, secret_hint) values ($1, 'https://example.com/hook', $2, '{}', 'abcd')`,
        [user.id, events],
      );
      await test.database.asOwner(rowOf['notifications']!(user.id));
      await test.database.asOwner('update notifications set dispatched_at = now() where user_id = $1', [user.id]);
      await test.database.asOwner(rowOf['notification_deliveries']!(user.id));
      await test.database.asOwner(
        `insert into telegram_links (user_id, code_hash, expires_at) values ($1::uuid, left(md5($1::text) || md5('x'), 43), now() + interval '1 hour')`,
        [user.id],
      );
    }
    const credits = { ref: 'c', credits: 1, level: 5 };
    const queueAll = (user: TestUser, key: string) =>
      withSystem(test.deps.db, async (tx) => {
        await queueNotification(tx, user.id, 'scan_finished', { scan_id: key, result_count: 0, best: null });
        await queueForWebhooks(tx, user.id, 'signal_created', [{ ...credits, signal_id: key } as never]);
      });
    for (const user of [anna, bert]) await queueAll(user, 'before');
    await requestDeletion(anna);
    for (const user of [anna, bert]) await queueAll(user, 'after');
    expect(await rowsOf('notifications', anna, 'dispatched_at is null')).toEqual([]);
    expect(await rowsOf('notification_deliveries', anna, `state = 'waiting'`)).toEqual([]);
    expect(await rowsOf('telegram_links', anna)).toEqual([]);
    const retained = await rowsOf('notifications', bert, 'dispatched_at is null');
    expect(retained.length).toBeGreaterThanOrEqual(2);
    expect(await rowsOf('notification_deliveries', bert, `state = 'waiting'`)).toHaveLength(1);
    expect(await rowsOf('telegram_links', bert)).toHaveLength(1);
    await dispatchQueued(test.deps.notifications);
    expect(await rowsOf('notification_deliveries', anna, `state = 'waiting'`)).toEqual([]);
  });

  it('runs no scan and no search, and gets its credit back', async () => {
    const scan = { method: 'POST', url: '/api/scan', payload: {} } as const;
    for (const user of [anna, bert]) {
      expect((await test.app.inject({ ...scan, headers: user.bearer })).statusCode).toBe(202);
      expect((await order(test, user, { samples: 30_000, seed: 1, refine: false })).statusCode).toBeLessThan(300);
    }
    const [before] = await rowsOf('balances', anna);
    await requestDeletion(anna);
    expect(await rowsOf('scans', anna)).toMatchObject([{ status: 'cancelled' }]);
    expect(await rowsOf('backtest_searches', anna)).toMatchObject([{ status: 'cancelled' }]);
    expect(await rowsOf('balances', anna)).toMatchObject([{ credits: Number(before?.['credits']) + 1 }]);
    expect(await rowsOf('scans', bert)).toMatchObject([{ status: 'queued' }]);
    expect(await rowsOf('backtest_searches', bert)).toMatchObject([{ status: 'queued' }]);
  });

  it('opens no position: the other side of a reversal stays out', async () => {
    for (const user of [anna, bert]) {
      await test.database.asOwner(rowOf['positions']!(user.id));
      await test.database.asOwner(
        `update positions set closed_at = now(), close_price = 103, close_reason = 'SIGNAL', strategy_name = 'Own',
           strategy_version = repeat('a', 64), strategy = '{"onOpposite":"reverse"}'
         where user_id = $1`,
        [user.id],
      );
    }
    await requestDeletion(anna);
    const requested: string[] = [];
    const signals = {
      signalAt: (row: { user_id: string }) => {
        requested.push(row.user_id);
        return Promise.resolve(null);
      },
    };
    await openReversals(test.deps, signals as never);
    expect(requested).not.toContain(anna.id);
  });

  it('opens no reversal whose signal was computed while the deletion was requested', async () => {
    for (const user of [anna, bert]) {
      const payload = { balance_usdt: 100_000, min_auto_conf_pct: 0 };
      await test.app.inject({ method: 'PUT', url: '/api/preferences', headers: user.bearer, payload });
      const value = { ...liveRules(['1h']), onOpposite: 'reverse' as const, holdingBarsMax: 5 };
      const strategy = { name: 'Turn', version: strategyVersion(value), value };
      const id = await withSystem(test.deps.db, (tx) =>
        insertPosition(tx, newPosition(user.id, { strategy, openedAtMs: Date.now() - 7_200_000 })),
      );
      await test.database.asOwner(
        `update positions set closed_at = now(), close_price = 100, close_reason = 'SIGNAL', exit_due_at = now(),
           exit_due_reason = 'SIGNAL' where id = $1`,
        [id],
      );
    }
    let isRequested = false;
    const signalAt = async () => {
      if (!isRequested) await requestDeletion(anna);
      isRequested = true;
      const url = '/api/price/batch?symbols=BTCUSDT';
      const { prices } = (await test.app.inject({ url, headers: bert.bearer })).json<{ prices: { price: number }[] }>();
      return { direction: 'SHORT', rawConfidence: 0.7, price: prices[0]!.price, atr: 120 };
    };
    expect(await openReversals(test.deps, { signalAt } as never)).toBe(1);
    expect(await rowsOf('positions', anna, 'closed_at is null')).toEqual([]);
    expect(await rowsOf('positions', bert, 'closed_at is null')).toHaveLength(1);
  });

  it('ends chart analyses and arbitrage scans under way, and gets their credits back', async () => {
    const start = async (
      user: TestUser,
      reason: PaidReason,
      store: (tx: SystemTx, id: string, holdId: string) => unknown,
    ) => {
      const id = randomUUID();
      return withSystem(test.deps.db, async (tx) => {
        const held = await hold(tx, { userId: user.id, credits: 1, reason, ref: id, key: id, expiresInS: 60 });
        await store(tx, id, held.id);
        return held.id;
      });
    };
    const credits = async (user: TestUser) => (await rowsOf('balances', user))[0]?.['credits'];
    const before = await credits(anna);
    const holds: string[] = [];
    for (const user of [anna, bert]) {
      const scan = { userId: user.id, params: {} as never, steps: 1 };
      holds.push(
        await start(user, 'arbitrage', (tx, id, holdId) => insertArbitrage(tx, { ...scan, id, holdId })),
        await start(user, 'vision', (tx, id, holdId) => insertAnalysis(tx, { id, userId: user.id, holdId })),
      );
    }
    await requestDeletion(anna);
    expect(await credits(anna)).toBe(before);
    expect(await credits(bert)).toBe(Number(before) - 2);
    for (const table of ['arbitrage_scans', 'vision_analyses']) {
      expect(await rowsOf(table, anna)).toMatchObject([{ status: 'failed', finished_at: expect.any(Date) as Date }]);
      expect(await rowsOf(table, bert)).toMatchObject([{ status: 'running' }]);
    }
    // Their work ends afterwards and cannot take the credits.
    const states = await withSystem(test.deps.db, async (tx) => {
      const matches: string[] = [];
      for (const id of holds.slice(0, 2)) matches.push((await capture(tx, id)).state);
      return matches;
    });
    expect(states).toEqual(['released', 'released']);
  });

  it('ends a scan that was being queued when the deletion was requested', async () => {
    const params = await scanParams(test.deps, anna.id, ScanBody.parse({}));
    const isQueueing = Promise.withResolvers<undefined>();
    const deletion = isQueueing.promise.then(() => requestDeletion(anna));
    await withSystem(test.deps.db, async (tx) => {
      expect(await isLeaving(tx, anna.id)).toBe(false);
      isQueueing.resolve(undefined);
      await pause(500);
      await queueScan(tx, test.deps.jobs, { userId: anna.id, params });
    });
    await deletion;
    expect(await rowsOf('scans', anna)).toMatchObject([{ status: 'cancelled' }]);
    const later = withSystem(test.deps.db, (tx) => queueScan(tx, test.deps.jobs, { userId: anna.id, params }));
    await expect(later).rejects.toThrow('Your account is being deleted. Cancel the deletion to spend credits.');
  });

  it('gets no message that was queued or prepared while the deletion was requested', async () => {
    for (const user of [anna, bert])
      await test.database.asOwner(
        `insert into webhooks (user_id, url, events, payload, secret_hint) values ($1, 'https://example.com/hook', '{credits.low}', '{}', 'abcd')`,
        [user.id],
      );
    await requestDeletion(anna);
    for (const user of [anna, bert])
      await test.database.asOwner(
        `insert into notifications (user_id, kind, key, payload) values ($1, 'credits_low', 'late', '{"credits": 1}')`,
        [user.id],
      );
    await dispatchQueued(test.deps.notifications);
    expect(await rowsOf('notifications', anna, 'dispatched_at is null')).toEqual([]);
    expect(await rowsOf('notification_deliveries', anna)).toEqual([]);
    expect(await rowsOf('notification_deliveries', bert)).toHaveLength(1);
    const [late] = await test.database.asOwner<{ id: string }>(
      `insert into notification_deliveries (notification_id, user_id, channel, webhook_id, sequence)
       select n.id, n.user_id, 'endpoint', w.id, 1 from notifications n join webhooks w using (user_id) where user_id = $1 returning id`,
      [anna.id],
    );
    await attemptDelivery(test.deps.notifications, late!.id, 0);
    expect(await rowsOf('notification_deliveries', anna)).toMatchObject([
      { state: 'failed', failure: 'The account is being deleted.' },
    ]);
  });
});
