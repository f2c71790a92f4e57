import { afterAll, beforeAll, expect, it } from 'vitest';
import { ScanBody } from '../../../src/features/scan/contract.ts';
import { findSignals } from '../../../src/features/scan/findSignals.ts';
import type { Pause } from '../../../src/features/scan/waitForLimit.ts';
import type { Market } from '../../../src/features/market/port.ts';
import { type Rejection, reject } from '../../../src/platform/errors.ts';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import { scanParams } from '../../support/scanParams.ts';

let test: MarketApp;
let userId: string;
beforeAll(async () => {
  test = await createMarketApp();
  userId = (await test.signUp()).id;
});
afterAll(() => test.close());

/** The error of a scan of three symbols; `candles` responds to its loads. */
async function failedScan(candles: Market['candles'], pause?: Pause): Promise<Rejection | null> {
  const market: Market = { ...test.deps.market, readWarm: () => null, candles };
  const body = ScanBody.parse({ symbols: ['BTCUSDT', 'ETHUSDT', 'BNBUSDT'], intervals: ['1h'] });
  const params = await scanParams(test.deps, userId, body);
  const options = { userId, signal: AbortSignal.timeout(20_000), onProgress: () => Promise.resolve() };
  const outcome = await findSignals({ ...test.deps, market, ...(pause && { pause }) }, params, options);
  return outcome.ok ? null : outcome.error;
}
const busy = (retryAfterS?: number) =>
  reject('upstream_rate_limited', 'The queue for Binance is full.', {
    exchange: 'binance',
    ...(retryAfterS !== undefined && { retryAfterS }),
  });

it('a scan without any candles, as the exchange was busy, says so and when to scan again: after the longest wait', async () => {
  const waits = [12, 40, 25];
  expect(await failedScan(() => Promise.resolve(busy(waits.pop())))).toEqual({
    code: 'upstream_rate_limited',
    message: 'Binance was busy. Scan again in 40 s.',
    retryAfterS: 40,
    exchange: 'binance',
  });
  expect(await failedScan(() => Promise.resolve(busy()))).toMatchObject({
    code: 'upstream_rate_limited',
    message: 'Binance was busy. Scan again in a minute.',
  });
});

it('NODE-016 a scan that our own request limit stopped says so, and does not blame the exchange', async () => {
  const message = 'The queue for Binance is full. Try again in 9 s.';
  const own = reject('upstream_rate_limited', message, { exchange: 'binance', retryAfterS: 9, isOwnLimit: true });
  const pauses: number[] = [];
  const pause: Pause = (ms) => Promise.resolve(void pauses.push(ms));
  expect((await failedScan(() => Promise.resolve(own), pause))?.message).toBe(
    'Our request limit for Binance is used up. Scan again in 9 s.',
  );
  // 9 s fit into the 15 s of a scan once.
  expect(pauses.length).toBeGreaterThan(0);
  expect(new Set(pauses)).toEqual(new Set([9000]));
});

it('NODE-064 a scan waits for our own request limit and repeats the loads that it rejected', async () => {
  const own = reject('upstream_rate_limited', 'Full.', { exchange: 'binance', retryAfterS: 6, isOwnLimit: true });
  const rejected = new Set<string>();
  const candles: Market['candles'] = (request) => {
    if (rejected.has(request.symbol)) return test.deps.market.candles(request);
    rejected.add(request.symbol);
    return Promise.resolve(own);
  };
  const pauses: number[] = [];
  expect(await failedScan(candles, (ms) => Promise.resolve(void pauses.push(ms)))).toBeNull();
  expect(rejected.size).toBe(3);
  expect(pauses).toEqual([6000, 6000, 6000]);
  // Too long a wait does not start, and a busy exchange is not waited for.
  const long = reject('upstream_rate_limited', 'Full.', { exchange: 'binance', retryAfterS: 16, isOwnLimit: true });
  for (const outcome of [long, busy(6)]) {
    pauses.length = 0;
    expect(
      await failedScan(
        () => Promise.resolve(outcome),
        (ms) => Promise.resolve(void pauses.push(ms)),
      ),
    ).not.toBeNull();
    expect(pauses).toEqual([]);
  }
});

it('a scan without any candles, as the user has too many requests waiting, names these', async () => {
  const message = 'Your queue for Binance is full. Try again in 9 s.';
  const candles = () => Promise.resolve(reject('rate_limited', message, { retryAfterS: 9, exchange: 'binance' }));
  expect(await failedScan(candles)).toMatchObject({ code: 'rate_limited', message, retryAfterS: 9 });
});

it('a scan that loads one symbol while the exchange is busy has its result; one that cannot use it names the exchange', async () => {
  const one =
    (limit?: number): Market['candles'] =>
    (request) =>
      request.symbol === 'BTCUSDT'
        ? test.deps.market.candles({ ...request, limit: limit ?? request.limit })
        : Promise.resolve(busy(7));
  expect(await failedScan(one())).toBeNull();
  expect((await failedScan(one(3)))?.message).toBe('Binance was busy. Scan again in 7 s.');
});

it('a scan whose exchange failed otherwise names the missing candles', async () => {
  const error = await failedScan(() => Promise.resolve(reject('upstream_unavailable', 'Binance is away.')));
  expect(error).toMatchObject({
    code: 'upstream_unavailable',
    message: 'The exchange sent no valid candles for any symbol.',
  });
});
