import type { BacktestResult } from '@sextant/workers/src/protocol/backtest.ts';
import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Contract } from '@sextant/workers/src/candles/contract.ts';
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

type ResponseBody = Pick<BacktestResult['summary'], 'netPnl' | 'tradeCount'> & {
  droppedSignals: Record<'tooSmall' | 'marginShort', number>;
  hashes: BacktestResult['hashes'];
  tradeList: BacktestResult['trades'];
  contract: (Contract & { leverage: number; notes: string[] }) | null;
};

const post = (payload: object) =>
  test.app.inject({ method: 'POST', url: '/api/backtest', headers: anna.bearer, payload });
async function run(payload: object): Promise<ResponseBody> {
  const response = await post({ symbol: 'BTCUSDT', interval: '1h', endTime, fineData: false, ...payload });
  if (response.statusCode !== 200) throw new Error(response.body);
  return response.json<ResponseBody>();
}
const isOn = (value: number, unit: number): boolean => Math.abs(value / unit - Math.round(value / unit)) < 1e-6;

describe('a backtest on candles of an exchange follows the rules of its contract', () => {
  it.each(['BTCUSDT', 'DOGEUSDT', 'ORDIUSDT'])('%s: sizes on the step, prices on the tick', async (symbol) => {
    const { tradeList, contract } = await run({ symbol, params: { entryThreshold: 0.2 } });
    const { tickSize, stepSize } = contract!;
    expect(tradeList.length).toBeGreaterThan(5);
    for (const { quantity, entryPrice, exitPrice, closeReason } of tradeList) {
      expect(isOn(quantity, stepSize)).toBe(true);
      expect(isOn(entryPrice, tickSize)).toBe(true);
      if (closeReason !== 'LIQ') expect(isOn(exitPrice, tickSize)).toBe(true);
    }
  });

  it('an account too small for one order opens nothing and counts the orders that were not accepted', async () => {
    const strategy = liveRules(['1h']);
    const costs = { initialEquity: 30, notional: 30, leverage: 10 };
    const free = await run({ strategy, costs, rulesOf: 'none' });
    const bound = await run({ strategy, costs });
    expect(free.tradeCount).toBeGreaterThan(10);
    expect(free.contract).toBeNull();
    // 1 % of 30 USDT is less than what the least order of 100 USDT loses at its stop, however calm the market.
    expect(bound.tradeCount).toBe(0);
    expect(bound.droppedSignals.tooSmall + bound.droppedSignals.marginShort).toBeGreaterThan(10);
  });

  it('125x on 10 million is lowered to what the tiers allow', async () => {
    const costs = { initialEquity: 1e6, notional: 1e7, leverage: 125 };
    const { contract } = await run({ costs });
    expect(contract).toMatchObject({ exchange: 'binance', leverageMax: 125, leverage: 50 });
    expect(contract!.notes).toEqual(['Leverage lowered from 125x to 50x, the maximum at this position size.']);
    // Binance grants 50x for 3 to 12 million on BTC; with custom tiers a higher leverage is rejected, naming the field.
    const tiers = contract!.tiers;
    const rejected = await post({ symbol: 'BTCUSDT', interval: '1h', endTime, costs: { ...costs, tiers } });
    expect(rejected.statusCode).toBe(400);
    expect(rejected.json()).toMatchObject({ field: 'costs.leverage' });
    expect(rejected.body).toContain('at most 50');
  });

  it('a position above the last tier is rejected, naming the largest size', async () => {
    const rejected = await post({
      symbol: 'BTCUSDT',
      interval: '1h',
      endTime,
      costs: { initialEquity: 1e9, notional: 6e8, leverage: 2 },
    });
    expect(rejected.statusCode).toBe(400);
    expect(rejected.json()).toMatchObject({ field: 'costs.notional' });
    expect(rejected.body).toContain('must be below 500000000 USDT');
  });

  it('without a Binance key 125x is lowered to 20x with a note, and a large position is rejected', async () => {
    const keyless = await createMarketApp({ isKeyless: true });
    try {
      const user = await keyless.signUp();
      const send = (costs: object) => {
        const payload = { symbol: 'BTCUSDT', interval: '1h', endTime, fineData: false, costs };
        return keyless.app.inject({ method: 'POST', url: '/api/backtest', headers: user.bearer, payload });
      };
      const sized = { initialEquity: 1e6, notional: 100_000, leverage: 125 };
      const lowered = await send(sized);
      expect(lowered.json<ResponseBody>().contract).toMatchObject({
        tiers: null,
        leverageMax: null,
        leverage: 20,
        notes: [
          'Leverage lowered from 125x to 20x, the maximum while the leverage tiers are unknown.',
          expect.stringMatching(/^Leverage tiers unknown: maintenance margin [\d.]+ % at every size\.$/),
        ],
      });
      const large = { ...sized, notional: 1e7 };
      const rejected = await send(large);
      expect(rejected.statusCode).toBe(400);
      expect(rejected.json()).toMatchObject({ field: 'costs.notional' });
      expect(rejected.body).toContain('must be below 250000 USDT');
      // Tiers of the caller are used as they are.
      const tiers = [{ notionalFloor: 0, maintenanceMarginFraction: 0.01, leverageMax: 50 }];
      const own = await send({ ...large, leverage: 50, tiers });
      expect(own.statusCode).toBe(200);
    } finally {
      await keyless.close();
    }
  });

  it('Bybit and OKX have their own fees, tiers and liquidation formula', async () => {
    const params = { entryThreshold: 0.1, slPct: 0.1, tpPct: 0.2 };
    const costs = { initialEquity: 1e5, notional: 1000, leverage: 20 };
    const matches = await Promise.all(
      (['binance', 'bybit', 'okx'] as const).map((exchange) => run({ exchange, params, costs })),
    );
    const liquidation = matches.map(({ contract, tradeList }, i) => {
      const [{ side, entryPrice: entry, liquidationPrice }] = tradeList as [BacktestResult['trades'][number]];
      const s = side === 'LONG' ? 1 : -1;
      const m = contract!.tiers![0]!.maintenanceMarginFraction;
      const byHand = [(1 / 20 - s) / (m - s), 1 - s * (1 / 20 - m), (1 - s / 20) / (1 - s * (m + 0.0005))][i]!;
      return { isClose: Math.abs(liquidationPrice! / (entry * byHand) - 1) < 1e-5, exchange: contract!.exchange };
    });
    expect(liquidation).toEqual(['binance', 'bybit', 'okx'].map((exchange) => ({ isClose: true, exchange })));
    // A liquidation pays no fee at its exit: docs/simulator.md, section 5.
    const trade = matches[1]!.tradeList.find(({ closeReason }) => closeReason !== 'LIQ');
    expect(trade!.fees).toBeCloseTo(0.00055 * trade!.quantity * (trade!.entryPrice + trade!.exitPrice), 6);
  });

  it('own candles have no rules, or those of a named symbol', async () => {
    const klines = await test.app.inject({
      url: `/api/klines?symbol=BTCUSDT&interval=1h&limit=600&endTime=${endTime}`,
      headers: anna.bearer,
    });
    const { candles } = klines.json<{ candles: object }>();
    const own = { symbol: undefined, endTime: undefined, candles, interval: '1h', params: { entryThreshold: 0.2 } };
    const free = await run(own);
    expect(free.contract).toBeNull();
    expect(free.tradeList.some(({ entryPrice }) => !isOn(entryPrice, 0.1))).toBe(true);
    const bound = await run({ ...own, rulesOf: 'btcusdt' });
    expect(bound.contract).toMatchObject({ symbol: 'BTCUSDT', stepSize: 0.001 });
    expect(bound.tradeList.every(({ quantity }) => isOn(quantity, 0.001))).toBe(true);
  });

  it('a search and the run of its best set have the same rules, and rules in the costs are not replaced', async () => {
    const optimize = { samples: 30, seed: 3 };
    const searched = await post({ symbol: 'BTCUSDT', interval: '1h', endTime, fineData: false, optimize });
    const { best, contract } = searched.json<{ best: ResponseBody & { bestParams: object }; contract: Contract }>();
    expect(contract.stepSize).toBe(0.001);
    const again = await run({ params: best.bestParams });
    expect(again.hashes).toEqual(best.hashes);
    const coarse = await run({ params: best.bestParams, costs: { stepSize: 0.01 } });
    expect(coarse.contract).toBeNull();
    expect(coarse.tradeList.every(({ quantity }) => isOn(quantity, 0.01))).toBe(true);
  });
});
