import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Db, type SystemTx, withSystem } from '../../platform/db/scope.ts';
import { notifyUser } from '../../platform/events/notify.ts';

const HOUR_MS = 3_600_000;

/**
 * Long because leases are acquired, used and returned in one file, so that the steps are changed together.
 */

/** A user's use of the current hour. */
export interface HourlyUse {
  isAdmitted: boolean;
  limit: number;
  /** Calls left as known to this node: exact while no other node serves the user. */
  remaining: number;
  /** Seconds until the next hour starts. */
  resetS: number;
}

export interface HourlyLimits {
  /** Counts one call of the user's hour. Fetches leases of several calls from the database. */
  take: (userId: string, limit: number) => Promise<HourlyUse>;
  /** Stores the used calls and returns the unused ones of idle users. */
  report: () => Promise<void>;
  /** Returns this user's unused calls, because another node has none left. */
  giveBack: (userId: string) => Promise<void>;
  /** Calls used in the current hour on all nodes. */
  countUsed: (tx: SystemTx, userId: string) => Promise<number>;
  close: () => Promise<void>;
}

export interface HourlyLimitsOptions {
  db: Db;
  /** Epoch ms; hours start on the full hour, UTC. */
  nowMs: () => number;
  /** Called after a report with the user's calls of the hour. */
  onUse?: (userId: string, used: number, limit: number) => Promise<void>;
  onError: (error: unknown) => void;
  /** Table in which the nodes share their leases; test keys have a separate count. */
  table?: LeaseTable;
}

type LeaseTable = 'api_leases' | 'api_test_leases';

/** This node's lease of one user's hour. */
interface Lease {
  windowMs: number;
  limit: number;
  /** Calls it may still admit. */
  available: number;
  /** Admitted and not yet stored. */
  unreported: number;
  /** Calls of a limit that has changed; returned before the next refill. */
  returning: number;
  /** Calls granted of the limit, on all nodes, at the last refill. */
  grantedTotal: number;
  /** All calls are used: reject without querying the database until the hour or the limit changes. */
  isSpent: boolean;
  /** Other nodes hold the rest and do not respond: reject without querying the database until then. */
  rejectedUntilMs: number;
  refill: Promise<void> | undefined;
  usedAtMs: number;
  /** Used since the owner's use was last checked. */
  isUseNew: boolean;
}

const reportMs = 1000;
/** A lease is returned after this time without a call. */
const idleMs = 2000;
/** How long a node waits for other nodes to return calls: those of a dead node count as used. */
const recall = { tries: 5, pauseMs: 60, rejectedMs: 2000 };
/** Fraction of the remaining calls that one lease gets: large at first, single calls near the limit. */
const leaseShare = 10;

interface Granted {
  granted: number;
  total: number;
  elsewhere: number;
}

interface UseRequest {
  table: LeaseTable;
  userId: string;
  windowMs: number;
  limit: number;
  used: number;
  returned: number;
  node: string;
}

/** Stores used calls, returns unneeded ones and acquires a lease. A lock across nodes bounds the sum of all leases by the limit. */
async function lease(
  tx: SystemTx,
  { table, userId, windowMs, limit, used, returned, node }: UseRequest,
): Promise<Granted> {
  const start = new Date(windowMs);
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${table} ${userId}`}, 0))`.execute(tx);
  await sql`update ${sql.table(table)} set used = used + ${used}, granted = granted - ${returned}
    where user_id = ${userId} and window_start = ${start} and node = ${node}`.execute(tx);
  const { rows } = await sql<Granted>`
    with held as (
      select coalesce(sum(granted), 0)::int as total, coalesce(sum(granted - used) filter (where node <> ${node}), 0)::int as elsewhere
      from ${sql.table(table)} where user_id = ${userId} and window_start = ${start}
    ), part as (
      select greatest(0, least(${limit} - total, ceil((${limit} - total)::float8 / ${leaseShare})))::int as granted, total, elsewhere from held
    ), stored as (
      insert into ${sql.table(table)} as l (user_id, window_start, node, granted, used)
      select ${userId}, ${start}, ${node}, granted, 0 from part where granted > 0
      on conflict (user_id, window_start, node) do update set granted = l.granted + excluded.granted
    ) select granted, total + granted as total, elsewhere from part`.execute(tx);
  return rows[0] ?? { granted: 0, total: limit, elsewhere: 0 };
}

interface LeaseRow {
  userId: string;
  lease: Lease;
  /** Unused calls of the lease to return. */
  returned: number;
}

const windowOf = (atMs: number): number => Math.floor(atMs / HOUR_MS) * HOUR_MS;

const createLease = (windowMs: number, limit: number): Lease => ({
  windowMs,
  limit,
  available: 0,
  unreported: 0,
  returning: 0,
  grantedTotal: 0,
  isSpent: false,
  rejectedUntilMs: 0,
  refill: undefined,
  usedAtMs: 0,
  isUseNew: false,
});

/** Returns the calls of the old limit: the new one gets separate leases. */
function changeLimit(held: Lease, limit: number): void {
  held.limit = limit;
  held.returning += held.available;
  held.available = 0;
  held.isSpent = false;
  held.rejectedUntilMs = 0;
}

const returnAll = ({ userId, lease: held }: Pick<LeaseRow, 'userId' | 'lease'>): LeaseRow => ({
  userId,
  lease: held,
  returned: held.available,
});

/**
 * The hourly limit of a plan, exact across nodes and without a query per call: each node takes leases of several calls from
 * PostgreSQL and counts them down in memory. Before a node rejects a call, it requests the unused calls of the other nodes.
 * The lease of a killed node counts as used, so the limit is never exceeded.
 */
class LeasedLimits implements HourlyLimits {
  readonly #options: HourlyLimitsOptions;
  readonly #node = randomUUID();
  readonly #table: LeaseTable;
  readonly #leases = new Map<string, Lease>();
  /** Used calls of past hours. */
  #late: Pick<LeaseRow, 'userId' | 'lease'>[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** Calls being returned are neither here nor free: a refill waits for them. */
  #storing: Promise<void> = Promise.resolve();
  #reporting: Promise<void> = Promise.resolve();

  constructor(options: HourlyLimitsOptions) {
    this.#options = options;
    this.#table = options.table ?? 'api_leases';
  }

  async take(userId: string, limit: number): Promise<HourlyUse> {
    for (;;) {
      const held = this.#leaseOf(userId, limit);
      if (held.available > 0) {
        held.available -= 1;
        held.unreported += 1;
        held.usedAtMs = this.#options.nowMs();
        held.isUseNew = true;
        this.#schedule();
        return this.#judge(held, true);
      }
      if (held.isSpent || this.#options.nowMs() < held.rejectedUntilMs) return this.#judge(held, false);
      held.refill ??= this.#refill(userId, held).finally(() => (held.refill = undefined));
      await held.refill;
    }
  }

  /** Reports run one after the other, so that waiting for one includes all earlier ones. */
  report(): Promise<void> {
    this.#reporting = this.#reporting.catch(() => undefined).then(() => this.#reportNow());
    return this.#reporting;
  }

  async #reportNow(): Promise<void> {
    const past = this.#late;
    this.#late = [];
    const now = this.#options.nowMs();
    // Cleared before the write: a call during the write is reported next time.
    const fresh = [...this.#leases].filter(([, held]) => held.isUseNew);
    for (const [, held] of fresh) held.isUseNew = false;
    const rows = [...this.#leases].map(([userId, held]) => ({
      userId,
      lease: held,
      returned: now - held.usedAtMs >= idleMs && held.refill === undefined ? held.available : 0,
    }));
    try {
      await this.#store([...past.map(returnAll), ...rows]);
    } catch (error) {
      this.#late.push(...past);
      for (const [, held] of fresh) held.isUseNew = true;
      throw error;
    }
    for (const [userId, held] of this.#leases) {
      if (held.windowMs < windowOf(now) && held.unreported === 0 && held.available === 0) this.#leases.delete(userId);
    }
    if ([...this.#leases.values()].some((held) => held.available > 0 || held.unreported > 0 || held.isUseNew))
      this.#schedule();
    await this.#reportUse(fresh);
  }

  async giveBack(userId: string): Promise<void> {
    const held = this.#leases.get(userId);
    if (held !== undefined) await this.#store([returnAll({ userId, lease: held })]);
  }

  async countUsed(tx: SystemTx, userId: string): Promise<number> {
    const windowMs = windowOf(this.#options.nowMs());
    const held = this.#leases.get(userId);
    const unreported = held?.windowMs === windowMs ? held.unreported : 0;
    return ((await countUses(tx, this.#table, [userId], new Date(windowMs))).get(userId) ?? 0) + unreported;
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const held = [...this.#leases].map(([userId, each]) => ({ userId, lease: each }));
    await this.#store([...this.#late, ...held].map(returnAll));
  }

  #leaseOf(userId: string, limit: number): Lease {
    const windowMs = windowOf(this.#options.nowMs());
    let held = this.#leases.get(userId);
    if (held === undefined || held.windowMs < windowMs) {
      if (held !== undefined) this.#late.push({ userId, lease: held });
      held = createLease(windowMs, limit);
      this.#leases.set(userId, held);
    }
    if (held.limit !== limit) changeLimit(held, limit);
    return held;
  }

  #judge(held: Lease, isAdmitted: boolean): HourlyUse {
    const remaining = Math.max(0, held.limit - held.grantedTotal) + held.available;
    const resetS = Math.max(1, Math.ceil((held.windowMs + HOUR_MS - this.#options.nowMs()) / 1000));
    return { isAdmitted, limit: held.limit, remaining: isAdmitted ? remaining : 0, resetS };
  }

  async #requestLease(userId: string, held: Lease): Promise<Granted> {
    await this.#storing.catch(() => undefined);
    const { windowMs, limit, unreported: used, returning: returned } = held;
    held.unreported -= used;
    held.returning -= returned;
    const request = { table: this.#table, userId, windowMs, limit, used, returned, node: this.#node };
    try {
      const granted = await withSystem(this.#options.db, (tx) => lease(tx, request));
      // A limit that changed meanwhile gets a separate lease.
      if (held.limit === limit) held.available += granted.granted;
      else held.returning += granted.granted;
      held.grantedTotal = granted.total;
      return granted;
    } catch (error) {
      held.unreported += used;
      held.returning += returned;
      throw error;
    }
  }

  async #refill(userId: string, held: Lease): Promise<void> {
    const { db, nowMs } = this.#options;
    const { limit } = held;
    for (let tries = 0; ; tries += 1) {
      const { granted, elsewhere } = await this.#requestLease(userId, held);
      if (granted > 0 || held.limit !== limit) return;
      if (elsewhere === 0) {
        held.isSpent = true;
        return;
      }
      if (tries === recall.tries) {
        held.rejectedUntilMs = nowMs() + recall.rejectedMs;
        return;
      }
      if (tries === 0) await withSystem(db, (tx) => notifyUser(tx, userId, 'api', { give_back: true }));
      await pause(recall.pauseMs);
    }
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.report().catch(this.#options.onError);
    }, reportMs).unref();
  }

  /** Stores used calls and returns unused ones. What cannot be stored is sent with the next report. */
  #store(rows: LeaseRow[]): Promise<void> {
    for (const { lease: held, returned } of rows) {
      held.available -= returned;
      held.returning += returned;
    }
    this.#storing = this.#storing.catch(() => undefined).then(() => this.#storeNow(rows));
    return this.#storing;
  }

  async #storeNow(rows: LeaseRow[]): Promise<void> {
    const sent = rows
      .map(({ userId, lease: held }) => ({ userId, held, used: held.unreported, returned: held.returning }))
      .filter(({ used, returned }) => used > 0 || returned > 0);
    if (sent.length === 0) return;
    for (const { held, used, returned } of sent) {
      held.unreported -= used;
      held.returning -= returned;
    }
    try {
      await withSystem(this.#options.db, async (tx) => {
        await sql`update ${sql.table(this.#table)} l set used = l.used + d.used, granted = l.granted - d.returned
          from unnest(${sent.map(({ userId }) => userId)}::uuid[], ${sent.map(({ held }) => new Date(held.windowMs))}::timestamptz[],
            ${sent.map(({ used }) => used)}::int[], ${sent.map(({ returned }) => returned)}::int[])
            as d (user_id, window_start, used, returned)
          where l.user_id = d.user_id and l.window_start = d.window_start and l.node = ${this.#node}`.execute(tx);
      });
    } catch (error) {
      for (const { held, used, returned } of sent) {
        held.unreported += used;
        held.returning += returned;
      }
      this.#schedule();
      throw error;
    }
  }

  async #reportUse(fresh: [userId: string, lease: Lease][]): Promise<void> {
    const { db, onUse } = this.#options;
    if (onUse === undefined || fresh.length === 0) return;
    const windows = [...new Set(fresh.map(([, { windowMs }]) => windowMs))];
    for (const windowMs of windows) {
      const rows = fresh.filter(([, held]) => held.windowMs === windowMs);
      const usedOf = await withSystem(db, (tx) =>
        countUses(
          tx,
          this.#table,
          rows.map(([userId]) => userId),
          new Date(windowMs),
        ),
      );
      for (const [userId, { limit }] of rows) await onUse(userId, usedOf.get(userId) ?? 0, limit);
    }
  }
}

export const createHourlyLimits = (options: HourlyLimitsOptions): HourlyLimits => new LeasedLimits(options);

async function countUses(
  tx: SystemTx,
  table: LeaseTable,
  userIds: readonly string[],
  start: Date,
): Promise<Map<string, number>> {
  const { rows } = await sql<{
    user_id: string;
    used: number;
  }>`select user_id, sum(used)::int as used from ${sql.table(table)}
    where user_id = any(${userIds}::uuid[]) and window_start = ${start} group by user_id`.execute(tx);
  return new Map(rows.map((row) => [row.user_id, row.used]));
}

/** Deletes leases of old hours. */
export const deleteOldLeases = (db: Db): Promise<void> =>
  withSystem(db, async (tx) => {
    for (const table of ['api_leases', 'api_test_leases'])
      await sql`delete from ${sql.table(table)} where window_start < now() - interval '2 days'`.execute(tx);
  });
