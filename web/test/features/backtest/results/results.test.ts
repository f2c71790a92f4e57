import type { BacktestSummary, Costs, Trade } from '@sextant/workers/src/protocol/backtest.ts';
import { describe, expect, it } from 'vitest';
import { breakdownOf } from '../../../../src/features/backtest/results/figures.ts';
import { csvCell, csvText } from '@sextant/workers/src/core/csvCell.ts';
import { excursionScale, nearestTrade, placeOf } from '../../../../src/features/backtest/results/ResultPanels.tsx';
import { plainWords } from '../../../../src/features/backtest/results/InWords.tsx';
import { resultsCsv, runJson, tradesCsv } from '../../../../src/features/backtest/results/ExportButtons.tsx';
import { runOf, summaryOf, tradeOf } from '../../../support/runs.ts';

const at = (day: number, hour: number) => Date.UTC(2026, 0, day, hour);
/** 1 January 2026 is a Thursday. */
const trades: Trade[] = [
  tradeOf({ side: 'LONG', exitTimeMs: at(1, 23), netPnl: 10 }),
  tradeOf({ side: 'SHORT', exitTimeMs: at(2, 0), netPnl: -4 }),
  tradeOf({ side: 'LONG', exitTimeMs: at(2, 5), netPnl: -1 }),
  tradeOf({ side: 'SHORT', exitTimeMs: at(8, 5), netPnl: 2 }),
];

describe('the breakdown', () => {
  it('counts by side, by the UTC day of the exit and by weekday from Monday', () => {
    expect(breakdownOf(trades, 'side')).toEqual([
      { key: 'Long', count: 2, winCount: 1, netPnl: 9 },
      { key: 'Short', count: 2, winCount: 1, netPnl: -2 },
    ]);
    expect(breakdownOf(trades, 'day').map(({ key, count, netPnl }) => [key, count, netPnl])).toEqual([
      ['2026-01-01', 1, 10],
      ['2026-01-02', 2, -5],
      ['2026-01-08', 1, 2],
    ]);
    expect(breakdownOf(trades, 'weekday').map(({ key, netPnl }) => [key, netPnl])).toEqual([
      ['Thursday', 12],
      ['Friday', -5],
    ]);
  });

  it('counts a week from its Monday, over the turn of the year, and a month by its name', () => {
    const rows = (grouping: 'week' | 'month') => breakdownOf(trades, grouping).map(({ key, netPnl }) => [key, netPnl]);
    expect(rows('week')).toEqual([
      ['2025-12-29', 5],
      ['2026-01-05', 2],
    ]);
    expect(rows('month')).toEqual([['2026-01', 7]]);
  });
});

describe('the excursions', () => {
  const pair = [
    tradeOf({ adverseExcursionFraction: 0.01, favourableExcursionFraction: 0.04 }),
    tradeOf({ adverseExcursionFraction: 0.04, favourableExcursionFraction: 0 }),
  ];
  it('stand on one scale for both axes, and the nearest within reach is found', () => {
    const frame = { width: 450, height: 222 };
    expect(excursionScale(pair)).toBe(0.04);
    expect(placeOf(pair[0]!, frame, 0.04)).toEqual({ x: 144, y: 4 });
    expect(placeOf(pair[1]!, frame, 0.04)).toEqual({ x: 444, y: 204 });
    expect(nearestTrade(pair, frame, { x: 150, y: 8 })).toBe(0);
    expect(nearestTrade(pair, frame, { x: 300, y: 100 })).toBeNull();
  });
  it('have a scale without trades', () => expect(excursionScale([])).toBeGreaterThan(0));
});

describe('a file for a spreadsheet', () => {
  it.each([
    ['=cmd|calc', "'=cmd|calc"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@now', "'@now"],
    ['\tx', "'\tx"],
    ['a "b", c', '"a ""b"", c"'],
    ['=a,b', '"\'=a,b"'],
    [-1.5, '-1.5'],
    [null, ''],
    [true, 'true'],
  ])('writes %j as %s', (value, cell) => expect(csvCell(value)).toBe(cell));

  it('runs nothing that came with a file name', () => {
    const text = resultsCsv(runOf({ label: '=HYPERLINK("http://x","y").csv', summary: summaryOf({ netPnl: -3.25 }) }));
    expect(text).toContain(`label,"'=HYPERLINK(""http://x"",""y"").csv",\n`);
    expect(text).toContain('\nnetPnl,-3.25,USDT\n');
    for (const line of text.trim().split('\n')) expect(line.split(',')[1] ?? '').not.toMatch(/^"?[=+@]/);
  });

  it('has a row for each trade with every number in full', () => {
    const lines = tradesCsv([tradeOf({ entryPrice: 0.1 + 0.2 })])
      .trim()
      .split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('0.30000000000000004');
    expect(csvText([['a', 1]])).toBe('a,1\n');
  });

  it('is, as JSON, enough to run it again and to check it', () => {
    const run = runOf({ summary: summaryOf({ tradeCount: 1 }), trades: [tradeOf()] });
    const read = JSON.parse(runJson(run)) as Record<string, unknown>;
    expect(read).toMatchObject({ hashes: run.result.hashes, scored: 500, loaded: 1200, interval: '1h' });
    expect(read['params']).toMatchObject({ entryThreshold: 0.08, slPct: 0.02 });
    expect(read['trades']).toHaveLength(1);
  });
});

describe('the summary in words', () => {
  const gained = {
    tradeCount: 4,
    netPnl: 7,
    winRate: 0.5,
    expectancy: 1.75,
    grossPnl: 10.5,
    buyAndHoldFraction: -0.02,
  };
  const wordsOf = (change: Partial<BacktestSummary>, those = trades): string =>
    plainWords(runOf({ summary: summaryOf({ ...gained, ...change }), trades: those })).join(' ');

  it('says what was gained, what it cost, which side it was, and that one day brought it', () => {
    const words = wordsOf({ fees: 3, slippage: 1, funding: 0.5, maxDrawdownFraction: 0.12 });
    expect(words).toMatch(
      /^4 trades in 20\.8 days of BTCUSDT 1h \(the last 500 of 1,200 candles\) gained 7\.00 USDT after costs, 0\.\d\d.% of the starting/,
    );
    expect(words).toContain('2 of 4 won; the average trade gained 1.75 USDT.');
    expect(words).toContain('Gained 11.50 USDT before costs; costs took 4.50 USDT: 3.00 fees, 1.00 slippage, 0.50');
    expect(words).toContain('Longs gained 9.00 USDT, shorts lost 2.00 USDT.');
    expect(words).toMatch(/Max drawdown: 12\.00\s% of the peak, more than a tenth\./);
    expect(words).toContain('Without the best day, 2026-01-01: −3.00 USDT.');
    expect(words).toMatch(/Buy and hold at the same size lost 2\.00\s% of the starting equity after fees\./);
  });

  it('counts winners in plain language', () => {
    expect(wordsOf({ winRate: 0 })).toContain('0 of 4 won;');
    expect(wordsOf({ winRate: 0.25 })).toContain('1 of 4 won;');
    expect(wordsOf({ winRate: 1 })).toContain('All 4 won;');
  });

  it('does not say that costs took what was never there', () => {
    const words = wordsOf({ netPnl: -9, expectancy: -2.25, grossPnl: -6, fees: 3, slippage: 1, isFundingKnown: false });
    expect(words).toContain('lost 9.00 USDT after costs');
    expect(words).toContain(
      'Lost 5.00 USDT before costs; costs took 4.00 USDT: 3.00 fees, 1.00 slippage, funding unknown.',
    );
    expect(words).not.toContain('best day');
  });

  it('counts funding that was received as what it is', () => {
    expect(wordsOf({ fees: 3, slippage: 1, funding: -0.5 })).toContain(
      'costs took 3.50 USDT: 3.00 fees, 1.00 slippage, 0.50 funding received.',
    );
    expect(wordsOf({ fees: 1, slippage: 0, funding: -3 })).toContain(
      'costs and funding gave back 2.00 USDT: 1.00 fees',
    );
  });

  it('speaks of one trade without rates, of one side, of liquidations and of ruin', () => {
    const [one] = trades;
    const single = wordsOf({ tradeCount: 1, netPnl: 10 }, [one!]);
    expect(single).toMatch(/^1 trade in/);
    expect(single).not.toMatch(/mean trade|All of them/);
    expect(wordsOf({}, [one!, one!])).toContain('All long.');
    expect(wordsOf({ liquidationCount: 1 })).toContain('1 position was liquidated.');
    expect(wordsOf({ liquidationCount: 2, ruinIndex: 900 })).toContain(
      '2 positions were liquidated; the equity was used up.',
    );
  });

  it('says when the order inside candles decides between loss and gain', () => {
    const words = wordsOf({ netPnl: -4, optimisticNetPnl: 6, ambiguousFraction: 0.5 });
    expect(words).toContain(
      '2 candles reached both target and stop or liquidation: with the target first, +6.00 USDT.',
    );
    expect(wordsOf({ netPnl: 4, pessimisticNetPnl: 2, optimisticNetPnl: 6 })).not.toContain('reached both');
    const targetFirst = wordsOf({ netPnl: 6, optimisticNetPnl: 6, pessimisticNetPnl: -4, ambiguousFraction: 0.25 });
    expect(targetFirst).toContain('1 candle reached both target and stop or liquidation: with the stop first, −4.00');
  });

  it('says that nothing was traded, and why', () => {
    const run = runOf({});
    run.result.score.fill(-0.05);
    expect(plainWords(run).slice(0, 2)).toEqual([
      'No trade in 20.8 days of BTCUSDT 1h (the last 500 of 1,200 candles).',
      'Highest score: 0.05. The entry threshold is 0.08.',
    ]);
    const dropped = runOf({ summary: summaryOf({ droppedSignalCount: 3 }) });
    expect(plainWords(dropped)[1]).toBe('3 signals could not be filled.');
  });

  it('says what was charged as funding and what came first in a candle that held stop and target', () => {
    const charged = (
      costs: Partial<Costs>,
      isFundingKnown = false,
      source: 'exchange' | 'csv' = 'exchange',
    ): string => {
      const run = runOf({ summary: summaryOf({ ...gained, funding: 0.3, isFundingKnown }), trades, source });
      return plainWords({ ...run, costs: { ...run.costs, ...costs } }).join(' ');
    };
    expect(charged({})).toContain(' slippage, funding unknown.');
    expect(charged({})).toContain('Funding: as settled, where known.');
    expect(charged({}, false, 'csv')).toContain('Funding: none (a file has no funding rates).');
    expect(charged({}, true)).toContain('Funding: as settled. Stop and target in one candle: stop first.');
    const assumed = charged({ fundingSource: 'assumed', assumedFundingFraction: 0.0001, sameBar: 'target' });
    expect(assumed).toContain(' slippage, 0.30 funding at an assumed 0.01 % every 8 hours.');
    expect(assumed).toContain('Funding: assumed, 0.01 % every 8 h. Stop and target in one candle: target first.');
    expect(charged({ fundingSource: 'off' })).toContain(' slippage, no funding.');
  });
});
