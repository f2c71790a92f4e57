import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { EnginePool } from '@sextant/workers/src/protocol/tasks.ts';
import type { OptimizeInput } from '@sextant/workers/src/protocol/optimize.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import {
  requestedBars,
  inputWithMinutes,
  type SearchMinutes,
  settleSearch,
} from '@sextant/workers/src/tasks/optimize/settleSearch.ts';
import { asOutcome, type Searched, searchOnPool } from '@sextant/workers/src/tasks/optimize/onPool.ts';
import type { OnProgress } from '../../../platform/callProgress.ts';
import type { Outcome } from '../../../platform/errors.ts';
import { runInTurn } from '../../market/engineRuns.ts';
import { rejectTask } from '../../market/rejectTask.ts';
import type { LoadedRun, RunBody } from '../loadRun.ts';
import { withoutUnknown } from './searchInput.ts';

export interface SearchedWithMinutes {
  searched: Searched;
  /** With the minutes of every set. */
  input: OptimizeInput;
  /** Null when no minutes were requested, or finer candles were sent. */
  minutes: SearchMinutes | null;
}

/** Ends the rounds of a search whose run was rejected. */
class RejectedError extends Error {
  readonly outcome: Outcome<never>;
  constructor(outcome: Outcome<never>) {
    super('refused');
    this.outcome = outcome;
  }
}

/** Searches with the minutes its sets need. Each run uses a slot of the user on the engine; loading does not. */
export async function searchWithMinutes(
  engine: EnginePool,
  who: string,
  {
    input,
    loaded: { minutes: load },
    interval,
  }: { input: OptimizeInput; loaded: Pick<LoadedRun, 'minutes'> } & Pick<RunBody, 'interval'>,
  { signal, onProgress }: { signal: AbortSignal; onProgress?: OnProgress | undefined },
): Promise<Outcome<SearchedWithMinutes>> {
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const run = await runInTurn(engine, who, () => asOutcome(work));
    if (!run.ok) throw new RejectedError(run);
    if (!run.value.ok) throw new RejectedError(rejectTask(run.value.error));
    return run.value.value;
  };
  /** With minutes every set runs twice: the first pass finds the candles whose minutes decide. */
  const passes = load === undefined ? 1 : 2;
  const searchOn = (wanted: OptimizeInput, pass: number) =>
    searchOnPool(engine, wanted, {
      signal,
      onDone: (done) => onProgress?.(done + pass * input.samples, passes * input.samples),
    });
  const runSearchOn = (wanted: OptimizeInput, pass: number) =>
    inTurn(async () => {
      const value = await searchOn(wanted, pass);
      return { value, ...(await requestedBars(engine, wanted, value, { signal })) };
    });
  try {
    if (load === undefined) return ok({ searched: await inTurn(() => searchOn(input, 0)), input, minutes: null });
    const draft: OptimizeInput = { ...inputWithMinutes(input, undefined), refine: false };
    delete draft.walkForward;
    const { value, minutes } = await settleSearch<Searched>({
      candles: input.candles,
      intervalMs: intervalMs[interval],
      load,
      draft: () => runSearchOn(draft, 0),
      run: (fineCandles) => runSearchOn(inputWithMinutes(input, fineCandles), 1),
    });
    const { fineCandles } = minutes;
    return ok({
      searched: { ...value, last: withoutUnknown(value.last) },
      input: fineCandles === undefined ? input : { ...input, fineCandles },
      minutes,
    });
  } catch (failure) {
    if (failure instanceof RejectedError) return failure.outcome;
    throw failure;
  }
}
