import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { sql } from 'kysely';
import type { SystemTx } from '../db/scope.ts';

/** One stretch of time in which this node leads. */
export interface Term {
  /** Counts up with each who takes over. */
  epoch: number;
  /** Ends with the connection that holds the lock, with the node, or when somebody else has taken over. */
  signal: AbortSignal;
  /** Gives up: whatever this node has in memory is not to be trusted any more. */
  end: (reason: unknown) => void;
}

export interface LeadershipOptions {
  /** What is led, e.g. `positions`; nodes that name the same compete. */
  name: string;
  node: string;
  newClient: () => pg.Client;
  /** Works until the signal of its term ends, and resolves when nothing of it goes on. */
  lead: (term: Term, client: pg.Client) => Promise<void>;
  onError: (error: unknown) => void;
  /** How often the lock is tried, and how often the connection that holds it is asked whether it lives. */
  retryMs?: number;
  pingMs?: number;
}

/** A write of somebody who no longer leads. */
export class Deposed extends Error {
  override name = 'Deposed';
}

/**
 * One leader among all nodes, by an advisory lock on a connection of its own: it is free the moment that connection is gone, however
 * its holder died. A holder that has not noticed yet is stopped by the epoch each of its writes carries.
 */
export function createLeadership(options: LeadershipOptions): { close: () => Promise<void> } {
  const { retryMs = 1000, onError } = options;
  const stopping = new AbortController();
  async function keepTrying(): Promise<void> {
    while (!stopping.signal.aborted) {
      await tryOnce(options, stopping.signal).catch((error: unknown) => {
        if (!stopping.signal.aborted) onError(error);
      });
      await pause(retryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }
  const running = keepTrying();
  return {
    close: async () => {
      stopping.abort(new Deposed('the node stops'));
      await running;
    },
  };
}

async function tryOnce(options: LeadershipOptions, stopping: AbortSignal): Promise<void> {
  const { name, newClient, pingMs = 2000, retryMs = 1000 } = options;
  const client = newClient();
  const lost = new AbortController();
  client.on('error', (error) => lost.abort(error));
  client.on('end', () => lost.abort(new Deposed('the connection that holds the lock has ended')));
  await client.connect();
  try {
    await client.query('set role app_system');
    while (!(await tryLock(client, name))) {
      await pause(retryMs, undefined, { signal: AbortSignal.any([stopping, lost.signal]) }).catch(() => undefined);
      if (stopping.aborted || lost.signal.aborted) return;
    }
    const epoch = await nextEpoch(client, options);
    // A network that swallows packets closes nothing: only an answer shows that the other side is there.
    const ping = setInterval(() => void client.query('select 1').catch((error: unknown) => lost.abort(error)), pingMs);
    const signal = AbortSignal.any([stopping, lost.signal]);
    try {
      await options.lead({ epoch, signal, end: (reason) => lost.abort(reason) }, client);
    } finally {
      clearInterval(ping);
    }
    if (lost.signal.aborted && !stopping.aborted) throw asError(lost.signal.reason);
  } finally {
    await client.end().catch(() => undefined);
  }
}

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

async function tryLock(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 0)) as locked',
    [`leader ${name}`],
  );
  return rows[0]?.locked === true;
}

async function nextEpoch(client: pg.Client, { name, node }: LeadershipOptions): Promise<number> {
  const { rows } = await client.query<{ epoch: string }>(
    `insert into leaderships (name, epoch, node) values ($1, 1, $2)
     on conflict (name) do update set epoch = leaderships.epoch + 1, node = excluded.node, taken_at = now() returning epoch`,
    [name, node],
  );
  return Number(rows[0]?.epoch);
}

/**
 * First statement of each write: it waits for whoever is taking over, and throws when somebody has. Writes of one leader follow one
 * another, so two of them that touch the same rows in another order cannot wait for each other.
 */
export async function assertLeader(tx: SystemTx, name: string, epoch: number): Promise<void> {
  const row = await tx
    .selectFrom('leaderships')
    .select('epoch')
    .where('name', '=', name)
    .modifyEnd(sql`for update`)
    .executeTakeFirst();
  if (row?.epoch !== epoch) throw new Deposed(`epoch ${epoch} is over`);
}
