import { intervalMs, signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { type ResultLine, rounded } from '../results.ts';
import { type Product, startProduct } from './product.ts';
import type { ResponseBody } from './serverChild.ts';

/** From the fork of the server until every series of the scans is warm again after a kill, without a request for candles. */
const WARM_MAX_MS = 10_000;
const READY_MAX_MS = 300_000;
const STORED_MAX_MS = 120_000;

/** From the start of the streams until every series is warm. */
export async function untilWarm(product: Product): Promise<ResponseBody & { readyAfterMs: number }> {
  let state = await product.ask({ ask: 'streams' });
  const untilMs = performance.now() + READY_MAX_MS;
  while (state.readyAfterMs === null) {
    if (performance.now() > untilMs) throw new Error('the market did not get warm');
    await delay(250);
    state = await product.ask({ ask: 'state' });
  }
  return { ...state, readyAfterMs: state.readyAfterMs };
}

async function countCandleRequests(exchangesUrl: string): Promise<number> {
  const response = await fetch(`${exchangesUrl}/__control/requests`);
  const { requests } = (await response.json()) as { requests: { endpoint: string }[] };
  return requests.filter(({ endpoint }) => endpoint === 'klines').length;
}

/** The store writes its buffer in the order of arrival: the series of the scans before those of background jobs. */
async function untilStored(product: Product, seriesCount: number): Promise<void> {
  const untilMs = performance.now() + STORED_MAX_MS;
  const intervals = signalIntervals.map((each) => `'${each}'`).join();
  for (;;) {
    const [row] = await product.sql(`select count(distinct (symbol, interval))::int as stored from history_chunks
      where exchange = 'binance' and price = 'last' and interval in (${intervals}) and candle_count > 0`);
    if (Number(row?.['stored']) >= seriesCount) return;
    if (performance.now() > untilMs) throw new Error('the candles were not stored');
    await delay(500);
  }
}

/** The series of the scans after a first start, and after a kill with the candles in the store. */
export async function measureWarmStart(): Promise<{ lines: ResultLine[]; notes: string[] }> {
  const product = await startProduct(() => ({ HISTORY_BACKFILL: 'off' }));
  try {
    const before = await untilWarm(product);
    const firstRequests = await countCandleRequests(product.exchangesUrl);
    const quarterOf = (): number => Math.floor(Date.now() / intervalMs['15m']);
    const quarter = quarterOf();
    await untilStored(product, before.readyCount);
    await fetch(`${product.exchangesUrl}/__control/requests`, { method: 'DELETE' });
    const forkedMs = performance.now();
    await product.restart();
    const after = await untilWarm(product);
    const afterMs = performance.now() - forkedMs;
    const requests = await countCandleRequests(product.exchangesUrl);
    const line = (name: string, figure: number, unit: string): ResultLine => ({
      suite: 'api',
      case: name,
      figure: rounded(figure),
      unit,
    });
    const lines = [
      line(`warm ${before.readyCount} series, empty store`, before.readyAfterMs / 1000, 's'),
      line('warm, empty store, requests for candles', firstRequests, 'requests'),
      line(`warm ${after.readyCount} series, after a kill`, afterMs / 1000, 's'),
      line('warm, after a kill, requests for candles', requests, 'requests'),
    ];
    const fault = (mismatch: string): void => void lines.push({ suite: 'api', case: 'warm, after a kill', mismatch });
    if (afterMs > WARM_MAX_MS)
      fault(`warm ${(afterMs / 1000).toFixed(1)} s after the start, the promise is ${WARM_MAX_MS / 1000} s`);
    if (requests > 0 && quarterOf() === quarter)
      fault(`${requests} requests for candles, though none closed in between`);
    const notes = [
      'warm: the server is killed with its candles in the store and started again. The second time counts from the start of its process. A candle that closes in between is requested: run it again when a quarter of an hour ended.',
    ];
    return { lines, notes };
  } finally {
    await product.close();
  }
}
