import { type Calibration, fitCalibration, type PastBet } from '@sextant/workers/src/signals/calibration.ts';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { sql } from 'kysely';
import type { MarketMode } from '../../config.ts';
import { databaseNowMs } from '../../platform/db/databaseNow.ts';
import { type Db, type SystemTx, withSystem } from '../../platform/db/scope.ts';
import type { Interval } from '../market/port.ts';
import { STRATEGY_VERSION } from '../signals/strategyVersion.ts';
import { type Bet, firstOfEach } from '@sextant/workers/src/signals/clusters.ts';
import { type BasisValues, insertBasis, METHOD, readBases } from '../signals/confidenceBasis.ts';
import { deadlineOf } from '@sextant/workers/src/signals/outcome.ts';

/** Maps from raw confidence to chance, rebuilt every half hour by the leading node. */

export const RECALIBRATE_MS = 30 * 60_000;
/** Older outcomes are from different market conditions. */
export const WINDOW_MS = 180 * 86_400_000;
export const SIGNALS_MAX = 20_000;

/** A resolved signal of one interval and strategy version. */
export interface LedgerSignal extends Bet {
  rawConfidence: number;
  issuedAtMs: number;
  netFraction: number;
  stopFraction: number;
  /** Epoch ms: its outcome was stored. */
  recordedAtMs: number;
  /** Epoch ms: the end of its horizon. Absent: that of the public record. */
  deadlineMs?: number;
}

/**
 * Outcomes known at a moment, one signal of each bet. A signal counts only after its whole horizon, even if it ended early: stops are
 * nearer than targets, so early outcomes are losses more often than the rest.
 */
export function betsKnownAt(signals: readonly LedgerSignal[], asOfMs: number): (PastBet & { issuedAtMs: number })[] {
  const knownAtMs = (signal: LedgerSignal): number =>
    Math.max(signal.deadlineMs ?? deadlineOf(signal), signal.exitAtMs, signal.recordedAtMs);
  return firstOfEach(signals.filter((signal) => knownAtMs(signal) <= asOfMs)).map((signal) => ({
    rawConfidence: signal.rawConfidence,
    isWon: signal.netFraction > 0,
    netStops: signal.netFraction / signal.stopFraction,
    knownAtMs: knownAtMs(signal),
    issuedAtMs: signal.issuedAtMs,
  }));
}

/** The map of one interval at a moment, in stored form. */
export function basisAt(
  interval: string,
  signals: readonly LedgerSignal[],
  asOfMs: number,
  strategyVersion = STRATEGY_VERSION,
): BasisValues {
  const bets = betsKnownAt(signals, asOfMs);
  const fit: Calibration = fitCalibration(bets, asOfMs);
  const issued = bets.map(({ issuedAtMs }) => issuedAtMs);
  const isoOf = (pick: (a: number, b: number) => number): string | null =>
    issued.length === 0 ? null : new Date(issued.reduce((a, b) => pick(a, b))).toISOString();
  return {
    interval,
    strategy_version: strategyVersion,
    outcome_count: fit.count,
    base_rate: fit.baseRate,
    as_of: new Date(asOfMs).toISOString(),
    window_from: isoOf(Math.min),
    window_to: isoOf(Math.max),
    points: fit.points,
    mean_win_stops: fit.meanWinStops,
    mean_loss_stops: fit.meanLossStops,
  };
}

export interface RecalibrateDeps {
  db: Db;
  config: { market: MarketMode };
  /** Throws in a transaction of a node that no longer leads. */
  assertLeader: (tx: SystemTx) => Promise<void>;
}

/** One round: every interval with outcomes that its newest map of this method lacks. Returns how many maps were stored. */
export async function recalibrate({ db, config, assertLeader }: RecalibrateDeps): Promise<number> {
  const { market } = config;
  const made = await withSystem(db, (tx) => readBases(tx, market, METHOD));
  const newest = new Map(made.map((each) => [each.interval, each]));
  let writtenCount = 0;
  for (const interval of Object.keys(intervalMs) as Interval[]) {
    await withSystem(db, async (tx) => {
      const asOfMs = await databaseNowMs(tx);
      const basis = basisAt(interval, await readLedger(tx, { market, interval, asOfMs }), asOfMs);
      const before = newest.get(interval);
      const isSame = before === undefined ? basis.outcome_count === 0 : hasSameOutcomes(before, basis);
      if (isSame) return;
      await assertLeader(tx);
      await insertBasis(tx, market, basis);
      writtenCount += 1;
    });
  }
  return writtenCount;
}

export const hasSameOutcomes = (
  a: Pick<BasisValues, 'outcome_count' | 'window_from' | 'window_to' | 'base_rate'>,
  b: typeof a,
): boolean =>
  a.outcome_count === b.outcome_count &&
  a.base_rate === b.base_rate &&
  a.window_from === b.window_from &&
  a.window_to === b.window_to;

async function readLedger(
  tx: SystemTx,
  { market, interval, asOfMs }: { market: MarketMode; interval: Interval; asOfMs: number },
): Promise<LedgerSignal[]> {
  const rows = await tx
    .selectFrom('signals as s')
    .innerJoin('signal_outcomes as o', 'o.signal_id', 's.id')
    .select(['s.id', 's.symbol', 's.direction', 's.raw_confidence', 's.candle_close_at', 's.horizon_minutes'])
    .select(['s.price', 's.stop_loss', 'o.net_fraction', 'o.exit_at', 'o.created_at as recorded_at'])
    .select(sql<Date>`greatest(s.created_at, s.candle_close_at)`.as('issued_at'))
    .where('s.market', '=', market)
    .where('s.strategy_version', '=', STRATEGY_VERSION)
    .where('s.interval', '=', interval)
    .where('s.created_at', '>=', new Date(asOfMs - WINDOW_MS))
    .orderBy('s.created_at', 'desc')
    .limit(SIGNALS_MAX)
    .execute();
  return rows.map(ledgerSignalOf);
}

/** A database row of a resolved signal. */
interface LedgerRow {
  id: string;
  symbol: string;
  direction: string;
  raw_confidence: number;
  candle_close_at: Date;
  issued_at: Date;
  exit_at: Date;
  recorded_at: Date;
  horizon_minutes: number;
  price: number;
  stop_loss: number;
  net_fraction: number;
}

export const ledgerSignalOf = (row: LedgerRow): LedgerSignal => ({
  id: row.id,
  symbol: row.symbol,
  direction: row.direction,
  rawConfidence: row.raw_confidence,
  closeAtMs: row.candle_close_at.getTime(),
  issuedAtMs: row.issued_at.getTime(),
  exitAtMs: row.exit_at.getTime(),
  recordedAtMs: row.recorded_at.getTime(),
  horizonMinutes: row.horizon_minutes,
  netFraction: row.net_fraction,
  stopFraction: Math.abs(row.price - row.stop_loss) / row.price,
});
