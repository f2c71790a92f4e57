import { beforeAll, describe, expect, it } from 'vitest';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { loadModule } from '../../src/node/loadModule.ts';
import type { BacktestResult } from '../../src/protocol/backtest.ts';
import type { PortfolioResult } from '../../src/protocol/portfolio.ts';
import type { StrategyInput } from '../../src/protocol/strategy.ts';
import type { TaskResult } from '../../src/protocol/taskResult.ts';
import { defaultCosts } from '../../src/protocol/wire/defaults.ts';
import { StoredStrategyWire, StrategyWire, strategyVersion } from '../../src/protocol/wire/strategy.ts';
import { strategyOfRules } from '../../src/rules/strategyOfRules.ts';
import { openRulesMarket, runTask, startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { rulesInputOf } from '../../src/tasks/ownRules/inputOfStrategy.ts';
import { contextOf } from '../support/randomStrategies.ts';
import { randomCandles, seededRandom } from '../support/randomRuns.ts';

let compiled: Awaited<ReturnType<typeof loadModule>>;
let at: TaskEngine;
beforeAll(async () => {
  compiled = await loadModule();
  at = startEngine(compiled);
}, 120_000);

const text = `fast = 5 [3..20 step 1]; slow = 20
long when crossover(ema(close, fast), ema(close, slow)) and 4h(close > sma(close, 10))
short when crossunder(ema(close, fast), ema(close, slow))
exit long when close < ema(close, slow)
stop 2 * atr(14); target 3R; risk 1 %`;

function ownStrategy(rules = text): Strategy & { rules: string } {
  const own = strategyOfRules(rules, '1h');
  if (!own.ok) throw new Error(JSON.stringify(own.error));
  return { ...own.value, rules };
}

function inputOf(rules = text, seed = 3): StrategyInput & { strategy: Strategy & { rules: string } } {
  const random = seededRandom(seed);
  const candles = randomCandles(random, 800, intervalMs['1h']);
  const strategy = ownStrategy(rules);
  const context = strategy.intervals.slice(1).map(({ interval }) => contextOf(random, candles, interval, 50));
  const costs = { ...defaultCosts, fundingSource: 'off' as const };
  return { candles, context, strategy, costs, scoredCount: 700 };
}

const valueOf = <T>(result: TaskResult<T>): T => {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};
const backtestOf = (input: StrategyInput): BacktestResult =>
  valueOf(runTask(at, { name: 'backtestStrategy', input }) as TaskResult<BacktestResult>);

describe('a strategy of own rules', () => {
  it('RULE-008 is run by the task of strategies as by that of compiled rules, hashes too', () => {
    const input = inputOf();
    const direct = valueOf(runTask(at, { name: 'backtestRules', input: rulesInputOf(input) })) as BacktestResult;
    const run = backtestOf(input);
    expect(run.trades.length).toBeGreaterThan(5);
    expect(run.trades.map(({ closeReason }) => closeReason)).toContain('RULE');
    expect(run).toEqual(direct);
    expect(backtestOf(inputOf(text.replace('fast = 5', 'fast = 6'))).hashes.params).not.toBe(run.hashes.params);
  });

  it('RULE-008 keeps its market open for the next run with other exits', () => {
    const input = inputOf();
    const opened = valueOf(openRulesMarket(startEngine(compiled), input));
    expect(valueOf(opened.run(input))).toEqual(backtestOf(input));
    const wider = { ...input, strategy: ownStrategy(text.replace('stop 2', 'stop 3')) };
    expect(opened.isOf(wider)).toBe(false);
  });

  it('RULE-103 one symbol with own rules and without limits is its backtest, exits by rule too', () => {
    const input = inputOf();
    const { strategy, scoredCount, ...market } = input;
    const fromMs = market.candles.time[market.candles.time.length - scoredCount] ?? 0;
    const symbols = [{ symbol: 'BTCUSDT', ...market }];
    const account = valueOf(
      runTask(at, { name: 'portfolio', input: { strategy, symbols, limits: {}, fromMs } }),
    ) as PortfolioResult;
    const run = backtestOf(input);
    expect(account.trades.map(({ netPnl, closeReason }) => [closeReason, netPnl])).toEqual(
      run.trades.map(({ netPnl, closeReason }) => [closeReason, netPnl]),
    );
  });

  it('RULE-008 is judged and drawn on made markets like any strategy', () => {
    const run = inputOf();
    const drawn = valueOf(runTask(at, { name: 'monteCarlo', input: { run, seed: 1, marketCount: 5 } })) as {
      ownNetPnl: number;
      netPnl: Float64Array;
    };
    expect(drawn.ownNetPnl).toBe(backtestOf(run).summary.netPnl);
    expect(drawn.netPnl).toHaveLength(5);
  });

  it('RULE-008 has one stored form: its version follows from text and interval, and other fields are rejected', () => {
    const strategy = ownStrategy();
    expect(strategyVersion(StrategyWire.parse(JSON.parse(JSON.stringify(strategy))))).toBe(strategyVersion(strategy));
    const other = StrategyWire.safeParse({ ...strategy, breakEvenR: 1 });
    expect(other.error?.issues[0]?.path).toEqual(['rules']);
    const bad = StrategyWire.safeParse({ ...strategy, rules: 'long when rsj < 30' });
    expect(bad.error?.issues[0]?.message).toMatch(/^line 1, column 11: .+rsi/);
    expect(StrategyWire.safeParse({ ...ownStrategy(), rules: undefined }).success).toBe(false);
    // Stored before the language changed: still listed.
    expect(StoredStrategyWire.safeParse({ ...strategy, rules: 'long when gone(3)' }).success).toBe(true);
  });

  it('RULE-008 says which candles are missing', () => {
    const input = inputOf('long when close > sma(close, 400)');
    const short = { ...input, candles: { ...input.candles }, scoredCount: 50 };
    for (const name of ['time', 'open', 'high', 'low', 'close', 'volume'] as const)
      short.candles[name] = input.candles[name].slice(0, 300);
    const result = runTask(at, { name: 'backtestStrategy', input: short });
    expect(result).toMatchObject({ ok: false, error: { code: 'too_short', field: 'candles' } });
  });
});
