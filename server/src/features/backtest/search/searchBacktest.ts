import { joinParts } from '@sextant/workers/src/core/joinParts.ts';
import type { OptimizeBest } from '@sextant/workers/src/protocol/optimize.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { joinRefined } from '@sextant/workers/src/tasks/optimize/onPool.ts';
import { paramsToWire } from '@sextant/workers/src/protocol/wire/strategyParams.ts';
import type { z } from 'zod';
import type { OnProgress } from '../../../platform/callProgress.ts';
import type { Outcome } from '../../../platform/errors.ts';
import { countSearchTried, nothingTried } from '../countTried.ts';
import { judgeRun } from '../judgeRun.ts';
import { fineDataProblemOf, type LoadedRun, loadRun, type RunBody, type RunSource } from '../loadRun.ts';
import { type RunBacktestDeps, storeIn } from '../runBacktest.ts';
import type { HonestyVerdict } from '../runContract.ts';
import {
  checkWork,
  minutesWire,
  type SearchOptions,
  searchInputOf,
  searchResultOf,
  type SearchResultWire,
} from './searchInput.ts';
import { searchWithMinutes } from './searchWithMinutes.ts';

export type SearchedBacktest = SearchResultWire &
  RunSource & { id: string; fineDataProblem: string | null; honesty?: z.input<typeof HonestyVerdict> };

/** The run of the best set. */
const ranAsBest = (loaded: LoadedRun, { strategy }: OptimizeBest): LoadedRun =>
  strategy === undefined || loaded.rules === undefined ? loaded : { ...loaded, rules: { ...loaded.rules, strategy } };

/** A synchronous search of up to 1,000 samples on the engine threads. Its best set is stored as a run. */
export async function searchBacktest(
  deps: RunBacktestDeps,
  userId: string,
  body: RunBody & { optimize: SearchOptions },
  watch: { signal: AbortSignal; onProgress?: OnProgress | undefined },
): Promise<Outcome<SearchedBacktest>> {
  const { signal } = watch;
  const loaded = await loadRun(deps.market, userId, body, signal);
  if (!loaded.ok) return loaded;
  const requested = searchInputOf(loaded.value, body.optimize);
  const allowed = checkWork(requested);
  if (!allowed.ok) return allowed;
  const plan = { input: requested, loaded: loaded.value, interval: body.interval };
  const run = await searchWithMinutes(deps.engine, userId, plan, watch);
  if (!run.ok) return run;
  const { input, minutes, searched } = run.value;
  const { parts } = searched;
  const result = joinRefined(searched);
  const samples = parts.map(({ trials }) => trials);
  if (result.best === undefined) throw new TypeError('a whole search has no best set');
  const { scored, params } = result.best;
  const stored = await storeIn(deps)(userId, body, ranAsBest(loaded.value, result.best), scored, paramsToWire(params));
  if (!stored.ok) return stored;
  const said = minutes === null ? {} : { minutes: minutesWire(minutes) };
  const fineDataProblem = fineDataProblemOf(loaded.value, minutes?.problem ?? null);
  const from = { id: stored.value, ...loaded.value.source(), fineDataProblem };
  const response = { ...searchResultOf(input, result, samples), ...said, ...from };
  const best = result.best.strategy ?? paramsToWire(params);
  const tried = { loaded: loaded.value, body, dataHash: scored.hashes.data, trialCount: result.trialCount, best };
  const counted = deps.storeRun === undefined ? await countSearchTried(deps.db, userId, tried) : nothingTried;
  if (!body.honesty) return ok(response);
  // Passes the known values of every set, so that the search does not run again.
  // Copies columns: transferring a view would move the whole table to the thread.
  const known = { samples: joinParts(samples.map(({ value }) => value)), refined: joinParts([result.refined.value]) };
  const { before, family } = counted;
  const trials = {
    kind: 'search',
    search: { ...input, known },
    earlierTrialCount: Math.max(before.trials + family.trials, body.earlierTrials),
    earlierLookCount: before.looks + family.looks,
  } as const;
  const judged = await judgeRun(deps, userId, { input: trials, tried: counted }, signal);
  return judged.ok ? ok({ ...response, honesty: judged.value }) : judged;
}
