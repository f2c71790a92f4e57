import { type RawBuilder, sql } from 'kysely';
import type { MarketMode } from '../../config.ts';
import type { SystemTx } from '../../platform/db/scope.ts';
import type { SignalWire } from '../signals/contract.ts';
import type { Opinions } from './tuningValue.ts';

export interface RecordRules {
  market: MarketMode;
  /** The parameters of the computation, so that it can be reproduced. */
  params: object;
  /** Version of the rules: the built-in ones, or a saved strategy. Names are private and stay out of the record. */
  strategyVersion: string;
}

interface Recorded {
  id: string;
  symbol: string;
  interval: string;
}

/** Key of a series in the map of ids. */
export const keyOf = ({ symbol, interval }: { symbol: string; interval: string }): string => `${symbol} ${interval}`;

/** A signal for the public record, with its score: its calibrated confidence is visible to its owner only. */
export const scoreOnly = (signal: SignalWire): SignalWire => ({
  ...signal,
  confidence: signal.raw_confidence,
  confidence_kind: 'score',
  calibration_version: null,
  chance: null,
  chance_n: null,
  chance_origin: null,
});

/**
 * Writes signals with a direction into the public record, each once: the same candles and parameters give every user the same
 * signal. Returns the id of each by symbol and interval.
 */
export async function recordSignals(
  tx: SystemTx,
  signals: readonly SignalWire[],
  { market, params, strategyVersion }: RecordRules,
): Promise<Map<string, string>> {
  if (signals.length === 0) return new Map();
  const rows = JSON.stringify(signals.map(rowOf));
  // Sorted, so that two scans that write the same signals wait for each other instead of deadlocking.
  const { rows: stored } = await sql<Recorded>`
    with given as materialized (select * from jsonb_populate_recordset(null::signals, ${rows}::jsonb)),
    written as (
      insert into signals (exchange, market, symbol, interval, candle_close_at, direction, score, raw_confidence, confidence, price,
        stop_loss, take_profit, horizon_minutes, risk_label, params, opinions, engine_hash, data_hash, params_hash, strategy_version,
        confidence_kind, calibration_version, chance, chance_n, chance_origin)
      select exchange, ${market}, symbol, interval, candle_close_at, direction, score, raw_confidence, confidence, price,
        stop_loss, take_profit, horizon_minutes, risk_label, ${JSON.stringify(params)}::jsonb, opinions, engine_hash, data_hash,
        params_hash, ${strategyVersion}, confidence_kind, calibration_version, chance, chance_n, chance_origin
      from given order by symbol, interval
      on conflict do nothing returning id, symbol, interval)
    select id, symbol, interval from written union all ${knownOf(sql`given`, market)}`.execute(tx);
  // Rows that another scan wrote during this statement are in neither part: the statement does not see them.
  const given = sql`jsonb_populate_recordset(null::signals, ${rows}::jsonb) given`;
  const missed = stored.length < signals.length ? (await knownOf(given, market).execute(tx)).rows : [];
  return new Map([...stored, ...missed].map((each) => [keyOf(each), each.id]));
}

const knownOf = (given: RawBuilder<unknown>, market: MarketMode) => sql<Recorded>`
    select s.id, s.symbol, s.interval from signals s join ${given}
    using (exchange, symbol, interval, candle_close_at, engine_hash, data_hash, params_hash)
    where s.market = ${market}`;

function rowOf(signal: SignalWire) {
  return {
    exchange: signal.exchange,
    symbol: signal.symbol,
    interval: signal.interval,
    candle_close_at: signal.candle_close_at,
    direction: signal.direction,
    score: signal.score,
    raw_confidence: signal.raw_confidence,
    confidence: signal.confidence,
    confidence_kind: signal.confidence_kind,
    calibration_version: signal.calibration_version,
    chance: signal.chance,
    chance_n: signal.chance_n,
    chance_origin: signal.chance_origin,
    price: signal.price,
    stop_loss: signal.stopLoss,
    take_profit: signal.takeProfit,
    risk_label: signal.riskLabel,
    horizon_minutes: signal.horizon_min,
    opinions: opinionsOf(signal),
    engine_hash: signal.hashes.engine,
    data_hash: signal.hashes.data,
    params_hash: signal.hashes.params,
  };
}

/** Every non-zero opinion, by interval, the base first. */
const opinionsOf = ({ timeframes, contributions }: SignalWire): Opinions =>
  timeframes.map(({ interval, weight }) => {
    const own = contributions.filter((each) => each.interval === interval && each.opinion !== 0);
    return [interval, weight, Object.fromEntries(own.map(({ vote, opinion }) => [vote, opinion]))];
  });
