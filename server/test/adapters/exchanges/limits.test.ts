import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FaultRule } from '../../../fakes/exchanges/faults.ts';
import { retryAfterMs } from '../../../src/adapters/exchanges/transport.ts';
import { exchangeIds, startTestExchanges, type TestExchanges, testNowMs } from './support/testExchanges.ts';

let exchanges: TestExchanges;
beforeAll(async () => {
  exchanges = await startTestExchanges();
});
afterAll(() => exchanges.close());
afterEach(() => {
  exchanges.fake.faults.clear();
  exchanges.fake.limits.clear();
  exchanges.fake.requests.clear();
  exchanges.clock.set(testNowMs);
});

const span = intervalMs['1h'];
const toMs = Math.floor(testNowMs / span) * span - span;
const question = { symbol: 'BTCUSDT', interval: '1h', fromMs: toMs - 9 * span, toMs } as const;

describe.each(exchangeIds)('a ban by %s', (exchange) => {
  it.each(['rateLimited', 'banned'] as const)(
    'after %s is obeyed: no request at all until it is over',
    async (fault) => {
      const venue = exchanges.venues().byExchange[exchange];
      await venue.symbols();
      exchanges.fake.faults.add(FaultRule.parse({ fault, venue: exchange, times: 1, retryAfterS: 120 }));
      const rejected = await venue.candles(question);
      expect(rejected).toMatchObject({ ok: false, error: { code: 'upstream_rate_limited', retryAfterS: 120 } });
      expect(venue.state()).toBe('banned');

      exchanges.fake.requests.clear();
      for (let second = 0; second < 120; second += 7) {
        exchanges.clock.set(testNowMs + second * 1000);
        const during = await Promise.all([venue.candles(question), venue.prices(), venue.funding('BTCUSDT')]);
        for (const outcome of during) {
          expect(outcome).toMatchObject({
            ok: false,
            error: { code: 'upstream_rate_limited', retryAfterS: 120 - second },
          });
        }
      }
      expect(exchanges.fake.requests.all()).toEqual([]);

      exchanges.clock.set(testNowMs + 120_000);
      expect((await venue.candles(question)).ok).toBe(true);
      expect(venue.state()).toBe('ok');
    },
  );

  it('applies to requests that were waiting for their turn', async () => {
    const venue = exchanges.venues().byExchange[exchange];
    await venue.symbols();
    exchanges.fake.faults.add(FaultRule.parse({ fault: 'banned', venue: exchange, retryAfterS: 600 }));
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => venue.candles(question)));
    expect(outcomes.every((outcome) => !outcome.ok)).toBe(true);
    const sentBefore = exchanges.fake.requests.all().length;
    await Promise.all(Array.from({ length: 40 }, () => venue.candles(question)));
    expect(exchanges.fake.requests.all()).toHaveLength(sentBefore);
  });

  it('without a stated length, by 403, lasts at least five minutes', async () => {
    const venue = exchanges.venues().byExchange[exchange];
    await venue.symbols();
    exchanges.fake.faults.add(FaultRule.parse({ fault: 'forbidden', venue: exchange, times: 1 }));
    const rejected = await venue.candles(question);
    if (rejected.ok) throw new Error('expected a rejection');
    expect(rejected.error.retryAfterS).toBeGreaterThanOrEqual(300);
  });
});

describe.each(exchangeIds)('the breaker of %s', (exchange) => {
  it('opens after five failures and then sends one probe every 10 s', async () => {
    const venue = exchanges.venues().byExchange[exchange];
    await venue.symbols();
    exchanges.fake.faults.add(FaultRule.parse({ fault: 'serverError', venue: exchange }));
    for (let i = 0; i < 6; i++) await venue.candles(question);
    expect(venue.state()).toBe('broken');
    exchanges.fake.requests.clear();
    const openedMs = exchanges.clock.now();
    for (let ms = 0; ms <= 60_000; ms += 500) {
      exchanges.clock.set(openedMs + ms);
      const outcome = await venue.candles(question);
      expect(outcome).toMatchObject({ ok: false, error: { code: 'upstream_unavailable' } });
    }
    expect(exchanges.fake.requests.all().length).toBeLessThanOrEqual(6);
    expect(exchanges.fake.requests.all().length).toBeGreaterThanOrEqual(5);
    exchanges.fake.faults.clear();
    exchanges.clock.advance(10_000);
    expect((await venue.candles(question)).ok).toBe(true);
    expect(venue.state()).toBe('ok');
  });
});

describe('a caller that leaves', () => {
  it('gets its error immediately and does not count as a failure of the exchange', async () => {
    const venue = exchanges.venues().byExchange.binance;
    await venue.symbols();
    exchanges.fake.faults.add(FaultRule.parse({ fault: 'hang', venue: 'binance', times: 1 }));
    const controller = new AbortController();
    const response = venue.candles({ ...question, signal: controller.signal });
    controller.abort();
    expect(await response).toMatchObject({ ok: false, error: { code: 'deadline_exceeded' } });
    expect(venue.state()).toBe('ok');
  });
});

describe('retryAfterMs', () => {
  const header = (value: string) => new Headers({ 'retry-after': value });
  it('reads seconds and dates, limited to between a second and three days', () => {
    const nowMs = Date.UTC(2025, 0, 1);
    expect(retryAfterMs(header('30'), nowMs)).toBe(30_000);
    expect(retryAfterMs(header('0'), nowMs)).toBe(1000);
    expect(retryAfterMs(header('99999999'), nowMs)).toBe(259_200_000);
    expect(retryAfterMs(header('Wed, 01 Jan 2025 00:02:00 GMT'), nowMs)).toBe(120_000);
    expect(retryAfterMs(header('Tue, 31 Dec 2024 23:00:00 GMT'), nowMs)).toBe(1000);
  });
  it('returns undefined without a readable value', () => {
    expect(retryAfterMs(new Headers(), 0)).toBeUndefined();
    expect(retryAfterMs(header('soon'), 0)).toBeUndefined();
  });
});
