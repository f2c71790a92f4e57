import type { SystemTx, UserTx } from '../../../platform/db/scope.ts';
import { checkStoredRules } from '../../signals/storedRules.ts';
import { usedStrategyOf } from '../../signals/usedStrategy.ts';
import type { AwayResponse } from './contract.ts';

/** Whether the service started a scan. */
export async function isAwayScan(tx: SystemTx, scanId: string): Promise<boolean> {
  const row = await tx.selectFrom('away_scans').select('slot_at').where('scan_id', '=', scanId).executeTakeFirst();
  return row !== undefined;
}

/** The setting, and the outcome of the newest slot. */
export async function readAway(tx: UserTx): Promise<AwayResponse> {
  const { keep_scanning: isOn } = await tx.selectFrom('preferences').select('keep_scanning').executeTakeFirstOrThrow();
  const last = await tx
    .selectFrom('away_scans as a')
    .leftJoin('scans as s', 's.id', 'a.scan_id')
    .select(['a.created_at', 'a.scan_id', 'a.refused', 's.status', 's.failure'])
    .orderBy('a.created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return {
    is_on: isOn,
    last:
      last === undefined
        ? null
        : {
            at: last.created_at.toISOString(),
            scan_id: last.scan_id,
            status: (last.status ?? 'refused') as NonNullable<AwayResponse['last']>['status'],
            message: last.refused === null ? last.failure : await stoppedText(tx, last.refused),
          },
  };
}

/** Why the service stopped scanning, with the first error of rules that still do not compile. */
async function stoppedText(tx: UserTx, reason: string): Promise<string> {
  if (reason !== 'rules_invalid') return 'No credits';
  const strategy = await usedStrategyOf(tx);
  const checked = strategy === undefined ? undefined : checkStoredRules(strategy);
  return checked?.ok === false ? checked.error.message.replace(/\.$/, '') : 'Your rules did not compile';
}
