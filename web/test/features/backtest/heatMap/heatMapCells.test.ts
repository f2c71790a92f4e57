import { describe, expect, it } from 'vitest';
import {
  cellsOf,
  type HeatMapCell,
  problemsOfCells,
  scaleOfCells,
  summaryOfCells,
  textOfCell,
  tintOfCell,
} from '../../../../src/features/backtest/heatMap/heatMapCells.ts';
import { readSymbols } from '../../../../src/features/backtest/portfolio/portfolioState.ts';

const cellOf = (figures: Partial<NonNullable<HeatMapCell['figures']>> | null): HeatMapCell => ({
  symbol: 'BTCUSDT',
  interval: '1h',
  figures: figures === null ? null : { netPnl: 0, maxDrawdownFraction: 0, tradeCount: 1, level: null, ...figures },
  problem: '',
});

describe('RULE-124 the cells of a heat map', () => {
  it('are every symbol on every interval, row after row', () => {
    expect(cellsOf(['A', 'B'], ['15m', '1h']).map(({ symbol, interval }) => `${symbol} ${interval}`)).toEqual([
      'A 15m',
      'A 1h',
      'B 15m',
      'B 1h',
    ]);
  });

  it('have blue for gains and amber for losses, by the root of their share of the largest', () => {
    const cells = [cellOf({ netPnl: 100 }), cellOf({ netPnl: -25 }), cellOf({ netPnl: 0 }), cellOf(null)];
    const scale = scaleOfCells(cells);
    expect(scale).toEqual({ net: 100, drawdown: 0 });
    // 25 of 100 is half of the strongest tint of 32 %.
    expect(cells.map((cell) => tintOfCell(cell, 'net', scale))).toEqual([
      { tone: 'good', percent: 32 },
      { tone: 'bad', percent: 16 },
      { tone: 'good', percent: 0 },
      null,
    ]);
  });

  it('RULE-210 say why they have no result, the most frequent reason first', () => {
    const failed = (problem: string) => ({ ...cellOf(null), problem });
    const cells = [failed('unknown'), failed('too short'), failed('too short'), failed(''), cellOf({})];
    expect(problemsOfCells(cells)).toEqual(['2 cells: too short', '1 cell: unknown']);
    // A cell without a verdict has a result.
    expect(problemsOfCells([{ ...cellOf({}), problem: 'no verdict' }])).toEqual([]);
  });

  it('deepen with the drawdown', () => {
    const cells = [cellOf({ maxDrawdownFraction: 0.4 }), cellOf({ maxDrawdownFraction: 0.1 }), cellOf({})];
    const scale = scaleOfCells(cells);
    expect(cells.map((cell) => tintOfCell(cell, 'drawdown', scale)?.percent)).toEqual([32, 16, 0]);
    // Without any drawdown there is nothing to colour.
    expect(tintOfCell(cellOf({}), 'drawdown', { net: 0, drawdown: 0 })?.percent).toBe(0);
  });

  it('have a number or a word in them, whatever the colour', () => {
    const cell = cellOf({ netPnl: -12.345, maxDrawdownFraction: 0.081, level: 'luck' });
    expect(textOfCell(cell, 'net')).toBe('\u221212.35');
    expect(textOfCell(cell, 'drawdown')).toBe('8.10\u00a0%');
    expect(textOfCell(cell, 'verdict')).toBe('Luck');
    expect(textOfCell(cellOf({ level: null }), 'verdict')).toBeNull();
    expect(textOfCell(cellOf(null), 'net')).toBeNull();
  });

  it('say how many gained, and the median of all that ran', () => {
    const nets = (...list: number[]) => list.map((netPnl) => cellOf({ netPnl }));
    expect(summaryOfCells([...nets(3, -9, 1), cellOf(null)])).toBe('Gained in 2 of 3 cells, median +1.00 USDT.');
    expect(summaryOfCells(nets(3, -9))).toBe('Gained in 1 of 2 cells, median \u22123.00 USDT.');
    expect(summaryOfCells(nets(-9))).toBe('Gained in 0 of 1 cell, median \u22129.00 USDT.');
    expect(summaryOfCells([cellOf(null)])).toBe('');
  });
});

it('RULE-124 a heat map takes 1 to 128 symbols', () => {
  const names = (count: number) => Array.from({ length: count }, (_, at) => `S${at}USDT`).join(', ');
  expect(readSymbols('btcusdt, ETHUSDT btcusdt')).toEqual({ symbols: ['BTCUSDT', 'ETHUSDT'] });
  expect(readSymbols(names(128))).toHaveProperty('symbols.length', 128);
  expect(readSymbols(names(129))).toEqual({ error: '129 symbols, at most 128' });
  expect(readSymbols('')).toEqual({ error: 'Enter a symbol, e.g. BTCUSDT' });
});
