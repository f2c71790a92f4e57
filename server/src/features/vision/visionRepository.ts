import { sql } from 'kysely';
import type { SystemTx, UserTx } from '../../platform/db/scope.ts';
import type { CloseListener } from '../positions/closeHooks.ts';
import { withSystem } from '../../platform/db/scope.ts';
import type { VisionAnalysis, VisionResult } from './contract.ts';

export type Status = 'running' | 'done' | 'refunded' | 'failed';

/** Older ones are deleted with the next analysis. */
const RETAINED_MAX = 100;

/** False when another analysis of the user is running. */
export async function insertAnalysis(
  tx: SystemTx,
  { id, userId, holdId }: { id: string; userId: string; holdId: string },
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    insert into vision_analyses (id, user_id, credit_ref) values (${id}, ${userId}, ${holdId})
    on conflict (user_id) where status = 'running' do nothing returning id`.execute(tx);
  return rows.length === 1;
}

/** Ends an analysis. Returns its owner; undefined when it had already ended. Only the newest retains its picture. */
export async function endAnalysis(
  tx: SystemTx,
  id: string,
  end: { status: 'done' | 'refunded'; result: VisionResult; picture: Buffer } | { status: 'failed'; failure: string },
): Promise<string | undefined> {
  const values =
    end.status === 'failed'
      ? { status: end.status, failure: end.failure.slice(0, 500) }
      : {
          status: end.status,
          result: JSON.stringify(end.result),
          picture: end.picture,
          symbol: end.result.symbol,
          direction: end.result.direction,
        };
  const row = await tx
    .updateTable('vision_analyses')
    .set({ ...values, finished_at: sql`now()` })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .returning('user_id')
    .executeTakeFirst();
  if (row === undefined || end.status === 'failed') return row?.user_id;
  await tx
    .updateTable('vision_analyses')
    .set({ picture: null })
    .where('user_id', '=', row.user_id)
    .where('id', '<>', id)
    .where('picture', 'is not', null)
    .execute();
  await sql`delete from vision_analyses where user_id = ${row.user_id} and status <> 'running' and id not in (
    select id from vision_analyses where user_id = ${row.user_id} order by created_at desc limit ${RETAINED_MAX})`.execute(
    tx,
  );
  return row.user_id;
}

/** Credits refunded today because a response of the model was unusable. */
export async function readModelRefunds(tx: SystemTx, userId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count from vision_model_refunds where user_id = ${userId} and day = date_trunc('day', now(), 'UTC')`.execute(
    tx,
  );
  return rows[0]?.count ?? 0;
}

export async function countModelRefund(tx: SystemTx, userId: string): Promise<void> {
  await sql`
    insert into vision_model_refunds as r (user_id, day, count) values (${userId}, date_trunc('day', now(), 'UTC'), 1)
    on conflict (user_id) do update
      set day = excluded.day, count = case when r.day = excluded.day then r.count + 1 else 1 end`.execute(tx);
}

/** Outcome of the position that an analysis was to open. */
export async function writeOpening(tx: SystemTx, id: string, opening: VisionResult['opening']): Promise<void> {
  const { rows } = await sql<{ result: VisionResult }>`
    select result from vision_analyses where id = ${id} and result is not null for update`.execute(tx);
  const [row] = rows;
  if (row === undefined) return;
  await tx
    .updateTable('vision_analyses')
    .set({ result: JSON.stringify({ ...row.result, opening }) })
    .where('id', '=', id)
    .execute();
}

export interface StoredAnalysis {
  status: Status;
  failure: string | null;
  analysis: VisionAnalysis | null;
}

export async function readAnalysis(tx: SystemTx | UserTx, id: string): Promise<StoredAnalysis | null> {
  const row = await tx
    .selectFrom('vision_analyses')
    .select(['id', 'created_at', 'status', 'failure', 'result'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  return { status: row.status as Status, failure: row.failure, analysis: analysisOf(row) };
}

const analysisOf = (row: { id: string; created_at: Date; result: unknown }): VisionAnalysis | null =>
  row.result === null
    ? null
    : {
        id: row.id,
        created_at: row.created_at.toISOString(),
        ...laterFields,
        ...withRecords(row.result as VisionResult),
      };

/** Fields that analyses stored by earlier versions lack. */
const laterFields = {
  decided_because: 'The rules decide: no AI model is connected.',
  model_failure: null,
  spots: [],
  lines: [],
};
const unDrawn = { points: [], drawn: 'candle' as const };
const unBased = { base_share: null };
const unRanged = { followed_low: null, followed_high: null, beats_base: false };
const unsearched = {
  symbols_searched: 0,
  intervals_searched: [],
  price_scale: null,
  price_error_pct: null,
  price_labels: 0,
  text_failure: null,
};
const withRecords = (result: VisionResult): VisionResult => ({
  ...result,
  patterns: result.patterns.map((pattern) => {
    const record = pattern.record === null ? null : { ...unRanged, ...pattern.record };
    return { ...unDrawn, ...pattern, record };
  }),
  views: result.views.map((view) => {
    const { record = null } = view as Partial<typeof view>;
    return { ...view, record: record === null ? null : { ...unBased, ...record } };
  }),
  grounding: result.grounding === null ? null : { ...unsearched, ...result.grounding },
});

/** The newest analysis with a result, and whether one is running. */
export async function readLast(tx: UserTx): Promise<{ analysis: VisionAnalysis | null; isRunning: boolean }> {
  const row = await tx
    .selectFrom('vision_analyses')
    .select(['id', 'created_at', 'result'])
    .where('result', 'is not', null)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  const running = await tx
    .selectFrom('vision_analyses')
    .select('id')
    .where('status', '=', 'running')
    .executeTakeFirst();
  return { analysis: row === undefined ? null : analysisOf(row), isRunning: running !== undefined };
}

export async function readPicture(tx: UserTx, id: string): Promise<Buffer | null> {
  const row = await tx.selectFrom('vision_analyses').select('picture').where('id', '=', id).executeTakeFirst();
  return row?.picture ?? null;
}

export const openingRefOf = (analysisId: string): string => `vision:${analysisId}`;

/**
 * After a close: stores the outcomes of the analyses whose positions have closed, then deletes the user's analyses of that symbol and
 * direction. A running one has neither yet and stays.
 */
export const forgetAnalyses: CloseListener = (db, { userId, symbol, side }) =>
  withSystem(db, async (tx) => {
    await sql`
      insert into vision_outcomes (position_id, user_id, closed_at, symbol, direction, sentiment, patterns, net_pnl, roi_pct)
      select p.id, p.user_id, p.closed_at, p.symbol, p.side, a.result ->> 'sentiment',
        coalesce((select array_agg(distinct e ->> 'id') from jsonb_array_elements(a.result -> 'patterns') e
          where e ->> 'direction' <> 'neutral'), '{}'), p.net_pnl, p.roi_pct
      from vision_analyses a join positions p on p.user_id = a.user_id and p.opening_ref = 'vision:' || a.id
      where a.user_id = ${userId} and a.symbol = ${symbol} and a.direction = ${side} and p.closed_at is not null
        and a.result ->> 'sentiment' is not null
      on conflict do nothing`.execute(tx);
    await tx
      .deleteFrom('vision_analyses')
      .where('user_id', '=', userId)
      .where('symbol', '=', symbol)
      .where('direction', '=', side)
      .execute();
  });

export interface OutcomeRow {
  sentiment: 'bullish' | 'bearish';
  patterns: string[];
  netPnl: number;
  roiPct: number;
}

const OUTCOMES_READ_MAX = 5000;

export async function readOutcomes(tx: UserTx): Promise<OutcomeRow[]> {
  const rows = await tx
    .selectFrom('vision_outcomes')
    .select(['sentiment', 'patterns', 'net_pnl', 'roi_pct'])
    .orderBy('closed_at', 'desc')
    .limit(OUTCOMES_READ_MAX)
    .execute();
  return rows.map((row) => ({
    sentiment: row.sentiment as OutcomeRow['sentiment'],
    patterns: row.patterns,
    netPnl: row.net_pnl,
    roiPct: row.roi_pct,
  }));
}
