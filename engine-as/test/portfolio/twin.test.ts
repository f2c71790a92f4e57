import { beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import type { PortfolioLimits } from '@sextant/workers/src/protocol/portfolio.ts';
import {
  type Random,
  randomBacktest,
  randomCandles,
  randomCosts,
  randomExits,
  randomParams,
  seededRandom,
} from '@sextant/workers/test/support/randomRuns.ts';
import type { StrategyExits } from '../../abi/strategy.ts';
import { portfolioReference } from '../reference/portfolio.ts';
import { engineTimeoutMs, loadTestEngine, runKernel } from '../backtest/support/kernel.ts';
import { type PortfolioRun, referenceSymbols, runPortfolio, type SymbolRun } from './support.ts';

const seed = 20_261_129;
const runCount = process.env.STATISTICS === 'full' ? 800 : 240;

let engine: Engine;
beforeAll(async () => {
  engine = await loadTestEngine();
}, engineTimeoutMs);

const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

/** Some candles are missing: a symbol that was listed late, delisted early or halted. */
function thinned(random: Random, candles: Candles): Candles {
  const count = candles.time.length;
  const first = random() < 0.4 ? Math.floor(random() * count * 0.5) : 0;
  const end = random() < 0.3 ? Math.ceil(count * (0.6 + 0.4 * random())) : count;
  const holes = random() < 0.3 ? 0.03 : 0;
  const retained = [...candles.time.keys()].filter(
    (i) => i >= first && i < end && (i < first + 3 || random() >= holes),
  );
  const cut = (column: Float64Array): Float64Array => Float64Array.from(retained, (i) => column[i]!);
  const { time, open, high, low, close, volume } = candles;
  return { time: cut(time), open: cut(open), high: cut(high), low: cut(low), close: cut(close), volume: cut(volume) };
}

function randomScore(random: Random, count: number): Float64Array {
  let mood = 0;
  const grid = pick(random, [4, 20, 1000]); // a coarse grid has equal scores
  return Float64Array.from({ length: count }, (_, i) => {
    if (i < 5) return Number.NaN;
    if (random() < 0.15) mood = Math.round((random() * 2 - 1) * grid) / grid;
    return random() < 0.6 ? mood : 0;
  });
}

function randomLimits(random: Random): PortfolioLimits {
  const limits: PortfolioLimits = {};
  if (random() < 0.5) limits.positionsMax = 1 + Math.floor(random() * 5);
  if (random() < 0.3) limits.openingsMax = 1 + Math.floor(random() * 3);
  if (random() < 0.3) limits.dailyLossPct = pick(random, [0.1, 1, 3]);
  if (random() < 0.3)
    Object.assign(limits, { stopStreak: 1 + Math.floor(random() * 4), cooldownMinutes: pick(random, [60, 600, 3000]) });
  if (random() < 0.2) limits.drawdownPct = pick(random, [2, 10]);
  if (random() < 0.3) limits.grossMaxFraction = pick(random, [0.3, 1, 3]);
  if (random() < 0.3) limits.netMaxFraction = pick(random, [0.1, 0.5, 1]);
  if (random() < 0.3) limits.stopLossMaxFraction = pick(random, [0.005, 0.02, 0.1]);
  if (random() < 0.4) limits.skipsStopBeyondLiquidation = false;
  return limits;
}

function randomPortfolio(index: number, symbolCount?: number): PortfolioRun {
  const random = seededRandom(seed + 31 * index);
  const count = symbolCount ?? 1 + Math.floor(random() * 9);
  const exits: StrategyExits = randomExits(random);
  const params = randomParams(random);
  const initialEquity = pick(random, [1000, 5000, 20_000]);
  const symbols = Array.from({ length: count }, (_, k): SymbolRun => {
    const whole = randomCandles(random, 160);
    const candles = thinned(random, whole);
    const length = candles.time.length;
    const { impactCoefficient = 0, turnoverShareMax = 0, ...assumed } = randomBacktest(seed + index, k, 20).costs;
    const costs = {
      ...randomCosts(random, candles),
      fundingSource: assumed.fundingSource ?? ('history' as const),
      assumedFundingFraction: assumed.assumedFundingFraction ?? 0,
      sameBar: assumed.sameBar ?? ('stop' as const),
      impactCoefficient,
      turnoverShareMax,
      initialEquity,
      notional: pick(random, [250, 1000]),
      leverage: pick(random, [1, 2, 5, 10]),
    };
    const ranges = candles.close.map((close, i) => (i < 14 ? Number.NaN : close * 0.01 * (0.5 + random())));
    const run: SymbolRun = {
      symbol: `S${String(k).padStart(3, '0')}`,
      candles,
      score: randomScore(random, length),
      params,
      exits,
      costs,
      atr: ranges,
      range: ranges,
      scoredCount: Math.max(2, length - Math.floor(random() * 20)),
    };
    if (random() < 0.2) {
      const moved = (column: Float64Array): Float64Array => column.map((price) => price * 1.001);
      run.markPrices = { open: moved(candles.open), high: moved(candles.high), low: moved(candles.low) };
    }
    return run;
  });
  return { symbols, limits: randomLimits(random), initialEquity };
}

describe('portfolio', () => {
  it(`RULE-101 RULE-102 equals a plain account to the bit: trades, equity, exposures and skips over ${runCount} random runs`, () => {
    let trades = 0;
    const seen = new Map<string, number>();
    for (let index = 0; index < runCount; index++) {
      const run = randomPortfolio(index);
      const got = runPortfolio(engine, run);
      const want = portfolioReference(engine, referenceSymbols(run), run.limits, run.initialEquity);
      const where = `run ${index}`;
      expect(got.trades.length, where).toBe(want.trades.length);
      got.trades.forEach((trade, k) => expect(trade, `${where}, trade ${k}`).toEqual(want.trades[k]));
      expect(got.equity, where).toEqual(want.equity);
      expect(got.exposure, where).toEqual(want.exposure);
      expect(Object.fromEntries(got.skips), where).toEqual(Object.fromEntries(want.skips));
      expect(got.netPnl, where).toBe(want.netPnl);
      trades += want.trades.length;
      for (const [key, count] of want.skips) {
        const reason = key.split(' ')[1]!;
        seen.set(reason, (seen.get(reason) ?? 0) + count);
      }
    }
    expect(trades).toBeGreaterThan(20 * runCount);
    // Every reason was met: the comparison would not see one that neither side knows.
    expect([...seen.keys()].sort()).toEqual(
      [
        'dailyLoss',
        'drawdown',
        'grossExposure',
        'held',
        'marginShort',
        'maxConcurrent',
        'netExposure',
        'noVolume',
        'positionsWanted',
        'stopBeyondLiquidation',
        'stopLosses',
        'stopStreak',
        'tooSmall',
      ].sort(),
    );
  });

  it('RULE-103 of one symbol without limits is the backtest of that symbol, bit for bit', () => {
    for (let index = 0; index < 200; index++) {
      const { symbols, initialEquity } = randomPortfolio(10_000 + index, 1);
      const [only] = symbols as [SymbolRun];
      const got = runPortfolio(engine, { symbols, limits: { skipsStopBeyondLiquidation: false }, initialEquity });
      const { trades, equity, summary } = runKernel(engine, only);
      const where = `run ${index}`;
      expect(
        got.whole.map((trade) => ({ ...trade, symbol: undefined, exitStep: undefined })),
        where,
      ).toEqual(trades);
      expect(got.equity, where).toEqual([...equity]);
      expect(got.netPnl, where).toBe(summary.netPnl);
      const skipsOf = (reason: string): number => got.skips.get(`S000 ${reason}`) ?? 0;
      const { noVolume, tooSmall, marginShort } = summary.droppedSignals;
      expect([skipsOf('noVolume'), skipsOf('tooSmall'), skipsOf('marginShort')], where).toEqual([
        noVolume,
        tooSmall,
        marginShort,
      ]);
      expect(skipsOf('held'), where).toBe(summary.skippedSignalCount);
    }
  });

  it('RULE-104 adds the contributions of the symbols up to its net PnL, and has no margin twice', () => {
    for (let index = 0; index < 60; index++) {
      const run = randomPortfolio(20_000 + index);
      const got = runPortfolio(engine, run);
      const bySymbol = run.symbols.map(({ symbol }) =>
        got.trades.filter((trade) => trade.symbol === symbol).reduce((sum, { netPnl }) => sum + netPnl, 0),
      );
      expect(bySymbol.reduce((sum, net) => sum + net, 0)).toBe(got.netPnl);
      // Every position is closed at the end of its symbol: what is left is money only.
      expect(got.equity.at(-1)).toBe(run.initialEquity + got.netPnl);
      expect(got.exposure.at(-1)).toEqual({ long: 0, short: 0, margin: 0, open: 0 });
    }
  });

  it('RULE-105 knows nothing of later candles', () => {
    let compared = 0;
    for (let index = 0; index < 60; index++) {
      const run = randomPortfolio(30_000 + index);
      const whole = runPortfolio(engine, run);
      const cutMs = run.symbols[0]!.candles.time.at(-1)! - 40 * 3_600_000;
      const symbols = run.symbols.flatMap((each) => firstUntil(each, cutMs));
      if (symbols.length < run.symbols.length) continue;
      compared++;
      const cut = runPortfolio(engine, { ...run, symbols });
      const isBefore = ({ exitTime }: { exitTime: number }): boolean => exitTime < cutMs;
      expect(cut.trades.filter(isBefore)).toEqual(whole.trades.filter(isBefore));
      const steps = whole.time.filter((time) => time < cutMs).length;
      expect(cut.equity.slice(0, steps)).toEqual(whole.equity.slice(0, steps));
    }
    expect(compared).toBeGreaterThan(25);
  });
});

/** The symbol without the candles after `cutMs`; at least one scored candle before, and one that closes it at the cut, else nothing. */
function firstUntil(run: SymbolRun, cutMs: number): SymbolRun[] {
  const { time } = run.candles;
  const count = time.findLastIndex((each) => each <= cutMs) + 1;
  const scoredCount = run.scoredCount - (time.length - count);
  // A symbol that ends before the cut has its own end; one whose last candle before the cut is not at it would be closed too early.
  if (scoredCount < 2 || (count < time.length && time[count - 1] !== cutMs)) return [];
  const cut = (column: Float64Array): Float64Array => column.slice(0, count);
  const { open, high, low, close, volume } = run.candles;
  const candles = {
    time: cut(time),
    open: cut(open),
    high: cut(high),
    low: cut(low),
    close: cut(close),
    volume: cut(volume),
  };
  const marks = run.markPrices;
  return [
    {
      ...run,
      candles,
      scoredCount,
      score: cut(run.score),
      atr: cut(run.atr!),
      range: cut(run.range!),
      ...(marks && { markPrices: { open: cut(marks.open), high: cut(marks.high), low: cut(marks.low) } }),
    },
  ];
}
