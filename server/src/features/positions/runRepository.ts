import { SCAN_TOO_OLD } from '@sextant/workers/src/signals/signalVerdict.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { SystemTx, UserTx } from '../../platform/db/scope.ts';
import { type AutoItem, readItems } from '../scan/autoRunItems.ts';
import type { AutoRun } from './contract.ts';
import { openFailedMessage } from './openMessages.ts';

export type AutoRunWire = z.input<typeof AutoRun>;

/** The automatic opening of a scan, as shown to its owner. */
export function runToWire(
  run: {
    id: string;
    scan_id: string;
    created_at: Date;
    finished_at: Date | null;
    refused: string | null;
    is_first: boolean;
  },
  items: readonly AutoItem[],
): AutoRunWire {
  const opened = items.filter(({ outcome }) => outcome === 'OPENED');
  const failed = items.filter(({ outcome }) => outcome === 'FAILED').length;
  const skips = items.flatMap(({ outcome }) => (outcome === 'OPENED' || outcome === 'FAILED' ? [] : [outcome]));
  const [first] = skips;
  // A reason shared by all is the run's; several, or none, are NO_MATCH.
  const reason = first !== undefined && skips.every((each) => each === first) ? first : 'NO_MATCH';
  return {
    id: run.id,
    scan_id: run.scan_id,
    created_at: run.created_at.toISOString(),
    finished_at: run.finished_at?.toISOString() ?? null,
    opened: opened.length,
    skipped: skips.length,
    failed,
    reason: opened.length + failed > 0 ? null : reason,
    is_first: run.is_first && opened.length > 0,
    refused: run.refused as AutoRunWire['refused'],
    messages: [
      ...(run.refused === null ? [] : [SCAN_TOO_OLD]),
      ...opened.map(({ message }) => message),
      ...(failed > 0 ? [openFailedMessage(failed, failed + opened.length)] : []),
    ],
    items: [...items],
  };
}

const runColumns = ['id', 'scan_id', 'created_at', 'finished_at', 'refused'] as const;
/** Whether no earlier run of the account opened anything. */
const isFirst = sql<boolean>`not exists (select from auto_run_items i join auto_runs b on b.id = i.run_id
  where b.user_id = auto_runs.user_id and b.created_at < auto_runs.created_at and i.outcome = 'OPENED')`.as('is_first');

export async function readLastRun(tx: UserTx): Promise<AutoRunWire | null> {
  const run = await tx
    .selectFrom('auto_runs')
    .select(runColumns)
    .select(isFirst)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return run === undefined ? null : runToWire(run, await readItems(tx, run.id));
}

export async function readRunOf(tx: UserTx | SystemTx, userId: string, scanId: string): Promise<AutoRunWire | null> {
  const run = await tx
    .selectFrom('auto_runs')
    .select(runColumns)
    .select(isFirst)
    .where('user_id', '=', userId)
    .where('scan_id', '=', scanId)
    .executeTakeFirst();
  return run === undefined ? null : runToWire(run, await readItems(tx, run.id));
}
