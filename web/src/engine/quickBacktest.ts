import type { BacktestInput, BacktestResult } from '@sextant/workers/src/protocol/backtest.ts';
import type { TaskResult } from '@sextant/workers/src/protocol/taskResult.ts';
import type { StrategyInput } from '@sextant/workers/src/protocol/strategy.ts';
import type { OpenRules } from '@sextant/workers/src/tasks/backtestStrategy.ts';
import type { TaskEngine } from '@sextant/workers/src/tasks/index.ts';
import { whenQuiet } from '../ui/whenQuiet.ts';
import { compiledEngine } from './enginePool.ts';

/** A run of this many candles takes a few milliseconds at most, less than the round trip to a worker. */
const QUICK_CANDLES_MAX = 5000;
/** Minutes are only read where exits are in question: they cost a check each. */
const QUICK_MINUTES_MAX = 20_000;
/** The first runs include compilation. */
const WARM_RUNS = 3;

/** A run that keeps nothing in the engine. */
type PageRun = { name: 'backtest'; input: BacktestInput } | { name: 'backtestStrategy'; input: StrategyInput };
let quick: ((run: PageRun) => TaskResult<BacktestResult>) | undefined;
let isStarting = false;
/** A separate engine: it holds the votes of the open market. */
let rulesEngine: TaskEngine | undefined;
let rules: OpenRules | undefined;
let isOpening = false;

/**
 * A short backtest on the page's own thread: the same engine and the same task as in a worker, so the same bits.
 * @returns undefined when the candles are too many, or the engine is not here yet
 */
export const quickBacktest = (input: BacktestInput): TaskResult<BacktestResult> | undefined =>
  quickRun({ name: 'backtest', input });

/** The same for own rules, whose text changes at every letter: nothing of an earlier run is used again. */
export const quickOwnRules = (input: StrategyInput): TaskResult<BacktestResult> | undefined =>
  quickRun({ name: 'backtestStrategy', input });

function quickRun(run: PageRun): TaskResult<BacktestResult> | undefined {
  if (!isShort(run.input)) return undefined;
  const result = quick?.(run);
  // The memory of an engine that trapped is not trusted again.
  if (result?.ok === false && result.error.code === 'engine_trap') quick = undefined;
  return result;
}

/** Loads the engine on the page's thread while it is idle. Does nothing when it is loaded or not useful. */
export const warmQuickBacktest = (input: BacktestInput): void => warmQuick({ name: 'backtest', input });
export const warmQuickOwnRules = (input: StrategyInput): void => warmQuick({ name: 'backtestStrategy', input });

function warmQuick(run: PageRun): void {
  if (quick !== undefined || isStarting || !isShort(run.input)) return;
  isStarting = true;
  // If that fails, as without a network, runs use the workers as before; the next run tries again.
  start(run)
    .catch(() => undefined)
    .finally(() => {
      isStarting = false;
    });
}

/**
 * A run of rules on the page's own thread, on votes that were computed before.
 * @returns undefined when the candles are too many, or their votes are not here
 */
export function quickStrategy(input: StrategyInput): TaskResult<BacktestResult> | undefined {
  if (rules?.isOf(input) !== true) return undefined;
  const result = rules.run(input);
  if (!result.ok && result.error.code === 'engine_trap') rules = rulesEngine = undefined;
  return result;
}

/** Computes the votes of these candles while the page's thread is idle. Does nothing when they are cached or not useful. */
export function warmQuickStrategy(input: StrategyInput): void {
  if (isOpening || rules?.isOf(input) === true || !isShort(input)) return;
  isOpening = true;
  openMarket(input)
    .catch(() => undefined)
    .finally(() => {
      isOpening = false;
    });
}

async function openMarket(input: StrategyInput): Promise<void> {
  const [compiled, tasks] = await Promise.all([compiledEngine(), import('@sextant/workers/src/tasks/index.ts')]);
  await quiet();
  rules = undefined;
  rulesEngine ??= tasks.startEngine(compiled);
  const opened = tasks.openRulesMarket(rulesEngine, input);
  if (!opened.ok) return;
  for (let time = 0; time < WARM_RUNS; time++) {
    await quiet();
    opened.value.run(input);
  }
  rules = opened.value;
}

async function start(first: PageRun): Promise<void> {
  const [compiled, { runTask, startEngine }] = await Promise.all([
    compiledEngine(),
    import('@sextant/workers/src/tasks/index.ts'),
  ]);
  await quiet();
  const engine = startEngine(compiled);
  const run = (task: PageRun) => runTask(engine, task) as TaskResult<BacktestResult>;
  for (let time = 0; time < WARM_RUNS; time++) {
    await quiet();
    run(first);
  }
  quick = run;
}

function isShort({ candles, fineCandles }: Pick<BacktestInput, 'candles' | 'fineCandles'>): boolean {
  return candles.time.length <= QUICK_CANDLES_MAX && (fineCandles?.time.length ?? 0) <= QUICK_MINUTES_MAX;
}

const quiet = (): Promise<void> => new Promise((resolve) => void whenQuiet(resolve));
