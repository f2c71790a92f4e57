import { describe, expect, it } from 'vitest';
import type { PortfolioRun } from '../../../../src/api/types.ts';
import {
  biasText,
  capacityText,
  contributionBars,
  leftOutText,
  missingTexts,
  monthGrid,
  namesText,
  sizeText,
  skipRows,
  tintOf,
} from '../../../../src/features/backtest/portfolio/portfolioText.ts';

const none: PortfolioRun['skips'] = {
  held: 0,
  positionsWanted: 0,
  maxConcurrent: 0,
  dailyLoss: 0,
  stopStreak: 0,
  drawdown: 0,
  noVolume: 0,
  tooSmall: 0,
  marginShort: 0,
  stopBeyondLiquidation: 0,
  grossExposure: 0,
  netExposure: 0,
  stopLosses: 0,
};

describe('texts of a portfolio run', () => {
  it('RULE-117 lists the reasons of skipped signals, the most frequent first', () => {
    expect(skipRows(none)).toEqual([]);
    expect(skipRows({ ...none, held: 3, dailyLoss: 12, tooSmall: 1 })).toEqual([
      ['Daily loss guard', 12],
      ['Symbol is held', 3],
      ['Below the least order', 1],
    ]);
  });

  it('RULE-117 places months by year, with nothing where no candle was', () => {
    const month = (name: string, returnFraction: number) => ({ month: name, returnFraction, netPnl: 1, tradeCount: 2 });
    const grid = monthGrid([month('2025-12', 0.1), month('2026-01', -0.2)]);
    expect(grid.map(({ year }) => year)).toEqual(['2025', '2026']);
    expect(grid[0]?.cells.findIndex((cell) => cell !== null)).toBe(11);
    expect(grid[1]?.cells[0]?.returnFraction).toBe(-0.2);
    expect(grid[1]?.cells).toHaveLength(12);
    expect([tintOf(-0.2, 0.2), tintOf(0.1, 0.2), tintOf(0, 0)]).toEqual([32, 16, 0]);
  });

  it('RULE-117 draws contributions by their net, the best first', () => {
    const own = (symbol: string, netPnl: number) => ({ symbol, netPnl, tradeCount: 1 });
    const rows = contributionBars([own('A', -50), own('B', 25), own('C', 0)] as PortfolioRun['contributions']);
    expect(rows.map(({ symbol, widthPct }) => [symbol, widthPct])).toEqual([
      ['B', 50],
      ['C', 0],
      ['A', 100],
    ]);
  });

  it('RULE-117 says what limits the trust in a run', () => {
    expect(
      leftOutText([
        { symbol: 'ETHUSDT', reason: 'no_candles' },
        { symbol: 'XUSDT', reason: 'unknown' },
      ]),
    ).toBe('ETHUSDT (no candles), XUSDT (not traded)');
    expect(biasText({ return_fraction: null, reason: 'Cannot be measured.' })).toBe('Cannot be measured.');
    expect(biasText({ return_fraction: 0, reason: null })).toBe('Survivorship bias: none.');
    expect(biasText({ return_fraction: 0.031, reason: null })).toMatch(/return is 3\.10\s% higher\.$/);
    expect(biasText({ return_fraction: -0.031, reason: null })).toMatch(/return is 3\.10\s% lower\.$/);
    expect(capacityText(null)).toBe('no trades');
    expect(capacityText({ notional: 1250, symbol: 'SOLUSDT' })).toBe('1,250.00 USDT an order, limited by SOLUSDT');
    expect(missingTexts({ funding_missing: [], tiers_unknown: [] })).toEqual([]);
    expect(missingTexts({ funding_missing: ['A', 'B'], tiers_unknown: ['A'] })).toEqual([
      'Funding did not load for A, B: none is charged.',
      'Leverage tiers are unknown for A.',
    ]);
    const summary = { symbolCount: 12 } as PortfolioRun['summary'];
    expect(sizeText({ summary, left_out: [] })).toBe('on 12 symbols');
    expect(sizeText({ summary, left_out: [{ symbol: 'A', reason: 'busy' }] })).toBe('on 12 symbols, 1 left out');
    expect(namesText(['A', 'B', 'C', 'D', 'E', 'F'])).toBe('6 symbols');
  });
});
