import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { SETTLE_ROUNDS_MAX } from '@sextant/workers/src/candles/minutes.ts';
import type { BacktestInput, BacktestResult, Candles } from '@sextant/workers/src/protocol/backtest.ts';
import type { TaskProgress } from '@sextant/workers/src/protocol/taskResult.ts';
import type { LoadedCandles } from '../../../api/candles.ts';
import { readResult, runEngineTask } from '../../../engine/enginePool.ts';
import { quickBacktest } from '../../../engine/quickBacktest.ts';
import { type Run, sendRunEvent } from '../backtestState.ts';
import { type RulesOfRun, runRules } from '../live/liveRun.ts';
import { loadMinutes, openMinutes, problemOf, runOnKnown } from '../minutes.ts';
import type { ChosenRules } from '../own/chosenRules.ts';
import { isFine } from './input.ts';

const DEADLINE_MS = 60_000;

export type Match = Partial<RulesOfRun> &
  Pick<Run, 'result' | 'tookMs'> &
  Partial<Pick<Run, 'minutes' | 'minutesProblem'>> & {
    /** Candles whose minutes were not fetched yet. */
    missing: number[];
  };

interface Work {
  loaded: LoadedCandles;
  signal: AbortSignal;
  onProgress?: (progress: TaskProgress) => void;
}

type RunOnce = (minutes: Candles | undefined) => Promise<Partial<RulesOfRun> & Pick<Run, 'result' | 'tookMs'>>;

/** The run of the draft with some minutes: rules, or parameters. */
export function runOnceWith(input: BacktestInput, chosen: ChosenRules | null, work: Work): RunOnce {
  const { loaded, signal } = work;
  return async (minutes) => {
    const startedAt = performance.now();
    const result = await engineRun(minutes);
    return { ...result, tookMs: performance.now() - startedAt };
  };

  async function engineRun(minutes: Candles | undefined): Promise<Partial<RulesOfRun> & { result: BacktestResult }> {
    const whole: BacktestInput = minutes === undefined ? input : { ...input, fineCandles: minutes };
    if (chosen !== null) {
      const { params: _unused, ...market } = whole;
      return runRules(loaded, chosen, market, signal);
    }
    const report = (progress: TaskProgress) => {
      if (!signal.aborted) work.onProgress?.(progress);
    };
    const reported = work.onProgress === undefined ? {} : { onProgress: report };
    const quick = quickBacktest(whole);
    if (quick !== undefined) return { result: readResult(quick) };
    return { result: await runEngineTask('backtest', whole, { signal, deadlineMs: DEADLINE_MS, ...reported }) };
  }
}

/** A run waits this long for its minutes, then continues without them. */
const MINUTES_WAIT_MS = 20_000;

interface SettleOptions {
  once: RunOnce;
  signal: AbortSignal;
  /** Minutes that are not here are fetched before the result is shown; a slider does not wait. */
  isWaitedFor: boolean;
}

/** Runs with the cached minutes, fetches the missing ones, and runs again. */
export async function settled(loaded: LoadedCandles, { once, signal, isWaitedFor }: SettleOptions): Promise<Match> {
  if (!isFine(loaded)) return { ...(await once(undefined)), missing: [] };
  await openMinutes(loaded);
  let rest: Partial<RulesOfRun> & Pick<Run, 'tookMs'> = { tookMs: 0 };
  const run = async (minutes: Candles | undefined): Promise<BacktestResult> => {
    const { result, ...others } = await once(minutes);
    rest = others;
    return result;
  };
  // A load of a single request ends too soon for a progress bar to be read.
  const report = (done: number, total: number) => {
    if (!signal.aborted && done < total) sendRunEvent({ kind: 'minutesCounted', count: { done, total } });
  };
  for (let round = 0; ; round++) {
    const { minutes, ...result } = await runOnKnown(loaded, run);
    const whole = { ...rest, ...result, ...withoutUndefined({ minutes }) };
    if (!isWaitedFor || result.missing.length === 0 || round === SETTLE_ROUNDS_MAX) return whole;
    try {
      const deadline = AbortSignal.timeout(MINUTES_WAIT_MS);
      await loadMinutes(loaded, result.missing, { signal: AbortSignal.any([signal, deadline]), onProgress: report });
    } catch (failure) {
      if (signal.aborted) throw failure;
      return { ...whole, minutesProblem: problemOf(failure) };
    } finally {
      if (!signal.aborted) sendRunEvent({ kind: 'minutesCounted', count: null });
    }
  }
}
