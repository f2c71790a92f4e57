import { BAR_LENGTH, POSITION_LENGTH, positionSlot, RULES_LENGTH } from '@sextant/engine-as/abi/records.ts';
import * as abi from '@sextant/engine-as/abi/backtest.ts';
import { RESULT_NET_PNL, RESULT_TRADE_COUNT } from '@sextant/engine-as/abi/optimize.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { pushMarket, runSingle } from '@sextant/workers/src/tasks/optimize/market.ts';
import { createClassicEvaluator } from '@sextant/workers/src/tasks/optimize/setEvaluator.ts';
import { candidateOf, runSets, sampleSets, startSearch } from '@sextant/workers/src/tasks/optimize/search.ts';
import { packSpace } from '@sextant/workers/src/tasks/optimize/space.ts';
import { differences } from '@sextant/workers/src/tasks/optimize/verify.ts';
import { rulesOf } from '@sextant/workers/src/tasks/rules.ts';
import { type Random, randomBacktest, seededRandom } from '@sextant/workers/test/support/randomRuns.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { engineTimeoutMs, loadTestEngine, type Run, runKernel } from '../backtest/support/kernel.ts';
import { roughMarket } from '../candles.ts';
import { optimizeInput, roughCosts } from '../optimize/support.ts';
import { backtestReference } from '../reference/backtest.ts';

// 10,000 accounts: 6,000 monitored positions, 3,600 backtests (every third by the reference too) and 400 searched sets.

const seed = 20_261_122;
let engine: Engine;
beforeAll(async () => {
  engine = await loadTestEngine();
}, engineTimeoutMs);

interface Lost {
  side: number;
  entry: number;
  exit: number;
  quantity: number;
  margin: number;
  /** Set at the entry; a trailing stop only comes nearer. */
  stopDistance: number;
  reason: string;
  /** The exit is at its level, not at a gapped open. */
  isAtLevel: boolean;
}

const NOISE = 1 + 3e-9;

/** Gross loss, besides fees and funding. */
function expectBounded(trade: Lost, costs: { slip: number; tick: number }, where: string): void {
  const loss = trade.side * (trade.entry - trade.exit) * trade.quantity;
  expect(loss, where).toBeLessThanOrEqual(trade.margin * NOISE + 1e-12);
  if (trade.reason !== 'SL' || !trade.isAtLevel) return;
  const slipped = trade.stopDistance + trade.exit * (costs.slip / (1 - costs.slip)) + costs.tick;
  expect(loss, `${where}: at the stop`).toBeLessThanOrEqual(slipped * trade.quantity * NOISE + 1e-12);
}

/** Runs with gaps of up to a third, so that levels are jumped over, and an equity that often does not cover the notional. */
function wildRun(index: number): Run & { scoredCount: number } {
  const random = seededRandom(seed + 31 * index);
  const input = randomBacktest(seed, index, 40);
  const { candles } = input;
  let jump = 1;
  for (let i = 0; i < candles.open.length; i++) {
    if (random() < 0.08) jump *= 1 + (random() - 0.5) * 0.6;
    for (const column of [candles.open, candles.high, candles.low, candles.close]) column[i]! *= jump;
  }
  const { notional, leverage } = input.costs;
  const initialEquity = random() < 0.5 ? (notional / leverage) * (0.1 + 2 * random()) : input.costs.initialEquity;
  // Half of the marks stand still while the price jumps.
  const still = candles.open.map(() => candles.open[0]!);
  const run = { ...input, costs: { ...input.costs, initialEquity }, score: wildScore(random, candles.open.length) };
  return random() < 0.5 ? { ...run, markPrices: { open: still, high: still, low: still } } : run;
}

const wildScore = (random: Random, count: number): Float64Array =>
  Float64Array.from({ length: count }, () => (random() < 0.4 ? (random() < 0.5 ? 1 : -1) : 0));

describe('no loss above the isolated margin plus costs, margin within the equity (X71)', () => {
  it(`in 3,600 backtests, the reference twin beside every third (seed ${seed})`, () => {
    const seen = { trades: 0, liquidated: 0, stopped: 0, capped: 0 };
    for (let index = 0; index < 3600; index++) {
      const run = wildRun(index);
      const got = runKernel(engine, run);
      if (got.status !== 0) continue;
      const where = `seed ${seed} case ${index}`;
      const costs = { slip: run.costs.stopSlippageFraction, tick: run.costs.tickSize ?? 0 };
      let equity = run.costs.initialEquity;
      for (const trade of got.trades) {
        const side = trade.side === 'LONG' ? 1 : -1;
        const entryFee = run.costs.takerFeeFraction * trade.quantity * trade.entryPrice;
        expect(trade.margin + entryFee, `${where}: margin`).toBeLessThanOrEqual(equity * NOISE);
        expectBounded(
          {
            side,
            entry: trade.entryPrice,
            exit: trade.exitPrice,
            quantity: trade.quantity,
            margin: trade.margin,
            stopDistance: run.params.stopLossFraction * trade.entryPrice,
            reason: trade.closeReason,
            // What the size of the order adds is bounded by the margin alone.
            isAtLevel:
              !((run.costs.impactCoefficient ?? 0) > 0) &&
              side * (run.candles.open[trade.exitIndex]! - trade.stopLossPrice) > 0,
          },
          costs,
          where,
        );
        equity += trade.netPnl;
        seen.trades++;
        seen.liquidated += Number(trade.closeReason === 'LIQ');
        seen.stopped += Number(trade.closeReason === 'SL');
        seen.capped += Number(trade.quantity * trade.entryPrice < 0.9 * run.costs.notional);
      }
      if (index % 3 !== 0) continue;
      const want = backtestReference(run).trades;
      expect(
        want.map(({ reason }) => reason),
        where,
      ).toEqual(got.trades.map(({ closeReason }) => closeReason));
      for (const { side, entry, exit, quantity, margin } of want.map((t) => ({
        ...t,
        entry: t.entryPrice,
        exit: t.exitPrice,
      }))) {
        expect(side * (entry - exit) * quantity, `${where}: reference`).toBeLessThanOrEqual(margin * NOISE + 1e-12);
      }
    }
    expect(seen.trades).toBeGreaterThan(10_000);
    expect(seen.liquidated).toBeGreaterThan(1000);
    expect(seen.stopped).toBeGreaterThan(1000);
    expect(seen.capped).toBeGreaterThan(500);
  });

  it(`in 6,000 monitored positions, tick by tick with a mark price that lags (seed ${seed})`, () => {
    const closed = new Map<number, number>();
    engine.raw.arenaReset();
    const barAt = engine.reserve(BAR_LENGTH);
    const positionAt = engine.reserve(POSITION_LENGTH);
    const rulesAt = engine.reserve(RULES_LENGTH);
    for (let index = 0; index < 6000; index++) {
      const random = seededRandom(seed + index);
      const { params, costs } = randomBacktest(seed + 1, index, 2);
      engine.f64View(rulesAt, RULES_LENGTH).set(rulesOf(params, costs, 1));
      const side = random() < 0.5 ? 1 : -1;
      const available = costs.initialEquity * random();
      if (
        engine.raw.openPosition(rulesAt, 0, 0, positionAt, side, 0, 100, available, Number.NaN, 0, Infinity) !==
        abi.OPEN_DONE
      )
        continue;
      const slot = (k: number): number => engine.f64View(positionAt, POSITION_LENGTH)[k]!;
      const entry = slot(positionSlot.entryPrice);
      const where = `seed ${seed} position ${index}`;
      expect(slot(positionSlot.margin) + slot(positionSlot.fees), where).toBeLessThanOrEqual(available * NOISE);
      let [price, mark, reason] = [100, 100, abi.CLOSE_NONE as number];
      for (let tick = 1; tick <= 60 && reason === abi.CLOSE_NONE; tick++) {
        price *= random() < 0.1 ? 1 + (random() - 0.5) * 0.5 : 1 + (random() - 0.5) * 0.01;
        mark += (price - mark) * 0.2;
        const bar = [tick * 1000, price, price, price, price, 1, mark, mark, mark, Number.NaN, 0, 0, 0];
        engine.f64View(barAt, BAR_LENGTH).set(bar);
        reason = engine.raw.stepPosition(rulesAt, positionAt, barAt, 0, 0);
      }
      if (reason === abi.CLOSE_NONE)
        reason = engine.raw.closePosition(rulesAt, positionAt, 61_000, price, abi.CLOSE_END, 0);
      expect(reason, where).toBe(slot(positionSlot.closeReason));
      closed.set(reason, (closed.get(reason) ?? 0) + 1);
      const [quantity, margin] = [slot(positionSlot.quantity), slot(positionSlot.margin)];
      expect(side * (entry - slot(positionSlot.exitPrice)) * quantity, where).toBeLessThanOrEqual(
        margin * NOISE + 1e-12,
      );
    }
    for (const reason of [abi.CLOSE_LIQUIDATION, abi.CLOSE_STOP_LOSS, abi.CLOSE_TAKE_PROFIT])
      expect(closed.get(reason) ?? 0, `closes for reason ${reason}`).toBeGreaterThan(200);
  });

  it(`in 400 searched sets on short accounts: the fast path gives the bounded trades, to the bit (seed ${seed})`, () => {
    let trades = 0;
    for (let market = 0; market < 20; market++) {
      engine.raw.arenaReset();
      const candles = roughMarket(250, seed + market, { volatility: 0.02 });
      const costs = { ...roughCosts(candles, market), leverage: [1, 10, 50, 100][market % 4]!, initialEquity: 900 };
      const input = optimizeInput(candles, { costs: { ...costs, notional: [1000, 9000][market % 2]! }, seed: market });
      const space = packSpace(input.space);
      if (!space.ok) throw new Error(space.error.message);
      const pushed = pushMarket(engine, input);
      const window = { start: 76, end: 250 };
      const search = startSearch(engine, createClassicEvaluator(engine, pushed, input), space.value, input, window);
      for (let index = 1; index <= 20; index++) {
        const set = sampleSets(search, [index]);
        const { row } = candidateOf(set, runSets(search, set, false).columns, 0, 'sample', index);
        expect(
          differences(row, runSingle(engine, pushed, set, input, window)),
          `market ${market} set ${index}`,
        ).toEqual([]);
        // Each position loses at most its margin and fee out of what there is, besides exit fee and funding.
        expect(row[RESULT_NET_PNL]!).toBeGreaterThan(-900 * 1.25);
        trades += row[RESULT_TRADE_COUNT]!;
      }
    }
    expect(trades).toBeGreaterThan(1000);
  });
});
