import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { sql } from 'kysely';
import type { SystemTx } from '../db/scope.ts';

/** One period of leadership of this node. */
export interface Term {
  /** The fencing token; increases with each takeover. */
  epoch: number;
  /** Ends with the lease, the connection that renews it, or the node. */
  signal: AbortSignal;
  /** Gives up: the state this node has in memory is no longer valid. */
  end: (reason: unknown) => void;
}

export interface LeadershipOptions {
  /** Name of the led work, e.g. `positions`; nodes with the same name compete. */
  name: string;
  node: string;
  newClient: () => pg.Client;
  /** Works until the signal of its term ends, and resolves when all of it has stopped. */
  lead: (term: Term, client: pg.Client) => Promise<void>;
  onError: (error: unknown) => void;
}

export interface Leadership {
  /** Resolves when the first claim was answered, with or without success. */
  asked: Promise<undefined>;
  /** Ends the term and returns the lease. */
  close: () => Promise<void>;
}

/** A write of a node that no longer leads. */
export class Deposed extends Error {
  override name = 'Deposed';
}

/**
 * A leader that gives no sign of life for this long is replaced. With `claimMs` and the time a takeover needs it stays below the 10 s that
 * are promised; four renewals may fail before it ends.
 */
const leaseMs = 6000;
const renewMs = 1200;
/** How often a node that does not lead asks for the lease. */
const claimMs = 1000;
/** A leader that stops within a write holds the row of the lease: PostgreSQL ends such a transaction, well before the lease ends. */
const idleInWriteMs = 3000;

/** For the database to close a connection that is no longer needed. */
const goodbyeMs = 2000;

/** How this node names itself among the leaders: machine and process. */
export const nodeName = (): string => `${hostname()} ${process.pid}`.slice(0, 100);

/** Waits until a term, or anything with such a signal, has ended. */
export const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/**
 * One leader among all nodes, by a lease in PostgreSQL (ADR 0015). A node that stops answering loses it after `leaseMs`; one whose
 * connection closes loses it at once. A former leader that has not noticed is stopped by the epoch, which each of its writes carries.
 */
export function createLeadership(options: LeadershipOptions): Leadership {
  const stopping = new AbortController();
  const asked = Promise.withResolvers<undefined>();
  async function keepTrying(): Promise<void> {
    while (!stopping.signal.aborted) {
      await tryOnce(options, stopping.signal, () => asked.resolve(undefined)).catch((error: unknown) => {
        if (!stopping.signal.aborted) options.onError(error);
      });
      asked.resolve(undefined);
      await pause(claimMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }
  const running = keepTrying();
  return {
    asked: asked.promise,
    close: async () => {
      stopping.abort(new Deposed('the node stops'));
      await running;
    },
  };
}

async function tryOnce(options: LeadershipOptions, stopping: AbortSignal, onAnswer: () => void): Promise<void> {
  const client = options.newClient();
  const lost = new AbortController();
  client.on('error', (error) => lost.abort(error));
  client.on('end', () => lost.abort(new Deposed('the connection that renews the lease has ended')));
  await client.connect();
  try {
    await client.query('set role app_system');
    const signal = AbortSignal.any([stopping, lost.signal]);
    let epoch = await claim(client, options);
    onAnswer();
    while (epoch === undefined) {
      await pause(claimMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      epoch = await claim(client, options);
    }
    await leadFor(options, { epoch, signal, end: (reason) => lost.abort(reason) }, client);
    if (lost.signal.aborted && !stopping.aborted) throw asError(lost.signal.reason);
  } finally {
    // Its session lock goes with the connection: the next claim of any node succeeds. A database that swallows what is sent never says
    // goodbye: the lease runs out by itself then, and this node goes on asking.
    await Promise.race([client.end().catch(() => undefined), pause(goodbyeMs, undefined, { ref: false })]);
  }
}

async function leadFor(options: LeadershipOptions, term: Term, client: pg.Client): Promise<void> {
  const stopRenewing = renewRegularly(client, options.name, term);
  try {
    await options.lead(term, client);
  } finally {
    stopRenewing();
  }
}

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/** Lock of the session that holds an epoch: as long as it is taken, the holder is connected. */
const sessionLock = `hashtextextended('leader ' || l.name || ' ' || (l.epoch)::text, 0)`;
const leaseEnd = `clock_timestamp() + interval '${leaseMs} milliseconds'`;

/**
 * Takes the lease when it has run out or its holder is no longer connected. A row that a write has locked is in use: it is skipped, not
 * waited for. @returns the epoch, or undefined while another node holds the lease
 */
async function claim(client: pg.Client, { name, node }: LeadershipOptions): Promise<number | undefined> {
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

/** Renews the lease until stopped. Ends the term when the lease is over or no renewal was answered for as long as it lasts. */
function renewRegularly(client: pg.Client, name: string, term: Term): () => void {
  let isAsking = false;
  const giveUp = () => term.end(new Deposed(`the lease of epoch ${term.epoch} could not be renewed`));
  let expiry = setTimeout(giveUp, leaseMs);
  const renew = async (): Promise<void> => {
    const { rowCount } = await client.query(
      `update leaderships set expires_at = ${leaseEnd} where name = $1 and epoch = $2 and expires_at > clock_timestamp()`,
      [name, term.epoch],
    );
    if (rowCount !== 1) throw new Deposed(`epoch ${term.epoch} is over`);
    clearTimeout(expiry);
    expiry = setTimeout(giveUp, leaseMs);
  };
  const timer = setInterval(() => {
    if (isAsking || term.signal.aborted) return;
    isAsking = true;
    renew()
      .catch((error: unknown) => term.end(error))
      .finally(() => (isAsking = false));
  }, renewMs);
  return () => {
    clearInterval(timer);
    clearTimeout(expiry);
  };
}

/**
 * First statement of each write: waits for a takeover that is under way, and throws when the lease of this epoch is over. Writes of one
 * leader follow one another, so two of them that touch the same rows in another order cannot wait for each other.
 */
export async function assertLeader(tx: SystemTx, name: string, epoch: number): Promise<void> {
  await sql`select set_config('idle_in_transaction_session_timeout', ${String(idleInWriteMs)}, true)`.execute(tx);
  const row = await tx
    .selectFrom('leaderships')
    .select(['epoch', sql<boolean>`expires_at > clock_timestamp()`.as('isInForce')])
    .where('name', '=', name)
    .modifyEnd(sql`for update`)
    .executeTakeFirst();
  if (row?.epoch !== epoch || !row.isInForce) throw new Deposed(`epoch ${epoch} is over`);
}

/** Whether a node leads now, as the database sees it. */
export async function isLed(tx: SystemTx, name: string): Promise<boolean> {
  const row = await tx
    .selectFrom('leaderships')
    .select('name')
    .where('name', '=', name)
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirst();
  return row !== undefined;
}
