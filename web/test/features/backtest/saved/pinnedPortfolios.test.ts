import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { PortfolioRun } from '../../../../src/api/types.ts';
import {
  compared,
  comparedOf,
  comparePortfolio,
  dropCompared,
} from '../../../../src/features/backtest/saved/comparedRuns.ts';
import { cautionsOf, compareRows } from '../../../../src/features/backtest/saved/compareRuns.ts';
import type { ComparedRun } from '../../../../src/features/backtest/saved/compareRow.ts';
import {
  pinned,
  pinNameOf,
  pinOf,
  readPinned,
  renamePinned,
} from '../../../../src/features/backtest/saved/pinnedPortfolios.ts';
import { savedOf } from '../../../support/savedRuns.ts';

/** The parts of a portfolio run that a comparison reads. */
const portfolio = (change: Partial<PortfolioRun> = {}, limits: object = {}): PortfolioRun =>
  ({
    exchange: 'binance',
    interval: '1h',
    strategy: liveRules(['1h']),
    strategy_name: 'Live rules',
    account: {
      equity: 1000,
      leverage: 10,
      limits: {
        positionsMax: 5,
        openingsMax: 0,
        dailyLossPct: 2.5,
        stopStreak: 0,
        cooldownMinutes: 60,
        drawdownPct: 0,
        grossMaxFraction: 3,
        netMaxFraction: 0,
        stopLossMaxFraction: 0,
        ...limits,
      },
    },
    summary: {
      symbolCount: 12,
      netPnl: 120.5,
      winRate: 0.4,
      tradeCount: 80,
      maxDrawdownFraction: 0.11,
      profitFactor: 1.2,
      sharpe: { value: 1.1, count: 40 },
      sortino: { value: null, count: 40 },
      fees: 33,
      exposureFraction: 0.9,
    },
    curve: { time: [Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 1, 1)], equity: [1010, 1120.5] },
    hashes: { engine: 'a'.repeat(64), data: 'b'.repeat(64), params: 'c'.repeat(64), result: 'd'.repeat(64) },
    ...change,
  }) as unknown as PortfolioRun;
const withResult = (letter: string, data = 'b'): Partial<PortfolioRun> => ({
  hashes: { engine: 'a'.repeat(64), data: data.repeat(64), params: 'c'.repeat(64), result: letter.repeat(64) },
});

beforeEach(() => {
  for (const id of compared.ids) dropCompared(id);
});

describe('portfolio runs in the comparison', () => {
  it('RULE-093 stand beside other runs, once, and make room in the order of adding', () => {
    expect(pinNameOf(portfolio())).toBe('12 symbols 1h, Live rules');
    const saved = savedOf({ id: 'single' });
    comparePortfolio(pinOf(portfolio(), 'Account'));
    comparePortfolio(pinOf(portfolio(), 'Account'));
    const runs = comparedOf<ComparedRun>([saved, ...pinned.runs], [...compared.ids, 'single']);
    expect(runs.map(({ name }) => name)).toEqual(['Account', saved.name]);
    expect(runs[0]?.equity).toEqual([1000, 1010, 1120.5]);
    for (const letter of ['e', 'f', 'g', 'h']) comparePortfolio(pinOf(portfolio(withResult(letter)), letter));
    expect(pinned.runs.map(({ name }) => name)).toEqual(['e', 'f', 'g', 'h']);
    renamePinned(pinned.runs[0]!.id, 'Mine');
    expect(pinned.runs[0]?.name).toBe('Mine');
    dropCompared(pinned.runs[0]!.id);
    expect(pinned.runs.map(({ name }) => name)).toEqual(['f', 'g', 'h']);
  });

  it('RULE-093 show their figures and differences beside a run of one symbol', () => {
    const two: ComparedRun[] = [savedOf({}), pinOf(portfolio(), 'Account')];
    const { figures, settings } = compareRows(two);
    const row = (name: string) => [...figures, ...settings].find((each) => each.name === name);
    expect(row('Net PnL, USDT')?.texts[1]).toBe('+120.50');
    expect(row('Trades')?.texts[1]).toBe('80');
    expect(row('Max drawdown')?.texts[1]).toMatch(/^11\.00/);
    // A figure without enough days has no value.
    expect(row('Sortino ratio')?.texts[1]).toBe('–');
    expect(row('Candles')?.texts).toEqual(['BTCUSDT 1h', '12 symbols 1h']);
    expect(row('Candles')?.isDifferent).toBe(true);
    // Classic stands as the rules it is.
    expect(row('Stop and target')?.texts[1]).toBe('2 ATR, 4 ATR');
    // A limit that one symbol does not have is no difference.
    expect(row('Open positions')).toMatchObject({ texts: ['–', '5'], isDifferent: false });
    expect(cautionsOf(two)).toEqual(['One account over many symbols beside one symbol: compare rates, not totals.']);
  });

  it('RULE-093 are bold where two accounts differ', () => {
    const two = [pinOf(portfolio(), 'Five'), pinOf(portfolio(withResult('e'), { positionsMax: 3 }), 'Three')];
    const { settings } = compareRows(two);
    const row = (name: string) => settings.find((each) => each.name === name);
    expect(row('Open positions')).toMatchObject({ texts: ['5', '3'], isDifferent: true });
    expect(row('Daily loss limit')).toMatchObject({ texts: ['2.5 %', '2.5 %'], isDifferent: false });
    expect(row('Openings in one candle')?.texts).toEqual(['off', 'off']);
    expect(row('Stop loss')).toBeUndefined();
    expect(cautionsOf(two)).toEqual([]);
    const other = pinOf(portfolio(withResult('f', 'x')), 'Others');
    expect(cautionsOf([two[0]!, other])).toEqual([
      'Different symbols or candles: the market explains part of the difference.',
    ]);
  });

  it('RULE-093 are read back as they were stored, and nothing else is', () => {
    const run = pinOf(portfolio(), 'Account');
    expect(readPinned(JSON.stringify([run]))).toEqual([run]);
    expect(readPinned(JSON.stringify([{ ...run, equity: ['1'] }, 7, null, { id: 'x' }, run]))).toEqual([run]);
    for (const text of [null, '{', '{}', '7']) expect(readPinned(text)).toEqual([]);
  });

  it('RULE-093 are there again when the page is loaded', async () => {
    const run = pinOf(portfolio(), 'Account');
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => (key === 'sextant.lab.portfolios' ? JSON.stringify([run]) : null),
    });
    try {
      vi.resetModules();
      const loaded = await import('../../../../src/features/backtest/saved/pinnedPortfolios.ts');
      expect(loaded.pinned.runs).toEqual([run]);
    } finally {
      vi.unstubAllGlobals();
    }
  });
});
