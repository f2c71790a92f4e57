import type { DB } from '@sextant/db/src/schema.gen.ts';
import { Kysely, sql } from 'kysely';
import pg from 'pg';
import { type Db, withSystem } from './scope.ts';
import { scopedDialect, systemDialect } from './scopedDriver.ts';

const int8 = 20;
/** Whole numbers beyond 2^53 would lose digits silently: none of ours come near, and one that does must be seen. */
function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`bigint ${text} does not fit a number`);
  return value;
}

const types = new pg.TypeOverrides();
types.setTypeParser(int8, parseInt8);

export interface Database {
  /** For features: every query inside `withUser` or `withSystem`. */
  db: Db;
  /** For libraries that bring their own queries: always the service. */
  systemDb: Db;
  /** A client of its own with the same login, not connected yet: for listening, which a pooled one cannot do. */
  newClient: () => pg.Client;
  /** As it was opened, for libraries that make their own connections. */
  url: string;
  onError: (error: Error) => void;
  /** Resolves when the database answered; rejects with `database_unavailable`. */
  ping: () => Promise<void>;
  close: () => Promise<void>;
}

export interface DatabaseOptions {
  /** The server's login, never the owner's. */
  url: string;
  connectionsMax?: number;
  /** Longest wait for a free connection, ms. */
  waitMsMax?: number;
  onError: (error: Error) => void;
}

/** Opens a pool. It does not connect yet: the first query does, and so does the first one after a restart of the database. */
export function openDatabase({ url, connectionsMax = 16, waitMsMax = 3000, onError }: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    types,
    application_name: 'sextant',
    connectionTimeoutMillis: waitMsMax,
    statement_timeout: 10_000,
    lock_timeout: 5000,
    idle_in_transaction_session_timeout: 15_000,
    query_timeout: 12_000,
    keepAlive: true,
  });
  // Without both handlers a restart of the database ends this process: idle clients report here, busy ones on themselves.
  const report = (error: Error): void => {
    if (!pool.ending) onError(error);
  };
  pool.on('error', report);
  pool.on('connect', (client) => client.on('error', report));
  const db = new Kysely<DB>({ dialect: scopedDialect(pool) });
  return {
    db,
    url,
    onError: report,
    systemDb: new Kysely<DB>({ dialect: systemDialect(pool) }),
    newClient: () =>
      new pg.Client({
        connectionString: url,
        application_name: 'sextant events',
        connectionTimeoutMillis: 3000,
        query_timeout: 5000,
        keepAlive: true,
      }),
    ping: () =>
      withSystem(db, async (tx) => {
        await sql`select 1`.execute(tx);
      }),
    close: () => db.destroy(),
  };
}
