import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { sql } from 'kysely';
import { CLOCK_OUT_MS, isOut, offsetOf } from '../clockOffset.ts';
import type { SystemTx } from '../db/scope.ts';
import { asError } from '../asError.ts';

/** One period of leadership of this node. */
export interface Term {
  /** The fencing token; increases with each takeover. */
  epoch: number;
  /** Aborts at the end of the lease, the connection that renews it, or the node. */
  signal: AbortSignal;
  /** Ends the term early because this node's in-memory state is no longer valid. */
  end: (reason: unknown) => void;
}

export interface LeadershipOptions {
  /** Name of the led work, e.g. `positions`; nodes with the same name compete. */
  name: string;
  node: string;
  newClient: () => pg.Client;
  /** Works until the signal of its term aborts, and resolves when everything has stopped. */
  lead: (term: Term, client: pg.Client) => Promise<void>;
  onError: (error: unknown) => void;
  /** Clock of this node, epoch ms. A node whose clock is far from the database's does not lead. */
  now?: () => number;
}

export interface Leadership {
  /** Resolves when the first claim has completed, successful or not. */
  attempted: Promise<undefined>;
  /** Ends the term and releases the lease. */
  close: () => Promise<void>;
}

/** A write of a node that no longer leads. */
export class Deposed extends Error {
  override name = 'Deposed';
}

/**
 * A leader that does not renew for this long is replaced. With `claimMs` and the takeover it stays below the promised 10 s;
 * four renewals may fail before it ends.
 */
const leaseMs = 6000;
const renewMs = 1200;
/** How often a node that does not lead tries to claim the lease. */
const claimMs = 1000;
/** A leader that hangs inside a write locks the lease row: PostgreSQL ends such a transaction well before the lease ends. */
const idleInWriteMs = 3000;

/** Longest wait for closing a database connection that is no longer needed. */
const goodbyeMs = 2000;

/** Name of this node among the leaders: host and process. */
export const nodeName = (): string => `${hostname()} ${process.pid}`.slice(0, 100);

/** Resolves when the signal aborts. */
export const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/**
 * Elects one leader among all nodes by a lease in PostgreSQL (ADR 0015). A node that stops renewing loses it after `leaseMs`; one whose
 * connection closes loses it immediately. A former leader that has not noticed is stopped by the epoch that each of its writes carries.
 */
export function createLeadership(options: LeadershipOptions): Leadership {
  const stopping = new AbortController();
  const requested = Promise.withResolvers<undefined>();
  const clock: ClockJudgement = { isOut: false };
  async function keepTrying(): Promise<void> {
    while (!stopping.signal.aborted) {
      await tryOnce({ ...options, clock }, stopping.signal, () => requested.resolve(undefined)).catch(
        (error: unknown) => {
          if (!stopping.signal.aborted) options.onError(error);
        },
      );
      requested.resolve(undefined);
      await pause(claimMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }
  const running = keepTrying();
  return {
    attempted: requested.promise,
    close: async () => {
      stopping.abort(new Deposed('the node stops'));
      await running;
    },
  };
}

/** Whether the last reading of the database's clock put this node out. */
interface ClockJudgement {
  isOut: boolean;
}

type Candidate = LeadershipOptions & { clock: ClockJudgement };

async function tryOnce(options: Candidate, stopping: AbortSignal, onResponse: () => void): Promise<void> {
  const client = options.newClient();
  const lost = new AbortController();
  client.on('error', (error) => lost.abort(error));
  client.on('end', () => lost.abort(new Deposed('the connection that renews the lease has ended')));
  await client.connect();
  try {
    await client.query('set role app_system');
    const signal = AbortSignal.any([stopping, lost.signal]);
    let epoch = await claim(client, options);
    onResponse();
    while (epoch === undefined) {
      await pause(claimMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      epoch = await claim(client, options);
    }
    await leadFor(options, { epoch, signal, end: (reason) => lost.abort(reason) }, client);
    if (lost.signal.aborted && !stopping.aborted) throw asError(lost.signal.reason);
  } finally {
    // Closing the connection releases its session lock, so any node's next claim succeeds. An unreachable database may never confirm:
    // then the lease expires, and this node continues to claim.
    await Promise.race([client.end().catch(() => undefined), pause(goodbyeMs, undefined, { ref: false })]);
  }
}

async function leadFor(options: Candidate, term: Term, client: pg.Client): Promise<void> {
  const stopRenewing = renewRegularly(client, options, term);
  try {
    await options.lead(term, client);
  } finally {
    stopRenewing();
  }
}

/** Session-level lock of an epoch's holder: while it is taken, the holder is connected. */
const sessionLock = `hashtextextended('leader ' || l.name || ' ' || (l.epoch)::text, 0)`;
const leaseEnd = `clock_timestamp() + interval '${leaseMs} milliseconds'`;

/**
 * Takes the lease when it has expired or its holder has disconnected. Skips a row that a write has locked, because it is in use.
 * @returns the epoch, or undefined while another node holds the lease
 */
async function claim(client: pg.Client, { name, node, clock, now = Date.now }: Candidate): Promise<number | undefined> {
  if (await isClockOut({ clock, now }, () => client.query('select clock_timestamp() as now'))) return undefined;
  await client.query(`insert into leaderships (name, epoch, node) values ($1, 0, $2) on conflict (name) do nothing`, [
    name,
    node,
  ]);
  const { rows } = await client.query<{ epoch: string }>(
    `with free as materialized (
       select l.name from leaderships l
       where l.name = $1 and (l.expires_at <= clock_timestamp() or pg_try_advisory_xact_lock(${sessionLock}))
       for update skip locked)
     update leaderships l set epoch = l.epoch + 1, node = $2, taken_at = clock_timestamp(), expires_at = ${leaseEnd}
     from free where l.name = free.name returning l.epoch, pg_try_advisory_lock(${sessionLock})`,
    [name, node],
  );
  return rows[0] === undefined ? undefined : Number(rows[0].epoch);
}

/** Whether the clock of this node differs too much from the database's, which the query returns; undefined without a row. */
async function isClockOut(
  { clock, now }: { clock: ClockJudgement; now: () => number },
  query: () => Promise<pg.QueryResult<{ now: Date }>>,
): Promise<boolean | undefined> {
  const sentAtMs = now();
  const { rows } = await query();
  const [row] = rows;
  if (row === undefined) return undefined;
  clock.isOut = isOut(offsetOf({ sentAtMs, receivedAtMs: now(), theirsMs: row.now.getTime() }), clock.isOut);
  return clock.isOut;
}

/** Renews the lease until stopped. Ends the term when the lease is lost or no renewal succeeded for its duration. */
function renewRegularly(
  client: pg.Client,
  { name, clock, now = Date.now }: Pick<Candidate, 'name' | 'now' | 'clock'>,
  term: Term,
): () => void {
  let isRequesting = false;
  const giveUp = () => term.end(new Deposed(`the lease of epoch ${term.epoch} could not be renewed`));
  let expiry = setTimeout(giveUp, leaseMs);
  const renew = async (): Promise<void> => {
    const isTooFar = await isClockOut({ clock, now }, () =>
      client.query<{ now: Date }>(
        `update leaderships set expires_at = ${leaseEnd} where name = $1 and epoch = $2 and expires_at > clock_timestamp()
         returning clock_timestamp() as now`,
        [name, term.epoch],
      ),
    );
    if (isTooFar === undefined) throw new Deposed(`epoch ${term.epoch} is over`);
    if (isTooFar) throw new Deposed(`the clock of this node is more than ${CLOCK_OUT_MS / 1000} s off`);
    clearTimeout(expiry);
    expiry = setTimeout(giveUp, leaseMs);
  };
  const timer = setInterval(() => {
    if (isRequesting || term.signal.aborted) return;
    isRequesting = true;
    renew()
      .catch((error: unknown) => term.end(error))
      .finally(() => (isRequesting = false));
  }, renewMs);
  return () => {
    clearInterval(timer);
    clearTimeout(expiry);
  };
}

/**
 * First statement of each write: waits for a running takeover, and throws when the lease of this epoch is over. It serialises the
 * writes of one leader, so two of them that lock the same rows in different order cannot deadlock.
 */
export async function assertLeader(tx: SystemTx, name: string, epoch: number): Promise<void> {
  await sql`select set_config('idle_in_transaction_session_timeout', ${String(idleInWriteMs)}, true)`.execute(tx);
  const row = await tx
    .selectFrom('leaderships')
    .select(['epoch', sql<boolean>`expires_at > clock_timestamp()`.as('isHeld')])
    .where('name', '=', name)
    .modifyEnd(sql`for update`)
    .executeTakeFirst();
  if (row?.epoch !== epoch || !row.isHeld) throw new Deposed(`epoch ${epoch} is over`);
}

/** Whether a node leads now, by the database clock. */
export async function isLed(tx: SystemTx, name: string): Promise<boolean> {
  const row = await tx
    .selectFrom('leaderships')
    .select('name')
    .where('name', '=', name)
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirst();
  return row !== undefined;
}
