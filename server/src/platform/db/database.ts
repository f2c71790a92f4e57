import type { DB } from '@sextant/db/src/schema.gen.ts';
import {
  Kysely,
  sql,
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type Dialect,
  type QueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import pg from 'pg';
import { type Db, withSystem, claimScope, type Scope } from './scope.ts';
import { translateDatabaseError } from './databaseError.ts';
import { createDatabaseWatch, type DatabaseWatch } from './databaseWatch.ts';

/** Limits of each transaction. As parameters of the connection a pooler would reject them. */
const limits = Object.entries({
  statement_timeout: 10_000,
  lock_timeout: 5000,
  idle_in_transaction_session_timeout: 15_000,
})
  .map(([name, ms]) => `set_config('${name}', '${ms}', true)`)
  .join(', ');

const writes = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** One checked-out client. Tracks whether it is inside a transaction and whether it may return to the pool. */
class ScopedConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  readonly #guard: DatabaseWatch['guard'];
  readonly scope: Scope;
  isInTransaction = false;
  isBroken = false;

  constructor(client: pg.PoolClient, scope: Scope, guard: DatabaseWatch['guard']) {
    this.#client = client;
    this.scope = scope;
    this.#guard = guard;
  }

  async send(text: string, parameters: readonly unknown[] = []): Promise<pg.QueryResult<Record<string, unknown>>> {
    try {
      return await this.#guard(() => this.#client.query(text, [...parameters]));
    } catch (error) {
      const translated = translateDatabaseError(error);
      // The session state is unknown: it must not serve another user.
      if (translated !== error) this.isBroken = true;
      throw translated;
    }
  }

  async begin(): Promise<void> {
    const { role, userId } = this.scope;
    try {
      // One message, so that no statement can run between BEGIN and the role. `true` resets all settings with the transaction: a pooler
      // in transaction mode gives the session to another client after it.
      await this.send(
        `begin; select set_config('role', ${pg.escapeLiteral(role)}, true), ` +
          `set_config('app.user_id', ${pg.escapeLiteral(userId ?? '')}, true), ${limits}`,
      );
    } catch (error) {
      // BEGIN may have succeeded and the role failed: the session is in a failed transaction and must not be reused.
      this.isBroken = true;
      throw error;
    }
    this.isInTransaction = true;
  }

  async end(command: 'commit' | 'rollback'): Promise<void> {
    try {
      const result = await this.send(command);
      this.isInTransaction = false;
      // PostgreSQL returns ROLLBACK for COMMIT when an earlier statement failed and its error was swallowed.
      if (command === 'commit' && result.command === 'ROLLBACK')
        throw new Error('the transaction had failed and was rolled back');
    } catch (error) {
      if (this.isInTransaction) this.isBroken = true;
      throw error;
    }
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (!this.isInTransaction) return this.#inOwnTransaction(query);
    const { command, rowCount, rows } = await this.send(query.sql, query.parameters);
    const result = { rows: rows as R[] };
    return writes.has(command) ? { ...result, numAffectedRows: BigInt(rowCount ?? 0) } : result;
  }

  async #inOwnTransaction<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    await this.begin();
    try {
      const result = await this.executeQuery<R>(query);
      await this.end('commit');
      return result;
    } catch (error) {
      if (this.isInTransaction && !this.isBroken) await this.end('rollback').catch(() => undefined);
      throw error;
    }
  }

  streamQuery(): never {
    throw new Error('streaming is not supported: read in pages');
  }

  release(): void {
    this.#client.release(this.isBroken || this.isInTransaction);
  }
}

interface Connections {
  pool: pg.Pool;
  guard: DatabaseWatch['guard'];
}

class ScopedDriver implements Driver {
  readonly #pool: pg.Pool;
  readonly #guard: DatabaseWatch['guard'];
  readonly #takeScope: () => Scope;

  constructor({ pool, guard }: Connections, takeScope: () => Scope) {
    this.#pool = pool;
    this.#guard = guard;
    this.#takeScope = takeScope;
  }

  init(): Promise<void> {
    return Promise.resolve();
  }

  async acquireConnection(): Promise<ScopedConnection> {
    const scope = this.#takeScope();
    let connecting: Promise<pg.PoolClient> | undefined;
    try {
      const client = await this.#guard(() => (connecting = this.#pool.connect()));
      return new ScopedConnection(client, scope, this.#guard);
    } catch (error) {
      // A client that arrives after the rejection goes back to the pool.
      connecting?.then(
        (client) => client.release(),
        () => undefined,
      );
      throw translateDatabaseError(error);
    }
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    if (settings.isolationLevel !== undefined || settings.accessMode !== undefined) {
      throw new Error('transactions run with the default isolation; use row locks or conditional updates');
    }
    await asScoped(connection).begin();
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await asScoped(connection).end('commit');
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await asScoped(connection).end('rollback');
  }

  async savepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await asScoped(connection).send(`savepoint ${pg.escapeIdentifier(name)}`);
  }

  async rollbackToSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await asScoped(connection).send(`rollback to ${pg.escapeIdentifier(name)}`);
  }

  async releaseSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await asScoped(connection).send(`release ${pg.escapeIdentifier(name)}`);
  }

  releaseConnection(connection: DatabaseConnection): Promise<void> {
    asScoped(connection).release();
    return Promise.resolve();
  }

  async destroy(): Promise<void> {
    await this.#pool.end();
  }
}

function asScoped(connection: DatabaseConnection): ScopedConnection {
  if (connection instanceof ScopedConnection) return connection;
  throw new Error('a connection of another driver');
}

const dialect = (connections: Connections, takeScope: () => Scope): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new ScopedDriver(connections, takeScope),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: (): QueryCompiler => new PostgresQueryCompiler(),
});

/** Each transaction takes its role and user from the scope it runs in. */
const scopedDialect = (connections: Connections): Dialect => dialect(connections, claimScope);

/** Each transaction, and each single query, runs as app_system. For libraries that bring their own queries. */
const systemDialect = (connections: Connections): Dialect =>
  dialect(connections, () => ({ role: 'app_system', userId: null, state: 'open' }));

const int8 = 20;
/** Integers beyond 2^53 would lose digits silently. None are expected, so one that occurs throws. */
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
  /** For libraries that bring their own queries: always runs as app_system. */
  systemDb: Db;
  /** A separate unconnected client that is one session, for LISTEN and leases, which a pooled client cannot do. */
  newClient: (connectMsMax?: number) => pg.Client;
  /** Connection URLs: of the pool, and of sessions without a pooler, for libraries that open their own connections. */
  url: string;
  sessionUrl: string;
  onError: (error: Error) => void;
  /** Resolves when the database responds; rejects with `database_unavailable`. */
  ping: () => Promise<void>;
  /** Detects a database that does not respond, once started. */
  watch: Pick<DatabaseWatch, 'start' | 'state'>;
  /** Connections of the pool: all, unused ones, and requests that wait for one. */
  pool: () => { total: number; idle: number; waiting: number };
  close: () => Promise<void>;
}

export interface DatabaseOptions {
  /** The server's login, never the owner's. May lead through a pooler in transaction mode. */
  url: string;
  /** Without a pooler; `url` when absent. */
  sessionUrl?: string;
  connectionsMax?: number;
  /** Longest wait for a free connection, ms. */
  waitMsMax?: number;
  onError: (error: Error) => void;
}

/** Opens a pool. Connects lazily: at the first query, and again after a restart of the database. */
export function openDatabase({
  url,
  sessionUrl = url,
  connectionsMax = 16,
  waitMsMax = 3000,
  onError,
}: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    types,
    application_name: 'sextant',
    connectionTimeoutMillis: waitMsMax,
    query_timeout: 12_000,
    keepAlive: true,
  });
  // Without both handlers a restart of the database ends this process: idle clients emit errors on the pool, busy ones on themselves.
  const report = (error: Error): void => {
    if (!pool.ending) onError(error);
  };
  pool.on('error', report);
  pool.on('connect', (client) => client.on('error', report));
  const newClient = (more: pg.ClientConfig): pg.Client =>
    new pg.Client({ connectionString: sessionUrl, keepAlive: true, ...more });
  const watch = createDatabaseWatch({
    newClient: () => newClient({ application_name: 'sextant watch', connectionTimeoutMillis: waitMsMax }),
  });
  const connections = { pool, guard: watch.guard };
  const db = new Kysely<DB>({ dialect: scopedDialect(connections) });
  return {
    db,
    url,
    sessionUrl,
    onError: report,
    systemDb: new Kysely<DB>({ dialect: systemDialect(connections) }),
    newClient: (connectMsMax = 3000) =>
      newClient({
        application_name: 'sextant events',
        connectionTimeoutMillis: connectMsMax,
        query_timeout: 5000,
      }),
    ping: () =>
      withSystem(db, async (tx) => {
        await sql`select 1`.execute(tx);
      }),
    watch,
    pool: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: async () => {
      await watch.close();
      await db.destroy();
    },
  };
}
