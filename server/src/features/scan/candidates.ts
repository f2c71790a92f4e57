import { type ConfidenceRules, lowConfidence } from './confidenceGate.ts';
import type { SignalWire } from '../signals/contract.ts';

/** Outcome of a scanned symbol and interval. Exactly one of these; final. */
export type CandidateOutcome = 'ELIGIBLE' | 'NEUTRAL' | 'LOW_CONF' | 'ZERO_QTY' | 'NO_MATCH';

export interface Candidate {
  symbol: string;
  /** `*` for a symbol that was excluded as a whole. */
  interval: string;
  outcome: CandidateOutcome;
  /** The rule that excluded it; null for self-explanatory outcomes. */
  filteredBy: string | null;
  confidence: number | null;
}

export interface Scored {
  signal: SignalWire;
  /** Its stop is hit before the liquidation price. */
  isStopNearer: boolean;
}

export interface CandidateRules extends Omit<ConfidenceRules, 'isScoreHeld'> {
  /** Absent in scans from before the option existed. */
  isScoreHeld?: boolean | undefined;
  /** Results that may be opened. */
  positionsWanted: number;
  /** The saved strategy that decides; it may enter one side only. */
  strategy?: { value: { direction: 'both' | 'long' | 'short' } } | undefined;
}

/** Best first: by confidence, score, then name, so that results are deterministic. */
export const ranked = <T extends Scored>(scored: readonly T[]): T[] =>
  [...scored].sort(
    (a, b) =>
      b.signal.confidence - a.signal.confidence ||
      b.signal.raw_confidence - a.signal.raw_confidence ||
      compare(a.signal.symbol, b.signal.symbol) ||
      compare(a.signal.interval, b.signal.interval),
  );

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** One outcome for each scored signal, in rank order. A symbol is opened once, on its best interval. */
export function judge(scored: readonly Scored[], rules: CandidateRules): Candidate[] {
  const chosen = new Set<string>();
  return ranked(scored).map(({ signal, isStopNearer }) => {
    const { symbol, interval, confidence } = signal;
    const [outcome, filteredBy] = outcomeOf(signal, isStopNearer, rules, chosen);
    if (outcome === 'ELIGIBLE') chosen.add(symbol);
    return { symbol, interval, outcome, filteredBy, confidence };
  });
}

function outcomeOf(
  signal: SignalWire,
  isStopNearer: boolean,
  rules: CandidateRules,
  chosen: ReadonlySet<string>,
): [CandidateOutcome, string | null] {
  const { direction, confidence, symbol, position } = signal;
  if (direction === 'NEUTRAL') return ['NEUTRAL', null];
  const wanted = rules.strategy?.value.direction ?? 'both';
  if (wanted !== 'both' && wanted.toUpperCase() !== direction) return ['NO_MATCH', 'direction_filter'];
  if (!hasLevels(signal)) return ['NO_MATCH', 'no_levels'];
  const held = { confidence, kind: signal.confidence_kind, isOfSavedRules: rules.strategy !== undefined };
  const low = lowConfidence(held, { ...rules, isScoreHeld: rules.isScoreHeld ?? false });
  if (low !== undefined) return ['LOW_CONF', low.detail];
  if (!(position.qty > 0)) return ['ZERO_QTY', position.refused_by];
  if (!isStopNearer) return ['NO_MATCH', 'liquidation_before_stop'];
  if (chosen.has(symbol)) return ['NO_MATCH', 'same_symbol'];
  if (chosen.size >= rules.positionsWanted) return ['NO_MATCH', 'positions_wanted'];
  return ['ELIGIBLE', null];
}

/** True for a result that passed all its rules but lost to a better one: it can replace a result that is not opened. */
export const mayTakePlace = ({ filtered_by: rule }: { filtered_by: string | null }): boolean =>
  rule === 'same_symbol' || rule === 'positions_wanted';

/** The results that get an AI check, at most `max`: eligible ones, then those that may replace one, then the others; by rank in each. */
export function resultsToCheck<T extends { outcome: string; filtered_by: string | null }>(
  all: readonly T[],
  max: number,
): T[] {
  const groupOf = (result: T): number => (result.outcome === 'ELIGIBLE' ? 0 : mayTakePlace(result) ? 1 : 2);
  return all.toSorted((a, b) => groupOf(a) - groupOf(b)).slice(0, max);
}

/** Whether it can be traded: a market without movement has neither levels nor a horizon. */
export const hasLevels = ({ stopLoss, takeProfit, horizon_min: horizon }: SignalWire): boolean =>
  stopLoss !== null && takeProfit !== null && horizon !== null && stopLoss > 0 && takeProfit > 0;

/** Counts of the outcomes, for the screen and the record. */
export function countOutcomes(candidates: readonly Candidate[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { outcome, filteredBy } of candidates) {
    const name = filteredBy === null ? outcome : `${outcome}:${filteredBy}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
