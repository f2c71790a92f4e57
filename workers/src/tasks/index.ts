import { type CompiledEngine, type Engine, instantiate, OutOfMemory } from '../engine/engine.ts';
import { fail, type TaskProgress, type TaskResult } from '../protocol/taskResult.ts';
import type { TaskInput, TaskMessage, TaskName, TaskOutput } from '../protocol/tasks.ts';
import { backtest, unhashedBacktest, withHashes } from './backtest.ts';
import { backtestRules, unhashedRules } from './backtestRules.ts';
import { backtestStrategy, openRules, type OpenRules, unhashedStrategy } from './backtestStrategy.ts';
import { type Digest, digestRun } from './hashes.ts';
import { ensemble } from './ensemble.ts';
import { honesty } from './honesty.ts';
import { detectable } from './honesty/detectable.ts';
import { indicators } from './indicators.ts';
import { monteCarlo } from './monteCarlo.ts';
import { optimize } from './optimize.ts';
import { optimizeRules } from './optimizeRules.ts';
import { patternRecord, patterns } from './patterns.ts';
import { ground } from './ground.ts';
import { portfolio } from './portfolio.ts';
import { practise } from './positions/practice.ts';
import { portfolioSets } from './portfolioSets.ts';
import { reconcile } from './positions/reconcile.ts';
import { replay } from './positions/replay.ts';
import { shock } from './positions/shock.ts';
import { size } from './positions/size.ts';
import { scan } from './scan.ts';
import { spread } from './spread.ts';
import { walkForward } from './walkForward.ts';
import { replayReport } from './replayReport.ts';
import { replaySignals } from './replaySignals.ts';
import { replayStrategy } from './replayStrategy.ts';
import { signals } from './signals.ts';
import { ok } from '../core/result.ts';
import type { StrategyInput } from '../protocol/strategy.ts';

/** An engine with the hash of its file, which results carry. */
export interface TaskEngine {
  engine: Engine;
  hash: string;
}

export function startEngine({ module, hash }: CompiledEngine): TaskEngine {
  return { engine: instantiate(module), hash };
}

type Progress = (progress: TaskProgress) => void;
type Task<N extends TaskName> = (
  at: TaskEngine,
  input: TaskInput<N>,
  onProgress?: Progress,
) => TaskResult<TaskOutput<N>>;

/** A task missing here is a type error, not a runtime one. */
const tasks: { [N in TaskName]: Task<N> } = {
  indicators: ({ engine }, input) => indicators(engine, input),
  backtest: ({ engine, hash }, input, onProgress) => backtest(engine, hash, input, onProgress),
  backtestStrategy: ({ engine, hash }, input, onProgress) => backtestStrategy(engine, hash, input, onProgress),
  backtestRules: ({ engine, hash }, input, onProgress) => backtestRules(engine, hash, input, onProgress),
  optimizeRules: ({ engine, hash }, input, onProgress) => optimizeRules(engine, hash, input, onProgress),
  portfolio: ({ engine, hash }, input, onProgress) => portfolio(engine, hash, input, onProgress),
  portfolioSets: ({ engine, hash }, input, onProgress) => portfolioSets(engine, hash, input, onProgress),
  optimize: ({ engine, hash }, input, onProgress) => optimize(engine, hash, input, onProgress),
  walkForward: ({ engine }, input) => walkForward(engine, input),
  monteCarlo: ({ engine }, input, onProgress) => monteCarlo(engine, input, onProgress),
  scan: ({ engine }, input) => scan(engine, input),
  honesty: ({ engine }, input) => honesty(engine, input),
  detectable: ({ engine }, input) => detectable(engine, input),
  ensemble: ({ engine }, input) => ensemble(engine, input),
  signals: ({ engine, hash }, input, onProgress) => signals(engine, hash, input, onProgress),
  replaySignals: ({ engine, hash }, input) => replaySignals(engine, hash, input),
  replayStrategy: ({ engine, hash }, input) => replayStrategy(engine, hash, input),
  replayReport: (_, input) => ok(replayReport(input)),
  shock: ({ engine }, input) => shock(engine, input),
  size: ({ engine }, input) => size(engine, input),
  replay: ({ engine }, input) => replay(engine, input),
  practise: ({ engine }, input) => practise(engine, input),
  reconcile: ({ engine }, input) => reconcile(engine, input),
  spread: ({ engine }, input) => spread(engine, input),
  patterns: ({ engine }, input) => patterns(engine, input),
  patternRecord: ({ engine }, input) => patternRecord(engine, input),
  ground: (_, input) => ground(input),
};

const runNamed = <N extends TaskName>(
  at: TaskEngine,
  { name, input }: { name: N; input: TaskInput<N> },
  onProgress?: Progress,
): TaskResult<TaskOutput<N>> => tasks[name](at, input, onProgress);

export function runTask(at: TaskEngine, message: TaskMessage, onProgress?: Progress): TaskResult<TaskOutput<TaskName>> {
  return resetAfter(at.engine, () => inWords(() => runNamed(at, message, onProgress)));
}

function resetAfter<T>(engine: Engine, work: () => T): T {
  try {
    return work();
  } finally {
    engine.raw.arenaReset();
  }
}

/** The same; the hashes of a backtest are computed by `digest` once the engine is free. */
export async function runTaskWith(
  digest: Digest,
  at: TaskEngine,
  message: TaskMessage,
  onProgress?: Progress,
): Promise<TaskResult<TaskOutput<TaskName>>> {
  const { engine, hash } = at;
  const { name, input } = message;
  if (name !== 'backtest' && name !== 'backtestStrategy' && name !== 'backtestRules')
    return runTask(at, message, onProgress);
  const run = resetAfter(engine, () =>
    inWords(() =>
      name === 'backtest'
        ? unhashedBacktest(engine, hash, input, onProgress)
        : name === 'backtestStrategy'
          ? unhashedStrategy(engine, hash, input, onProgress)
          : unhashedRules(engine, hash, input, onProgress),
    ),
  );
  if (!run.ok) return run;
  const { result, sections } = run.value;
  const hashes = await digestRun(sections, digest).catch(() => undefined);
  return ok(hashes === undefined ? withHashes(run.value) : { ...result, hashes });
}

/** Opens a market for runs of strategies on an engine that runs nothing else; failures are returned as those of a task. */
export function openRulesMarket({ engine, hash }: TaskEngine, input: StrategyInput): TaskResult<OpenRules> {
  engine.raw.arenaReset();
  const opened = inWords(() => openRules(engine, hash, input));
  if (!opened.ok) return opened;
  const { isOf, run } = opened.value;
  return ok({ isOf, run: (next) => inWords(() => run(next)) });
}

/** Converts errors that the engine throws into the failure of a task. */
function inWords<T>(work: () => TaskResult<T>): TaskResult<T> {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof OutOfMemory) return fail('out_of_memory', cause.message);
    if (cause instanceof WebAssembly.RuntimeError) return fail('engine_trap', cause.message);
    throw cause; // a bug: the host reports it with its stack
  }
}
