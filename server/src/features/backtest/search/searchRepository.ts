import { deserialize, serialize } from 'node:v8';
import { jobsSchema } from '@sextant/db/src/jobsSchema.ts';
import type { OptimizeInput } from '@sextant/workers/src/protocol/optimize.ts';
import { wholeOpens } from '@sextant/workers/src/tasks/optimize/settleSearch.ts';
import { sql, type SqlBool } from 'kysely';
import type { SystemTx, UserTx } from '../../../platform/db/scope.ts';
import { keepNewest } from '../keepNewest.ts';
import type { SearchWire } from './contract.ts';
import { type StoredMinutes, packMinutes, unpackMinutes } from './storedMinutes.ts';

type Status = SearchWire['status'];
const open: Status[] = ['queued', 'running'];

export interface NewSearch {
  id: string;
  userId: string;
  symbol: string;
  interval: string;
  /** The request, without its candles. */
  request: object;
  samples: number;
  /** Its input, by `packInput`. */
  packed: Buffer;
  /** Source of its minutes; null in a search without. */
  minutes: StoredMinutes | null;
}

/** Maximum bytes of an input in the table. */
export const INPUT_BYTES_MAX = 16 * 2 ** 20;
/** The stored input of a search: every chunk reads the same bits. */
export const packInput = (input: OptimizeInput): Buffer => serialize(input);

/** Finished searches stored per user, each with up to 200,000 sets; a new one replaces the oldest. */
const RETAINED_COUNT = 5;

export async function insertSearch(tx: SystemTx, search: NewSearch): Promise<void> {
  const { id, userId, symbol, interval, request, samples, packed, minutes } = search;
  const row = { id, user_id: userId, symbol, interval, request: JSON.stringify(request), sample_count: samples };
  const start = minutes === null ? {} : { stage: 'looking', minute_candles: 0 };
  await tx
    .insertInto('backtest_searches')
    .values({ ...row, ...start })
    .execute();
  const stored = minutes && packMinutes(minutes);
  await tx.insertInto('backtest_search_inputs').values({ search_id: id, input: packed, minutes: stored }).execute();
  const ended = sql<SqlBool>`user_id = ${userId} and status not in ('queued', 'running')`;
  await keepNewest(tx, 'backtest_searches', RETAINED_COUNT, ended);
}

/** Open searches of a user. Serialises concurrent requests of a user. */
export async function countOpen(tx: SystemTx, userId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${userId}, 130))`.execute(tx);
  const { count } = await tx
    .selectFrom('backtest_searches')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('status', 'in', open)
    .executeTakeFirstOrThrow();
  return count;
}

export interface SearchStep {
  id: string;
  step: number;
}

export interface OpenSearch {
  userId: string;
  symbol: string;
  interval: string;
  /** As in `NewSearch`. */
  request: unknown;
  input: OptimizeInput;
  /** Null in a search without minutes. */
  minutes: StoredMinutes | null;
}

/** The search of a job, marked as running; undefined when it has ended or is at another step. */
export async function claimSearch(tx: SystemTx, { id, step }: SearchStep): Promise<OpenSearch | undefined> {
  const row = await tx
    .updateTable('backtest_searches')
    .set({ status: 'running', updated_at: sql`now()`, started_at: sql`coalesce(started_at, now())` })
    .where('id', '=', id)
    .where('step', '=', step)
    .where('status', 'in', open)
    .returning(['user_id', 'symbol', 'interval', 'request'])
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { input, minutes } = await tx
    .selectFrom('backtest_search_inputs')
    .select(['input', 'minutes'])
    .where('search_id', '=', id)
    .executeTakeFirstOrThrow();
  const stored = minutes && unpackMinutes(minutes);
  const { user_id: userId, symbol, interval, request } = row;
  return { userId, symbol, interval, request, input: deserialize(input) as OptimizeInput, minutes: stored };
}

/**
 * Advances an open search to its next step, with these minutes. Returns the id of the job that joins its chunks; undefined when the
 * search has ended or was already advanced.
 */
export async function advanceSearch(
  tx: SystemTx,
  { id, step }: SearchStep,
  stage: 'loading' | 'searching',
  minutes: StoredMinutes,
): Promise<string | undefined> {
  const row = await tx
    .updateTable('backtest_searches')
    .set({
      step: step + 1,
      stage,
      minute_candles: wholeOpens(minutes.known).length + minutes.wanted.length,
      join_job_id: sql<string>`gen_random_uuid()`,
      updated_at: sql`now()`,
    })
    .where('id', '=', id)
    .where('step', '=', step)
    .where('status', 'in', open)
    .returning('join_job_id')
    .executeTakeFirst();
  if (row === undefined) return undefined;
  await tx
    .updateTable('backtest_search_inputs')
    .set({ minutes: packMinutes(minutes) })
    .where('search_id', '=', id)
    .execute();
  return row.join_job_id;
}

/** Subtracts samples that run again from the count. */
export async function countOff(tx: SystemTx, id: string, count: number): Promise<void> {
  await tx
    .updateTable('backtest_searches')
    .set((row) => ({ done_count: row('done_count', '-', count) }))
    .where('id', '=', id)
    .execute();
}

export async function isOpen(tx: SystemTx, id: string): Promise<boolean> {
  const row = await tx
    .updateTable('backtest_searches')
    .set({ updated_at: sql`now()` })
    .where('id', '=', id)
    .where('status', 'in', open)
    .executeTakeFirst();
  return row.numUpdatedRows === 1n;
}

export interface SearchEnd {
  status: 'done' | 'failed' | 'cancelled';
  result?: object;
  /** Figures of every set, gzip. */
  trials?: Buffer;
  failure?: string;
  userId?: string;
  /** Only when it is at this step. */
  step?: number;
}

/** Ends a search and deletes the data of its chunks. Returns its owner; undefined when it had already ended or has another owner. */
export async function endSearch(tx: SystemTx, id: string, end: SearchEnd): Promise<string | undefined> {
  const { status, result, trials, failure, userId, step } = end;
  const row = await tx
    .updateTable('backtest_searches')
    .set({
      status,
      failure: failure ?? null,
      finished_at: sql`now()`,
      updated_at: sql`now()`,
      result: result === undefined ? null : JSON.stringify(result),
      trials: trials ?? null,
    })
    .where('id', '=', id)
    .where('status', 'in', open)
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? ''))
    .$if(step !== undefined, (query) => query.where('step', '=', step ?? 0))
    .returning('user_id')
    .executeTakeFirst();
  if (row === undefined) return undefined;
  await tx.deleteFrom('backtest_search_inputs').where('search_id', '=', id).execute();
  await tx.deleteFrom('backtest_search_chunks').where('search_id', '=', id).execute();
  return row.user_id;
}

/** Open searches without an update for this long and without a job that could update them. */
export async function readSilent(tx: SystemTx, minutes: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('backtest_searches')
    .select('id')
    .where('status', 'in', open)
    .where('updated_at', '<', sql<Date>`now() - make_interval(mins => ${minutes})`)
    .where(
      sql<SqlBool>`not exists (select from ${sql.table(`${jobsSchema}.job`)} j where j.name in ('search', 'search_minutes')
      and j.state in ('created', 'retry', 'active') and j.data ->> 'searchId' = backtest_searches.id::text)`,
    )
    .execute();
  return rows.map(({ id }) => id);
}

/** Whole milliseconds from the start of the first chunk until now, or until the end. */
export const elapsedMs = sql<
  number | null
>`round(extract(epoch from coalesce(finished_at, now()) - started_at) * 1000)::int`;

const head = [
  'id',
  'status',
  'created_at',
  'finished_at',
  'symbol',
  'interval',
  'sample_count',
  'done_count',
  'request',
  'failure',
  'stage',
  'minute_candles',
  elapsedMs.as('elapsed_ms'),
] as const;

interface HeadRow {
  id: string;
  status: string;
  created_at: Date;
  elapsed_ms: number | null;
  finished_at: Date | null;
  symbol: string;
  interval: string;
  sample_count: number;
  done_count: number;
  request: unknown;
  failure: string | null;
  stage: string;
  minute_candles: number | null;
}

/** A stored request. Searches of older versions lack some of its fields. */
type StoredRequest = Partial<NonNullable<SearchWire['request']>>;

const headWire = (row: HeadRow): Omit<SearchWire, 'result' | 'request'> => ({
  search_id: row.id,
  status: row.status as Status,
  created_at: row.created_at.toISOString(),
  elapsed_ms: row.elapsed_ms,
  finished_at: row.finished_at?.toISOString() ?? null,
  label: (row.request as StoredRequest).setup?.label ?? null,
  kind: (row.request as StoredRequest).strategy === undefined ? 'classic' : 'rules',
  symbol: row.symbol,
  interval: row.interval,
  failure: row.failure,
  samples: row.sample_count,
  done: row.done_count,
  stage: row.stage as SearchWire['stage'],
  minute_candles: row.minute_candles,
});

export async function readSearch(tx: UserTx | SystemTx, id: string): Promise<SearchWire | null> {
  const row = await tx
    .selectFrom('backtest_searches')
    .select([...head, 'result'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  const request = row.request as StoredRequest;
  const known = request.setup === undefined ? null : (request as SearchWire['request']);
  return { ...headWire(row), request: known, result: row.result as SearchWire['result'] };
}

/** Figures of every set of a search, gzip; null when the search does not exist or its figures were not stored. */
export async function readTrials(tx: UserTx, id: string): Promise<Buffer | null> {
  const row = await tx.selectFrom('backtest_searches').select('trials').where('id', '=', id).executeTakeFirst();
  return row?.trials ?? null;
}

export async function readSearches(tx: UserTx): Promise<Omit<SearchWire, 'result' | 'request'>[]> {
  const rows = await tx
    .selectFrom('backtest_searches')
    .select([...head])
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(RETAINED_COUNT)
    .execute();
  return rows.map(headWire);
}
