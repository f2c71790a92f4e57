import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startExchanges } from '../../../fakes/exchanges/server.ts';
import { SignalResponse } from '../../../src/features/signals/contract.ts';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import { createTestApp, type TestUser } from '../../support/createTestApp.ts';

let test: MarketApp;
let anna: TestUser;
beforeAll(async () => {
  test = await createMarketApp();
  anna = await test.signUp();
});
afterAll(() => test.close());

interface Signal {
  direction: string;
  score: number;
  price: number;
  confidence: number;
  stopLoss: number | null;
  takeProfit: number | null;
  position: Record<string, number | null>;
  contributions: { vote: string; interval: string; contribution: number }[];
  timeframes: { interval: string; weight: number }[];
  candle_close_at: string;
  computed_at: string;
  hashes: Record<string, string>;
}
const request = (payload: object, user = anna) =>
  test.app.inject({ method: 'POST', url: '/api/futures-signal', headers: user.bearer, payload });
const signal = async (payload: object, user = anna) => (await request(payload, user)).json<Signal>();
const btc = { symbol: 'BTCUSDT', interval: '1h' };

describe('POST /api/futures-signal', () => {
  it('X41 returns every field of both descriptions, whatever the direction', async () => {
    const response = await request(btc);
    expect(response.statusCode).toBe(200);
    expect(response.headers['server-timing']).toMatch(/^candles;dur=[\d.]+, engine;dur=[\d.]+$/);
    const body = response.json<Signal>();
    const names = ['symbol', 'interval', 'price', 'direction', 'confidence', 'riskLabel', 'stopLoss', 'takeProfit'];
    const scan = ['aiProposal', 'aiApproved', 'aiRationale', 'suggestedRiskMultiplier'];
    for (const name of [...names, ...scan, 'data_age_ms']) expect(body, name).toHaveProperty(name);
    expect(Object.keys(body.position).sort()).toEqual(
      [
        ...['leverage', 'limits', 'liquidationApprox', 'loss_at_stop', 'message', 'qty', 'refused_by'],
        ...['risk_multiplier', 'sizeBase', 'sizeUsdt'],
      ].sort(),
    );
    expect(body).toMatchObject({
      ai_state: 'offline',
      rule_check: 'not_run',
      meta: { rsi: expect.any(Number) as number },
    });
    expect(Date.parse(body.candle_close_at) % 3_600_000).toBe(0);
    expect(Date.parse(body.candle_close_at)).toBeLessThanOrEqual(Date.now());
  });

  it('shows the contribution of each vote, and they add up to the score', async () => {
    const { contributions, score } = await signal(btc);
    expect(contributions.reduce((sum, { contribution }) => sum + contribution, 0)).toBeCloseTo(score, 12);
  });

  it('X70 sizes so that the stop loses 2 % of the balance at most, with levels on the right sides', async () => {
    const matches = await Promise.all(
      ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT', 'BNBUSDT', 'ADAUSDT'].map((symbol) =>
        signal({ symbol, interval: '15m', balance: 50_000, riskTolerance: 'high', leverage: 20 }),
      ),
    );
    const open = matches.filter(({ direction }) => direction !== 'NEUTRAL');
    expect(open.length).toBeGreaterThan(0);
    for (const { direction, price, stopLoss, takeProfit, position } of open) {
      expect(position['sizeBase']).toBe(position['qty']);
      const side = direction === 'LONG' ? 1 : -1;
      expect(side * (takeProfit! - price)).toBeGreaterThan(0);
      expect(side * (price - stopLoss!)).toBeGreaterThan(0);
      // 20x with 0.5 % maintenance margin: about 4.5 % away, beyond the stop or before it.
      expect(side * (price - position['liquidationApprox']!)).toBeCloseTo(price * 0.045, -Math.log10(price * 0.002));
      // The risk, or all of the balance as margin where the stop is nearer than 0.1 %.
      expect(position['loss_at_stop']).toBeGreaterThan(900);
      expect(position['loss_at_stop']).toBeLessThanOrEqual(1000);
    }
    for (const { direction, stopLoss, position } of matches.filter((each) => !open.includes(each))) {
      expect({ direction, stopLoss, qty: position['qty'] }).toEqual({ direction: 'NEUTRAL', stopLoss: null, qty: 0 });
    }
  });

  it('X42 is the same for the same candles, and follows the tuning that is sent or saved', async () => {
    const first = await signal(btc);
    expect((await signal(btc)).hashes).toEqual(first.hashes);
    const ids = ['adx', 'supertrend', 'ema_cross', 'sma_cross', 'pivot', 'vwap', 'mfi', 'donchian', 'ich_align'];
    const tuning = Object.fromEntries([...ids, 'ich_cloud', 'news'].map((id) => [id, 1.5]));
    const tuned = await signal({ ...btc, tuning });
    expect(tuned.hashes['data']).toBe(first.hashes['data']);
    expect(tuned.hashes['params']).not.toBe(first.hashes['params']);
    const bert = await test.signUp();
    expect((await signal(btc, bert)).score).toBe(first.score);
    const payload = { weights: tuning };
    expect(
      (await test.app.inject({ method: 'PUT', url: '/api/tuning', headers: bert.bearer, payload })).statusCode,
    ).toBe(200);
    expect(await signal(btc, bert)).toMatchObject({ score: tuned.score, hashes: tuned.hashes });
    expect((await signal(btc)).score).toBe(first.score);
  });

  it.each([
    ['symbol', { symbol: 'BTC/USD' }],
    ['interval', { interval: '2h' }],
    ['leverage', { leverage: 126 }],
    ['balance', { balance: 0 }],
    ['riskTolerance', { riskTolerance: 'wild' }],
    ['limit', { limit: 1001 }],
    ['intervals', { intervals: ['15m'] }],
    ['tuning', { tuning: { adx: 2 } }],
    ['charge', { charge: 0 }],
  ])('rejects a wrong %s and names it', async (field, change) => {
    const rejection = (await request({ ...btc, ...change })).json<{ status: number; field: string }>();
    expect(rejection.status).toBe(400);
    expect(rejection.field.split('.')[0]).toBe(field);
  });

  it('rejects an untraded symbol, and requires a session', async () => {
    expect((await request({ ...btc, symbol: 'NOSUCHUSDT' })).statusCode).toBeGreaterThanOrEqual(404);
    const anonymous = await test.app.inject({ method: 'POST', url: '/api/futures-signal', payload: btc });
    expect(anonymous.statusCode).toBe(401);
  });

  it('costs no credit', async () => {
    const { balance } = (await test.app.inject({ url: '/api/credits', headers: anna.bearer })).json<{
      balance: number;
    }>();
    expect(balance).toBe(10);
  });
});

describe('a response that is written from memory', () => {
  it('equals what its contract writes byte for byte, except for its age', async () => {
    const ageless = (text: string) => text.replace(/"data_age_ms":\d+}$/, '"data_age_ms":0}');
    const payload = { ...btc, balance: 1234.5 };
    const [first, second] = [await request(payload), await request(payload)];
    expect(second.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(ageless(second.body)).toBe(ageless(first.body));
    const body = SignalResponse.parse({ ...second.json<object>(), data_age_ms: 0 });
    expect(ageless(second.body)).toBe(JSON.stringify(body));
  });
});

describe('GET /api/ensemble', () => {
  it('joins the intervals on the shortest one', async () => {
    const response = await test.app.inject({
      url: '/api/ensemble?symbol=btcusdt&intervals=4h,15m',
      headers: anna.bearer,
    });
    const body = response.json<Signal & { interval: string }>();
    expect(body.interval).toBe('15m');
    expect(body.timeframes.map(({ interval, weight }) => [interval, weight])).toEqual([
      ['15m', 1],
      ['4h', 0.5],
    ]);
    const same = await signal({ symbol: 'BTCUSDT', interval: '15m', intervals: ['4h'] });
    expect(body.score).toBe(same.score);
  });
});

describe('a signal on warm candles', () => {
  it('queries neither the database nor an exchange: it works when both are gone', async () => {
    // A cached session is valid for less than a second; closing both may take longer on a busy machine.
    const startedAtMs = Date.now();
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => startedAtMs);
    const own = await startExchanges();
    const warm = await createTestApp({ env: { EXCHANGES_URL: own.url } });
    const user = await warm.signUp();
    const send = () =>
      warm.app.inject({ method: 'POST', url: '/api/futures-signal', headers: user.bearer, payload: btc });
    const before = (await send()).json<Signal>();
    await own.close();
    await warm.database.drop();
    const after = await send();
    clock.mockRestore();
    expect(after.statusCode).toBe(200);
    expect(after.json()).toMatchObject({ score: before.score, computed_at: before.computed_at });
    await warm.app.close();
    await warm.deps.close();
  });
});
