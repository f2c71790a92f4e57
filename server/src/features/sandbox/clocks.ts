import { sql } from 'kysely';
import { type Db, withUser } from '../../platform/db/scope.ts';
import { findBlock } from '../notifications/deliver.ts';
import type { Blocked, RateLimiter } from '../../platform/limits/rateLimiter.ts';
import { initialWorld, type SandboxWorld } from './world.ts';

/** A stored world with the version that a change of it names. Version 0: not stored. */
export interface StoredWorld {
  version: number;
  world: SandboxWorld;
}

/** The clocks of accounts: all that the sandbox stores. */
export interface SandboxClocks {
  read: (userId: string) => Promise<StoredWorld>;
  /** False when another call changed the world after `before` was read: nothing is stored. */
  write: (userId: string, before: StoredWorld, world: SandboxWorld) => Promise<boolean>;
  /** Counts a move; says how long to wait when there were too many. */
  admit: (userId: string) => Promise<Blocked | undefined>;
  /** Counts a post among those of the account's webhooks and of all accounts to its host. */
  admitPost: (userId: string, host: string) => Promise<{ retryAfterS: number } | undefined>;
}

/** A move of 30 days takes seconds of the engine, and can send hundreds of messages. */
const moves = { hitMax: 60, windowS: 3600 };

export const createSandboxClocks = (db: Db, limiter: Pick<RateLimiter, 'hit'>): SandboxClocks => ({
  read: (userId) =>
    withUser(db, userId, async (tx) => {
      const { rows } =
        await sql<StoredWorld>`select version, world from sandbox_clocks where user_id = ${userId}`.execute(tx);
      return rows[0] ?? { version: 0, world: initialWorld };
    }),
  write: (userId, { version }, world) =>
    withUser(db, userId, async (tx) => {
      const { numAffectedRows } = await sql`
        insert into sandbox_clocks (user_id, version, world) values (${userId}, 1, ${JSON.stringify(world)})
        on conflict (user_id) do update set version = sandbox_clocks.version + 1, world = excluded.world
        where sandbox_clocks.version = ${version}`.execute(tx);
      return numAffectedRows === 1n;
    }),
  admit: (userId) => limiter.hit([{ key: `sandbox-clock:${userId}`, ...moves }]),
  admitPost: (userId, host) => findBlock(db, { userId, host, kind: 'signal_created' }),
});
