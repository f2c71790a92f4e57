import { signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { voteIds } from '@sextant/engine-as/abi/voteExports.ts';
import { BACKTEST_VOTE_COUNT } from '@sextant/engine-as/abi/votes.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import type { Candles, StrategyParams } from '@sextant/workers/src/protocol/backtest.ts';
import type { TaskMessage } from '@sextant/workers/src/protocol/tasks.ts';
import type { StrategyInput } from '@sextant/workers/src/protocol/strategy.ts';
import { runTask, startEngine } from '@sextant/workers/src/tasks/index.ts';
import { defaultCosts, defaultWeights, standardLiquidity } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { candleWalks, eightHourlyFunding } from '../../data/candles.ts';
import { firstDifference } from '../agreement.ts';
import { prepareBacktest, type BacktestResponse, type BacktestSetup } from '../backtestSide.ts';
import { engineBefore, freshEngine } from '../engineSide.ts';
import { inProcess, inTurn } from '../paired.ts';
import type { BenchCase, PreparedSuite } from '../suite.ts';
import { backtestTwin, type TwinResult, type TwinTrade } from '../twins/backtest/backtest.ts';
import { scoreTwin, votesTwin } from '../twins/votes.ts';

/** Candles that only warm the indicators up. */
const WARM_UP = 200;

const params: StrategyParams = {
  weights: { ...defaultWeights },
  entryThreshold: 0.08,
  stopLossFraction: 0.02,
  takeProfitFraction: 0.04,
  trailing: { enabled: false, callbackFraction: 0.005, stepFraction: 0.0025 },
};
const trailing: StrategyParams = { ...params, trailing: { ...params.trailing, enabled: true } };

export async function prepareBacktests(): Promise<PreparedSuite> {
  const engines = { engine: await freshEngine(), before: await engineBefore() };
  const short = setups(64, 1200, params);
  return {
    cases: [
      caseOf(engines, '1200', short),
      caseOf(engines, '1200-trailing', setups(64, 1200, trailing)),
      caseOf(engines, '100000', setups(1, 100_000, params)),
      taskCase(startEngine(await loadModule()), short),
      orderSizeCase(startEngine(await loadModule())),
      liveRulesCase(startEngine(await loadModule())),
    ],
    notes: [
      'Votes of 13 weights (the engine computes all 18), score, fills, fees, slippage, funding, liquidation, statistics.',
      'live-rules-5000: the task of Live rules (17 votes, 15m with 1h and 4h beside it) against that of Classic on the same 5,000 candles; goal at most 3.',
      'order-size-100000: the task of 100,000 candles in which the size of an order counts against the same without; goal above 0.95.',
      'task-1200 adds what a caller pays besides: checking the input, copying, SHA-256 of data and result.',
    ],
  };
}

function setups(seriesCount: number, count: number, strategy: StrategyParams): BacktestSetup[] {
  return candleWalks(seriesCount, count).map((candles) => ({
    candles,
    params: strategy,
    scoredCount: count - WARM_UP,
    costs: { ...defaultCosts, funding: eightHourlyFunding(candles) },
  }));
}

const inMicroseconds: Pick<BenchCase, 'unit' | 'toFigure'> = {
  unit: 'us',
  toFigure: (operationNs) => operationNs / 1000,
};

interface Engines {
  engine: Engine;
  before: Engine | undefined;
}

function caseOf({ engine, before }: Engines, name: string, inputs: readonly BacktestSetup[]): BenchCase {
  const ours = inputs.map((setup) => prepareBacktest(engine, setup));
  const earlier = before && inputs.map((setup) => prepareBacktest(before, setup));
  const theirs = inputs.map((setup) => () => runTwin(setup));
  return {
    name,
    ...inMicroseconds,
    operation: inTurn(ours.length, (k) => ours[k]?.run()),
    rivals: [
      ...(earlier
        ? [{ against: 'before', contestant: inProcess(inTurn(earlier.length, (k) => earlier[k]?.run())) }]
        : []),
      { against: 'typescript', contestant: inProcess(inTurn(theirs.length, (k) => theirs[k]?.())) },
    ],
    verify: () => ours.flatMap((prepared, i) => compare(prepared.result(), (theirs[i] as () => TwinRun)())),
    options: { budgetMs: 1500 },
  };
}

function taskCase(task: ReturnType<typeof startEngine>, inputs: readonly BacktestSetup[]): BenchCase {
  const run = (input: BacktestSetup): string[] => {
    const result = runTask(task, { name: 'backtest', input });
    return result.ok ? [] : [result.error.message];
  };
  return {
    name: 'task-1200',
    ...inMicroseconds,
    operation: inTurn(inputs.length, (k) => run(inputs[k] as BacktestSetup)),
    rivals: [],
    verify: () => inputs.flatMap(run),
  };
}

/** What it costs a task that slippage and the largest entry follow from the turnover. */
function orderSizeCase(task: ReturnType<typeof startEngine>): BenchCase {
  const [input] = setups(1, 100_000, params) as [BacktestSetup];
  const sized = { ...input, costs: { ...input.costs, ...standardLiquidity } };
  const run = (each: BacktestSetup): string[] => {
    const result = runTask(task, { name: 'backtest', input: each });
    return result.ok ? [] : [result.error.message];
  };
  return {
    name: 'order-size-100000',
    ...inMicroseconds,
    operation: () => run(sized),
    rivals: [{ against: 'not-sized', contestant: inProcess(() => run(input)) }],
    verify: () => [...run(sized), ...run(input)],
    options: { budgetMs: 3000 },
  };
}

/** Live rules against Classic, as the lab runs them: same candles, each with its own task. */
function liveRulesCase(task: ReturnType<typeof startEngine>): BenchCase {
  const count = 5000;
  const series = candleWalks(8, count).map((candles) => at15Minutes(candles));
  const costs = { ...defaultCosts };
  const live = series.map((candles) => ({
    candles,
    strategy: liveRules(signalIntervals),
    context: [joined(candles, 4), joined(candles, 16)],
    costs,
    scoredCount: count / 2,
  }));
  const classic = series.map((candles) => ({ candles, params, costs, scoredCount: count / 2 }));
  const problemsOf = (message: TaskMessage): string[] => {
    const result = runTask(task, message);
    return result.ok ? [] : [result.error.message];
  };
  const runLive = (k: number): string[] => problemsOf({ name: 'backtestStrategy', input: live[k] as StrategyInput });
  const runClassic = (k: number): string[] => problemsOf({ name: 'backtest', input: classic[k] as BacktestSetup });
  return {
    name: 'live-rules-5000',
    ...inMicroseconds,
    operation: inTurn(live.length, runLive),
    rivals: [{ against: 'classic', contestant: inProcess(inTurn(classic.length, runClassic)) }],
    verify: () => series.flatMap((_, k) => [...runLive(k), ...runClassic(k)]),
    options: { budgetMs: 1500 },
  };
}

const at15Minutes = (candles: Candles): Candles => ({
  ...candles,
  time: candles.time.map((_, i) => i * intervalMs['15m']),
});

/** Candles of `size` candles each. */
function joined({ time, open, high, low, close, volume }: Candles, size: number): Candles {
  const groups = Array.from({ length: Math.floor(time.length / size) }, (_, k) => k * size);
  const of = (pick: (from: number) => number): Float64Array => Float64Array.from(groups, pick);
  return {
    time: of((from) => time[from] as number),
    open: of((from) => open[from] as number),
    high: of((from) => Math.max(...high.subarray(from, from + size))),
    low: of((from) => Math.min(...low.subarray(from, from + size))),
    close: of((from) => close[from + size - 1] as number),
    volume: of((from) => volume.subarray(from, from + size).reduce((sum, each) => sum + each, 0)),
  };
}

interface TwinRun extends TwinResult {
  score: Float64Array;
}

function runTwin({ candles, params: strategy, costs, scoredCount }: BacktestSetup): TwinRun {
  const weights = voteIds.slice(0, BACKTEST_VOTE_COUNT).map((id) => Math.round((strategy.weights[id] ?? 0) * 10));
  const score = new Float64Array(candles.close.length);
  scoreTwin(votesTwin(candles), weights, score);
  return { score, ...backtestTwin(candles, score, { params: strategy, costs }, scoredCount) };
}

/** Scores, equity and every figure of every trade to the bit: nothing here may round differently. */
function compare(ours: BacktestResponse, theirs: TwinRun): string[] {
  const columns: [name: string, ours: ArrayLike<number>, theirs: ArrayLike<number>][] = [
    ['score', ours.score, theirs.score],
    ['equity', ours.equity, theirs.equity],
    ...tradeFields.map((field): [string, number[], number[]] => [
      `trades.${field}`,
      ours.trades.map((trade) => trade[field]),
      theirs.trades.map((trade) => trade[field]),
    ]),
    ...summaryFields.map((field): [string, number[], number[]] => [
      `summary.${field}`,
      [ours.summary[field] ?? NaN],
      [theirs.summary[field] ?? NaN],
    ]),
    ['summary.sharpe', [ours.summary.sharpe.value ?? NaN], [theirs.summary.sharpe ?? NaN]],
    ['summary.sortino', [ours.summary.sortino.value ?? NaN], [theirs.summary.sortino ?? NaN]],
  ];
  const problems = columns.map(([name, a, b]) => [name, firstDifference(a, b)] as const);
  return problems.flatMap(([name, difference]) => (difference === undefined ? [] : [`${name}, ${difference}`]));
}

type NumberField = keyof { [K in keyof TwinTrade as TwinTrade[K] extends number ? K : never]: true };
const tradeFields = [
  'entryIndex',
  'exitIndex',
  'entryPrice',
  'exitPrice',
  'grossPnl',
  'fees',
  'funding',
  'slippage',
  'netPnl',
] as Exclude<NumberField, 'side'>[];
const summaryFields = [
  'tradeCount',
  'netPnl',
  'grossPnl',
  'fees',
  'funding',
  'slippage',
  'winRate',
  'profitFactor',
  'maxDrawdownFraction',
  'optimisticNetPnl',
  'buyAndHoldFraction',
] as ('tradeCount' | 'netPnl' | 'winRate')[];
