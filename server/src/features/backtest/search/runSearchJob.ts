import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { indexFrom } from '@sextant/workers/src/candles/candleColumns.ts';
import { SEARCH_MINUTES_WAIT_MS } from '@sextant/workers/src/candles/minutes.ts';
import type { LoadedMinutes } from '@sextant/workers/src/candles/settle.ts';
import { afterLoad, inputWithMinutes, joinKnown } from '@sextant/workers/src/tasks/optimize/settleSearch.ts';
import { toWireError } from '@sextant/workers/src/protocol/wire/wireError.ts';
import type { TaskError } from '@sextant/workers/src/protocol/taskResult.ts';
import type { EnginePool } from '@sextant/workers/src/protocol/tasks.ts';
import type { OptimizeInput, OptimizeResult } from '@sextant/workers/src/protocol/optimize.ts';
import { asOutcome, finishOnPool } from '@sextant/workers/src/tasks/optimize/onPool.ts';
import { bestOfParts } from '@sextant/workers/src/tasks/optimize/parts.ts';
import { paramsToWire } from '@sextant/workers/src/protocol/wire/strategyParams.ts';
import { packTrials } from '@sextant/workers/src/protocol/wire/trialColumns.ts';
import { z } from 'zod';
import { retryRequest } from '../../../platform/retryRequest.ts';
import { type Db, withSystem } from '../../../platform/db/scope.ts';
import { notifyUser } from '../../../platform/events/notify.ts';
import { NoRoom } from '../../../platform/jobs/jobs.ts';
import { countSearchTried } from '../countTried.ts';
import { minuteLoad, type RunBody } from '../loadRun.ts';
import { deleteRequesting, hasChunk, insertChunk, readChunks, readUnknownBars } from './chunkRepository.ts';
import { finishWithMinutes } from './finishWithMinutes.ts';
import type { StoredMinutes, SettledMinutes } from './storedMinutes.ts';
import { minutesWire, searchResultOf, withoutUnknown } from './searchInput.ts';
import { advanceSearch, claimSearch, countOff, isOpen, type OpenSearch, type SearchStep } from './searchRepository.ts';
import { type SearchDeps, sendChunks, stopSearch, type StoredRequest } from './startSearch.ts';

/** Jobs from versions before steps have no step. */
const ofStep = { searchId: z.uuid(), step: z.int().min(0).default(0) };
/** Loads the minutes that a search needs. */
export const MinutesJob = z.strictObject(ofStep);
/** One chunk of a search or, without one, the step that joins all chunks. */
export const SearchJob = z.union([
  z.strictObject({ ...ofStep, from: z.int().min(0), count: z.int().min(1) }),
  z.strictObject(ofStep),
]);
type SearchJob = z.output<typeof SearchJob>;
type MinutesJob = z.output<typeof MinutesJob>;

const CANCEL_POLL_MS = 1000;
/** Interval between checks for a free slot on a full engine. */
const ROOM_POLL_MS = 500;
const DEADLINE_MS = 280_000;

/** A job may run again after a crash: it writes one transaction and is deterministic. */
export async function runSearchJob(deps: SearchDeps, job: SearchJob, signal: AbortSignal): Promise<void> {
  const { searchId, step } = job;
  const search = await withSystem(deps.db, async (tx) => {
    if ('from' in job && (await hasChunk(tx, searchId, job.from))) return undefined;
    return claimSearch(tx, { id: searchId, step });
  });
  if (search === undefined) return;
  const watch = watchOpen(deps.db, searchId, signal);
  const patient = { ...deps, engine: patientPool(deps.engine, watch.signal) };
  try {
    if ('from' in job) await runChunk(patient, job, search, watch.signal);
    else await joinChunks(patient, job, search, watch.signal);
  } finally {
    watch.stop();
  }
}

/** Waits for a slot on the engine: a full engine delays a search but uses none of its jobs' attempts. */
function patientPool(engine: EnginePool, signal: AbortSignal): EnginePool {
  return {
    threads: engine.threads,
    close: () => engine.close(),
    run: (name, input, options) =>
      retryRequest(
        () => engine.run(name, input, options),
        (outcome) => (outcome.ok || outcome.error.code !== 'overloaded' ? undefined : ROOM_POLL_MS),
        signal,
      ),
  };
}

async function runChunk(
  deps: SearchDeps,
  { searchId, step, from, count }: Extract<SearchJob, { from: number }>,
  search: OpenSearch,
  signal: AbortSignal,
): Promise<void> {
  const part = { ...inputOf(search), part: { from, count } };
  const outcome = await deps.engine.run('optimize', part, { signal, deadlineMs: DEADLINE_MS });
  if (!outcome.ok) return giveUp(deps.db, { id: searchId, step }, outcome.error, signal);
  const { leaders, trials, unknownBars = [] } = outcome.value;
  const best = leaders.map(({ index, value }) => ({ index, value }));
  await withSystem(deps.db, async (tx) => {
    const inserted = await insertChunk(
      tx,
      { id: searchId, step },
      { from, count, leaders: best, figures: trials, unknownBars },
    );
    if (inserted === undefined) return;
    const { joinJobId, progress } = inserted;
    if (progress.done === progress.total) await deps.jobs.send(tx, 'search', joinJobId, { searchId, step });
    await notifyUser(tx, search.userId, 'search', { search_id: searchId, status: 'running', ...progress });
  });
}

const zip = promisify(gzip);
/** Prices and results compress poorly, counts and empty columns well: the fastest level is sufficient. */
const zipped = (bytes: Uint8Array): Promise<Buffer> => zip(bytes, { level: 1 });

/** The input of the samples, with the loaded minutes. */
function inputOf({ input, minutes }: Pick<OpenSearch, 'input' | 'minutes'>): OptimizeInput {
  return minutes === null ? input : inputWithMinutes(input, joinKnown(minutes.known));
}

/** Refines the best samples of all chunks, walks forward and runs the best set, as an unsplit search does. */
async function joinChunks(
  deps: SearchDeps,
  { searchId, step }: Pick<SearchJob, 'searchId' | 'step'>,
  search: OpenSearch,
  signal: AbortSignal,
): Promise<void> {
  const { engine } = deps;
  const { userId, input, minutes } = search;
  const [chunks, unknownBars] = await withSystem(deps.db, async (tx) => [
    await readChunks(tx, searchId),
    minutes === null ? [] : await readUnknownBars(tx, searchId),
  ]);
  const indices = bestOfParts(chunks as unknown as Pick<OptimizeResult, 'leaders'>[]);
  const samples = { indices, unknownBars };
  const outcome = await asOutcome<Joined>(async () =>
    minutes === null
      ? { last: await finishOnPool(engine, input, indices, { signal }) }
      : finishWithMinutes({ engine, input, minutes, isDraft: step === 0, samples, signal }),
  );
  if (!outcome.ok) return giveUp(deps.db, { id: searchId, step }, outcome.error, signal);
  if ('next' in outcome.value) return waitForMinutes(deps, { id: searchId, step }, userId, outcome.value.next);
  const { last, settled } = outcome.value;
  const figures = chunks.map((chunk) => chunk.figures);
  const had = settled && { minutes: { ...minutesWire(settled), opens: settled.opens } };
  const result = { ...searchResultOf(input, withoutUnknown(last), figures), ...had };
  const trials = await zipped(packTrials([...figures, last.refined]));
  // Before the end: if the node dies here, another one takes the job and the search is counted once.
  await countSearch(deps.db, search, last);
  await withSystem(deps.db, (tx) => stopSearch(tx, searchId, { status: 'done', result, trials, step }));
}

/** Counts a long search as tried, like a synchronous one. */
async function countSearch(db: Db, search: OpenSearch, { best, trialCount }: OptimizeResult): Promise<void> {
  if (best === undefined) return;
  const { userId, symbol, input, minutes } = search;
  const { setup, named, ...body } = search.request as StoredRequest;
  await countSearchTried(db, userId, {
    loaded: {
      symbol: setup.exchange === null ? null : symbol,
      costs: setup.costs,
      input,
      ...withoutUndefined({ minuteMarket: minutes?.market }),
    },
    body: {
      ...body,
      ...withoutUndefined({ label: setup.label ?? undefined }),
      ...withoutUndefined({ minutesOf: named?.minutesOf }),
      exchange: named?.exchange ?? ((setup.exchange ?? 'binance') as RunBody['exchange']),
      interval: search.interval as RunBody['interval'],
    },
    dataHash: best.scored.hashes.data,
    trialCount,
    best: best.strategy ?? paramsToWire(best.params),
  });
}

type Joined = { last: OptimizeResult; settled?: SettledMinutes } | { next: StoredMinutes };

/** Queues a separate job that loads the minutes, in the transaction that stores which are needed. */
async function waitForMinutes(deps: SearchDeps, at: SearchStep, userId: string, minutes: StoredMinutes): Promise<void> {
  await withSystem(deps.db, async (tx) => {
    if ((await advanceSearch(tx, at, 'loading', minutes)) === undefined) return;
    await deps.jobs.send(tx, 'search_minutes', randomUUID(), { searchId: at.id, step: at.step + 1 });
    await notifyUser(tx, userId, 'search', { search_id: at.id, status: 'running' });
  });
}

const DIED = 'The server stopped twice while loading them.';

/**
 * Loads the minutes a search needs, and continues with those the exchange sent in time. A repeated job loads them again; it writes one
 * transaction.
 */
export async function runMinutesJob(
  deps: SearchDeps,
  { searchId, step }: MinutesJob,
  signal: AbortSignal,
  waitMs = SEARCH_MINUTES_WAIT_MS,
): Promise<void> {
  const at = { id: searchId, step };
  const search = await withSystem(deps.db, (tx) => claimSearch(tx, at));
  if (search === undefined || search.minutes === null) return;
  const { userId, input, minutes } = search;
  const watch = watchOpen(deps.db, searchId, signal);
  try {
    const until = AbortSignal.any([watch.signal, AbortSignal.timeout(waitMs)]);
    const load = minuteLoad(deps.market, { ...minutes.market, userId }, input.candles, until, { isPatient: true });
    const loaded = await load(minutes.wanted);
    if (watch.signal.reason === ended) return;
    if (watch.signal.aborted) throw new NoRoom('the node stops');
    await goOn(deps, at, search, loaded);
  } finally {
    watch.stop();
  }
}

/** Continues a search without the minutes of a job that crashed the server twice. */
export async function skipMinutes(deps: SearchDeps, { searchId, step }: MinutesJob): Promise<void> {
  const at = { id: searchId, step };
  const search = await withSystem(deps.db, (tx) => claimSearch(tx, at));
  if (search !== undefined) await goOn(deps, at, search, { found: new Map(), problem: DIED });
}

/** Runs the chunks again whose results these minutes may change, and joins all of them. */
async function goOn(
  deps: SearchDeps,
  at: SearchStep,
  { userId, input, minutes }: OpenSearch,
  loaded: LoadedMinutes,
): Promise<void> {
  if (minutes === null) return;
  const next: StoredMinutes = { ...minutes, ...afterLoad(minutes, minutes.wanted, loaded), wanted: [] };
  const come = minutes.wanted.filter((openMs) => (next.known.get(openMs) ?? null) !== null);
  // Minutes of the walk-forward are separate from those of the samples.
  const bars = minutes.settled === null ? come.map((openMs) => indexFrom(input.candles.time, openMs)) : [];
  await withSystem(deps.db, async (tx) => {
    const joinJobId = await advanceSearch(tx, at, 'searching', next);
    if (joinJobId === undefined) return;
    const [searchId, step] = [at.id, at.step + 1];
    const again = bars.length === 0 ? [] : await deleteRequesting(tx, searchId, bars);
    await countOff(
      tx,
      searchId,
      again.reduce((sum, { count }) => sum + count, 0),
    );
    if (again.length === 0) await deps.jobs.send(tx, 'search', joinJobId, { searchId, step });
    await sendChunks(deps.jobs, tx, { searchId, step }, again);
    await notifyUser(tx, userId, 'search', { search_id: searchId, status: 'running' });
  });
}

/** A permanent failure ends the search; a temporary one returns it to the queue. */
async function giveUp(db: Db, { id, step }: SearchStep, error: TaskError, signal: AbortSignal): Promise<void> {
  if (signal.reason === ended) return;
  if (error.code === 'overloaded' || error.code === 'cancelled') throw new NoRoom(error.message);
  const failure = toWireError(error).message.slice(0, 500);
  await withSystem(db, (tx) => stopSearch(tx, id, { status: 'failed', failure, step }));
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
      // The database is unavailable for a moment: the next poll checks again.
      .catch(() => undefined);
  }, CANCEL_POLL_MS);
  timer.unref();
  return { signal: AbortSignal.any([outer, controller.signal]), stop: () => clearInterval(timer) };
}
