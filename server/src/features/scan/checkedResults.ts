import type { UserTx } from '../../platform/db/scope.ts';
import { keyOf } from '../performance/recordSignals.ts';
import { correctionOf } from './aicheck/aiFields.ts';
import { readChecks } from './aicheck/checkRepository.ts';
import type { ScanResults } from './contract.ts';
import { readScan } from './scanRepository.ts';

export type CheckedResult = ScanResults['all'][number] & {
  /** Levels an approved check put in the place of the signal's, percent from the entry. */
  correction: { stop_loss_pct: number; take_profit_pct: number } | null;
};

/** What a scan asked of a confidence when it was started; absent in one whose parameters do not say. */
export async function thresholdsOf(
  tx: UserTx,
  scanId: string,
): Promise<{ minConfidencePct?: number; confidenceFloor?: number | null }> {
  const scan = await tx.selectFrom('scans').select('params').where('id', '=', scanId).executeTakeFirst();
  return scan?.params ?? {};
}

/** The results of a scan of the user's own with what their AI checks said, for what acts on them. */
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
