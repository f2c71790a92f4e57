import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { cutKlineRows } from '@sextant/workers/src/protocol/wire/klineRows.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { numbersOf, rowsOfCells, pagesOf } from '../../../src/adapters/exchanges/candles.ts';
import { exchanges } from '../../../src/adapters/exchanges/exchanges.ts';
import type { CandleQuestion } from '../../../src/adapters/exchanges/restDialect.ts';
import {
  startTestExchanges,
  type TestExchanges,
  testNowMs,
  exchangeIds,
  trueCandles,
} from './support/testExchanges.ts';
import type { Interval } from '../../../src/features/market/port.ts';

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

describe('the request for ten hourly bars', () => {
  // https://developers.binance.com, Kline/Candlestick Data of USDT-M futures: both ends included.
  it('to Binance', () => {
    const query = { symbol: 'BTCUSDT', interval: '1h', limit: '10' };
    const span = { startTime: String(fromMs), endTime: String(nowMs - hourMs) };
    expect(parts(exchanges.binance.rest.candles.path(question))).toEqual(['/fapi/v1/klines', { ...query, ...span }]);
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
    expect(parts(exchanges.bybit.rest.candles.path({ ...question, interval }))).toEqual([
      '/v5/market/kline',
      { ...query, ...span },
    ]);
  });

  // https://www.okx.com/docs-v5, Get candlesticks: before and after are exclusive.
  it('to OKX has exclusive bounds and requests UTC days, which otherwise start at 16:00', () => {
    const span = { before: String(fromMs - 1), after: String(nowMs) };
    const query = { instId: 'BTC-USDT-SWAP', bar: '1H', limit: '10', ...span };
    const okx = { ...question, id: 'BTC-USDT-SWAP' };
    expect(parts(exchanges.okx.rest.candles.path(okx))).toEqual(['/api/v5/market/candles', query]);
    expect(exchanges.okx.rest.candles.path({ ...okx, interval: '1d' })).toContain('bar=1Dutc');
  });

  it('to OKX uses another route for bars older than its recent 1,440', () => {
    const old = { ...question, fromMs: nowMs - 1440 * hourMs };
    expect(parts(exchanges.okx.rest.candles.path(old))[0]).toBe('/api/v5/market/history-candles');
    expect(parts(exchanges.okx.rest.candles.path({ ...old, fromMs: nowMs - 1439 * hourMs }))[0]).toBe(
      '/api/v5/market/candles',
    );
  });
});

describe('rows that could not be extracted are read from the JSON', () => {
  it('cell by cell, and a cell that is not a number becomes NaN', () => {
    const body = {
      code: '0',
      data: [['1', '2', '3', '1', '2', '99', '7'], ['2', '', null, '1', '2', '99', 'x'], null],
    };
    const okx = exchanges.okx.rest.candles;
    expect(okx.rows(body).map(numbersOf(okx))).toEqual([[1, 2, 3, 1, 2, 7], [2, NaN, NaN, 1, 2, NaN], null]);
  });

  it('from the cells of each exchange', () => {
    const row = [1, 2, 3, 1, 2, 4];
    expect(exchanges.binance.rest.candles.rows([row])).toEqual([row]);
    expect(exchanges.bybit.rest.candles.rows({ result: { list: [row] } })).toEqual([row]);
    expect(exchanges.bybit.rest.candles.rows({ result: {} })).toEqual([]);
    expect(exchanges.okx.rest.candles.rows({ data: [row] })).toEqual([row]);
  });
});

describe('a response in the form of the exchange', () => {
  let fakes: TestExchanges;
  beforeAll(async () => {
    fakes = await startTestExchanges();
  });
  afterAll(() => fakes.close());

  it.each([
    ['Binance', exchanges.binance.rest.candles, 'BTCUSDT'],
    ['Bybit', exchanges.bybit.rest.candles, 'BTCUSDT'],
    ['OKX', exchanges.okx.rest.candles, 'BTC-USDT-SWAP'],
  ] as const)('of %s is cut, and gives what its JSON says', async (_name, dialect, id) => {
    const lastMs = Math.floor(testNowMs / hourMs) * hourMs - hourMs;
    const span = { fromMs: lastMs - 99 * hourMs, toMs: lastMs, nowMs: testNowMs };
    const path = dialect.path({ ...question, ...span, id });
    const response = await fetch(new URL(path, fakes.fake.url));
    const bytes = new Uint8Array(await response.arrayBuffer());
    const rows = cutKlineRows(bytes, dialect.layout);
    expect(rows?.rowCount).toBe(100);
    const body = JSON.parse(new TextDecoder().decode(bytes)) as unknown;
    expect(rows && rowsOfCells(rows, dialect)).toEqual(dialect.rows(body).map(numbersOf(dialect)));
  });
});

describe('pagesOf', () => {
  it('splits seven bars into pages of three, the remainder last', () => {
    expect(pagesOf(0, 6000, 1000, 3)).toEqual([
      { fromMs: 0, toMs: 2000 },
      { fromMs: 3000, toMs: 5000 },
      { fromMs: 6000, toMs: 6000 },
    ]);
  });

  it('makes one page of exactly one page, and none of an empty span', () => {
    expect(pagesOf(0, 2000, 1000, 3)).toEqual([{ fromMs: 0, toMs: 2000 }]);
    expect(pagesOf(1000, 0, 1000, 3)).toEqual([]);
  });
});

describe('candles across the response limit', () => {
  let fakes: TestExchanges;
  beforeAll(async () => {
    fakes = await startTestExchanges();
  });
  afterAll(() => fakes.close());

  // A response holds 1,000 bars of Binance and Bybit, 300 of OKX, whose recent list ends after 1,440.
  const counts = [1, 299, 300, 301, 1000, 1001, 2500];
  const cases = exchangeIds.flatMap((exchange) => counts.map((count) => [exchange, count] as const));
  it.each(cases)('of %s: %i bars are exactly those of the market', async (exchange, count) => {
    fakes.fake.limits.clear();
    const interval: Interval = '5m';
    const span = intervalMs[interval];
    const toMs = Math.floor(testNowMs / span) * span - span;
    const fromMs = toMs - (count - 1) * span;
    const venue = fakes.venues().byExchange[exchange];
    const outcome = await venue.candles({ symbol: 'ETHUSDT', interval, fromMs, toMs });
    if (!outcome.ok) throw new Error(outcome.error.message);
    const { candles, gaps, rejectedCount } = outcome.value;
    expect({ gaps, rejectedCount }).toEqual({ gaps: [], rejectedCount: 0 });
    const truth = [...trueCandles(fakes.fake, exchange, 'ETHUSDT', interval, fromMs, toMs).values()];
    expect(truth).toHaveLength(count);
    const rows = Array.from(candles.time, (timeMs, i) => [
      timeMs,
      candles.open[i],
      candles.high[i],
      candles.low[i],
      candles.close[i],
      candles.volume[i],
    ]);
    expect(rows).toEqual(truth);
  });
});
