import { setTimeout as delay } from 'node:timers/promises';
import { type Db, withUser } from '../../../platform/db/scope.ts';
import type { AiCheckDeps } from '../../aicheck/runAiCheck.ts';
import { preferencesOf } from '../../preferences/preferencesOf.ts';
import { checkResult } from '../aicheck/checkResult.ts';
import { CHECKS_MAX } from '../aicheck/contract.ts';
import type { signalIntervals } from '../../signals/rules.ts';
import { readScan } from '../scanRepository.ts';

/** SIG-042 */
const gapMs = 120;

/**
 * The AI checks of a scan nobody was there for: its best results, one after the other. A server that dies in between leaves the rest
 * to the next one, and what has been asked is not asked again. Says whether positions shall be opened of what was approved.
 */
export async function checkAwayResults(
  deps: AiCheckDeps & { db: Db },
  { userId, scanId }: { userId: string; scanId: string },
  signal: AbortSignal,
): Promise<{ isOpeningWanted: boolean }> {
  const { scan, preferences } = await withUser(deps.db, userId, async (tx) => ({
    scan: await readScan(tx, scanId),
    preferences: await preferencesOf(tx),
  }));
  const results = scan?.results?.all.slice(0, CHECKS_MAX) ?? [];
  for (const { symbol, interval, ai_state: state } of results) {
    // Thrown, so that the queue gives the rest to another server.
    signal.throwIfAborted();
    if (state !== 'unchecked') continue;
    await checkResult(deps, userId, {
      scan_id: scanId,
      symbol,
      interval: interval as (typeof signalIntervals)[number],
      limit: 200,
      allowAiCorrectionOnReject: preferences.ai_allow_correction,
      softApproval: preferences.ai_soft_approval,
    });
    await delay(gapMs);
  }
  return { isOpeningWanted: preferences.auto_open_enabled };
}
