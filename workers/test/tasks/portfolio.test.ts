import { beforeAll, describe, expect, it } from 'vitest';
import { liveRules, type Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { loadModule } from '../../src/node/loadModule.ts';
import { respondToTask } from '../../src/node/respondToTask.ts';
import type { BacktestResult, Candles } from '../../src/protocol/backtest.ts';
import type { PortfolioInput, PortfolioResult, PortfolioSymbol } from '../../src/protocol/portfolio.ts';
import type { TaskResult } from '../../src/protocol/taskResult.ts';
import { defaultCosts } from '../../src/protocol/wire/defaults.ts';
import { runTask, startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { randomCandles, seededRandom } from '../support/randomRuns.ts';

let at: TaskEngine;
beforeAll(async () => {
  at = startEngine(await loadModule());
}, 120_000);

const strategy: Strategy = { ...liveRules(['1h']), entryThreshold: 0.2 };
const costs = { ...defaultCosts, fundingSource: 'off' as const };

function symbolOf(symbol: string, seed: number, count = 500, from = 0): PortfolioSymbol {
  const whole = randomCandles(seededRandom(seed), count + from, intervalMs['1h']);
  const cut = (column: Float64Array): Float64Array => column.slice(from);
  const { time, open, high, low, close, volume } = whole;
  const candles: Candles = {
    time: cut(time),
    open: cut(open),
    high: cut(high),
    low: cut(low),
    close: cut(close),
    volume: cut(volume),
  };
  return { symbol, candles, context: [], costs };
}

const inputOf = (symbols: PortfolioSymbol[], limits: PortfolioInput['limits'] = {}): PortfolioInput => ({
  strategy,
  symbols,
  limits,
});

const runOf = (input: PortfolioInput): TaskResult<PortfolioResult> =>
  runTask(at, { name: 'portfolio', input }) as TaskResult<PortfolioResult>;

function valueOf(input: PortfolioInput): PortfolioResult {
  const result = runOf(input);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

const some = (): PortfolioSymbol[] =>
  ['BTCUSDT', 'ETHUSDT', 'ADAUSDT', 'SOLUSDT', 'XRPUSDT'].map((symbol, k) =>
    symbolOf(symbol, 7 + k, 500 - 40 * k, 40 * k),
  );

describe('portfolio', () => {
  it('RULE-106 does not depend on the order in which the symbols are given', () => {
    const limits = { positionsMax: 2, stopLossMaxFraction: 0.5 };
    const symbols = some();
    const one = valueOf(inputOf(symbols, limits));
    const other = valueOf(inputOf([...symbols].reverse(), limits));
    expect(one.trades.length).toBeGreaterThan(10);
    expect(one.skips.maxConcurrent).toBeGreaterThan(0);
    expect(other).toEqual(one);
  });

  it('RULE-103 gives one symbol the trades, equity and figures of its own backtest', () => {
    const [only] = some() as [PortfolioSymbol];
    const { symbol: _symbol, ...market } = only;
    const input = { ...market, strategy, scoredCount: market.candles.time.length };
    const run = runTask(at, { name: 'backtestStrategy', input }) as TaskResult<BacktestResult>;
    if (!run.ok) throw new Error(run.error.message);
    const got = valueOf(inputOf([only], { skipsStopBeyondLiquidation: false }));
    const { summary, trades, equity } = run.value;
    expect(got.trades).toEqual(trades.map((trade) => ({ ...trade, symbol: 'BTCUSDT', exitStep: trade.exitIndex })));
    expect(got.equity).toEqual(equity);
    const shared = [
      'netPnl',
      'tradeCount',
      'maxDrawdownFraction',
      'fees',
      'slippage',
      'winRate',
      'profitFactor',
    ] as const;
    for (const name of shared) expect(got.summary[name], name).toBe(summary[name]);
    expect(got.summary.sharpe).toEqual(summary.sharpe);
    expect(got.summary.sortino).toEqual(summary.sortino);
  });

  it('RULE-104 shows contributions, months, regimes and correlations that belong together', () => {
    const { summary, contributions, months, regimes, correlation, trades, equity, drawdown, openCount } = valueOf(
      inputOf(some()),
    );
    expect(contributions.map(({ symbol }) => symbol)).toEqual(['ADAUSDT', 'BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT']);
    expect(contributions.reduce((sum, { netPnl }) => sum + netPnl, 0)).toBe(summary.netPnl);
    expect(equity.at(-1)).toBe(costs.initialEquity + summary.netPnl);
    expect(months.reduce((product, { returnFraction }) => product * (1 + returnFraction), 1)).toBeCloseTo(
      (equity.at(-1) ?? 0) / costs.initialEquity,
      12,
    );
    expect(months.reduce((sum, { tradeCount }) => sum + tradeCount, 0)).toBe(trades.length);
    const of = (name: string): number => regimes.find(({ regime }) => regime === name)?.tradeCount ?? 0;
    expect(of('trend') + of('range') + of('unknown')).toBe(trades.length);
    expect(of('highVolatility') + of('lowVolatility') + of('unknown')).toBe(trades.length);
    expect(of('trend')).toBeGreaterThan(0);
    expect(Math.max(...drawdown)).toBe(summary.maxDrawdownFraction);
    expect(Math.max(...openCount)).toBe(summary.maxOpenCount);
    correlation.symbols.forEach((_, k) => expect(correlation.values[k * 5 + k]).toBe(1));
  });

  it('RULE-107 names the input that is wrong', () => {
    const [first, second] = some() as [PortfolioSymbol, PortfolioSymbol];
    const fieldOf = (input: PortfolioInput): string | undefined => {
      const result = runOf(input);
      return result.ok ? 'none' : result.error.field;
    };
    const time = second.candles.time.slice().reverse();
    expect(fieldOf(inputOf([first, { ...second, candles: { ...second.candles, time } }]))).toBe(
      'symbols[1].candles.time[1]',
    );
    expect(fieldOf(inputOf([first, { ...second, costs: { ...costs, initialEquity: 5 } }]))).toBe(
      'symbols[1].costs.initialEquity',
    );
    expect(fieldOf(inputOf([first, { ...second, costs: { ...costs, leverage: 0 } }]))).toBe(
      'symbols[1].costs.leverage',
    );
    expect(fieldOf(inputOf([first, first]))).toBe('symbols[1].symbol');
    expect(fieldOf(inputOf([]))).toBe('symbols.length');
    expect(fieldOf(inputOf([first], { positionsMax: 1.5 }))).toBe('limits.positionsMax');
    expect(fieldOf({ ...inputOf([first]), fromMs: 8e15 })).toBe('fromMs');
    expect(fieldOf({ ...inputOf([first]), strategy: { ...strategy, entryThreshold: 2 } })).toBe(
      'strategy.entryThreshold',
    );
  });

  it('RULE-108 warms up on the candles before the first that may trade, and names the symbols that could not', () => {
    const symbols = some();
    const fromMs = symbols[0]!.candles.time[300]!;
    const short = symbolOf('NEWUSDT', 3, 10, 490);
    const { time, trades, idleSymbols } = valueOf({ ...inputOf([...symbols, short]), fromMs });
    expect(time[0]).toBe(fromMs);
    expect(trades.every(({ entryTimeMs }) => entryTimeMs > fromMs)).toBe(true);
    expect(trades.some(({ entryTimeMs }) => entryTimeMs < fromMs + 30 * intervalMs['1h'])).toBe(true);
    expect(idleSymbols).toEqual(['NEWUSDT']);
  });

  it('RULE-191 names what can be changed on its page, which has no search', () => {
    const { honesty } = valueOf({ ...inputOf(some()), judge: { seed: 1, earlierTrialCount: 0 } });
    expect(honesty?.reading.words).toBe(
      'Try another setting to get a luck estimate. Change rules, interval or limits, then run again.',
    );
    const said = [honesty?.reading.words, ...(honesty?.figures ?? []).flatMap(({ reason, words }) => [reason, words])];
    expect(said.join(' ')).not.toMatch(/search/i);
  });

  it('RULE-109 runs from a file, judged, with the costs of each symbol', async () => {
    const symbols = some()
      .slice(0, 2)
      .map(({ symbol, candles }) => ({
        symbol,
        candles: Object.fromEntries(
          Object.entries(candles).map(([name, column]) => [name, [...(column as Float64Array)]]),
        ),
        costs: { stepSize: 0.01 },
      }));
    const sent = { strategy, symbols, costs: { fundingSource: 'off' }, limits: { positionsMax: 1 } };
    const { code, stdout, stderr } = await respondToTask(
      ['portfolio'],
      () => Promise.resolve(JSON.stringify(sent)),
      () => Promise.resolve(),
    );
    expect([code, stderr]).toEqual([0, '']);
    const result = JSON.parse(stdout) as {
      trades: { quantity: number }[];
      summary: { maxOpenCount: number };
      honesty: unknown;
    };
    expect(result.trades.length).toBeGreaterThan(0);
    expect(result.summary.maxOpenCount).toBe(1);
    expect(result.honesty).not.toBeNull();
    for (const { quantity } of result.trades)
      expect(Math.abs(quantity * 100 - Math.round(quantity * 100))).toBeLessThan(1e-6);
    const bad = await respondToTask(
      ['portfolio'],
      () => Promise.resolve(JSON.stringify({ ...sent, limits: { positionsMax: -1 } })),
      () => Promise.resolve(),
    );
    expect(bad.code).toBe(1);
    expect(bad.stderr).toContain('limits.positionsMax');
  });
});
