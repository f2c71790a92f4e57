import { liveRules, type Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { liveWeights } from '@sextant/engine-as/abi/liveWeights.ts';
import { type Engine, instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import type { BacktestResult, Candles } from '@sextant/workers/src/protocol/backtest.ts';
import type { PortfolioResult } from '@sextant/workers/src/protocol/portfolio.ts';
import type { TaskResult } from '@sextant/workers/src/protocol/taskResult.ts';
import type { TaskInput } from '@sextant/workers/src/protocol/tasks.ts';
import { defaultCosts } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { pushAtr, pushCandles } from '@sextant/workers/src/tasks/backtest.ts';
import { runTask, startEngine, type TaskEngine } from '@sextant/workers/src/tasks/index.ts';
import { numberSettings } from '@sextant/workers/src/core/settings.ts';
import { type Random, randomCandles, randomExits, seededRandom } from '@sextant/workers/test/support/randomRuns.ts';
import { limitsOfAuto } from '@sextant/workers/src/signals/autoLimits.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { baseOfAuto } from '../../../../src/features/backtest/portfolio/autoAccount.ts';
import type { Preferences } from '../../../../src/features/preferences/contract.ts';
import { defaultAuto } from '../../../../src/features/sandbox/defaultAuto.ts';
import { FUNDING_MS, HOUR_MS, type ReplaySymbol, type ReplayTrade, replayAuto } from './autoReplay.ts';

const seed = 20_261_129;
const runCount = 220;

let tasks: TaskEngine;
let engine: Engine;
beforeAll(async () => {
  const module = await loadModule();
  tasks = startEngine(module);
  engine = instantiate(module.module);
}, 120_000);

const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

function randomStrategy(random: Random): Strategy {
  const exits = randomExits(random);
  const weights = Object.fromEntries(
    Object.keys(liveWeights).map((id) => [id, random() < 0.6 ? Math.round(random() * 40 - 10) / 20 : 0]),
  );
  return {
    ...liveRules(['1h']),
    ...exits,
    weights: { ...weights, rsi: 1 },
    // Auto opens the other side after an exit by an opposite signal, as `reverse` does.
    onOpposite: pick(random, ['hold', 'reverse']),
    // Below the distance at which 10x would be liquidated most stops pass; the others are skipped by both.
    entryThreshold: pick(random, [0.05, 0.15, 0.3]),
  };
}

function randomSettings(random: Random): Preferences {
  const numbers = Object.fromEntries(Object.entries(numberSettings).map(([id, { default: value }]) => [id, value]));
  const balance = pick(random, [500, 1000, 20_000]);
  return {
    ...numbers,
    ...defaultAuto.settings,
    min_auto_conf_pct: 0,
    balance_usdt: balance,
    base_usdt: pick(random, [null, balance / 4, balance]),
    leverage: pick(random, [1, 3, 10, 20]),
    positions_wanted: 1 + Math.floor(random() * 4),
    max_concurrent_positions: 1 + Math.floor(random() * 6),
    guard_daily_loss_pct: random() < 0.3 ? pick(random, [0.5, 2, 5]) : null,
    guard_stop_streak: random() < 0.3 ? 1 + Math.floor(random() * 3) : null,
    guard_cooldown_minutes: pick(random, [60, 600, 3000]),
    guard_drawdown_pct: random() < 0.2 ? pick(random, [3, 15]) : null,
    // What an account has without any of the above.
    dynamic_risk_on: false,
  } as unknown as Preferences;
}

function cutCandles(random: Random, candles: Candles): Candles {
  const count = candles.time.length;
  const first = random() < 0.3 ? Math.floor(random() * count * 0.4) : 0;
  const end = random() < 0.2 ? Math.ceil(count * (0.7 + 0.3 * random())) : count;
  const { time, open, high, low, close, volume } = candles;
  const cut = (column: Float64Array): Float64Array => column.slice(first, end);
  return { time: cut(time), open: cut(open), high: cut(high), low: cut(low), close: cut(close), volume: cut(volume) };
}

function fundingOf(random: Random, { time }: Candles): Map<number, number> {
  const stamps = [...time].filter((each) => each % FUNDING_MS === 0);
  return new Map(stamps.map((each) => [each, Math.round((random() - 0.4) * 1000) / 1e6]));
}

interface Configuration {
  strategy: Strategy;
  preferences: Preferences;
  symbols: ReplaySymbol[];
  portfolio: PortfolioResult;
}

const valueOf = <T>(result: TaskResult<T>): T => {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};
const backtestOf = (input: TaskInput<'backtestStrategy'>): BacktestResult =>
  valueOf(runTask(tasks, { name: 'backtestStrategy', input }) as TaskResult<BacktestResult>);
const portfolioOf = (input: TaskInput<'portfolio'>): PortfolioResult =>
  valueOf(runTask(tasks, { name: 'portfolio', input }) as TaskResult<PortfolioResult>);

function configurationOf(index: number): Configuration {
  const random = seededRandom(seed + 97 * index);
  const strategy = randomStrategy(random);
  const preferences = randomSettings(random);
  const leverage = preferences.leverage;
  const count = 2 + Math.floor(random() * 6);
  const members = Array.from({ length: count }, (_, k) => {
    const candles = cutCandles(random, randomCandles(random, 260, HOUR_MS));
    const funding = fundingOf(random, candles);
    const [stepSize, minNotional] = [pick(random, [0.001, 0.01, 0.1]), pick(random, [0, 5])];
    const costs = {
      ...defaultCosts,
      // Auto fills at the price it sees.
      slippageFraction: 0,
      initialEquity: preferences.balance_usdt,
      leverage,
      notional: baseOfAuto(preferences) * leverage,
      tickSize: 0.01,
      stepSize,
      minNotional,
      liquidationModel: 'binance' as const,
      funding: { time: Float64Array.from(funding.keys()), rate: Float64Array.from(funding.values()) },
    };
    return { symbol: `S${k}USDT`, candles, funding, costs };
  });
  const symbols = members.map(({ symbol, candles, funding, costs }): ReplaySymbol => {
    const input = { candles, context: [], strategy, costs, scoredCount: candles.time.length };
    const { score } = backtestOf(input);
    engine.raw.arenaReset();
    const columns = pushCandles(engine, candles);
    const range = engine.pull(pushAtr(engine, columns, candles.time.length, strategy.atrPeriod), candles.time.length);
    const { tickSize, stepSize, minNotional } = costs;
    const listing = {
      symbol,
      base: symbol,
      tickSize,
      stepSize,
      minNotional,
      maxQuantity: null,
      maxLeverage: 125,
      listedAtMs: null,
      status: 'trading' as const,
      fundingHours: 8,
    };
    return { symbol, candles, score, range, funding, listing };
  });
  const portfolio = portfolioOf({
    strategy,
    limits: limitsOfAuto(preferences),
    symbols: members.map(({ symbol, candles, costs }) => ({ symbol, candles, context: [], costs })),
  });
  return { strategy, preferences, symbols, portfolio };
}

const plain = (trade: PortfolioResult['trades'][number]): ReplayTrade => ({
  symbol: trade.symbol,
  side: trade.side,
  entryTimeMs: trade.entryTimeMs,
  exitTimeMs: trade.exitTimeMs,
  entryPrice: trade.entryPrice,
  exitPrice: trade.exitPrice,
  quantity: trade.quantity,
  closeReason: trade.closeReason,
  fees: trade.fees,
  funding: trade.funding,
  netPnl: trade.netPnl,
  margin: trade.margin,
  stopLossPrice: trade.stopLossPrice,
  takeProfitPrice: trade.takeProfitPrice,
});

describe('a portfolio run of Auto rules', () => {
  it(`RULE-112 has the trades of Auto's own functions over the same candles, to the bit, in ${runCount} random configurations`, () => {
    let tradeCount = 0;
    const reasons = new Set<string>();
    const skipped = new Set<string>();
    for (let index = 0; index < runCount; index++) {
      const { strategy, preferences, symbols, portfolio } = configurationOf(index);
      const want = replayAuto(engine, symbols, strategy, preferences);
      expect(portfolio.trades.map(plain), `configuration ${index}`).toEqual(want);
      tradeCount += want.length;
      for (const { closeReason } of want) reasons.add(closeReason);
      for (const [name, count] of Object.entries(portfolio.skips)) if (count > 0) skipped.add(name);
    }
    expect(tradeCount).toBeGreaterThan(10 * runCount);
    expect([...reasons].sort()).toEqual(['END', 'LIQ', 'SIGNAL', 'SL', 'TIME', 'TP'].sort());
    for (const name of [
      'positionsWanted',
      'maxConcurrent',
      'dailyLoss',
      'stopStreak',
      'drawdown',
      'marginShort',
      'stopBeyondLiquidation',
    ])
      expect(skipped, name).toContain(name);
  });
});
