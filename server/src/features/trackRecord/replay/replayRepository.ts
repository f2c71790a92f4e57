import {
  type ReplayedColumns,
  replayedFields,
  type ReplayReport,
} from '@sextant/workers/src/protocol/replaySignals.ts';
import { sql } from 'kysely';
import type { MarketMode } from '../../../config.ts';
import type { SystemTx } from '../../../platform/db/scope.ts';
import type { ExchangeId, Interval } from '../../market/port.ts';
import { STRATEGY_VERSION } from '../../signals/strategyVersion.ts';

/** Replayed signals, a row for each series: columns of little-endian 64-bit numbers, one after the other. */

export interface ReplayedRow {
  exchange: ExchangeId;
  symbol: string;
  interval: Interval;
  engineHash: string;
  dataHash: string;
  /** Opens of the first and the last candle read, epoch ms. */
  fromMs: number;
  toMs: number;
  signals: ReplayedColumns;
  openCount: number;
  /** Replayed up to the end of its contract: there are no newer candles. */
  hasEnded: boolean;
}

export function packSignals(signals: ReplayedColumns): Buffer {
  const all = new Float64Array(replayedFields.length * signals.closeAtMs.length);
  replayedFields.forEach((name, k) => all.set(signals[name], k * signals.closeAtMs.length));
  return Buffer.from(all.buffer);
}

export function unpackSignals(bytes: Buffer): ReplayedColumns {
  // A buffer of the driver may start at any byte.
  const all = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  const count = all.length / replayedFields.length;
  return Object.fromEntries(
    replayedFields.map((name, k) => [name, all.subarray(k * count, (k + 1) * count)]),
  ) as ReplayedColumns;
}

/** Deletes what other rules or another engine made. @returns whether there was any */
export async function deleteOutdated(tx: SystemTx, market: MarketMode, engineHash: string): Promise<boolean> {
  const isOutdated = sql<boolean>`(strategy_version, engine_hash) is distinct from (${STRATEGY_VERSION}, ${engineHash})`;
  const series = await tx.deleteFrom('replayed_series').where('market', '=', market).where(isOutdated).execute();
  const reports = await tx.deleteFrom('replay_reports').where('market', '=', market).where(isOutdated).execute();
  return [...series, ...reports].some(({ numDeletedRows }) => numDeletedRows > 0n);
}

export async function storeReplayed(tx: SystemTx, market: MarketMode, row: ReplayedRow): Promise<void> {
  const values = {
    strategy_version: STRATEGY_VERSION,
    engine_hash: row.engineHash,
    data_hash: row.dataHash,
    window_from: new Date(row.fromMs),
    window_to: new Date(row.toMs),
    signal_count: row.signals.closeAtMs.length,
    open_count: row.openCount,
    has_ended: row.hasEnded,
    signals: packSignals(row.signals),
  };
  await tx
    .insertInto('replayed_series')
    .values({ market, exchange: row.exchange, symbol: row.symbol, interval: row.interval, ...values })
    .onConflict((conflict) =>
      conflict.columns(['market', 'exchange', 'symbol', 'interval']).doUpdateSet({ ...values, created_at: sql`now()` }),
    )
    .execute();
}

/** How far a stored series goes. */
export interface ReplayedUntil {
  /** Open of its last candle, epoch ms. */
  untilMs: number;
  hasEnded: boolean;
}

/** By `SYMBOL interval`. */
export async function readReplayedUntil(tx: SystemTx, market: MarketMode): Promise<Map<string, ReplayedUntil>> {
  const rows = await tx
    .selectFrom('replayed_series')
    .select(['symbol', 'interval', 'window_to', 'has_ended'])
    .where('market', '=', market)
    .execute();
  return new Map(
    rows.map(({ symbol, interval, window_to: to, has_ended: hasEnded }) => [
      `${symbol} ${interval}`,
      { untilMs: to.getTime(), hasEnded },
    ]),
  );
}

export interface StoredReplay {
  symbol: string;
  interval: string;
  signals: ReplayedColumns;
  openCount: number;
}

/** All series, or the one of a symbol and interval. */
export async function readReplayed(
  tx: SystemTx,
  market: MarketMode,
  only?: { symbol: string; interval: string },
): Promise<StoredReplay[]> {
  const rows = await tx
    .selectFrom('replayed_series')
    .select(['symbol', 'interval', 'signals', 'open_count'])
    .where('market', '=', market)
    .$if(only !== undefined, (query) =>
      query.where('symbol', '=', only?.symbol ?? '').where('interval', '=', only?.interval ?? ''),
    )
    .orderBy('symbol')
    .orderBy('interval')
    .execute();
  return rows.map(({ signals, open_count: openCount, ...series }) => ({
    ...series,
    openCount,
    signals: unpackSignals(signals),
  }));
}

export interface StoredReport {
  asOf: Date;
  engineHash: string;
  symbolCount: number;
  seriesWanted: number;
  seriesCount: number;
  report: ReplayReport;
}

export async function storeReport(
  tx: SystemTx,
  market: MarketMode,
  { engineHash, symbolCount, seriesWanted, seriesCount, report }: Omit<StoredReport, 'asOf'>,
): Promise<void> {
  const values = {
    strategy_version: STRATEGY_VERSION,
    engine_hash: engineHash,
    as_of: sql<Date>`clock_timestamp()`,
    symbol_count: symbolCount,
    series_wanted: seriesWanted,
    series_count: seriesCount,
    report: JSON.stringify(report),
  };
  await tx
    .insertInto('replay_reports')
    .values({ market, ...values })
    .onConflict((conflict) => conflict.column('market').doUpdateSet(values))
    .execute();
}

/** Null before the first replay by the current rules. */
export async function readReport(tx: SystemTx, market: MarketMode): Promise<StoredReport | null> {
  const row = await tx
    .selectFrom('replay_reports')
    .selectAll()
    .where('market', '=', market)
    .where('strategy_version', '=', STRATEGY_VERSION)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    asOf: row.as_of,
    engineHash: row.engine_hash,
    symbolCount: row.symbol_count,
    seriesWanted: row.series_wanted,
    seriesCount: row.series_count,
    report: row.report as ReplayReport,
  };
}
