import type { PatternRecordResult } from '@sextant/workers/src/protocol/vision.ts';
import { sql } from 'kysely';
import type { SystemTx } from '../../../platform/db/scope.ts';
import type { ExchangeId, Interval } from '../../market/port.ts';
import { HORIZON_CANDLES } from '../contract.ts';

/** What followed the patterns of one series. */
export interface SeriesRecord extends Pick<PatternRecordResult, 'patterns' | 'all' | 'horizonCount'> {
  exchange: ExchangeId;
  symbol: string;
  interval: Interval;
  engineHash: string;
  fromMs: number;
  toMs: number;
}

export async function storeSeriesRecord(tx: SystemTx, source: string, record: SeriesRecord): Promise<void> {
  const { exchange, symbol, interval, engineHash, horizonCount, all, patterns, fromMs, toMs } = record;
  await sql`
    insert into pattern_records (source, exchange, symbol, interval, engine_hash, horizon_candles, window_from, window_to, candle_count,
      higher_count, lower_count, patterns)
    values (${source}, ${exchange}, ${symbol}, ${interval}, ${engineHash}, ${horizonCount}, ${new Date(fromMs)}, ${new Date(toMs)},
      ${all.count}, ${all.higherCount}, ${all.lowerCount}, ${JSON.stringify(patterns)}::jsonb)
    on conflict (source, exchange, symbol, interval) do update set engine_hash = excluded.engine_hash,
      horizon_candles = excluded.horizon_candles, window_from = excluded.window_from, window_to = excluded.window_to,
      candle_count = excluded.candle_count, higher_count = excluded.higher_count, lower_count = excluded.lower_count,
      patterns = excluded.patterns, created_at = now()`.execute(tx);
}

/** Series with a record that needs no renewal, as `symbol interval`: of this engine, and younger than the given time. */
export async function readFreshSeries(
  tx: SystemTx,
  source: string,
  { engineHash, maxAgeS }: { engineHash: string; maxAgeS: number },
): Promise<Set<string>> {
  const { rows } = await sql<{ series: string }>`
    select symbol || ' ' || interval as series from pattern_records
    where source = ${source} and engine_hash = ${engineHash} and created_at > now() - make_interval(secs => ${maxAgeS})`.execute(
    tx,
  );
  return new Set(rows.map(({ series }) => series));
}

/** Deletes the records of earlier worlds of a replay: their candles are deleted, too. */
export async function deleteOtherWorlds(tx: SystemTx, source: string): Promise<void> {
  await sql`delete from pattern_records where starts_with(source, 'replay ') and source <> ${source}`.execute(tx);
}

interface RecordRow {
  symbol: string;
  horizon: number;
  fromAt: Date;
  toAt: Date;
  candleCount: number;
  higherCount: number;
  lowerCount: number;
  patterns: PatternRecordResult['patterns'];
}

/** The stored records of an interval, by symbol. */
/** @param symbol whose patterns are read; null: those of all */
export async function readSeriesRecords(
  tx: SystemTx,
  { source, interval, symbol }: { source: string; interval: string; symbol: string | null },
): Promise<RecordRow[]> {
  const { rows } = await sql<RecordRow>`
    select symbol, horizon_candles as horizon, window_from as "fromAt", window_to as "toAt", candle_count as "candleCount",
      higher_count as "higherCount", lower_count as "lowerCount",
      case when ${symbol}::text is null or symbol = ${symbol} then patterns else '{}'::jsonb end as patterns
    from pattern_records
    where source = ${source} and interval = ${interval} and horizon_candles = ${HORIZON_CANDLES} order by symbol`.execute(
    tx,
  );
  return rows;
}
