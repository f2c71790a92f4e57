import { AsyncLocalStorage } from 'node:async_hooks';
import type { DB } from '@sextant/db/src/schema.gen.ts';
import type { AppRole } from '@sextant/db/src/roles.ts';
import type { Kysely, Transaction } from 'kysely';

/**
 * The database handle. Every query needs a scope that sets its role and user, so pass the handle only as the first argument of
 * `withUser` and `withSystem`; a query on the handle itself throws.
 */
export type Db = Kysely<DB>;

declare const scopedTo: unique symbol;
/** A transaction that row-level security limits to one user. Repositories require it, so an unscoped call does not compile. */
export type UserTx = Transaction<DB> & { readonly [scopedTo]: 'user' };
/** A transaction of the service role: sign-in, limits, jobs. The role has its own narrow grants. */
export type SystemTx = Transaction<DB> & { readonly [scopedTo]: 'system' };

/** Role and user of the next transaction, and its state. */
export interface Scope {
  role: AppRole;
  userId: string | null;
  state: 'fresh' | 'open' | 'closed';
}

interface TransactionScope extends Scope {
  db: Db;
  afterCommit: (() => void)[];
}

const scopes = new AsyncLocalStorage<TransactionScope>();

/** A programming error: a query without a scope, or the handle used instead of the transaction. */
export class ScopeError extends Error {
  override name = 'ScopeError';
}

/** The scope for a connection that is about to be checked out. */
export function claimScope(): Scope {
  const scope = scopes.getStore();
  if (scope === undefined || scope.state === 'closed') {
    throw new ScopeError('a query needs a scope: use withUser or withSystem');
  }
  if (scope.state === 'open') {
    // Checking out a second connection while holding one would deadlock once the pool is empty.
    throw new ScopeError('the database handle was used inside an open scope: use the transaction');
  }
  scope.state = 'open';
  return scope;
}

async function inScope<T>(db: Db, role: AppRole, userId: string | null, work: (tx: Transaction<DB>) => Promise<T>) {
  if (scopes.getStore()?.state === 'open') {
    throw new ScopeError('a scope was opened inside an open scope: pass the transaction on instead');
  }
  const scope: TransactionScope = { role, userId, state: 'fresh', db, afterCommit: [] };
  try {
    const result = await scopes.run(scope, () => db.transaction().execute(work));
    for (const run of scope.afterCommit) run();
    return result;
  } finally {
    scope.state = 'closed';
  }
}

function currentScope(): TransactionScope {
  const scope = scopes.getStore();
  if (scope === undefined) throw new ScopeError('this needs a scope: use withUser or withSystem');
  return scope;
}

/** The handle of the current transaction. */
export const dbOf = (): Db => currentScope().db;

/** Runs `work` once the current transaction has committed, and not after a rollback. */
export const afterCommit = (work: () => void): void => void currentScope().afterCommit.push(work);

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Whether the text is a valid uuid; casting any other text fails the query. */
export const isUuid = (text: string): boolean => uuid.test(text);

/** Runs `work` in a transaction as `userId` (a uuid). Commits when it resolves, rolls back when it rejects. */
export async function withUser<T>(db: Db, userId: string, work: (tx: UserTx) => Promise<T>): Promise<T> {
  if (!isUuid(userId)) throw new ScopeError('withUser needs the uuid of a user');
  return inScope(db, 'app_user', userId, (tx) => work(tx as UserTx));
}

/** Runs `work` in a transaction of the service role. Commits when it resolves, rolls back when it rejects. */
export async function withSystem<T>(db: Db, work: (tx: SystemTx) => Promise<T>): Promise<T> {
  return inScope(db, 'app_system', null, (tx) => work(tx as SystemTx));
}
