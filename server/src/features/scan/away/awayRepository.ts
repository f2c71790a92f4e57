import type { SystemTx, UserTx } from '../../../platform/db/scope.ts';
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
            message: last.refused === null ? last.failure : 'No credits',
          },
  };
}
