import { isOpenable, isScanTooOld, type VerdictFacts, verdictsOf } from '@sextant/workers/src/signals/signalVerdict.ts';
import type { z } from 'zod';
import type { MarketMode } from '../../config.ts';
import { databaseNowMs } from '../../platform/db/databaseNow.ts';
import type { UserTx } from '../../platform/db/scope.ts';
import { readScanOpenings } from './scanOpenings.ts';
import { readGuards } from '../guards/readGuards.ts';
import { preferencesOf } from '../preferences/preferencesOf.ts';
import type { CheckedResults, Scan, ScanResults } from './contract.ts';
import type { CheckedScan } from './scanRepository.ts';

type ShownScan = z.input<typeof Scan>;

/** Adds to every result whether it may open; the best is the first that may. */
export function withVerdicts(results: CheckedResults, facts: VerdictFacts): ScanResults {
  const verdicts = verdictsOf(results.all, facts);
  const all = results.all.flatMap((result, i) => {
    const verdict = verdicts[i];
    return verdict === undefined ? [] : [{ ...result, verdict }];
  });
  return { ...results, all, best: all.find(({ verdict }) => isOpenable(verdict)) ?? null };
}

/** A scan as shown to its owner, with the current account. */
export async function showScan(
  tx: UserTx,
  scan: CheckedScan | null,
  { userId, market }: { userId: string; market: MarketMode },
): Promise<ShownScan | null> {
  if (scan === null) return null;
  const { results } = scan;
  if (results === null) return { ...scan, results };
  const facts = await readFacts(tx, scan, userId, market);
  return { ...scan, results: withVerdicts(results, facts) };
}

async function readFacts(tx: UserTx, scan: CheckedScan, userId: string, market: MarketMode): Promise<VerdictFacts> {
  const finishedMs = scan.finished_at === null ? null : Date.parse(scan.finished_at);
  const settings = await preferencesOf(tx);
  const nowMs = await databaseNowMs(tx);
  return {
    ...(await readScanOpenings(tx, scan.scan_id, market)),
    isTooOld: isScanTooOld({ intervals: scan.params.intervals, finishedMs }, nowMs),
    guards: await readGuards(tx, userId, settings, { nowMs, market }),
    settings,
    strategy: scan.params.strategy,
  };
}
