import { beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import type { Costs, StrategyParams } from '@sextant/workers/src/protocol/backtest.ts';
import { defaultCosts } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { pushMarket, runSingle } from '@sextant/workers/src/tasks/optimize/market.ts';
import { candidateOf, runSets, sampleSets, startSearch } from '@sextant/workers/src/tasks/optimize/search.ts';
import { createClassicEvaluator } from '@sextant/workers/src/tasks/optimize/setEvaluator.ts';
import { packSpace } from '@sextant/workers/src/tasks/optimize/space.ts';
import { differences } from '@sextant/workers/src/tasks/optimize/verify.ts';
import { randomCandles, randomCosts, randomParams, seededRandom } from '@sextant/workers/test/support/randomRuns.ts';
import { RESULT_TRADE_COUNT } from '../../abi/optimize.ts';
import { engineTimeoutMs, loadTestEngine, type Run, runKernel } from '../backtest/support/kernel.ts';
import { roughMarket } from '../candles.ts';
import { defaultParams, optimizeInput, roughCosts } from '../optimize/support.ts';
import { backtestReference } from '../reference/backtest.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await loadTestEngine();
}, engineTimeoutMs);

const others = [
  { entryCandleExits: false },
  { lastClose: 'mark' },
  { entryCandleExits: false, lastClose: 'mark' },
] as const satisfies Partial<Costs>[];

/** Without costs and leverage, a stop of 5 % and a target of 10 %. */
const plainCosts: Costs = {
  ...defaultCosts,
  takerFeeFraction: 0,
  slippageFraction: 0,
  stopSlippageFraction: 0,
  leverage: 1,
  notional: 1000,
  initialEquity: 10_000,
};
const params: StrategyParams = {
  weights: {},
  entryThreshold: 0.5,
  stopLossFraction: 0.05,
  takeProfitFraction: 0.1,
  trailing: { enabled: false, callbackFraction: 0, stepFraction: 0 },
};

/** Rows of open, high, low, close; the first candle signals a long. */
function runOf(rows: readonly (readonly [number, number, number, number])[], costs: Partial<Costs>): Run {
  const column = (k: 0 | 1 | 2 | 3): Float64Array => Float64Array.from(rows, (row) => row[k]);
  return {
    candles: {
      time: Float64Array.from(rows, (_, i) => i * 3_600_000),
      open: column(0),
      high: column(1),
      low: column(2),
      close: column(3),
      volume: new Float64Array(rows.length).fill(10),
    },
    score: Float64Array.from(rows, (_, i) => (i === 0 ? 1 : 0)),
    params,
    costs: { ...plainCosts, ...costs },
  };
}

const isNear = (got: number, want: number): boolean => Math.abs(got - want) <= 1e-9 * Math.max(1, Math.abs(want));

describe('fill rules', () => {
  it('RULE-132 let no level close a position in the candle of its entry', () => {
    // The entry candle falls to 94, beyond the stop at 95, the next one too.
    const rows = [
      [100, 101, 99, 100],
      [100, 101, 94, 99],
      [99, 100, 94, 98],
      [98, 99, 97, 98],
    ] as const;
    const [usual] = runKernel(engine, runOf(rows, {})).trades;
    expect(usual).toMatchObject({ entryIndex: 1, exitIndex: 1, exitPrice: 95, closeReason: 'SL', netPnl: -50 });
    const [held] = runKernel(engine, runOf(rows, { entryCandleExits: false })).trades;
    expect(held).toMatchObject({ entryIndex: 1, exitIndex: 2, exitPrice: 95, closeReason: 'SL', netPnl: -50 });
    // A next candle that opens at 90 fills there: 10 units lose 10 each.
    const gap = rows.map((row, i) => (i === 2 ? ([90, 92, 89, 91] as const) : row));
    const [gapped] = runKernel(engine, runOf(gap, { entryCandleExits: false })).trades;
    expect(gapped).toMatchObject({ exitIndex: 2, exitPrice: 90, closeReason: 'SL', netPnl: -100 });
  });

  it('RULE-132 value a position that is open at the last close without an order', () => {
    const rows = [
      [100, 101, 99, 100],
      [100, 106, 99, 105],
    ] as const;
    const fees = { takerFeeFraction: 0.001, slippageFraction: 0.01 };
    // 1,000 USDT at 101 after slippage; the entry costs 1, an order at 105 another 1 % and its fee.
    const quantity = 1000 / 101;
    const order = runKernel(engine, runOf(rows, fees)).trades[0]!;
    expect(order.closeReason).toBe('END');
    expect(order.exitPrice).toBeCloseTo(103.95, 12);
    expect(order.netPnl).toBeCloseTo(quantity * (103.95 - 101) - 1 - 0.001 * quantity * 103.95, 9);
    const { trades, equity } = runKernel(engine, runOf(rows, { ...fees, lastClose: 'mark' }));
    expect(trades[0]).toMatchObject({ closeReason: 'END', exitPrice: 105 });
    expect(trades[0]!.netPnl).toBeCloseTo(quantity * (105 - 101) - 1, 9);
    // The last equity is what it was marked at.
    expect(equity.at(-1)).toBe(10_000 + trades[0]!.netPnl);
  });

  it.each(others)('RULE-132 equal the reference over random runs: %o', (rules) => {
    let changed = 0;
    for (let seed = 1; seed <= 120; seed++) {
      const random = seededRandom(seed);
      const candles = randomCandles(random, 160);
      const own = randomParams(random);
      const score = candles.close.map(() => (random() < 0.2 ? random() * 2 - 1 : 0));
      const ranges = candles.close.map((close, i) => (i < 14 ? Number.NaN : close * 0.02 * random()));
      const run = { candles, score, params: own, atr: ranges, scoredCount: 150 };
      const costs = randomCosts(random, candles);
      const usual = runKernel(engine, { ...run, costs });
      const got = runKernel(engine, { ...run, costs: { ...costs, ...rules } });
      if (got.status !== 0) continue;
      const want = backtestReference({ ...run, costs: { ...costs, ...rules } });
      const where = `seed ${seed}`;
      const whole = ({ entryIndex, exitIndex }: { entryIndex: number; exitIndex: number }) => [entryIndex, exitIndex];
      expect(
        got.trades.map((trade) => [...whole(trade), trade.closeReason]),
        where,
      ).toEqual(want.trades.map((trade) => [...whole(trade), trade.reason]));
      // The reference computes in another order: the last bits differ.
      got.trades.forEach(({ exitPrice, netPnl, fees }, k) => {
        const { exitPrice: price, netPnl: net, fees: paid } = want.trades[k]!;
        expect([isNear(exitPrice, price), isNear(netPnl, net), isNear(fees, paid)], where).toEqual([true, true, true]);
      });
      expect(
        got.equity.findIndex((value, i) => !isNear(value, want.equity[i]!)),
        where,
      ).toBe(-1);
      changed += Number(got.summary.netPnl !== usual.summary.netPnl);
    }
    expect(changed).toBeGreaterThan(30);
  });

  it.each(others)('RULE-132 are the same in a search as in a single run: %o', (rules) => {
    let trades = 0;
    for (let seed = 1; seed <= 12; seed++) {
      const candles = roughMarket(300, seed, { volatility: 0.01, stepMs: 900_000 });
      const input = optimizeInput(candles, {
        params: defaultParams,
        costs: { ...roughCosts(candles, seed), ...rules },
        seed,
        scoredCount: 50,
      });
      const space = packSpace({ entryThreshold: { min: 0.02, max: 0.2 }, stopLossFraction: { min: 0.002, max: 0.02 } });
      if (!space.ok) throw new Error(space.error.message);
      engine.raw.arenaReset();
      const market = pushMarket(engine, input);
      const window = { start: 40, end: 300 };
      const search = startSearch(engine, createClassicEvaluator(engine, market, input), space.value, input, window);
      for (let index = 1; index <= 30; index++) {
        const set = sampleSets(search, [index]);
        const fast = runSets(search, set, index % 2 === 1);
        const { row } = candidateOf(set, fast.columns, 0, 'sample', index);
        expect(differences(row, runSingle(engine, market, set, input, window)), `seed ${seed}, set ${index}`).toEqual(
          [],
        );
        trades += row[RESULT_TRADE_COUNT]!;
      }
    }
    expect(trades).toBeGreaterThan(500);
  });
});
