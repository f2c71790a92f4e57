// Long because every kind of search is held against the simulator of a single run.
import { summarySlot } from '../../abi/records.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  RESULT_AMBIGUOUS_COUNT,
  RESULT_HELD_BAR_COUNT,
  RESULT_NET_PNL,
  RESULT_SHARPE,
  RESULT_TRADE_COUNT,
  RESULT_WIN_COUNT,
  SET_LENGTH,
} from '../../abi/optimize.ts';
import { BACKTEST_VOTE_COUNT } from '../../abi/votes.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { type Market, pushMarket, runSingle } from '@sextant/workers/src/tasks/optimize/market.ts';
import { createClassicEvaluator } from '@sextant/workers/src/tasks/optimize/setEvaluator.ts';
import { candidateOf, runSets, sampleSets, startSearch } from '@sextant/workers/src/tasks/optimize/search.ts';
import { packSpace, unpackSet } from '@sextant/workers/src/tasks/optimize/space.ts';
import { differences } from '@sextant/workers/src/tasks/optimize/verify.ts';
import type { OptimizeInput, OptimizeSpace } from '@sextant/workers/src/protocol/optimize.ts';
import { type Columns, firstCandles, goldenWalk, roughMarket } from '../candles.ts';
import { backtestReference } from '../reference/backtest.ts';
import { defaultCosts } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { testUniform } from '../honesty/support.ts';
import { firstDifference, loadEngine } from '../support.ts';
import { defaultParams, irregular, optimizeInput, roughCosts, roughFine, roughMarks, tickedMarket } from './support.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await loadEngine();
});

/** Near levels and low thresholds: many trades, ambiguous candles, stops that trail all the time. */
const dense: Partial<OptimizeSpace> = {
  entryThreshold: { min: 0.02, max: 0.4 },
  stopLossFraction: { min: 0.001, max: 0.02 },
  takeProfitFraction: { min: 0.001, max: 0.03 },
  callbackFraction: { min: 0.0005, max: 0.02 },
  stepFraction: { min: 0, max: 0.004 },
};

/** Votes that mostly agree with one another within a candle, which real ones hardly ever do. */
function replaceVotes(market: Market, seed: number, agreement: number): void {
  const uniform = testUniform(seed);
  for (let i = 0; i < market.count; i++) {
    const side = uniform() < 0.5 ? 1 : -1;
    for (let vote = 0; vote < BACKTEST_VOTE_COUNT; vote++) {
      const opinion = uniform() < agreement ? side : Math.floor(uniform() * 3) - 1;
      engine.i8View(market.votesAt + vote * market.stride + i, 1)[0] = opinion;
    }
  }
  engine.raw.optimizePrepare(market.frameAt, market.votesAt, market.stride, market.firstAt, market.at);
}

/** A walk on a grid of 128 that is drawn back to 126 x 128; every candle trades. */
function steppedMarket(count: number, seed: number): Columns {
  const uniform = testUniform(seed);
  const [high, low, open, close] = Array.from({ length: 4 }, () => new Float64Array(count)) as [Col, Col, Col, Col];
  let price = 126;
  for (let i = 0; i < count; i++) {
    const pull = price > 126 ? -0.15 : price < 126 ? 0.15 : 0;
    if (uniform() < 0.1) price += Math.round((uniform() - 0.5) * 28); // a gap
    open[i] = price * 128;
    price += Math.round((uniform() - 0.5 + pull) * 6);
    close[i] = price * 128;
    high[i] = Math.max(open[i]!, close[i]!) + 128 * Math.floor(uniform() * 3);
    low[i] = Math.min(open[i]!, close[i]!) - 128 * Math.floor(uniform() * 3);
  }
  const time = Float64Array.from({ length: count }, (_, i) => 1_704_067_200_000 + i * 900_000);
  return { time, open, high, low, close, volume: new Float64Array(count).fill(10) };
}

type Col = Float64Array<ArrayBuffer>;

interface Compared {
  trades: number;
  netPnl: number;
  /** Sets with a Sharpe ratio. */
  ratios: number;
  /** Sets that ran short of margin, and sets that lost everything. */
  short: number;
  ruined: number;
  /** Positions that were liquidated. */
  liquidated: number;
  /** Trades that no finer candle settled. */
  ambiguous: number;
  problems: string[];
}

/** Runs `count` sets through both kernels on one window, every second one with its equity, and says where they differ. */
function compare(
  input: OptimizeInput,
  window: { start: number; end: number },
  from: number,
  count: number,
  agreement?: number,
): Compared {
  engine.raw.arenaReset();
  const space = packSpace(input.space);
  if (!space.ok) throw new Error(space.error.message);
  const market = pushMarket(engine, input);
  if (agreement !== undefined) replaceVotes(market, input.seed, agreement);
  const search = startSearch(engine, createClassicEvaluator(engine, market, input), space.value, input, window);
  const compared: Compared = {
    trades: 0,
    netPnl: 0,
    ratios: 0,
    short: 0,
    ruined: 0,
    liquidated: 0,
    ambiguous: 0,
    problems: [],
  };
  for (let index = from; index < from + count; index++) {
    const set = sampleSets(search, [index]);
    expect(set.length).toBe(SET_LENGTH);
    const fast = runSets(search, set, index % 2 === 1);
    const single = runSingle(engine, market, set, input, window);
    const row = candidateOf(set, fast.columns, 0, 'sample', index).row;
    compared.trades += row[RESULT_TRADE_COUNT]!;
    compared.netPnl += row[RESULT_NET_PNL]!;
    compared.ratios += Number(!Number.isNaN(row[RESULT_SHARPE]));
    compared.short += Number(single.summary[summarySlot.droppedMarginCount]! > 0);
    compared.ruined += Number(!Number.isNaN(single.summary[summarySlot.ruinIndex]));
    compared.liquidated += single.summary[summarySlot.liquidationCount]!;
    compared.ambiguous += single.summary[summarySlot.ambiguousCount]!;
    const wrong = differences(row, single);
    if (index % 2 === 1 && firstDifference(fast.equity, single.equity) >= 0) wrong.push('equity');
    if (wrong.length > 0) compared.problems.push(`seed ${input.seed} index ${index}: ${wrong.join('; ')}`);
  }
  return compared;
}

/** `npm test` compares two fifths. */
const isFull = process.env.STATISTICS === 'full';
const marketCount = isFull ? 200 : 80;
const pricedCount = isFull ? 10_000 : 4000;

describe('the fast kernel', () => {
  it(`equals the plain backtest to the bit on ${marketCount * 100} sets over ${marketCount} rough markets, costs and windows`, () => {
    let trades = 0;
    let ratios = 0;
    let short = 0;
    for (let seed = 1; seed <= marketCount; seed++) {
      const uniform = testUniform(seed);
      const count = 120 + Math.floor(uniform() * 500);
      // Candles of 15 minutes to 8 hours: half of the markets last long enough for a Sharpe ratio.
      const stepMs = [900_000, 3_600_000, 3 * 3_600_000, 8 * 3_600_000][seed % 4]!;
      const candles = roughMarket(count, seed, { volatility: [0.002, 0.01, 0.04][seed % 3]!, stepMs });
      const params = {
        ...defaultParams,
        trailing: { ...defaultParams.trailing, activationFraction: seed % 4 === 0 ? 0.004 : 0 },
        holdingBarsMax: seed % 10 === 0 ? 5 : 0,
      };
      const input = optimizeInput(candles, {
        params,
        costs: roughCosts(candles, seed),
        seed,
        scoredCount: 50,
        space: seed % 5 === 0 ? {} : dense,
      });
      const start = Math.floor(uniform() * 100);
      const window = { start, end: start + 2 + Math.floor(uniform() * (count - start - 2)) };
      const compared = compare(input, window, seed, 100);
      expect(compared.problems).toEqual([]);
      trades += compared.trades;
      ratios += compared.ratios;
      short += compared.short;
    }
    expect(trades).toBeGreaterThan(marketCount * 500);
    expect(ratios).toBeGreaterThan(marketCount * 5);
    expect(short).toBeGreaterThan(marketCount * 5);
  });

  it('equals it where the votes add up beyond what a byte holds, at every threshold', () => {
    let trades = 0;
    for (let seed = 1; seed <= 60; seed++) {
      const candles = roughMarket(250, seed);
      const space = { ...dense, weight: { min: 1, max: 2 }, entryThreshold: { min: 0.3, max: 1 } };
      const compared = compare(
        optimizeInput(candles, { space, seed }),
        { start: 76, end: 250 },
        1,
        40,
        0.5 + seed / 200,
      );
      expect(compared.problems).toEqual([]);
      trades += compared.trades;
    }
    expect(trades).toBeGreaterThan(10_000);
  });

  it('equals it where no vote has a weight, where nothing trades and on two candles', () => {
    const candles = roughMarket(150, 3);
    const nothing = { weight: { min: 0, max: 0 } };
    expect(compare(optimizeInput(candles, { space: nothing }), { start: 80, end: 150 }, 1, 3)).toMatchObject({
      trades: 0,
      problems: [],
    });
    const silent = { ...candles, volume: candles.volume.map(() => 0) };
    expect(compare(optimizeInput(silent), { start: 80, end: 150 }, 0, 20)).toMatchObject({ trades: 0, problems: [] });
    expect(compare(optimizeInput(candles, { space: dense }), { start: 148, end: 150 }, 0, 50).problems).toEqual([]);
  });

  it('equals it where prices meet levels and steps exactly', () => {
    // Prices in steps of 128 around 126 x 128 and binary fractions: levels fall on prices, and the candidate of a trailing
    // stop (63/64 of the best) is often ahead of it by exactly the step (entry / 128).
    let trades = 0;
    for (let seed = 1; seed <= 300; seed++) {
      const candles = steppedMarket(300, seed);
      const params = {
        ...defaultParams,
        entryThreshold: 0.05,
        stopLossFraction: 2 ** -4,
        takeProfitFraction: 2 ** -3,
        trailing: { enabled: true, callbackFraction: 2 ** -6, stepFraction: 2 ** -7 },
      };
      const takeProfitOrder = seed % 2 ? 'market' : 'limit';
      const costs = {
        ...defaultCosts,
        takeProfitOrder,
        slippageFraction: 0,
        stopSlippageFraction: 0,
        tickSize: 1,
      } as const;
      const leveraged = { ...costs, leverage: [8, 16, 32][seed % 3]!, maintenanceMarginFraction: 0 };
      const compared = compare(optimizeInput(candles, { params, costs: leveraged }), { start: 76, end: 300 }, 0, 2);
      expect(compared.problems).toEqual([]);
      trades += compared.trades;
    }
    expect(trades).toBeGreaterThan(1000);
  });

  it('equals it where a gap jumps over a near stop to the liquidation price, and where the stop lies just before or behind it', () => {
    let liquidated = 0;
    for (let seed = 1; seed <= 120; seed++) {
      const candles = steppedMarket(300, seed);
      const leverage = [10, 25, 50, 100][seed % 4]!;
      const costs = { ...roughCosts(candles, seed), leverage, slippageFraction: 0 };
      // Liquidation is about 1 / leverage - 0.4 % away: stops from half of that to just beyond it.
      const away = 1 / leverage - 0.004;
      const stops = { min: Math.ceil(500 * away) / 1000, max: Math.ceil(1100 * away) / 1000 };
      const space = { ...dense, stopLossFraction: stops };
      const compared = compare(optimizeInput(candles, { costs, space, seed }), { start: 76, end: 300 }, 1, 20);
      expect(compared.problems).toEqual([]);
      liquidated += compared.liquidated;
    }
    expect(liquidated).toBeGreaterThan(1000);
  });

  it('equals it where an account is ruined, by costs on top of a lost margin', () => {
    let ruined = 0;
    for (let seed = 1; seed <= 120; seed++) {
      const candles = roughMarket(300, seed, { volatility: 0.01 });
      const costs = {
        ...roughCosts(candles, seed),
        leverage: 100,
        initialEquity: 10.501,
        slippageFraction: 0.001,
      };
      const compared = compare(optimizeInput(candles, { costs, space: dense, seed }), { start: 76, end: 300 }, 1, 40);
      expect(compared.problems).toEqual([]);
      ruined += compared.ruined;
    }
    expect(ruined).toBeGreaterThan(50);
  });

  it('RULE-192 equals it where the largest order bounds some entries and others not, with and without impact', () => {
    let trades = 0;
    let bounded = 0;
    for (let seed = 1; seed <= 60; seed++) {
      const candles = roughMarket(300, seed, { volatility: 0.01 });
      const most = 1000 / candles.close[150]!;
      const { minNotional: _none, ...costs } = roughCosts(candles, seed);
      const impactCoefficient = seed % 2;
      const own = { ...costs, maxQuantity: most, impactCoefficient, turnoverShareMax: seed % 3 === 0 ? 0.05 : 0 };
      const input = optimizeInput(candles, { costs: own, space: dense, seed });
      const compared = compare(input, { start: 76, end: 300 }, 1, 20);
      expect(compared.problems).toEqual([]);
      trades += compared.trades;
      const free = compare({ ...input, costs: { ...own, maxQuantity: 0 } }, { start: 76, end: 300 }, 1, 20);
      bounded += Number(free.netPnl !== compared.netPnl);
    }
    expect(trades).toBeGreaterThan(10_000);
    expect(bounded).toBeGreaterThan(50);
  });

  it('equals it on a market that never moves', () => {
    const flat = roughMarket(200, 4, { volatility: 0, frozen: 0 });
    expect(compare(optimizeInput(flat, { space: dense }), { start: 80, end: 200 }, 0, 50).problems).toEqual([]);
  });

  it.each([
    ['a walk in cents', goldenWalk(1200, 77)],
    [
      'a rough market in ticks of 0.0001',
      tickedMarket(1200, 78, 4, { price: 1.1, volatility: 0.008, stepMs: 300_000 }),
    ],
  ])(`equals it on ${pricedCount} sets of the product's ranges on %s`, (_, candles) => {
    const costs = { ...roughCosts(candles, 7), initialEquity: 10_000, slippageFraction: 0.0001 };
    const input = optimizeInput(candles, { costs });
    const compared = compare(input, { start: 76, end: 700 }, 0, pricedCount);
    expect(compared.problems).toEqual([]);
    expect(compared.trades).toBeGreaterThan(pricedCount * 5);
  });
});

/** A rough market with finer candles, mark prices or both, some of it at irregular times and with a longest holding time. */
function detailedInput(seed: number): OptimizeInput {
  const uniform = testUniform(seed + 40);
  const count = 150 + Math.floor(uniform() * 250);
  const stepMs = [900_000, 3_600_000, 8 * 3_600_000][seed % 3]!;
  const plain = roughMarket(count, seed, { volatility: [0.01, 0.03][seed % 2]!, stepMs });
  const candles = seed % 4 === 0 ? irregular(plain, seed) : plain;
  const params = {
    ...defaultParams,
    trailing: { ...defaultParams.trailing, activationFraction: seed % 5 === 0 ? 0.004 : 0 },
    holdingBarsMax: seed % 6 === 0 ? 5 : 0,
  };
  const input = optimizeInput(candles, {
    params,
    costs: roughCosts(candles, seed),
    seed,
    scoredCount: 50,
    space: dense,
  });
  if (seed % 3 !== 1) input.fineCandles = roughFine(candles, seed);
  if (seed % 3 !== 2) input.markPrices = roughMarks(candles, seed, [0.0002, 0.002, 0.01][Math.floor(seed / 3) % 3]!);
  return input;
}

/** Costs whose liquidation price is about `away` from the entry, and stops from half of that to just beyond it. */
function nearLiquidation(candles: Columns, seed: number): Pick<OptimizeInput, 'costs' | 'space'> {
  const leverage = [10, 25, 50, 100][seed % 4]!;
  const away = 1 / leverage - 0.004;
  const stops = { min: Math.ceil(500 * away) / 1000, max: Math.ceil(1100 * away) / 1000 };
  const costs = { ...roughCosts(candles, seed), leverage, slippageFraction: 0 };
  return { costs, space: { ...dense, stopLossFraction: stops } };
}

describe('the fast kernel with finer candles and mark prices', () => {
  it(`equals the plain backtest to the bit on ${marketCount * 40} sets over ${marketCount} rough markets`, () => {
    const totals = { trades: 0, liquidated: 0, ambiguous: 0 };
    for (let seed = 1; seed <= marketCount; seed++) {
      const input = detailedInput(seed);
      const uniform = testUniform(seed);
      const count = input.candles.time.length;
      const start = Math.floor(uniform() * 80);
      const end = start + 40 + Math.floor(uniform() * (count - start - 40));
      const compared = compare(input, { start, end }, seed, 40);
      expect(compared.problems).toEqual([]);
      for (const name of ['trades', 'liquidated', 'ambiguous'] as const) totals[name] += compared[name];
    }
    expect(totals.trades).toBeGreaterThan(marketCount * 200);
    expect(totals.liquidated).toBeGreaterThan(marketCount * 2);
    expect(totals.ambiguous).toBeGreaterThan(marketCount * 2);
  });

  it('equals it where a run ends before the first candle that starts early: its last candle lasts longer, and may lack parts', () => {
    let [trades, unsettled] = [0, 0];
    for (let seed = 1; seed <= 60; seed++) {
      const candles = irregular(roughMarket(200, seed, { volatility: 0.02 }), seed);
      const steps = candles.time.subarray(1).map((at, i) => at - candles.time[i]!);
      const early = steps.findIndex((step, i) => i > 20 && step < Math.min(...steps.subarray(0, i)));
      const fine = roughFine(candles, seed, 2);
      // No finer candle of the second half of the last candle.
      const fineCandles = firstCandles(fine, fine.time.filter((at) => at < candles.time[early + 1]!).length);
      const costs = roughCosts(candles, seed);
      const input = optimizeInput(candles, { costs, seed, space: dense, fineCandles });
      for (const end of [early, early + 1, early + 2]) {
        const compared = compare(input, { start: 76, end }, 1, 20, 0.9);
        expect(compared.problems).toEqual([]);
        trades += compared.trades;
        unsettled += compared.ambiguous;
      }
    }
    expect(trades).toBeGreaterThan(10_000);
    expect(unsettled).toBeGreaterThan(1000);
  });

  it('equals it where the mark price meets the liquidation price and the last price stays just before the stop', () => {
    let liquidated = 0;
    for (let seed = 1; seed <= 160; seed++) {
      const candles = seed % 2 ? steppedMarket(300, seed) : roughMarket(300, seed, { volatility: 0.03 });
      const markPrices = roughMarks(candles, seed, [0, 0.0003, 0.001, 0.004][seed % 4]!);
      const input = optimizeInput(candles, { ...nearLiquidation(candles, seed), seed, markPrices });
      if (seed % 3 === 0) input.fineCandles = roughFine(candles, seed);
      const compared = compare(input, { start: 76, end: 300 }, 1, 20);
      expect(compared.problems).toEqual([]);
      liquidated += compared.liquidated;
    }
    expect(liquidated).toBeGreaterThan(1000);
  });

  it('gives the figures of the reference written from docs/simulator.md, and others than without them', () => {
    let [trades, changed] = [0, 0];
    for (let seed = 1; seed <= 30; seed++) {
      engine.raw.arenaReset();
      const input = detailedInput(seed);
      const end = input.candles.time.length - 20;
      const [market, plain] = [pushMarket(engine, input), pushMarket(engine, withoutDetail(input))];
      const space = packSpace(input.space);
      if (!space.ok) throw new Error(space.error.message);
      const window = { start: 80, end };
      const search = startSearch(engine, createClassicEvaluator(engine, market, input), space.value, input, window);
      for (let index = 1; index <= 6; index++) {
        const set = sampleSets(search, [index]);
        const row = candidateOf(set, runSets(search, set).columns, 0, 'sample', index).row;
        const bare = runSets({ ...search, evaluator: createClassicEvaluator(engine, plain, input) }, set).columns;
        runSingle(engine, market, set, input, window); // writes the score
        const params = unpackSet(set, input.params);
        const wanted = backtestReference({
          ...input,
          candles: firstCandles(input.candles as Columns, end),
          score: engine.pull(market.scoreAt, end),
          params,
          scoredCount: end - 80,
        });
        const net = wanted.trades.reduce((sum, { netPnl }) => sum + netPnl, 0);
        expect(row[RESULT_NET_PNL]).toBeCloseTo(net, 6);
        const counts = [RESULT_TRADE_COUNT, RESULT_WIN_COUNT, RESULT_AMBIGUOUS_COUNT, RESULT_HELD_BAR_COUNT];
        expect(counts.map((field) => row[field])).toEqual([
          wanted.trades.length,
          wanted.trades.filter(({ netPnl }) => netPnl > 0).length,
          wanted.trades.filter(({ isAmbiguous }) => isAmbiguous).length,
          wanted.heldBars,
        ]);
        trades += wanted.trades.length;
        changed += Number(row[RESULT_NET_PNL] !== bare[RESULT_NET_PNL]);
      }
    }
    expect(trades).toBeGreaterThan(500);
    expect(changed).toBeGreaterThan(50);
  });
});

function withoutDetail(input: OptimizeInput): OptimizeInput {
  const plain = { ...input };
  delete plain.fineCandles;
  delete plain.markPrices;
  return plain;
}
