import { cutKlineRows } from '@sextant/workers/src/protocol/wire/klineRows.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { markBarOf } from '../../../fakes/exchanges/market/mark.ts';
import { rowsOfCells } from '../../../src/adapters/exchanges/candles.ts';
import { exchanges } from '../../../src/adapters/exchanges/exchanges.ts';
import type { CandleQuestion } from '../../../src/adapters/exchanges/restDialect.ts';
import { exchangeIds, startTestExchanges, type TestExchanges, testNowMs } from './support/testExchanges.ts';

const hourMs = 3_600_000;
const nowMs = Date.UTC(2026, 0, 10);
const question: CandleQuestion = {
  id: 'BTCUSDT',
  interval: '1h',
  intervalMs: hourMs,
  fromMs: nowMs - 10 * hourMs,
  toMs: nowMs - hourMs,
  nowMs,
};
const pathOf = (path: string): string => new URL(path, 'http://x').pathname;

describe('the request for candles of the mark price', () => {
  it('goes to the route of each exchange, with the span of the candles', () => {
    for (const id of exchangeIds) {
      const { candles, markCandles } = exchanges[id].rest;
      const [own, mark] = [candles, markCandles].map((each) => new URL(each.path(question), 'http://x').search);
      expect(mark).toBe(own);
    }
    expect(exchangeIds.map((id) => pathOf(exchanges[id].rest.markCandles.path(question)))).toEqual([
      '/fapi/v1/markPriceKlines',
      '/v5/market/mark-price-kline',
      '/api/v5/market/mark-price-candles',
    ]);
    const old = { ...question, fromMs: nowMs - 1440 * hourMs };
    expect(pathOf(exchanges.okx.rest.markCandles.path(old))).toBe('/api/v5/market/history-mark-price-candles');
  });

  it('costs at Binance what candles cost, and has its own budget at OKX', () => {
    const costOf = (id: 'binance' | 'okx', path: string, limit = '1000') =>
      exchanges[id].rules.cost(path, new URLSearchParams({ limit }));
    expect(costOf('binance', '/fapi/v1/markPriceKlines')).toEqual({ budget: 'weight', cost: 5 });
    expect(costOf('binance', '/fapi/v1/markPriceKlines', '60')).toEqual({ budget: 'weight', cost: 1 });
    const path = '/api/v5/market/mark-price-candles';
    expect(costOf('okx', path)).toEqual({ budget: path, cost: 1 });
  });
});

describe('rows of the mark price', () => {
  // The examples of the exchanges' own documentation.
  it.each([
    [
      'binance',
      '[[1591256460000,"9653.29201333","9654.56401333","9653.07367333","9654.07367333","0",1591256519999,"0",60,"0","0","0"]]',
      [1591256460000, 9653.29201333, 9654.56401333, 9653.07367333, 9654.07367333, 0],
    ],
    [
      'bybit',
      '{"retCode":0,"retMsg":"OK","result":{"symbol":"BTCUSDT","category":"linear","list":[["1670608800000","17164.16","17164.16","17121.5","17131.64"]]},"retExtInfo":{},"time":1672026361839}',
      [1670608800000, 17164.16, 17164.16, 17121.5, 17131.64, 0],
    ],
    [
      'okx',
      '{"code":"0","msg":"","data":[["1597026383085","3.721","3.743","3.677","3.708","1"]]}',
      [1597026383085, 3.721, 3.743, 3.677, 3.708, 0],
    ],
  ] as const)('of %s have four prices and no volume', (id, text, row) => {
    const { markCandles } = exchanges[id].rest;
    const rows = cutKlineRows(new TextEncoder().encode(text), markCandles.layout);
    expect(rows && rowsOfCells(rows, markCandles)).toEqual([row]);
  });

  it('a response of Bybit about another symbol is rejected', () => {
    const body = { retCode: 0, result: { symbol: 'ETHUSDT', list: [] } };
    const query = new URLSearchParams({ symbol: 'BTCUSDT' });
    expect(exchanges.bybit.rules.judge(200, body, '/v5/market/mark-price-kline', query).kind).toBe('broken');
  });
});

describe('candles of the mark price', () => {
  let fakes: TestExchanges;
  beforeAll(async () => {
    fakes = await startTestExchanges();
  });
  afterAll(() => fakes.close());

  it.each(exchangeIds)('of %s span several responses and differ from the candles', async (id) => {
    const venue = fakes.venues().byExchange[id];
    const toMs = Math.floor(testNowMs / hourMs) * hourMs - hourMs;
    const span = { symbol: 'BTCUSDT', interval: '1h' as const, fromMs: toMs - 249 * hourMs, toMs };
    const [marks, candles] = await Promise.all([venue.candles({ ...span, price: 'mark' }), venue.candles(span)]);
    if (!marks.ok || !candles.ok) throw new Error('no candles');
    const result = marks.value.candles;
    expect(result.time).toEqual(candles.value.candles.time);
    expect(result.time).toHaveLength(250);
    const listing = [...fakes.fake.listings[id].values()].find((each) => each.instrument.base === 'BTC');
    if (listing === undefined) throw new Error('BTC is not listed');
    const [bar] = fakes.fake.market.candles(listing, '1h', toMs, toMs + 1, testNowMs);
    const mark = bar && markBarOf(listing, bar, hourMs);
    expect(result.high.at(-1)).toBeCloseTo(mark?.high ?? NaN, 3);
    expect(result.open.at(-1)).toBeCloseTo(mark?.open ?? NaN, 3);
    expect(result.high).not.toEqual(candles.value.candles.high);
    expect(new Set(result.volume)).toEqual(new Set([0]));
  });

  it.each(['serverError', 'htmlWithOk', 'rateLimited'] as const)(
    'return an error with a code after %s',
    async (fault) => {
      fakes.fake.faults.add({ fault, endpoint: 'mark', retryAfterS: 30, delayMs: 0 });
      const toMs = Math.floor(testNowMs / hourMs) * hourMs - hourMs;
      const span = { symbol: 'ETHUSDT', interval: '1h' as const, fromMs: toMs - 5 * hourMs, toMs };
      const outcome = await fakes.venues().byExchange.binance.candles({ ...span, price: 'mark' });
      fakes.fake.faults.clear();
      expect(outcome.ok || outcome.error.code).toBe(
        fault === 'rateLimited' ? 'upstream_rate_limited' : 'upstream_unavailable',
      );
    },
  );
});
