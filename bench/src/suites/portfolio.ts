import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { liveRules, type Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { createEnginePool } from '@sextant/workers/src/node/pool.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import type {
  PortfolioInput,
  PortfolioLimits,
  PortfolioResult,
  PortfolioSet,
  PortfolioSetsInput,
} from '@sextant/workers/src/protocol/portfolio.ts';
import type { EnginePool } from '@sextant/workers/src/protocol/tasks.ts';
import type { TaskResult } from '@sextant/workers/src/protocol/taskResult.ts';
import { defaultCosts, standardLiquidity } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { runTask, startEngine, type TaskEngine } from '@sextant/workers/src/tasks/index.ts';
import { type AccountAt, readAccount } from '@sextant/workers/src/tasks/portfolio/account.ts';
import { inArena } from '@sextant/workers/src/tasks/honesty/kernels.ts';
import { drawSets } from '@sextant/workers/src/tasks/portfolio/drawSets.ts';
import { searchedParameters, strategyOfSet } from '@sextant/workers/src/tasks/portfolio/setStrategy.ts';
import { strategyOfRules } from '@sextant/workers/src/rules/strategyOfRules.ts';
import { portfolioSetsOnPool } from '@sextant/workers/src/tasks/portfolio/setsOnPool.ts';
import { preparePortfolio } from '@sextant/workers/src/tasks/portfolio.ts';
import { candleWalks } from '../../data/candles.ts';
import { inProcess } from '../paired.ts';
import type { BenchCase, PreparedSuite } from '../suite.ts';

const SYMBOLS = 128;
const CANDLES = 5000;
const BASE = '1h';
/** Sets of one search. */
const SETS = 1000;
/** Sets of one operation of `whole tasks`, each a task of its own on one of two threads; a thousand take as many times as long. */
const WHOLE_SETS = 40;
/** Every so many sets are run again as a whole task. */
const CHECKED_EVERY = 50;
const SETS_SYMBOLS = 32;
const SETS_CANDLES = 1200;
const THREADS = 2;
const setsOf = (count: number): PortfolioSet[] =>
  Array.from({ length: count }, (_, k) => ({ strategy: { entryThreshold: 0.1 + (0.4 * k) / count } }));

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
  const pool = createEnginePool({ engine: module, threads: THREADS, queueMax: WHOLE_SETS, deadlineMs: 120_000 });
  const cases = [
    kernelCase([startEngine(module), startEngine(module)], 'slots', limited),
    kernelCase([startEngine(module), startEngine(module)], 'unlimited', unlimited),
    taskCase(startEngine(module), limited),
    setsCase(pool, startEngine(module), limited),
    wholeTasksCase(pool, limited),
    rulesSetsCase(pool, startEngine(module), limited),
  ];
  return {
    cases,
    close: () => pool.close(),
    notes: [
      `One account over ${SYMBOLS} symbols x ${CANDLES} candles of ${BASE} (${intervalMs[BASE] / 3_600_000} h), Live rules, fees, slippage by size, funding; goal at most 150 ms a run.`,
      'slots and unlimited: the kernel, scores made once, against the backtests of the same symbols one by one by their kernel.',
      'task: checking the input, votes and scores of every symbol, the run, figures, regimes, correlation, SHA-256 of data and result.',
      `sets: seconds for ${SETS} thresholds over ${SETS_SYMBOLS} symbols x ${SETS_CANDLES} candles by the task portfolioSets on ${THREADS} threads, with the figures of each; goal at most 3 s.`,
      `own rules: seconds for ${SETS} sets of two ranges of a text, over the same symbols; sets of the same period share their signals.`,
      `whole tasks: the same, every set a task of its own, ${WHOLE_SETS} of them measured.`,
    ],
  };
}

/** Has an engine for each side: the single backtests replace the scratch of the frames. */
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

const searchInput = (limits: PortfolioLimits, count: number): PortfolioSetsInput => ({
  ...inputOf(limits, SETS_SYMBOLS, SETS_CANDLES),
  sets: setsOf(count),
});

/** The input of one set as a whole task. */
const wholeOf = (
  { strategy: common, symbols, limits }: PortfolioSetsInput,
  set: PortfolioSet | undefined,
): PortfolioInput => ({ symbols, limits, strategy: { ...common, ...set?.strategy } });

/** Votes and scores once for each thread, then one run for each set. */
function setsCase(pool: EnginePool, at: TaskEngine, limits: PortfolioLimits): BenchCase {
  const input = searchInput(limits, SETS);
  const search = () => portfolioSetsOnPool(pool, input);
  return {
    name: 'sets',
    unit: 's/1,000 sets',
    toFigure: (ns) => (ns / 1e9) * (1000 / SETS),
    operation: search,
    rivals: [],
    async verify() {
      const found = await search();
      if (!found.ok) return [`sets: ${found.error.message}`];
      return found.value.summaries.flatMap((summary, k) => {
        if (k % CHECKED_EVERY > 0) return [];
        const whole = wholeOf(input, input.sets[k]);
        const alone = runTask(at, { name: 'portfolio', input: whole }) as TaskResult<PortfolioResult>;
        const isSame = alone.ok && JSON.stringify(alone.value.summary) === JSON.stringify(summary);
        return isSame ? [] : [`sets: set ${k} differs from its own portfolio run`];
      });
    },
  };
}

const RULES = `fast = 14 [5..30 step 1]; width = 2 [1..3 step 0.1]
long when rsi(fast) < 40; short when rsi(fast) > 60
stop width * atr(14); target 3R`;

/** Own rules under drawn values of their ranges: votes are none, and the text runs on every symbol once for each period. */
function rulesSetsCase(pool: EnginePool, at: TaskEngine, limits: PortfolioLimits): BenchCase {
  const own = strategyOfRules(RULES, BASE);
  if (!own.ok) throw new Error(own.error[0]?.message);
  const parameters = searchedParameters(own.value);
  const sets = drawSets(own.value, { ranges: {}, count: SETS, seed: 1, parameters });
  const input = { ...inputOf(limits, SETS_SYMBOLS, SETS_CANDLES), strategy: own.value, sets };
  const search = () => portfolioSetsOnPool(pool, input);
  return {
    name: 'own rules',
    unit: 's/1,000 sets',
    toFigure: (ns) => (ns / 1e9) * (1000 / SETS),
    operation: search,
    rivals: [],
    async verify() {
      const found = await search();
      if (!found.ok) return [`own rules: ${found.error.message}`];
      return found.value.summaries.flatMap((summary, k) => {
        if (k % CHECKED_EVERY > 0) return [];
        const whole = { symbols: input.symbols, limits, strategy: strategyOfSet(own.value, sets[k] ?? {}) };
        const alone = runTask(at, { name: 'portfolio', input: whole }) as TaskResult<PortfolioResult>;
        const isSame = alone.ok && JSON.stringify(alone.value.summary) === JSON.stringify(summary);
        return isSame ? [] : [`own rules: set ${k} differs from its own portfolio run`];
      });
    },
  };
}

/** The other design: every set sends the candles to a thread, votes, scores, runs, hashes. */
function wholeTasksCase(pool: EnginePool, limits: PortfolioLimits): BenchCase {
  const input = searchInput(limits, WHOLE_SETS);
  const search = () => Promise.all(input.sets.map((set) => pool.run('portfolio', wholeOf(input, set))));
  return {
    name: 'whole tasks',
    unit: 's/1,000 sets',
    toFigure: (ns) => (ns / 1e9) * (1000 / WHOLE_SETS),
    operation: search,
    rivals: [],
    async verify() {
      const results = await search();
      return results.every(({ ok: isDone }) => isDone) ? [] : ['whole tasks: one fails'];
    },
  };
}
