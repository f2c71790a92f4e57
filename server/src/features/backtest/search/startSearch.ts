import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { randomUUID } from 'node:crypto';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { hasMinutes } from '@sextant/workers/src/candles/minutes.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { setCostIn } from '@sextant/workers/src/tasks/optimize/setCost.ts';
import { type Db, type SystemTx, withSystem } from '../../../platform/db/scope.ts';
import { type Outcome, reject } from '../../../platform/errors.ts';
import { notifyUser } from '../../../platform/events/notify.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import { rejectTask } from '../../market/rejectTask.ts';
import { type LoadedRun, loadRun, type RunBody } from '../loadRun.ts';
import { type RunBacktestDeps, setupOf } from '../runBacktest.ts';
import type { SearchWire } from './contract.ts';
import { type StoredMinutes, noMinutesYet } from './storedMinutes.ts';
import { checkWork, type SearchOptions, searchInputOf } from './searchInput.ts';
import {
  countOpen,
  endSearch,
  INPUT_BYTES_MAX,
  insertSearch,
  packInput,
  readSearch,
  readSilent,
  type SearchEnd,
  type SearchStep,
} from './searchRepository.ts';

/** Concurrent searches per user. */
const OPEN_MAX = 2;
/** Sets times candles of one chunk, in sets of Classic: a fraction of a second, for smooth progress and little loss when a node dies. */
const CHUNK_WORK = 6_000_000;
const CHUNK_SAMPLES = { min: 100, max: 5000 };
/** A search that lost all its jobs ends after this time. One that waits for its turn still has jobs. */
const SILENT_MINUTES = 20;

/** Samples of each chunk of a search. @param setCost time of a set in sets of Classic */
export function chunksOf(samples: number, candleCount: number, setCost = 1): { from: number; count: number }[] {
  const { min, max } = CHUNK_SAMPLES;
  const size = Math.min(max, Math.max(min, Math.floor(CHUNK_WORK / (candleCount * setCost))));
  return Array.from({ length: Math.ceil(samples / size) }, (_, i) => ({
    from: i * size,
    count: Math.min(size, samples - i * size),
  }));
}

/**
 * Starts a long search. One transaction stores its input, queues one job per chunk and reads the response, so that a failure leaves no
 * partial search behind.
 */
export async function startSearch(
  deps: RunBacktestDeps,
  userId: string,
  body: RunBody & { optimize: SearchOptions },
  signal: AbortSignal,
): Promise<Outcome<SearchWire>> {
  const loaded = await loadRun(deps.market, userId, body, signal);
  if (!loaded.ok) return loaded;
  const input = searchInputOf(loaded.value, body.optimize);
  const allowed = checkWork(input);
  if (!allowed.ok) return allowed;
  const packed = packInput(input);
  if (packed.length > INPUT_BYTES_MAX) return reject('validation_failed', tooLarge, { field: 'candles' });
  const checked = await checkInput(deps, input);
  if (!checked.ok) return checked;
  const id = randomUUID();
  return withSystem(deps.db, async (tx) => {
    if ((await countOpen(tx, userId)) >= OPEN_MAX)
      return reject('conflict', `Search limit reached (${OPEN_MAX} running). Wait for one or cancel it.`);
    await insertSearch(tx, {
      id,
      userId,
      symbol: loaded.value.symbol ?? 'CSV',
      interval: body.interval,
      samples: input.samples,
      packed,
      minutes: minutesOf(loaded.value, body.interval),
      request: requestOf(body, loaded.value),
    });
    const chunks = chunksOf(input.samples, input.candles.time.length, setCostIn(input));
    await sendChunks(deps.jobs, tx, { searchId: id, step: 0 }, chunks);
    const search = await readSearch(tx, id);
    if (search === null) throw new Error('a search that was just inserted is not there');
    return ok(search);
  });
}

/** The first chunks of all searches run before the second ones, so that a small search does not wait for a large one. */
export async function sendChunks(
  jobs: Jobs,
  tx: SystemTx,
  at: { searchId: string; step: number },
  chunks: readonly { from: number; count: number }[],
): Promise<void> {
  for (const [turn, chunk] of chunks.entries())
    await jobs.send(tx, 'search', randomUUID(), { ...at, ...chunk }, { priority: -turn });
}

/** 1-minute candles have no finer ones. */
const minutesOf = ({ minuteMarket }: LoadedRun, interval: RunBody['interval']): StoredMinutes | null =>
  minuteMarket !== undefined && hasMinutes(intervalMs[interval]) ? noMinutesYet(minuteMarket) : null;

/** The request without its candles, stored with the search and repeated in its response. */
export type StoredRequest = Pick<RunBody, 'params' | 'strategy'> & {
  optimize: SearchOptions;
  setup: ReturnType<typeof setupOf>;
  markPricesProblem?: string;
  /** What names the market of sent candles, for the count of sets tried. Absent in searches of older versions. */
  named?: Pick<RunBody, 'exchange' | 'minutesOf'>;
};

function requestOf(body: RunBody & { optimize: SearchOptions }, loaded: LoadedRun): StoredRequest {
  const { params, strategy, optimize, exchange, minutesOf: minutesFrom } = body;
  const { marksProblem: problem } = loaded;
  return {
    params,
    ...withoutUndefined({ strategy }),
    optimize,
    setup: setupOf(body, loaded),
    named: { exchange, ...withoutUndefined({ minutesOf: minutesFrom }) },
    ...(problem === null ? {} : { markPricesProblem: problem }),
  };
}

const tooLarge = `All candles of a long search may total ${INPUT_BYTES_MAX / 2 ** 20} MiB at 8 bytes a number. Send fewer.`;

/** Runs one set of the search first, so that the request, and not a background job, reports input that the engine rejects. */
async function checkInput(
  { engine }: RunBacktestDeps,
  input: ReturnType<typeof searchInputOf>,
): Promise<Outcome<null>> {
  const tried = await engine.run('optimize', { ...input, part: { from: 0, count: 1 } });
  return tried.ok ? ok(null) : rejectTask(tried.error);
}

export interface SearchDeps {
  db: Db;
  jobs: Jobs;
  engine: RunBacktestDeps['engine'];
  market: RunBacktestDeps['market'];
}

/** Cancels a search and notifies its owner. False when it has already ended or belongs to another user. */
export async function stopSearch(tx: SystemTx, id: string, end: SearchEnd): Promise<boolean> {
  const userId = await endSearch(tx, id, end);
  if (userId === undefined) return false;
  await notifyUser(tx, userId, 'search', { search_id: id, status: end.status, done: 0, total: 0 });
  return true;
}

export const cancelSearch = (db: Db, userId: string, id: string): Promise<boolean> =>
  withSystem(db, (tx) => stopSearch(tx, id, { status: 'cancelled', userId }));

/** Ends searches that have no job any more. */
export const expireSearches = (db: Db): Promise<void> =>
  withSystem(db, async (tx) => {
    for (const id of await readSilent(tx, SILENT_MINUTES))
      await stopSearch(tx, id, { status: 'failed', failure: 'The search stalled. Start it again.' });
  });

/** Ends a search whose job crashed the server twice, unless it has advanced beyond the step of this job. */
export const failSearch = (db: Db, { id, step }: SearchStep): Promise<void> =>
  withSystem(db, async (tx) => {
    const failure = 'The search failed twice on our side. Use fewer samples or a shorter window.';
    await stopSearch(tx, id, { status: 'failed', failure, step });
  });
