import type { Trade } from '@sextant/workers/src/protocol.ts';
import { describe, expect, it } from 'vitest';
import { breakdownOf } from '../../../../src/features/backtest/results/breakdown.ts';
import { csvCell, csvText } from '../../../../src/features/backtest/results/csvCell.ts';
import { excursionScale, nearestTrade, placeOf } from '../../../../src/features/backtest/results/excursionPlot.ts';
import { resultsCsv, runJson } from '../../../../src/features/backtest/results/exportRun.ts';
import { plainWords } from '../../../../src/features/backtest/results/plainWords.ts';
import { tradesCsv } from '../../../../src/features/backtest/results/tradesCsv.ts';
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
    expect(text).toContain(`label,"'=HYPERLINK(""http://x"",""y"").csv"\n`);
    expect(text).toContain('\nnetPnl,-3.25\n');
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
  it('says what was gained, what it cost, and that one day brought it', () => {
    const summary = summaryOf({
      ...{ tradeCount: 4, netPnl: 7, winRate: 0.5, expectancy: 1.75, fees: 3, slippage: 1, funding: 0.5 },
      ...{ maxDrawdownFraction: 0.12, buyAndHoldFraction: -0.02 },
    });
    const words = plainWords(runOf({ summary, trades })).join(' ');
    expect(words).toContain('4 trades in 20.8 days of BTCUSDT 1h gained 7.00 USDT');
    expect(words).toMatch(/50\.00\s%\swere won/);
    expect(words).toContain('Costs took 4.50 USDT');
    expect(words).toMatch(/The worst fall was 12\.00\s% of the peak, more than a tenth\./);
    expect(words).toContain('Without its best day, 2026-01-01, the result would be \u22123.00 USDT.');
    expect(words).toMatch(/would have lost 2\.00\s%/);
  });
  it('says that nothing was traded', () => expect(plainWords(runOf({}))[0]).toMatch(/^No trade in/));
});
