import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { packChunk } from '@sextant/workers/src/candles/candleChunk.ts';
import { candlesOf } from '@sextant/workers/src/candles/candleColumns.ts';
import { packStored } from '@sextant/workers/src/candles/storedCandles.ts';
import type { HistoryOptions, StoredCandles } from '../../../src/features/backtest/history.ts';
import { createMemoryDatabase } from '../../support/memoryDatabase.ts';

/** A market of hourly candles from hour 100 on; the close of a candle is its hour. Hours in `holes` never traded. */
const HOUR = 3_600_000;
const FIRST = 100;
let last = 9999;
let holes = new Set<number>();
/** Handles the n-th request instead of the fake. */
let instead: ((n: number, response: ServerResponse) => boolean) | undefined;
const requested: URLSearchParams[] = [];
const storedRequests: URLSearchParams[] = [];

const server = createServer((request, response) => {
  const query = new URL(request.url ?? '/', 'http://fake').searchParams;
  if (request.url?.startsWith('/api/market/history') === true) {
    sendStored(query, response);
    return;
  }
  requested.push(query);
  if (instead?.(requested.length, response) === true) return;
  const end = query.has('endTime') ? Number(query.get('endTime')) / HOUR - 1 : last;
  const hours: number[] = [];
  for (let hour = end; hour >= FIRST && hours.length < Number(query.get('limit')); hour--)
    if (!holes.has(hour)) hours.unshift(hour);
  const candles = {
    time: hours.map((hour) => hour * HOUR),
    ...Object.fromEntries(['open', 'high', 'low', 'close', 'volume'].map((name) => [name, hours])),
  };
  response.setHeader('content-type', 'application/json');
  if (request.url?.startsWith('/api/funding') === true)
    return void response.end(
      JSON.stringify({ history: [{ at: new Date(9000 * HOUR).toISOString(), funding_rate: 0.0001 }] }),
    );
  response.end(JSON.stringify({ candles, exchange: 'binance', data_age_ms: 250 }));
});

/** Hours that the server has stored; null: none, and the request fails. */
let onServer: [from: number, to: number] | null = null;

function sendStored(query: URLSearchParams, response: ServerResponse): void {
  storedRequests.push(query);
  if (onServer === null) return void response.writeHead(503).end();
  const [from, to] = onServer;
  const hours = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  const columns = candlesOf((name) => Float64Array.from(hours, (hour) => (name === 'time' ? hour * HOUR : hour)));
  const chunk = Uint8Array.of(0, ...packChunk(columns, HOUR));
  const header = { exchange: 'binance', fromMs: from * HOUR, toMs: to * HOUR, chunks: [chunk.length], revisions: [] };
  response.setHeader('content-type', 'application/octet-stream');
  response.end(packStored(header, [chunk]));
}

const memory = createMemoryDatabase();
/** Key of a visitor, whose user id is empty. */
const storedKey = '\ncandles BTCUSDT 1h';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  vi.stubGlobal('window', { location: { origin: `http://127.0.0.1:${port}` } });
  vi.stubGlobal('indexedDB', memory.factory);
});
afterAll(() => {
  vi.unstubAllGlobals();
  server.close();
});
beforeEach(() => {
  memory.records.clear();
  memory.isFull = false;
  requested.length = 0;
  storedRequests.length = 0;
  onServer = null;
  instead = undefined;
  holes = new Set();
  last = 9999;
});

async function load(count: number, more: Partial<HistoryOptions> = {}) {
  const { loadHistory } = await import('../../../src/features/backtest/history.ts');
  const { signal } = new AbortController();
  const options: HistoryOptions = { symbol: 'BTCUSDT', interval: '1h', intervalMs: HOUR, count, signal, ...more };
  const history = await loadHistory(options);
  return { ...history, hours: [...history.candles.close] };
}
const cached = (): number[] => [...((memory.records.get(storedKey) as StoredCandles | undefined)?.candles.close ?? [])];
const upTo = (end: number, count: number): number[] => Array.from({ length: count }, (_, i) => end - count + 1 + i);

describe('a long history', () => {
  it('is fetched page by page without a hole or a repeat, and stored', async () => {
    const seen: number[] = [];
    const { hours, isStored, isOffline } = await load(3500, { onProgress: (done) => seen.push(done) });
    expect(hours).toEqual(upTo(9999, 3500));
    expect(requested.map((query) => query.get('limit'))).toEqual(['1000', '1000', '1000', '500']);
    expect(seen).toEqual([1000, 2000, 3000, 3500]);
    expect([cached(), isStored, isOffline]).toEqual([hours, true, false]);
  });

  it('HIST-025 takes what the server has stored in one response, and fetches the rest', async () => {
    onServer = [6000, 9500];
    const { hours } = await load(3500);
    expect(hours).toEqual(upTo(9999, 3500));
    expect(requested.map((query) => query.get('limit'))).toEqual(['1000']);
    expect(storedRequests.map((query) => query.get('limit'))).toEqual(['3500']);
    // A stretch joins only once the pages reach it: a gap between them would be hidden.
    memory.records.clear();
    onServer = [6000, 8000];
    requested.length = 0;
    expect((await load(3500)).hours).toEqual(upTo(9999, 3500));
    expect(requested.map((query) => query.get('limit'))).toEqual(['1000', '1000']);
  });

  it('that is here already costs one request, however far the market has moved on', async () => {
    await load(3500);
    requested.length = 0;
    last = 10_200;
    expect((await load(3500)).hours).toEqual(upTo(10_200, 3500));
    expect(requested).toHaveLength(1);
  });

  it('is not joined over missed candles: they are fetched', async () => {
    await load(1000);
    last = 12_500;
    expect((await load(3000)).hours).toEqual(upTo(12_500, 3000));
  });

  it('has the holes of the market and none is filled', async () => {
    holes = new Set([9000, 9001, 8500]);
    const { hours } = await load(2000);
    expect(hours).toHaveLength(2000);
    expect(hours.filter((hour) => holes.has(hour))).toEqual([]);
    expect(new Set(hours).size).toBe(2000);
  });

  it('ends where the market started', async () => {
    last = 2599;
    const { hours } = await load(50_000);
    expect([hours.length, hours[0]]).toEqual([2500, FIRST]);
  });

  it('that was cancelled goes on from where it was', async () => {
    const stop = new AbortController();
    const onProgress = (done: number) => {
      if (done >= 3000) stop.abort();
    };
    await expect(load(8000, { signal: stop.signal, onProgress })).rejects.toThrow();
    expect(cached()).toEqual(upTo(9999, 3000));
    requested.length = 0;
    expect((await load(8000)).hours).toEqual(upTo(9999, 8000));
    // The newest page, to know what is new, and the five that were missing.
    expect(requested).toHaveLength(6);
  });

  it('that was cut off keeps the fetched candles, and reports the failure', async () => {
    instead = (n, response) => {
      if (n === 3) response.destroy();
      return n === 3;
    };
    await expect(load(5000)).rejects.toMatchObject({
      code: 'unreachable',
      message: 'Connection lost after 2,000 of 5,000 candles. Run again to continue from there.',
    });
    expect(cached()).toEqual(upTo(9999, 2000));
  });

  it('that was cut off gives up no longer one that it had not reached', async () => {
    await load(4000);
    last = 12_500;
    instead = (n, response) => {
      if (n === 6) response.destroy();
      return n === 6;
    };
    await expect(load(5000)).rejects.toMatchObject({
      message:
        'Connection lost after 1,000 of 5,000 candles. Your longer stored history is safe: run again to continue.',
    });
    expect(cached()).toEqual(upTo(9999, 4000));
    expect((await load(5000)).hours).toEqual(upTo(12_500, 5000));
  });

  it('that was cut off in a browser without room says that it starts again', async () => {
    memory.isFull = true;
    instead = (n, response) => {
      if (n === 2) response.destroy();
      return n === 2;
    };
    await expect(load(5000)).rejects.toMatchObject({
      message: 'Connection lost after 1,000 of 5,000 candles. Browser storage is full: run again to start over.',
    });
  });

  const rejectSecond =
    (status: number, code: string, waitS: string) =>
    (n: number, response: ServerResponse): boolean => {
      if (n !== 2) return false;
      response.writeHead(status, { 'content-type': 'application/problem+json', 'retry-after': waitS });
      response.end(JSON.stringify({ code, title: 'Too many' }));
      return true;
    };

  it.each([
    [429, 'rate_limited'],
    [503, 'upstream_rate_limited'],
  ])('waits as long as the server requests: %i %s', async (status, code) => {
    instead = rejectSecond(status, code, '1');
    const { hours } = await load(2000);
    expect(hours).toEqual(upTo(9999, 2000));
  });

  it('reports a ban of minutes instead of waiting for its end', async () => {
    instead = rejectSecond(503, 'upstream_rate_limited', '120');
    await expect(load(2000)).rejects.toThrow(/^The server is busy\. Try again at /);
  });

  it('without a network is what this browser has, when that reaches back far enough', async () => {
    await load(3000);
    instead = (_, response) => {
      response.destroy();
      return true;
    };
    expect(await load(3000)).toMatchObject({ hours: upTo(9999, 3000), isOffline: true });
    memory.records.clear();
    await expect(load(3000)).rejects.toMatchObject({ code: 'unreachable' });
  });

  it('without a network and without candles says what is missing', async () => {
    instead = (_, response) => {
      response.destroy();
      return true;
    };
    const words = (what: string) => ({
      message: `Server unreachable, and this browser has ${what} of BTCUSDT 1h. Check your connection and try again.`,
    });
    await expect(load(3000)).rejects.toMatchObject(words('no candles'));
    instead = undefined;
    await load(300);
    instead = (_, response) => {
      response.destroy();
      return true;
    };
    await expect(load(3000)).rejects.toMatchObject(words('only 300 candles'));
    expect(await load(300)).toMatchObject({ hours: upTo(9999, 300), isOffline: true });
  });

  it('is loaded again when the stored data is not a history', async () => {
    for (const damaged of ['text', { candles: {} }, { candles: { time: new Float64Array(3) }, exchange: 'binance' }]) {
      memory.records.set(storedKey, damaged);
      expect((await load(1500)).hours).toEqual(upTo(9999, 1500));
    }
  });

  it('that the browser has no room for is returned all the same, and reported as not stored', async () => {
    memory.isFull = true;
    const { hours, isStored } = await load(2000);
    expect([hours.length, isStored, cached()]).toEqual([2000, false, []]);
  });

  it('keeps the newer stretch when an old window is loaded', async () => {
    await load(3000);
    await load(1000, { endTimeMs: 6000 * HOUR });
    expect(cached()).toEqual(upTo(9999, 3000));
  });
});

describe('the fundings of a run', () => {
  const loadRun = async () => {
    const { loadFromExchange } = await import('../../../src/features/backtest/history.ts');
    const { signal } = new AbortController();
    return loadFromExchange({ symbol: 'BTCUSDT', interval: '1h', count: 1200, endTimeMs: 10_000 * HOUR, signal });
  };
  const rejectFundings = (times: number, waitS: string) => {
    let rejected = 0;
    instead = (n, response) => {
      if (requested[n - 1]?.has('since') !== true || rejected === times) return false;
      rejected += 1;
      response.writeHead(503, { 'content-type': 'application/problem+json', 'retry-after': waitS });
      response.end(JSON.stringify({ code: 'upstream_rate_limited', title: 'Too many' }));
      return true;
    };
  };

  it('are waited for when the limit of the exchange is used up', async () => {
    const whole = await loadRun();
    expect(whole.funding?.rate).toEqual(Float64Array.of(0.0001));
    memory.records.clear();
    rejectFundings(1, '1');
    expect((await loadRun()).funding).toEqual(whole.funding);
  });

  it('are unknown when the exchange rejects them for longer', async () => {
    rejectFundings(1, '120');
    expect((await loadRun()).funding).toBeNull();
  });
});
