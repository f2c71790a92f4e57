import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { baseOf } from '@sextant/workers/src/positions/strategyExits.ts';
import { sql } from 'kysely';
import type { MarketMode } from '../../config.ts';
import type { UserTx } from '../../platform/db/scope.ts';
import { unmeasured } from '../signals/confidenceBasis.ts';
import type { OwnStrategyWire } from './contract.ts';
import { compareCalibration, LATE_MS, type RecordedSignal, type SignalResult, summarise } from './performance.ts';
import { SIGNALS_MAX } from './recalibrate.ts';
import { readStrategyBases } from './strategyRecord.ts';
import { deadlineOfTrade } from '@sextant/workers/src/signals/strategyTrade.ts';

/** The ledgers of a user's saved strategies, for their current versions, with the reliability of their confidences. */
export async function readOwnStrategies(
  tx: UserTx,
  { userId, market, nowMs }: { userId: string; market: MarketMode; nowMs: number },
): Promise<OwnStrategyWire[]> {
  const strategies = await tx
    .selectFrom('strategies')
    .select(['id', 'name', 'version', 'value', 'is_used'])
    .orderBy('is_used', 'desc')
    .orderBy('name')
    .execute();
  const ledgers = Map.groupBy(await readSignals(tx, market), ({ strategyId }) => strategyId);
  const matches: OwnStrategyWire[] = [];
  for (const { id, name, version, value, is_used } of strategies) {
    const signals = ledgers.get(id) ?? [];
    // A strategy that was never traded has nothing to show.
    if (signals.length === 0 && !is_used) continue;
    const strategy = value as Strategy;
    const base = baseOf(strategy);
    const bases = await readStrategyBases(tx, { userId, strategyId: id, version }, market);
    const isLate = (signal: RecordedSignal): boolean =>
      signal.result === null && deadlineOfTrade({ ...signal, strategy }) + LATE_MS < nowMs;
    matches.push({
      id,
      name,
      version,
      is_used,
      record: {
        ...summarise(signals),
        overdue: signals.filter(isLate).length,
        turned: signals.filter(({ result }) => result?.outcome === 'SIGNAL').length,
      },
      confidence: {
        ...compareCalibration(signals),
        bases: [bases.find(({ interval }) => interval === base) ?? unmeasured(base, version)],
      },
    });
  }
  return matches;
}

/** Row-level security shows only own rows. */
async function readSignals(tx: UserTx, market: MarketMode): Promise<(RecordedSignal & { strategyId: string })[]> {
  const rows = await tx
    .selectFrom('strategy_signals as g')
    .innerJoin('strategies as now', (join) =>
      join.onRef('now.id', '=', 'g.strategy_id').onRef('now.version', '=', 'g.strategy_version'),
    )
    .innerJoin('signals as s', 's.id', 'g.signal_id')
    .leftJoin('strategy_outcomes as o', (join) =>
      join
        .onRef('o.strategy_id', '=', 'g.strategy_id')
        .onRef('o.strategy_version', '=', 'g.strategy_version')
        .onRef('o.signal_id', '=', 'g.signal_id'),
    )
    .select(['g.strategy_id', 's.id', 's.symbol', 's.direction', 's.candle_close_at', 's.horizon_minutes'])
    .select(['g.confidence', 'g.confidence_kind', 's.raw_confidence'])
    .select(['o.outcome', 'o.net_fraction', 'o.is_ambiguous', 'o.exit_at'])
    .select(sql<Date>`greatest(g.created_at, s.candle_close_at)`.as('issued_at'))
    .where('s.market', '=', market)
    .orderBy('g.created_at', 'desc')
    .limit(SIGNALS_MAX)
    .execute();
  return rows.map((row) => ({
    strategyId: row.strategy_id,
    id: row.id,
    symbol: row.symbol,
    direction: row.direction,
    closeAtMs: row.candle_close_at.getTime(),
    issuedAtMs: row.issued_at.getTime(),
    horizonMinutes: row.horizon_minutes,
    confidence: row.confidence,
    rawConfidence: row.raw_confidence,
    isCalibrated: row.confidence_kind === 'calibrated',
    chance: null,
    result: resultOf(row),
  }));
}

function resultOf(row: {
  outcome: string | null;
  net_fraction: number | null;
  is_ambiguous: boolean | null;
  exit_at: Date | null;
}): SignalResult | null {
  const { outcome, net_fraction: netFraction, is_ambiguous: isAmbiguous, exit_at: exitAt } = row;
  if (outcome === null || netFraction === null || exitAt === null) return null;
  return {
    outcome: outcome as SignalResult['outcome'],
    netFraction,
    isAmbiguous: isAmbiguous === true,
    exitAtMs: exitAt.getTime(),
  };
}
