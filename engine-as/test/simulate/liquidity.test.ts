import { beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import type { Candles, Costs, Trade } from '@sextant/workers/src/protocol/backtest.ts';
import { rulesOf } from '@sextant/workers/src/tasks/rules.ts';
import { randomCandles, seededRandom } from '@sextant/workers/test/support/randomRuns.ts';
import { FRAME_LENGTH, frameSlot, SUMMARY_LENGTH } from '../../abi/records.ts';
import { STATUS_OK } from '../../abi/status.ts';
import { engineTimeoutMs, loadTestEngine, type Run, runKernel } from '../backtest/support/kernel.ts';
import { runOf, type Table } from '../backtest/support/tables.ts';
import { backtestReference } from '../reference/backtest.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await loadTestEngine();
}, engineTimeoutMs);

/** Ranges of 2 on a close of 100: volatility .02 / sqrt(4 ln 2) = .0120112241 of the price. */
const VOLATILITY = 0.0120112241;
const bars = `
  100 101 99  100
  100 101 99  100 L
  100 101 99  100
  100 101 99  100
  100 106 99  105`;
const stopped = bars.replace('100 106 99  105', '100 101 90  95');
/** 1,000 coins at 100 in each candle: a turnover of 100,000. */
const usual = [1000, 1000, 1000, 1000, 1000];

function runWith(costs: Partial<Costs>, more: Partial<Table> = {}, volume: number[] = usual): Run {
  const rich = { initialEquity: 1e12, leverage: 1, impactCoefficient: 1, ...costs };
  const run = runOf({ title: '', bars, trades: [], ...more, costs: rich });
  return { ...run, candles: { ...run.candles, volume: Float64Array.from(volume) } };
}

function onlyTrade(run: Run): Trade {
  const { trades, summary } = runKernel(engine, run);
  const twin = backtestReference({ ...run, scoredCount: run.scoredCount ?? run.candles.time.length });
  expect(trades, JSON.stringify(summary.droppedSignals)).toHaveLength(1);
  const [other] = twin.trades;
  expect(trades[0]!.quantity).toBeCloseTo(other!.quantity, 9);
  expect(trades[0]!.exitPrice).toBeCloseTo(other!.exitPrice, 9);
  return trades[0]!;
}

describe('a larger order is filled at a worse price', () => {
  it('1 % of the turnover costs a tenth of the volatility of a candle', () => {
    // 1,000 of 100,000: sqrt(.01) = .1.
    expect(onlyTrade(runWith({ notional: 1000 })).entryPrice).toBeCloseTo(100 * (1 + 0.1 * VOLATILITY), 6);
  });

  it('four times the size costs twice as much', () => {
    const { entryPrice } = onlyTrade(runWith({ notional: 4000 }));
    expect(entryPrice).toBeCloseTo(100 * (1 + 0.2 * VOLATILITY), 6);
  });

  it('on top of the slippage of the setup, and a short is filled lower', () => {
    const run = runWith({ notional: 1000, slippageFraction: 0.001 }, { bars: bars.replace('L', 'S') });
    // Without the impact it sells 1,000 / 99.9 coins, worth 1,001.001 at the open.
    const root = Math.sqrt(0.01001001);
    expect(onlyTrade(run).entryPrice).toBeCloseTo(100 * (1 - 0.001 - root * VOLATILITY), 6);
  });

  it('half the coefficient costs half', () => {
    const { entryPrice } = onlyTrade(runWith({ notional: 1000, impactCoefficient: 0.5 }));
    expect(entryPrice).toBeCloseTo(100 * (1 + 0.05 * VOLATILITY), 6);
  });

  it('without a coefficient the size moves nothing', () => {
    expect(onlyTrade(runWith({ notional: 1e9, impactCoefficient: 0 })).entryPrice).toBe(100);
  });

  it('a market target pays by its own notional, a limit target nothing', () => {
    const market = onlyTrade(runWith({ notional: 1000 }));
    const level = market.takeProfitPrice;
    // The last candle looks back on four, all alike.
    const share = Math.sqrt((market.quantity * level) / 100_000);
    expect(market.exitPrice).toBeCloseTo(level * (1 - share * VOLATILITY), 6);
    const limit = onlyTrade(runWith({ notional: 1000, takeProfitOrder: 'limit' }));
    expect(limit.exitPrice).toBe(limit.takeProfitPrice);
  });

  it('a stop pays it beside its own slippage', () => {
    const trade = onlyTrade(runWith({ notional: 1000, stopSlippageFraction: 0.002 }, { bars: stopped }));
    const share = Math.sqrt((trade.quantity * trade.stopLossPrice) / 100_000);
    expect(trade.closeReason).toBe('SL');
    expect(trade.exitPrice).toBeCloseTo(trade.stopLossPrice * (1 - 0.002 - share * VOLATILITY), 6);
  });

  it('no size moves the price by more than half', () => {
    const { entryPrice } = onlyTrade(runWith({ notional: 1e9, impactCoefficient: 100 }));
    expect(entryPrice).toBe(150);
  });
});

describe('an entry takes a limited part of the turnover', () => {
  const limited = { notional: 1e6, impactCoefficient: 0, turnoverShareMax: 0.1 };

  it('10 % of what the candles before it traded', () => {
    expect(onlyTrade(runWith(limited)).quantity).toBeCloseTo(100, 9);
  });

  it('and 10 % of the candle that fills it, where that is quieter', () => {
    expect(onlyTrade(runWith(limited, {}, [1000, 1000, 200, 1000, 1000])).quantity).toBeCloseTo(20, 9);
  });

  it('what the candle of the fill trades does not make the order larger', () => {
    expect(onlyTrade(runWith(limited, {}, [1000, 1000, 9000, 1000, 1000])).quantity).toBeCloseTo(100, 9);
  });

  it('is filled whole where it is smaller', () => {
    expect(onlyTrade(runWith({ ...limited, notional: 5000 })).quantity).toBe(50);
  });

  it('and is not opened where that is below the least order', () => {
    const { trades, summary } = runKernel(engine, runWith({ ...limited, minNotional: 10_001 }));
    expect([trades.length, summary.droppedSignals.tooSmall]).toEqual([0, 1]);
  });

  it('by risk as well: the least order is not raised above it', () => {
    const exits = { sizing: { mode: 'risk', riskFraction: 0.5, isCompounding: false } } as const;
    expect(onlyTrade(runWith(limited, { exits })).quantity).toBeCloseTo(100, 9);
    const { summary } = runKernel(engine, runWith({ ...limited, minNotional: 10_001 }, { exits }));
    expect(summary.droppedSignals.tooSmall).toBe(1);
  });
});

it.each([1, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 61, 500])(
  'impact and largest entry of %i candles are those of a plain loop over the 20 before each, to the bit',
  (count) => {
    engine.raw.arenaReset();
    const candles = randomCandles(seededRandom(7), count);
    // One candle, and a whole window, without turnover.
    candles.volume.fill(0, 40, 41).fill(0, 100, 130);
    const liquidity = { impactCoefficient: 0.7, turnoverShareMax: 0.3 };
    const { params, costs } = runWith(liquidity);
    const columns = [candles.time, candles.open, candles.high, candles.low, candles.close, candles.volume];
    const frame = new Int32Array(FRAME_LENGTH);
    frame.set([count, ...columns.map((column) => engine.push(column)), engine.push(new Float64Array(count))]);
    frame[frameSlot.fundingCount] = -1;
    frame.set(
      [engine.push(rulesOf(params, costs, 1)), engine.reserve(count), engine.reserve(SUMMARY_LENGTH)],
      frameSlot.rules,
    );
    const frameAt = engine.reserveBytes(4 * FRAME_LENGTH);
    engine.i32View(frameAt, FRAME_LENGTH).set(frame);
    expect(engine.raw.backtest(frameAt)).toBe(STATUS_OK);
    const slots = engine.i32View(frameAt, FRAME_LENGTH).slice();
    const impact = engine.pull(slots[frameSlot.impact]!, count);
    const entryMax = engine.pull(slots[frameSlot.entryMax]!, count);
    expect([impact, entryMax]).toEqual(plainLoop(candles, liquidity));
  },
);

/** Each candle by itself, with the operations of docs/simulator.md in their order. */
function plainLoop(
  { high, low, close, volume }: Candles,
  { impactCoefficient, turnoverShareMax }: { impactCoefficient: number; turnoverShareMax: number },
): [impact: Float64Array, entryMax: Float64Array] {
  const count = close.length;
  const [impact, entryMax] = [new Float64Array(count), new Float64Array(count)];
  for (let i = 0; i < count; i++) {
    let [turnover, square] = [0, 0];
    const start = Math.max(0, i - 20);
    for (let k = start; k < i; k++) {
      turnover += volume[k]! * close[k]!;
      const range = (high[k]! - low[k]!) / close[k]!;
      square += range * range;
    }
    const usual = i === 0 ? 0 : turnover / (i - start);
    const volatility = i === 0 ? 0 : Math.sqrt(square / (i - start) / (4 * Math.LN2));
    impact[i] = usual > 0 ? (impactCoefficient * volatility) / Math.sqrt(usual) : 0;
    entryMax[i] = turnoverShareMax * Math.min(usual, volume[i]! * close[i]!);
  }
  return [impact, entryMax];
}

it('candles after a fill change neither its price nor its size', () => {
  const later = [1000, 1000, 1000, 5, 90_000];
  const costs = { notional: 50_000, turnoverShareMax: 0.2 };
  const [a, b] = [onlyTrade(runWith(costs)), onlyTrade(runWith(costs, {}, later))];
  expect([b.entryPrice, b.quantity]).toEqual([a.entryPrice, a.quantity]);
});
