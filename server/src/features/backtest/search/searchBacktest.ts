import { ok } from '@sextant/workers/src/result.ts';
import { paramsToWire } from '@sextant/workers/src/wire/optimize.ts';
import type { Outcome } from '../../../platform/errors.ts';
import { runInTurn } from '../../market/engineRuns.ts';
import { loadRun, refuseTask, type RunBody, type RunSource } from '../loadRun.ts';
import { type RunBacktestDeps, storeRun } from '../runBacktest.ts';
import { type SearchOptions, searchInputOf, searchResultOf, type SearchResultWire } from './searchInput.ts';

export type SearchedBacktest = SearchResultWire & RunSource & { id: string };

/** A search of up to 1,000 samples, on one thread, while the caller waits. Its best set is stored as a run. */
export async function searchBacktest(
  deps: RunBacktestDeps,
  userId: string,
  body: RunBody & { optimize: SearchOptions },
  signal: AbortSignal,
): Promise<Outcome<SearchedBacktest>> {
  const loaded = await loadRun(deps.market, userId, body, signal);
  if (!loaded.ok) return loaded;
  const input = searchInputOf(loaded.value.input, body.optimize);
  const run = await runInTurn(deps.engine, userId, () => deps.engine.run('optimize', input, { signal }));
  if (!run.ok) return run;
  if (!run.value.ok) return refuseTask(run.value.error);
  const found = run.value.value;
  if (found.best === undefined) throw new TypeError('a whole search has no best set');
  const { scored, params } = found.best;
  const stored = await storeRun(deps.db, userId, body, loaded.value, scored, paramsToWire(params));
  if (!stored.ok) return stored;
  return ok({ ...searchResultOf(found, [found.trials]), id: stored.value, ...loaded.value.source() });
}
