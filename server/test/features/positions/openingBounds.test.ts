import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepEquity } from '../../../src/features/positions/watch/startWatching.ts';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import type { TestUser } from '../../support/createTestApp.ts';

/** Excessive requests of one user must be rejected with a reason, and must not affect the figures of other users. */

let test: MarketApp;
beforeAll(async () => {
  test = await createMarketApp();
});
afterAll(() => test.close());

interface ResponseBody {
  code: string;
  field: string;
  rule: string;
  message: string;
  id: string;
  prices: { price: number }[];
}

const call = async (user: TestUser, method: 'GET' | 'POST' | 'PUT', url: string, payload?: object, headers = {}) => {
  const response = await test.app.inject({
    method,
    url,
    headers: { ...user.bearer, ...headers },
    ...(payload === undefined ? {} : { payload }),
  });
  return { status: response.statusCode, body: response.json<ResponseBody>() };
};
async function bodyOf(user: TestUser, more: object = {}, symbol = 'BTCUSDT') {
  const { body } = await call(user, 'GET', `/api/price/batch?symbols=${symbol}`);
  const price = body.prices[0]?.price ?? Number.NaN;
  const levels = { side: 'LONG', stop_loss: price * 0.98, take_profit: price * 1.04 };
  return { symbol, interval: '1h', ...levels, qty: 0.01, leverage: 10, ...more };
}

describe('a position beyond the range of the money columns', () => {
  it.each([1, 10])(
    'is reduced at leverage %i to the largest account, and others are still marked to market',
    async (leverage) => {
      const [anna, bert] = [await test.signUp(), await test.signUp()];
      // The largest possible account.
      await call(anna, 'PUT', '/api/preferences', { balance_usdt: 1e8 });
      const huge = await call(anna, 'POST', '/api/positions', await bodyOf(anna, { qty: 1e12, leverage }));
      expect(huge.status).toBe(201);
      expect((await call(bert, 'POST', '/api/positions', await bodyOf(bert))).status).toBe(201);
      const { db, market } = test.deps;
      // The last attempt of its five minutes: every account with positions gets its point, priced or not.
      const lastTryMs = Math.floor(Date.now() / 300_000) * 300_000 + 299_000;
      await keepEquity({ db, market, config: test.deps.config, assertLeader: () => Promise.resolve() }, lastTryMs);
      expect(await test.database.asOwner('select from equity_points where user_id = $1', [bert.id])).toHaveLength(1);
    },
  );

  it('is rejected with a reason where the largest account at the highest leverage requests more than any market fills', async () => {
    const anna = await test.signUp();
    await call(anna, 'PUT', '/api/preferences', { balance_usdt: 1e8 });
    // 1e8 USDT at 125x are 12.5 billion of notional, and 10 billion may be opened.
    const huge = await bodyOf(anna, { qty: 1e12, leverage: 125 });
    const words = 'Keep positions below 10 billion USDT.';
    const preview = await call(anna, 'POST', '/api/positions/preview', huge);
    expect(preview.body).toMatchObject({ preview: { detail: 'too_large', message: words } });
    const { status, body } = await call(anna, 'POST', '/api/positions', huge);
    expect([status, body.rule, body.message]).toEqual([409, 'too_large', words]);
    // A tenth of the leverage is a tenth of the notional.
    expect((await call(anna, 'POST', '/api/positions', { ...huge, leverage: 12 })).status).toBe(201);
  });

  it('is rejected for extreme levels as well', async () => {
    const anna = await test.signUp();
    for (const level of [{ take_profit: 1e308 }, { stop_loss: 5e-324 }, { entry_price: 1e308 }]) {
      const { status, body } = await call(anna, 'POST', '/api/positions/preview', await bodyOf(anna, level));
      expect([level, status, body.field]).toEqual([level, 400, Object.keys(level)[0]]);
    }
  });
});

describe('the key of an opening', () => {
  it('may be as long as the header allows, and another body with it is a conflict', async () => {
    const anna = await test.signUp();
    const headers = { 'idempotency-key': 'k'.repeat(255) };
    const body = await bodyOf(anna);
    const first = await call(anna, 'POST', '/api/positions', body, headers);
    expect(first.status).toBe(201);
    const again = await call(anna, 'POST', '/api/positions', body, headers);
    expect([again.status, again.body.id]).toEqual([201, first.body.id]);
    const other = await call(anna, 'POST', '/api/positions', await bodyOf(anna, {}, 'ETHUSDT'), headers);
    expect([other.status, other.body.code]).toEqual([409, 'conflict']);
  });
});

it('a balance close to zero is rejected: a loss over it is no number', async () => {
  const anna = await test.signUp();
  const change = (balance: number) =>
    test.app.inject({
      method: 'PUT',
      url: '/api/preferences',
      headers: anna.bearer,
      payload: { balance_usdt: balance },
    });
  const rejected = await change(1e-308);
  expect([rejected.statusCode, rejected.json<ResponseBody>().field]).toEqual([400, 'balance_usdt']);
  expect((await change(0.01)).json<ResponseBody>().field).toBe('balance_usdt');
  expect((await change(10)).statusCode).toBe(200);
  // A loss of 1e6 USDT at the smallest balance.
  await test.database.asOwner(
    `insert into positions (user_id, opening_ref, source, exchange, market, symbol, side, interval, entry_price, qty, leverage,
       stop_loss, initial_stop_loss, take_profit, confidence, risk_multiplier, loss_at_stop, tick_size, taker_fee_fraction,
       trailing_enabled, trail_peak, opened_at, funded_until, fees, closed_at, close_price, close_reason)
     values ($1, 'manual:lost', 'manual', 'binance', 'simulated', 'BTCUSDT', 'LONG', '1h', 100, 1e5, 10, 90, 90, 120, 0.7, 1, 1e6, 0.1,
       0.0005, false, 100, now() - interval '2 minutes', now(), 1, now() - interval '1 minute', 90, 'MANUAL')`,
    [anna.id],
  );
  expect((await call(anna, 'GET', '/api/positions/guards')).status).toBe(200);
});

it('repeated requests of a script are limited: each rejection is a row that stays', async () => {
  const anna = await test.signUp();
  const body = await bodyOf(anna, { qty: 1e-9 });
  const statuses: number[] = [];
  for (let i = 0; i < 61; i++) statuses.push((await call(anna, 'POST', '/api/positions', body)).status);
  expect(new Set(statuses.slice(0, 60))).toEqual(new Set([409]));
  expect(statuses.at(-1)).toBe(429);
  expect(await test.database.asOwner('select from position_events where user_id = $1', [anna.id])).toHaveLength(60);
});
