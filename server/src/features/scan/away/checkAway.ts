import { checkOutcome } from '@sextant/workers/src/signals/signalChecks.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { type Db, withUser } from '../../../platform/db/scope.ts';
import type { AiCheckDeps } from '../../aicheck/runAiCheck.ts';
import { preferencesOf } from '../../preferences/preferencesOf.ts';
import { checkResult } from '../aicheck/checkResult.ts';
import { CHECKS_MAX } from '../aicheck/contract.ts';
import type { signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import { resultsToCheck } from '../candidates.ts';
import { readScan } from '../scanRepository.ts';

const gapMs = 120;
/** Pause before this process reads a check again that another process is running. */
const underWayMs = 5000;

/**
 * Checks the best results of a scan whose page is closed, sequentially. If the server dies, the next one continues with the rest; finished
 * checks are not repeated, and an interrupted one stays open for a while and is waited for.
 */
export async function checkAwayResults(
  deps: AiCheckDeps & { db: Db },
  { userId, scanId }: { userId: string; scanId: string },
  signal: AbortSignal,
  waitMs = underWayMs,
): Promise<void> {
  const { scan, preferences } = await withUser(deps.db, userId, async (tx) => ({
    scan: await readScan(tx, scanId),
    preferences: await preferencesOf(tx),
  }));
  const best = resultsToCheck(scan?.results?.all ?? [], CHECKS_MAX);
  let open = best.filter((result) => checkOutcome(result) === 'not_asked');
  while (open.length > 0) {
    const underWay: typeof open = [];
    for (const result of open) {
      // Thrown, so that the queue gives the rest to another server.
      signal.throwIfAborted();
      const { symbol, interval } = result;
      const outcome = await checkResult(deps, userId, {
        scan_id: scanId,
        symbol,
        interval: interval as (typeof signalIntervals)[number],
        limit: 200,
        allowAiCorrectionOnReject: preferences.ai_allow_correction,
        softApproval: preferences.ai_soft_approval,
      });
      if (!outcome.ok && outcome.error.code === 'rate_limited') underWay.push(result);
      await delay(gapMs);
    }
    open = underWay;
    if (open.length > 0) await delay(waitMs, undefined, { signal });
  }
}
