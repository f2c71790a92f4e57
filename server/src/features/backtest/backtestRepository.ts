import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { sql, type SqlBool } from 'kysely';
import type { z } from 'zod';
import type { UserTx } from '../../platform/db/scope.ts';
import { keepNewest } from './keepNewest.ts';
import type { BacktestSetup, LastBacktestResponse, SavedRun, SavedState, SavedStateBody } from './contract.ts';

type StateBody = z.infer<typeof SavedStateBody>;
type State = z.infer<typeof SavedState>;
export type StoredBacktest = NonNullable<z.infer<typeof LastBacktestResponse>['backtest']>;

/** Stored runs without a name per user; a new one replaces the oldest. */
const RETAINED_COUNT = 200;
/** Maximum runs saved under a name. */
export const NAMED_MAX = 50;

export interface NewBacktest extends Omit<StoredBacktest, 'id' | 'created_at' | 'result'> {
  name: string | null;
  /** The rules that ran instead of the parameters. */
  strategy?: Strategy | null;
  setup: z.output<typeof BacktestSetup>;
  result: StoredBacktest['result'] & { equity: number[] };
}

const jsonOf = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));

export async function insertBacktest(tx: UserTx, userId: string, run: NewBacktest): Promise<string> {
  const { id } = await tx
    .insertInto('backtests')
    .values({
      user_id: userId,
      symbol: run.symbol,
      interval: run.interval,
      params: JSON.stringify(run.params),
      strategy: jsonOf(run.strategy ?? null),
      result: JSON.stringify(run.result),
      name: run.name,
      setup: JSON.stringify(run.setup),
      engine_hash: run.hashes.engine,
      data_hash: run.hashes.data,
      params_hash: run.hashes.params,
      result_hash: run.hashes.result,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await keepNewest(tx, 'backtests', RETAINED_COUNT, sql<SqlBool>`name is null`);
  return id;
}

export async function readLastBacktest(tx: UserTx): Promise<StoredBacktest | null> {
  const row = await tx
    .selectFrom('backtests')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    id: row.id,
    created_at: row.created_at.toISOString(),
    symbol: row.symbol,
    interval: row.interval,
    params: row.params as StoredBacktest['params'],
    result: row.result as StoredBacktest['result'],
    hashes: { engine: row.engine_hash, data: row.data_hash, params: row.params_hash, result: row.result_hash },
  };
}

/** Number of saved runs. The advisory lock serialises the per-user limit check until the transaction ends. */
export async function countNamed(tx: UserTx, userId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${userId}, 131))`.execute(tx);
  const { count } = await tx
    .selectFrom('backtests')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('name', 'is not', null)
    .executeTakeFirstOrThrow();
  return count;
}

type SavedRunWire = z.output<typeof SavedRun>;

/** Runs saved under a name, latest first. */
export async function readNamed(tx: UserTx): Promise<SavedRunWire[]> {
  const rows = await tx
    .selectFrom('backtests')
    .selectAll()
    .where('name', 'is not', null)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(NAMED_MAX)
    .execute();
  return rows.map((row) => {
    const { best, equity } = row.result as Pick<SavedRunWire, 'best' | 'equity'>;
    return {
      id: row.id,
      name: row.name ?? '',
      created_at: row.created_at.toISOString(),
      symbol: row.symbol,
      interval: row.interval,
      best,
      equity,
      params: row.params as SavedRunWire['params'],
      strategy: row.strategy as SavedRunWire['strategy'],
      setup: row.setup as SavedRunWire['setup'],
      hashes: { engine: row.engine_hash, data: row.data_hash, params: row.params_hash, result: row.result_hash },
    };
  });
}

/** False when the user has no such run. */
export async function deleteNamed(tx: UserTx, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('backtests').where('id', '=', id).executeTakeFirst();
  return numDeletedRows === 1n;
}

/** False when the user has no such run under a name. */
export async function renameNamed(tx: UserTx, id: string, name: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('backtests')
    .set({ name })
    .where('id', '=', id)
    .where('name', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function readState(tx: UserTx): Promise<State | null> {
  const row = await tx.selectFrom('backtest_states').selectAll().executeTakeFirst();
  if (row === undefined) return null;
  return {
    symbol: row.symbol,
    interval: row.interval as State['interval'],
    params: row.params as State['params'],
    strategy: row.strategy as State['strategy'],
    optimize: row.optimize as State['optimize'],
    metrics: row.metrics as State['metrics'],
    updated_at: row.updated_at.toISOString(),
  };
}

export async function upsertState(tx: UserTx, userId: string, body: StateBody): Promise<State> {
  const columns = {
    symbol: body.symbol,
    interval: body.interval,
    params: JSON.stringify(body.params),
    strategy: jsonOf(body.strategy),
    optimize: jsonOf(body.optimize),
    metrics: jsonOf(body.metrics),
  };
  const { updated_at } = await tx
    .insertInto('backtest_states')
    .values({ user_id: userId, ...columns })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ ...columns, updated_at: sql`now()` }))
    .returning('updated_at')
    .executeTakeFirstOrThrow();
  return { ...body, updated_at: updated_at.toISOString() };
}

export async function deleteState(tx: UserTx): Promise<void> {
  await tx.deleteFrom('backtest_states').execute();
}
