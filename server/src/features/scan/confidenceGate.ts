import type { SignalWire } from '../signals/contract.ts';

/** The owner's minimum confidence for automatic openings. */
export interface ConfidenceRules {
  /** Percent; 0 is off. */
  minConfidencePct: number;
  /** 0.1 to 1; null is off. */
  confidenceFloor: number | null;
  /** Whether the limits also apply to the score of a saved strategy. */
  isScoreHeld: boolean;
}

interface Held {
  confidence: number;
  /** For a saved strategy: `score` until enough of its outcomes are known. */
  kind: SignalWire['confidence_kind'];
  isOfSavedRules: boolean;
}

export interface LowConfidence {
  detail: 'tuning_floor' | 'min_confidence';
  /** Percent. */
  value: number;
  limit: number;
}

/** Fraction to percent, without rounding noise: 0.6 must not become less than 60. */
export const percentOf = (fraction: number): number => Math.round(fraction * 1e8) / 1e6;

/**
 * The limit that a confidence is below; undefined when it is below none. Shared by scans and openings. A saved strategy without a
 * measured chance is judged by its own threshold: its score has another scale, and it was tested without these limits.
 */
export function lowConfidence(
  { confidence, kind, isOfSavedRules }: Held,
  { minConfidencePct, confidenceFloor, isScoreHeld }: ConfidenceRules,
): LowConfidence | undefined {
  if (isOfSavedRules && kind === 'score' && !isScoreHeld) return undefined;
  const value = percentOf(confidence);
  if (confidence < (confidenceFloor ?? 0))
    return { detail: 'tuning_floor', value, limit: percentOf(confidenceFloor ?? 0) };
  return value < minConfidencePct ? { detail: 'min_confidence', value, limit: minConfidencePct } : undefined;
}
