import { keyOf } from '../trackRecord/recordSignals.ts';
import type { SignalWire } from '../signals/contract.ts';
import { hasLevels } from '@sextant/workers/src/signals/openingRules.ts';
import { type Candidate, countOutcomes, ranked } from './candidates.ts';
import type { StoredResults } from './contract.ts';
import type { ScanFindings } from './findSignals.ts';

const RESULTS_MAX = 500;

/** Signals of a scan for the public record, best first. */
export const recordable = (result: ScanFindings): SignalWire[] =>
  ranked(result.scored)
    .map(({ signal }) => signal)
    .filter((signal) => signal.direction !== 'NEUTRAL' && hasLevels(signal));

/** Judged candidates, then one for each series without candles, and one for each symbol excluded before. */
export function allCandidates({ universe, missing }: ScanFindings, judged: readonly Candidate[]): Candidate[] {
  const none = { outcome: 'NO_MATCH', confidence: null } as const;
  return [
    ...judged,
    ...missing.map(({ symbol, interval }): Candidate => ({ symbol, interval, ...none, filteredBy: 'no_data' })),
    ...universe.left.map(({ symbol, filteredBy }): Candidate => ({ symbol, interval: '*', ...none, filteredBy })),
  ];
}

interface Judged {
  judged: readonly Candidate[];
  /** Id of a signal in the public record; null when it is not in it. */
  idOf: (series: { symbol: string; interval: string }) => string | null;
  nowMs: number;
  totalMs: number;
}

/** The stored form of a scan. */
export function resultsOf(result: ScanFindings, { judged, idOf, nowMs, totalMs }: Judged): StoredResults {
  const outcomes = new Map(judged.map((candidate) => [keyOf(candidate), candidate]));
  const all = recordable(result).flatMap((signal): StoredResults['all'] => {
    const candidate = outcomes.get(keyOf(signal));
    const signal_id = idOf(signal);
    if (candidate === undefined || signal_id === null || candidate.filteredBy === 'tuning_floor') return [];
    return [{ ...signal, signal_id, outcome: candidate.outcome, filtered_by: candidate.filteredBy }];
  });
  return {
    best: all.find(({ outcome }) => outcome === 'ELIGIBLE') ?? null,
    all: all.slice(0, RESULTS_MAX),
    total: all.length,
    outcomes: countOutcomes(allCandidates(result, judged)),
    data_age_ms: Math.max(0, Math.round(nowMs - result.oldestFetchMs)),
    missing: result.missing.map(keyOf),
    confidence: result.confidence,
    timing: { ...result.timing, total_ms: totalMs },
  };
}
