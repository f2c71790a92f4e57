import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import type { TestUser } from '../../support/createTestApp.ts';

let test: MarketApp;
let anna: TestUser;
const day = 86_400_000;
beforeAll(async () => {
  test = await createMarketApp({ env: { MARKET_STREAMS: 'off' } });
  // One has not traded for a year, one for four days, so that its older candles move.
  test.exchanges.market.stop('SOLUSDT', Date.now() - 365 * day);
  test.exchanges.market.stop('XRPUSDT', Math.floor(Date.now() / day) * day - 4 * day);
  anna = await test.signUp();
});
afterAll(() => test.close());

async function send(method: 'GET' | 'POST', url: string, payload?: object) {
  const response = await test.app.inject({ method, url, headers: anna.bearer, ...(payload && { payload }) });
  const { code, message } = response.json<{ code?: string; message?: string }>();
  return { status: response.statusCode, code, message };
}

describe('a market that is listed and does not trade', () => {
  it.each([
    ['a signal', 'POST', '/api/futures-signal', { symbol: 'SOLUSDT', interval: '1h' }],
    ['a signal on 1m', 'POST', '/api/futures-signal', { symbol: 'SOLUSDT', interval: '1m' }],
    ['an ensemble', 'GET', '/api/ensemble?symbol=SOLUSDT', undefined],
    ['a signal of one that traded last week', 'POST', '/api/futures-signal', { symbol: 'XRPUSDT', interval: '1h' }],
    [
      'a run of Live rules',
      'POST',
      '/api/backtest',
      { symbol: 'SOLUSDT', interval: '1h', strategy: liveRules(['1h']) },
    ],
    [
      'a search',
      'POST',
      '/api/backtest',
      { symbol: 'SOLUSDT', interval: '1h', optimize: { samples: 20, target: 'pnl', seed: 1 } },
    ],
    [
      'a search on the scored candles of Live rules',
      'POST',
      '/api/backtest',
      {
        symbol: 'SOLUSDT',
        interval: '1h',
        strategy: liveRules(['1h']),
        optimize: { samples: 20, target: 'pnl', seed: 1, trainOn: 'scored' },
      },
    ],
  ] as const)('is named as such: %s', async (_, method, url, payload) => {
    const rejection = await send(method, url, payload);
    expect(rejection).toMatchObject({ status: 422, code: 'market_not_trading' });
    expect(rejection.message).toMatch(/this market is halted: one price and no volume for \d+ candles/);
  });

  it('is not said of one that trades, nor of one whose longer candles hold trades', async () => {
    const signal = (symbol: string, interval: string) => send('POST', '/api/futures-signal', { symbol, interval });
    expect((await signal('BTCUSDT', '1h')).status).toBe(200);
    expect((await signal('XRPUSDT', '1d')).status).toBe(200);
  });
});
