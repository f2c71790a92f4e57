import { sql } from 'kysely';
import type { z } from 'zod';
import type { MarketMode } from '../../config.ts';
import type { SystemTx, UserTx } from '../../platform/db/scope.ts';
import type { ExchangeId, Interval } from '../market/port.ts';
import type { HistoryResponse } from './contract.ts';
import type { SignalLevels, SignalOutcome } from '@sextant/workers/src/signals/outcome.ts';
import type { Series } from './signalMarks.ts';

type HistoryRow = z.input<typeof HistoryResponse>['signals'][number];

/** Whether a scan of the user found it: row-level security shows only own rows. Candidates are of scans before migration 0580. */
const isMine = sql<boolean>`(s.id in (select unnest(signal_ids) from found_signals)
  or exists (select from scan_candidates c where c.signal_id = s.id))`;

export async function readHistory(
  tx: UserTx | SystemTx,
  limit: number,
  { isOnlyMine = false, market, isPublic = false }: { isOnlyMine?: boolean; market?: MarketMode; isPublic?: boolean },
): Promise<HistoryRow[]> {
  const rows = await tx
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
    // The service would read what all users found.
    .select((isPublic ? sql<boolean>`false` : isMine).as('mine'))
    .$if(isOnlyMine, (query) => query.where(isMine))
    .$if(market !== undefined, (query) => query.where('s.market', '=', market ?? ''))
    .orderBy('s.created_at', 'desc')
    // Signals of one scan have the same time.
    .orderBy('s.candle_close_at', 'desc')
    .orderBy('s.symbol')
    .orderBy('s.id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
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
    mine: row.mine,
    created_at: row.created_at.toISOString(),
    candle_close_at: row.candle_close_at.toISOString(),
    exchange: row.exchange as HistoryRow['exchange'],
    market: row.market as HistoryRow['market'],
    direction: row.direction as HistoryRow['direction'],
    horizon_min: row.horizon_minutes,
    hashes: { engine: row.engine_hash, data: row.data_hash, params: row.params_hash },
    outcome: outcomeOf(row),
  }));
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
