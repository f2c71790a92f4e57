import { packTrials, type StoredColumns, unpackStored } from '@sextant/workers/src/protocol/wire/trialColumns.ts';
import { sql, type SqlBool } from 'kysely';
import type { SystemTx } from '../../../platform/db/scope.ts';
import { elapsedMs, type SearchStep } from './searchRepository.ts';

export interface Chunk {
  from: number;
  count: number;
  leaders: { index: number; value: number }[];
  figures: StoredColumns;
  /** Candles unresolved by some set; empty in a search without minutes. */
  unknownBars: number[];
}

/** Progress of a search, in the fields of its event. */
interface Progress {
  done: number;
  total: number;
  stage: string;
  minute_candles: number | null;
  elapsed_ms: number | null;
}

export const hasChunk = async (tx: SystemTx, id: string, from: number): Promise<boolean> =>
  (await tx
    .selectFrom('backtest_search_chunks')
    .select('first_index')
    .where('search_id', '=', id)
    .where('first_index', '=', from)
    .executeTakeFirst()) !== undefined;

/**
 * Stores the results of a chunk and counts it once. Returns the progress; undefined when the search has ended, already has the chunk or
 * is at another step.
 */
export async function insertChunk(
  tx: SystemTx,
  { id, step }: SearchStep,
  { from, count, leaders, figures, unknownBars }: Chunk,
): Promise<{ joinJobId: string; progress: Progress } | undefined> {
  const search = await tx
    .updateTable('backtest_searches')
    .set((row) => ({ done_count: row('done_count', '+', count), updated_at: sql`now()` }))
    .where('id', '=', id)
    .where('status', '=', 'running')
    .where('step', '=', step)
    .where((row) => {
      const same = row.selectFrom('backtest_search_chunks').select('first_index').where('search_id', '=', id);
      return row.not(row.exists(same.where('first_index', '=', from)));
    })
    .returning(['done_count', 'sample_count', 'join_job_id', 'stage', 'minute_candles', elapsedMs.as('elapsed_ms')])
    .executeTakeFirst();
  if (search === undefined) return undefined;
  const row = { search_id: id, first_index: from, sample_count: count, leaders: JSON.stringify(leaders) };
  await tx
    .insertInto('backtest_search_chunks')
    .values({ ...row, figures: Buffer.from(packTrials([figures]).buffer), unknown_bars: unknownBars })
    .execute();
  const { done_count: done, sample_count: total, join_job_id: joinJobId, stage, minute_candles, elapsed_ms } = search;
  return { joinJobId, progress: { done, total, stage, minute_candles, elapsed_ms } };
}

/** Every chunk of a search, in the order of its samples. */
export async function readChunks(tx: SystemTx, id: string): Promise<Omit<Chunk, 'unknownBars'>[]> {
  const rows = await tx
    .selectFrom('backtest_search_chunks')
    .select(['first_index', 'sample_count', 'leaders', 'figures'])
    .where('search_id', '=', id)
    .orderBy('first_index')
    .execute();
  return rows.map(({ first_index, sample_count, leaders, figures }) => ({
    from: first_index,
    count: sample_count,
    leaders: leaders as Chunk['leaders'],
    figures: unpackStored(figures),
  }));
}

/** Candles unresolved by some set of a search, without duplicates: the lists of all chunks would have ten million entries. */
export async function readUnknownBars(tx: SystemTx, id: string): Promise<number[]> {
  const { rows } = await sql<{ bar: number }>`select distinct unnest(unknown_bars) as bar from backtest_search_chunks
    where search_id = ${id} order by bar`.execute(tx);
  return rows.map(({ bar }) => bar);
}

/** Deletes the chunks in which some set left one of these candles unresolved: minutes of other candles change no result of a set. */
export async function deleteRequesting(
  tx: SystemTx,
  id: string,
  bars: readonly number[],
): Promise<Pick<Chunk, 'from' | 'count'>[]> {
  const rows = await tx
    .deleteFrom('backtest_search_chunks')
    .where('search_id', '=', id)
    // Not by `&&`, which compares each element of one list with each of the other.
    .where(sql<SqlBool>`exists (select unnest(unknown_bars) intersect select unnest(${[...bars]}::int[]))`)
    .returning(['first_index as from', 'sample_count as count'])
    .execute();
  return rows.sort((a, b) => a.from - b.from);
}
