import { ok } from '../../core/result.ts';
import type { PortfolioSetsInput, PortfolioSetsResult } from '../../protocol/portfolio.ts';
import type { TaskResult } from '../../protocol/taskResult.ts';
import type { EnginePool, RunOptions } from '../../protocol/tasks.ts';
import { validateSets } from '../portfolioSets.ts';

/** The sets of an account on every thread of a pool, each with an equal share of them: the same figures as those of one thread. */
export async function portfolioSetsOnPool(
  pool: EnginePool,
  input: PortfolioSetsInput,
  { onProgress, ...options }: RunOptions = {},
): Promise<TaskResult<PortfolioSetsResult>> {
  // Before they are divided, so that a rejection names a set by its index among all.
  const valid = validateSets(input);
  if (!valid.ok) return valid;
  const total = input.sets.length;
  const share = Math.ceil(total / pool.threads);
  const starts = Array.from({ length: Math.ceil(total / share) }, (_, part) => part * share);
  const done = starts.map(() => 0);
  const results = await Promise.all(
    starts.map((start, part) =>
      pool.run(
        'portfolioSets',
        { ...input, sets: input.sets.slice(start, start + share) },
        {
          ...options,
          onProgress(progress) {
            done[part] = progress.done;
            onProgress?.({ done: done.reduce((sum, each) => sum + each, 0), total });
          },
        },
      ),
    ),
  );
  const summaries: PortfolioSetsResult['summaries'] = [];
  const equities: Float64Array[] = [];
  let hashes: PortfolioSetsResult['hashes'] = { engine: '', data: '' };
  for (const result of results) {
    if (!result.ok) return result;
    summaries.push(...result.value.summaries);
    ({ hashes } = result.value);
    if (result.value.equity !== undefined) equities.push(result.value.equity);
  }
  return ok(input.withEquity === true ? { summaries, hashes, equity: joined(equities) } : { summaries, hashes });
}

/** Columns one after the other. */
export function joined(columns: readonly Float64Array[]): Float64Array<ArrayBuffer> {
  const all = new Float64Array(columns.reduce((length, column) => length + column.length, 0));
  let at = 0;
  for (const column of columns) {
    all.set(column, at);
    at += column.length;
  }
  return all;
}
