import type { CalibrationPoint } from '@sextant/workers/src/signals/calibration.ts';
import { sql } from 'kysely';
import type { MarketMode } from '../../config.ts';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { SystemTx, UserTx } from '../../platform/db/scope.ts';
import type { Verdict } from './aiValue.ts';
import type { RecordedSignal, SignalResult } from './performance.ts';
import type { Opinions } from './tuningValue.ts';

export interface News {
  signals: RecordedSignal[];
  results: (SignalResult & { id: string })[];
  /** Cursor for the next read. */
  next: string;
}

/**
 * Rows added to the record since `since`, possibly with known ones. Reads the cursor before the rows and results before signals, so
 * that a row is read twice rather than never, and no result comes without its signal.
 */
export async function readNews(tx: SystemTx, market: MarketMode, since: string): Promise<News> {
  const mark = await sql<{ next: string }>`select pg_snapshot_xmin(pg_current_snapshot())::text as next`.execute(tx);
  const isNew = sql<boolean>`recorded_xid >= ${since}::text::xid8`;
  const results = await tx
    .selectFrom('signal_outcomes')
    .select(['signal_id', 'outcome', 'net_fraction', 'is_ambiguous', 'exit_at'])
    .where(isNew)
    .execute();
  const signals = await tx
    .selectFrom('signals')
    .select(['id', 'symbol', 'direction', 'candle_close_at', 'horizon_minutes', 'confidence'])
    .select(['raw_confidence', 'confidence_kind', 'chance'])
    .select(sql<Date>`greatest(created_at, candle_close_at)`.as('issued_at'))
    .where('market', '=', market)
    .where(isNew)
    .execute();
  return {
    next: mark.rows[0]?.next ?? since,
    results: results.map((row) => ({ id: row.signal_id, ...resultOf(row) })),
    signals: signals.map(({ id, symbol, direction, confidence, ...row }) => ({
      id,
      symbol,
      direction,
      confidence,
      rawConfidence: row.raw_confidence,
      isCalibrated: row.confidence_kind === 'calibrated',
      chance: row.chance,
      result: null,
      closeAtMs: row.candle_close_at.getTime(),
      issuedAtMs: row.issued_at.getTime(),
      horizonMinutes: row.horizon_minutes,
    })),
  };
}

const resultOf = (row: {
  outcome: string;
  net_fraction: number;
  is_ambiguous: boolean;
  exit_at: Date;
}): SignalResult => ({
  outcome: row.outcome as SignalResult['outcome'],
  netFraction: row.net_fraction,
  isAmbiguous: row.is_ambiguous,
  exitAtMs: row.exit_at.getTime(),
});

/** Signals that scans of the user found: row-level security shows only own rows. Candidates are of scans before migration 0580. */
export async function readOwnIds(tx: UserTx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select unnest(signal_ids) as id from found_signals
    union select signal_id from scan_candidates where signal_id is not null`.execute(tx);
  return rows.map(({ id }) => id);
}

/** When the user last changed the confidence floor; null: never. For a floor older than this column: at the latest its row's update. */
export async function readFloorChange(tx: UserTx): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select coalesce(tuning_conf_floor_at, case when tuning_conf_floor is not null then updated_at end) as at
    from preferences`.execute(tx);
  return rows[0]?.at ?? null;
}

const intervals = Object.entries(intervalMs).map(([interval, ms]) => ({ interval, ms }));

/**
 * Verdicts, oldest first: the user's own, or all users' for the service. Only those requested while the signal's candle was the last
 * closed one: a later request could use the known outcome to pick the winners.
 */
export async function readVerdicts(tx: UserTx | SystemTx): Promise<Verdict[]> {
  const rows = await tx
    .selectFrom('scan_ai_checks as c')
    .innerJoin('signals as s', 's.id', 'c.signal_id')
    .select(['c.signal_id', 'c.decided_by', 'c.model'])
    .select(sql<boolean>`c.verdict ->> 'decision' = 'approved'`.as('is_approved'))
    .where('c.state', '=', 'online')
    .where(
      sql<boolean>`c.asked_at < s.candle_close_at + (select i.ms * interval '1 millisecond'
        from jsonb_to_recordset(${JSON.stringify(intervals)}::jsonb) as i (interval text, ms bigint)
        where i.interval = s.interval)`,
    )
    .orderBy('c.asked_at')
    .orderBy('c.place')
    .execute();
  return rows.flatMap(({ signal_id: signalId, decided_by: decidedBy, model, is_approved: isApproved }) =>
    signalId === null || model === null
      ? []
      : [{ signalId, model, isApproved, decidedBy: decidedBy as Verdict['decidedBy'] }],
  );
}

export interface StoredOpinions {
  id: string;
  score: number;
  opinions: Opinions | null;
  tuning: Record<string, number>;
  /** The map of its stated confidence; empty: its score. */
  points: readonly CalibrationPoint[];
}

/** The votes of the newest resolved signals. */
export async function readOpinions(tx: UserTx, market: MarketMode, limit: number): Promise<StoredOpinions[]> {
  const rows = await tx
    .selectFrom('signals as s')
    .innerJoin('signal_outcomes as o', 'o.signal_id', 's.id')
    .select(['s.id', 's.score', 's.opinions'])
    .leftJoin('signal_calibrations as k', 'k.version', 's.calibration_version')
    .select('k.points')
    .select(sql`s.params -> 'tuning'`.as('tuning'))
    .where('s.market', '=', market)
    // Signals of saved strategies, whose rules name their version, have separate weights and no tuning.
    .where(sql<boolean>`not s.params ? 'version'`)
    .orderBy('s.created_at', 'desc')
    .orderBy('s.id')
    .limit(limit)
    .execute();
  return rows.map(({ id, score, opinions, tuning, points }) => ({
    id,
    score,
    opinions: opinions as Opinions | null,
    tuning: (tuning ?? {}) as Record<string, number>,
    points: (points ?? []) as CalibrationPoint[],
  }));
}
