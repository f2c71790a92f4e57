import { spawn } from 'node:child_process';
import { availableParallelism, constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { mapLimited } from '../server/src/platform/mapLimited.ts';

export const root = join(import.meta.dirname, '..');

export interface Step {
  title: string;
  command: string;
  args: string[];
  env?: Record<string, string>;
  /** Runs at low priority. */
  isBackground?: boolean;
}

export interface StepOutcome {
  title: string;
  isOk: boolean;
  seconds: number;
  output: string;
}

/** Runs one tool of node_modules/.bin (or node itself); never rejects. Output is shown only when the step fails or `isLoud`. */
export function runStep(step: Step, isLoud = false): Promise<StepOutcome> {
  const startedAtMs = performance.now();
  const env = {
    // Hundreds of processes of a run load much of what another one has compiled already.
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'),
    ...process.env,
    PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH ?? ''}`,
    ...step.env,
  };
  return new Promise((resolve) => {
    const child = spawn(step.command, step.args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    if (step.isBackground === true && child.pid !== undefined) lowerPriority(child.pid);
    let output = '';
    const collect = (chunk: Buffer): void => {
      output += chunk.toString();
      if (isLoud) process.stdout.write(chunk);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    const finish = (isOk: boolean): void => {
      const seconds = (performance.now() - startedAtMs) / 1000;
      console.log(`${isOk ? 'ok    ' : 'FAILED'} ${step.title} (${seconds.toFixed(1)} s)`);
      if (!isOk && !isLoud) console.log(output);
      resolve({ title: step.title, isOk, seconds, output });
    };
    child.on('error', (cause) => {
      output += String(cause);
      finish(false);
    });
    child.on('exit', (code) => finish(code === 0));
  });
}

/** Its children and threads are as low. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already.
  }
}

/** Runs steps that do not need each other, as many at once as there are cores; outcomes in the order of the steps. */
export const runSteps = (steps: readonly Step[]): Promise<StepOutcome[]> =>
  mapLimited(steps, availableParallelism(), (step) => runStep(step));
