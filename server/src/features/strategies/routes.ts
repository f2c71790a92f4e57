import { signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import { failWith, ok } from '@sextant/workers/src/result.ts';
import { LIVE_RULES } from '@sextant/workers/src/wire/strategy.ts';
import type { z } from 'zod';
import { type Db, type UserTx, withUser } from '../../platform/db/scope.ts';
import { createRefusal, type Outcome } from '../../platform/errors.ts';
import type { App } from '../../platform/http/app.ts';
import { bodyRefusals, problems, sendProblem } from '../../platform/http/problem.ts';
import { RefusalError } from '../../platform/http/refusalError.ts';
import { STRATEGY_VERSION } from '../signals/strategyVersion.ts';
import {
  ChangeStrategyBody,
  SaveStrategyBody,
  STRATEGIES_MAX,
  StrategiesAnswer,
  StrategyId,
  UseStrategyBody,
} from './contract.ts';
import {
  deleteStrategy,
  insertStrategy,
  lockStrategies,
  readStrategies,
  type StoredStrategy,
  updateStrategy,
  useStrategy,
} from './strategyRepository.ts';

type Answer = z.output<typeof StrategiesAnswer>;

async function showStrategies(tx: UserTx): Promise<Answer> {
  const strategies = await readStrategies(tx);
  const used = strategies.find((each) => each.is_used);
  return {
    strategies: strategies.map(({ created_at, updated_at, ...rest }) => ({
      ...rest,
      created_at: created_at.toISOString(),
      updated_at: updated_at.toISOString(),
    })),
    used:
      used === undefined ? { name: LIVE_RULES, version: STRATEGY_VERSION } : { name: used.name, version: used.version },
  };
}

class StrategyRefusal extends RefusalError {}
const refuse = (...refusal: Parameters<typeof createRefusal>): never => {
  throw new StrategyRefusal(createRefusal(...refusal));
};

/** One change in the user's turn, with the list as it is then. A refusal undoes the transaction. */
async function change(
  db: Db,
  userId: string,
  work: (tx: UserTx, before: StoredStrategy[]) => Promise<void>,
): Promise<Outcome<Answer>> {
  try {
    return ok(
      await withUser(db, userId, async (tx) => {
        await lockStrategies(tx, userId);
        await work(tx, await readStrategies(tx));
        return showStrategies(tx);
      }),
    );
  } catch (error) {
    if (error instanceof StrategyRefusal) return failWith(error.refusal);
    throw error;
  }
}

function findStrategy(before: readonly StoredStrategy[], id: string): StoredStrategy {
  return before.find((each) => each.id === id) ?? refuse('not_found', 'There is no such strategy.');
}

function checkName(before: readonly StoredStrategy[], name: string | undefined, id?: string): void {
  const taken = before.some((each) => each.name === name && each.id !== id);
  if (taken) refuse('conflict', `A strategy is called ${name} already.`, { field: 'name' });
}

/** Scans read candles of these intervals only. */
function checkIntervals({ name, value }: Pick<StoredStrategy, 'name' | 'value'>): void {
  const scanned: readonly string[] = signalIntervals;
  const unread = value.intervals.find(({ interval }) => !scanned.includes(interval));
  if (unread === undefined) return;
  refuse('conflict', `Scans read ${scanned.join(', ')} candles; ${name} asks for ${unread.interval}.`, { field: 'id' });
}

export interface StrategyDeps {
  db: Db;
}

const tags = ['Signals'];
const signedIn = problems('not_authenticated', 'database_unavailable');
const changing = { 200: StrategiesAnswer, ...signedIn, ...problems(...bodyRefusals, 'conflict') };

export function strategyRoutes(app: App, { db }: StrategyDeps): void {
  app.addHook('onRequest', app.requireUser);
  app.get(
    '/api/strategies',
    {
      schema: {
        access: 'read:account',
        sandbox: 'none',
        tags,
        summary: 'Your saved strategies, and the one that is traded',
        response: { 200: StrategiesAnswer, ...signedIn },
      },
    },
    (request) => withUser(db, request.user.id, showStrategies),
  );
  app.post(
    '/api/strategies',
    {
      schema: { access: 'session', tags, summary: 'Save a strategy', body: SaveStrategyBody, response: changing },
    },
    async (request, reply) => {
      const { name, value } = request.body;
      const outcome = await change(db, request.user.id, async (tx, before) => {
        checkName(before, name);
        if (before.length >= STRATEGIES_MAX)
          refuse('conflict', `${STRATEGIES_MAX} strategies are kept; delete one first.`);
        await insertStrategy(tx, request.user.id, name, value);
      });
      return outcome.ok ? outcome.value : sendProblem(reply, outcome.error);
    },
  );
  app.put(
    '/api/strategies/used',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Choose the strategy that scans and automatic opening trade',
        description: 'From the next scan on. Positions that are open keep the exits they were opened with.',
        body: UseStrategyBody,
        response: { ...changing, ...problems('not_found') },
      },
    },
    async (request, reply) => {
      const { id, version } = request.body;
      const outcome = await change(db, request.user.id, async (tx, before) => {
        const found = id === null ? null : findStrategy(before, id);
        if (found !== null) checkIntervals(found);
        if (found !== null && version !== undefined && version !== found.version)
          refuse('conflict', `${found.name} was changed meanwhile.`, { field: 'version' });
        await useStrategy(tx, id);
      });
      return outcome.ok ? outcome.value : sendProblem(reply, outcome.error);
    },
  );
  oneStrategyRoutes(app, db);
}

function oneStrategyRoutes(app: App, db: Db): void {
  const refusals = { ...changing, ...problems('not_found') };
  app.put(
    '/api/strategies/:id',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Rename a saved strategy, or give it another value',
        params: StrategyId,
        body: ChangeStrategyBody,
        response: refusals,
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { name, value } = request.body;
      const outcome = await change(db, request.user.id, async (tx, before) => {
        const found = findStrategy(before, id);
        checkName(before, name, id);
        if (value !== undefined && found.is_used) checkIntervals({ name: found.name, value });
        await updateStrategy(tx, id, { name, value });
      });
      return outcome.ok ? outcome.value : sendProblem(reply, outcome.error);
    },
  );
  app.delete(
    '/api/strategies/:id',
    {
      schema: { access: 'session', tags, summary: 'Delete a saved strategy', params: StrategyId, response: refusals },
    },
    async (request, reply) => {
      const { id } = request.params;
      const outcome = await change(db, request.user.id, async (tx, before) => {
        const { name, is_used: isUsed } = findStrategy(before, id);
        if (isUsed) refuse('conflict', `Scans and automatic opening trade ${name}. Choose another strategy first.`);
        await deleteStrategy(tx, id);
      });
      return outcome.ok ? outcome.value : sendProblem(reply, outcome.error);
    },
  );
}
