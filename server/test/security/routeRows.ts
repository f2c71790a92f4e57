// Long because it is one table: a row for each route.
import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { rowOf } from '../../../db/test/support/userRows.ts';
import { png } from '../features/profile/pictures.ts';
import type { TestApp, TestUser } from '../support/createTestApp.ts';

/** Who may call a route, and an accepted request. */
export interface RouteRow {
  /** `public`: anyone. `user`: a signed-in user, who sees only their own data. */
  access: 'public' | 'user';
  /** A valid request; `path` fills parameters and the query. Left out when the plain path is valid. */
  request?: { path?: string; payload?: Record<string, unknown>; headers?: Record<string, string> };
  /** Why the route is not called as its owner: its response never ends, or it would end the caller's account. */
  ownerIsNotCalled?: string;
  /** Status an owner gets for `request`, when it is not 200. */
  ownerStatus?: number;
  /**
   * For a route that names one thing: creates it for its owner and returns the path. Another user must get 404, as if it did not
   * exist. Every route with a path parameter needs this, or states in `publicName` why not.
   */
  foreign?: (test: TestApp, owner: TestUser) => Promise<string>;
  /** What the path parameter names, when it belongs to no single user. */
  publicName?: string;
}

/** An id without an object. */
const nobodys = '00000000-0000-4000-8000-000000000000';
const strategy = { payload: { symbol: 'BTCUSDT', interval: '1h', limit: 200 } };

/** A picture of the owner, uploaded at the first call. */
async function storedPicture(test: TestApp, owner: TestUser): Promise<{ id: string; path: string }> {
  const stored = () =>
    test.database.asOwner<{ id: string; path: string }>('select id, path from stored_files where user_id = $1', [
      owner.id,
    ]);
  if ((await stored()).length === 0) {
    const headers = { ...owner.bearer, 'content-type': 'image/png' };
    await test.app.inject({ method: 'PUT', url: '/api/profile/avatar', headers, payload: await png() });
  }
  const [picture] = await stored();
  if (picture === undefined) throw new Error('the picture was not stored');
  return picture;
}

/** A run the owner saved under a name. */
async function namedRunPath(test: TestApp, owner: TestUser): Promise<string> {
  const payload = { ...strategy.payload, name: 'mine' };
  const run = await test.app.inject({ method: 'POST', url: '/api/backtest', headers: owner.bearer, payload });
  return `/api/backtest/saved/${run.json<{ id: string }>().id}`;
}

/** A strategy the owner saved. */
async function savedStrategy(test: TestApp, owner: TestUser): Promise<string> {
  const payload = { name: 'Saved', value: liveRules(['1h']) };
  await test.app.inject({ method: 'POST', url: '/api/strategies', headers: owner.bearer, payload });
  const response = await test.app.inject({ url: '/api/strategies', headers: owner.bearer });
  return `/api/strategies/${response.json<{ strategies: { id: string }[] }>().strategies[0]?.id ?? ''}`;
}

/** An open position of the owner, created at the first call. */
async function storedPosition(test: TestApp, owner: TestUser): Promise<string> {
  const ids = () =>
    test.database.asOwner<{ id: string }>('select id from positions where user_id = $1 and closed_at is null', [
      owner.id,
    ]);
  if ((await ids()).length === 0) await test.database.asOwner(rowOf['positions']?.(owner.id) ?? '');
  return (await ids())[0]?.id ?? '';
}

/** The picture of a position in the owner's journal. */
async function journalPicture(test: TestApp, owner: TestUser): Promise<string> {
  const id = await storedPosition(test, owner);
  await test.database.asOwner(
    `insert into journal_pictures (position_id, user_id, picture, width, height) values ($1, $2, '\\x01', 1, 1) on conflict do nothing`,
    [id, owner.id],
  );
  return `/api/journal/${id}/picture`;
}

const alertBody = { condition: { kind: 'price', symbol: 'BTCUSDT', when: 'cross', level: 1 } };

/** An alert of the owner, made for the call: deleting one must not take that of another test. */
async function newAlert(test: TestApp, owner: TestUser): Promise<string> {
  await test.database.asOwner(rowOf['alerts']?.(owner.id) ?? '');
  const [row] = await test.database.asOwner<{ id: string }>(
    'select id from alerts where user_id = $1 order by created_at desc limit 1',
    [owner.id],
  );
  return `/api/alerts/${row?.id ?? ''}`;
}

const orderBody = { symbol: 'ETHUSDT', side: 'LONG', type: 'limit', price: 1000, quantity: 0.05 };
const layoutBody = {
  name: 'Mine',
  value: { charts: [{ symbol: null, interval: '1h', scale: 'linear', indicators: [] }], pane_size: 'medium' },
};

/** A row of the owner, made for the call. */
async function newRow(test: TestApp, owner: TestUser, table: string, path: string): Promise<string> {
  await test.database.asOwner(rowOf[table]?.(owner.id) ?? '');
  const [row] = await test.database.asOwner<{ id: string }>(`select id from ${table} where user_id = $1 limit 1`, [
    owner.id,
  ]);
  return `${path}/${row?.id ?? ''}`;
}

/** A delivery that failed. */
async function failedDelivery(test: TestApp, owner: TestUser): Promise<string> {
  const [row] = await test.database.asOwner<{ id: string }>(
    `with n as (insert into notifications (user_id, kind, key, payload) values ($1, 'test', gen_random_uuid()::text, '{}')
       returning id, user_id)
     insert into notification_deliveries (notification_id, user_id, channel, state, finished_at)
     select id, user_id, 'webhook', 'failed', now() from n returning id`,
    [owner.id],
  );
  if (row === undefined) throw new Error('the delivery was not stored');
  return row.id;
}

/** A message of the assistant in the owner's chat. */
async function helpResponse(test: TestApp, owner: TestUser): Promise<string> {
  const [row] = await test.database.asOwner<{ id: string }>(
    `insert into help_messages (user_id, role, text, written_by) values ($1, 'assistant', 'x', 'quotes') returning id`,
    [owner.id],
  );
  return `/api/support/chat/${row?.id ?? ''}/rating`;
}

/** A cancelled payment of the owner, with its events. */
async function storedPayment(test: TestApp, owner: TestUser): Promise<string> {
  const [row] = await test.database.asOwner<{ id: string }>(
    `with p as (insert into payments (user_id, tokens, amount_cents, method, provider, status, expires_at)
       values ($1, 20, 2000, 'usdt', 'nowpayments', 'CANCELLED', now()) returning id, user_id),
     e as (insert into payment_events (payment_id, user_id, kind, status, provider, idempotency_key)
       select id, user_id, 'cancelled', 'CANCELLED', 'nowpayments', 'cancelled' from p)
     select id from p`,
    [owner.id],
  );
  return `/api/billing/payments/${row?.id ?? ''}`;
}

/** A receipt of the owner. Its event is that of a refund without credits, so that payment and ledger agree. */
async function storedReceipt(test: TestApp, owner: TestUser): Promise<string> {
  await storedPayment(test, owner);
  const [row] = await test.database.asOwner<{ id: string }>(
    `insert into receipts (user_id, event_id, year, number, provider_order_id, method, credits, amount_cents, seller)
     select user_id, id, 2026, (select coalesce(max(number), 0) + 1 from receipts), gen_random_uuid(), 'usdt', 20, 2000,
       '{"name": "x", "address": "y", "tax_id": null}'
     from payment_events e where user_id = $1 and not exists (select from receipts r where r.event_id = e.id) limit 1 returning id`,
    [owner.id],
  );
  return `/api/billing/receipts/${row?.id ?? ''}`;
}

/** A webhook of the owner. */
async function storedWebhook(test: TestApp, owner: TestUser): Promise<string> {
  const [row] = await test.database.asOwner<{ id: string }>(
    `insert into webhooks (user_id, url, events, secret_hint) values ($1, 'https://example.com', '{credits.low}', 'abcd')
     returning id`,
    [owner.id],
  );
  const id = row?.id ?? '';
  await test.database.asOwner(`insert into webhook_secrets (webhook_id, user_id, sealed) values ($1, $2, 'x')`, [
    id,
    owner.id,
  ]);
  return id;
}

/** A delivery to a webhook of the owner that failed. */
async function webhookDelivery(test: TestApp, owner: TestUser): Promise<string> {
  const webhookId = await storedWebhook(test, owner);
  const [row] = await test.database.asOwner<{ id: string }>(
    `with n as (insert into notifications (user_id, kind, key, payload) values ($1, 'test', gen_random_uuid()::text, '{}')
       returning id, user_id)
     insert into notification_deliveries (notification_id, user_id, channel, webhook_id, state, finished_at)
     select id, user_id, 'endpoint', $2, 'failed', now() from n returning id`,
    [owner.id, webhookId],
  );
  return `/api/webhooks/${webhookId}/deliveries/${row?.id ?? ''}/redeliver`;
}

/** A key of the owner. */
async function storedKey(test: TestApp, owner: TestUser): Promise<string> {
  const [row] = await test.database.asOwner<{ id: string }>(
    `insert into api_keys (user_id, name) values ($1, 'Server key') returning id`,
    [owner.id],
  );
  return row?.id ?? '';
}

/** One row per call of the API. The test fails for a route without a row and for a row without a route. */
export const routeRows: Record<string, RouteRow> = {
  'GET /api/openapi.json': { access: 'public' },
  'GET /api/health': { access: 'public' },
  'GET /api/status': { access: 'public' },
  'GET /api/app': { access: 'public' },
  'GET /api/documentation': { access: 'public' },
  'GET /api/errors': { access: 'public' },
  'GET /api/collections': { access: 'public' },
  'GET /api/collections/postman.json': { access: 'public' },
  'GET /api/collections/insomnia.json': { access: 'public' },
  'GET /api/collections/curl.txt': { access: 'public' },
  'GET /api/measured': { access: 'public' },
  'GET /api/scoreboard': { access: 'public' },
  'POST /api/auth/signup': {
    access: 'public',
    request: { payload: { email: 'matrix@example.com', password: 'a long enough one' } },
  },
  'POST /api/auth/signin': {
    access: 'public',
    request: { payload: { email: 'nobody@example.com', password: 'a long enough one' } },
    ownerStatus: 401,
  },
  'GET /api/auth/session': { access: 'public' },
  'POST /api/auth/signout': { access: 'public', ownerIsNotCalled: 'it ends the session the next rows use' },
  'POST /api/auth/demo': { access: 'public' },
  'PATCH /api/auth/user': {
    access: 'user',
    request: { payload: { current_password: 'not the right one', password: 'another long one' } },
    ownerStatus: 400,
  },
  'POST /api/auth/second-factor': {
    access: 'public',
    request: { payload: { challenge: 'invented', code: '123456' } },
    ownerStatus: 410,
  },
  'POST /api/auth/reset-request': {
    access: 'public',
    request: { payload: { email: 'nobody@example.com' } },
    ownerStatus: 503,
  },
  'POST /api/auth/reset': {
    access: 'public',
    request: { payload: { token: 'invented', password: 'a long enough one' } },
    ownerStatus: 410,
  },
  'POST /api/auth/confirm': {
    access: 'public',
    request: { payload: { token: 'invented', password: 'a long enough one' } },
    ownerStatus: 410,
  },
  'POST /api/auth/email': {
    access: 'user',
    request: { payload: { email: 'new-matrix@example.com' } },
    ownerStatus: 503,
  },
  'POST /api/auth/email/confirm': { access: 'public', request: { payload: { token: 'invented' } }, ownerStatus: 410 },
  'POST /api/auth/step-up': { access: 'user', request: { payload: { password: 'correct horse' } } },
  'GET /api/account/security': { access: 'user' },
  'POST /api/auth/two-factor': { access: 'user' },
  'POST /api/auth/two-factor/confirm': {
    access: 'user',
    request: { payload: { code: 'not a code' } },
    ownerStatus: 400,
  },
  'POST /api/auth/two-factor/recovery-codes': { access: 'user', ownerStatus: 409 },
  'DELETE /api/auth/two-factor': { access: 'user' },
  'GET /api/auth/sessions': { access: 'user' },
  'DELETE /api/auth/sessions': { access: 'user' },
  'DELETE /api/auth/sessions/:id': {
    access: 'user',
    foreign: async (test, owner) => {
      const rows = await test.database.asOwner<{ id: string }>(
        `insert into sessions (user_id, token, expires_at)
         values ($1, gen_random_uuid()::text, now() + interval '1 day') returning id`,
        [owner.id],
      );
      return `/api/auth/sessions/${rows[0]?.id ?? ''}`;
    },
  },
  'GET /api/webhooks': { access: 'user' },
  'POST /api/webhooks': { access: 'user', request: { payload: { url: 'https://hooks.example.com/hook' } } },
  'PATCH /api/webhooks/:id': {
    access: 'user',
    request: { payload: { active: true } },
    foreign: async (test, owner) => `/api/webhooks/${await storedWebhook(test, owner)}`,
  },
  'DELETE /api/webhooks/:id': {
    access: 'user',
    foreign: async (test, owner) => `/api/webhooks/${await storedWebhook(test, owner)}`,
  },
  'POST /api/webhooks/:id/secret': {
    access: 'user',
    foreign: async (test, owner) => `/api/webhooks/${await storedWebhook(test, owner)}/secret`,
  },
  'GET /api/webhooks/:id/deliveries': {
    access: 'user',
    foreign: async (test, owner) => `/api/webhooks/${await storedWebhook(test, owner)}/deliveries`,
  },
  'POST /api/webhooks/:id/deliveries/:delivery/redeliver': { access: 'user', foreign: webhookDelivery },
  'POST /api/webhook/test': {
    access: 'user',
    request: { payload: { webhook_id: nobodys } },
    ownerStatus: 404,
  },
  'GET /api/account/username': { access: 'user' },
  'POST /api/account/username': { access: 'user', request: { payload: { username: 'matrix_owner' } } },
  'GET /api/outbox': { access: 'public', ownerStatus: 404 },
  'GET /api/preferences': { access: 'user' },
  'PUT /api/preferences': { access: 'user', request: { payload: { leverage: 3 } } },
  'GET /api/futures-symbols': { access: 'public' },
  'GET /api/price': { access: 'public', request: { path: '/api/price?symbol=BTCUSDT' } },
  'GET /api/price/batch': { access: 'user', request: { path: '/api/price/batch?symbols=BTCUSDT' } },
  'GET /api/klines': { access: 'user', request: { path: '/api/klines?symbol=BTCUSDT&interval=1h' } },
  'POST /api/minute-candles': {
    access: 'user',
    request: { payload: { symbol: 'BTCUSDT', interval: '1h', opens: [Date.UTC(2026, 5, 1)] } },
  },
  'GET /api/contract': { access: 'user', request: { path: '/api/contract?symbol=BTCUSDT' } },
  'GET /api/funding': { access: 'user', request: { path: '/api/funding?symbol=BTCUSDT' } },
  'POST /api/technical-indicators': { access: 'user', request: strategy },
  'POST /api/backtest': { access: 'user', request: strategy },
  'GET /.well-known/sextant-proof-key.json': { access: 'public' },
  'POST /api/backtest/proof': { access: 'user', request: strategy },
  'POST /api/backtest/luck': { access: 'user', request: { payload: { symbol: 'BTCUSDT', trials: 100 } } },
  'POST /api/rules/check': { access: 'user', request: { payload: { rules: 'long when rsi(14) < 30' } } },
  'POST /api/backtest/portfolio': {
    access: 'user',
    request: { payload: { symbols: ['BTCUSDT'], interval: '1h', limit: 200 } },
  },
  'POST /api/backtest/portfolio/search': {
    access: 'user',
    request: {
      payload: {
        run: { symbols: ['BTCUSDT'], interval: '1h', limit: 200 },
        ranges: { positionsMax: { min: 1, max: 3 } },
        samples: 10,
      },
    },
  },
  'GET /api/backtest/last': { access: 'user' },
  'POST /api/shared-backtest': {
    access: 'public',
    request: {
      payload: {
        symbol: 'BTCUSDT',
        interval: '1h',
        limit: 200,
        endTime: Date.UTC(2026, 5, 1),
        scored: 100,
        params: {},
        costs: {},
      },
    },
  },
  'GET /api/backtest/saved': { access: 'user' },
  'PATCH /api/backtest/saved/:id': {
    access: 'user',
    request: { path: `/api/backtest/saved/${nobodys}`, payload: { name: 'other' } },
    foreign: namedRunPath,
  },
  'DELETE /api/backtest/saved/:id': {
    access: 'user',
    request: { path: `/api/backtest/saved/${nobodys}` },
    foreign: namedRunPath,
  },
  'GET /api/backtest/searches': { access: 'user' },
  'GET /api/backtest/searches/:id': {
    access: 'user',
    request: { path: `/api/backtest/searches/${nobodys}` },
    foreign: async (test, owner) => `/api/backtest/searches/${await startedSearch(test, owner)}`,
  },
  'GET /api/backtest/searches/:id/trials': {
    access: 'user',
    // A search has sets only after its end, and this one has just started.
    ownerStatus: 409,
    request: { path: `/api/backtest/searches/${nobodys}/trials` },
    foreign: async (test, owner) => `/api/backtest/searches/${await startedSearch(test, owner)}/trials`,
  },
  'POST /api/backtest/searches/:id/cancel': {
    access: 'user',
    request: { path: `/api/backtest/searches/${nobodys}/cancel` },
    foreign: async (test, owner) => `/api/backtest/searches/${await startedSearch(test, owner)}/cancel`,
  },
  'GET /api/backtest/state': { access: 'user' },
  'PUT /api/backtest/state': {
    access: 'user',
    request: { payload: { symbol: 'BTCUSDT', interval: '1h', params: {} } },
  },
  'DELETE /api/backtest/state': { access: 'user' },
  'GET /api/credits': { access: 'user' },
  'GET /api/notifications': { access: 'user' },
  'GET /api/notifications/deliveries': { access: 'user' },
  'PUT /api/notifications/webhook': { access: 'user', request: { payload: { url: 'https://example.com/hook' } } },
  'POST /api/notifications/webhook/secret': { access: 'user' },
  'POST /api/notifications/webhook/test': { access: 'user' },
  'PATCH /api/notifications/webhook': { access: 'user', request: { payload: { is_on: false } } },
  'DELETE /api/notifications/webhook': { access: 'user' },
  // No bot in this test.
  'POST /api/notifications/telegram/link': { access: 'user', ownerStatus: 503 },
  'POST /api/notifications/telegram/test': { access: 'user', ownerStatus: 404 },
  'PATCH /api/notifications/telegram': { access: 'user', request: { payload: { is_on: false } }, ownerStatus: 404 },
  'DELETE /api/notifications/telegram': { access: 'user' },
  'POST /api/notifications/deliveries/:id/retry': {
    access: 'user',
    foreign: async (test, owner) => `/api/notifications/deliveries/${await failedDelivery(test, owner)}/retry`,
  },
  'GET /api/reconciliation': { access: 'user' },
  'GET /api/positions/:id/reconciliation': {
    access: 'user',
    request: { path: `/api/positions/${nobodys}/reconciliation` },
    foreign: async (test, owner) => `/api/positions/${await storedPosition(test, owner)}/reconciliation`,
  },
  'GET /api/orders': { access: 'user' },
  'POST /api/orders': { access: 'user', request: { payload: orderBody }, ownerStatus: 201 },
  'POST /api/orders/preview': { access: 'user', request: { payload: orderBody } },
  'PATCH /api/orders/:id': {
    access: 'user',
    request: { path: `/api/orders/${nobodys}`, payload: { quantity: 1 } },
    // Its price is beyond the stop of the position that another row opened.
    ownerStatus: 409,
    foreign: async (test, owner) => newRow(test, owner, 'orders', '/api/orders'),
  },
  'DELETE /api/orders/:id': {
    access: 'user',
    request: { path: `/api/orders/${nobodys}` },
    foreign: async (test, owner) => newRow(test, owner, 'orders', '/api/orders'),
  },
  'POST /api/positions/:id/reverse': {
    access: 'user',
    request: { path: `/api/positions/${nobodys}/reverse`, payload: {} },
    foreign: async (test, owner) => `/api/positions/${await storedPosition(test, owner)}/reverse`,
  },
  'GET /api/market/positioning': { access: 'user', request: { path: '/api/market/positioning?symbols=BTCUSDT' } },
  'GET /api/market/positioning/:symbol': {
    access: 'user',
    request: { path: '/api/market/positioning/BTCUSDT' },
    publicName: 'a symbol of the exchange',
  },
  'GET /api/journal/statistics': { access: 'user' },
  'GET /api/journal/:id': {
    access: 'user',
    request: { path: `/api/journal/${nobodys}` },
    foreign: async (test, owner) => `/api/journal/${await storedPosition(test, owner)}`,
  },
  'PUT /api/journal/:id': {
    access: 'user',
    request: { path: `/api/journal/${nobodys}`, payload: { note: 'x', tags: [], revision: 0 } },
    foreign: async (test, owner) => `/api/journal/${await storedPosition(test, owner)}`,
  },
  'GET /api/journal/:id/picture': {
    access: 'user',
    request: { path: `/api/journal/${nobodys}/picture` },
    foreign: journalPicture,
  },
  'PUT /api/journal/:id/picture': {
    access: 'user',
    request: { path: `/api/journal/${nobodys}/picture`, headers: { 'content-type': 'image/png' } },
    ownerStatus: 422,
    foreign: journalPicture,
  },
  'DELETE /api/journal/:id/picture': {
    access: 'user',
    request: { path: `/api/journal/${nobodys}/picture` },
    foreign: journalPicture,
  },
  // Only test keys have a sandbox.
  'GET /api/sandbox/clock': { access: 'user', ownerStatus: 403 },
  'POST /api/sandbox/clock': { access: 'user', request: { payload: { restart: true } }, ownerStatus: 403 },
  'GET /api/charts/layouts': { access: 'user' },
  'POST /api/charts/layouts': { access: 'user', request: { payload: layoutBody } },
  'PATCH /api/charts/layouts/:id': {
    access: 'user',
    request: { path: `/api/charts/layouts/${nobodys}`, payload: { name: 'Renamed' } },
    foreign: async (test, owner) => newRow(test, owner, 'chart_layouts', '/api/charts/layouts'),
  },
  'DELETE /api/charts/layouts/:id': {
    access: 'user',
    request: { path: `/api/charts/layouts/${nobodys}` },
    foreign: async (test, owner) => newRow(test, owner, 'chart_layouts', '/api/charts/layouts'),
  },
  'GET /api/charts/drawings/:symbol': {
    access: 'user',
    request: { path: '/api/charts/drawings/BTCUSDT' },
    publicName: 'a symbol; the drawings are those of the caller',
  },
  'PATCH /api/charts/drawings/:symbol': {
    access: 'user',
    request: { path: '/api/charts/drawings/BTCUSDT', payload: { version: 0 } },
    publicName: 'a symbol; the drawings are those of the caller',
  },
  'GET /api/market/history': { access: 'user', request: { path: '/api/market/history?symbol=BTCUSDT' } },
  'GET /api/market/history/candles': {
    access: 'user',
    request: { path: '/api/market/history/candles?symbol=BTCUSDT&interval=1h&limit=10' },
  },
  'GET /api/replayed-signals': {
    access: 'user',
    request: { path: '/api/replayed-signals?symbol=BTCUSDT&interval=1h' },
  },
  'GET /api/alerts': { access: 'user' },
  'POST /api/alerts': { access: 'user', request: { payload: alertBody } },
  'PATCH /api/alerts/:id': {
    access: 'user',
    request: { path: `/api/alerts/${nobodys}`, payload: { state: 'paused' } },
    foreign: newAlert,
  },
  'DELETE /api/alerts/:id': {
    access: 'user',
    request: { path: `/api/alerts/${nobodys}` },
    foreign: newAlert,
  },
  'GET /api/alerts/:id/receipts': {
    access: 'user',
    request: { path: `/api/alerts/${nobodys}/receipts` },
    foreign: async (test, owner) => `${await newAlert(test, owner)}/receipts`,
  },
  'POST /api/alerts/:id/receipts/:receipt/shown': {
    access: 'user',
    request: { path: `/api/alerts/${nobodys}/receipts/${nobodys}/shown` },
    foreign: async (test, owner) => {
      const path = await newAlert(test, owner);
      await test.database.asOwner(rowOf['alert_receipts']?.(owner.id) ?? '');
      const [row] = await test.database.asOwner<{ id: string }>(
        'select id from alert_receipts where user_id = $1 limit 1',
        [owner.id],
      );
      return `${path}/receipts/${row?.id ?? ''}/shown`;
    },
  },
  'GET /api/push/subscriptions': { access: 'user' },
  'POST /api/push/subscriptions': {
    access: 'user',
    request: {
      payload: {
        endpoint: 'https://push.example.com/one',
        keys: {
          p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
          auth: 'BTBZMqHH6r4Tts7J_aSIgg',
        },
        label: 'Chrome on Linux',
      },
    },
  },
  'DELETE /api/push/subscriptions': {
    access: 'user',
    request: { payload: { endpoint: 'https://push.example.com/one' } },
  },
  'GET /api/watchlist': { access: 'user' },
  'POST /api/watchlist': { access: 'user', request: { payload: { symbol: 'BTCUSDT' } } },
  'GET /api/news': { access: 'user' },
  // Ignores a story that does not exist.
  'POST /api/news/read': { access: 'user', request: { payload: { ids: [nobodys] } } },
  'GET /api/news/tweets': { access: 'user' },
  'GET /api/news/market': { access: 'user' },
  'GET /api/news/sentiment': { access: 'user' },
  'GET /api/news/trending': { access: 'user' },
  'GET /api/news/records': { access: 'user' },
  'GET /api/news/marks': { access: 'user', request: { path: '/api/news/marks?symbol=BTCUSDT&from=0&to=1' } },
  'GET /api/news/settings': { access: 'user' },
  'PUT /api/news/settings': {
    access: 'user',
    request: {
      payload: {
        hidden_sources: [],
        symbols: [],
        is_high_impact_only: false,
        shows_posts: true,
        shows_chart_marks: true,
      },
    },
  },
  'DELETE /api/watchlist': { access: 'user', request: { payload: { symbol: 'BTCUSDT' } } },
  'DELETE /api/watchlist/:symbol': {
    access: 'user',
    request: { path: '/api/watchlist/BTCUSDT' },
    publicName: 'a symbol of the market; each user has a list of their own, and the response is that list',
  },
  'GET /api/events': { access: 'user', ownerIsNotCalled: 'it is a stream that does not end' },
  'GET /api/stream': {
    access: 'user',
    request: { path: '/api/stream?symbols=BTCUSDT' },
    ownerIsNotCalled: 'it is a stream that does not end, and sessions do not open it',
  },
  'POST /api/health/log': { access: 'user', request: { payload: { status: 'ok', responseTime: 500, message: '' } } },
  'GET /api/leaderboard': { access: 'user' },
  'PUT /api/follows/:username': {
    access: 'user',
    request: { path: '/api/follows/nobody_here' },
    ownerStatus: 404,
    foreign: () => Promise.resolve('/api/follows/nobody_here'),
  },
  'DELETE /api/follows/:username': {
    access: 'user',
    request: { path: '/api/follows/nobody_here' },
    ownerStatus: 404,
    foreign: () => Promise.resolve('/api/follows/nobody_here'),
  },
  'GET /api/research/backtests': { access: 'public' },
  'GET /api/account/privacy': { access: 'user' },
  'PUT /api/account/privacy': { access: 'user', request: { payload: { marketing: true } } },
  'GET /api/account/export': { access: 'user' },
  'GET /api/account/export/files/:name': {
    access: 'user',
    foreign: async (test, owner) =>
      `/api/account/export/files/${(await storedPicture(test, owner)).path.split('/').at(-1) ?? ''}`,
  },
  'GET /api/account/deletion': { access: 'user' },
  'POST /api/account/deletion': {
    access: 'user',
    request: { payload: { email: 'not-mine@example.com' } },
    ownerStatus: 400,
  },
  'DELETE /api/account/deletion': { access: 'user' },
  'GET /api/profile': { access: 'user' },
  'PUT /api/profile': { access: 'user', request: { payload: { bio: 'x' } } },
  'PUT /api/profile/avatar': {
    access: 'user',
    request: { headers: { 'content-type': 'image/png' } },
    ownerStatus: 422,
  },
  'PUT /api/profile/cover': { access: 'user', request: { headers: { 'content-type': 'image/png' } }, ownerStatus: 422 },
  'DELETE /api/profile/avatar': { access: 'user' },
  'DELETE /api/profile/cover': { access: 'user' },
  'GET /api/files/:id': {
    access: 'public',
    ownerStatus: 404,
    foreign: async (test, owner) => `/api/files/${(await storedPicture(test, owner)).id}`,
  },
  'GET /api/profiles/:username': {
    access: 'public',
    ownerStatus: 404,
    foreign: async (test, owner) => {
      await test.database.asOwner(`update users set username = 'matrix_owner' where id = $1`, [owner.id]);
      return '/api/profiles/matrix_owner';
    },
  },
  'POST /api/futures-signal': { access: 'user', request: { payload: { symbol: 'BTCUSDT', interval: '1h' } } },
  'GET /api/ensemble': { access: 'user', request: { path: '/api/ensemble?symbol=BTCUSDT' } },
  'GET /api/tuning': { access: 'user' },
  'PUT /api/tuning': { access: 'user', request: { payload: { weights: { adx: 1.2 } } } },
  'DELETE /api/tuning/versions/:id': {
    access: 'user',
    request: { path: `/api/tuning/versions/${nobodys}` },
    foreign: async (test, owner) => {
      const payload = { save_as: 'mine' };
      const saved = await test.app.inject({ method: 'PUT', url: '/api/tuning', headers: owner.bearer, payload });
      return `/api/tuning/versions/${saved.json<{ versions: { id: string }[] }>().versions[0]?.id ?? ''}`;
    },
  },
  'GET /api/strategies': { access: 'user' },
  'POST /api/strategies': { access: 'user', request: { payload: { name: 'Mine', value: liveRules(['1h']) } } },
  'GET /api/strategies/:id/versions': {
    access: 'user',
    request: { path: `/api/strategies/${nobodys}/versions` },
    foreign: async (test, owner) => `${await savedStrategy(test, owner)}/versions`,
  },
  'GET /api/strategies/:id/replay': {
    access: 'user',
    request: { path: `/api/strategies/${nobodys}/replay` },
    foreign: async (test, owner) => `${await savedStrategy(test, owner)}/replay`,
  },
  'POST /api/strategies/:id/replay': {
    access: 'user',
    request: { path: `/api/strategies/${nobodys}/replay` },
    foreign: async (test, owner) => `${await savedStrategy(test, owner)}/replay`,
  },
  'DELETE /api/strategies/:id/replay': {
    access: 'user',
    request: { path: `/api/strategies/${nobodys}/replay` },
    foreign: async (test, owner) => `${await savedStrategy(test, owner)}/replay`,
  },
  'PUT /api/strategies/used': { access: 'user', request: { payload: { id: null } } },
  'PUT /api/strategies/:id': {
    access: 'user',
    request: { path: `/api/strategies/${nobodys}`, payload: { name: 'Other' } },
    foreign: savedStrategy,
  },
  'DELETE /api/strategies/:id': {
    access: 'user',
    request: { path: `/api/strategies/${nobodys}` },
    foreign: savedStrategy,
  },
  'POST /api/scan': { access: 'user', request: { payload: { symbols: ['BTCUSDT'] } }, ownerStatus: 202 },
  'GET /api/scan/last': { access: 'user' },
  'GET /api/scan/away': { access: 'user' },
  'POST /api/arbitrage-scan': {
    access: 'user',
    request: { payload: { symbols: ['BTCUSDT'] } },
  },
  'GET /api/arbitrage/last': { access: 'user' },
  'GET /api/arbitrage/scans/:id': {
    access: 'user',
    async foreign(test, owner) {
      const params = {
        symbols: ['BTCUSDT'],
        minSpreadPct: 0.1,
        notionalUsdt: 1000,
        exchanges: ['binance', 'okx'],
        maxCount: 50,
        holdHours: 8,
        takerFees: { binance: 0.0005, bybit: 0.0005, okx: 0.0005 },
      };
      const [row] = await test.database.asOwner<{ id: string }>(
        'insert into arbitrage_scans (user_id, params, credit_ref) values ($1, $2, gen_random_uuid()) returning id',
        [owner.id, JSON.stringify(params)],
      );
      return `/api/arbitrage/scans/${row?.id ?? ''}`;
    },
  },
  'POST /api/vision/analyze': {
    access: 'user',
    request: { headers: { 'content-type': 'multipart/form-data; boundary=x' } },
    ownerStatus: 400,
  },
  'GET /api/vision/last': { access: 'user' },
  'GET /api/vision/statistics': { access: 'user' },
  'GET /api/vision/patterns': { access: 'user' },
  'GET /api/vision/pictures/:id': {
    access: 'user',
    foreign: async (test, owner) => {
      const [row] = await test.database.asOwner<{ id: string }>(
        `insert into vision_analyses (user_id, credit_ref, status, failure, picture)
           values ($1, gen_random_uuid(), 'failed', 'A test', 'x') returning id`,
        [owner.id],
      );
      return `/api/vision/pictures/${row?.id ?? ''}`;
    },
  },
  'GET /api/arbitrage/books': {
    access: 'user',
    request: { path: '/api/arbitrage/books?symbol=BTCUSDT&buy=binance&sell=okx' },
  },
  'GET /api/arbitrage/history': {
    access: 'user',
    request: { path: '/api/arbitrage/history?symbol=BTCUSDT&buy=binance&sell=okx' },
  },
  'GET /api/arbitrage/persistence': { access: 'user' },
  'GET /api/arbitrage/funding': { access: 'user' },
  'GET /api/arbitrage/watches': { access: 'user' },
  'POST /api/arbitrage/watches': {
    access: 'user',
    request: { payload: { symbol: 'BTCUSDT', buy: 'binance', sell: 'okx', netPct: 0.1 } },
  },
  'DELETE /api/arbitrage/watches/:id': {
    access: 'user',
    foreign: async (test, owner) => {
      await test.database.asOwner(rowOf['arbitrage_watches']?.(owner.id) ?? '');
      const [row] = await test.database.asOwner<{ id: string }>('select id from arbitrage_watches where user_id = $1', [
        owner.id,
      ]);
      return `/api/arbitrage/watches/${row?.id ?? ''}`;
    },
  },
  'POST /api/signal/ai-check': {
    access: 'user',
    request: { payload: { scan_id: nobodys, symbol: 'BTCUSDT', interval: '1h' } },
    ownerStatus: 404,
  },
  'GET /api/positions': { access: 'user' },
  'GET /api/positions/analytics': { access: 'user' },
  'GET /api/positions/skips': { access: 'user' },
  'GET /api/positions/auto': { access: 'user' },
  'GET /api/positions/guards': { access: 'user' },
  'POST /api/positions/guards/rearm': { access: 'user' },
  'POST /api/positions': {
    access: 'user',
    request: { payload: { symbol: 'BTCUSDT', interval: '1h', side: 'LONG', stop_loss: 1e9, take_profit: 2e9 } },
    ownerStatus: 409,
  },
  'POST /api/positions/preview': {
    access: 'user',
    request: { payload: { symbol: 'BTCUSDT', interval: '1h', side: 'LONG', stop_loss: 1e9, take_profit: 2e9 } },
  },
  'POST /api/positions/auto': { access: 'user', request: { payload: { scan_id: nobodys } }, ownerStatus: 404 },
  'POST /api/positions/:id/close': {
    access: 'user',
    request: { path: `/api/positions/${nobodys}/close` },
    foreign: async (test, owner) => `/api/positions/${await storedPosition(test, owner)}/close`,
  },
  'POST /api/positions/close-all': { access: 'user', request: { payload: { which: 'losers' } } },
  'PATCH /api/positions/:id': {
    access: 'user',
    request: { path: `/api/positions/${nobodys}`, payload: { stop_loss: 1 } },
    foreign: async (test, owner) => `/api/positions/${await storedPosition(test, owner)}`,
  },
  'GET /api/positions/:id': {
    access: 'user',
    request: { path: `/api/positions/${nobodys}` },
    foreign: async (test, owner) => `/api/positions/${await storedPosition(test, owner)}`,
  },
  'GET /api/historic-signals': { access: 'user' },
  'GET /api/performance': { access: 'user' },
  'GET /api/scan/:id': {
    access: 'user',
    request: { path: `/api/scan/${nobodys}` },
    foreign: async (test, owner) => `/api/scan/${await startedScan(test, owner)}`,
  },
  'GET /api/scan/:id/candidates': {
    access: 'user',
    request: { path: `/api/scan/${nobodys}/candidates` },
    foreign: async (test, owner) => `/api/scan/${await startedScan(test, owner)}/candidates`,
  },
  'POST /api/scan/:id/cancel': {
    access: 'user',
    request: { path: `/api/scan/${nobodys}/cancel` },
    foreign: async (test, owner) => `/api/scan/${await startedScan(test, owner)}/cancel`,
  },
  'POST /api/billing/now/create-payment': {
    access: 'user',
    request: { payload: { amount: 20, currency: 'usdt' } },
    ownerStatus: 503,
  },
  'POST /api/billing/now/cancel': { access: 'user', request: { payload: { order_id: nobodys } } },
  'GET /api/billing/now/status': {
    access: 'user',
    request: { path: `/api/billing/now/status?payment_id=${nobodys}` },
    ownerStatus: 404,
  },
  'GET /api/billing/now/estimate': {
    access: 'user',
    request: { path: '/api/billing/now/estimate?amount=20&currency=usdt' },
    ownerStatus: 503,
  },
  'GET /api/billing/payments': { access: 'user' },
  'GET /api/billing/payments/latest': { access: 'user' },
  'GET /api/billing/payments/:id': { access: 'user', foreign: storedPayment },
  'GET /api/billing/methods': { access: 'user' },
  'GET /api/billing/analytics': { access: 'user' },
  'GET /api/billing/receipts': { access: 'user' },
  'GET /api/billing/receipts/csv': { access: 'user', request: { path: '/api/billing/receipts/csv?year=2026' } },
  'GET /api/billing/receipts/:id': { access: 'user', foreign: storedReceipt },
  'GET /api/billing/receipts/:id/pdf': {
    access: 'user',
    foreign: async (test, owner) => `${await storedReceipt(test, owner)}/pdf`,
  },
  'GET /api/billing/moonpay/url': { access: 'user' },
  'GET /api/support/categories': { access: 'public' },
  'GET /api/support/articles': { access: 'public' },
  'GET /api/support/articles/:slug': {
    access: 'public',
    request: { path: '/api/support/articles/no-such-article' },
    ownerStatus: 404,
    publicName: 'an article of the help centre',
  },
  'POST /api/support/ask': { access: 'user', request: { payload: { question: 'What is a credit?' } } },
  'GET /api/support/chat': { access: 'user' },
  'POST /api/support/chat': { access: 'user', request: { payload: { text: 'What is a credit?' } } },
  'DELETE /api/support/chat': { access: 'user' },
  'POST /api/support/chat/:id/rating': {
    access: 'user',
    request: { payload: { helpful: true } },
    foreign: helpResponse,
  },
  'GET /api/account/api-keys': { access: 'user' },
  'POST /api/account/api-keys': { access: 'user', request: { payload: { name: 'Server key' } } },
  'PATCH /api/account/api-keys/:id': {
    access: 'user',
    request: { payload: { name: 'Other key' } },
    foreign: async (test, owner) => `/api/account/api-keys/${await storedKey(test, owner)}`,
  },
  'POST /api/account/api-keys/:id/rotate': {
    access: 'user',
    request: { payload: {} },
    foreign: async (test, owner) => `/api/account/api-keys/${await storedKey(test, owner)}/rotate`,
  },
  'DELETE /api/account/api-keys/:id': {
    access: 'user',
    foreign: async (test, owner) => `/api/account/api-keys/${await storedKey(test, owner)}`,
  },
  'GET /api/account/api-subscription': { access: 'user' },
  'POST /api/account/api-subscription': { access: 'user', request: { payload: { plan: 'FREE' } } },
  'GET /api/account/whoami': { access: 'user' },
  'GET /api/account/api-logs': { access: 'user' },
  'GET /api/account/api-logs/csv': { access: 'user' },
  'GET /api/account/api-logs/routes': { access: 'user' },
  'GET /api/account/api-usage': { access: 'user' },
  // Called by providers with signed bodies; not configured here.
  'POST /api/billing/now/ipn': { access: 'public', ownerStatus: 404 },
  'POST /api/billing/moonpay/webhook': { access: 'public', ownerStatus: 404 },
};

async function startedScan(test: TestApp, owner: TestUser): Promise<string> {
  const payload = { symbols: ['BTCUSDT'] };
  const started = await test.app.inject({ method: 'POST', url: '/api/scan', headers: owner.bearer, payload });
  return started.json<{ scan_id: string }>().scan_id;
}

async function startedSearch(test: TestApp, owner: TestUser): Promise<string> {
  const searches = () => test.app.inject({ url: '/api/backtest/searches', headers: owner.bearer });
  const payload = { ...strategy.payload, limit: 800, optimize: { samples: 2000 } };
  await test.app.inject({ method: 'POST', url: '/api/backtest', headers: owner.bearer, payload });
  const [search] = (await searches()).json<{ searches: { search_id: string }[] }>().searches;
  if (search === undefined) throw new Error('the search was not started');
  return search.search_id;
}
