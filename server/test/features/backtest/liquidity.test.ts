import type { BacktestResult } from '@sextant/workers/src/protocol/backtest.ts';
import { defaultCosts } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import type { TestUser } from '../../support/createTestApp.ts';
import { daysAgoMs } from '../../support/hours.ts';

const endTime = daysAgoMs(30);
let test: MarketApp;
let anna: TestUser;
beforeAll(async () => {
  test = await createMarketApp();
  anna = await test.signUp();
});
afterAll(() => test.close());

type ResponseBody = BacktestResult['summary'] &
  BacktestResult['analysis'] & {
    hashes: BacktestResult['hashes'];
    tradeList: BacktestResult['trades'];
    largestOrders: number;
    sizesCut: { count: number; fromMs: number } | null;
    contract: { maxQuantity: number };
  };

const base = { symbol: 'ETHUSDT', interval: '1h', endTime, fineData: false, params: { entryThreshold: 0.2 } };
async function run(payload: object, url = '/api/backtest'): Promise<ResponseBody> {
  const sent = url === '/api/backtest' ? { ...base, ...payload } : payload;
  const response = await test.app.inject({ method: 'POST', url, headers: anna.bearer, payload: sent });
  if (response.statusCode !== 200) throw new Error(response.body);
  return response.json<ResponseBody>();
}
/** One after the other: a user has few slots on the engine. */
async function inTurn(payloads: object[]): Promise<ResponseBody[]> {
  const responses: ResponseBody[] = [];
  for (const payload of payloads) responses.push(await run(payload));
  return responses;
}
/** Below 500 million: the end of the last tier of the simulated exchange. */
const ofSize = (size: number, more: object = {}) => ({
  costs: { initialEquity: size, notional: size, leverage: 2, ...more },
});
const off = { impactCoefficient: 0, turnoverShareMax: 0 };

describe('the size of an order counts', () => {
  it('1,000, a million and 400 million USDT do not give the same return', async () => {
    const sizes = [1000, 1e6, 4e8];
    const runs = await inTurn(sizes.map((size) => ofSize(size)));
    const costs = runs.map(({ tradeList }) =>
      Math.max(...tradeList.map(({ slippage, quantity, entryPrice }) => slippage / (quantity * entryPrice))),
    );
    expect(costs[1]! / costs[0]!).toBeGreaterThan(2);
    const [small, , huge] = runs;
    expect(small).toMatchObject({ largeFillTradeCount: 0, limitedEntryCount: 0 });
    expect(small!.turnoverShareLargest).toBeLessThan(0.001);
    // 400 million take a tenth of a candle at most, and the result says how often.
    expect(huge!.limitedEntryCount).toBe(huge!.tradeCount);
    expect(huge!.largeFillTradeCount).toBe(huge!.tradeCount);
    expect(Math.max(...huge!.tradeList.map(({ quantity, entryPrice }) => quantity * entryPrice))).toBeLessThan(4e8);
    const returns = runs.map(({ netPnl }, i) => netPnl / sizes[i]!);
    expect(new Set(returns.map((each) => each.toFixed(6))).size).toBe(3);
  });

  it('switched off, every size is filled at the same price, and the shares are still named', async () => {
    const [small, huge] = await inTurn([1000, 4e8].map((size) => ofSize(size, { ...off, leverage: 1 })));
    const prices = ({ tradeList }: ResponseBody) => tradeList.slice(0, 5).map(({ entryPrice }) => entryPrice);
    expect(prices(huge!)).toEqual(prices(small!));
    expect(huge!.turnoverShareLargest).toBeGreaterThan(1);
    expect(huge!.limitedEntryCount).toBe(0);
  });

  it('the standard model stated in full is the one that is used', async () => {
    const [left, stated] = await inTurn([ofSize(1e6), ofSize(1e6, { impactCoefficient: 1, turnoverShareMax: 0.1 })]);
    expect(stated!.hashes).toEqual(left!.hashes);
    expect((await run(ofSize(1e6, off))).hashes.params).not.toBe(left!.hashes.params);
  });

  it('a search and the run of its best set have the same bits', async () => {
    const searched = (await run({ ...ofSize(1e6), optimize: { samples: 30, seed: 5 } })) as unknown as {
      best: ResponseBody & { bestParams: object };
    };
    const again = await run({ ...ofSize(1e6), params: searched.best.bestParams });
    expect(again.hashes).toEqual(searched.best.hashes);
    expect(again.turnoverShareLargest).toBe(searched.best.turnoverShareLargest);
  });

  it('on own candles too: 400 million USDT do not return what a thousand does, unless it is switched off', async () => {
    const klines = await test.app.inject({
      url: `/api/klines?symbol=ETHUSDT&interval=1h&limit=600&endTime=${endTime}`,
      headers: anna.bearer,
    });
    const { candles } = klines.json<{ candles: object }>();
    const own = (size: number, more: object = {}) => ({
      ...ofSize(size, more),
      symbol: undefined,
      endTime: undefined,
      rulesOf: 'ETHUSDT',
      candles,
    });
    const [small, huge, zero, stated] = await inTurn([
      own(1000),
      own(4e8),
      own(4e8, off),
      own(4e8, { impactCoefficient: 1, turnoverShareMax: 0.1 }),
    ]);
    expect(huge!.limitedEntryCount).toBe(huge!.tradeCount);
    expect((huge!.netPnl / 4e8).toFixed(6)).not.toBe((small!.netPnl / 1000).toFixed(6));
    expect(stated!.hashes).toEqual(huge!.hashes);
    expect(zero!.limitedEntryCount).toBe(0);
    expect(zero!.hashes.params).not.toBe(huge!.hashes.params);
    // The same candles by name.
    const named = await run({ ...ofSize(1000), limit: 600, scored: 600 });
    expect(small!.slippage / small!.tradeCount).toBeCloseTo(named.slippage / named.tradeCount, 6);
  });

  it('a link of an earlier version repeats its run', async () => {
    const costs = { ...defaultCosts, ...ofSize(1e6).costs };
    const run1 = await run({ costs: { ...costs, ...off }, rulesOf: 'none', limit: 600, scored: 300 });
    const { fineData: _on, ...link } = { ...base, params: fullParams(run1), limit: 600, scored: 300, costs };
    const shared = await run(link, '/api/shared-backtest');
    expect(shared.hashes).toEqual(run1.hashes);
  });

  it('RULE-192 is at most the largest market order that OKX publishes, and says so', async () => {
    const size = { initialEquity: 1e9, leverage: 1, turnoverShareMax: 0 };
    const small = await run({ exchange: 'okx', costs: { ...size, notional: 10_000 } });
    // 5,000 contracts of 0.1 ETH. A fifth more at the highest price: more than an order has, less than a position may have.
    const notional = 1.2 * 500 * Math.max(...small.tradeList.map(({ entryPrice }) => entryPrice));
    const { contract, tradeList, largestOrders } = await run({ exchange: 'okx', costs: { ...size, notional } });
    expect(contract.maxQuantity).toBe(500);
    expect(tradeList.length).toBeGreaterThan(0);
    expect(new Set(tradeList.map(({ quantity }) => quantity))).toEqual(new Set([500]));
    expect(largestOrders).toBe(tradeList.length);
    expect(small.largestOrders).toBe(0);
  });

  it('says from when sizes were cut because the account could not pay for more', async () => {
    const { sizesCut, tradeList } = await run({ costs: { initialEquity: 120, notional: 10_000, leverage: 10 } });
    expect(sizesCut).toEqual({ count: tradeList.length, fromMs: tradeList[0]!.entryTimeMs });
    expect((await run({})).sizesCut).toBeNull();
  });
});

const fullParams = (response: ResponseBody): object => (response as unknown as { bestParams: object }).bestParams;
