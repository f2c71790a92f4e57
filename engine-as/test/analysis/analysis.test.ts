// Long because each figure of a run has cases worked by hand.
import {
  ANALYSIS_LENGTH,
  FRAME_LENGTH,
  frameSlot,
  RULES_LENGTH,
  ruleSlot,
  SUMMARY_LENGTH,
  summarySlot,
  TRADE_LENGTH,
  tradeSlot,
} from '@sextant/engine-as/abi/records.ts';
import { CLOSE_END, CLOSE_TAKE_PROFIT } from '@sextant/engine-as/abi/backtest.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import type { BacktestAnalysis, BacktestInput, BacktestResult } from '@sextant/workers/src/protocol/backtest.ts';
import { runTask } from '@sextant/workers/src/tasks/index.ts';
import { readAnalysis } from '@sextant/workers/src/tasks/readResult.ts';
import { randomBacktest } from '@sextant/workers/test/support/randomRuns.ts';
import { randomStrategyInput } from '@sextant/workers/test/support/randomStrategies.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { engineTimeoutMs, loadTestEngine } from '../backtest/support/kernel.ts';
import { type AnalysedRun, analysisReference, studentTailReference } from '../reference/analysis.ts';

const dayMs = 86_400_000;
const startMs = Date.UTC(2025, 0, 1);

let engine: Engine;
beforeAll(async () => {
  engine = await loadTestEngine();
}, engineTimeoutMs);

/** Candles without wicks, each opening at the close before it. */
function barsOf({ close, firstOpen }: Pick<AnalysedRun, 'close' | 'firstOpen'>): NonNullable<AnalysedRun['bars']> {
  const open = close.map((_, i) => (i === 0 ? firstOpen : close[i - 1]!));
  const [high, low] = [Math.max, Math.min].map((pick) => close.map((value, i) => pick(value, open[i]!)));
  return { open, high: high!, low: low!, volume: close.map(() => 1) };
}

/** Calls the kernel on columns that are written by hand, every candle scored. */
function analyse(run: AnalysedRun): BacktestAnalysis {
  engine.raw.arenaReset();
  const { time, close, equity, trades } = run;
  const rules = new Float64Array(RULES_LENGTH);
  rules[ruleSlot.initialEquity] = run.initialEquity;
  rules[ruleSlot.scoredCount] = time.length;
  const summary = new Float64Array(SUMMARY_LENGTH);
  summary[summarySlot.tradeCount] = trades.length;
  summary[summarySlot.netPnl] = trades.reduce((sum, { netPnl }) => sum + netPnl, 0);
  summary[summarySlot.maxDrawdownFraction] = run.maxDrawdownFraction;
  const records = new Float64Array(TRADE_LENGTH * trades.length);
  rules[ruleSlot.takerFee] = run.takerFeeFraction ?? 0;
  trades.forEach(
    ({ side, netPnl, entryIndex, exitIndex, quantity = 0, entryPrice = 0, exitPrice = 0, closeReason }, i) => {
      records[i * TRADE_LENGTH + tradeSlot.side] = side === 'LONG' ? 1 : -1;
      records[i * TRADE_LENGTH + tradeSlot.quantity] = quantity;
      records[i * TRADE_LENGTH + tradeSlot.entryPrice] = entryPrice;
      records[i * TRADE_LENGTH + tradeSlot.exitPrice] = exitPrice;
      records[i * TRADE_LENGTH + tradeSlot.closeReason] = closeReason === 'END' ? CLOSE_END : CLOSE_TAKE_PROFIT;
      records[i * TRADE_LENGTH + tradeSlot.entryIndex] = entryIndex;
      records[i * TRADE_LENGTH + tradeSlot.exitIndex] = exitIndex;
      records[i * TRADE_LENGTH + tradeSlot.netPnl] = netPnl;
    },
  );
  const frame = new Int32Array(FRAME_LENGTH);
  const push = (values: readonly number[] | Float64Array): number => engine.push(Float64Array.from(values));
  frame[frameSlot.count] = time.length;
  frame[frameSlot.time] = push(time);
  const bars = run.bars ?? barsOf(run);
  frame[frameSlot.open] = push(bars.open);
  frame[frameSlot.high] = push(bars.high);
  frame[frameSlot.low] = push(bars.low);
  frame[frameSlot.volume] = push(bars.volume);
  frame[frameSlot.close] = push(close);
  frame[frameSlot.equity] = push(equity);
  frame[frameSlot.rules] = push(rules);
  frame[frameSlot.summary] = push(summary);
  frame[frameSlot.trades] = push(records);
  const frameAt = engine.reserveBytes(4 * FRAME_LENGTH);
  const out = engine.reserve(ANALYSIS_LENGTH);
  engine.i32View(frameAt, FRAME_LENGTH).set(frame);
  expect(engine.raw.analyse(frameAt, out)).toBe(0);
  return readAnalysis(engine.pull(out, ANALYSIS_LENGTH));
}

/** Daily candles with the given equities; the market stands still unless closes are given. */
function ofDays(equity: number[], close: number[] = equity.map(() => 100), maxDrawdownFraction = 0): AnalysedRun {
  const time = equity.map((_, i) => startMs + i * dayMs);
  return { time, firstOpen: 100, close, equity, maxDrawdownFraction, initialEquity: 1000, trades: [] };
}

const ofTrades = (nets: number[], side: 'LONG' | 'SHORT' = 'LONG'): AnalysedRun => ({
  ...ofDays([1000, 1000]),
  trades: nets.map((netPnl, i) => ({ side, netPnl, entryIndex: i, exitIndex: i + (netPnl > 0 ? 3 : 1) })),
});

describe('shares of the turnover', () => {
  const run: AnalysedRun = {
    ...ofDays([1000, 1000, 1000]),
    bars: { open: [100, 100, 100], high: [100, 100, 100], low: [100, 100, 100], volume: [1000, 50, 0] },
  };
  const fill = { side: 'LONG', netPnl: 0, quantity: 1, entryPrice: 100, exitPrice: 100 } as const;

  it('are those of the candles of entry and exit: 1 of 1,000 coins, and 1 of 50', () => {
    const result = analyse({ ...run, trades: [{ ...fill, entryIndex: 0, exitIndex: 1 }] });
    expect(result.turnoverShareLargest).toBeCloseTo(0.02, 12);
    expect(result.turnoverShareMedian).toBeCloseTo((0.001 + 0.02) / 2, 12);
    expect(result.largeFillTradeCount).toBe(1);
  });

  it('leave out a candle without volume, and warn of no trade below 1 %', () => {
    const result = analyse({ ...run, trades: [{ ...fill, entryIndex: 0, exitIndex: 2 }] });
    expect(result.turnoverShareLargest).toBeCloseTo(0.001, 12);
    expect(result.largeFillTradeCount).toBe(0);
  });

  it('are none without trades or without volume', () => {
    const silent = { ...run, bars: { ...run.bars!, volume: [0, 0, 0] } };
    const trades = [{ ...fill, entryIndex: 0, exitIndex: 2 }];
    expect([analyse(run), analyse({ ...silent, trades })]).toMatchObject([
      { turnoverShareLargest: null, turnoverShareMedian: null, largeFillTradeCount: 0 },
      { turnoverShareLargest: null, turnoverShareMedian: null, largeFillTradeCount: 0 },
    ]);
  });
});

describe('figures of the days', () => {
  // 30 days: 10 of +2 %, 10 of -1 %, 10 without change, the market moving +4 %, -2 %, 0 % beside them.
  const pattern = (up: number, down: number): number[] => {
    const values: number[] = [];
    for (let i = 0, value = 1; i < 30; i++) values.push((value *= [1 + up, 1 + down, 1][i % 3]!));
    return values;
  };
  const equity = pattern(0.02, -0.01).map((value) => value * 1000);
  const close = pattern(0.04, -0.02).map((value) => value * 100);

  it('equal the values worked out by hand', () => {
    const result = analyse(ofDays(equity, close, 0.05));
    expect(result).toMatchObject({ dayCount: 30, wonDayCount: 10, flatDayCount: 10, lostDayCount: 10 });
    expect(result.bestDayFraction).toBeCloseTo(0.02, 12);
    expect(result.worstDayFraction).toBeCloseTo(-0.01, 12);
    // Gains 10 x 2 % over losses 10 x 1 %.
    expect(result.omega).toBeCloseTo(2, 9);
    // Every daily return is half of the market's: slope 0.5 and no residual.
    expect(result.beta).toBeCloseTo(0.5, 9);
    expect(result.alphaFraction).toBeCloseTo(0, 9);
    // (1.02 x 0.99)^10 in 30 days, for 365: to the power of 365 / 30.
    expect(result.annualReturnFraction).toBeCloseTo((1.02 * 0.99) ** (3650 / 30) - 1, 9);
    expect(result.marketChangeFraction).toBeCloseTo((1.04 * 0.98) ** 10 - 1, 12);
  });

  it('give alpha what the market does not explain: 0.1 % a day more is 36.5 % a year', () => {
    const returns = Array.from({ length: 31 }, (_, i) => [0.02, -0.02, 0][i % 3]!);
    const grow = (extra: number, from: number): number[] => {
      let value = from;
      return returns.map((each) => (value *= 1 + each + extra));
    };
    const result = analyse(ofDays(grow(0.001, 1000), grow(0, 100)));
    expect(result.beta).toBeCloseTo(1, 9);
    expect(result.alphaFraction).toBeCloseTo(0.365, 9);
  });

  it('annualise nothing below 30 days, and count days all the same', () => {
    const result = analyse(ofDays(equity.slice(0, 29), close.slice(0, 29), 0.05));
    expect(result).toMatchObject({ dayCount: 29, wonDayCount: 10, lostDayCount: 10, flatDayCount: 9 });
    const { annualReturnFraction, calmar, omega, alphaFraction, beta } = result;
    expect([annualReturnFraction, calmar, omega, alphaFraction, beta]).toEqual([null, null, null, null, null]);
  });

  it('count the exact span: 28.02 days that touch 30 UTC days are not 30 days, 30.02 days are', () => {
    // Quarter-hour candles from 23:45: the first and the last day have one each.
    const stepMs = dayMs / 96;
    const spanOf = (days: number): AnalysedRun => {
      const time = Array.from({ length: days * 96 + 2 }, (_, i) => startMs + dayMs - stepMs + i * stepMs);
      const values = time.map((_, i) => 1000 + (i % 96) - (i % 7));
      return { ...ofDays(values), time, maxDrawdownFraction: 0.05 };
    };
    const short = analyse(spanOf(28));
    expect(short).toMatchObject({ dayCount: 28, annualReturnFraction: null, calmar: null, beta: null, omega: null });
    const long = analyse(spanOf(30));
    expect(long.dayCount).toBe(32);
    const end = 1000 + (2881 % 96) - (2881 % 7);
    expect(long.annualReturnFraction).toBeCloseTo((end / 1000) ** (365 / (30 + 2 / 96)) - 1, 12);
  });

  it('are not given when the equity was used up, nor omega without a loss, nor beta in a market that stands still', () => {
    const gone = analyse(ofDays([...equity.slice(0, 29), 0, 0]));
    expect(gone).toMatchObject({ bestDayFraction: null, wonDayCount: null, annualReturnFraction: null, omega: null });
    const rising = analyse(ofDays(equity.map((_, i) => 1000 + i)));
    expect(rising).toMatchObject({ omega: null, beta: null, alphaFraction: null, calmar: null, lostDayCount: 0 });
  });

  it('calmar is the profit of a year over the worst fall', () => {
    // +100 of 1,000 in 73 days with a fall of 5 %: 0.1 x 5 / 0.05 = 10.
    const run = { ...ofDays(Array<number>(73).fill(1100)), maxDrawdownFraction: 0.05 };
    const trade = { side: 'LONG' as const, netPnl: 100, entryIndex: 0, exitIndex: 1 };
    const result = analyse({ ...run, trades: [trade] });
    expect(result.calmar).toBeCloseTo(10, 12);
    // 1.1^(365 / 73) = 1.1^5 = 1.61051: the example of the registry.
    expect(result.annualReturnFraction).toBeCloseTo(0.61051, 9);
  });
});

describe('time under water', () => {
  it('is counted from the peak to its return, candle by candle', () => {
    // Below the start of 1000: 990, 980 (2 candles). New peak 1010; below it 1000, 950, 960 (3); 1010 ends it; 1005 is below.
    const result = analyse(ofDays([990, 980, 1010, 1000, 950, 960, 1010, 1005]));
    expect(result).toMatchObject({ longestUnderwaterCandles: 3, maxDrawdownUsdt: 60, underwaterFraction: 6 / 8 });
  });

  it('is nothing for an equity that only rises', () =>
    expect(analyse(ofDays([1000, 1001, 1002]))).toMatchObject({
      longestUnderwaterCandles: 0,
      maxDrawdownUsdt: 0,
      underwaterFraction: 0,
    }));
});

describe('the drawdown within candles', () => {
  /** Five candles around 100, every close at 100 unless given; no fee, an account of 1,000. */
  const flat = [100, 100, 100, 100, 100];
  const run = (equity: number[], trade: Partial<AnalysedRun['trades'][number]>, more: Partial<AnalysedRun> = {}) => {
    const base = ofDays(equity, flat);
    const whole = { ...barsOf(base), low: [100, 99, 95, 100, 90], high: [100, 101, 108, 100, 100] };
    const one = {
      side: 'LONG' as const,
      netPnl: 0,
      entryIndex: 1,
      exitIndex: 3,
      quantity: 2,
      entryPrice: 100,
      ...trade,
    };
    return analyse({ ...base, bars: whole, trades: [one], ...more }).intrabarDrawdownFraction;
  };
  const still = [1000, 1000, 1000, 1000, 1000];

  it.each<[string, () => number, number]>([
    // Low 95 in candle 2: 2 units lose 10 of 1,000. The low of 90 in candle 4 comes after the exit.
    ['a long counts the lows of the candles it was held through', () => run(still, {}), 0.01],
    ['a short counts their highs', () => run(still, { side: 'SHORT' }), 0.016],
    // The candle of the exit, 4, opens at 100: its low of 90 does not count.
    ['the candle of an exit counts its open', () => run(still, { entryIndex: 3, exitIndex: 4 }), 0],
    [
      'a close forced at the end comes after the whole candle',
      () => run(still, { entryIndex: 3, exitIndex: 4, closeReason: 'END' }),
      0.02,
    ],
    // Entered and forced out in the last candle: 2 x 10 and an entry fee of 0.1 % of 200; the exit's own costs do not count yet.
    [
      'in its entry candle too, with the fee of the entry',
      () =>
        run(
          [1000, 1000, 1000, 1000, 998],
          { entryIndex: 4, exitIndex: 4, closeReason: 'END', netPnl: -2 },
          { takerFeeFraction: 0.001 },
        ),
      0.0202,
    ],
    // Costs so far are in the close of 997: 2 x 5 more.
    ['costs so far count', () => run([1000, 1000, 997, 1000, 1000], {}), 0.013],
    // The peak is the highest close so far: 1,020 before candle 2; the close of candle 2 itself comes after its low.
    ['from the highest close before', () => run([1000, 1020, 1030, 1030, 1030], {}), 0],
    ['from the highest close before, deeper', () => run([1000, 1050, 1040, 1050, 1050], {}), (1050 - 1030) / 1050],
  ])('%s', (_what, resultOf, expected) => expect(resultOf()).toBeCloseTo(expected, 12));

  it('leaves out candles without volume, and is the drawdown of closes without a position', () => {
    const bars = { ...barsOf({ close: flat, firstOpen: 100 }), low: [90, 90, 90, 90, 90], volume: [0, 0, 0, 0, 0] };
    expect(run(still, {}, { bars })).toBe(0);
    expect(run([1000, 980, 990, 1000, 1000], {}, { trades: [] })).toBeCloseTo(0.02, 12);
  });
});

describe('figures of the trades', () => {
  it('equal the values worked out by hand', () => {
    // Wins 30, 20, 10 and losses 10, 30; one trade at 0 ends both streaks. 6 trades, net 20.
    const result = analyse(ofTrades([30, 20, -10, -30, 0, 10]));
    expect(result).toMatchObject({
      averageWin: 20,
      averageLoss: -20,
      payoffRatio: 1,
      bestTrade: 30,
      worstTrade: -30,
      winsInARow: 2,
      lossesInARow: 2,
      candlesHeldByWinners: 3,
      candlesHeldByLosers: 1,
      winRateLong: 0.5,
      winRateShort: null,
      sqn: null,
      meanPValue: null,
      kellyFraction: null,
    });
    expect(result.expectancyRatio).toBeCloseTo(20 / 6 / 20, 12);
  });

  it('need trades, winners or losers, and say so by having no value', () => {
    expect(analyse(ofTrades([]))).toMatchObject({
      averageWin: null,
      averageLoss: null,
      payoffRatio: null,
      expectancyRatio: null,
      bestTrade: null,
      winsInARow: 0,
      lossesInARow: 0,
      winRateLong: null,
      winRateShort: null,
      candlesHeldByWinners: null,
    });
    expect(analyse(ofTrades([5], 'SHORT'))).toMatchObject({ winRateShort: 1, payoffRatio: null, averageLoss: null });
  });

  it('infer from 30 trades on: mean 1, deviation 3, 36 trades make an SQN of 2', () => {
    // 18 of 1 + a and 18 of 1 - a: sample variance 36 a^2 / 35 = 9, so a = 3 sqrt(35 / 36).
    const a = 3 * Math.sqrt(35 / 36);
    const nets = Array.from({ length: 36 }, (_, i) => (i % 2 === 0 ? 1 + a : 1 - a));
    const result = analyse(ofTrades(nets));
    expect(result.sqn).toBeCloseTo(2, 12);
    // t = 2 with 35 degrees of freedom: 0.0267 in one tail.
    expect(result.meanPValue).toBeCloseTo(0.0267, 3);
    // Half won: 0.5 - 0.5 / payoff, payoff (a + 1) / (a - 1).
    expect(result.kellyFraction).toBeCloseTo(0.5 - (0.5 * (a - 1)) / (a + 1), 12);
    expect(analyse(ofTrades(nets.slice(0, 29)))).toMatchObject({ sqn: null, meanPValue: null, kellyFraction: null });
    expect(analyse(ofTrades(Array<number>(40).fill(0.1)))).toMatchObject({ sqn: null, meanPValue: null });
  });
});

describe("Student's t", () => {
  // Abramowitz and Stegun, table 26.10: both tails at these t.
  it.each([
    [1, 12.706, 0.05],
    [2, 4.303, 0.05],
    [5, 4.032, 0.01],
    [10, 2.228, 0.05],
    [29, 2.045, 0.05],
    [30, 2.75, 0.01],
    [120, 1.98, 0.05],
  ])('with %i degrees of freedom gives both tails of %f the published %f', (freedom, t, tails) => {
    expect(2 * engine.raw.studentTail(t, freedom)).toBeCloseTo(tails, 4);
    expect(engine.raw.studentTail(-t, freedom)).toBeCloseTo(1 - tails / 2, 4);
  });

  it.each([1, 2, 3, 4, 7, 29, 500, 2001])('equals the area under its density, %i degrees of freedom', (freedom) => {
    for (const t of [-3, -0.5, 0, 0.1, 1, 2.5]) {
      expect(engine.raw.studentTail(t, freedom)).toBeCloseTo(studentTailReference(t, freedom), 9);
    }
  });
});

describe('the figures of a run', () => {
  /** The result by the second implementation. */
  function compare(
    input: Pick<BacktestInput, 'candles' | 'costs' | 'scoredCount'>,
    { summary, trades, equity, analysis }: BacktestResult,
    where: string,
  ): void {
    const { candles, costs } = input;
    const start = candles.time.length - input.scoredCount;
    const scored = (column: Float64Array): number[] => [...column.subarray(start)];
    const expected = analysisReference({
      time: scored(candles.time),
      firstOpen: candles.open[start]!,
      close: scored(candles.close),
      equity: [...equity],
      initialEquity: costs.initialEquity,
      maxDrawdownFraction: summary.maxDrawdownFraction,
      trades: trades.map((trade) => ({
        ...trade,
        entryIndex: trade.entryIndex - start,
        exitIndex: trade.exitIndex - start,
      })),
      bars: {
        open: scored(candles.open),
        high: scored(candles.high),
        low: scored(candles.low),
        volume: scored(candles.volume),
      },
      takerFeeFraction: costs.takerFeeFraction,
    });
    for (const [name, value] of Object.entries(expected) as [keyof BacktestAnalysis, number | null][]) {
      const result = analysis[name];
      if (value === null || result === null) expect(result, `${name} of ${where}`).toBe(value);
      else expect(Math.abs(result - value), `${name} of ${where}`).toBeLessThan(1e-8 * Math.max(1, Math.abs(value)));
    }
    expect(analysis.intrabarDrawdownFraction, where).toBeGreaterThanOrEqual(summary.maxDrawdownFraction);
  }

  it('equal those of a second implementation over 120 random runs', () => {
    let [long, many, deeper] = [0, 0, 0];
    for (let index = 0; index < 120; index++) {
      const input = randomBacktest(20_261_122, index, index % 2 === 0 ? 300 : 900);
      const outcome = runTask({ engine, hash: '' }, { name: 'backtest', input });
      if (!outcome.ok || !('analysis' in outcome.value)) continue;
      compare(input, outcome.value, `run ${index}`);
      const { analysis, summary } = outcome.value;
      long += Number(analysis.annualReturnFraction !== null);
      many += Number(analysis.sqn !== null);
      deeper += Number(analysis.intrabarDrawdownFraction > summary.maxDrawdownFraction);
    }
    expect(Math.min(long, many, deeper)).toBeGreaterThan(10);
  });

  it('equal those of a second implementation over 40 random runs of rules', () => {
    let reversed = 0;
    for (let index = 0; index < 40; index++) {
      const input = randomStrategyInput(20_261_122, index);
      const outcome = runTask({ engine, hash: '' }, { name: 'backtestStrategy', input });
      if (!outcome.ok || !('analysis' in outcome.value)) continue;
      compare(input, outcome.value, `rules ${index}`);
      reversed += outcome.value.trades.filter(({ closeReason }) => closeReason === 'SIGNAL').length;
    }
    expect(reversed).toBeGreaterThan(10);
  });
});
