import type { AlertCondition } from '@sextant/workers/src/alerts/conditions.ts';
import { alertLimits } from '@sextant/workers/src/alerts/conditions.ts';
import type { Side } from '@sextant/workers/src/alerts/decide.ts';
import { conditionText, valueText } from '@sextant/workers/src/alerts/describe.ts';
import type { Evidence } from '@sextant/workers/src/alerts/recompute.ts';
import { sql } from 'kysely';
import type { MarketMode } from '../../config.ts';
import type { UserTx } from '../../platform/db/scope.ts';
import { notifyUser } from '../../platform/events/notify.ts';
import { type AlertReceiptWire, type AlertWire, RECEIPTS_MAX } from './contract.ts';

export interface NewAlert {
  market: MarketMode;
  condition: AlertCondition;
  repeats: boolean;
  pauseS: number;
  channels: string[];
  note: string | null;
  expiresAt: string | null;
  side: Side;
  sinceMs: number;
}

interface AlertRow {
  id: string;
  condition: unknown;
  repeats: boolean;
  pause_s: number;
  channels: string[];
  note: string | null;
  expires_at: Date | null;
  state: string;
  state_reason: string | null;
  fired_count: number;
  last_fired_at: Date | null;
  created_at: Date;
}

const shown = [
  'id',
  'condition',
  'repeats',
  'pause_s',
  'channels',
  'note',
  'expires_at',
  'state',
  'state_reason',
  'fired_count',
  'last_fired_at',
  'created_at',
] as const;

const wireOf = (row: AlertRow): AlertWire => ({
  id: row.id,
  condition: row.condition as AlertCondition,
  text: conditionText(row.condition as AlertCondition),
  repeats: row.repeats,
  pause_minutes: Math.ceil(row.pause_s / 60),
  channels: row.channels as AlertWire['channels'],
  note: row.note,
  expires_at: row.expires_at?.toISOString() ?? null,
  state: row.state as AlertWire['state'],
  state_reason: row.state_reason,
  fired_count: row.fired_count,
  last_fired_at: row.last_fired_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
});

export async function readAlerts(tx: UserTx, market: MarketMode): Promise<AlertWire[]> {
  const rows = await tx
    .selectFrom('alerts')
    .select(shown)
    .where('market', '=', market)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  return rows.map(wireOf);
}

/** The evaluating node takes the change over at the commit. */
const notifyChange = (tx: UserTx, userId: string, id: string): Promise<void> =>
  notifyUser(tx, userId, 'alerts', { change: 'set', id });

/** Null when the list is full. */
export async function insertAlert(tx: UserTx, userId: string, alert: NewAlert): Promise<AlertWire | null> {
  // Locked: two concurrent additions would otherwise both pass the limit check.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`alerts ${userId}`}, 0))`.execute(tx);
  const { count } = await tx
    .selectFrom('alerts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count >= alertLimits.countMax) return null;
  const row = await tx
    .insertInto('alerts')
    .values({
      user_id: userId,
      market: alert.market,
      condition: JSON.stringify(alert.condition),
      repeats: alert.repeats,
      pause_s: alert.pauseS,
      channels: alert.channels,
      note: alert.note,
      expires_at: alert.expiresAt,
      side: alert.side,
      since_ms: alert.sinceMs,
    })
    .returning(shown)
    .executeTakeFirstOrThrow();
  await notifyChange(tx, userId, row.id);
  return wireOf(row);
}

/** Locks the alert for a change; undefined when the user has none with this id. */
export async function lockAlert(tx: UserTx, id: string): Promise<AlertWire | undefined> {
  const row = await tx.selectFrom('alerts').select(shown).where('id', '=', id).forUpdate().executeTakeFirst();
  return row === undefined ? undefined : wireOf(row);
}

export interface AlertChange extends Omit<NewAlert, 'market' | 'side' | 'sinceMs'> {
  state: 'active' | 'paused' | 'fired' | 'expired' | 'stopped';
  /** A new start of the evaluation; undefined: it goes on. */
  start: { side: Side; sinceMs: number } | undefined;
}

export async function updateAlert(tx: UserTx, userId: string, id: string, change: AlertChange): Promise<AlertWire> {
  const { condition, repeats, pauseS, channels, note, expiresAt, state, start } = change;
  const row = await tx
    .updateTable('alerts')
    .set({
      condition: JSON.stringify(condition),
      repeats,
      pause_s: pauseS,
      channels,
      note,
      expires_at: expiresAt,
      state,
      ...(state === 'active' && { state_reason: null }),
      ...(start !== undefined && { side: start.side, since_ms: start.sinceMs }),
      version: sql`version + 1`,
      updated_at: sql`now()`,
    })
    .where('id', '=', id)
    .returning(shown)
    .executeTakeFirstOrThrow();
  await notifyChange(tx, userId, id);
  return wireOf(row);
}

/** False when the user has no such alert. */
export async function deleteAlert(tx: UserTx, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('alerts').where('id', '=', id).executeTakeFirst();
  if (numDeletedRows > 0n) await notifyChange(tx, userId, id);
  return numDeletedRows > 0n;
}

interface ReceiptRow {
  id: string;
  alert_id: string;
  firing: number;
  condition: AlertCondition;
  evidence: Evidence;
  note: string | null;
  channels: string[];
  exchange_at: Date;
  detected_at: Date;
  shown_at: Date | null;
  is_late: boolean;
  deliveries: { channel: string; state: string; finished_at: string | null; failure: string | null }[];
}

/** Messages are joined by the key of their notification, which is the receipt. */
const receiptColumns = sql`r.id, r.alert_id, r.firing, r.condition, r.evidence, r.note, r.channels, r.exchange_at, r.detected_at,
  r.shown_at, r.is_late, coalesce((
    select jsonb_agg(jsonb_build_object('channel', d.channel, 'state', d.state, 'finished_at', d.finished_at, 'failure', d.failure)
      order by d.channel, d.created_at)
    from notifications n join notification_deliveries d on d.notification_id = n.id
    where n.user_id = r.user_id and n.kind = 'alert_fired' and n.key = r.id::text and d.channel <> 'endpoint'), '[]') as deliveries`;

function deliveriesOf({ channels, shown_at: shownAt, deliveries }: ReceiptRow): AlertReceiptWire['deliveries'] {
  const sent = deliveries.map(({ channel, state, finished_at: at, failure }) => ({
    channel: channel as AlertReceiptWire['deliveries'][number]['channel'],
    state: state as 'waiting' | 'sent' | 'failed',
    at: at === null ? null : new Date(at).toISOString(),
    failure,
  }));
  if (!channels.includes('page')) return sent;
  const page = { channel: 'page', at: shownAt?.toISOString() ?? null, failure: null } as const;
  return [{ ...page, state: shownAt === null ? 'waiting' : 'sent' }, ...sent];
}

const receiptOf = (row: ReceiptRow): AlertReceiptWire => ({
  id: row.id,
  alert_id: row.alert_id,
  firing: row.firing,
  condition: row.condition,
  text: conditionText(row.condition),
  value_text: valueText(row.condition, row.evidence.value),
  note: row.note,
  evidence: row.evidence,
  exchange_at: row.exchange_at.toISOString(),
  detected_at: row.detected_at.toISOString(),
  shown_at: row.shown_at?.toISOString() ?? null,
  is_late: row.is_late,
  deliveries: deliveriesOf(row),
});

/** The newest receipts of an alert; undefined when the user has no such alert. */
export async function readReceipts(tx: UserTx, alertId: string): Promise<AlertReceiptWire[] | undefined> {
  const alert = await tx.selectFrom('alerts').select('id').where('id', '=', alertId).executeTakeFirst();
  if (alert === undefined) return undefined;
  const { rows } = await sql<ReceiptRow>`select ${receiptColumns} from alert_receipts r where r.alert_id = ${alertId}
    order by r.firing desc limit ${RECEIPTS_MAX}`.execute(tx);
  return rows.map(receiptOf);
}

/** Stores when a page showed the receipt first. Undefined when the user has no such receipt. */
export async function markShown(tx: UserTx, userId: string, receiptId: string): Promise<AlertReceiptWire | undefined> {
  const { numUpdatedRows } = await tx
    .updateTable('alert_receipts')
    .set({ shown_at: sql`now()` })
    .where('id', '=', receiptId)
    .where('shown_at', 'is', null)
    .executeTakeFirst();
  const { rows } =
    await sql<ReceiptRow>`select ${receiptColumns} from alert_receipts r where r.id = ${receiptId}`.execute(tx);
  if (numUpdatedRows > 0n) await notifyUser(tx, userId, 'alerts', { change: 'shown' });
  return rows[0] === undefined ? undefined : receiptOf(rows[0]);
}
