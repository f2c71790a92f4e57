import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { toWireError } from '@sextant/workers/src/wire/wireError.ts';
import type { TaskError } from '@sextant/workers/src/protocol.ts';
import type { OptimizeResult } from '@sextant/workers/src/protocolOptimize.ts';
import { asOutcome, finishOnPool } from '@sextant/workers/src/tasks/optimize/onPool.ts';
import { bestOfParts } from '@sextant/workers/src/tasks/optimize/parts.ts';
import { packTrials } from '@sextant/workers/src/wire/trialColumns.ts';
import { z } from 'zod';
import { type Db, withSystem } from '../../../platform/db/scope.ts';
import { notifyUser } from '../../../platform/events/notify.ts';
import { hasChunk, insertChunk, readChunks } from './chunkRepository.ts';
import { searchResultOf } from './searchInput.ts';
import { claimSearch, isOpen, type OpenSearch } from './searchRepository.ts';
import { type SearchDeps, stopSearch } from './startSearch.ts';

/** One chunk of a search, or, without one, the step that joins them all. */
export const SearchJob = z.union([
  z.strictObject({ searchId: z.uuid(), from: z.int().min(0), count: z.int().min(1) }),
  z.strictObject({ searchId: z.uuid() }),
]);
type SearchJob = z.output<typeof SearchJob>;

const CANCEL_POLL_MS = 1000;
const DEADLINE_MS = 280_000;

/** The engine's threads were all taken: the queue tries the job again. */
class Busy extends Error {}

/** A job may be started again after a crash. What it leaves behind is one transaction, and the same bits every time. */
export async function runSearchJob(deps: SearchDeps, job: SearchJob, signal: AbortSignal): Promise<void> {
  const { searchId } = job;
  const search = await withSystem(deps.db, async (tx) => {
    if ('from' in job && (await hasChunk(tx, searchId, job.from))) return undefined;
    return claimSearch(tx, searchId);
  });
  if (search === undefined) return;
  const watch = watchOpen(deps.db, searchId, signal);
  try {
    if ('from' in job) await runChunk(deps, job, search, watch.signal);
    else await joinChunks(deps, searchId, search, watch.signal);
  } finally {
    watch.stop();
  }
}

async function runChunk(
  deps: SearchDeps,
  { searchId, from, count }: Extract<SearchJob, { from: number }>,
  { userId, input }: OpenSearch,
  signal: AbortSignal,
): Promise<void> {
  const part = { ...input, part: { from, count } };
  const found = await deps.engine.run('optimize', part, { signal, deadlineMs: DEADLINE_MS });
  if (!found.ok) return giveUp(deps.db, searchId, found.error, signal);
  const { leaders, trials } = found.value;
  const best = leaders.map(({ index, value }) => ({ index, value }));
  await withSystem(deps.db, async (tx) => {
    const progress = await insertChunk(tx, searchId, { from, count, leaders: best, figures: trials });
    if (progress === undefined) return;
    const { done, total, elapsedMs, joinJobId } = progress;
    if (done === total) await deps.jobs.send(tx, 'search', joinJobId, { searchId });
    const told = { search_id: searchId, status: 'running', done, total, elapsed_ms: elapsedMs };
    await notifyUser(tx, userId, 'search', told);
  });
}

const zip = promisify(gzip);
/** Prices and results hardly shrink, counts and absent figures do: the quickest level is as good as any. */
const zipped = (bytes: Uint8Array): Promise<Buffer> => zip(bytes, { level: 1 });

/** The best of all chunks is refined, walked forward and run once more by itself, as in one piece. */
async function joinChunks(
  deps: SearchDeps,
  searchId: string,
  { input }: OpenSearch,
  signal: AbortSignal,
): Promise<void> {
  const chunks = await withSystem(deps.db, (tx) => readChunks(tx, searchId));
  const indices = bestOfParts(chunks as unknown as Pick<OptimizeResult, 'leaders'>[]);
  const found = await asOutcome(() => finishOnPool(deps.engine, input, indices, { signal }));
  if (!found.ok) return giveUp(deps.db, searchId, found.error, signal);
  const samples = chunks.map(({ figures }) => figures);
  const result = searchResultOf(found.value, samples);
  const trials = await zipped(packTrials([...samples, found.value.refined]));
  await withSystem(deps.db, (tx) => stopSearch(tx, searchId, { status: 'done', result, trials }));
}

/** A failure that would come again ends the search; one that would not goes back to the queue. */
async function giveUp(db: Db, searchId: string, error: TaskError, signal: AbortSignal): Promise<void> {
  if (error.code === 'cancelled' && signal.reason === ended) return;
  if (error.code === 'overloaded' || error.code === 'cancelled') throw new Busy(error.message);
  const failure = toWireError(error).message.slice(0, 500);
  await withSystem(db, (tx) => stopSearch(tx, searchId, { status: 'failed', failure }));
}

const ended = new Error('the search was cancelled');

/** Stops the job when its search is cancelled, and renews the job's heartbeat until then. */
function watchOpen(db: Db, searchId: string, outer: AbortSignal): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController();
  const timer = setInterval(() => {
    void withSystem(db, (tx) => isOpen(tx, searchId))
      .then((is) => {
        if (!is) controller.abort(ended);
      })
      // The database is away for a moment: the next look will tell.
      .catch(() => undefined);
  }, CANCEL_POLL_MS);
  timer.unref();
  return { signal: AbortSignal.any([outer, controller.signal]), stop: () => clearInterval(timer) };
}
