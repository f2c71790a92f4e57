import { sql } from 'kysely';
import type { FillMarket } from '@sextant/workers/src/positions/marketFill.ts';
import type { BookCloseReason, ExitDue, StepEvent } from '@sextant/workers/src/positions/bookTypes.ts';
import type { BookTarget } from '@sextant/workers/src/positions/partialClose.ts';
import type { ChosenStrategy } from '@sextant/workers/src/signals/signalRules.ts';
import type { SystemTx } from '../../platform/db/scope.ts';
import { numberOrNull } from '../../platform/db/numberOrNull.ts';

export interface NewPosition {
  userId: string;
  openingRef: string;
  source: 'scan' | 'vision' | 'manual';
  scanId: string | null;
  signalId: string | null;
  runId: string | null;
  exchange: string;
  market: string;
  symbol: string;
  side: 'LONG' | 'SHORT';
  interval: string;
  entryPrice: number;
  quantity: number;
  leverage: number;
  stopPrice: number;
  targetPrice: number;
  liquidationPrice: number | null;
  confidence: number;
  riskMultiplier: number;
  lossAtStop: number;
  tickSize: number;
  takerFeeFraction: number;
  entryFee: number;
  trailing: {
    mode: 'percent' | 'atr' | null;
    callbackPct: number | null;
    stepPct: number | null;
    atrMultiplier: number | null;
    atrPeriod: number | null;
    /** Favourable move after which it starts, percent of the entry price. */
    activationPct: number | null;
  };
  /** The saved strategy that opened it. */
  strategy: ChosenStrategy | null;
  exitDue: ExitDue | null;
  openedAtMs: number;
  /** Several targets with their shares, nearest first; absent: `targetPrice` closes all of it. */
  targets?: readonly BookTarget[] | null;
  /** Contract rules for closing a part; absent: none. */
  stepSize?: number;
  minNotional?: number;
  /** How the entry was filled; a taker when absent. */
  role?: FillRole;
  /** Price of the market before the costs of the entry; absent or null: unknown, or a limit order. */
  entryMarket?: FillMarket | null;
  /** The order that opened it. */
  orderId?: string | null;
  /** The guard that sized it down; absent: none. */
  sizedDownBy?: 'stops' | 'exposure' | null;
}

export type FillRole = 'maker' | 'taker';

const money = (value: number): string => value.toFixed(8);

/** Columns of a fill: the price before its costs, and half of the spread it paid. */
export const marketColumns = (market: FillMarket | null = null) => ({
  market_price: market === null ? null : String(market.price),
  half_spread: market === null || market.halfSpread === null ? null : String(market.halfSpread),
});

/** Columns of the row as stored in the event `opened`: a rebuild starts from these. */
function openedColumns(position: NewPosition) {
  const { trailing } = position;
  return {
    opening_ref: position.openingRef,
    source: position.source,
    scan_id: position.scanId,
    signal_id: position.signalId,
    exchange: position.exchange,
    market: position.market,
    symbol: position.symbol,
    side: position.side,
    interval: position.interval,
    entry_price: String(position.entryPrice),
    qty: String(position.quantity),
    leverage: position.leverage,
    stop_loss: String(position.stopPrice),
    initial_stop_loss: String(position.stopPrice),
    take_profit: String(position.targetPrice),
    liquidation_approx: position.liquidationPrice === null ? null : String(position.liquidationPrice),
    confidence: position.confidence,
    risk_multiplier: position.riskMultiplier,
    loss_at_stop: money(position.lossAtStop),
    tick_size: String(position.tickSize),
    taker_fee_fraction: String(position.takerFeeFraction),
    trailing_enabled: trailing.mode !== null,
    trail_mode: trailing.mode,
    trail_callback_pct: trailing.callbackPct,
    trail_step_pct: trailing.stepPct,
    trail_atr_mult: trailing.atrMultiplier,
    trail_atr_period: trailing.atrPeriod,
    trail_activation_pct: trailing.activationPct,
    strategy_name: position.strategy?.name ?? null,
    strategy_version: position.strategy?.version ?? null,
    step_size: String(position.stepSize ?? 0),
    min_notional: String(position.minNotional ?? 0),
    exit_due_at: position.exitDue === null ? null : new Date(position.exitDue.atMs),
    exit_due_reason: position.exitDue?.reason ?? null,
  };
}

/** Columns that are numbers in the wire form of events. */
const numeric = ['entry_price', 'qty', 'stop_loss', 'take_profit', 'liquidation_approx', 'loss_at_stop'] as const;

/** Writes an opening: the row, `opened` and the entry fee. @throws when a position of the symbol and side is open */
export async function insertPosition(tx: SystemTx, position: NewPosition): Promise<string> {
  const columns = openedColumns(position);
  const openedAt = new Date(position.openedAtMs);
  const { id } = await tx
    .insertInto('positions')
    .values({
      ...columns,
      strategy: position.strategy === null ? null : JSON.stringify(position.strategy.value),
      user_id: position.userId,
      targets: targetsColumn(position.targets),
      fill_count: 1,
      last_fill_at: openedAt,
      trail_peak: columns.entry_price,
      opened_at: openedAt,
      funded_until: openedAt,
      fees: money(position.entryFee),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { targets } = position;
  const guard = position.sizedDownBy == null ? {} : { sized_down_by: position.sizedDownBy };
  const several = targets != null && targets.length > 1 ? { take_profits: targets } : {};
  const data = {
    ...columns,
    ...several,
    ...guard,
    ...Object.fromEntries(numeric.map((name) => [name, numberOrNull(columns[name])])),
  };
  const event = { user_id: position.userId, position_id: id, run_id: position.runId, at: openedAt };
  const fee = { amount: Number(money(position.entryFee)), what: 'entry' };
  await tx
    .insertInto('position_events')
    .values([
      { ...event, kind: 'opened', data: JSON.stringify(data) },
      { ...event, kind: 'fee', data: JSON.stringify(fee) },
    ])
    .execute();
  await tx
    .insertInto('position_fills')
    .values({
      user_id: position.userId,
      position_id: id,
      kind: 'open',
      role: position.role ?? 'taker',
      price: columns.entry_price,
      quantity: columns.qty,
      fee: money(position.entryFee),
      ...marketColumns(position.entryMarket),
      order_id: position.orderId ?? null,
      at: openedAt,
    })
    .execute();
  return id;
}

/** One target is the level of the position itself. */
export const targetsColumn = (targets: readonly BookTarget[] | null | undefined): string | null =>
  targets != null && targets.length > 1 ? JSON.stringify(targets) : null;

export async function insertSkip(
  tx: SystemTx,
  skip: { userId: string; runId: string | null; atMs: number; data: object },
): Promise<void> {
  const { userId: user_id, runId: run_id, atMs, data } = skip;
  await tx
    .insertInto('position_events')
    .values({ user_id, run_id, kind: 'skipped', at: new Date(atMs), data: JSON.stringify(data) })
    .execute();
}

/** A close to write: by the watch, by its owner, or because the exchange ended the contract. */
export type CloseWrite = Omit<Extract<StepEvent, { kind: 'closed' }>, 'kind' | 'reason' | 'by' | 'market'> & {
  reason: BookCloseReason | 'MANUAL' | 'DELISTED';
  by: 'tick' | 'candle' | 'owner' | 'exchange';
  /** How the exit was filled; a taker when absent. */
  role?: FillRole;
  /** The order that closed it. */
  orderId?: string | null;
  /** Price before the costs of the exit; absent or null: it was no market order. */
  market?: FillMarket | null;
};

export interface ClosedRow {
  id: string;
  userId: string;
}

/** Closes positions that are still open, each with its event in the same statement. Returns those closed by this call. */
export async function closePositions(tx: SystemTx, closes: readonly CloseWrite[]): Promise<ClosedRow[]> {
  if (closes.length === 0) return [];
  const rows = closes.map(({ id, atMs, price, reason, by, exitFee, isAmbiguous, role, orderId, market }) => ({
    id,
    role: role ?? 'taker',
    order_id: orderId ?? null,
    ...marketColumns(market),
    at: new Date(atMs).toISOString(),
    price: String(price),
    reason,
    by,
    fee: money(exitFee),
    is_ambiguous: isAmbiguous,
  }));
  const { rows: done } = await sql<ClosedRow>`
    with c as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as c (id uuid, at timestamptz, price numeric, reason text, by text, fee numeric, is_ambiguous boolean, role text, order_id uuid,
          market_price numeric, half_spread numeric)),
    open as (
      select p.id, p.qty as open_qty, p.fill_count as fills_before, greatest(c.at, p.last_fill_at) as at, c.price, c.reason, c.by, c.fee,
        c.is_ambiguous, c.role, c.order_id, c.market_price, c.half_spread
      from positions p join c using (id) where p.closed_at is null for update of p),
    -- What was entered and left in parts is shown as averages; the value of all exits makes the result exact.
    done as (
      update positions p set closed_at = o.at, close_reason = o.reason, fees = p.fees + o.fee,
        close_price = case when p.entered is null then o.price
          else round((p.exited + o.price * o.open_qty) / p.entered_qty, 20)::float8::text::numeric end,
        entry_price = case when p.entered is null then p.entry_price else round(p.entered / p.entered_qty, 20)::float8::text::numeric end,
        qty = coalesce(p.entered_qty, p.qty), exited = p.exited + o.price * o.open_qty,
        fill_count = case when p.fill_count = 0 then 0 else p.fill_count + 1 end
      from open o where p.id = o.id and p.closed_at is null
      returning p.id, p.user_id, o.at, o.price, o.reason, o.by, o.fee, o.is_ambiguous, o.open_qty, o.fills_before, o.role, o.order_id,
        o.market_price, o.half_spread,
        p.pnl - p.realised as part_pnl),
    filled as (
      insert into position_fills (user_id, position_id, kind, role, price, quantity, fee, pnl, reason, order_id, market_price, half_spread, at)
      select user_id, id, 'close', role, price, open_qty, fee, part_pnl, reason, order_id, market_price, half_spread, at from done where fills_before > 0),
    written as (
      insert into position_events (user_id, position_id, kind, at, data)
      select user_id, id, kind, at, data from (
        select user_id, id, at, 1 as place, 'fee' as kind, jsonb_build_object('amount', fee, 'what', 'exit') as data from done
        union all
        select user_id, id, at, 2, 'closed', jsonb_build_object('price', price, 'reason', reason, 'by', by,
          'is_ambiguous', is_ambiguous) from done) e
      order by id, place)
    select id, user_id as "userId" from done`.execute(tx);
  return done;
}

/** Stores the exit time of positions without an earlier one. Returns the ids of those still open. */
export async function writeExitsDue(tx: SystemTx, dues: readonly (ExitDue & { id: string })[]): Promise<string[]> {
  if (dues.length === 0) return [];
  const rows = dues.map(({ id, atMs, reason }) => ({ id, at: new Date(atMs).toISOString(), reason }));
  const { rows: done } = await sql<{ id: string }>`
    with d as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as d (id uuid, at timestamptz, reason text)),
    done as (
      update positions p set exit_due_at = d.at, exit_due_reason = d.reason
      from d where p.id = d.id and p.closed_at is null and (p.exit_due_at is null or p.exit_due_at > d.at)
      returning p.id, p.user_id, d.at, d.reason)
    insert into position_events (user_id, position_id, kind, at, data)
    select user_id, id, 'exit_due', at, jsonb_build_object('reason', reason) from done returning position_id as id`.execute(
    tx,
  );
  return done.map(({ id }) => id);
}

/** Writes activations, raised stops, better prices, and changes of owners that candles have reached, of positions that are still open. */
export async function writeSteps(tx: SystemTx, events: readonly StepEvent[]): Promise<void> {
  const rows = events.flatMap((event): object[] => {
    const at = new Date(event.atMs).toISOString();
    if (event.kind === 'armed') return [{ id: event.id, kind: 'armed', at, price: String(event.price) }];
    if (event.kind === 'peak') return [{ id: event.id, kind: 'peak', at, peak: String(event.peak) }];
    if (event.kind === 'changed') {
      const { id, number, stop, target, peak } = event;
      return [{ id, kind: 'changed', at, number, stop: String(stop), target: String(target), peak: String(peak) }];
    }
    if (event.kind !== 'trail_raised') return [];
    const { id, from, to, peak } = event;
    return [{ id, kind: 'trail_raised', at, from: String(from), stop: String(to), peak: String(peak) }];
  });
  if (rows.length === 0) return;
  await sql`
    with e as (
      select *, row_number() over () as place from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as e (id uuid, kind text, at timestamptz, price numeric, "from" numeric, stop numeric, target numeric, peak numeric, number int)),
    -- Of several steps of one position the last level and the last best price stand.
    latest as (
      select id, min(at) filter (where kind = 'armed') as armed_at,
        (array_agg(stop order by place desc) filter (where stop is not null))[1] as stop,
        (array_agg(target order by place desc) filter (where target is not null))[1] as target,
        (array_agg(peak order by place desc) filter (where peak is not null))[1] as peak, max(number) as number
      from e group by id),
    -- Trailing and targets that the owner set, from the last reached change that has them.
    reached as (
      select l.*, (
        select c -> 'trailing' from positions q, jsonb_array_elements(q.changes_pending) c
        where q.id = l.id and (c ->> 'number')::int > q.changes_applied and (c ->> 'number')::int <= l.number and c ? 'trailing'
        order by (c ->> 'number')::int desc limit 1) as trailing, (
        select c -> 'take_profits' from positions q, jsonb_array_elements(q.changes_pending) c
        where q.id = l.id and (c ->> 'number')::int > q.changes_applied and (c ->> 'number')::int <= l.number and c ? 'take_profits'
        order by (c ->> 'number')::int desc limit 1) as targets
      from latest l),
    done as (
      update positions p set armed_at = coalesce(p.armed_at, l.armed_at), stop_loss = coalesce(l.stop, p.stop_loss),
        take_profit = coalesce(l.target, p.take_profit), trail_peak = coalesce(l.peak, p.trail_peak),
        targets = case when l.targets is null then p.targets else nullif(l.targets, 'null'::jsonb) end,
        changes_applied = greatest(p.changes_applied, coalesce(l.number, 0)),
        trailing_by_owner = p.trailing_by_owner or l.trailing is not null,
        trailing_enabled = case when l.trailing is null then p.trailing_enabled else l.trailing ->> 'mode' is not null end,
        trail_mode = case when l.trailing is null then p.trail_mode else l.trailing ->> 'mode' end,
        trail_callback_pct = case when l.trailing is null then p.trail_callback_pct else (l.trailing ->> 'callback_pct')::float8 end,
        trail_step_pct = case when l.trailing is null then p.trail_step_pct else (l.trailing ->> 'step_pct')::float8 end,
        trail_atr_mult = case when l.trailing is null then p.trail_atr_mult else (l.trailing ->> 'atr_mult')::float8 end,
        trail_atr_period = case when l.trailing is null then p.trail_atr_period else (l.trailing ->> 'atr_period')::int end,
        trail_activation_pct = case when l.trailing is null then p.trail_activation_pct
          else (l.trailing ->> 'activation_pct')::float8 end
      from reached l where p.id = l.id and p.closed_at is null
      returning p.id, p.user_id)
    insert into position_events (user_id, position_id, kind, at, data)
    select d.user_id, e.id, e.kind, e.at, case e.kind when 'armed' then jsonb_build_object('price', e.price)
      else jsonb_build_object('from', e."from", 'to', e.stop, 'peak', e.peak) end
    from e join done d using (id) where e.kind not in ('peak', 'changed') order by e.place`.execute(tx);
}
