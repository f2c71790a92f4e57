import { sql } from 'kysely';
import type { AlertChange, BookAlert } from '@sextant/workers/src/alerts/alertBook.ts';
import { type AlertCondition, levelRuleOf } from '@sextant/workers/src/alerts/conditions.ts';
import type { Side } from '@sextant/workers/src/alerts/decide.ts';
import type { Evidence } from '@sextant/workers/src/alerts/recompute.ts';
import type { MarketMode } from '../../../config.ts';
import type { SystemTx } from '../../../platform/db/scope.ts';
import { RECEIPTS_MAX } from '../contract.ts';

/** An active alert with its owner and the version that a decision is about. */
export interface ActiveAlert {
  id: string;
  userId: string;
  version: number;
  condition: AlertCondition;
  repeats: boolean;
  pauseMs: number;
  side: Side;
  sinceMs: number;
  lastFiredMs: number | null;
  expiresMs: number | null;
}

interface Row {
  id: string;
  user_id: string;
  version: number;
  condition: AlertCondition;
  repeats: boolean;
  pause_s: number;
  side: Side;
  since_ms: number;
  last_fired_ms: number | null;
  expires_at: Date | null;
}

const columns = sql.raw('id, user_id, version, condition, repeats, pause_s, side, since_ms, last_fired_ms, expires_at');

const alertOf = (row: Row): ActiveAlert => ({
  id: row.id,
  userId: row.user_id,
  version: row.version,
  condition: row.condition,
  repeats: row.repeats,
  pauseMs: row.pause_s * 1000,
  side: row.side,
  sinceMs: row.since_ms,
  lastFiredMs: row.last_fired_ms,
  expiresMs: row.expires_at?.getTime() ?? null,
});

const isActive = (market: MarketMode) =>
  sql`state = 'active' and market = ${market} and (expires_at is null or expires_at > now())`;

export async function readActive(tx: SystemTx, market: MarketMode): Promise<ActiveAlert[]> {
  const { rows } =
    await sql<Row>`select ${columns} from alerts where ${isActive(market)} order by created_at, id`.execute(tx);
  return rows.map(alertOf);
}

export async function readActiveByIds(
  tx: SystemTx,
  market: MarketMode,
  ids: readonly string[],
): Promise<ActiveAlert[]> {
  const { rows } = await sql<Row>`select ${columns} from alerts where ${isActive(market)}
    and id = any (${[...ids]}::uuid[])`.execute(tx);
  return rows.map(alertOf);
}

/** Versions of the active alerts, to find what changed without reading it. */
export async function readVersions(tx: SystemTx, market: MarketMode): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; version: number }>`
    select id, version from alerts where ${isActive(market)}`.execute(tx);
  return new Map(rows.map(({ id, version }) => [id, version]));
}

export const bookAlertOf = (alert: ActiveAlert, key: string): BookAlert => ({
  id: alert.id,
  key,
  ...levelRuleOf(alert.condition),
  side: alert.side,
  sinceMs: alert.sinceMs,
  repeats: alert.repeats,
  pauseMs: alert.pauseMs,
  lastFiredMs: alert.lastFiredMs,
  expiresMs: alert.expiresMs,
});

/** Whether all that was decided of an alert in memory is in its stored state. */
export function isDecidedAs(decided: Readonly<BookAlert> | undefined, stored: ActiveAlert): boolean {
  if (decided === undefined) return false;
  const { side, sinceMs, lastFiredMs } = decided;
  const firedMs = lastFiredMs === null ? null : Math.floor(lastFiredMs);
  return side === stored.side && Math.floor(sinceMs) === stored.sinceMs && firedMs === stored.lastFiredMs;
}

/** A change to store, with the version of the alert that it was decided for. */
export interface ChangeWrite {
  change: AlertChange;
  version: number;
  evidence: Evidence;
  detectedMs: number;
  isLate: boolean;
}

/** A firing that was stored. */
export interface Fired {
  receiptId: string;
  alertId: string;
  userId: string;
  condition: AlertCondition;
  value: number;
  note: string | null;
  channels: string[];
  exchangeAt: Date;
  isLate: boolean;
}

/**
 * Stores sides and firings with their receipts. Changes of alerts that were changed, paused or deleted meanwhile are dropped.
 * @returns the firings
 */
export async function writeChanges(tx: SystemTx, writes: readonly ChangeWrite[]): Promise<Fired[]> {
  const rows = writes.map(({ change, version, evidence, detectedMs, isLate }, nth) => ({
    nth,
    id: change.id,
    version,
    side: change.side,
    // Whole milliseconds: some exchanges send fractions.
    since_ms: Math.floor(change.sinceMs),
    fires: change.fires,
    exchange_ms: Math.floor(change.atMs),
    detected_ms: detectedMs,
    is_late: isLate,
    evidence,
  }));
  const fired: Fired[] = [];
  // An alert may change twice in a batch: each round stores one change of each.
  for (let left = rows; left.length > 0;) {
    const first = new Map(left.toReversed().map((row) => [row.id, row]));
    fired.push(...(await writeRound(tx, [...first.values()])));
    left = left.filter((row) => first.get(row.id) !== row);
  }
  return fired;
}

async function writeRound(tx: SystemTx, rows: readonly object[]): Promise<Fired[]> {
  const { rows: stored } = await sql<{
    id: string;
    alert_id: string;
    user_id: string;
    condition: AlertCondition;
    evidence: Evidence;
    note: string | null;
    channels: string[];
    exchange_at: Date;
    is_late: boolean;
  }>`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g (nth int, id uuid, version int, side text, since_ms bigint,
        fires boolean, exchange_ms bigint, detected_ms bigint, is_late boolean, evidence jsonb)),
    changed as (
      update alerts a set side = g.side, since_ms = g.since_ms, updated_at = now(),
        fired_count = a.fired_count + case when g.fires then 1 else 0 end,
        last_fired_ms = case when g.fires then g.exchange_ms else a.last_fired_ms end,
        last_fired_at = case when g.fires then now() else a.last_fired_at end,
        state = case when g.fires and not a.repeats then 'fired' else a.state end
      from given g where a.id = g.id and a.version = g.version and a.state = 'active'
      returning a.id, a.user_id, a.fired_count, a.condition, a.note, a.channels, g.fires, g.exchange_ms, g.detected_ms, g.is_late, g.evidence)
    insert into alert_receipts (alert_id, user_id, firing, condition, evidence, note, channels, exchange_at, detected_at, is_late)
    select id, user_id, fired_count, condition, evidence, note, channels, to_timestamp(exchange_ms / 1000.0),
      to_timestamp(detected_ms / 1000.0), is_late from changed where fires
    returning id, alert_id, user_id, condition, evidence, note, channels, exchange_at, is_late`.execute(tx);
  // An alert may fire each minute: what its owner cannot read any more would fill the table.
  await sql`delete from alert_receipts r using alerts a where a.id = any (${stored.map((row) => row.alert_id)}::uuid[])
    and r.alert_id = a.id and r.firing <= a.fired_count - ${RECEIPTS_MAX}::int`.execute(tx);
  return stored.map((row) => ({
    receiptId: row.id,
    alertId: row.alert_id,
    userId: row.user_id,
    condition: row.condition,
    value: row.evidence.value,
    note: row.note,
    channels: row.channels,
    exchangeAt: row.exchange_at,
    isLate: row.is_late,
  }));
}

/** Alerts whose time is over. @returns their owners */
export async function expireAlerts(tx: SystemTx): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    update alerts set state = 'expired', updated_at = now() where state = 'active' and expires_at <= now()
    returning user_id`.execute(tx);
  return rows.map(({ user_id: userId }) => userId);
}

/** Stops alerts that cannot fire any more, unless their owner changed them since. @returns owners and channels of those that were active */
export async function stopAlerts(
  tx: SystemTx,
  alerts: readonly { id: string; version: number }[],
  reason: string,
): Promise<{ userId: string; channels: string[] }[]> {
  const { rows } = await sql<{ userId: string; channels: string[] }>`
    update alerts set state = 'stopped', state_reason = ${reason.slice(0, 300)}, updated_at = now()
    from unnest(${alerts.map(({ id }) => id)}::uuid[], ${alerts.map(({ version }) => version)}::int[]) as given (id, version)
    where alerts.id = given.id and alerts.version = given.version and state = 'active'
    returning user_id as "userId", channels`.execute(tx);
  return rows;
}

export async function readWatermarks(tx: SystemTx, market: MarketMode): Promise<Map<string, number>> {
  const rows = await tx.selectFrom('alert_watermarks').selectAll().where('market', '=', market).execute();
  return new Map(rows.map(({ exchange, symbol, next_ms: nextMs }) => [`${exchange} ${symbol}`, nextMs]));
}

export async function writeWatermarks(
  tx: SystemTx,
  market: MarketMode,
  marks: readonly { exchange: string; symbol: string; next_ms: number }[],
): Promise<void> {
  if (marks.length === 0) return;
  await sql`
    insert into alert_watermarks (market, exchange, symbol, next_ms)
    select ${market}, exchange, symbol, next_ms
    from jsonb_to_recordset(${JSON.stringify(marks)}::jsonb) as g (exchange text, symbol text, next_ms bigint)
    on conflict (market, exchange, symbol) do update set next_ms = greatest(excluded.next_ms, alert_watermarks.next_ms)`.execute(
    tx,
  );
}

const retentionDays = 90;

/** Deletes receipts that are older than the retention. Of each alert the newest `RECEIPTS_MAX` are stored. */
export async function deleteOldReceipts(tx: SystemTx): Promise<void> {
  await sql`delete from alert_receipts where created_at < now() - make_interval(days => ${retentionDays})`.execute(tx);
}
