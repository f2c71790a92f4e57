import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { sql } from 'kysely';
import { withSystem } from '../../platform/db/scope.ts';
import type { ExchangeId } from '../market/port.ts';
import type { OpeningRequest } from './decideOpening.ts';
import { type OpenDeps, openPosition } from './openPosition.ts';
import { type PositionRow, strategyOf } from './positionRow.ts';
import type { createStrategySignals } from '../signals/oppositeSignals.ts';

/** The other half of a reversal is opened within this time after the first one closed, or not at all. */
const LATE_S = 60;
const AT_ONCE = 100;

/**
 * Opens the other side of positions that closed on the opposite signal, if their strategy reverses. By the rules of automatic opening;
 * without a scan there is no AI check. Idempotent across nodes. @returns how many were opened
 */
export async function openReversals(
  deps: OpenDeps,
  signals: Pick<ReturnType<typeof createStrategySignals>, 'signalAt'>,
): Promise<number> {
  const rows = await withSystem(deps.db, (tx) =>
    tx
      .selectFrom('positions as p')
      .selectAll()
      .where('p.market', '=', deps.config.market)
      .where('p.close_reason', '=', 'SIGNAL')
      .where('p.closed_at', '>', sql<Date>`now() - make_interval(secs => ${LATE_S})`)
      .where(sql<boolean>`p.strategy ->> 'onOpposite' = 'reverse'`)
      .where(
        sql<boolean>`not exists (select from positions o where o.user_id = p.user_id and o.opening_ref = 'reverse:' || p.id)`,
      )
      .where(
        sql<boolean>`not exists (select from position_events e where e.user_id = p.user_id and e.kind = 'skipped'
          and e.data ->> 'reverses' = p.id::text)`,
      )
      .where(sql<boolean>`not exists (select from deletion_requests d where d.user_id = p.user_id)`)
      .limit(AT_ONCE)
      .execute(),
  );
  let count = 0;
  for (const row of rows) {
    const request = await requestOf(signals, row);
    if (request === null) continue;
    const opened = await openPosition(deps, {
      ...request,
      userId: row.user_id,
      exchange: row.exchange as ExchangeId,
      openingRef: `reverse:${row.id}`,
      reverses: row.id,
      scanId: null,
      signalId: null,
      runId: null,
    });
    if (opened.ok && opened.value.outcome === 'opened') count++;
  }
  return count;
}

/** Null when the strategy does not enter the other side, or its candles are unavailable. */
async function requestOf(
  signals: Pick<ReturnType<typeof createStrategySignals>, 'signalAt'>,
  row: PositionRow,
): Promise<OpeningRequest | null> {
  const strategy = strategyOf(row);
  const interval = row.interval as OpeningRequest['interval'];
  if (strategy === null || row.exit_due_at === null) return null;
  const stepMs = intervalMs[interval];
  const closeMs = Math.floor(row.exit_due_at.getTime() / stepMs) * stepMs;
  const { value, version } = strategy;
  const place = { exchange: row.exchange as ExchangeId, symbol: row.symbol };
  const signal = await signals.signalAt({ ...place, strategy: value, version }, closeMs);
  if (signal === undefined || signal.direction === 'NEUTRAL' || signal.direction === row.side) return null;
  if (value.direction !== 'both' && value.direction.toUpperCase() !== signal.direction) return null;
  return {
    source: 'scan',
    symbol: row.symbol,
    interval,
    direction: signal.direction,
    confidence: signal.rawConfidence,
    confidenceKind: 'score',
    signalPrice: signal.price,
    levels: null,
    levelsOf: 'signal',
    riskMultiplier: 1,
    sizing: { by: 'settings' },
    strategy,
    range: signal.atr,
  };
}
