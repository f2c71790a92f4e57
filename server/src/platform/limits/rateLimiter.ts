import { sql } from 'kysely';
import type { Db } from '../db/scope.ts';
import { withSystem } from '../db/scope.ts';

/** At most `hitMax` hits of `key` in a window of `windowS` seconds, which starts with the first hit. */
export interface Limit {
  key: string;
  hitMax: number;
  windowS: number;
}

export interface Blocked {
  key: string;
  retryAfterS: number;
}

export interface RateLimiter {
  /** Counts one hit on each limit, atomically. Returns the first limit that is exceeded, or undefined. */
  hit: (limits: Limit[]) => Promise<Blocked | undefined>;
  /** Resets the hits of a key. */
  forget: (key: string) => Promise<void>;
  /** Deletes windows that have ended. */
  sweep: () => Promise<void>;
}

interface Row {
  key: string;
  hit_count: number;
  rest_s: number;
}

/** Exact across all nodes: one SQL statement counts, by the database clock. */
export function createRateLimiter(db: Db): RateLimiter {
  return {
    hit: async (limits) => {
      // Sorted, so that two calls lock shared keys in the same order.
      const sorted = [...limits].sort((a, b) => (a.key < b.key ? -1 : 1));
      // The wait uses clock_timestamp(): now() is the start of this transaction, which may precede the one that opened the window.
      const { rows } = await withSystem(db, (tx) =>
        sql<Row>`
          insert into rate_limits as r (key, hit_count, window_ends_at)
          select key, 1, now() + make_interval(secs => window_s)
          from unnest(${sorted.map(({ key }) => key)}::text[], ${sorted.map(({ windowS }) => windowS)}::float8[]) as l (key, window_s)
          on conflict (key) do update set
            hit_count = case when r.window_ends_at <= now() then 1 else least(r.hit_count, 1000000) + 1 end,
            window_ends_at = case when r.window_ends_at <= now() then excluded.window_ends_at else r.window_ends_at end
          returning key, hit_count, extract(epoch from window_ends_at - clock_timestamp())::float8 as rest_s`.execute(
          tx,
        ),
      );
      for (const { key, hitMax } of limits) {
        const row = rows.find((candidate) => candidate.key === key);
        if (row !== undefined && row.hit_count > hitMax)
          return { key, retryAfterS: Math.max(1, Math.ceil(row.rest_s)) };
      }
      return undefined;
    },
    forget: (key) =>
      withSystem(db, async (tx) => {
        await tx.deleteFrom('rate_limits').where('key', '=', key).execute();
      }),
    sweep: () =>
      withSystem(db, async (tx) => {
        await sql`delete from rate_limits where window_ends_at <= now()`.execute(tx);
      }),
  };
}
