import { sql } from 'kysely';
import type { SystemTx, UserTx } from '../../../platform/db/scope.ts';
import type { ApprovalOptions } from '../../aicheck/approval.ts';
import type { AiCheck } from '../../aicheck/runAiCheck.ts';
import type { Verdict } from '../../aicheck/verdict.ts';
import { CHECKS_MAX } from './contract.ts';

/** One result of one scan. */
export interface CheckKey {
  scanId: string;
  symbol: string;
  interval: string;
}

export interface StoredCheck extends ApprovalOptions {
  symbol: string;
  interval: string;
  state: 'asking' | 'online' | 'offline';
  reason: string | null;
  decidedBy: 'model' | 'built_in' | null;
  model: string | null;
  verdict: Verdict | null;
}

/** A check of a server that died is open at most this long: twice the longest check. */
const CHECK_S_MAX = 60;

/**
 * Reserves a check of one result. The row of the scan is locked, so that the limit holds for concurrent requests; the table has ten
 * slots in any case. A result with a finished check, with or without a verdict, keeps its slot.
 */
export async function takePlace(
  tx: SystemTx,
  { scanId, symbol, interval }: CheckKey,
  more: ApprovalOptions & { userId: string; signalId: string },
): Promise<'ask' | 'known' | 'under_way' | 'used_up'> {
  await tx.selectFrom('scans').select('id').where('id', '=', scanId).forUpdate().execute();
  const checks = await tx
    .selectFrom('scan_ai_checks')
    .select(['symbol', 'interval', 'state', 'place'])
    .select(sql<boolean>`asked_at > now() - make_interval(secs => ${CHECK_S_MAX})`.as('is_recent'))
    .where('scan_id', '=', scanId)
    .execute();
  const own = checks.find((check) => check.symbol === symbol && check.interval === interval);
  const options = { soft_approval: more.softApproval, allow_correction: more.allowAiCorrectionOnReject };
  if (own === undefined) {
    if (checks.length >= CHECKS_MAX) return 'used_up';
    const place = checks.length + 1;
    const { userId: user_id, signalId: signal_id } = more;
    await tx
      .insertInto('scan_ai_checks')
      .values({ scan_id: scanId, user_id, signal_id, symbol, interval, place, ...options })
      .execute();
    return 'ask';
  }
  if (own.state === 'asking' && own.is_recent) return 'under_way';
  const isKnown = own.state === 'online';
  await tx
    .updateTable('scan_ai_checks')
    .set({ ...options, ...(isKnown ? {} : { state: 'asking', reason: null, asked_at: sql`now()` }) })
    .where('scan_id', '=', scanId)
    .where('symbol', '=', symbol)
    .where('interval', '=', interval)
    .execute();
  return isKnown ? 'known' : 'ask';
}

/** Stores the outcome of the check. An existing verdict is not replaced. */
export async function keepCheck(tx: SystemTx, { scanId, symbol, interval }: CheckKey, check: AiCheck): Promise<void> {
  const { state } = check;
  await tx
    .updateTable('scan_ai_checks')
    .set(
      check.state === 'offline'
        ? { state, reason: check.reason }
        : { state, reason: null, decided_by: check.by, model: check.model, verdict: JSON.stringify(check.verdict) },
    )
    .where('scan_id', '=', scanId)
    .where('symbol', '=', symbol)
    .where('interval', '=', interval)
    .where('state', '!=', 'online')
    .execute();
}

export async function readChecks(tx: UserTx, scanId: string): Promise<StoredCheck[]> {
  const rows = await tx
    .selectFrom('scan_ai_checks')
    .select(['symbol', 'interval', 'state', 'reason', 'decided_by', 'model', 'verdict'])
    .select(['soft_approval', 'allow_correction'])
    .where('scan_id', '=', scanId)
    .execute();
  return rows.map(({ symbol, interval, reason, model, ...row }) => ({
    symbol,
    interval,
    reason,
    model,
    state: row.state as StoredCheck['state'],
    decidedBy: row.decided_by as StoredCheck['decidedBy'],
    verdict: row.verdict as Verdict | null,
    softApproval: row.soft_approval,
    allowAiCorrectionOnReject: row.allow_correction,
  }));
}
