import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { engineTimeoutMs, type KernelResult, loadTestEngine, runKernel } from '../backtest/support/kernel.ts';
import { describeTables, hourMs, runOf, startMs } from '../backtest/support/tables.ts';

const dayMs = 24 * hourMs;
let engine: Engine;
beforeAll(async () => {
  engine = await loadTestEngine();
}, engineTimeoutMs);

/**
 * Daily candles with one long from bar 1's open to the end, 10 units at 100, so that equity at the close of bar i is
 * 1000 + 10 * (close[i] - 100): the closes say what the daily returns are. Bar 0 has no position and a return of 0.
 */
function heldThrough(closes: number[], initialEquity = 1000, leverage = 1): KernelResult {
  const run = runOf({ title: '', bars: '100 100 100 100 L\n100 100 100 100', trades: [] });
  const all = Float64Array.from([100, ...closes]);
  const open = all.map((_, i) => (i < 2 ? 100 : all[i - 1]!));
  const candles: Candles = {
    time: all.map((_, i) => startMs + i * dayMs),
    open,
    high: all.map((close, i) => Math.max(close, open[i]!)),
    low: all.map((close, i) => Math.min(close, open[i]!)),
    close: all,
    volume: all.map(() => 1),
  };
  run.candles = candles;
  run.score = all.map((_, i) => (i === 0 ? 1 : 0));
  run.params = { ...run.params, stopLossFraction: 0.99, takeProfitFraction: 0.99 };
  run.costs = { ...run.costs, initialEquity, leverage };
  return runKernel(engine, run);
}

/** Closes that give equity 1000 and then these in turn. */
const closesFor = (equities: number[]): number[] => equities.map((equity) => 100 + (equity - 1000) / 10);

describe('sharpe and sortino', () => {
  it('equal the values worked out by hand', () => {
    // 31 days: one of return 0 (no position yet), then 15 pairs of +6 % and -4 %.
    // sum = 15 * 0.02 = 0.3, mean = 0.3 / 31 = 0.009677419...
    // sum of squares = 15 * (0.0036 + 0.0016) = 0.078; sample variance = (0.078 - 31 * mean^2) / 30 = 0.002503225...
    // sharpe = 0.009677419 / 0.050032248 * 19.104973 = 3.69535
    // downside = sqrt(15 * 0.0016 / 31) = 0.027824334; sortino = 0.009677419 / 0.027824334 * 19.104973 = 6.64479
    const equities: number[] = [];
    for (let pair = 0, equity = 1000; pair < 15; pair++) {
      equities.push(equity * 1.06, equity * 1.06 * 0.96);
      equity *= 1.06 * 0.96;
    }
    const { summary } = heldThrough(closesFor(equities));
    const mean = 0.3 / 31;
    const deviation = Math.sqrt((0.078 - 31 * mean * mean) / 30);
    expect(summary.sharpe.count).toBe(31);
    expect(summary.sharpe.value).toBeCloseTo((mean / deviation) * Math.sqrt(365), 9);
    expect(summary.sharpe.value).toBeCloseTo(3.69535, 4);
    expect(summary.sortino.value).toBeCloseTo((mean / Math.sqrt(0.024 / 31)) * Math.sqrt(365), 9);
    expect(summary.sortino.value).toBeCloseTo(6.64479, 4);
  });

  it('has the standard error of Mertens', () => {
    // The same 31 returns: central moments over n of 0 (once), +0.06 and -0.04 (15 each).
    const returns = [0, ...Array.from({ length: 30 }, (_, i) => (i % 2 === 0 ? 0.06 : -0.04))];
    const mean = 0.3 / 31;
    const moment = (order: number): number => returns.reduce((sum, r) => sum + (r - mean) ** order, 0) / 31;
    const ratio = mean / Math.sqrt((moment(2) * 31) / 30);
    const skew = moment(3) / moment(2) ** 1.5;
    const kurtosis = moment(4) / moment(2) ** 2;
    const error = Math.sqrt(((1 - skew * ratio + ((kurtosis - 1) / 4) * ratio ** 2) / 30) * 365);
    const equities: number[] = [];
    for (let i = 1, equity = 1000; i < 31; i++) equities.push((equity *= 1 + returns[i]!));
    const { sharpe } = heldThrough(closesFor(equities)).summary;
    expect(sharpe.value !== null && sharpe.standardError).toBeCloseTo(error, 9);
  });

  it('need 30 days', () => {
    const wobble = Array.from({ length: 28 }, (_, i) => 100 + (i % 2));
    const reason = 'not enough data: 29 of 30 days';
    const { sharpe, sortino } = heldThrough(wobble).summary;
    expect([sharpe, sortino]).toEqual([
      { value: null, count: 29, reason },
      { value: null, count: 29, reason },
    ]);
    expect(heldThrough([...wobble, 100]).summary.sharpe.value).not.toBeNull();
  });

  it('do not divide by nothing', () => {
    const flat = heldThrough(Array<number>(40).fill(100)).summary;
    expect(flat.sharpe).toEqual({ value: null, count: 41, reason: 'the daily returns do not vary' });
    const rising = heldThrough(Array.from({ length: 40 }, (_, i) => 100 + i)).summary;
    expect(rising.sharpe.value).toBeGreaterThan(0);
    expect(rising.sortino).toEqual({ value: null, count: 41, reason: 'no day lost money' });
  });

  it('are not given when the equity was used up', () => {
    // Equity 100 is the margin of 10 units at 10x, and a fall of 20 loses all of it.
    const closes = Array.from({ length: 40 }, (_, i) => (i < 20 ? 100 : 80));
    const { sharpe, maxDrawdownFraction } = heldThrough(closes, 100, 10).summary;
    expect(sharpe).toEqual({ value: null, count: 41, reason: 'the equity was used up' });
    expect(maxDrawdownFraction).toBe(1);
  });

  it('count UTC days, not candles', () => {
    // 30 hours from midnight: two days.
    const bars = '100 100 100 100\n'.repeat(30);
    const { summary } = runKernel(engine, runOf({ title: '', bars, trades: [] }));
    expect(summary.sharpe.count).toBe(2);
  });
});

describeTables('equity and drawdown', [
  {
    title: 'are marked to market at every close, open positions included',
    // 10 units: closes 103, 95, 101 while open; the forced close at 101 ends at 1010. Peak 1030, trough 950: 80 / 1030.
    bars: `
      100 100 100 100 L
      100 104 99  103
      103 103 94  95
      95  102 95  101`,
    params: { stopLossFraction: 0.5, takeProfitFraction: 0.5 },
    trades: ['LONG 1@100 > 3@101 END gross 10'],
    equity: [1000, 1030, 950, 1010],
    summary: { maxDrawdownFraction: 80 / 1030 },
  },
  {
    title: 'start from the initial equity, so a first loss is a drawdown',
    bars: `
      100 100 100 100 L
      100 101 97  98`,
    trades: ['LONG 1@100 > 1@98 SL gross -20'],
    equity: [1000, 980],
    summary: { maxDrawdownFraction: 0.02 },
  },
  {
    title: 'show the entry fee from the entry bar on',
    // 0.001 * 1000 = 1 at the entry, 0.001 * 1020 = 1.02 at the end.
    bars: `
      100 100 100 100 L
      100 101 99  101
      101 102.5 100 102`,
    costs: { initialEquity: 2000, takerFeeFraction: 0.001 },
    trades: ['LONG 1@100 > 2@102 END gross 20 fees 2.02 net 17.98'],
    equity: [2000, 2009, 2017.98],
  },
]);

describeTables('the totals', [
  {
    title: 'of a win and two losses',
    // +40, then shorts of -20 each: profit factor 1, win rate 1/3, expectancy 0.
    bars: `
      100 100 100 100 L
      100 104 99  103 S
      100 103 99  101 S
      100 103 99  101`,
    trades: ['LONG 1@100 > 1@104 TP', 'SHORT 2@100 > 2@102 SL', 'SHORT 3@100 > 3@102 SL'],
    summary: { winRate: 1 / 3, profitFactor: 1, expectancy: 0, netPnl: 0, grossPnl: 0, longCount: 1, shortCount: 2 },
  },
  {
    title: 'have no profit factor without a loss',
    bars: `
      100 100 100 100 L
      100 104 99  103`,
    trades: ['LONG 1@100 > 1@104 TP'],
    summary: { profitFactor: null, winRate: 1, expectancy: 40 },
  },
  {
    title: 'do not count a trade that only broke even as won',
    bars: `
      100 100 100 100 L
      100 101 99  100`,
    trades: ['LONG 1@100 > 1@100 END net 0'],
    summary: { winRate: 0, profitFactor: null },
  },
  {
    title: 'compare with buying and holding one notional, fees included',
    // 10 units from the first open 100 to the last close 110: 100 - 0.001 * (1000 + 1100) = 97.9 of 1000.
    bars: `
      100 101 99  101
      101 110 101 110`,
    costs: { takerFeeFraction: 0.001 },
    trades: [],
    summary: { buyAndHoldFraction: 0.0979 },
  },
  {
    title: 'hold the excursions of a trade up to its exit',
    // Seen: bar 1 from 99 to 103, the open of bar 2 (102) and the exit at 98; the high of 105 in the exit bar may have come later.
    bars: `
      100 100 100 100 L
      100 103 99  102
      102 103.9 97 98`,
    trades: ['LONG 1@100 > 2@98 SL adverse 0.02 favourable 0.03'],
  },
]);
