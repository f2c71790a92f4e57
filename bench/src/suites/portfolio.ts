import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { FRAME_LENGTH, frameSlot, RULES_LENGTH, ruleSlot } from '@sextant/engine-as/abi/records.ts';
import { liveRules, type Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { createEnginePool } from '@sextant/workers/src/node/pool.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import type { PortfolioInput, PortfolioLimits, PortfolioResult } from '@sextant/workers/src/protocol/portfolio.ts';
import type { EnginePool } from '@sextant/workers/src/protocol/tasks.ts';
import type { TaskResult } from '@sextant/workers/src/protocol/taskResult.ts';
import { defaultCosts, standardLiquidity } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { runTask, startEngine, type TaskEngine } from '@sextant/workers/src/tasks/index.ts';
import { type AccountAt, readAccount } from '@sextant/workers/src/tasks/portfolio/account.ts';
import { inArena } from '@sextant/workers/src/tasks/honesty/kernels.ts';
import { preparePortfolio } from '@sextant/workers/src/tasks/portfolio.ts';
import { candleWalks } from '../../data/candles.ts';
import { inProcess } from '../paired.ts';
import type { BenchCase, PreparedSuite } from '../suite.ts';

const SYMBOLS = 128;
const CANDLES = 5000;
const BASE = '1h';
/** Sets of one operation of `sets`, each a task of its own on one of two threads; a thousand take as many times as long. */
const SETS = 40;
const SETS_SYMBOLS = 32;
const SETS_CANDLES = 1200;
const THREADS = 2;
const thresholdOf = (k: number): number => 0.1 + (0.4 * k) / SETS;

/** Ten slots and the guards of automatic opening, and an account that nothing limits: every signal of every symbol is sized. */
const limited: PortfolioLimits = { positionsMax: 10, openingsMax: 3, dailyLossPct: 5, grossMaxFraction: 20 };
const unlimited: PortfolioLimits = { skipsStopBeyondLiquidation: false };

const strategy: Strategy = { ...liveRules([BASE]), entryThreshold: 0.2 };

const inputOf = (limits: PortfolioLimits, symbolCount = SYMBOLS, candleCount = CANDLES): PortfolioInput => ({
  strategy,
  limits,
  symbols: candleWalks(symbolCount, candleCount).map((candles, k) => ({
    symbol: `S${String(k).padStart(3, '0')}USDT`,
    candles,
    context: [],
    costs: {
      ...defaultCosts,
      ...standardLiquidity,
      initialEquity: 1e6,
      fundingSource: 'assumed',
      assumedFundingFraction: 1e-4,
    },
  })),
});

export async function preparePortfolios(): Promise<PreparedSuite> {
  const module = await loadModule();
  const pool = createEnginePool({ engine: module, threads: THREADS, queueMax: SETS, deadlineMs: 120_000 });
  const cases = [
    kernelCase([startEngine(module), startEngine(module)], 'slots', limited),
    kernelCase([startEngine(module), startEngine(module)], 'unlimited', unlimited),
    taskCase(startEngine(module), limited),
    setsCase(pool, startEngine(module), limited),
    preparedSetsCase(startEngine(module), limited),
  ];
  return {
    cases,
    close: () => pool.close(),
    notes: [
      `One account over ${SYMBOLS} symbols x ${CANDLES} candles of ${BASE} (${intervalMs[BASE] / 3_600_000} h), Live rules, fees, slippage by size, funding; goal at most 150 ms a run.`,
      'slots and unlimited: the kernel, scores made once, against the backtests of the same symbols one by one by their kernel.',
      'task: checking the input, votes and scores of every symbol, the run, figures, regimes, correlation, SHA-256 of data and result.',
      `sets: seconds for 1,000 thresholds over ${SETS_SYMBOLS} symbols x ${SETS_CANDLES} candles on ${THREADS} threads, ${SETS} of them measured, every set a whole task; goal at most 3 s.`,
      'prepared sets: the same thresholds in one thread by the kernel, votes and scores made once; figures and hashes of each set are left out.',
    ],
  };
}

/** @param at an engine for each side: the single backtests replace the scratch of the frames */
function kernelCase([ours, theirs]: [TaskEngine, TaskEngine], name: string, limits: PortfolioLimits): BenchCase {
  const input = inputOf(limits);
  const account = accountOf(ours.engine, input);
  const { frames } = accountOf(theirs.engine, input);
  const run = (): void => inArena(ours.engine, () => void ours.engine.raw.portfolioRun(account.portfolioAt));
  const alone = (): void => {
    for (const frame of frames) inArena(theirs.engine, () => void theirs.engine.raw.backtest(frame));
  };
  const read = () =>
    inArena(ours.engine, () => {
      ours.engine.raw.portfolioRun(account.portfolioAt);
      return readAccount(account);
    });
  return {
    name,
    unit: 'ms/run',
    toFigure: (ns) => ns / 1e6,
    operation: run,
    rivals: [{ against: 'single backtests', contestant: inProcess(alone) }],
    verify() {
      const [one, other] = [read(), read()];
      const isSame = one.equity.every((value, i) => Object.is(value, other.equity[i]));
      return isSame && one.trades.length > 0 ? [] : [`${name}: two runs differ, or none trades`];
    },
  };
}

function accountOf(engine: Engine, input: PortfolioInput): AccountAt {
  const prepared = preparePortfolio(engine, input);
  if (!prepared.ok) throw new Error(prepared.error.message);
  return prepared.value.account;
}

function taskCase(at: TaskEngine, limits: PortfolioLimits): BenchCase {
  const input = inputOf(limits);
  const run = (): TaskResult<PortfolioResult> =>
    runTask(at, { name: 'portfolio', input }) as TaskResult<PortfolioResult>;
  return {
    name: 'task',
    unit: 'ms/run',
    toFigure: (ns) => ns / 1e6,
    operation: run,
    rivals: [],
    verify() {
      const result = run();
      return result.ok && result.value.trades.length > 0 ? [] : ['task: fails or does not trade'];
    },
  };
}

/** A search by way of the task: every set sends the candles to a thread, votes, scores, runs, hashes. */
function setsCase(pool: EnginePool, at: TaskEngine, limits: PortfolioLimits): BenchCase {
  const { symbols } = inputOf(limits, SETS_SYMBOLS, SETS_CANDLES);
  const setOf = (k: number): PortfolioInput => ({
    limits,
    symbols,
    strategy: { ...strategy, entryThreshold: thresholdOf(k) },
  });
  const search = () => Promise.all(Array.from({ length: SETS }, (_, k) => pool.run('portfolio', setOf(k))));
  return {
    name: 'sets',
    unit: 's/1,000 sets',
    toFigure: (ns) => (ns / 1e9) * (1000 / SETS),
    operation: search,
    rivals: [],
    async verify() {
      const results = await search();
      return results.flatMap((result, k) => {
        const alone = runTask(at, { name: 'portfolio', input: setOf(k) }) as TaskResult<PortfolioResult>;
        const isSame = result.ok && alone.ok && result.value.hashes.result === alone.value.hashes.result;
        return isSame ? [] : [`sets: set ${k} differs on a thread, or fails`];
      });
    },
  };
}

/** The same thresholds where votes and scores are made once: what a search that leaves its account in the arena would cost. */
function preparedSetsCase({ engine }: TaskEngine, limits: PortfolioLimits): BenchCase {
  const input = inputOf(limits, SETS_SYMBOLS, SETS_CANDLES);
  const { frames, portfolioAt } = accountOf(engine, input);
  const rulesAt = frames.map((frame) => engine.i32View(frame, FRAME_LENGTH)[frameSlot.rules] ?? 0);
  const runAt = (k: number): void => {
    for (const at of rulesAt) engine.f64View(at, RULES_LENGTH)[ruleSlot.entryThreshold] = thresholdOf(k);
    engine.raw.portfolioRun(portfolioAt);
  };
  return {
    name: 'prepared sets',
    unit: 's/1,000 sets',
    toFigure: (ns) => (ns / 1e9) * (1000 / SETS),
    operation: () => {
      for (let k = 0; k < SETS; k++) inArena(engine, () => runAt(k));
    },
    rivals: [],
    verify() {
      const different = Array.from({ length: SETS }, (_, k) => k).filter((k) => {
        const strategyOf = { ...strategy, entryThreshold: thresholdOf(k) };
        const fresh = accountOf(engine, { ...input, strategy: strategyOf });
        return inArena(engine, () => {
          runAt(k);
          const swept = readAccount({ engine, portfolioAt, frames, clock: fresh.clock });
          engine.raw.portfolioRun(fresh.portfolioAt);
          const own = readAccount(fresh).equity;
          return swept.equity.some((value, i) => !Object.is(value, own[i]));
        });
      });
      return different.map((k) => `prepared sets: set ${k} differs from its own account`);
    },
  };
}
