import { describe, expect, it } from 'vitest';
import { createAdmission } from '../../../src/adapters/exchanges/admission.ts';
import type { Clock } from '../../../src/adapters/exchanges/clock.ts';
import { countedSpan } from '../../../src/adapters/exchanges/countedSpan.ts';
import { rejectionOf, UpstreamError } from '../../../src/adapters/exchanges/upstreamError.ts';
import { createGuard } from '../../../src/adapters/exchanges/guard.ts';
import { binanceRulesWith } from '../../../src/adapters/exchanges/binance/rules.ts';
import { exchanges } from '../../../src/adapters/exchanges/exchanges.ts';
import type { VenueRules } from '../../../src/adapters/exchanges/rules.ts';
import { inBackground, withPatience } from '../../../src/platform/readPriority.ts';
import { manualClock, testNowMs } from './support/testExchanges.ts';

/** Requests that scans and price polling repeat. */
const questions: Record<string, string[]> = {
  binance: [
    '/fapi/v1/klines?symbol=BTCUSDT&interval=15m&limit=500',
    '/fapi/v1/klines?symbol=ETHUSDT&interval=1h&limit=1000',
    '/fapi/v1/klines?symbol=SOLUSDT&interval=4h&limit=499',
    '/fapi/v2/ticker/price',
    '/fapi/v1/ticker/bookTicker',
    '/fapi/v1/premiumIndex',
    '/fapi/v1/fundingRate?symbol=BTCUSDT',
  ],
  bybit: ['/v5/market/kline?category=linear&symbol=BTCUSDT', '/v5/market/tickers?category=linear'],
  okx: [
    '/api/v5/market/candles?instId=BTC-USDT-SWAP',
    '/api/v5/market/history-candles?instId=BTC-USDT-SWAP',
    '/api/v5/public/mark-price?instType=SWAP',
  ],
};

/** A response that took no time, of an exchange whose clock is ours. */
const countedNow = ({ now }: Pick<Clock, 'now'>) =>
  countedSpan({ sentAtMs: now(), receivedAtMs: now() }, { offsetMs: 0, errorMs: 0 });

/** The published limit of each budget and its window. */
const published: Record<string, { limit: number; windowMs: number }> = {
  weight: { limit: 2400, windowMs: 60_000 },
  funding: { limit: 500, windowMs: 300_000 },
  requests: { limit: 600, windowMs: 5000 },
  '/api/v5/market/candles': { limit: 40, windowMs: 2000 },
  '/api/v5/market/history-candles': { limit: 20, windowMs: 2000 },
  '/api/v5/public/mark-price': { limit: 10, windowMs: 2000 },
};

describe.each(Object.values(exchanges).map(({ rules }) => rules))('the budget of $name', (rules: VenueRules) => {
  it('spends at most 80 % of each published limit in any window during ten minutes of constant requests', async () => {
    const clock = manualClock(testNowMs);
    const admission = createAdmission(rules, createGuard(clock), clock);
    const urls = (questions[rules.exchange] ?? []).map((path) => new URL(path, 'http://loopback'));
    const sent: { atMs: number; cost: number; budget: string }[] = [];
    for (let i = 0; clock.now() < testNowMs + 600_000 && i < 30_000; i++) {
      const url = urls[i % urls.length]!;
      const call = { deadlineMs: clock.now() + 3_600_000, signal: undefined, serverNowMs: undefined };
      await admission.admit(url, call);
      sent.push({ atMs: clock.now(), ...rules.cost(url.pathname, url.searchParams) });
    }
    for (const [budget, { limit, windowMs }] of Object.entries(published)) {
      const paid = sent.filter((each) => each.budget === budget);
      let first = 0;
      let used = 0;
      for (const { atMs, cost } of paid) {
        used += cost;
        for (; paid[first]!.atMs <= atMs - windowMs; first++) used -= paid[first]!.cost;
        expect(used).toBeLessThanOrEqual(0.8 * limit);
      }
    }
    // The allowed budget is used up, not only respected.
    expect(clock.now() - testNowMs).toBeGreaterThan(0);
    expect(sent.length).toBeGreaterThan(1000);
  });

  it('rejects immediately what could not be sent before the deadline', async () => {
    const clock = manualClock(testNowMs);
    const admission = createAdmission(rules, createGuard(clock), clock);
    const url = new URL(questions[rules.exchange]?.[0] ?? '', 'http://loopback');
    const request = () =>
      admission.admit(url, { deadlineMs: clock.now() + 1, signal: undefined, serverNowMs: undefined });
    await expect(
      (async () => {
        for (let i = 0; i < 3000; i++) await request();
      })(),
    ).rejects.toMatchObject({ failure: 'budgetUsed' });
    expect(clock.now()).toBe(testNowMs);
  });
});

describe('the limit of fundings of a simulated Binance', () => {
  /** How many requests of fundings are sent at once; those of other calls are as many as ever. */
  async function sentAtOnce(rules: VenueRules, path: string): Promise<number> {
    const clock = manualClock(testNowMs);
    const admission = createAdmission(rules, createGuard(clock), clock);
    const call = { deadlineMs: testNowMs + 1, signal: undefined, serverNowMs: undefined };
    for (let sent = 0; ; sent++) {
      const isSent = await admission.admit(new URL(path, 'http://loopback'), call).then(
        () => true,
        () => false,
      );
      if (!isSent) return sent;
    }
  }

  it('is 80 % of what it is set to, and 400 in 5 minutes as Binance publishes it', async () => {
    const path = '/fapi/v1/fundingRate?symbol=BTCUSDT';
    expect(await sentAtOnce(exchanges.binance.rules, path)).toBe(400);
    expect(await sentAtOnce(binanceRulesWith(5000), path)).toBe(4000);
    const other = '/fapi/v1/klines?symbol=BTCUSDT&limit=1000';
    expect(await sentAtOnce(binanceRulesWith(5000), other)).toBe(await sentAtOnce(exchanges.binance.rules, other));
  });
});

describe('a small limit of a few seconds', () => {
  const path = '/api/v5/public/funding-rate-history';
  const url = new URL(`${path}?instId=BTC-USDT-SWAP`, 'http://loopback');

  /** Maximum of requests in any 2 s at the exchange; `lateMs` delays the timer and `travelMs` the trip of a request, by its number. */
  async function most(lateMs: (turn: number) => number, travelMs: (turn: number) => number): Promise<number> {
    const clock = manualClock(testNowMs);
    let turn = 0;
    const late = { ...clock, sleep: (ms: number) => clock.sleep(ms + lateMs((turn += 1))) };
    const admission = createAdmission(exchanges.okx.rules, createGuard(clock), late);
    const arrivals: number[] = [];
    for (let i = 0; i < 60; i++) {
      await admission.admit(url, { deadlineMs: clock.now() + 3_600_000, signal: undefined, serverNowMs: undefined });
      arrivals.push(clock.now() + travelMs(i));
    }
    arrivals.sort((a, b) => a - b);
    return Math.max(...arrivals.map((at) => arrivals.filter((each) => each >= at && each < at + 2000).length));
  }

  it('holds when timers fire late: delayed requests are not sent with the next window', async () => {
    const everyThird = (turn: number) => (turn % 3 === 0 ? 1900 : 0);
    expect(await most(everyThird, () => 0)).toBeLessThanOrEqual(10);
  });

  it('holds when a burst travels half a second longer than the next one', async () => {
    const slowThenFast = (i: number) => (Math.floor(i / 8) % 2 === 0 ? 500 : 0);
    expect(await most(() => 0, slowThenFast)).toBeLessThanOrEqual(10);
  });

  it('holds when requests of two windows wake together, late', async () => {
    const clock = manualClock(testNowMs);
    const sent: number[] = [];
    const woken: (() => void)[] = [];
    let isHeld = true;
    const held = {
      ...clock,
      sleep: (ms: number) => (isHeld ? new Promise<void>((wake) => woken.push(wake)) : clock.sleep(ms)),
    };
    const admission = createAdmission(exchanges.okx.rules, createGuard(clock), held);
    const call = { deadlineMs: testNowMs + 3_600_000, signal: undefined, serverNowMs: undefined };
    const requested = Array.from({ length: 24 }, () => admission.admit(url, call).then(() => sent.push(clock.now())));
    await Promise.all(requested.slice(0, 8));
    expect(sent).toHaveLength(8);
    // The process was blocked for six seconds: two windows are due at once.
    clock.advance(6000);
    isHeld = false;
    for (const wake of woken) wake();
    await Promise.all(requested);
    const ordered = sent.toSorted((a, b) => a - b);
    const inAnyTwoSeconds = ordered.map((at) => ordered.filter((each) => each >= at && each < at + 2000).length);
    expect(Math.max(...inAnyTwoSeconds)).toBeLessThanOrEqual(8);
  });
});

describe('a limit that other clients at our address use too', () => {
  const sentNow = async (rules: VenueRules, url: URL, response: { headers: Headers; body: unknown }) => {
    const clock = manualClock(testNowMs);
    const admission = createAdmission(rules, createGuard(clock), clock);
    const call = { deadlineMs: clock.now(), signal: undefined, serverNowMs: undefined };
    await admission.admit(url, { ...call, deadlineMs: clock.now() + 1000 });
    admission.learn(response, url, countedNow(clock));
    const outcomes = await Promise.allSettled(Array.from({ length: 600 }, () => admission.admit(url, call)));
    return outcomes.filter(({ status }) => status === 'fulfilled').length;
  };
  const kline = new URL('/v5/market/kline?symbol=BTCUSDT', 'http://loopback');
  const bybit = (headers: Record<string, string>) =>
    sentNow(exchanges.bybit.rules, kline, { headers: new Headers(headers), body: {} });

  it('NODE-016 is read from the headers of Bybit', async () => {
    expect(await bybit({})).toBe(479);
    const reset = { 'x-bapi-limit-reset-timestamp': String(testNowMs + 3000) };
    // 200 of 600 are used, one of them by us: 280 of our 480 are left.
    expect(await bybit({ 'x-bapi-limit': '600', 'x-bapi-limit-status': '400', ...reset })).toBe(280);
    // Half of another limit counts as half of this one.
    expect(await bybit({ 'x-bapi-limit': '50', 'x-bapi-limit-status': '25' })).toBe(180);
    expect(await bybit({ 'x-bapi-limit': '600', 'x-bapi-limit-status': '0', ...reset })).toBe(0);
    expect(await bybit({ 'x-bapi-limit': '600', 'x-bapi-limit-status': '' })).toBe(479);
  });

  it('NODE-016 is read from the error of OKX, for the path that it is about', async () => {
    const url = new URL('/api/v5/market/candles?instId=BTC-USDT-SWAP', 'http://loopback');
    const okx = (code: string) => sentNow(exchanges.okx.rules, url, { headers: new Headers(), body: { code } });
    expect(await okx('0')).toBe(31);
    expect(await okx('50011')).toBe(0);
  });

  it('NODE-016 shows its use, and the error of a full one is ours', async () => {
    const clock = manualClock(testNowMs);
    const admission = createAdmission(exchanges.bybit.rules, createGuard(clock), clock);
    const call = { deadlineMs: clock.now(), signal: undefined, serverNowMs: undefined };
    for (let i = 0; i < 480; i += 1) await admission.admit(kline, { ...call, deadlineMs: clock.now() + 1000 });
    expect(admission.budgets()).toEqual([{ name: 'requests', used: 480, capacity: 480 }]);
    const error: unknown = await admission.admit(kline, call).catch((thrown: unknown) => thrown);
    if (!(error instanceof UpstreamError)) throw new Error('expected an error of the exchange');
    expect(rejectionOf(error, 'bybit')).toMatchObject({
      error: { code: 'upstream_rate_limited', isOwnLimit: true, exchange: 'bybit' },
    });
    clock.advance(5600);
    expect(admission.budgets()).toEqual([{ name: 'requests', used: 0, capacity: 480 }]);
  });
});

describe('a slot that is due just before the deadline', () => {
  const { rules } = exchanges.binance;
  const url = (symbol: string) => new URL(`/fapi/v1/klines?symbol=${symbol}&limit=1000`, 'http://loopback');

  it('NODE-206 comes too late for the trip: the request is rejected with the time of the next try, and nothing is sent', async () => {
    const clock = manualClock(testNowMs);
    const admission = createAdmission(rules, createGuard(clock), clock);
    const call = (forMs: number) => ({ deadlineMs: clock.now() + forMs, signal: undefined, serverNowMs: undefined });
    for (let i = 0; i < 384; i++) await admission.admit(url(`A${i}USDT`), call(12_000));
    clock.advance(50_000);
    // The budget is free again in 10 s.
    for (const forMs of [10_001, 11_000, 11_999])
      await expect(admission.admit(url('BTCUSDT'), call(forMs))).rejects.toMatchObject({
        failure: 'budgetUsed',
        retryAfterMs: 10_000,
      });
    await admission.admit(url('BTCUSDT'), call(12_001));
    expect(clock.now() - testNowMs).toBe(60_000);
  });
});

describe('a user request while warming fills the budget of Binance', () => {
  const { rules } = exchanges.binance;
  const url = (symbol: string) => new URL(`/fapi/v1/klines?symbol=${symbol}&limit=1000`, 'http://loopback');
  const call = (clock: { now: () => number }, forMs: number) => ({
    deadlineMs: clock.now() + forMs,
    signal: undefined,
    serverNowMs: undefined,
  });
  /** 384 pages of 1,000 candles use a whole minute's budget. */
  async function filled(clock = manualClock(testNowMs)) {
    const admission = createAdmission(rules, createGuard(clock), clock);
    for (let i = 0; i < 384; i++) await admission.admit(url(`A${i}USDT`), call(clock, 12_000));
    expect(clock.now()).toBe(testNowMs);
    return { clock, admission };
  }

  it('is sent first, and warming after it', async () => {
    const { clock, admission } = await filled();
    const sentMs: number[] = [];
    // More than the budget of the next minute.
    const warm = Array.from({ length: 400 }, (_, i) =>
      inBackground(() => admission.admit(url(`B${i}USDT`), call(clock, 600_000))).then(() => sentMs.push(clock.now())),
    );
    await admission.admit(url('BTCUSDT'), call(clock, 600_000));
    expect(clock.now() - testNowMs).toBe(60_000);
    await Promise.all(warm);
    // 85 % of the 1,920 of a minute, of which the user's read took 5.
    expect(sentMs.filter((atMs) => atMs - testNowMs === 60_000)).toHaveLength(325);
    expect(sentMs.filter((atMs) => atMs - testNowMs === 120_000)).toHaveLength(75);
  });

  it('fails with the wait when that exceeds its patience, and gets its held slot when it is retried', async () => {
    const { clock, admission } = await filled();
    clock.advance(48_000);
    const rejected = withPatience(2000, 'anna', () => admission.admit(url('BTCUSDT'), call(clock, 12_000)));
    await expect(rejected).rejects.toMatchObject({
      failure: 'budgetUsed',
      retryAfterMs: 12_000,
      message: 'The queue for Binance is full. Try again in 12 s.',
    });
    // 383 other requests wait behind its slot, and one more than fits.
    const others = Array.from({ length: 384 }, (_, i) => admission.admit(url(`C${i}USDT`), call(clock, 600_000)));
    clock.advance(12_000);
    const before = clock.now();
    await withPatience(2000, 'anna', () => admission.admit(url('BTCUSDT'), call(clock, 12_000)));
    expect(clock.now()).toBe(before);
    await Promise.all(others);
  });

  it('is rejected with what to do when ten others of the same caller already wait, and other callers are served', async () => {
    const { clock, admission } = await filled();
    clock.advance(48_000);
    const request = (owner: string, symbol: string) =>
      withPatience(0, owner, () => admission.admit(url(symbol), call(clock, 12_000)));
    for (let i = 0; i < 10; i++)
      await expect(request('anna', `C${i}USDT`)).rejects.toMatchObject({
        failure: 'budgetUsed',
        retryAfterMs: 12_000,
      });
    const eleventh = {
      failure: 'tooManyHeld',
      retryAfterMs: 12_000,
      message: '10 of your requests are queued for Binance. Repeat those first. Try again in 12 s.',
    };
    await expect(request('anna', 'C10USDT')).rejects.toMatchObject(eleventh);
    // A repetition of one that waits is not another one.
    await expect(request('anna', 'C0USDT')).rejects.toMatchObject({ failure: 'budgetUsed' });
    await expect(request('bert', 'C10USDT')).rejects.toMatchObject({ failure: 'budgetUsed' });
    clock.advance(12_000);
    for (let i = 0; i < 10; i++) await request('anna', `C${i}USDT`);
    expect(clock.now() - testNowMs).toBe(60_000);
  });

  it('fails with the exchange and the time of the next try when no slot comes before its deadline', async () => {
    const { clock, admission } = await filled();
    await expect(admission.admit(url('BTCUSDT'), call(clock, 12_000))).rejects.toMatchObject({
      failure: 'budgetUsed',
      retryAfterMs: 60_000,
      message: 'The queue for Binance is full. Try again in 60 s.',
    });
    await expect(inBackground(() => admission.admit(url('BTCUSDT'), call(clock, 12_000)))).rejects.toMatchObject({
      failure: 'budgetUsed',
    });
  });

  it('applies the limit that the symbol list states: 80 % of it', async () => {
    const { clock, admission } = await filled();
    const rateLimits = (limit: unknown) => ({
      rateLimits: [
        { rateLimitType: 'ORDERS', interval: 'MINUTE', intervalNum: 1, limit: 1200 },
        { rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit },
      ],
    });
    const learn = (body: unknown) =>
      admission.learn(
        { headers: new Headers(), body },
        new URL('/fapi/v1/exchangeInfo', 'http://loopback'),
        countedNow(clock),
      );
    for (const bad of [undefined, { rateLimits: 'none' }, rateLimits('6000'), rateLimits(-1)]) learn(bad);
    await expect(admission.admit(url('BTCUSDT'), call(clock, 1000))).rejects.toMatchObject({ failure: 'budgetUsed' });
    learn(rateLimits(6000));
    // 4,800 of 6,000 are ours: 2,880 more.
    for (let i = 0; i < 2880 / 5; i++) await admission.admit(url(`D${i}USDT`), call(clock, 1000));
    expect(clock.now()).toBe(testNowMs);
    await expect(admission.admit(url('BTCUSDT'), call(clock, 1000))).rejects.toMatchObject({ failure: 'budgetUsed' });
  });
});
