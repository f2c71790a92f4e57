import type { SignalWire } from '../signals/contract.ts';

/** What the owner of an account asks of a confidence before anything opens by itself. */
export interface ConfidenceRules {
  /** Percent; 0 is off. */
  minConfidencePct: number;
  /** 0.1 to 1; null is off. */
  confidenceFloor: number | null;
  /** Whether the score of a saved strategy is held to them, too. */
  isScoreHeld: boolean;
}

interface Held {
  confidence: number;
  /** Of a saved strategy: it is `score` until enough of its own outcomes are known. */
  kind: SignalWire['confidence_kind'];
  isOfSavedRules: boolean;
}

export interface LowConfidence {
  detail: 'tuning_floor' | 'min_confidence';
  /** Percent. */
  value: number;
  limit: number;
}

/** Fraction to percent, without the noise of the product: rounding must not turn 0.6 into less than 60. */
export const percentOf = (fraction: number): number => Math.round(fraction * 1e8) / 1e6;

/**
 * Which limit a confidence is below; undefined when it is below none. The one rule of scan and opening. A saved strategy without a
 * measured chance is judged by its own threshold: its score is another scale, and it was tested without these limits.
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
