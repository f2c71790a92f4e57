import { setTimeout as pause } from 'node:timers/promises';
import { HOUR_MS } from '@sextant/engine-as/abi/intervals.ts';
import type pg from 'pg';
import type { RetentionDays } from '../../retentionDays.ts';
import { type Db, type SystemTx, withSystem } from '../../platform/db/scope.ts';
import {
  assertLeader,
  createLeadership,
  type Leadership,
  nodeName,
  untilAborted,
} from '../../platform/jobs/leadership.ts';
import { repeat } from '../../platform/repeat.ts';
import { deleteOldVerdicts } from '../aicheck/deleteOldVerdicts.ts';
import { deleteOldNotifications } from '../notifications/dispatch.ts';
import { deleteOldSkips } from '../positions/deleteOldSkips.ts';
import { deleteOldCandidates, reduceOldChecks, reduceOldResults } from '../scan/deleteOldScans.ts';
import { deleteOldDetails } from '../scan/scanDetails.ts';

const LEADER_NAME = 'retention';
/** Between batches, so that requests come first. */
const BREATH_MS = 50;

export interface RetentionDeps {
  db: Db;
  config: { retention: RetentionDays };
}

export interface RetentionGuard {
  /** First statement of each batch: throws when this node no longer leads. */
  assertLeader: (tx: SystemTx) => Promise<void>;
  signal: AbortSignal;
}

/** One transaction of each: a bounded number of rows, which it returns. 0: nothing is left. */
type Batch = (tx: SystemTx) => Promise<number>;

function batchesOf({ resultDays, checkDays, notificationDays, skipDays }: RetentionDays): Record<string, Batch> {
  return {
    results: (tx) => reduceOldResults(tx, resultDays),
    candidates: (tx) => deleteOldCandidates(tx, resultDays),
    checks: (tx) => reduceOldChecks(tx, checkDays),
    verdicts: (tx) => deleteOldVerdicts(tx, checkDays),
    notifications: (tx) => deleteOldNotifications(tx, notificationDays),
    skips: (tx) => deleteOldSkips(tx, skipDays),
  };
}

/**
 * Deletes what is older than its retention, batch by batch, until nothing is left or the term ends. A round that was cut short is
 * continued by the next one, on any node. @returns rows by kind
 */
export async function deleteOld({ db, config }: RetentionDeps, guard: RetentionGuard): Promise<Record<string, number>> {
  await deleteOldDetails(db, config.retention.resultDays);
  const counts: Record<string, number> = {};
  for (const [name, batch] of Object.entries(batchesOf(config.retention))) {
    for (let count = 1; count > 0 && !guard.signal.aborted;) {
      count = await withSystem(db, async (tx) => {
        await guard.assertLeader(tx);
        return batch(tx);
      });
      counts[name] = (counts[name] ?? 0) + count;
      if (count > 0) await pause(BREATH_MS, undefined, { signal: guard.signal }).catch(() => undefined);
    }
  }
  return counts;
}

/** Deletes old data once an hour while this node leads: one node of all at a time. */
export function startRetention(
  deps: RetentionDeps & { newClient: () => pg.Client; warn: (error: unknown) => void },
): Pick<Leadership, 'close'> {
  return createLeadership({
    name: LEADER_NAME,
    node: nodeName(),
    newClient: deps.newClient,
    onError: deps.warn,
    lead: async ({ epoch, signal }) => {
      const guard: RetentionGuard = { signal, assertLeader: (tx) => assertLeader(tx, LEADER_NAME, epoch) };
      const stop = repeat(HOUR_MS, () => deleteOld(deps, guard), deps.warn);
      await untilAborted(signal);
      stop();
    },
  });
}
