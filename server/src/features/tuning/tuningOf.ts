import type { SystemTx, UserTx } from '../../platform/db/scope.ts';
import type { TuningWeights } from '@sextant/workers/src/signals/signalRules.ts';
import { readTuning } from './tuningRepository.ts';

/** The user's saved tuning, for other features that score with it. */
export const tuningOf = async (tx: UserTx | SystemTx, userId: string): Promise<TuningWeights> =>
  (await readTuning(tx, userId)).weights;

/** The tuning and time of the user's last save; null before the first. */
export async function savedTuningOf(
  tx: UserTx,
  userId: string,
): Promise<{ weights: TuningWeights; savedAt: Date } | null> {
  const { weights, updatedAt } = await readTuning(tx, userId);
  return updatedAt === null ? null : { weights, savedAt: updatedAt };
}
