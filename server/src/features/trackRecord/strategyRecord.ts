import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import type { ChosenStrategy } from '@sextant/workers/src/signals/signalRules.ts';
import { sql } from 'kysely';
import type { MarketMode } from '../../config.ts';
import type { SystemTx, UserTx } from '../../platform/db/scope.ts';
import type { ExchangeId, Interval } from '../market/port.ts';
import type { SignalWire } from '../signals/contract.ts';
import { type BasisValues, basisOfRow, type ConfidenceBasis, METHOD } from '../signals/confidenceBasis.ts';
import { type LedgerSignal, ledgerSignalOf, SIGNALS_MAX } from './recalibrate.ts';
import { keyOf } from './recordSignals.ts';
import type { Series } from './signalMarks.ts';
import type { StrategyOutcome, StrategyTrade } from '@sextant/workers/src/signals/strategyTrade.ts';

/** The ledger of saved strategies: signals, outcomes and maps of each owner, strategy and version. */

export interface OwnVersion {
  userId: string;
  strategyId: string;
  version: string;
}

/**
 * Stores the signals of a scan for their owner, linked to those of the public record. A signal found again by a later scan keeps its
 * first confidence. A strategy deleted meanwhile has no ledger.
 */
export async function recordStrategySignals(
  tx: SystemTx,
  { userId, strategy }: { userId: string; strategy: ChosenStrategy },
  signals: readonly SignalWire[],
  ids: ReadonlyMap<string, string>,
): Promise<void> {
  const { id, version, value } = strategy;
  if (id === undefined) return;
  await sql`
    insert into strategy_versions (strategy_id, version, user_id, value)
    select id, ${version}, user_id, ${JSON.stringify(value)}::jsonb from strategies where id = ${id} and user_id = ${userId}
    on conflict do nothing`.execute(tx);
  const rows = signals.flatMap((signal) => {
    const signalId = ids.get(keyOf(signal));
    const { confidence, confidence_kind, calibration_version } = signal;
    return signalId === undefined ? [] : [{ signal_id: signalId, confidence, confidence_kind, calibration_version }];
  });
  await sql`
    insert into strategy_signals (strategy_id, strategy_version, user_id, signal_id, confidence, confidence_kind, calibration_version)
    select v.strategy_id, v.version, v.user_id, g.signal_id, g.confidence, g.confidence_kind, g.calibration_version
    from strategy_versions v, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as g (signal_id uuid, confidence double precision, confidence_kind text, calibration_version integer)
    where v.strategy_id = ${id} and v.version = ${version} and v.user_id = ${userId}
    order by g.signal_id
    on conflict do nothing`.execute(tx);
}

export interface OpenStrategySignal extends StrategyTrade, OwnVersion {
  exchange: ExchangeId;
  symbol: string;
  signalId: string;
}

/** Signals of a strategy without an outcome, in random order, like those of the public record. */
export async function readOpenStrategySignals(
  tx: SystemTx,
  market: MarketMode,
  limit: number,
): Promise<OpenStrategySignal[]> {
  return (
    await openStrategySignals(tx, market)
      .orderBy(sql`random()`)
      .limit(limit)
      .execute()
  ).map(openStrategySignalOf);
}

/** All of them of one series. */
export async function readOpenStrategySignalsOf(
  tx: SystemTx,
  market: MarketMode,
  { exchange, symbol }: Series,
): Promise<OpenStrategySignal[]> {
  const query = openStrategySignals(tx, market).where('s.exchange', '=', exchange).where('s.symbol', '=', symbol);
  return (await query.execute()).map(openStrategySignalOf);
}

export async function readOpenStrategySeries(tx: SystemTx, market: MarketMode): Promise<Series[]> {
  const rows = await tx
    .selectFrom('strategy_signals as o')
    .innerJoin('signals as s', 's.id', 'o.signal_id')
    .select(['s.exchange', 's.symbol'])
    .distinct()
    .where('s.market', '=', market)
    .where(hasNoOutcome)
    .execute();
  return rows as Series[];
}

const hasNoOutcome = sql<boolean>`not exists (select from strategy_outcomes d where d.strategy_id = o.strategy_id
  and d.strategy_version = o.strategy_version and d.signal_id = o.signal_id)`;

const openStrategySignals = (tx: SystemTx, market: MarketMode) =>
  tx
    .selectFrom('strategy_signals as o')
    .innerJoin('signals as s', 's.id', 'o.signal_id')
    .innerJoin('strategy_versions as v', (join) =>
      join.onRef('v.strategy_id', '=', 'o.strategy_id').onRef('v.version', '=', 'o.strategy_version'),
    )
    .select(['o.user_id', 'o.strategy_id', 'o.strategy_version', 'o.signal_id', 'v.value', 's.exchange', 's.symbol'])
    .select(['s.direction', 's.price', 's.stop_loss', 's.take_profit', 's.horizon_minutes'])
    .select(sql<Date>`greatest(o.created_at, s.candle_close_at)`.as('issued_at'))
    .where('s.market', '=', market)
    .where(hasNoOutcome);

type OpenStrategyRow = Awaited<ReturnType<ReturnType<typeof openStrategySignals>['execute']>>[number];

function openStrategySignalOf(row: OpenStrategyRow): OpenStrategySignal {
  return {
    id: `${row.strategy_id} ${row.strategy_version} ${row.signal_id}`,
    userId: row.user_id,
    strategyId: row.strategy_id,
    version: row.strategy_version,
    signalId: row.signal_id,
    strategy: row.value as Strategy,
    exchange: row.exchange as ExchangeId,
    symbol: row.symbol,
    direction: row.direction as 'LONG' | 'SHORT',
    price: row.price,
    stopLoss: row.stop_loss,
    takeProfit: row.take_profit,
    issuedAtMs: row.issued_at.getTime(),
    horizonMinutes: row.horizon_minutes,
  };
}

/** Two nodes may find the same outcome: the first one is stored. Nothing is written for a strategy deleted meanwhile. */
export async function insertStrategyOutcome(
  tx: SystemTx,
  { userId, strategyId, version, signalId }: OwnVersion & { signalId: string },
  outcome: StrategyOutcome,
  basis: Interval,
): Promise<void> {
  await sql`
    insert into strategy_outcomes (strategy_id, strategy_version, signal_id, user_id, outcome, deadline_at, entry_price, exit_price,
      exit_at, gross_fraction, fees_fraction, net_fraction, is_ambiguous, basis)
    select strategy_id, strategy_version, signal_id, user_id, ${outcome.outcome}, ${new Date(outcome.deadlineMs)}::timestamptz,
      ${outcome.entryPrice}::float8, ${outcome.exitPrice}::float8, ${new Date(outcome.exitAtMs)}::timestamptz,
      ${outcome.grossFraction}::float8, ${outcome.feesFraction}::float8, ${outcome.netFraction}::float8,
      ${outcome.isAmbiguous}::boolean, ${basis}
    from strategy_signals
    where strategy_id = ${strategyId} and strategy_version = ${version} and signal_id = ${signalId} and user_id = ${userId}
    on conflict do nothing`.execute(tx);
}

/** Current versions of strategies with outcomes; older versions are no longer traded. */
export async function readSettledVersions(
  tx: SystemTx,
  market: MarketMode,
): Promise<(OwnVersion & { interval: Interval })[]> {
  const rows = await tx
    .selectFrom('strategy_outcomes as o')
    .innerJoin('signals as s', 's.id', 'o.signal_id')
    .innerJoin('strategies as now', (join) =>
      join.onRef('now.id', '=', 'o.strategy_id').onRef('now.version', '=', 'o.strategy_version'),
    )
    .select(['o.user_id', 'o.strategy_id', 'o.strategy_version', 's.interval'])
    .distinct()
    .where('s.market', '=', market)
    .execute();
  return rows.map((row) => ({
    userId: row.user_id,
    strategyId: row.strategy_id,
    version: row.strategy_version,
    interval: row.interval as Interval,
  }));
}

/** Settled signals of one owner, strategy, version and interval only. */
export async function readStrategyLedger(
  tx: SystemTx,
  { userId, strategyId, version }: OwnVersion,
  { market, interval, since }: { market: MarketMode; interval: Interval; since: Date },
): Promise<LedgerSignal[]> {
  const rows = await tx
    .selectFrom('strategy_outcomes as o')
    .innerJoin('strategy_signals as g', (join) =>
      join
        .onRef('g.strategy_id', '=', 'o.strategy_id')
        .onRef('g.strategy_version', '=', 'o.strategy_version')
        .onRef('g.signal_id', '=', 'o.signal_id'),
    )
    .innerJoin('signals as s', 's.id', 'o.signal_id')
    .select(['s.id', 's.symbol', 's.direction', 's.raw_confidence', 's.candle_close_at', 's.horizon_minutes'])
    .select(['s.price', 's.stop_loss', 'o.net_fraction', 'o.exit_at', 'o.deadline_at', 'o.created_at as recorded_at'])
    .select(sql<Date>`greatest(g.created_at, s.candle_close_at)`.as('issued_at'))
    .where('o.user_id', '=', userId)
    .where('o.strategy_id', '=', strategyId)
    .where('o.strategy_version', '=', version)
    .where('s.market', '=', market)
    .where('s.interval', '=', interval)
    .where('g.created_at', '>=', since)
    .orderBy('g.created_at', 'desc')
    .limit(SIGNALS_MAX)
    .execute();
  return rows.map((row) => ({ ...ledgerSignalOf(row), deadlineMs: row.deadline_at.getTime() }));
}

/** The newest map of each interval of a version. @param method restricts the maps to this method; absent: any */
export async function readStrategyBases(
  tx: SystemTx | UserTx,
  { userId, strategyId, version }: OwnVersion,
  market: MarketMode,
  method?: string,
): Promise<ConfidenceBasis[]> {
  const rows = await tx
    .selectFrom('strategy_calibrations')
    .selectAll()
    .distinctOn('interval')
    .where('user_id', '=', userId)
    .where('strategy_id', '=', strategyId)
    .where('strategy_version', '=', version)
    .where('market', '=', market)
    .$if(method !== undefined, (query) => query.where('method', '=', method ?? ''))
    .orderBy('interval')
    .orderBy('as_of', 'desc')
    .execute();
  return rows.map(basisOfRow);
}

export async function insertStrategyBasis(
  tx: SystemTx,
  { userId, strategyId, version }: OwnVersion,
  market: MarketMode,
  basis: BasisValues,
): Promise<void> {
  await sql`
    insert into strategy_calibrations (user_id, strategy_id, strategy_version, market, interval, method, as_of, window_from, window_to,
      outcome_count, base_rate, points, mean_win_stops, mean_loss_stops)
    values (${userId}, ${strategyId}, ${version}, ${market}, ${basis.interval}, ${METHOD}, ${basis.as_of}, ${basis.window_from},
      ${basis.window_to}, ${basis.outcome_count}, ${basis.base_rate}, ${JSON.stringify(basis.points)}::jsonb, ${basis.mean_win_stops},
      ${basis.mean_loss_stops})
    on conflict do nothing`.execute(tx);
}
