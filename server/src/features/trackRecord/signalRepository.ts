import { sql } from 'kysely';
import type { z } from 'zod';
import type { MarketMode } from '../../config.ts';
import type { SystemTx, UserTx } from '../../platform/db/scope.ts';
import type { ExchangeId, Interval } from '../market/port.ts';
import type { HistoryResponse } from './contract.ts';
import type { SignalLevels, SignalOutcome } from '@sextant/workers/src/signals/outcome.ts';
import type { Series } from './signalMarks.ts';

type HistoryRow = z.input<typeof HistoryResponse>['signals'][number];

/** A list of a scan is at most this much older than a signal in it, whose row another scan's transaction may have written. */
const FOUND_BEFORE = sql`interval '1 hour'`;
/** It is at most this much newer: the candle of a signal is the last closed one for its interval, of at most four hours. */
const FOUND_AFTER = sql`interval '2 days'`;

/**
 * Signals that the newest lists of the user's scans name, at least the newest `limit`. Row-level security shows only own rows. Candidates are
 * of scans before migration 0580.
 */
const ownNewest = (limit: number) => sql<string>`(
  with recent as (select created_at, signal_ids from found_signals order by created_at desc limit ${limit}),
    firsts as (select id, max(created_at) as at from recent, unnest(signal_ids) id group by id),
    reach as (select at from firsts order by at desc offset ${limit - 1} limit 1)
  select unnest(signal_ids) from found_signals
  where created_at >= coalesce((select at from reach) - ${FOUND_AFTER}, '-infinity')
  union select signal_id from scan_candidates where signal_id is not null)`;

/** Which of these signals a scan of the user found. Reads no list that is older than the oldest of them. */
async function readOwn(tx: UserTx, signals: readonly { id: string; created_at: Date }[]): Promise<Set<string>> {
  if (signals.length === 0) return new Set();
  const ids = signals.map(({ id }) => id);
  const oldest = new Date(Math.min(...signals.map(({ created_at: at }) => at.getTime())));
  const { rows } = await sql<{ id: string }>`
    select id from found_signals, unnest(signal_ids) id
    where created_at >= ${oldest}::timestamptz - ${FOUND_BEFORE} and id = any(${ids}::uuid[])
    union select signal_id from scan_candidates where signal_id = any(${ids}::uuid[])`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

interface HistoryOptions {
  /** Only signals that a scan of the user found. */
  isOnlyMine?: boolean;
  market?: MarketMode;
}

/** The newest signals, with those that a scan of the user found. */
export async function readHistory(tx: UserTx, limit: number, options: HistoryOptions = {}): Promise<HistoryRow[]> {
  const rows = await readNewest(tx, limit, options);
  const own = options.isOnlyMine === true ? new Set(rows.map(({ id }) => id)) : await readOwn(tx, rows);
  return rows.map((row) => historyRowOf(row, own.has(row.id)));
}

/** The newest signals of a market for everyone: `mine` is false. */
export async function readPublicHistory(tx: SystemTx, limit: number, market: MarketMode): Promise<HistoryRow[]> {
  return (await readNewest(tx, limit, { market })).map((row) => historyRowOf(row, false));
}

const readNewest = (tx: UserTx | SystemTx, limit: number, { isOnlyMine = false, market }: HistoryOptions) =>
  tx
    .selectFrom('signals as s')
    .leftJoin('signal_outcomes as o', 'o.signal_id', 's.id')
    .select(['s.id', 's.created_at', 's.exchange', 's.market', 's.symbol', 's.interval', 's.candle_close_at'])
    .select([
      's.direction',
      's.confidence',
      's.confidence_kind',
      's.raw_confidence',
      's.price',
      's.stop_loss',
      's.take_profit',
      's.horizon_minutes',
      's.risk_label',
    ])
    .select(['s.engine_hash', 's.data_hash', 's.params_hash'])
    .select(['o.outcome', 'o.exit_price', 'o.exit_at', 'o.net_fraction', 'o.is_ambiguous', 'o.basis'])
    .$if(isOnlyMine, (query) => query.where('s.id', 'in', ownNewest(limit)))
    .$if(market !== undefined, (query) => query.where('s.market', '=', market ?? ''))
    .orderBy('s.created_at', 'desc')
    // Signals of one scan have the same time.
    .orderBy('s.candle_close_at', 'desc')
    .orderBy('s.symbol')
    .orderBy('s.id')
    .limit(limit)
    .execute();

function historyRowOf(row: Awaited<ReturnType<typeof readNewest>>[number], isMine: boolean): HistoryRow {
  return {
    id: row.id,
    symbol: row.symbol,
    interval: row.interval,
    confidence: row.confidence,
    confidence_kind: row.confidence_kind as HistoryRow['confidence_kind'],
    raw_confidence: row.raw_confidence,
    price: row.price,
    stop_loss: row.stop_loss,
    take_profit: row.take_profit,
    risk_label: row.risk_label,
    mine: isMine,
    created_at: row.created_at.toISOString(),
    candle_close_at: row.candle_close_at.toISOString(),
    exchange: row.exchange as HistoryRow['exchange'],
    market: row.market as HistoryRow['market'],
    direction: row.direction as HistoryRow['direction'],
    horizon_min: row.horizon_minutes,
    hashes: { engine: row.engine_hash, data: row.data_hash, params: row.params_hash },
    outcome: outcomeOf(row),
  };
}

function outcomeOf(row: {
  outcome: string | null;
  exit_price: number | null;
  exit_at: Date | null;
  net_fraction: number | null;
  is_ambiguous: boolean | null;
  basis: string | null;
}): HistoryRow['outcome'] {
  const { outcome, exit_price, exit_at, net_fraction, is_ambiguous, basis } = row;
  if (outcome === null || exit_price === null || exit_at === null) return null;
  return {
    outcome: outcome as SignalOutcome['outcome'],
    exit_price,
    exit_at: exit_at.toISOString(),
    net_fraction: net_fraction ?? 0,
    is_ambiguous: is_ambiguous ?? false,
    basis: basis ?? '',
  };
}

export interface OpenSignal extends SignalLevels {
  id: string;
  exchange: ExchangeId;
  symbol: string;
  interval: Interval;
  /** Close of the deciding candle. */
  price: number;
}

/**
 * Signals without an outcome, in random order: those that cannot be judged yet, or never (missing candles), must not block the others.
 */
export async function readOpen(tx: SystemTx, market: MarketMode, limit: number): Promise<OpenSignal[]> {
  return (
    await openSignals(tx, market)
      .orderBy(sql`random()`)
      .limit(limit)
      .execute()
  ).map(openSignalOf);
}

/** All of them of one series. */
export async function readOpenOf(
  tx: SystemTx,
  market: MarketMode,
  { exchange, symbol }: Series,
): Promise<OpenSignal[]> {
  const query = openSignals(tx, market).where('s.exchange', '=', exchange).where('s.symbol', '=', symbol);
  return (await query.execute()).map(openSignalOf);
}

export async function readOpenSeries(tx: SystemTx, market: MarketMode): Promise<Series[]> {
  const rows = await tx
    .selectFrom('signals as s')
    .select(['s.exchange', 's.symbol'])
    .distinct()
    .where('s.market', '=', market)
    .where(hasNoOutcome)
    .execute();
  return rows as Series[];
}

const hasNoOutcome = sql<boolean>`not exists (select from signal_outcomes o where o.signal_id = s.id)`;

const openSignals = (tx: SystemTx, market: MarketMode) =>
  tx
    .selectFrom('signals as s')
    .select(['s.id', 's.exchange', 's.symbol', 's.interval', 's.direction', 's.stop_loss', 's.take_profit'])
    .select(['s.horizon_minutes', 's.price'])
    .select(sql<Date>`greatest(s.created_at, s.candle_close_at)`.as('issued_at'))
    .where('s.market', '=', market)
    .where(hasNoOutcome);

const openSignalOf = (row: Awaited<ReturnType<ReturnType<typeof openSignals>['execute']>>[number]): OpenSignal => ({
  id: row.id,
  symbol: row.symbol,
  price: row.price,
  stopLoss: row.stop_loss,
  takeProfit: row.take_profit,
  exchange: row.exchange as ExchangeId,
  interval: row.interval as Interval,
  direction: row.direction as 'LONG' | 'SHORT',
  issuedAtMs: row.issued_at.getTime(),
  horizonMinutes: row.horizon_minutes,
});

/** Two nodes may find the same outcome: the first one is stored. */
export async function insertOutcome(tx: SystemTx, id: string, outcome: SignalOutcome, basis: Interval): Promise<void> {
  await tx
    .insertInto('signal_outcomes')
    .values({
      signal_id: id,
      outcome: outcome.outcome,
      basis,
      is_ambiguous: outcome.isAmbiguous,
      entry_price: outcome.entryPrice,
      exit_price: outcome.exitPrice,
      exit_at: new Date(outcome.exitAtMs),
      gross_fraction: outcome.grossFraction,
      fees_fraction: outcome.feesFraction,
      net_fraction: outcome.netFraction,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
