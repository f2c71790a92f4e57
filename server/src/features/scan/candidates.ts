import { type ConfidenceRules, ownRejection, turnOf } from '@sextant/workers/src/signals/openingRules.ts';
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
  const result = ownRejection(signal, isStopNearer, { ...rules, isScoreHeld: rules.isScoreHeld ?? false });
  if (result !== null) return [result.outcome, result.filteredBy];
  const turn = turnOf(signal.symbol, chosen, rules.positionsWanted);
  if (turn !== null) return ['NO_MATCH', turn];
  return ['ELIGIBLE', null];
}

/** True for a result that passed all its rules but lost to a better one: it can replace a result that is not opened. */
export const mayTakeSlot = <T extends { filtered_by: string | null }>(
  result: T,
): result is T & { filtered_by: 'same_symbol' | 'positions_wanted' } =>
  result.filtered_by === 'same_symbol' || result.filtered_by === 'positions_wanted';

/** The results that get an AI check, at most `max`: eligible ones, then those that may replace one, then the others; by rank in each. */
export function resultsToCheck<T extends { outcome: string; filtered_by: string | null }>(
  all: readonly T[],
  max: number,
): T[] {
  const groupOf = (result: T): number => (result.outcome === 'ELIGIBLE' ? 0 : mayTakeSlot(result) ? 1 : 2);
  return all.toSorted((a, b) => groupOf(a) - groupOf(b)).slice(0, max);
}

/** Counts of the outcomes, for the screen and the record. */
export function countOutcomes(candidates: readonly Candidate[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { outcome, filteredBy } of candidates) {
    const name = filteredBy === null ? outcome : `${outcome}:${filteredBy}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
