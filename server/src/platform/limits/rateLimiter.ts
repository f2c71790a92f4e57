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

interface Counted {
  key: string;
  windowS: number;
  count: number;
}

/** Hits of each key, sorted, so that two calls lock shared keys in the same order. */
function countKeys(requests: readonly Limit[][]): Counted[] {
  const counted = new Map<string, Counted>();
  for (const { key, windowS } of requests.flat()) {
    const { count } = counted.get(key) ?? { count: 0 };
    counted.set(key, { key, windowS, count: count + 1 });
  }
  return [...counted.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

/**
 * Counts the hits of several requests in one statement, as if they came one after the other. Exact across all nodes, by the database clock.
 * @returns for each request the first limit that is exceeded
 */
export async function hitAll(db: Db, requests: readonly Limit[][]): Promise<(Blocked | undefined)[]> {
  const keys = countKeys(requests);
  // The wait uses clock_timestamp(): now() is the start of this transaction, which may precede the one that opened the window.
  const { rows } = await withSystem(db, (tx) =>
    sql<Row>`
      insert into rate_limits as r (key, hit_count, window_ends_at)
      select key, hits, now() + make_interval(secs => window_s)
      from unnest(${keys.map(({ key }) => key)}::text[], ${keys.map(({ windowS }) => windowS)}::float8[],
        ${keys.map(({ count }) => count)}::int[]) as l (key, window_s, hits)
      on conflict (key) do update set
        hit_count = case when r.window_ends_at <= now() then 0 else least(r.hit_count, 1000000) end + excluded.hit_count,
        window_ends_at = case when r.window_ends_at <= now() then excluded.window_ends_at else r.window_ends_at end
      returning key, hit_count, extract(epoch from window_ends_at - clock_timestamp())::float8 as rest_s`.execute(tx),
  );
  const rowOf = new Map(rows.map((row) => [row.key, row]));
  const left = new Map(keys.map(({ key, count }) => [key, count]));
  return requests.map((limits) => {
    const exceeded = limits.filter(({ key, hitMax }) => {
      const later = (left.get(key) ?? 1) - 1;
      left.set(key, later);
      return (rowOf.get(key)?.hit_count ?? 0) - later > hitMax;
    });
    const [first] = exceeded;
    const row = first && rowOf.get(first.key);
    return row && { key: row.key, retryAfterS: Math.max(1, Math.ceil(row.rest_s)) };
  });
}

export function createRateLimiter(db: Db): RateLimiter {
  return {
    hit: async (limits) => (await hitAll(db, [limits]))[0],
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
