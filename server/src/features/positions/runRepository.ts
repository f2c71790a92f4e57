import type { z } from 'zod';
import type { SystemTx, UserTx } from '../../platform/db/scope.ts';
import type { AutoRun } from './contract.ts';
import { openFailedMessage } from './messages.ts';

export type AutoRunWire = z.input<typeof AutoRun>;
export type AutoItem = AutoRunWire['items'][number];

/** The run of automatic opening over a scan, as its owner sees it. */
export function runToWire(
  run: { id: string; scan_id: string; created_at: Date; finished_at: Date | null },
  items: readonly AutoItem[],
): AutoRunWire {
  const opened = items.filter(({ outcome }) => outcome === 'OPENED');
  const failed = items.filter(({ outcome }) => outcome === 'FAILED').length;
  const skips = items.flatMap(({ outcome }) => (outcome === 'OPENED' || outcome === 'FAILED' ? [] : [outcome]));
  const [first] = skips;
  // One reason for all is the run's; several, or none because nothing came that far, are NO_MATCH.
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
    messages: [
      ...opened.map(({ message }) => message),
      ...(failed > 0 ? [openFailedMessage(failed, failed + opened.length)] : []),
    ],
    items: [...items],
  };
}

const runColumns = ['id', 'scan_id', 'created_at', 'finished_at'] as const;

export async function readItems(tx: UserTx | SystemTx, runId: string): Promise<AutoItem[]> {
  const rows = await tx
    .selectFrom('auto_run_items')
    .select(['symbol', 'interval', 'side', 'confidence', 'outcome', 'detail', 'message', 'position_id'])
    .where('run_id', '=', runId)
    .orderBy('confidence', (order) => order.desc().nullsLast())
    .orderBy('symbol')
    .orderBy('interval')
    .execute();
  return rows as AutoItem[];
}

export async function readLastRun(tx: UserTx): Promise<AutoRunWire | null> {
  const run = await tx
    .selectFrom('auto_runs')
    .select(runColumns)
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
    .where('user_id', '=', userId)
    .where('scan_id', '=', scanId)
    .executeTakeFirst();
  return run === undefined ? null : runToWire(run, await readItems(tx, run.id));
}
