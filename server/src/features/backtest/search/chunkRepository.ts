import { packTrials, type StoredColumns, unpackStored } from '@sextant/workers/src/wire/trialColumns.ts';
import { sql } from 'kysely';
import type { SystemTx } from '../../../platform/db/scope.ts';
import { elapsedMs } from './searchRepository.ts';

export interface Chunk {
  from: number;
  count: number;
  leaders: { index: number; value: number }[];
  figures: StoredColumns;
}

export const hasChunk = async (tx: SystemTx, id: string, from: number): Promise<boolean> =>
  (await tx
    .selectFrom('backtest_search_chunks')
    .select('first_index')
    .where('search_id', '=', id)
    .where('first_index', '=', from)
    .executeTakeFirst()) !== undefined;

/** Keeps what a chunk found and counts it once. Gives the progress; undefined when the search has ended or had the chunk. */
export async function insertChunk(
  tx: SystemTx,
  id: string,
  { from, count, leaders, figures }: Chunk,
): Promise<{ done: number; total: number; elapsedMs: number | null; joinJobId: string } | undefined> {
  const search = await tx
    .updateTable('backtest_searches')
    .set((row) => ({ done_count: row('done_count', '+', count), updated_at: sql`now()` }))
    .where('id', '=', id)
    .where('status', '=', 'running')
    .where((row) => {
      const same = row.selectFrom('backtest_search_chunks').select('first_index').where('search_id', '=', id);
      return row.not(row.exists(same.where('first_index', '=', from)));
    })
    .returning(['done_count', 'sample_count', 'join_job_id', elapsedMs.as('elapsed_ms')])
    .executeTakeFirst();
  if (search === undefined) return undefined;
  const row = { search_id: id, first_index: from, sample_count: count, leaders: JSON.stringify(leaders) };
  await tx
    .insertInto('backtest_search_chunks')
    .values({ ...row, figures: Buffer.from(packTrials([figures]).buffer) })
    .execute();
  const { done_count: done, sample_count: total, elapsed_ms, join_job_id: joinJobId } = search;
  return { done, total, elapsedMs: elapsed_ms, joinJobId };
}

/** Every chunk of a search, in the order of its samples. */
export async function readChunks(tx: SystemTx, id: string): Promise<Chunk[]> {
  const rows = await tx
    .selectFrom('backtest_search_chunks')
    .selectAll()
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
