import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import type { Trade } from '@sextant/workers/src/protocol/backtest.ts';
import {
  type Random,
  randomBacktest,
  randomCandles,
  randomExits,
  seededRandom,
} from '@sextant/workers/test/support/randomRuns.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { StrategyExits } from '../../abi/strategy.ts';
import { backtestReference, type ReferenceRun, type ReferenceTrade } from '../reference/backtest.ts';
import { engineTimeoutMs, loadTestEngine, type Run, runKernel } from './support/kernel.ts';

const seed = 20_251_120;
/** `npm test` compares half of them. */
const runCount = process.env.STATISTICS === 'full' ? 1200 : 600;

let engine: Engine;
beforeAll(async () => {
  engine = await loadTestEngine();
}, engineTimeoutMs);

/** Scores with runs of signals, single signals and undefined stretches. */
function randomScore(random: Random, count: number): Float64Array {
  let mood = 0;
  return Float64Array.from({ length: count }, (_, i) => {
    if (i < 10) return Number.NaN;
    if (random() < 0.1) mood = Math.round((random() * 2 - 1) * 100) / 100;
    return random() < 0.5 ? mood : 0;
  });
}

/** Quarters of each candle that stay inside it and touch its high and its low; a tenth of the candles has none, some lack one. */
function randomFine(random: Random, run: Run): Run['fineCandles'] {
  const rows: number[][] = [];
  const { time, open, high, low, close, volume } = run.candles;
  for (let i = 0; i < time.length; i++) {
    if (random() < 0.1) continue;
    const isHighFirst = random() < 0.5;
    const path = [open[i]!, isHighFirst ? high[i]! : low[i]!, isHighFirst ? low[i]! : high[i]!, close[i]!, close[i]!];
    for (let k = 0; k < 4; k++) {
      if (random() < 0.05) continue;
      const [from, to] = [path[k]!, path[k + 1]!];
      rows.push([time[i]! + k * 900_000, from, Math.max(from, to), Math.min(from, to), to, volume[i]!]);
    }
  }
  const column = (k: number): Float64Array => Float64Array.from(rows, (row) => row[k]!);
  return { time: column(0), open: column(1), high: column(2), low: column(3), close: column(4), volume: column(5) };
}

/** Open times that skip one to three hours now and then. */
function withHoles(random: Random, time: Float64Array): Float64Array {
  let shift = 0;
  return time.map((at) => (shift += random() < 0.05 ? Math.ceil(random() * 3) * 3_600_000 : 0) + at);
}

function randomRun(index: number): ReferenceRun & Run {
  const input = randomBacktest(seed, index, 200);
  const random = seededRandom(seed + 7 * index);
  const run: ReferenceRun & Run = { ...input, score: randomScore(random, 200) };
  run.atr = Float64Array.from(run.candles.close, (close, i) => (i < 14 ? Number.NaN : close * 0.01 * (0.5 + random())));
  if (random() < 0.2) run.candles = { ...run.candles, time: withHoles(random, run.candles.time) };
  // Little more than one margin and its fee: after the first loss the rest is too little, or 0.
  const { notional, leverage, takerFeeFraction } = run.costs;
  const least = notional * (1.02 / leverage + takerFeeFraction);
  if (random() < 0.2) run.costs = { ...run.costs, initialEquity: least };
  const fine = random() < 0.3 ? randomFine(random, run) : undefined;
  if (fine !== undefined) run.fineCandles = fine;
  return run;
}

const isNear = (got: number, want: number): boolean =>
  Object.is(got, want) || Math.abs(got - want) <= 1e-9 * Math.max(1, Math.abs(want));

/** Each field of the trade that differs, with both values. Plain comparisons: an `expect` for each of half a million fields is most of the run. */
function differences(got: Trade, want: ReferenceTrade): string[] {
  const exact: [string, unknown, unknown][] = [
    ['side', got.side, want.side > 0 ? 'LONG' : 'SHORT'],
    ['entry', got.entryIndex, want.entryIndex],
    ['exit', got.exitIndex, want.exitIndex],
    ['exit time', got.exitTimeMs, want.exitTimeMs],
    ['reason', got.closeReason, want.reason],
    ['ambiguous', got.isAmbiguous, want.isAmbiguous],
  ];
  const near: [string, number, number][] = [
    ['entryPrice', got.entryPrice, want.entryPrice],
    ['exitPrice', got.exitPrice, want.exitPrice],
    ['quantity', got.quantity, want.quantity],
    ['margin', got.margin, want.margin],
    ['gross', got.grossPnl, want.grossPnl],
    ['fees', got.fees, want.fees],
    ['funding', got.funding, want.funding],
    ['slippage', got.slippage, want.slippage],
    ['net', got.netPnl, want.netPnl],
    ['adverse', got.adverseExcursionFraction, want.adverse],
    ['favourable', got.favourableExcursionFraction, want.favourable],
    ['stop', got.stopLossPrice, want.stop],
    ['target', got.takeProfitPrice, want.target],
    ['liquidation', got.liquidationPrice ?? -1, want.liquidation ?? -1],
  ];
  const differing = [...exact.filter(([, a, b]) => !Object.is(a, b)), ...near.filter(([, a, b]) => !isNear(a, b))];
  return differing.map(([name, a, b]) => `${name} ${String(a)} against ${String(b)}`);
}

function expectSame(got: readonly Trade[], want: readonly ReferenceTrade[], where: string): void {
  expect(got.length, where).toBe(want.length);
  const matches = got.flatMap((trade, k) => differences(trade, want[k]!).map((text) => `trade ${k}: ${text}`));
  expect(matches, where).toEqual([]);
}

/** Checks that the summary follows the settings of funding and of the order inside a candle. @returns trades that show it */
function expectAssumptions(run: Run, { summary, trades }: ReturnType<typeof runKernel>, where: string) {
  const { fundingSource = 'history', sameBar = 'stop' } = run.costs;
  if (fundingSource !== 'history') expect(summary.isFundingKnown, where).toBe(false);
  if (fundingSource === 'off') expect(summary.funding, where).toBe(0);
  const paidCount = trades.filter(({ funding }) => funding !== 0).length;
  const takenCount = trades.filter((trade) => trade.isAmbiguous && trade.closeReason === 'TP').length;
  expect(sameBar === 'target' || takenCount === 0, where).toBe(true);
  return { assumedCount: fundingSource === 'assumed' ? paidCount : 0, takenCount };
}

describe('the kernel and the reference written from docs/simulator.md', () => {
  it(`give the same trades, equity and counts on ${runCount} random runs (seed ${seed})`, () => {
    const seen = new Map<string, number>();
    for (let index = 0; index < runCount; index++) {
      const run = randomRun(index);
      const got = runKernel(engine, run);
      if (got.status !== 0) {
        seen.set('refused', (seen.get('refused') ?? 0) + 1);
        continue;
      }
      const want = backtestReference(run);
      const where = `seed ${seed} case ${index}`;
      expectSame(got.trades, want.trades, where);
      const { skippedSignalCount, droppedSignals, ruinIndex, exposureFraction } = got.summary;
      expect([skippedSignalCount, droppedSignals, ruinIndex], where).toEqual([
        want.skipped,
        want.dropped,
        want.ruinIndex,
      ]);
      expect(exposureFraction, where).toBeCloseTo(want.heldBars / run.scoredCount, 12);
      for (const bound of ['pessimisticNetPnl', 'optimisticNetPnl'] as const) {
        expect(isNear(got.summary[bound], want[bound]), `${where} ${bound}`).toBe(true);
      }
      const { assumedCount, takenCount } = expectAssumptions(run, got, where);
      seen.set('assumed', (seen.get('assumed') ?? 0) + assumedCount);
      seen.set('target first', (seen.get('target first') ?? 0) + takenCount);
      const off = want.equity.findIndex((value, i) => !isNear(got.equity[i]!, value));
      expect(off, `${where} equity`).toBe(-1);
      seen.set('marginShort', (seen.get('marginShort') ?? 0) + want.dropped.marginShort);
      seen.set('ruin', (seen.get('ruin') ?? 0) + Number(want.ruinIndex !== null));
      for (const trade of got.trades) {
        const key = trade.isAmbiguous ? 'ambiguous' : trade.closeReason;
        seen.set(key, (seen.get(key) ?? 0) + 1);
      }
    }
    // Guards against a comparison that never reaches a case.
    for (const reason of ['TP', 'SL', 'LIQ', 'END', 'TIME', 'ambiguous', 'marginShort', 'assumed', 'target first']) {
      expect(seen.get(reason) ?? 0, `cases of ${reason}: ${JSON.stringify([...seen])}`).toBeGreaterThan(50);
    }
    expect(seen.get('ruin')).toBeGreaterThan(0);
  });
});

/** The same runs with the further decisions of a strategy. */
function randomStrategyRun(index: number): ReferenceRun & Run {
  const run = randomRun(index);
  const random = seededRandom(seed + 31 * index);
  run.exits = randomExits(random);
  // A range other than the trailing stop's; sometimes undefined or 0.
  run.range = Float64Array.from(run.candles.close, (close, i) =>
    i < 20 || random() < 0.02 ? Number.NaN : random() < 0.01 ? 0 : close * 0.02 * random(),
  );
  // Every second run has exits of own rules.
  if (index % 2 === 1)
    run.leave = Int8Array.from(run.candles.close, () => (random() < 0.1 ? 1 + Math.floor(3 * random()) : 0));
  delete run.params.holdingBarsMax;
  const { trailing, holdingBarsMax } = run.exits as StrategyExits;
  if (holdingBarsMax > 0) run.params.holdingBarsMax = holdingBarsMax;
  const { mode, atrMultiple, ...fractions } = trailing;
  run.params.trailing = {
    enabled: mode !== 'off',
    mode: mode === 'atr' ? 'atr' : 'percent',
    atrMultiplier: atrMultiple,
    ...fractions,
  };
  return run;
}

describe('what a strategy decides, in the kernel and in the reference', () => {
  it(`gives the same trades, equity and counts on ${runCount} random runs (seed ${seed})`, () => {
    const seen = new Map<string, number>();
    const count = (key: string, by = 1): unknown => seen.set(key, (seen.get(key) ?? 0) + by);
    for (let index = 0; index < runCount; index++) {
      const run = randomStrategyRun(index);
      const got = runKernel(engine, run);
      if (got.status !== 0) continue;
      const want = backtestReference(run);
      const where = `seed ${seed} case ${index}`;
      expectSame(got.trades, want.trades, where);
      const { skippedSignalCount, droppedSignals, ruinIndex, exposureFraction } = got.summary;
      const counts = [skippedSignalCount, droppedSignals, ruinIndex];
      expect(counts, where).toEqual([want.skipped, want.dropped, want.ruinIndex]);
      expect(exposureFraction, where).toBeCloseTo(want.heldBars / run.scoredCount, 12);
      for (const bound of ['pessimisticNetPnl', 'optimisticNetPnl'] as const) {
        expect(isNear(got.summary[bound], want[bound]), `${where} ${bound}`).toBe(true);
      }
      expect(
        got.equity.findIndex((value, i) => !isNear(value, want.equity[i]!)),
        `${where} equity`,
      ).toBe(-1);
      for (const { closeReason, entryPrice, stopLossPrice } of got.trades) {
        count(closeReason);
        if (closeReason === 'SL' && stopLossPrice === entryPrice) count('break-even');
      }
      const { onOpposite, direction, sizing } = run.exits as StrategyExits;
      const reversals = got.trades.filter((trade, k) => got.trades[k - 1]?.exitIndex === trade.entryIndex).length;
      if (onOpposite === 'reverse') count('reversal', reversals);
      if (direction !== 'both') count('one side', got.trades.length);
      if (sizing.mode === 'risk') count('risk', got.trades.length);
      if (sizing.isCompounding) count('compounding', got.trades.length);
    }
    const wanted = [
      'TP',
      'SL',
      'SIGNAL',
      'RULE',
      'TIME',
      'LIQ',
      'break-even',
      'reversal',
      'one side',
      'risk',
      'compounding',
    ];
    for (const key of wanted) expect(seen.get(key) ?? 0, `${key}: ${JSON.stringify([...seen])}`).toBeGreaterThan(50);
  });

  it(`keeps every closed trade and every equity of an earlier end at 100 cut points of 10 runs (seed ${seed})`, () => {
    let settledCount = 0;
    for (let index = 0; index < 10; index++) {
      const whole: Run = randomStrategyRun(4000 + index);
      whole.costs = { ...whole.costs, leverage: 5, initialEquity: 1e5 };
      delete whole.costs.tiers;
      delete whole.costs.funding;
      delete whole.markPrices;
      delete whole.fineCandles;
      delete whole.scoredCount;
      const full = runKernel(engine, whole);
      for (let cut = 100; cut < 200; cut++) {
        const columns = {
          score: whole.score.slice(0, cut),
          atr: whole.atr!.slice(0, cut),
          range: whole.range!.slice(0, cut),
          ...(whole.leave && { leave: whole.leave.slice(0, cut) }),
        };
        const part = runKernel(engine, { ...whole, ...columns, candles: firstOf(whole.candles, cut) });
        // A reversal at the last open closes one position there and opens another.
        const settled = full.trades.filter((trade) => trade.exitIndex < cut - 1);
        expect(part.trades.slice(0, settled.length)).toEqual(settled);
        expect(part.equity.slice(0, cut - 1)).toEqual(full.equity.slice(0, cut - 1));
        settledCount += settled.length;
      }
    }
    expect(settledCount).toBeGreaterThan(1000);
  });
});

describe('prefix invariance', () => {
  it(`keeps every closed trade and every equity of an earlier end at 200 cut points (seed ${seed})`, () => {
    const count = 400;
    const random = seededRandom(seed);
    const candles = randomCandles(random, count);
    const base = { ...randomRun(5), candles, score: randomScore(random, count), scoredCount: count };
    const whole: Run = { candles, score: base.score, params: base.params, costs: { ...base.costs, leverage: 10 } };
    delete whole.costs.tiers;
    whole.params = { ...whole.params, trailing: { ...whole.params.trailing, enabled: true, mode: 'percent' } };
    const full = runKernel(engine, whole);
    expect(full.trades.length).toBeGreaterThan(20);
    for (let cut = count - 200; cut < count; cut++) {
      const part = runKernel(engine, { ...whole, candles: firstOf(candles, cut), score: whole.score.slice(0, cut) });
      // The last bar closes what is open by force, so it is the one place where a shorter series may differ.
      const settled = full.trades.filter((trade) => trade.exitIndex < cut - 1);
      expect(part.trades.slice(0, settled.length)).toEqual(settled);
      expect(part.equity.slice(0, cut - 1)).toEqual(full.equity.slice(0, cut - 1));
      expect(part.trades.slice(settled.length).every((trade) => trade.exitIndex === cut - 1)).toBe(true);
    }
  });
});

describe('prefix invariance with holes, mark prices and finer candles', () => {
  it(`keeps every trade and every equity that is over at 200 cut points (seed ${seed})`, () => {
    const count = 400;
    const random = seededRandom(seed + 1);
    const candles = { ...randomCandles(random, count), time: withHoles(random, randomCandles(random, count).time) };
    const base = randomRun(5);
    const whole: Run = {
      candles,
      score: randomScore(random, count),
      costs: { ...base.costs, leverage: 10, initialEquity: 1e6 },
      params: { ...base.params, stopLossFraction: 0.006, takeProfitFraction: 0.006 },
      markPrices: { open: candles.open, high: candles.high, low: candles.low },
    };
    delete whole.costs.tiers;
    const fine = randomFine(random, whole);
    if (fine !== undefined) whole.fineCandles = fine;
    const full = runKernel(engine, whole);
    const coarse = { ...whole };
    delete coarse.fineCandles;
    const ambiguousOf = (run: Run): number =>
      runKernel(engine, run).trades.filter(({ isAmbiguous }) => isAmbiguous).length;
    expect(ambiguousOf(coarse) - ambiguousOf(whole)).toBeGreaterThan(5); // finer candles did settle some
    for (let cut = count - 200; cut < count; cut++) {
      const first = firstOf(candles, cut);
      const marks = { open: first.open, high: first.high, low: first.low };
      const part = runKernel(engine, { ...whole, candles: first, score: whole.score.slice(0, cut), markPrices: marks });
      const settled = full.trades.filter((trade) => trade.exitIndex < cut - 1);
      expect(part.trades.slice(0, settled.length)).toEqual(settled);
      expect(part.equity.slice(0, cut - 1)).toEqual(full.equity.slice(0, cut - 1));
    }
  });
});

function firstOf(candles: Run['candles'], count: number): Run['candles'] {
  const { time, open, high, low, close, volume } = candles;
  const [a, b, c, d, e, f] = [time, open, high, low, close, volume].map((column) => column.slice(0, count));
  return { time: a!, open: b!, high: c!, low: d!, close: e!, volume: f! };
}
