import { type CompiledEngine, type Engine, instantiate, OutOfMemory } from '../engine/engine.ts';
import {
  fail,
  type TaskMessage,
  type TaskName,
  type TaskOutput,
  type TaskProgress,
  type TaskResult,
} from '../protocol.ts';
import { backtest } from './backtest.ts';
import { ensemble } from './ensemble.ts';
import { honesty } from './honesty.ts';
import { indicators } from './indicators.ts';
import { monteCarlo } from './monteCarlo.ts';
import { optimize } from './optimize.ts';
import { replay } from './positions/replay.ts';
import { shock } from './positions/shock.ts';
import { scan } from './scan.ts';
import { walkForward } from './walkForward.ts';
import { signals } from './signals.ts';

/** An engine that knows which file it came from; results carry the hash. */
export interface TaskEngine {
  engine: Engine;
  hash: string;
}

export function startEngine({ module, hash }: CompiledEngine): TaskEngine {
  return { engine: instantiate(module), hash };
}

/** The only switch over task names; a task missing here is a type error, not a runtime one. */
export function runTask(
  { engine, hash }: TaskEngine,
  message: TaskMessage,
  onProgress?: (progress: TaskProgress) => void,
): TaskResult<TaskOutput<TaskName>> {
  try {
    switch (message.name) {
      case 'indicators':
        return indicators(engine, message.input);
      case 'backtest':
        return backtest(engine, hash, message.input, onProgress);
      case 'optimize':
        return optimize(engine, hash, message.input, onProgress);
      case 'walkForward':
        return walkForward(engine, message.input);
      case 'monteCarlo':
        return monteCarlo(engine, message.input, onProgress);
      case 'scan':
        return scan(engine, message.input);
      case 'honesty':
        return honesty(engine, message.input);
      case 'ensemble':
        return ensemble(engine, message.input);
      case 'signals':
        return signals(engine, hash, message.input, onProgress);
      case 'shock':
        return shock(engine, message.input);
      case 'replay':
        return replay(engine, message.input);
    }
  } catch (cause) {
    if (cause instanceof OutOfMemory) return fail('out_of_memory', cause.message);
    if (cause instanceof WebAssembly.RuntimeError) return fail('engine_trap', cause.message);
    throw cause; // a bug of ours: the host reports it with its stack
  } finally {
    engine.raw.arenaReset();
  }
}
