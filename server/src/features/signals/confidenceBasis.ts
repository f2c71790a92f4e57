import {
  calibrated,
  type Calibration,
  type CalibrationPoint,
  EVIDENCE_MIN,
  expectedFraction,
} from '@sextant/workers/src/signals/calibration.ts';
import { chanceOf } from '@sextant/workers/src/signals/chance.ts';
import { sql } from 'kysely';
import { z } from 'zod';
import { InstantOrNull } from '../../platform/instant.ts';
import type { MarketMode } from '../../config.ts';
import { type Db, type SystemTx, withSystem } from '../../platform/db/scope.ts';
import { readReplayedBases, ReplayedBasis } from './replayedBasis.ts';
import { STRATEGY_VERSION } from './strategyVersion.ts';
import { breakEvenChance } from '@sextant/workers/src/signals/outcome.ts';

/** Basis of a signal's stated confidence, and the active calibration maps. docs/signals.md has the method. */

export const ConfidenceKind = z.enum(['score', 'calibrated']).meta({
  description: '`calibrated`: win chance after fees, measured on past outcomes; `score`: not measured yet, raw value.',
});

const Nullable = z.number().nullable();
export const ConfidenceBasis = z.object({
  interval: z.string(),
  kind: ConfidenceKind,
  strategy_version: z.string(),
  version: z.int().nullable().meta({ description: 'Id of the calibration; null: none yet.' }),
  outcome_count: z.int().meta({ description: 'Outcomes used; near-identical signals count once.' }),
  needed: z.int().meta({ description: 'Outcomes needed for calibration.' }),
  base_rate: Nullable.meta({ description: 'Share that gained after fees.' }),
  as_of: InstantOrNull.meta({ description: 'Outcomes known by then were used.' }),
  window_from: InstantOrNull.meta({ description: 'Oldest and newest signal used.' }),
  window_to: InstantOrNull,
  points: z
    .array(z.object({ raw: z.number(), chance: z.number() }))
    .meta({ description: 'Raw confidence and win chance, ascending; linear between, flat beyond. Empty: score.' }),
  mean_win_stops: Nullable.meta({ description: 'Mean net result of those that gained, in stop distances.' }),
  mean_loss_stops: Nullable.meta({ description: 'Mean net result of the others, in stop distances.' }),
  replayed: ReplayedBasis.nullish().meta({
    description: 'Outcomes of Live rules on stored candles. Part of `chance`, never of `confidence`. null: none.',
  }),
});
export type ConfidenceBasis = z.input<typeof ConfidenceBasis>;

/** Confidence of one signal in wire form. */
export const ConfidenceFields = {
  confidence: z.number().min(0).max(1).meta({
    description: 'Used for display, gating and ranking; see `confidence_kind`.',
  }),
  confidence_kind: ConfidenceKind,
  raw_confidence: z.number().min(0).max(1).meta({
    description: 'Raw value, shown as score: 1 - (1 - |score|)^2. Not a probability.',
  }),
  calibration_version: z.int().nullable().meta({ description: 'null: `confidence` is the score.' }),
  break_even: Nullable.meta({
    description: 'Break-even win chance of target and stop after fees; null without levels.',
  }),
  expected_net_fraction: Nullable.meta({
    description: 'Expected result after fees, a signed fraction of the entry price. null: not measured yet.',
  }),
  expected_net_usdt: Nullable.meta({ description: 'The same for `position`.' }),
  chance: z.number().min(0).max(1).nullable().meta({
    description: 'Win chance after fees from replayed and live outcomes; null: too few of both, or NEUTRAL.',
  }),
  chance_n: z.int().nullable().meta({ description: 'Independent outcomes behind `chance`.' }),
  chance_origin: z.enum(['live', 'replayed', 'mixed']).nullable().meta({
    description: '`replayed`: Live rules on stored candles; `live`: signals as recorded; `mixed`: both.',
  }),
  expected_net_pct: Nullable.meta({
    description: 'Expected result after fees by `chance`; 2 is 2 % of the entry price.',
  }),
};
type Stated = z.input<z.ZodObject<typeof ConfidenceFields>>;

interface Unstated {
  direction: 'LONG' | 'SHORT' | 'NEUTRAL';
  rawConfidence: number;
  price: number;
  stopLoss: number | null;
  takeProfit: number | null;
  sizeUsdt: number;
}

/** Stated confidence of a signal. One without a direction is no bet and has its raw value. */
export function stateConfidence(signal: Unstated, basis: ConfidenceBasis): Stated {
  const { direction, rawConfidence, price, stopLoss, takeProfit, sizeUsdt } = signal;
  const isBet = direction !== 'NEUTRAL' && stopLoss !== null && takeProfit !== null;
  const isCalibrated = isBet && basis.kind === 'calibrated';
  const confidence = isCalibrated ? calibrated(rawConfidence, basis.points) : rawConfidence;
  const means = { meanWinStops: basis.mean_win_stops, meanLossStops: basis.mean_loss_stops };
  const expected = isCalibrated ? expectedFraction(confidence, Math.abs(price - stopLoss) / price, means) : null;
  return {
    confidence,
    confidence_kind: isCalibrated ? 'calibrated' : 'score',
    raw_confidence: rawConfidence,
    calibration_version: isCalibrated ? basis.version : null,
    break_even: isBet ? breakEvenChance({ direction, price, stopLoss, takeProfit }) : null,
    expected_net_fraction: expected,
    expected_net_usdt: expected === null ? null : expected * sizeUsdt,
    ...stateChance(rawConfidence, isBet ? Math.abs(price - stopLoss) / price : null, basis),
  };
}

const noChance = { chance: null, chance_n: null, chance_origin: null, expected_net_pct: null } as const;

/** @param stopFraction distance of the stop, fraction of the price; null: no bet */
function stateChance(
  rawConfidence: number,
  stopFraction: number | null,
  basis: ConfidenceBasis,
): Pick<Stated, keyof typeof noChance> {
  if (stopFraction === null) return noChance;
  const replayed = basis.replayed ?? null;
  const stated = chanceOf(rawConfidence, {
    live: outcomesOf(basis),
    replayed: replayed === null ? null : outcomesOf(replayed),
    stopFraction,
  });
  if (stated === null) return noChance;
  const { chance, count, origin, expectedFraction: expected } = stated;
  return {
    chance,
    chance_n: count,
    chance_origin: origin,
    expected_net_pct: expected === null ? null : expected * 100,
  };
}

const outcomesOf = (basis: ReplayedBasis): Calibration => ({
  count: basis.outcome_count,
  baseRate: basis.base_rate,
  points: basis.points,
  meanWinStops: basis.mean_win_stops,
  meanLossStops: basis.mean_loss_stops,
});

export const unmeasured = (interval: string, strategyVersion = STRATEGY_VERSION): ConfidenceBasis => ({
  interval,
  kind: 'score',
  strategy_version: strategyVersion,
  version: null,
  outcome_count: 0,
  needed: EVIDENCE_MIN,
  base_rate: null,
  as_of: null,
  window_from: null,
  window_to: null,
  points: [],
  mean_win_stops: null,
  mean_loss_stops: null,
  replayed: null,
});

export interface ConfidenceBases {
  /** Synchronous, from memory: as of the last `refresh`. */
  of: (interval: string) => ConfidenceBasis;
  /** Reads the newest maps; undefined when they were read a moment ago. */
  refresh: () => Promise<void> | undefined;
}

const FRESH_MS = 30_000;
/** While nothing is measured: the first scans of an installation have their chances as soon as the replay has them. */
const EMPTY_FRESH_MS = 2000;

/** Caches the newest map of each interval, so that a signal on warm candles needs no database query. */
export function createConfidenceBases(db: Db, market: MarketMode): ConfidenceBases {
  let bases = new Map<string, ConfidenceBasis>();
  let readAtMs = -Infinity;
  let running: Promise<void> | undefined;
  const read = async (): Promise<void> => {
    bases = new Map((await withSystem(db, (tx) => readAllBases(tx, market))).map((basis) => [basis.interval, basis]));
    readAtMs = performance.now();
  };
  return {
    of: (interval) => bases.get(interval) ?? unmeasured(interval),
    refresh() {
      if (performance.now() - readAtMs < (bases.size === 0 ? EMPTY_FRESH_MS : FRESH_MS)) return undefined;
      running ??= read().finally(() => (running = undefined));
      return running;
    },
  };
}

/** Live and replayed outcomes of each interval that has any. */
export async function readAllBases(tx: SystemTx, market: MarketMode): Promise<ConfidenceBasis[]> {
  const live = await readBases(tx, market);
  const replayed = await readReplayedBases(tx, market);
  const intervals = new Set([...live.map(({ interval }) => interval), ...replayed.keys()]);
  return [...intervals].map((interval) => ({
    ...(live.find((each) => each.interval === interval) ?? unmeasured(interval)),
    replayed: replayed.get(interval) ?? null,
  }));
}

/** The newest map of each interval for this version of the rules. @param method restricts the maps to this method; absent: any */
export async function readBases(tx: SystemTx, market: MarketMode, method?: string): Promise<ConfidenceBasis[]> {
  const rows = await tx
    .selectFrom('signal_calibrations')
    .selectAll()
    .distinctOn('interval')
    .where('market', '=', market)
    .where('strategy_version', '=', STRATEGY_VERSION)
    .$if(method !== undefined, (query) => query.where('method', '=', method ?? ''))
    .orderBy('interval')
    .orderBy('as_of', 'desc')
    .execute();
  return rows.map(basisOfRow);
}

interface BasisRow {
  version: number;
  interval: string;
  strategy_version: string;
  outcome_count: number;
  base_rate: number | null;
  as_of: Date;
  window_from: Date | null;
  window_to: Date | null;
  points: unknown;
  mean_win_stops: number | null;
  mean_loss_stops: number | null;
}

/** A stored map, of the built-in rules or of a saved strategy. */
export function basisOfRow(row: BasisRow): ConfidenceBasis {
  const points = row.points as CalibrationPoint[];
  return {
    interval: row.interval,
    kind: points.length === 0 ? 'score' : 'calibrated',
    strategy_version: row.strategy_version,
    version: row.version,
    outcome_count: row.outcome_count,
    needed: EVIDENCE_MIN,
    base_rate: row.base_rate,
    as_of: row.as_of.toISOString(),
    window_from: row.window_from?.toISOString() ?? null,
    window_to: row.window_to?.toISOString() ?? null,
    points,
    mean_win_stops: row.mean_win_stops,
    mean_loss_stops: row.mean_loss_stops,
    replayed: null,
  };
}

export type BasisValues = Omit<ConfidenceBasis, 'kind' | 'needed' | 'version' | 'as_of' | 'replayed'> & {
  as_of: string;
};

/** A map with the same outcomes as the newest is not stored again. */
export async function insertBasis(tx: SystemTx, market: MarketMode, basis: BasisValues): Promise<void> {
  await sql`
    insert into signal_calibrations (market, interval, strategy_version, method, as_of, window_from, window_to, outcome_count, base_rate,
      points, mean_win_stops, mean_loss_stops)
    values (${market}, ${basis.interval}, ${basis.strategy_version}, ${METHOD}, ${basis.as_of}, ${basis.window_from}, ${basis.window_to},
      ${basis.outcome_count}, ${basis.base_rate}, ${JSON.stringify(basis.points)}::jsonb, ${basis.mean_win_stops},
      ${basis.mean_loss_stops})
    on conflict do nothing`.execute(tx);
}

/** Changes with the method, to distinguish maps of other methods. */
export const METHOD = 'logistic-groups-2';
