import { cutKlineRows } from '@sextant/workers/src/wire/klineRows.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  candleDialects,
  type CandleQuestion,
  numbersOf,
  rowsOfCells,
} from '../../../src/adapters/exchanges/candleDialects.ts';
import { startTestExchanges, type TestExchanges, testNowMs } from './support/testExchanges.ts';

const hourMs = 3_600_000;
const nowMs = Date.UTC(2026, 0, 10);
const fromMs = nowMs - 10 * hourMs;
const question: CandleQuestion = {
  id: 'BTCUSDT',
  interval: '1h',
  intervalMs: hourMs,
  fromMs,
  toMs: nowMs - hourMs,
  nowMs,
};
const parts = (path: string) => {
  const url = new URL(path, 'http://x');
  return [url.pathname, Object.fromEntries(url.searchParams)];
};

describe('the question for ten hourly bars', () => {
  // https://developers.binance.com, Kline/Candlestick Data of USDT-M futures: both ends included.
  it('to Binance', () => {
    const query = { symbol: 'BTCUSDT', interval: '1h', limit: '10' };
    const span = { startTime: String(fromMs), endTime: String(nowMs - hourMs) };
    expect(parts(candleDialects.binance.path(question))).toEqual(['/fapi/v1/klines', { ...query, ...span }]);
  });

  // https://bybit-exchange.github.io/docs/v5/market/kline
  it.each([
    ['1h', '60'],
    ['15m', '15'],
    ['4h', '240'],
    ['1d', 'D'],
  ] as const)('to Bybit, which writes %s as %s', (interval, written) => {
    const query = { category: 'linear', symbol: 'BTCUSDT', interval: written, limit: '10' };
    const span = { start: String(fromMs), end: String(nowMs - hourMs) };
    expect(parts(candleDialects.bybit.path({ ...question, interval }))).toEqual([
      '/v5/market/kline',
      { ...query, ...span },
    ]);
  });

  // https://www.okx.com/docs-v5, Get candlesticks: before and after exclude the time they name.
  it('to OKX, whose ends are outside and whose day begins at 16:00 unless it is told', () => {
    const span = { before: String(fromMs - 1), after: String(nowMs) };
    const query = { instId: 'BTC-USDT-SWAP', bar: '1H', limit: '10', ...span };
    const okx = { ...question, id: 'BTC-USDT-SWAP' };
    expect(parts(candleDialects.okx.path(okx))).toEqual(['/api/v5/market/candles', query]);
    expect(candleDialects.okx.path({ ...okx, interval: '1d' })).toContain('bar=1Dutc');
  });

  it('to OKX goes to another route where the bars are older than its recent 1,440', () => {
    const old = { ...question, fromMs: nowMs - 1440 * hourMs };
    expect(parts(candleDialects.okx.path(old))[0]).toBe('/api/v5/market/history-candles');
    expect(parts(candleDialects.okx.path({ ...old, fromMs: nowMs - 1439 * hourMs }))[0]).toBe('/api/v5/market/candles');
  });
});

describe('rows that could not be cut out are read from the JSON', () => {
  it('cell by cell, and what is no number is none', () => {
    const body = {
      code: '0',
      data: [['1', '2', '3', '1', '2', '99', '7'], ['2', '', null, '1', '2', '99', 'x'], null],
    };
    const { okx } = candleDialects;
    expect(okx.rows(body).map(numbersOf(okx))).toEqual([[1, 2, 3, 1, 2, 7], [2, NaN, NaN, 1, 2, NaN], null]);
  });

  it('from where each exchange has them', () => {
    const row = [1, 2, 3, 1, 2, 4];
    expect(candleDialects.binance.rows([row])).toEqual([row]);
    expect(candleDialects.bybit.rows({ result: { list: [row] } })).toEqual([row]);
    expect(candleDialects.bybit.rows({ result: {} })).toEqual([]);
    expect(candleDialects.okx.rows({ data: [row] })).toEqual([row]);
  });
});

describe('an answer in the form of the exchange', () => {
  let exchanges: TestExchanges;
  beforeAll(async () => {
    exchanges = await startTestExchanges();
  });
  afterAll(() => exchanges.close());

  it.each([
    ['Binance', candleDialects.binance, 'BTCUSDT'],
    ['Bybit', candleDialects.bybit, 'BTCUSDT'],
    ['OKX', candleDialects.okx, 'BTC-USDT-SWAP'],
  ] as const)('of %s is cut, and gives what its JSON says', async (_name, dialect, id) => {
    const lastMs = Math.floor(testNowMs / hourMs) * hourMs - hourMs;
    const span = { fromMs: lastMs - 99 * hourMs, toMs: lastMs, nowMs: testNowMs };
    const path = dialect.path({ ...question, ...span, id });
    const response = await fetch(new URL(path, exchanges.fake.url));
    const bytes = new Uint8Array(await response.arrayBuffer());
    const rows = cutKlineRows(bytes, dialect.layout);
    expect(rows?.rowCount).toBe(100);
    const body = JSON.parse(new TextDecoder().decode(bytes)) as unknown;
    expect(rows && rowsOfCells(rows, dialect)).toEqual(dialect.rows(body).map(numbersOf(dialect)));
  });
});
