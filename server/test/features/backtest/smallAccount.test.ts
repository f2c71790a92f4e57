import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import type { BacktestResult, Candles, Costs } from '@sextant/workers/src/protocol/backtest.ts';
import { runTask, startEngine, type TaskEngine } from '@sextant/workers/src/tasks/index.ts';
import { defaultCosts } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { bitcoin } from '../../../fakes/exchanges/market/instruments.ts';
import { createSeededMarket } from '../../../fakes/exchanges/market/seededMarket.ts';
import { type Listing, listingOf } from '../../../fakes/exchanges/market/venues.ts';

const HOUR_MS = 3_600_000;
const endMs = Date.UTC(2026, 10, 28);
/** Contract of BTCUSDT on Binance. */
const contract = { tickSize: 0.1, stepSize: 0.001, minNotional: 100 };

let engine: TaskEngine;
let candles: Candles;
beforeAll(async () => {
  engine = startEngine(await loadModule());
  const listing: Listing = listingOf('binance', bitcoin)!;
  const matches = createSeededMarket(20_220_101).candles(listing, '1h', endMs - 1200 * HOUR_MS, endMs, endMs);
  const column = (of: (candle: (typeof matches)[number]) => number): Float64Array => Float64Array.from(matches, of);
  const price = (ticks: number): number => ticks / 10 ** listing.priceDecimals;
  candles = {
    time: column(({ openTimeMs }) => openTimeMs),
    open: column(({ open }) => price(open)),
    high: column(({ high }) => price(high)),
    low: column(({ low }) => price(low)),
    close: column(({ close }) => price(close)),
    volume: column(({ lots }) => lots / 10 ** listing.quantityDecimals),
  };
});

function run(initialEquity: number, rules: Partial<Costs>): BacktestResult {
  const costs: Costs = { ...defaultCosts, initialEquity, ...rules };
  const input = { candles, strategy: liveRules(['1h']), context: [], scoredCount: 500, costs };
  const outcome = runTask(engine, { name: 'backtestStrategy', input });
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.value as BacktestResult;
}
const isOn = (value: number, unit: number): boolean => Math.abs(value / unit - Math.round(value / unit)) < 1e-6;

describe('Live rules on BTC 1h with a small account, by the rules of its contract', () => {
  it('at 250 USDT most of the gain without them is of sizes that the exchange does not take', () => {
    // +39.87 in 17 trades without, +3.17 in 10 with them.
    const [free, bound] = [run(250, {}), run(250, contract)];
    expect(free.summary.netPnl).toBeGreaterThan(30);
    expect(bound.summary.netPnl).toBeLessThan(free.summary.netPnl / 5);
    expect(bound.summary.tradeCount).toBeLessThan(free.summary.tradeCount);
    expect(free.trades.some(({ quantity }) => !isOn(quantity, contract.stepSize))).toBe(true);
  });

  it('at 100 USDT no order is accepted where the rules left out gain more than 10 USDT', () => {
    const [free, bound] = [run(100, {}), run(100, contract)];
    expect(free.summary.netPnl).toBeGreaterThan(10);
    expect(bound.summary).toMatchObject({ tradeCount: 0, netPnl: 0 });
    expect(bound.summary.droppedSignals.tooSmall).toBeGreaterThan(100);
  });

  it.each([250, 1000, 5000])('at %i USDT no trade names a size off the step or a price off the tick', (equity) => {
    const { trades } = run(equity, contract);
    expect(trades.length).toBeGreaterThan(5);
    for (const { quantity, entryPrice, exitPrice } of trades) {
      expect([
        isOn(quantity, contract.stepSize),
        isOn(entryPrice, contract.tickSize),
        isOn(exitPrice, contract.tickSize),
      ]).toEqual([true, true, true]);
      expect(quantity * entryPrice).toBeGreaterThanOrEqual(contract.minNotional);
    }
  });
});

describe('a contract with a tick of 0.1 and a step of one whole coin', () => {
  it('is traded in whole coins at prices of one decimal: 88,826.4, not 88,826.40 or 94,728.93', () => {
    const { trades } = run(500_000, { notional: 500_000, tickSize: 0.1, stepSize: 1, minNotional: 0 });
    expect(trades.length).toBeGreaterThan(5);
    for (const { quantity, entryPrice, exitPrice, stopLossPrice, takeProfitPrice } of trades) {
      expect(Number.isInteger(quantity)).toBe(true);
      for (const price of [entryPrice, exitPrice, stopLossPrice, takeProfitPrice])
        expect(String(price)).toMatch(/^\d+(\.\d)?$/);
    }
  });
});
