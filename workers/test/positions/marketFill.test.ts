import { POSITION_LENGTH, positionSlot } from '@sextant/engine-as/abi/records.ts';
import { SLIPPAGE, STOP_SLIPPAGE } from '@sextant/engine-as/abi/costs.ts';
import * as abi from '@sextant/engine-as/abi/backtest.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Engine, instantiate } from '../../src/engine/engine.ts';
import { marketFill } from '../../src/positions/marketFill.ts';
import { type BookPosition } from '../../src/positions/bookTypes.ts';
import { exitFee, planPosition } from '../../src/positions/plan.ts';
import { PositionBook } from '../../src/positions/positionBook.ts';
import type { BacktestInput } from '../../src/protocol/backtest.ts';
import { SIZING_COSTS } from '../../src/signals/signalRules.ts';
import { backtest } from '../../src/tasks/backtest.ts';
import { rulesOf } from '../../src/tasks/rules.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { randomCandles, randomCosts, randomParams, seededRandom } from '../support/randomRuns.ts';

let engine: Engine;
let module: WebAssembly.Module;
beforeAll(async () => {
  ({ module } = await testEngine());
  engine = instantiate(module);
}, engineTimeoutMs);

const MINUTE_MS = 60_000;
const noBook = { bid: null, ask: null };

describe('the fill of a market order', () => {
  it('DESK-129 is the last price, half the spread and 0.01 %, on the worse tick, by hand', () => {
    // 100 + 0.05 = 100.05; x 1.0001 = 100.060005; on 0.01: 100.07 to buy. 99.95 x 0.9999 = 99.940005: 99.94 to sell.
    const quote = { last: 100, bid: 99.95, ask: 100.05 };
    expect([marketFill('LONG', quote, 0.01), marketFill('SHORT', quote, 0.01)]).toEqual([100.07, 99.94]);
    // Without a book the slippage alone: 100.01 and 99.99, both on the tick.
    expect([
      marketFill('LONG', { last: 100, ...noBook }, 0.01),
      marketFill('SHORT', { last: 100, ...noBook }, 0.01),
    ]).toEqual([100.01, 99.99]);
    // One side alone is no spread, and a crossed book has none.
    expect(marketFill('LONG', { last: 100, bid: 99, ask: null }, 0.01)).toBe(100.01);
    expect(marketFill('LONG', { last: 100, bid: 101, ask: 99 }, 0.01)).toBe(100.01);
  });

  it('DESK-129 equals the opening of the simulator at the same price, for 2,000 random prices and ticks', () => {
    const random = seededRandom(20_261_129);
    const input = { candles: randomCandles(random, 60, MINUTE_MS), params: randomParams(random), scoredCount: 40 };
    for (let run = 0; run < 2000; run++) {
      const tickSize = [0.1, 0.01, 0.001, 0.5][run % 4] ?? 0.01;
      const last = Math.round((10 + random() * 1000) / tickSize) * tickSize;
      const side = random() < 0.5 ? 1 : -1;
      const costs = { ...randomCosts(random, input.candles), slippageFraction: SLIPPAGE, tickSize, initialEquity: 1e9 };
      delete costs.tiers;
      const mark = engine.raw.arenaMark();
      const rulesAt = engine.push(rulesOf(input.params, costs, input.scoredCount));
      const stateAt = engine.reserve(POSITION_LENGTH);
      const at = [rulesAt, 0, 0, stateAt, side, 0, last, Infinity, Number.NaN, 0, Infinity] as const;
      const response = engine.raw.openPosition(...at);
      const entry = engine.pull(stateAt, POSITION_LENGTH)[positionSlot.entryPrice];
      engine.raw.arenaRelease(mark);
      if (response !== abi.OPEN_DONE) continue;
      expect(marketFill(side > 0 ? 'LONG' : 'SHORT', { last, ...noBook }, tickSize), `${run} ${last}`).toBe(entry);
    }
  });
});

/** A run of the lab whose rules a market order of the ticket can have: percent levels, market targets, no trailing. */
function labRun(seed: number): BacktestInput {
  const random = seededRandom(seed);
  const candles = randomCandles(random, 400, MINUTE_MS);
  const params = randomParams(random);
  delete params.holdingBarsMax;
  params.trailing.enabled = false;
  params.stopLossFraction = 0.004 + random() * 0.03;
  params.takeProfitFraction = 0.004 + random() * 0.03;
  const costs = {
    ...randomCosts(random, candles),
    takerFeeFraction: SIZING_COSTS.takerFeeFraction,
    maintenanceMarginFraction: SIZING_COSTS.maintenanceMarginFraction,
    slippageFraction: SLIPPAGE,
    stopSlippageFraction: STOP_SLIPPAGE,
    takeProfitOrder: 'market' as const,
    tickSize: 0.01,
    leverage: 3,
    initialEquity: 1e9,
  };
  delete costs.funding;
  delete costs.tiers;
  delete costs.stepSize;
  delete costs.minNotional;
  return { candles, params, costs, scoredCount: 300 };
}

describe('the ticket and the lab, given the same candles', () => {
  it('DESK-129 a market order at each entry of the lab, left to the watch, gives the same fills', () => {
    let compared = 0;
    const reasons = new Map<string, number>();
    for (let seed = 1; seed <= 120; seed++) {
      const input = labRun(seed);
      engine.raw.arenaReset();
      const result = backtest(engine, '0'.repeat(64), input);
      if (!result.ok) continue;
      const { candles, costs, params } = input;
      for (const trade of result.value.trades) {
        if (!['SL', 'TP'].includes(trade.closeReason)) continue;
        const open = candles.open[trade.entryIndex] ?? Number.NaN;
        const entryPrice = marketFill(trade.side, { last: open, ...noBook }, 0.01);
        expect(entryPrice, `seed ${seed}`).toBe(trade.entryPrice);
        const sign = trade.side === 'LONG' ? 1 : -1;
        const planned = planPosition(engine, {
          ...SIZING_COSTS,
          exchange: 'binance',
          side: trade.side,
          price: entryPrice,
          timeMs: trade.entryTimeMs,
          quantity: trade.quantity,
          leverage: costs.leverage,
          stopPrice: entryPrice * (1 - sign * params.stopLossFraction),
          targetPrice: entryPrice * (1 + sign * params.takeProfitFraction),
          tickSize: 0.01,
          stepSize: 0,
          minNotional: 0,
        });
        if (planned === null) throw new Error('the lab opened it');
        const book = new PositionBook(instantiate(module), { ageMs: 0, moveFraction: 0 });
        const position: BookPosition = {
          id: '1',
          side: trade.side,
          entryTimeMs: trade.entryTimeMs,
          entryPrice,
          quantity: trade.quantity,
          leverage: costs.leverage,
          stopPrice: planned.stopPrice,
          targetPrice: planned.targetPrice,
          liquidationPrice: planned.liquidationPrice,
          bestPrice: entryPrice,
          isArmed: false,
          tickSize: 0.01,
          takerFeeFraction: costs.takerFeeFraction,
          trailing: { mode: 'off' },
          atr: null,
        };
        book.add('key', position);
        const exit = firstExit(book, input, trade.entryIndex);
        // The lab's targets slip by the slippage of a market order; those of the desk fill at their level.
        if (exit?.reason === 'SL') {
          expect(exit, `seed ${seed}`).toMatchObject({ price: trade.exitPrice, atMs: trade.exitTimeMs + MINUTE_MS });
          const fees = exitFee(trade.quantity, entryPrice, costs.takerFeeFraction) + exit.exitFee;
          expect(fees).toBeCloseTo(trade.fees, 9);
        } else expect(exit?.reason).toBe(trade.closeReason);
        compared += 1;
        reasons.set(trade.closeReason, (reasons.get(trade.closeReason) ?? 0) + 1);
      }
    }
    expect(compared).toBeGreaterThan(200);
    for (const reason of ['SL', 'TP']) expect(reasons.get(reason) ?? 0, reason).toBeGreaterThan(40);
  });
});

/** The first close by the candles from the entry on. */
function firstExit(book: PositionBook, { candles }: BacktestInput, from: number) {
  for (let i = from; i < candles.time.length; i++) {
    const at = (column: Float64Array): number => column[i] ?? Number.NaN;
    const bar = {
      timeMs: at(candles.time),
      spanMs: MINUTE_MS,
      open: at(candles.open),
      high: at(candles.high),
      low: at(candles.low),
      close: at(candles.close),
      volume: at(candles.volume),
    };
    for (const event of book.candle('key', bar, () => Number.NaN)) if (event.kind === 'closed') return event;
  }
  return undefined;
}
