import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import type { TestUser } from '../../support/createTestApp.ts';
import { daysAgoMs } from '../../support/hours.ts';

const endTime = daysAgoMs(30);
type Columns = Record<'time' | 'open' | 'high' | 'low' | 'close' | 'volume', number[]>;
let test: MarketApp;
let candles: Columns;
beforeAll(async () => {
  test = await createMarketApp();
  const { bearer: headers } = await test.signUp();
  const url = `/api/klines?symbol=BTCUSDT&interval=1h&limit=700&endTime=${endTime}`;
  candles = (await test.app.inject({ url, headers })).json<{ candles: Columns }>().candles;
});
afterAll(() => test.close());

interface Verdict {
  trialCount: number;
  earlierLooks: number;
  family: { markets: number };
}

async function run(user: TestUser, payload: object): Promise<Verdict> {
  const body = { interval: '1h', honesty: true, ...payload };
  const response = await test.app.inject({ method: 'POST', url: '/api/backtest', headers: user.bearer, payload: body });
  if (response.statusCode !== 200) throw new Error(response.body);
  return response.json<{ honesty: Verdict }>().honesty;
}
const without = (rows: number): Columns =>
  Object.fromEntries(Object.entries(candles).map(([name, column]) => [name, column.slice(rows)])) as Columns;
const search = (seed: number) => ({ optimize: { samples: 20, seed } });
const sent = (rows: number) => ({ candles: without(rows), scored: 300, ...search(rows + 1) });

describe('searches on own candles', () => {
  it('with one warm-up row less each are counted together, with those on the same candles by name', async () => {
    const user = await test.signUp();
    const matches = [];
    for (let rows = 0; rows < 4; rows++) matches.push(await run(user, sent(rows)));
    expect(matches.map(({ earlierLooks }) => earlierLooks)).toEqual([0, 1, 2, 3]);
    const own = matches[0]!.trialCount;
    expect(matches.map(({ trialCount }) => trialCount)).toEqual([own, 2 * own, 3 * own, 4 * own]);
    const named = await run(user, { symbol: 'BTCUSDT', endTime, limit: 700, scored: 300, ...search(9) });
    expect(named).toMatchObject({ earlierLooks: 4, trialCount: 5 * own, family: { markets: 0 } });
    // A run of the default set, which no search led to, and the same set a row later.
    const plain = { scored: 300, params: { slPct: 0.031 } };
    const one = await run(user, { ...plain, candles: without(5) });
    expect(await run(user, { ...plain, candles: without(6) })).toMatchObject({ trialCount: one.trialCount });
  });

  it.each([{ rulesOf: 'BTCUSDT' }, { minutesOf: 'BTCUSDT' }, { label: 'BTCUSDT' }])(
    'named %j count in the series of that symbol, whatever their closes are',
    async (name) => {
      const user = await test.signUp();
      const first = await run(user, { symbol: 'BTCUSDT', endTime, limit: 700, scored: 300, ...search(1) });
      const scaled = Object.fromEntries(
        Object.entries(without(1)).map(([key, column]) => [
          key,
          key === 'time' || key === 'volume' ? column : column.map((price) => 1.5 * price),
        ]),
      );
      const own = { ...sent(1), candles: scaled };
      expect(await run(user, own)).toMatchObject({ earlierLooks: 0, trialCount: first.trialCount });
      const named = await run(user, { ...own, ...search(7), ...name });
      expect(named.earlierLooks).toBeGreaterThanOrEqual(1);
      expect(named.trialCount).toBeGreaterThanOrEqual(2 * first.trialCount);
    },
  );

  it('still count by their hash where an older row has no sample', async () => {
    const user = await test.signUp();
    const first = await run(user, sent(0));
    await test.database.asOwner('update backtest_trials set closes = null');
    const again = await run(user, { ...sent(0), ...search(2) });
    expect(again).toMatchObject({ earlierLooks: 1, trialCount: 2 * first.trialCount });
  });
});
