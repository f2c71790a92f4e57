import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorkers } from '../../../../src/startWorkers.ts';
import { createMarketApp, type MarketApp } from '../../../support/createMarketApp.ts';
import type { TestUser } from '../../../support/createTestApp.ts';
import { daysAgoMs } from '../../../support/hours.ts';

const endTime = daysAgoMs(30);
type Columns = Record<'time' | 'open' | 'high' | 'low' | 'close' | 'volume', number[]>;
let test: MarketApp;
let stopWorkers: () => Promise<void>;
let candles: Columns;
beforeAll(async () => {
  test = await createMarketApp();
  stopWorkers = await startWorkers(test.deps, test.app.log);
  const { bearer: headers } = await test.signUp();
  const url = `/api/klines?symbol=BTCUSDT&interval=1h&limit=700&endTime=${endTime}`;
  candles = (await test.app.inject({ url, headers })).json<{ candles: Columns }>().candles;
});
afterAll(async () => {
  await stopWorkers();
  await test.close();
});

const mapped = (change: (name: string, column: number[]) => number[]): Columns =>
  Object.fromEntries(Object.entries(candles).map(([name, column]) => [name, change(name, column)])) as Columns;
const without = (rows: number): Columns => mapped((_, column) => column.slice(rows));
/** Other closes of the same hours. */
const scaled = (by: number): Columns =>
  mapped((name, column) => (name === 'time' || name === 'volume' ? column : column.map((price) => by * price)));

async function post<T>(user: TestUser, payload: object): Promise<T> {
  const body = { interval: '1h', scored: 300, ...payload };
  const response = await test.app.inject({ method: 'POST', url: '/api/backtest', headers: user.bearer, payload: body });
  if (response.statusCode >= 300) throw new Error(response.body);
  return response.json<T>();
}
const samples = 1001;
/** A search that runs as a job, until it is done. @returns its sets */
async function searchInJob(user: TestUser, sent: object, seed: number): Promise<number> {
  const { search } = await post<{ search: { search_id: string } }>(user, {
    ...sent,
    optimize: { samples, seed, refine: false },
  });
  const read = async () => {
    const url = `/api/backtest/searches/${search.search_id}`;
    const response = await test.app.inject({ url, headers: user.bearer });
    return response.json<{ search: { status: string; result: { trialCount: number } | null } }>().search;
  };
  await expect.poll(async () => (await read()).status, { timeout: 60_000 }).toBe('done');
  return (await read()).result?.trialCount ?? 0;
}
/** The verdict of a short search, which states the looks and sets before it. */
const judged = async (user: TestUser, sent: object, seed: number) =>
  (
    await post<{ honesty: { trialCount: number; earlierLooks: number } }>(user, {
      ...sent,
      optimize: { samples: 20, seed, refine: false },
      honesty: true,
    })
  ).honesty;

describe('long searches on own candles', () => {
  it('count for the next verdict on the same scored candles, and for no others', async () => {
    const user = await test.signUp();
    expect(await searchInJob(user, { candles: without(0) }, 1)).toBe(samples);
    expect(await searchInJob(user, { candles: without(1) }, 2)).toBe(samples);
    expect(await judged(user, { candles: without(2) }, 3)).toMatchObject({
      earlierLooks: 2,
      trialCount: 2 * samples + 20,
    });
    expect(await judged(user, { candles: scaled(1.5) }, 4)).toMatchObject({ earlierLooks: 0, trialCount: 20 });
  }, 120_000);

  it.each([
    { label: 'BTCUSDT' },
    { label: 'BTCUSDT', exchange: 'bybit' },
    { minutesOf: 'BTCUSDT' },
    { rulesOf: 'BTCUSDT' },
  ])(
    'named %j count with that market, as short ones do',
    async (name) => {
      const user = await test.signUp();
      await searchInJob(user, { candles: without(0), ...name }, 1);
      // Other closes: only the name says that they are the same market.
      expect(await judged(user, { candles: scaled(1.5), ...name }, 2)).toMatchObject({
        earlierLooks: 1,
        trialCount: samples + 20,
      });
    },
    120_000,
  );
});
