import { describe, expect, it } from 'vitest';
import {
  liquidityWarnings,
  liquidityWords,
  orderSizeName,
} from '../../../../src/features/backtest/results/liquidityWords.ts';
import { analysisOf, runOf, summaryOf } from '../../../support/runs.ts';

const off = { impactCoefficient: 0, turnoverShareMax: 0 };
const filled = { turnoverShareLargest: 0.034, turnoverShareMedian: 0.002, largeFillTradeCount: 3 };

describe('under the chart of a run', () => {
  it('the order size is named, with the median and the largest share of the turnover', () => {
    const run = runOf({ summary: summaryOf({ tradeCount: 5 }), analysis: analysisOf(filled) });
    expect(liquidityWords(run).replaceAll('\u00a0', ' ')).toBe(
      'Order size by turnover, entries up to 10.00 % of a candle: median 0.20 %, largest 3.40 % of the turnover',
    );
  });

  it('candles without volume say that liquidity was not judged', () => {
    const run = runOf({ summary: summaryOf({ tradeCount: 5 }) });
    expect(liquidityWords(run)).toBe('Liquidity unknown: the candles have no volume');
    expect(liquidityWarnings(run)).toEqual([]);
  });

  it('a run that ignores the size, as older ones do, says so', () => {
    expect([orderSizeName({}), orderSizeName(off)]).toEqual(['ignored', 'ignored']);
    expect(orderSizeName({ turnoverShareMax: 0.5 })).toContain('entries up to 50');
  });
});

describe('large orders are warned of', () => {
  const warningsOf = (run: Parameters<typeof liquidityWarnings>[0]) =>
    liquidityWarnings(run).map((words) => words.replaceAll('\u00a0', ' '));

  it('with their number and the largest share', () => {
    expect(warningsOf(runOf({ analysis: analysisOf(filled) }))).toEqual([
      "3 trades took over 1.00 % of a candle's turnover, up to 3.40 %. They pay more slippage.",
    ]);
  });

  it('where the size is ignored, with the way to price them', () => {
    const run = { ...runOf({ analysis: analysisOf(filled) }), costs: { ...runOf({}).costs, ...off } };
    expect(warningsOf(run)[0]).toContain('Set Order size to By turnover to price them.');
  });

  it('and entries that were cut, one or many', () => {
    const cut = (limitedEntryCount: number) => warningsOf(runOf({ analysis: analysisOf({ limitedEntryCount }) }));
    expect(cut(1)).toEqual(["1 entry cut to 10.00 % of a candle's turnover. Use a smaller size."]);
    expect(cut(7)[0]).toContain('7 entries cut');
  });
});
