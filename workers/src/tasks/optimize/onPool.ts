import { joinParts } from '../../core/joinParts.ts';
import type { TaskError, TaskProgress, TaskResult } from '../../protocol/taskResult.ts';
import type { EnginePool } from '../../protocol/tasks.ts';
import type {
  Finalist,
  OptimizeInput,
  OptimizeResult,
  TrialColumns,
  WalkForwardResult,
} from '../../protocol/optimize.ts';
import { ok } from '../../core/result.ts';
import { bestOfParts } from './parts.ts';
import { setOf } from './parameters.ts';
import { setCostIn, setCostOf } from './setCost.ts';
import { codingOf, ownSetOf, setLengthOf, spaceOf } from './space.ts';
import { LEADER_COUNT, rankedRows, stages } from './stages.ts';

/**
 * Overhead of a call, measured on 1,200 candles: 0.3 to 0.6 ms for the market and the round trip, as much as some 150 sets of Classic or 10
 * of rules. It grows with the candles as a set does, so a chunk is measured in sets: from this many on it is worth a thread. A search of
 * 1,000 sets in two halves takes 0.85 to 0.95 of the time of one call.
 */
const CHUNK_MIN = { classic: 400, rules: 50 };
/** Finer candles are sent, checked and laid out with each call: this many sets more for each one that a candle has. */
const CHUNK_MIN_PER_PART = 40;
/** Sets times candles of a chunk: a fraction of a second, so that progress is smooth and a short task waits for no long one. */
const CHUNK_WORK = 24_000_000;
const CHUNK_MAX = { least: 1000, most: 5000 };
/** For one chunk, waiting included. */
const DEADLINE_MS = 120_000;

export interface Searched {
  /** Results that hold the samples, in order. */
  parts: OptimizeResult[];
  /** Results that hold the refined trials, in order, as their `trials`. None when `last` has them as its `refined`. */
  refined: OptimizeResult[];
  /** The result that holds the best; for a search in one piece it is the part itself. */
  last: OptimizeResult;
  /** `unknownBars` of all results, oldest first; empty unless the input requests them. */
  unknownBars: number[];
}

export interface SearchWatch {
  signal: AbortSignal;
  /** Samples that are done. */
  onDone?: (done: number) => void;
  /** One chunk as soon as it is ready, in any order. */
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

/** The failure of a search as a value, for callers that hand it on. */
export async function asOutcome<T>(work: () => Promise<T>): Promise<TaskResult<T>> {
  try {
    return ok(await work());
  } catch (failure) {
    if (failure instanceof SearchFailure) return { ok: false, error: failure.error };
    throw failure;
  }
}

/**
 * One search on a pool of engines, with the sets of every trial: the same plan in the browser and in Node, to the bits of one call. A
 * small search is one call, because chunks would cost more than they gain. @throws SearchFailure
 */
export async function searchOnPool(pool: EnginePool, input: OptimizeInput, watch: SearchWatch): Promise<Searched> {
  const { onDone, onPart } = watch;
  const search = partly(pool, input, watch);
  if (chunkCount(search, input.samples) === 1) {
    const whole = await requestChunk(search, { ...walkOf(input) }, onDone);
    onPart?.(whole);
    return { parts: [whole], refined: [], last: whole, unknownBars: unknownOf(search) };
  }
  const rest = async () => {
    const parts = await inChunks(
      search,
      input.samples,
      async (from, count) => {
        const part = await requestChunk(search, { part: { from, count } });
        onPart?.(part);
        return part;
      },
      onDone,
    );
    const roundSets = Math.floor(input.samples / (input.guide === true ? 8 : 4));
    const isSmall = input.refine !== false && chunkCount(search, roundSets) === 1;
    const { refined, last } = isSmall
      ? { refined: [], last: withoutSamples(await requestChunk(search, { bestOfParts: bestOfParts(parts) })) }
      : await runStages(search, leadersOfParts(parts, setLengthOf(input)));
    return { parts, refined, last: { ...last, leaders: bestLeaders(parts) } };
  };
  // Walking forward is one call and takes longer than the search, so it starts at once and runs beside it.
  const [{ parts, refined, last }, walked] = await Promise.all([rest(), walkOn(search, input)]);
  return { parts, refined, last: { ...last, ...walked }, unknownBars: unknownOf(search) };
}

/** The last result of a search with every refined trial, as in one piece. */
export function joinRefined({ refined, last }: Pick<Searched, 'refined' | 'last'>): OptimizeResult {
  if (last.sets !== undefined) return last;
  const sets = { trials: new Float64Array(), refined: joinParts(refined.map((each) => each.sets?.trials)) };
  return { ...last, refined: joinTables(last.refined, refined), sets };
}

const unknownOf = ({ unknown }: PartlySearch): number[] => [...unknown].sort((a, b) => a - b);

/** The result of a search in one piece: every sample and every refined trial, as one call returns it. */
export function joinSearched(searched: Searched): OptimizeResult {
  const { parts } = searched;
  const last = joinRefined(searched);
  if (parts.length === 1 && parts[0] === searched.last) return last;
  const trials = joinParts(parts.map(({ sets }) => sets?.trials));
  return {
    ...last,
    from: 0,
    trials: joinTables(last.trials, parts),
    sets: { trials, refined: last.sets?.refined ?? new Float64Array() },
  };
}

/**
 * What comes after the samples, when these were run elsewhere: the stages on all threads, the best set, and walking forward.
 * @param indices of the best samples @throws SearchFailure
 */
export async function finishOnPool(
  pool: EnginePool,
  input: OptimizeInput,
  indices: number[],
  watch: SearchWatch,
): Promise<OptimizeResult> {
  const search = partly(pool, input, watch);
  const finish = async () => {
    const { leaders, sets } = await requestChunk(search, { bestOfParts: indices, part: { from: 0, count: 1 } });
    const length = setLengthOf(input);
    const known = leaders.map(({ index, value }) => {
      const set = copyOfSet(sets?.trials, indices.indexOf(index), length);
      return { set, value, origin: sampleOf(index) };
    });
    return { ...joinRefined(await runStages(search, known)), leaders };
  };
  const [last, walked] = await Promise.all([finish(), walkOn(search, input)]);
  const requested = input.withUnknown === true ? { unknownBars: unknownOf(search) } : {};
  return { ...last, ...walked, ...requested };
}

/** Only the walk-forward of a search. @throws SearchFailure */
export async function walkOnPool(
  pool: EnginePool,
  input: OptimizeInput,
  { signal }: Pick<SearchWatch, 'signal'>,
): Promise<WalkForwardResult> {
  return valueOf(await pool.run('walkForward', input, { signal, deadlineMs: DEADLINE_MS }));
}

/** A search whose parts are requested one by one; walking forward is a separate part. */
interface PartlySearch {
  pool: EnginePool;
  input: OptimizeInput;
  signal: AbortSignal;
  /** Candles that the results so far left open. */
  unknown: Set<number>;
}

function partly(pool: EnginePool, input: OptimizeInput, { signal }: SearchWatch): PartlySearch {
  const alone = { ...input, withSets: true };
  delete alone.walkForward;
  return { pool, input: alone, signal, unknown: new Set() };
}

const walkOf = ({ walkForward }: OptimizeInput): Partial<OptimizeInput> =>
  walkForward === undefined ? {} : { walkForward };

async function walkOn(
  { pool, signal, unknown }: PartlySearch,
  input: OptimizeInput,
): Promise<Pick<OptimizeResult, 'walkForward'>> {
  if (input.walkForward === undefined) return {};
  const walkForward = await walkOnPool(pool, input, { signal });
  for (const bar of walkForward.unknownBars ?? []) unknown.add(bar);
  return { walkForward };
}

async function requestChunk(
  { pool, input, signal, unknown }: PartlySearch,
  more: Partial<OptimizeInput>,
  onProgress?: SearchWatch['onDone'],
): Promise<OptimizeResult> {
  const options = {
    signal,
    deadlineMs: DEADLINE_MS,
    ...(onProgress && { onProgress: ({ done }: TaskProgress) => onProgress(done) }),
  };
  const response = valueOf(await pool.run('optimize', { ...input, ...more }, options));
  for (const bar of response.unknownBars ?? []) unknown.add(bar);
  return response;
}

function valueOf<T>(outcome: TaskResult<T>): T {
  if (!outcome.ok) throw new SearchFailure(outcome.error);
  return outcome.value;
}

/** Number of calls that a number of sets is split into: one when threads would not pay, else the number of threads, or a multiple. */
export function chunkCount({ pool: { threads }, input }: Pick<PartlySearch, 'pool' | 'input'>, total: number): number {
  const { least, most } = CHUNK_MAX;
  const candles = input.candles.time.length;
  const alone = input.rules === undefined ? CHUNK_MIN.classic : CHUNK_MIN.rules;
  // Dear sets of own rules: fewer of them take as long.
  const share = Math.min(1, setCostOf('rules') / setCostIn(input));
  const worth =
    Math.ceil(alone * share) + Math.round((CHUNK_MIN_PER_PART * (input.fineCandles?.time.length ?? 0)) / candles);
  const size = Math.max(worth, Math.ceil(share * Math.min(most, Math.max(least, Math.floor(CHUNK_WORK / candles)))));
  const paying = Math.max(1, Math.floor(total / worth));
  if (total <= threads * size) return Math.min(threads, paying);
  // At least twice as many chunks as threads, so that none waits for the last chunk of another.
  return Math.min(2 * threads * Math.ceil(total / (2 * threads * size)), paying);
}

/** Results of equal chunks of 0 .. total - 1, in order; enough are in progress that a thread never waits for the next one. */
async function inChunks(
  search: PartlySearch,
  total: number,
  request: (from: number, count: number) => Promise<OptimizeResult>,
  onDone?: (done: number) => void,
): Promise<OptimizeResult[]> {
  const chunks = chunkCount(search, total);
  const startOf = (chunk: number): number => Math.floor((total * chunk) / chunks);
  const responses: OptimizeResult[] = [];
  let [next, done] = [0, 0];
  const work = async (): Promise<void> => {
    while (next < chunks) {
      const chunk = next++;
      const count = startOf(chunk + 1) - startOf(chunk);
      responses[chunk] = await request(startOf(chunk), count);
      done += count;
      onDone?.(done);
    }
  };
  await Promise.all(Array.from({ length: Math.min(chunks, 2 * search.pool.threads) }, work));
  return responses;
}

/** The stages after the samples, each generation on all threads, and the best set of all. */
async function runStages(
  search: PartlySearch,
  leaders: readonly Candidate[],
): Promise<Pick<Searched, 'refined' | 'last'>> {
  const { input } = search;
  const refined: OptimizeResult[] = [];
  let best: Candidate | undefined = leaders[0];
  const space = spaceOf(input);
  const length = setLengthOf(input);
  if (input.refine !== false && space.ok) {
    const encode = codingOf(input)?.encode;
    const { samples, guide } = input;
    const plan = stages({ space: space.value, samples, isGuided: guide === true, ...(encode && { encode }) }, leaders);
    for (let next = plan.next(); next.done !== true;) {
      const draw = next.value;
      const responses = await inChunks(search, draw.count, (from, count) =>
        requestChunk(search, { generation: { draw, from, count } }),
      );
      refined.push(...responses);
      const run = {
        setAt: (i: number) => setOfChunks(responses, i, length),
        values: joinParts(responses.map(({ trials }) => trials.value)),
      };
      const [first] = rankedRows(run.values, 1);
      const value = first === undefined ? -Infinity : (run.values[first] ?? -Infinity);
      if (first !== undefined && (best === undefined || value > best.value)) {
        const set = run.setAt(first);
        best = { set, value, origin: { kind: 'refined', index: draw.first + first } };
      }
      next = plan.next(run);
    }
  }
  const refinedCount = refined.reduce((sum, { trials }) => sum + trials.value.length, 0);
  const own = { set: ownSetOf(input), value: -Infinity, origin: sampleOf(0) };
  return { refined, last: await requestChunk(search, { finalist: { ...(best ?? own), refinedCount } }) };
}

/** A copy, because a view would take its whole chunk along to the next task. */
const copyOfSet = (sets: Float64Array | undefined, i: number, length: number): Float64Array =>
  setOf(sets ?? new Float64Array(), i, length).slice();

/** Set `i` of chunks that follow one another. */
function setOfChunks(chunks: readonly OptimizeResult[], i: number, length: number): Float64Array {
  let place = i;
  for (const { sets, trials } of chunks) {
    if (place < trials.value.length) return copyOfSet(sets?.trials, place, length);
    place -= trials.value.length;
  }
  return new Float64Array();
}

/** Drops the samples of the last result: they are in the parts. */
function withoutSamples(last: OptimizeResult): OptimizeResult {
  const sets = { trials: new Float64Array(), refined: last.sets?.refined ?? new Float64Array() };
  return { ...last, from: 0, trials: joinTables(last.refined, []), sets };
}

const sampleOf = (index: number): Candidate['origin'] => ({ kind: 'sample', index });

type Candidate = Omit<Finalist, 'refinedCount'>;

/** The best samples of all chunks, best first; an equal value keeps the earlier index, as in one piece. */
const bestLeaders = (parts: readonly OptimizeResult[]): OptimizeResult['leaders'] =>
  parts
    .flatMap(({ leaders }) => leaders)
    .sort((a, b) => b.value - a.value || a.index - b.index)
    .slice(0, LEADER_COUNT);

function leadersOfParts(parts: readonly OptimizeResult[], length: number): Candidate[] {
  return bestLeaders(parts).map(({ index, value }) => {
    const part = parts.find(({ from, trials }) => index >= from && index < from + trials.value.length);
    const at = length * (index - (part?.from ?? 0));
    const set = (part?.sets?.trials ?? new Float64Array()).slice(at, at + length);
    return { set, value, origin: sampleOf(index) };
  });
}

function joinTables(empty: TrialColumns, parts: readonly OptimizeResult[]): TrialColumns {
  const names = Object.keys(empty) as (keyof TrialColumns)[];
  return Object.fromEntries(
    names.map((name) => [name, joinParts(parts.map(({ trials }) => trials[name]))]),
  ) as unknown as TrialColumns;
}
