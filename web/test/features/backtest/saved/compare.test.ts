import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { describe, expect, it } from 'vitest';
import type { SavedRun } from '../../../../src/api/types.ts';
import { startCosts } from '../../../../src/features/backtest/costs.ts';
import {
  cautions,
  cautionsOf,
  compareGroups,
  compareRows,
  withoutFigures,
} from '../../../../src/features/backtest/saved/compareRuns.ts';
import { figureCount } from '../../../../src/features/backtest/results/allFigures.ts';
import { analysisOf, summaryOf } from '../../../support/runs.ts';
import { savedOf } from '../../../support/savedRuns.ts';

type Params = SavedRun['params'];

const base = savedOf();
const withSetup = (change: Partial<SavedRun['setup']>, more: Partial<SavedRun> = {}): SavedRun =>
  savedOf({ setup: { ...base.setup, ...change }, ...more });
const withParams = (change: Partial<Params>): SavedRun => savedOf({ params: { ...base.params, ...change } });
const row = (a: SavedRun, b: SavedRun, name: string) => {
  const { figures, settings } = compareRows([a, b]);
  return [...figures, ...settings].find((each) => each.name === name);
};

describe('two saved runs side by side', () => {
  it('that differ in parameters alone need no caution', () => {
    expect(cautions(base, withParams({ slPct: 0.01 }))).toEqual([]);
    expect(row(base, withParams({ slPct: 0.01 }), 'Stop loss')).toMatchObject({
      texts: ['2.00\u00a0%', '1.00\u00a0%'],
      isDifferent: true,
    });
  });

  it.each([
    [
      'another symbol and interval',
      savedOf({ symbol: 'ETHUSDT', interval: '4h', hashes: { ...base.hashes, data: 'e'.repeat(64) } }),
      ['BTCUSDT 1h and ETHUSDT 4h: the market explains part of the difference.'],
    ],
    [
      'a later window of the same market',
      withSetup({ end_time: Date.UTC(2026, 1, 1) }, { hashes: { ...base.hashes, data: 'e'.repeat(64) } }),
      ['Different candles: the market explains part of the difference.'],
    ],
    [
      'an older engine',
      savedOf({ hashes: { ...base.hashes, engine: 'e'.repeat(64) } }),
      ['Different engine versions: results are not comparable.'],
    ],
    ['a shorter window', withSetup({ scored: 300 }), ['Different window lengths: compare rates, not totals.']],
    [
      'other costs and another size',
      withSetup({ costs: { ...startCosts(), makerFeeFraction: 0.0001, notional: 2000, takeProfitOrder: 'limit' } }),
      ['Different costs and sizing: maker fee, position size, target order.'],
    ],
  ])('say so when one is of %s', (_what, other, words) => {
    expect(cautions(base, other)).toEqual(words);
    expect(cautions(other, base)).toHaveLength(words.length);
  });

  it('distinguish longer intervals from other candles: the hash of the data covers both', () => {
    const data = { hashes: { ...base.hashes, data: 'e'.repeat(64) } };
    const live = savedOf({ ...data, strategy: liveRules(['1h', '4h']) });
    expect(cautions(base, live)).toEqual([
      'Longer intervals differ (none and 4h): that explains part of the difference.',
    ]);
    const later = { ...live, setup: { ...base.setup, end_time: Date.UTC(2026, 1, 1) } };
    expect(cautions(base, later)).toEqual(['Different candles: the market explains part of the difference.']);
  });

  it('name everything that differs, and not only the first', () => {
    const other = withSetup({ scored: 300 }, { symbol: 'ETHUSDT', hashes: { ...base.hashes, engine: 'e'.repeat(64) } });
    expect(cautions(base, other)).toHaveLength(3);
  });

  it('show when each window ended and which engine it was', () => {
    const later = withSetup({ end_time: Date.UTC(2026, 1, 1) }, { hashes: { ...base.hashes, engine: 'e'.repeat(64) } });
    expect(row(base, later, 'Last candle closed')).toMatchObject({
      texts: ['2026-01-01 00:00 UTC', '2026-02-01 00:00 UTC'],
    });
    expect(row(base, later, 'Engine')).toMatchObject({ texts: ['aaaaaaaa', 'eeeeeeee'] });
    expect(row(base, base, 'Engine')).toBeUndefined();
  });

  it('show every cost, weight and rule in which they differ', () => {
    const costs = { ...startCosts(), stopSlippageFraction: 0.001, initialEquity: 5000 };
    expect(row(base, withSetup({ costs }), 'Stop slippage')).toMatchObject({
      texts: ['0.02\u00a0%', '0.10\u00a0%'],
    });
    expect(row(base, withSetup({ costs }), 'Start equity, USDT')).toMatchObject({
      texts: ['1,000.00', '5,000.00'],
    });
    expect(row(base, base, 'Stop slippage')).toBeUndefined();
    const trailing = { ...base.params.trailing, enabled: true };
    expect(row(base, withParams({ trailing }), 'Trail step')).toMatchObject({ texts: ['off', '0.25\u00a0%'] });
    expect(row(base, withParams({ holdingBarsMax: 12 }), 'Longest holding, candles')).toMatchObject({
      texts: ['0', '12'],
    });
  });

  it('of rules are compared by their rules, and Classic as the rules that it is', () => {
    // The server stores a weight for every vote; weights of 0 are not shown.
    const rsiTurned = { rsi: -1.25 } as NonNullable<SavedRun['strategy']>['weights'];
    const rules = savedOf({ strategy: { ...liveRules(['1h', '4h']), weights: rsiTurned } });
    expect(row(base, rules, 'Strategy')).toMatchObject({ texts: ['Classic', 'Rules'], isDifferent: true });
    expect(row(base, rules, 'Stop and target')).toMatchObject({
      texts: ['2.00\u00a0%, 4.00\u00a0%', '2 ATR, 4 ATR'],
    });
    expect(row(base, rules, 'Intervals')).toMatchObject({ texts: ['1h alone', '1h, with 4h at half weight'] });
    expect(row(base, rules, 'RSI weight')).toMatchObject({ texts: ['1.50', '\u22121.25'] });
    expect(row(base, rules, 'Stop loss')).toBeUndefined();
    expect(row(rules, rules, 'RSI weight')).toBeUndefined();
  });

  it('write two numbers in full that would read the same', () => {
    expect(row(withParams({ slPct: 0.02131 }), withParams({ slPct: 0.02134 }), 'Stop loss')).toEqual({
      name: 'Stop loss',
      texts: ['2.131\u00a0%', '2.134\u00a0%'],
      isDifferent: true,
    });
    const near = savedOf({ best: { ...base.best, pnl: 12.501 } });
    expect(row(base, near, 'Net PnL, USDT')).toMatchObject({ texts: ['12.5', '12.501'], isDifferent: true });
  });

  it('say why there is no figure', () => {
    const none = savedOf({ best: { pnl: 0, trades: 0, winRate: null, profitFactor: null } });
    expect(row(base, none, 'Win rate')).toMatchObject({ texts: [expect.any(String), 'no trade'] });
    expect(row(base, none, 'Profit factor')).toMatchObject({ texts: [expect.any(String), 'no trade'] });
    expect(row(base, none, 'Max drawdown')).toMatchObject({ texts: [expect.any(String), 'not stored'] });
  });
});

describe('RULE-123 three or four saved runs side by side', () => {
  const runs = [0.01, 0.02, 0.02, 0.03].map((slPct, at) => ({
    ...withParams({ slPct }),
    best: { ...base.best, pnl: [5, 9, 9, -2][at]!, maxDrawdown: [0.3, 0.1, 0.2, 0.4][at]! },
  }));
  const rowNamed = (of: readonly SavedRun[], name: string) => {
    const { figures, settings } = compareRows(of);
    return [...figures, ...settings].find((each) => each.name === name);
  };

  it('have a column each, and differ when one of them does', () => {
    expect(rowNamed(runs, 'Stop loss')).toMatchObject({
      texts: ['1.00\u00a0%', '2.00\u00a0%', '2.00\u00a0%', '3.00\u00a0%'],
      isDifferent: true,
    });
    expect(rowNamed(runs.slice(1, 3), 'Stop loss')).toMatchObject({ isDifferent: false });
    expect(rowNamed(runs, 'Trades')).toMatchObject({ texts: ['40', '40', '40', '40'], isDifferent: false });
  });

  it('mark the one best figure, and none where two share it', () => {
    expect(rowNamed(runs, 'Max drawdown')).toMatchObject({ best: 1 });
    expect(rowNamed(runs, 'Net PnL, USDT')).not.toHaveProperty('best');
    expect(rowNamed([runs[0]!, runs[1]!, runs[3]!], 'Net PnL, USDT')).toMatchObject({ best: 1 });
    expect(rowNamed([runs[0]!], 'Net PnL, USDT')).not.toHaveProperty('best');
  });

  it('write all in full where two different numbers would read the same', () => {
    const near = [0.02131, 0.02134, 0.03].map((slPct) => withParams({ slPct }));
    expect(rowNamed(near, 'Stop loss')?.texts).toEqual(['2.131\u00a0%', '2.134\u00a0%', '3\u00a0%']);
  });

  it('name each caution once', () => {
    const other = savedOf({ symbol: 'ETHUSDT', hashes: { ...base.hashes, data: 'e'.repeat(64) } });
    expect(cautionsOf([base, other, other])).toEqual([
      'BTCUSDT 1h and ETHUSDT 1h: the market explains part of the difference.',
    ]);
    expect(cautionsOf([base])).toEqual([]);
  });
});

/** A saved run with every figure, as the server stores it: numbers and null, no curves. */
const storedWith = (analysis: Parameters<typeof analysisOf>[0], summary: Parameters<typeof summaryOf>[0] = {}) => {
  const retained = Object.entries({ ...summaryOf(summary), ...analysisOf(analysis) }).filter(
    (entry): entry is [string, number | boolean | null] => typeof entry[1] !== 'object' || entry[1] === null,
  );
  return savedOf({ best: { ...base.best, ...Object.fromEntries(retained) } });
};
const inGroups = (a: SavedRun, b: SavedRun, name: string) =>
  compareGroups([a, b])
    .flatMap(({ rows }) => rows)
    .find((each) => each.name === name);

describe('all figures of two saved runs', () => {
  const month = { dayCount: 40 };
  const trades = { tradeCount: 40 };

  it('stand in the groups of the results, each with its definition and what it rests on', () => {
    const groups = compareGroups([storedWith(month, trades), storedWith({ dayCount: 22 }, { tradeCount: 1200 })]);
    expect(groups.map(({ group, samples }) => [group, ...samples])).toEqual([
      ['return', '40 UTC days', '22 UTC days'],
      ['risk', '40 UTC days, n = 40', '22 UTC days, n = 1,200'],
      ['trades', 'n = 40', 'n = 1,200'],
    ]);
    const rows = groups.flatMap((group) => group.rows);
    expect(rows).toHaveLength(figureCount);
    for (const { definition, texts } of rows) {
      expect(definition?.meaning).toMatch(/\w/);
      expect(texts[0]).not.toMatch(/NaN|null|undefined|not stored/);
    }
  });

  it('mark the better side where the registry names one, and no side of two equals', () => {
    const one = storedWith({ ...month, omega: 1.5, meanPValue: 0.04, worstDayFraction: -0.03, beta: 0.2 }, trades);
    const two = storedWith({ ...month, omega: 1.2, meanPValue: 0.01, worstDayFraction: -0.01, beta: 0.9 }, trades);
    expect(inGroups(one, two, 'Omega ratio')).toMatchObject({ texts: ['1.50', '1.20'], best: 0 });
    expect(inGroups(one, two, 'p-value of the mean')).toMatchObject({ best: 1 });
    expect(inGroups(one, two, 'Worst day')).toMatchObject({ best: 1 });
    expect(inGroups(one, two, 'Beta')).not.toHaveProperty('best');
    expect(inGroups(one, one, 'Omega ratio')).not.toHaveProperty('best');
    expect(row(one, savedOf({ best: { ...one.best, maxDrawdown: 0.09 } }), 'Max drawdown')).toMatchObject({
      best: 0,
    });
  });

  it('say why there is none, and have no better side then', () => {
    const short = storedWith({ dayCount: 22, annualReturnFraction: null });
    const long = storedWith({ ...month, annualReturnFraction: 0.5 });
    const annual = inGroups(short, long, 'Annual return (CAGR)');
    expect(annual).toMatchObject({ texts: ['too few UTC days: 22 of 30', '+50.00\u00a0%'] });
    expect(annual).not.toHaveProperty('best');
  });

  it('show a dash where a run was saved before they existed', () => {
    const old = savedOf({ name: 'old' });
    const row = inGroups(old, storedWith({ ...month, omega: 1.5 }), 'Omega ratio');
    expect(row).toMatchObject({ texts: ['–', '1.50'] });
    expect(row).not.toHaveProperty('best');
    expect(compareGroups([old, old])[0]).toMatchObject({ samples: ['–', '–'] });
    expect(withoutFigures([old, storedWith(month)])).toEqual(['old']);
  });
});
