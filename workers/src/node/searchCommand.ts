import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { joinParts } from '../core/joinParts.ts';
import { failWith, ok, type Result } from '../core/result.ts';
import type { OptimizeInput, OptimizeResult, TrialColumns } from '../protocol/optimize.ts';
import type { TaskResult } from '../protocol/taskResult.ts';
import type { EnginePool } from '../protocol/tasks.ts';
import { optimizeFromWire, type OptimizeRequestWire, optimizeToWire } from '../protocol/wire/optimize.ts';
import { toWireError } from '../protocol/wire/wireError.ts';
import { canonicalText } from '../proof/canonicalJson.ts';
import { asOutcome, finishOnPool, joinSearched, searchOnPool, type SearchWatch } from '../tasks/optimize/onPool.ts';
import { bestOfParts } from '../tasks/optimize/parts.ts';
import { setLengthOf } from '../tasks/optimize/space.ts';
import { rankedRows } from '../tasks/optimize/stages.ts';
import { type LoggedPart, openFile, openSearchLog, type SearchLog } from './searchLog.ts';
import { columnsOfSets, setFormats, writeSets } from './setTable.ts';

export interface SearchCommand {
  pool: EnginePool;
  engineHash: string;
  /** File of the columns of every set. */
  sets?: string | undefined;
  /** File of the samples that are done. */
  resume?: string | undefined;
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Runs a search on all threads of the pool, to the bits of one. The failure is one line for the reader. */
export async function runSearch(
  command: SearchCommand,
  request: z.output<typeof OptimizeRequestWire>,
): Promise<Result<object, string>> {
  const { sets, resume } = command;
  const input = optimizeFromWire(request);
  const isPart = input.part !== undefined || input.bestOfParts !== undefined;
  if (isPart && (sets ?? resume) !== undefined)
    return failWith('--sets and --resume are of whole searches: leave out optimize.part and optimize.bestOfParts');
  if (sets === undefined) {
    const searched = await search(command, input, request);
    return searched.ok ? ok(optimizeToWire(searched.value, input)) : searched;
  }
  const format = setFormats.find((each) => sets.endsWith(`.${each}`));
  if (format === undefined) return failWith('--sets: name a file that ends with .csv, .jsonl or .npz');
  // Opened before the search, which may take hours.
  const opened = await openFile(sets, 'w');
  if (!opened.ok) return failWith(`--sets: ${opened.error}`);
  try {
    const searched = await search(command, input, request);
    if (!searched.ok) return searched;
    await writeSets(opened.value, format, columnsOfSets(input, searched.value));
    return ok(optimizeToWire(searched.value, input));
  } finally {
    await opened.value.close();
  }
}

async function search(
  { pool: given, engineHash, resume, onProgress }: SearchCommand,
  input: OptimizeInput,
  request: object,
): Promise<Result<OptimizeResult, string>> {
  const pool = withoutDeadlines(given);
  const watch: SearchWatch = {
    signal: new AbortController().signal,
    onDone: (done) => onProgress?.(done, input.samples),
  };
  if (resume !== undefined) {
    const key = createHash('sha256')
      .update(`${engineHash} ${canonicalText(request)}`)
      .digest('hex');
    const opened = await openSearchLog(resume, key, setLengthOf(input));
    return opened.ok ? inWords(await resumed(pool, input, opened.value, watch)) : failWith(`--resume: ${opened.error}`);
  }
  if (input.part !== undefined || input.bestOfParts !== undefined) return inWords(await pool.run('optimize', input));
  return inWords(await asOutcome(async () => joinSearched(await searchOnPool(pool, input, watch))));
}

const inWords = (outcome: TaskResult<OptimizeResult>): Result<OptimizeResult, string> =>
  outcome.ok ? outcome : failWith(toWireError(outcome.error).message);

/** A command runs as long as it takes. */
const withoutDeadlines = (pool: EnginePool): EnginePool => ({
  ...pool,
  run: (name, input, { deadlineMs: _none, ...options } = {}) => pool.run(name, input, options),
});

async function resumed(
  pool: EnginePool,
  input: OptimizeInput,
  log: SearchLog,
  watch: SearchWatch,
): Promise<TaskResult<OptimizeResult>> {
  try {
    const failure = await runMissing(pool, input, log, watch);
    if (failure !== undefined) return failure;
  } finally {
    await log.close();
  }
  return asOutcome(() => finish(pool, input, log.parts, watch));
}

/** Sets times candles of a part: some tenths of a second. */
const PART_WORK = 24_000_000;

/** Runs the samples that the file lacks. */
async function runMissing(
  pool: EnginePool,
  input: OptimizeInput,
  log: SearchLog,
  { onDone }: SearchWatch,
): Promise<TaskResult<never> | undefined> {
  const size = Math.min(5000, Math.max(50, Math.floor(PART_WORK / input.candles.time.length)));
  const missing = missingParts(log.parts, input.samples, size);
  let done = input.samples - missing.reduce((sum, { count }) => sum + count, 0);
  onDone?.(done);
  let failure: TaskResult<never> | undefined;
  const alone = { ...input, withSets: true };
  delete alone.walkForward;
  const work = async (): Promise<void> => {
    for (let part = missing.shift(); part !== undefined && failure === undefined; part = missing.shift()) {
      const run = await pool.run('optimize', { ...alone, part });
      if (!run.ok) {
        failure = run;
        return;
      }
      const { trials, sets } = run.value;
      await log.append({ ...part, trials, sets: sets?.trials ?? new Float64Array() });
      done += part.count;
      onDone?.(done);
    }
  };
  await Promise.all(Array.from({ length: pool.threads }, work));
  return failure;
}

function missingParts(done: readonly LoggedPart[], total: number, size: number): { from: number; count: number }[] {
  const missing: { from: number; count: number }[] = [];
  const fill = (from: number, end: number): void => {
    for (let at = from; at < end; at += size) missing.push({ from: at, count: Math.min(size, end - at) });
  };
  let at = 0;
  for (const { from, count } of [...done].sort((a, b) => a.from - b.from)) {
    fill(at, from);
    at = Math.max(at, from + count);
  }
  fill(at, total);
  return missing;
}

/** What comes after the samples, and all of it as one result. */
async function finish(
  pool: EnginePool,
  input: OptimizeInput,
  logged: readonly LoggedPart[],
  watch: SearchWatch,
): Promise<OptimizeResult> {
  const parts = [...logged].sort((a, b) => a.from - b.from);
  const column = (name: keyof TrialColumns): Float64Array<ArrayBuffer> =>
    joinParts(parts.map(({ trials }) => trials[name]));
  const value = column('value');
  const leaders = rankedRows(value, LEADERS_MAX).map((index) => ({
    index,
    value: value[index] ?? Number.NaN,
    params: input.params,
  }));
  const last = await finishOnPool(pool, input, bestOfParts([{ leaders }]), watch);
  const names = Object.keys(last.trials) as (keyof TrialColumns)[];
  const trials = Object.fromEntries(names.map((name) => [name, column(name)])) as unknown as TrialColumns;
  const sets = { trials: joinParts(parts.map((part) => part.sets)), refined: last.sets?.refined ?? new Float64Array() };
  return { ...last, from: 0, trials, sets };
}

/** More than the stages after the samples choose from. */
const LEADERS_MAX = 50;
