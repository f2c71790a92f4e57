import { sql } from 'kysely';
import { type Db, type SystemTx, type UserTx, withSystem } from '../../platform/db/scope.ts';
import type { CandidatesResponse, StoredResults } from './contract.ts';
import { type RecordedFields, type ScanSummary, unpackScan } from './packed/packScan.ts';

/** Where the results of a scan are: `results` before migration 0580, else `summary` and, until they are deleted, `packed`. */
export interface DetailRow {
  results: unknown;
  summary: unknown;
  packed: Buffer | null;
}

const dayMs = 86_400_000;
/** Day of the last call by database: tests have several in one process. */
const partitionsOfDay = new WeakMap<Db, number>();

/** Makes the partitions of these days once a day, and deletes details that are older than `retentionDays`. */
export async function keepScanDays(db: Db, retentionDays: number): Promise<void> {
  const day = Math.floor(Date.now() / dayMs);
  if (partitionsOfDay.get(db) === day) return;
  await deleteOldDetails(db, retentionDays);
  partitionsOfDay.set(db, day);
}

export const deleteOldDetails = (db: Db, retentionDays: number): Promise<void> =>
  withSystem(db, async (tx) => {
    await sql`select scan_log.keep_days(${retentionDays})`.execute(tx);
  });

interface ScanKey {
  id: string;
  userId: string;
}

export async function insertDetails(tx: SystemTx, { id, userId }: ScanKey, packed: Buffer): Promise<void> {
  await sql`
    insert into scan_details (created_at, scan_id, user_id, packed)
    select created_at, id, user_id, ${packed} from scans where id = ${id} and user_id = ${userId}`.execute(tx);
}

/** Notes which signals of the record the user's scan found; those of the last day's scans are noted already. */
export async function insertFound(tx: SystemTx, { id, userId }: ScanKey, signalIds: readonly string[]): Promise<void> {
  if (signalIds.length === 0) return;
  await sql`
    insert into found_signals (user_id, scan_id, signal_ids)
    select ${userId}, ${id}, array_agg(f.id) from unnest(${[...signalIds]}::uuid[]) f (id)
    where f.id not in (
      select unnest(signal_ids) from found_signals where user_id = ${userId} and created_at > now() - interval '1 day')
    having count(*) > 0`.execute(tx);
}

/** Scans `s` with the columns of a `DetailRow`. */
export const withDetails = (tx: UserTx | SystemTx) =>
  tx
    .selectFrom('scans as s')
    .leftJoin('scan_details as d', (join) =>
      join.onRef('d.created_at', '=', 's.created_at').onRef('d.scan_id', '=', 's.id'),
    )
    .select(['s.results', 's.summary', 'd.packed']);

/** What the record has of these signals, by id. */
async function readRecorded(
  tx: UserTx | SystemTx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RecordedFields>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .selectFrom('signals')
    .select(['id', 'exchange', 'symbol', 'interval', 'candle_close_at', 'direction', 'score', 'raw_confidence'])
    .select(['price', 'stop_loss', 'take_profit', 'horizon_minutes', 'risk_label'])
    .select(['engine_hash', 'data_hash', 'params_hash'])
    .where('id', 'in', [...ids])
    .execute();
  return new Map(
    rows.map(({ id, symbol, interval, score, raw_confidence, price, ...row }) => [
      id,
      {
        symbol,
        interval,
        score,
        raw_confidence,
        price,
        exchange: row.exchange as RecordedFields['exchange'],
        candle_close_at: row.candle_close_at.toISOString(),
        direction: row.direction as RecordedFields['direction'],
        stopLoss: row.stop_loss,
        takeProfit: row.take_profit,
        horizon_min: row.horizon_minutes,
        riskLabel: row.risk_label as RecordedFields['riskLabel'],
        hashes: { engine: row.engine_hash, data: row.data_hash, params: row.params_hash },
      },
    ]),
  );
}

/** The results of a scan; null while it has none. Incomplete: only the best of them, once the details are deleted. */
export async function fullResults(
  tx: UserTx | SystemTx,
  { results, summary: stored, packed }: DetailRow,
): Promise<{ results: StoredResults; isComplete: boolean } | null> {
  if (results !== null) return { results: results as StoredResults, isComplete: true };
  if (stored === null) return null;
  const summary = stored as ScanSummary;
  if (packed === null) {
    const all = summary.best === null ? [] : [summary.best];
    return { results: { ...summary, all, missing: [] }, isComplete: false };
  }
  const details = await unpackScan(packed);
  const recorded = await readRecorded(tx, details.signalIds);
  return { results: { ...summary, ...details.resultsWith(recorded) }, isComplete: true };
}

type CandidateWire = CandidatesResponse['candidates'][number];

/** The outcome of each candidate, by confidence; empty once the details are deleted. Null for a scan that is not there. */
export async function readCandidates(tx: UserTx, scanId: string): Promise<CandidateWire[] | null> {
  const row = await withDetails(tx).where('s.id', '=', scanId).executeTakeFirst();
  if (row === undefined) return null;
  if (row.packed !== null) {
    const details = await unpackScan(row.packed);
    return details.candidatesWith(await readRecorded(tx, details.signalIds));
  }
  const rows = await tx
    .selectFrom('scan_candidates')
    .select(['symbol', 'interval', 'outcome', 'filtered_by', 'confidence', 'signal_id'])
    .where('scan_id', '=', scanId)
    .orderBy('confidence', (order) => order.desc().nullsLast())
    .orderBy('symbol')
    .orderBy('interval')
    .execute();
  return rows.map((each) => ({ ...each, outcome: each.outcome as CandidateWire['outcome'] }));
}

/** Size and stop of a scan's result; undefined once its details are deleted, or without such a result. */
export async function readResultPlan(
  tx: SystemTx,
  { scanId, userId, symbol, interval }: { scanId: string; userId: string; symbol: string; interval: string },
): Promise<{ quantity: number | null; stop: number | null } | undefined> {
  const row = await withDetails(tx).where('s.id', '=', scanId).where('s.user_id', '=', userId).executeTakeFirst();
  const stored = row === undefined ? null : await fullResults(tx, row);
  const result = stored?.results.all.find((each) => each.symbol === symbol && each.interval === interval);
  return result === undefined ? undefined : { quantity: result.position.qty, stop: result.stopLoss };
}
