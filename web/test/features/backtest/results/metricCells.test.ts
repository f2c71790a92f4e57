import { describe, expect, it } from 'vitest';
import { startCosts } from '../../../../src/features/backtest/costs.ts';
import { metricCells } from '../../../../src/features/backtest/results/MetricStrip.tsx';
import { warningsOf } from '../../../../src/features/backtest/results/RunFacts.tsx';
import { analysisOf, runOf as wholeRun, summaryOf } from '../../../support/runs.ts';
import type { BacktestSummary } from '@sextant/workers/src/protocol/backtest.ts';

const runOf = (change: Partial<BacktestSummary>) => ({
  result: {
    summary: summaryOf(change),
    analysis: analysisOf(),
    trades: [],
    equity: new Float64Array(0),
    score: new Float64Array(0),
    hashes: { engine: '', data: '', params: '', result: '' },
    askedBars: [],
    unknownBars: [],
  },
  costs: startCosts(),
});
const cell = (name: string, change: Partial<BacktestSummary>) =>
  metricCells(runOf(change)).find(({ definition }) => definition.name === name);

describe('figures without enough behind them', () => {
  it('say so in words', () => {
    for (const name of ['Win rate', 'Sharpe ratio', 'Sortino ratio', 'Expectancy'])
      expect(cell(name, {})?.value).toBe('not enough data');
  });

  it('show no number that is not one', () => {
    for (const { value } of metricCells(runOf({}))) expect(value).not.toMatch(/NaN|Infinity|null|undefined/);
  });
});

describe('profit factor', () => {
  it.each([
    [{ tradeCount: 12, profitFactor: null }, 'no losing trade'],
    [{ tradeCount: 0, profitFactor: null }, 'no trade'],
    [{ tradeCount: 12, profitFactor: 1.5 }, '1.50'],
  ])('of %j reads %s', (summary, words) => expect(cell('Profit factor', summary)?.value).toBe(words));
});

describe('drawdown', () => {
  it('is marked above 10 %, not at it', () => {
    expect(cell('Max drawdown', { maxDrawdownFraction: 0.1 })?.tone).toBe('plain');
    expect(cell('Max drawdown', { maxDrawdownFraction: 0.1001 })?.tone).toBe('warn');
  });
});

describe('drawdown within candles', () => {
  const run = { ...runOf({ maxDrawdownFraction: 0.08 }) };
  run.result.analysis = { ...analysisOf(), intrabarDrawdownFraction: 0.113 };
  const shown = (isIntrabar: boolean) =>
    metricCells(run, isIntrabar).filter(
      ({ definition }) => /drawdown$/i.test(definition.name) && definition.name !== 'PnL / drawdown',
    );

  it('replaces the drawdown of closes when requested', () => {
    expect(shown(false)).toMatchObject([{ definition: { name: 'Max drawdown' }, value: '8.00\u00a0%', tone: 'plain' }]);
    expect(shown(true)).toMatchObject([
      { definition: { name: 'Intrabar drawdown' }, value: '11.30\u00a0%', tone: 'warn' },
    ]);
  });
});

describe('warnings', () => {
  it('are none for a run without fault', () => expect(warningsOf(runOf({ tradeCount: 40 }))).toEqual([]));

  it('count the scored candles on which votes still warm up', () => {
    const run = runOf({ tradeCount: 40 });
    const warning = (...score: number[]) =>
      warningsOf({ ...run, result: { ...run.result, score: Float64Array.of(...score) } });
    expect(warning(Number.NaN, Number.NaN, 0.2, Number.NaN, 0)).toEqual([
      '2 of 5 scored candles are warm-up, without trades. Load more candles or drop the slowest votes.',
    ]);
    // A hole of a longer interval later on is no warm-up.
    expect(warning(0, 0.2, Number.NaN, 0)).toEqual([]);
  });

  it('name the last day of a range that was cut without a network', () => {
    const { loaded } = wholeRun({});
    // The stored candles end with 2025.
    const requested = { ...loaded, isOffline: true, requestedCount: 1200, requestedUntilMs: Date.UTC(2026, 0, 4) };
    const words = (change: Partial<typeof requested> & { scoredFromMs?: number }) =>
      warningsOf({ ...runOf({ tradeCount: 40 }), loaded: { ...requested, ...change } });
    expect(words({ scoredFromMs: Date.UTC(2025, 11, 1) })).toEqual([
      'Offline: stored candles end on 2025-12-31 (UTC), your dates on 2026-01-03.',
    ]);
    const whole = 'Offline: used the candles of your last connection.';
    expect(words({})).toEqual([whole]);
    expect(words({ scoredFromMs: Date.UTC(2025, 11, 1), requestedUntilMs: Date.UTC(2026, 0, 1) })).toEqual([whole]);
  });

  it('are none without trades, funding known or not', () =>
    expect(warningsOf(runOf({ isFundingKnown: false }))).toEqual([]));

  it('name each thing a careful reader should know', () =>
    expect(
      warningsOf(
        runOf({
          tradeCount: 14,
          maxDrawdownFraction: 0.1598,
          liquidationCount: 1,
          forcedCloseCount: 1,
          stopBeyondLiquidationCount: 2,
          isFundingKnown: false,
          ruinIndex: 811,
          droppedSignals: { noVolume: 1, tooSmall: 0, marginShort: 3 },
          gapCount: 1,
          missingCandleCount: 4,
        }),
      ),
    ).toEqual([
      'Drawdown 15.98\u00a0%: lost more than a tenth of the peak.',
      'Equity used up in candle 812: trading stopped.',
      '1 position liquidated: whole margin lost.',
      'Stop beyond liquidation in 2 trades. Lower the leverage or the stop distance.',
      '3 signals not filled: equity is below the smallest order.',
      '4 candles missing in 1 gap: indicators skip over them.',
      'Only 14 trades: treat rates as unreliable.',
      '1 trade closed at the last candle.',
      'Funding data is incomplete: costs may be understated.',
    ]));

  it('show the optimistic bound as the share of all trades, only when the target is taken first and it mattered', () => {
    const one = runOf({ tradeCount: 40, ambiguousFraction: 1 / 40 });
    const targetFirst = { ...one.costs, sameBar: 'target' as const };
    expect(warningsOf({ ...one, costs: targetFirst })).toEqual([
      'Optimistic: 2.50\u00a0% of trades reached target and stop or liquidation in one candle, and took the target.',
    ]);
    expect(warningsOf(one)).toEqual([]);
    expect(warningsOf({ ...runOf({ tradeCount: 40 }), costs: targetFirst })).toEqual([]);
  });
});
