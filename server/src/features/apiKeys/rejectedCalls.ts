import { CALL_RETENTION_DAYS } from '@sextant/workers/src/core/apiAccess.ts';
import { sql } from 'kysely';
import { type Db, withSystem } from '../../platform/db/scope.ts';
import { createPublicLimit } from '../../platform/limits/publicLimit.ts';
import type { LoggedCall } from './callLog.ts';

/** Rejected calls of a key that are listed, per minute and node. The rest is only counted, so that a flood cannot fill the database. */
export const REJECTED_LISTED_A_MINUTE = 60;

/** Statuses of calls that are not bounded by the hourly limit of a key. */
const unbounded: ReadonlySet<number> = new Set([401, 403, 429]);
const hourMs = 3_600_000;

interface Count {
  keyId: string;
  userId: string;
  hour: string;
  count: number;
}

export interface RejectedCalls {
  /** True when the call was counted and must not be listed. */
  count: (call: LoggedCall) => boolean;
  hasCounts: () => boolean;
  /** Stores the counts; after a failure they are stored with the next ones. */
  store: () => Promise<void>;
  /** Deletes counts older than the retention of listed calls. */
  deleteOld: () => Promise<void>;
}

export function createRejectedCalls(db: Db): RejectedCalls {
  const listed = createPublicLimit({ hitMax: REJECTED_LISTED_A_MINUTE, windowMs: 60_000, now: Date.now });
  let counts = new Map<string, Count>();

  function add({ keyId, userId, hour, count }: Count): void {
    const key = `${keyId} ${hour}`;
    counts.set(key, { keyId, userId, hour, count: (counts.get(key)?.count ?? 0) + count });
  }

  return {
    count({ keyId, userId, status, atMs }) {
      if (!unbounded.has(status) || listed.hit(keyId) === undefined) return false;
      add({ keyId, userId, hour: new Date(Math.floor(atMs / hourMs) * hourMs).toISOString(), count: 1 });
      return true;
    },
    hasCounts: () => counts.size > 0,
    async store() {
      // Sorted, so that two nodes lock the rows in the same order.
      const rows = [...counts.values()].sort((a, b) => (`${a.keyId} ${a.hour}` < `${b.keyId} ${b.hour}` ? -1 : 1));
      counts = new Map();
      try {
        await withSystem(db, async (tx) => {
          await sql`insert into api_refused_counts as r (key_id, user_id, hour, count)
            select c."keyId", c."userId", c.hour, c.count
            from json_to_recordset(${JSON.stringify(rows)}::json) as c ("keyId" uuid, "userId" uuid, hour timestamptz, count bigint)
            where exists (select from api_keys where id = c."keyId")
            on conflict (key_id, hour) do update set count = r.count + excluded.count`.execute(tx);
        });
      } catch (error) {
        rows.forEach(add);
        throw error;
      }
    },
    deleteOld: () =>
      withSystem(db, async (tx) => {
        await sql`delete from api_refused_counts where hour < now() - make_interval(days => ${CALL_RETENTION_DAYS})`.execute(
          tx,
        );
      }),
  };
}
