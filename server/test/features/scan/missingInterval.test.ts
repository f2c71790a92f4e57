import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Market } from '../../../src/features/market/port.ts';
import { ScanBody } from '../../../src/features/scan/contract.ts';
import { findSignals } from '../../../src/features/scan/findSignals.ts';
import { reject } from '../../../src/platform/errors.ts';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import { scanParams } from '../../support/scanParams.ts';

let test: MarketApp;
beforeAll(async () => {
  test = await createMarketApp();
});
afterAll(() => test.close());

it('HIST-171 scores no symbol by a part of the intervals of a saved strategy', async () => {
  const anna = await test.signUp();
  const symbols = ['BTCUSDT', 'ETHUSDT', 'BNBUSDT'];
  const params = {
    ...(await scanParams(test.deps, anna.id, ScanBody.parse({ symbols, intervals: ['1h', '4h'] }))),
    strategy: { name: 'Both', value: liveRules(['1h', '4h']), version: 'a'.repeat(12) },
  };
  const scan = async (failing: string | undefined) => {
    const candles: Market['candles'] = (request) =>
      `${request.symbol} ${request.interval}` === failing
        ? Promise.resolve(reject('upstream_unavailable', 'binance is down'))
        : test.deps.market.candles(request);
    const market: Market = { ...test.deps.market, readWarm: () => null, candles };
    const options = { userId: anna.id, signal: AbortSignal.timeout(50_000), onProgress: () => Promise.resolve() };
    const outcome = await findSignals({ ...test.deps, market }, params, options);
    if (!outcome.ok) throw new Error(outcome.error.message);
    const { scored, missing } = outcome.value;
    return {
      scored: scored.map(({ signal }) => `${signal.symbol} ${signal.interval}`).toSorted(),
      missing: missing.map(({ symbol, interval }) => `${symbol} ${interval}`).toSorted(),
    };
  };
  const all = ['BNBUSDT 1h', 'BTCUSDT 1h', 'ETHUSDT 1h'];
  expect(await scan(undefined)).toEqual({ scored: all, missing: [] });
  expect(await scan('ETHUSDT 4h')).toEqual({
    scored: ['BNBUSDT 1h', 'BTCUSDT 1h'],
    missing: ['ETHUSDT 1h', 'ETHUSDT 4h'],
  });
  expect(await scan('ETHUSDT 1h')).toEqual({ scored: ['BNBUSDT 1h', 'BTCUSDT 1h'], missing: ['ETHUSDT 1h'] });
});
