import type { ReplayedChances, ReplayReport } from '@sextant/workers/src/protocol/replaySignals.ts';
import { z } from 'zod';
import { InstantOrNull } from '../../platform/instant.ts';
import type { MarketMode } from '../../config.ts';
import type { SystemTx } from '../../platform/db/scope.ts';
import { STRATEGY_VERSION } from './strategyVersion.ts';

/** Outcomes of Live rules on stored candles (trackRecord/replay), for the chance of a signal. docs/signals.md#replay */

const Nullable = z.number().nullable();
export const ReplayedBasis = z.object({
  as_of: z.iso.datetime(),
  outcome_count: z.int().meta({ description: 'Independent replayed outcomes.' }),
  base_rate: Nullable.meta({ description: 'Share that gained after fees.' }),
  window_from: InstantOrNull.meta({ description: 'Oldest and newest replayed signal.' }),
  window_to: InstantOrNull,
  points: z.array(z.object({ raw: z.number(), chance: z.number() })),
  mean_win_stops: Nullable,
  mean_loss_stops: Nullable,
  mean_net_pct: Nullable.meta({ description: 'Mean result after fees, percent of the entry price.' }),
  net_low_pct: Nullable.meta({
    description: 'Its 95 % interval, errors summed by blocks of days. At most 0: no edge shown.',
  }),
  net_high_pct: Nullable,
});
export type ReplayedBasis = Pick<
  z.input<typeof ReplayedBasis>,
  'outcome_count' | 'base_rate' | 'points' | 'mean_win_stops' | 'mean_loss_stops'
>;
type Wire = z.input<typeof ReplayedBasis>;

/** By interval; empty before the first replay by the current rules. */
export async function readReplayedBases(tx: SystemTx, market: MarketMode): Promise<Map<string, Wire>> {
  const row = await tx
    .selectFrom('replay_reports')
    .select(['as_of', 'report'])
    .where('market', '=', market)
    .where('strategy_version', '=', STRATEGY_VERSION)
    .executeTakeFirst();
  if (row === undefined) return new Map();
  const { chances } = row.report as Pick<ReplayReport, 'chances'>;
  return new Map(chances.map((each) => [each.interval, basisOf(each, row.as_of)]));
}

const pctOf = (fraction: number | null | undefined): number | null => (fraction == null ? null : fraction * 100);
const isoOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

const basisOf = (chances: ReplayedChances, asOf: Date): Wire => ({
  as_of: asOf.toISOString(),
  outcome_count: chances.count,
  base_rate: chances.baseRate,
  window_from: isoOf(chances.fromMs),
  window_to: isoOf(chances.toMs),
  points: chances.points,
  mean_win_stops: chances.meanWinStops,
  mean_loss_stops: chances.meanLossStops,
  mean_net_pct: pctOf(chances.net.mean),
  net_low_pct: pctOf(chances.net.interval?.low),
  net_high_pct: pctOf(chances.net.interval?.high),
});
