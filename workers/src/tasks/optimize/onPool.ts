import type { EnginePool, TaskError } from '../../protocol.ts';
import type { OptimizeInput, OptimizeResult } from '../../protocolOptimize.ts';
import { bestOfParts } from './parts.ts';

/** Sets of one chunk: long enough to pay for its way to the thread, short enough for a smooth bar. */
const CHUNK = 4000;
/** Above this many the search is cut up and spread over the threads. */
const WHOLE_MAX = 2000;
/** For one chunk, waiting included. */
const DEADLINE_MS = 120_000;

export interface Searched {
  /** Answers that hold the samples, in order. */
  parts: OptimizeResult[];
  /** The answer that holds the refined trials and the best; of a search in one piece it is the part itself. */
  last: OptimizeResult;
}

export interface SearchWatch {
  signal: AbortSignal;
  /** Samples that are done. */
  onDone?: (done: number) => void;
  /** One chunk, as soon as it is there; they come in any order. */
  onPart?: (part: OptimizeResult) => void;
}

/** A chunk that failed; the others are given up. */
export class SearchFailure extends Error {
  override name = 'SearchFailure';
  readonly error: TaskError;
  constructor(error: TaskError) {
    super(error.message);
    this.error = error;
  }
}

/** One search on a pool of engines, with the sets of every trial: the same plan in the browser and in Node. @throws SearchFailure */
export async function searchOnPool(pool: EnginePool, input: OptimizeInput, watch: SearchWatch): Promise<Searched> {
  const { signal, onDone, onPart } = watch;
  const ask = async (more: Partial<OptimizeInput>, onProgress?: SearchWatch['onDone']): Promise<OptimizeResult> => {
    const outcome = await pool.run(
      'optimize',
      { ...input, ...more, withSets: true },
      { signal, deadlineMs: DEADLINE_MS, ...(onProgress && { onProgress: ({ done }) => onProgress(done) }) },
    );
    if (!outcome.ok) throw new SearchFailure(outcome.error);
    return outcome.value;
  };
  if (input.samples <= WHOLE_MAX) {
    const whole = await ask({}, onDone);
    onPart?.(whole);
    return { parts: [whole], last: whole };
  }
  let done = 0;
  const starts = Array.from({ length: Math.ceil(input.samples / CHUNK) }, (_, chunk) => chunk * CHUNK);
  const parts = await Promise.all(
    starts.map(async (from) => {
      const count = Math.min(CHUNK, input.samples - from);
      const part = await ask({ part: { from, count } });
      onPart?.(part);
      done += count;
      onDone?.(done);
      return part;
    }),
  );
  return { parts, last: await ask({ bestOfParts: bestOfParts(parts) }) };
}
