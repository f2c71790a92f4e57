// Long because its cases share one app and its outside services: a start of them costs more than the cases.
import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeMail, startMail } from '../../../fakes/mail/server.ts';
import { fakeBot, startTelegram, type TelegramFake } from '../../../fakes/telegram/server.ts';
import { startWebhookReceiver, type WebhookFake } from '../../../fakes/webhook/server.ts';
import { startAlertWatch } from '../../../src/features/alerts/watch/startAlertWatch.ts';
import { attemptDelivery, type DeliverDeps } from '../../../src/features/notifications/deliver.ts';
import { dispatchQueued } from '../../../src/features/notifications/dispatch.ts';
import { EMAILS_AN_HOUR } from '../../../src/features/notifications/postSlots.ts';
import { queueNotification } from '../../../src/features/notifications/queueNotification.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import type { Jobs } from '../../../src/platform/jobs/jobs.ts';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import type { TestUser } from '../../support/createTestApp.ts';
import { silentNews, until } from '../positions/support/positions.ts';
import { ScriptedMarket, simulated } from '../positions/support/scriptedMarket.ts';

let test: MarketApp;
let mail: FakeMail;
let telegram: TelegramFake;
let webhooks: WebhookFake;
let anna: TestUser;
let bert: TestUser;
beforeAll(async () => {
  [mail, telegram, webhooks] = await Promise.all([startMail(), startTelegram(), startWebhookReceiver()]);
  test = await createMarketApp({
    env: {
      SMTP_URL: mail.smtpUrl,
      TELEGRAM_BOT_TOKEN: fakeBot.token,
      TELEGRAM_API_URL: telegram.url,
      TELEGRAM_LINK_URL: telegram.url,
      WEBHOOK_RECEIVER_URL: webhooks.origin,
    },
  });
  anna = await test.signUp();
  bert = await test.signUp();
});
afterAll(async () => {
  await test.close();
  await Promise.all([mail.close(), telegram.close(), webhooks.close()]);
});

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT';
const call = (user: TestUser, method: Method, url: string, payload?: object) =>
  test.app.inject({ method, url, headers: user.bearer, ...(payload && { payload }) });

const btc = { kind: 'price', symbol: 'BTCUSDT', when: 'cross', level: 70_000 };
const set = async (user: TestUser, body: object): Promise<string> => {
  const response = await call(user, 'POST', '/api/alerts', body);
  expect(response.statusCode, response.body).toBe(200);
  return response.json<{ alert: { id: string } }>().alert.id;
};

interface Subscription {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}
const newBrowser = async (): Promise<Subscription> =>
  (
    await fetch(`${webhooks.origin}/push/__control/browsers`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
  ).json() as Promise<Subscription>;

describe('setting alerts', () => {
  it('DESK-081 lists, changes, pauses and deletes them, in words', async () => {
    const id = await set(anna, { condition: btc, note: 'the round one', repeats: true, pause_minutes: 5 });
    const changed = await call(anna, 'PATCH', `/api/alerts/${id}`, {
      condition: { ...btc, when: 'above', level: 71_000 },
      state: 'paused',
    });
    expect(changed.json()).toMatchObject({
      alert: { text: 'BTCUSDT is at or above 71,000', state: 'paused', pause_minutes: 5, note: 'the round one' },
    });
    const list = (await call(anna, 'GET', '/api/alerts')).json<{ alerts: { id: string }[]; count_max: number }>();
    expect(list.alerts.map((alert) => alert.id)).toEqual([id]);
    expect((await call(anna, 'DELETE', `/api/alerts/${id}`)).json()).toMatchObject({ alerts: [] });
    expect((await call(anna, 'DELETE', `/api/alerts/${id}`)).statusCode).toBe(404);
  });

  it('DESK-273 a new note leaves a paused alert paused, and an active one where it was', async () => {
    const id = await set(anna, { condition: btc });
    const startOf = () => test.database.asOwner(`select since_ms, side from alerts where id = $1`, [id]);
    const before = await startOf();
    const active = await call(anna, 'PATCH', `/api/alerts/${id}`, { condition: btc, note: 'one' });
    expect(active.json()).toMatchObject({ alert: { state: 'active', note: 'one' } });
    expect(await startOf()).toEqual(before);
    await call(anna, 'PATCH', `/api/alerts/${id}`, { state: 'paused' });
    const noted = await call(anna, 'PATCH', `/api/alerts/${id}`, { condition: btc, note: 'two' });
    expect(noted.json()).toMatchObject({ alert: { state: 'paused', note: 'two' } });
    await call(anna, 'DELETE', `/api/alerts/${id}`);
  });

  it('HIST-120 one whose contract has ended is not activated again', async () => {
    const id = await set(anna, { condition: btc });
    await test.database.asOwner(
      `update alerts set state = 'stopped', condition = jsonb_set(condition, '{symbol}', '"GONEUSDT"') where id = $1`,
      [id],
    );
    const activated = await call(anna, 'PATCH', `/api/alerts/${id}`, { state: 'active' });
    expect(activated.json()).toMatchObject({ code: 'symbol_unknown', field: 'condition.symbol' });
    // Another symbol activates it.
    const changed = await call(anna, 'PATCH', `/api/alerts/${id}`, { condition: btc, state: 'active' });
    expect(changed.json()).toMatchObject({ alert: { state: 'active', state_reason: null } });
    await call(anna, 'DELETE', `/api/alerts/${id}`);
  });

  it.each([
    ['condition.symbol', { condition: { ...btc, symbol: 'NOSUCHUSDT' } }, 'is not traded'],
    ['condition.level', { condition: { ...btc, level: 0 } }, 'above 0'],
    [
      'condition.indicator',
      {
        condition: {
          kind: 'indicator',
          symbol: 'BTCUSDT',
          interval: '1h',
          indicator: 'nope',
          output: 'x',
          when: 'above',
          level: 1,
        },
      },
      'must be one of',
    ],
    [
      'condition.indicator',
      {
        condition: {
          kind: 'indicator',
          symbol: 'BTCUSDT',
          interval: '1h',
          indicator: 'obv',
          output: 'obv',
          when: 'above',
          level: 1,
        },
      },
      'has no fixed level',
    ],
    [
      'condition.output',
      {
        condition: {
          kind: 'indicator',
          symbol: 'BTCUSDT',
          interval: '1h',
          indicator: 'rsi',
          output: 'x',
          when: 'above',
          level: 1,
        },
      },
      'output must be rsi.',
    ],
    [
      'condition.params.period',
      {
        condition: {
          kind: 'indicator',
          symbol: 'BTCUSDT',
          interval: '1h',
          indicator: 'rsi',
          params: { period: 0 },
          output: 'rsi',
          when: 'above',
          level: 1,
        },
      },
      'period',
    ],
    [
      'condition.expression',
      { condition: { kind: 'formula', symbol: 'BTCUSDT', interval: '1h', expression: 'rsi(14) <' } },
      'column',
    ],
    [
      'condition.expression',
      { condition: { kind: 'formula', symbol: 'BTCUSDT', interval: '1m', expression: 'close > ema(1000)' } },
      'use shorter periods, for at most 3000 candles',
    ],
    [
      'condition.sell',
      { condition: { kind: 'spread', symbol: 'BTCUSDT', buy: 'okx', sell: 'okx', net_pct: 0.1 } },
      'another exchange',
    ],
    [
      'condition.position_id',
      { condition: { kind: 'liquidation', position_id: crypto.randomUUID(), distance_pct: 5 } },
      'open position',
    ],
    [
      'condition.strategy_id',
      {
        condition: {
          kind: 'signal',
          symbol: 'BTCUSDT',
          interval: '1h',
          direction: 'any',
          strategy_id: crypto.randomUUID(),
        },
      },
      'saved strategy',
    ],
    ['expires_at', { condition: btc, expires_at: '2020-01-01T00:00:00Z' }, 'in the future'],
    ['channels', { condition: btc, channels: [] }, 'at least one'],
    ['channels', { condition: btc, channels: ['telegram'] }, 'Link Telegram in Account, Notifications first.'],
    ['channels', { condition: btc, channels: ['page', 'push'] }, 'Allow notifications in this browser first.'],
  ])('DESK-081 rejects a wrong %s with the fix', async (field, body, fix) => {
    const response = await call(anna, 'POST', '/api/alerts', body);
    expect([400, 404]).toContain(response.statusCode);
    expect(response.body).toContain(fix);
    expect(response.body).toContain(field);
  });

  it('DESK-082 only the owner reads, changes or deletes an alert or its receipts', async () => {
    const id = await set(anna, { condition: btc });
    for (const [method, url, body] of [
      ['PATCH', `/api/alerts/${id}`, { state: 'paused' }],
      ['DELETE', `/api/alerts/${id}`, undefined],
      ['GET', `/api/alerts/${id}/receipts`, undefined],
      ['POST', `/api/alerts/${id}/receipts/${crypto.randomUUID()}/shown`, undefined],
    ] as const)
      expect((await call(bert, method, url, body)).statusCode, url).toBe(404);
    expect((await call(bert, 'GET', '/api/alerts')).json()).toMatchObject({ alerts: [] });
    expect((await call(anna, 'GET', '/api/alerts')).json()).toMatchObject({ alerts: [{ id, state: 'active' }] });
    await call(anna, 'DELETE', `/api/alerts/${id}`);
  });
});

describe('browsers', () => {
  it('DESK-083 only public https addresses are taken, and another account takes over its browser', async () => {
    const browser = await newBrowser();
    for (const endpoint of ['https://127.0.0.1/push', 'http://push.example.com/x', 'https://[::1]/x']) {
      const response = await call(anna, 'POST', '/api/push/subscriptions', { ...browser, endpoint, label: 'x' });
      expect(response.statusCode, endpoint).toBe(400);
      expect(response.body).toContain('endpoint');
    }
    const wrongKey = { ...browser, keys: { ...browser.keys, p256dh: 'AAAA' }, label: 'x' };
    expect((await call(anna, 'POST', '/api/push/subscriptions', wrongKey)).body).toContain('P-256');
    const named = { ...browser, label: 'Chrome on Linux' };
    expect((await call(anna, 'POST', '/api/push/subscriptions', named)).json()).toMatchObject({
      subscriptions: [{ label: 'Chrome on Linux', endpoint: browser.endpoint }],
    });
    await call(bert, 'POST', '/api/push/subscriptions', named);
    expect((await call(anna, 'GET', '/api/push/subscriptions')).json()).toMatchObject({ subscriptions: [] });
    const removed = await call(bert, 'DELETE', '/api/push/subscriptions', { endpoint: browser.endpoint });
    expect(removed.json()).toMatchObject({ subscriptions: [] });
  });

  it('DESK-083 the keys of the installation are made once and stored sealed', async () => {
    const keys = await test.deps.notifications.pushKeys();
    const [row] = await test.database.asOwner<{ public_key: string; sealed: string }>('select * from push_keys');
    expect(row?.public_key).toBe(keys.publicKey);
    expect(row?.sealed).not.toContain(keys.privateKey);
    expect((await call(anna, 'GET', '/api/push/subscriptions')).json()).toMatchObject({ public_key: keys.publicKey });
  });
});

/** Evaluates the alerts of this database at a price until something holds. */
async function fireAt(price: number, holds: () => Promise<boolean>): Promise<void> {
  const market = Object.assign(new ScriptedMarket(), { readTop: () => null });
  const { module } = await loadModule();
  const watching = startAlertWatch({
    db: test.database.db,
    market,
    config: simulated,
    newClient: test.database.newClient,
    newEngine: () => instantiate(module),
    newsVotes: silentNews,
    warn: () => undefined,
    onError: () => undefined,
  });
  await watching.attempted;
  await until('the receipt', () => {
    market.tick('BTCUSDT', price, Date.now() + 1000);
    return holds();
  });
  await watching.close();
}

/** Makes every queued delivery and attempts them, in turn. @param attemptsMax for deliveries that are delayed again and again */
async function deliverAll(attemptsMax = 50): Promise<void> {
  const queue: { deliveryId: string; attempt: number }[] = [];
  const jobs: Jobs = {
    ...test.deps.jobs,
    send: (_tx, _queue, _id, data) => {
      queue.push(data as { deliveryId: string; attempt: number });
      return Promise.resolve();
    },
    sendAll: (_tx, _queue, sent) => {
      for (const { data } of sent) queue.push(data as { deliveryId: string; attempt: number });
      return Promise.resolve();
    },
  };
  const deps: DeliverDeps = { ...test.deps.notifications, jobs };
  while ((await dispatchQueued({ db: deps.db, jobs })) > 0);
  for (let i = 0; i < attemptsMax; i++) {
    const job = queue.shift();
    if (job === undefined) return;
    await attemptDelivery(deps, job.deliveryId, job.attempt);
  }
}

describe('delivery', () => {
  it('DESK-084 a firing reaches every channel, and its receipt says when', async () => {
    const carla = await test.signUp();
    const browser = await newBrowser();
    const gone = await newBrowser();
    for (const each of [browser, gone])
      await call(carla, 'POST', '/api/push/subscriptions', { ...each, label: 'Chrome on Linux' });
    await fetch(gone.endpoint, { method: 'DELETE' });
    const hook = `${webhooks.origin}/hook/${crypto.randomUUID()}`;
    expect((await call(carla, 'PUT', '/api/notifications/webhook', { url: hook })).statusCode).toBe(200);
    await test.database.asOwner(
      `insert into notification_targets (user_id, channel, address, label) values ($1, 'telegram', '4711', '@carla')`,
      [carla.id],
    );
    const channels = ['page', 'push', 'email', 'telegram', 'webhook'];
    const id = await set(carla, { condition: { ...btc, when: 'above', level: 5 }, channels, note: 'Sell half' });

    type Receipts = {
      receipts: {
        id: string;
        shown_at: string | null;
        deliveries: { channel: string; state: string; at: string | null }[];
      }[];
    };
    const receipts = async () => (await call(carla, 'GET', `/api/alerts/${id}/receipts`)).json<Receipts>().receipts;
    await fireAt(6, async () => (await receipts()).length === 1);
    await deliverAll();

    const [receipt] = await receipts();
    const states = receipt?.deliveries.map(({ channel, state }) => `${channel} ${state}`).sort();
    expect(states).toEqual(['email sent', 'page waiting', 'push failed', 'push sent', 'telegram sent', 'webhook sent']);
    for (const { state, at } of receipt?.deliveries ?? []) if (state === 'sent') expect(at).not.toBeNull();

    const { received } = (await (await fetch(`${webhooks.origin}/push/__control/received`)).json()) as {
      received: { endpoint: string; text: string; claims: { aud: string } }[];
    };
    const push = received.find(({ endpoint }) => endpoint === browser.endpoint);
    expect(JSON.parse(push?.text ?? '{}')).toMatchObject({
      title: 'Alert: BTCUSDT is at or above 5, now 6',
      body: 'Sell half',
      tag: receipt?.id,
      url: '/?tab=dashboard&page=alerts',
    });
    // The browser that ended its subscription is not tried again.
    expect((await call(carla, 'GET', '/api/push/subscriptions')).json()).toMatchObject({
      subscriptions: [{ endpoint: browser.endpoint }],
    });
    const posted = webhooks.received.find(({ path }) => hook.endsWith(path));
    expect(JSON.parse(posted?.body ?? '{}')).toMatchObject({
      type: 'alert.fired',
      data: { receipt_id: receipt?.id, condition: 'BTCUSDT is at or above 5', value: '6', note: 'Sell half' },
    });

    const shown = await call(carla, 'POST', `/api/alerts/${id}/receipts/${receipt?.id}/shown`);
    const first = shown.json<{ receipt: { shown_at: string } }>().receipt.shown_at;
    const again = await call(carla, 'POST', `/api/alerts/${id}/receipts/${receipt?.id}/shown`);
    expect(again.json<{ receipt: { shown_at: string } }>().receipt.shown_at).toBe(first);
  });

  it('DESK-084 emails of alerts beyond the limit of an hour wait', async () => {
    const dora = await test.signUp();
    const count = EMAILS_AN_HOUR + 2;
    await withSystem(test.deps.db, async (tx) => {
      for (let i = 0; i < count; i++)
        await queueNotification(tx, dora.id, 'alert_fired', {
          receipt_id: crypto.randomUUID(),
          alert_id: crypto.randomUUID(),
          condition: 'BTCUSDT crosses 5',
          value: '5',
          note: null,
          exchange_at: new Date().toISOString(),
          is_late: false,
          channels: ['email'],
        });
    });
    await deliverAll(EMAILS_AN_HOUR + 20);
    const states = await test.database.asOwner<{ state: string; count: number }>(
      'select state, count(*)::int as count from notification_deliveries where user_id = $1 group by state order by state',
      [dora.id],
    );
    expect(states).toEqual([
      { state: 'sent', count: EMAILS_AN_HOUR },
      { state: 'waiting', count: 2 },
    ]);
  });
});
