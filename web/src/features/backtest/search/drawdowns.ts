import type { TaskInput, TaskOutput } from '@sextant/workers/src/protocol/tasks.ts';
import { setOf } from '@sextant/workers/src/tasks/optimize/parameters.ts';
import { setLengthOf } from '@sextant/workers/src/tasks/optimize/space.ts';
import { useEffect, useState } from 'react';
import { runEngineTask } from '../../../engine/enginePool.ts';
import { inSlices } from '../../../state/slices.ts';
import type { SearchRun } from './searchState.ts';
import { orderSteps, type Trials } from './trials.ts';

/** Sets per call: some tens of milliseconds on one thread, while the others are free for a slider. */
const SETS = 1000;
/** The best set is painted first. */
const AFTER_PAINT_MS = 150;

const cache = new WeakMap<Trials, Drawdowns>();

type RunMarked = (input: TaskInput<'optimize'>) => Promise<TaskOutput<'optimize'>>;
// Without the signal: it would end the worker, and a piece finishes sooner than a new worker starts.
const onPool: RunMarked = (input) => runEngineTask('optimize', input);

/**
 * Maximum drawdown of each row of the table, marked to market at every close of the searched candles. A search that ranks by a daily ratio
 * has it already; otherwise the rows run once more, best-ranked first. A set without trades has none; a set merged into another row stays
 * NaN.
 * @param onBest takes the first piece, with the rest NaN
 */
export async function drawdownsOf(
  { trials, input }: Pick<SearchRun, 'trials' | 'input'>,
  signal: AbortSignal,
  { run = onPool, onBest }: { run?: RunMarked; onBest?: (values: Float64Array) => void } = {},
): Promise<Float64Array> {
  const { maxDrawdownFraction, tradeCount } = trials.columns;
  if (maxDrawdownFraction.some(Number.isFinite)) return maxDrawdownFraction;
  const result = new Float64Array(trials.count).fill(Number.NaN);
  const open: number[] = [];
  for (const trial of await inSlices(orderSteps(trials, trials.columns.value, true), signal)) {
    if ((tradeCount[trial] ?? 0) > 0) open.push(trial);
    else result[trial] = 0;
  }
  const alone = { ...input };
  delete alone.walkForward;
  for (let from = 0; from < open.length; from += SETS) {
    const rows = open.slice(from, from + SETS);
    const length = setLengthOf(input);
    const marked = new Float64Array(length * rows.length);
    rows.forEach((trial, i) => marked.set(setOf(trials.sets, trial, length), length * i));
    signal.throwIfAborted();
    const { trials: marking } = await run({ ...alone, marked });
    rows.forEach((trial, i) => (result[trial] = marking.maxDrawdownFraction[i] ?? Number.NaN));
    if (from === 0 && open.length > SETS) onBest?.(result.slice());
  }
  return result;
}

export interface Drawdowns {
  /** NaN where unknown. */
  values: Float64Array;
  isWhole: boolean;
}

/** Drawdown of each row of a search; null while the first ones are computed. Rows stay without the figure when the engine fails. */
export function useDrawdowns(run: SearchRun): Drawdowns | null {
  const { trials } = run;
  const [result, setResult] = useState<{ of: Trials; drawdowns: Drawdowns } | null>(null);
  useEffect(() => {
    if (cache.has(trials)) return;
    const ended = new AbortController();
    const show = (drawdowns: Drawdowns): void => {
      if (ended.signal.aborted) return;
      if (drawdowns.isWhole) cache.set(trials, drawdowns);
      setResult({ of: trials, drawdowns });
    };
    const keep = (values: Float64Array): void => show({ values, isWhole: true });
    const onBest = (values: Float64Array): void => show({ values, isWhole: false });
    const timer = setTimeout(() => {
      drawdownsOf(run, ended.signal, { onBest }).then(keep, () =>
        keep(new Float64Array(trials.count).fill(Number.NaN)),
      );
    }, AFTER_PAINT_MS);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [run, trials]);
  return result?.of === trials ? result.drawdowns : (cache.get(trials) ?? null);
}
