import { joinParts } from '../../core/joinParts.ts';
import type { TrialColumns } from '../../protocol/optimize.ts';
import { hashSections } from '../hashes.ts';

/** Hashed fields of every trial: its result, its origin, and its ranked value. */
export const trialFigures = ['netPnl', 'tradeCount', 'value'] as const;
export type TrialFigures = Pick<TrialColumns, (typeof trialFigures)[number]>;

/**
 * SHA-256 over every trial of a search, samples by index and then the refined ones. Equal hashes mean that every set gave the same bits,
 * however the search was split and wherever its parts ran.
 * @param samples the random samples, in order, in one piece or many
 */
export function hashTrials(samples: readonly TrialFigures[], refined: TrialFigures): string {
  return hashSections(trialFigures.map((name) => joinParts([...samples, refined].map((part) => part[name]))));
}
