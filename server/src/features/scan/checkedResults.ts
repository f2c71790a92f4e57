import { ok } from '@sextant/workers/src/core/result.ts';
import { sql } from 'kysely';
import type { UserTx } from '../../platform/db/scope.ts';
import { type Outcome, reject } from '../../platform/errors.ts';
import { isScanTooOld } from '@sextant/workers/src/signals/signalVerdict.ts';
import { keyOf } from '../trackRecord/recordSignals.ts';
import { correctionOf } from './aicheck/aiFields.ts';
import { readChecks } from './aicheck/checkRepository.ts';
import { signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import type { CheckedResults, ScanParams } from './contract.ts';
import { readScan } from './scanRepository.ts';

export type CheckedResult = CheckedResults['all'][number] & {
  /** Levels of an approved check that replace the signal's, percent from the entry. */
  correction: { stop_loss_pct: number; take_profit_pct: number } | null;
};

export interface OpeningTerms {
  /** The saved strategy of the scan. */
  strategy: ScanParams['strategy'];
  /** It ended longer ago than its shortest interval: newer candles may differ. */
  isTooOld: boolean;
}

/** What a scan fixes for its openings; limits and lists are those of the settings at the opening. */
export async function readOpeningTerms(tx: UserTx, scanId: string): Promise<OpeningTerms> {
  const scan = await tx
    .selectFrom('scans')
    .select('params')
    .select(sql<number | null>`extract(epoch from finished_at)::float8 * 1000`.as('finished_ms'))
    .select(sql<number>`extract(epoch from now())::float8 * 1000`.as('now_ms'))
    .where('id', '=', scanId)
    .executeTakeFirst();
  const { intervals, strategy }: Partial<ScanParams> = scan?.params ?? {};
  return {
    strategy,
    isTooOld:
      scan === undefined ||
      isScanTooOld({ intervals: intervals ?? signalIntervals, finishedMs: scan.finished_ms }, scan.now_ms),
  };
}

/** The result of a user's scan for a market that is acted on by hand. */
export async function checkedResult(
  tx: UserTx,
  { scanId, symbol, interval }: { scanId: string; symbol: string; interval: string },
): Promise<Outcome<CheckedResult>> {
  const results = await checkedResults(tx, scanId);
  if (results === null) return reject('not_found', 'Scan not found.');
  if (results === 'unfinished') return reject('no_result', 'The scan is not finished.', { field: 'scan_id' });
  const result = results.find((each) => each.symbol === symbol && each.interval === interval);
  return result === undefined
    ? reject('no_result', `The scan has no result for ${symbol} on ${interval}.`, { field: 'symbol' })
    : ok(result);
}

/** The results of a user's scan with their AI checks, for features that act on them. */
export async function checkedResults(tx: UserTx, scanId: string): Promise<CheckedResult[] | 'unfinished' | null> {
  const scan = await readScan(tx, scanId);
  if (scan === null) return null;
  if (scan.results === null) return 'unfinished';
  const checks = await readChecks(tx, scanId);
  const corrections = new Map(checks.map((check) => [keyOf(check), correctionOf(check)]));
  return scan.results.all.map((result) => ({
    ...result,
    correction: corrections.get(keyOf(result)) ?? null,
  }));
}
