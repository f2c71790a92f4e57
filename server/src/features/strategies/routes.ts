import { signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import { failWith, ok } from '@sextant/workers/src/core/result.ts';
import { LIVE_RULES, strategyVersion } from '@sextant/workers/src/protocol/wire/strategy.ts';
import type { z } from 'zod';
import { type Db, type UserTx, withUser } from '../../platform/db/scope.ts';
import { createRejection, type Outcome } from '../../platform/errors.ts';
import type { App } from '../../platform/http/app.ts';
import { disconnectSignal } from '../../platform/http/disconnectSignal.ts';
import { bodyRejections, problems, sendProblem } from '../../platform/http/problem.ts';
import { RejectionError } from '../../platform/http/rejectionError.ts';
import { countHit } from '../../platform/limits/countHit.ts';
import type { RateLimiter } from '../../platform/limits/rateLimiter.ts';
import { checkStoredRules } from '../signals/storedRules.ts';
import { STRATEGY_VERSION } from '../signals/strategyVersion.ts';
import { deleteActiveReplay } from '../trackRecord/replay/strategyReplays.ts';
import {
  ChangeStrategyBody,
  SaveStrategyBody,
  STRATEGIES_MAX,
  SavedStrategyResponse,
  StrategiesResponse,
  StrategyId,
  StrategyVersionsResponse,
  UseStrategyBody,
} from './contract.ts';
import { countRecentSignals, type RecentDeps } from './recentSignals.ts';
import {
  deleteStrategy,
  insertStrategy,
  lockStrategies,
  readEarlierVersions,
  readStrategies,
  storeEarlierVersion,
  type StoredStrategy,
  updateStrategy,
  useStrategy,
} from './strategyRepository.ts';

type ResponseBody = z.output<typeof StrategiesResponse>;

async function showStrategies(tx: UserTx): Promise<ResponseBody> {
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

class StrategyRejection extends RejectionError {}
const reject = (...rejection: Parameters<typeof createRejection>): never => {
  throw new StrategyRejection(createRejection(...rejection));
};

/** Applies one change, serialised per user, and returns the new list. An error rolls the transaction back. */
async function change(
  db: Db,
  userId: string,
  work: (tx: UserTx, before: StoredStrategy[]) => Promise<void>,
): Promise<Outcome<ResponseBody>> {
  try {
    return ok(
      await withUser(db, userId, async (tx) => {
        await lockStrategies(tx, userId);
        await work(tx, await readStrategies(tx));
        return showStrategies(tx);
      }),
    );
  } catch (error) {
    if (error instanceof StrategyRejection) return failWith(error.rejection);
    throw error;
  }
}

const NOT_FOUND = 'Strategy not found.';

/** The current version, then the earlier ones; null when the user has no such strategy. */
async function versionsOf(
  tx: UserTx,
  id: string,
): Promise<z.output<typeof StrategyVersionsResponse>['versions'] | null> {
  const current = (await readStrategies(tx)).find((each) => each.id === id);
  if (current === undefined) return null;
  const earlier = await readEarlierVersions(tx, id);
  return [
    { version: current.version, value: current.value, replaced_at: null },
    ...earlier.map((each) => ({ ...each, replaced_at: each.replaced_at.toISOString() })),
  ];
}

function findStrategy(before: readonly StoredStrategy[], id: string): StoredStrategy {
  return before.find((each) => each.id === id) ?? reject('not_found', NOT_FOUND);
}

function checkName(before: readonly StoredStrategy[], name: string | undefined, id?: string): void {
  const taken = before.some((each) => each.name === name && each.id !== id);
  if (taken) reject('conflict', `A strategy named ${name} already exists.`, { field: 'name' });
}

/** Scans read candles of some intervals only: returns the first unsupported one. */
function unreadInterval({
  intervals,
}: StoredStrategy['value']): StoredStrategy['value']['intervals'][number] | undefined {
  const scanned: readonly string[] = signalIntervals;
  return intervals.find(({ interval }) => !scanned.includes(interval));
}

function checkIntervals({ name, value }: Pick<StoredStrategy, 'name' | 'value'>): void {
  const unread = unreadInterval(value);
  if (unread === undefined) return;
  reject('conflict', `Scans read ${signalIntervals.join(', ')} candles; ${name} uses ${unread.interval}.`, {
    field: 'id',
  });
}

export type StrategyDeps = RecentDeps & { limiter: RateLimiter };

/** A save counts signals over the universe, on the threads that all users share. */
const saveLimit = { hitMax: 120, windowS: 60 };
const countSave = ({ limiter }: StrategyDeps, userId: string): Promise<void> =>
  countHit(limiter, { key: `strategies:${userId}`, ...saveLimit }, 'At most 120 saves a minute.');

/** The response to a save of rules, with their recent signals where scans can trade them. */
async function withRecent(
  deps: StrategyDeps,
  userId: string,
  response: ResponseBody,
  { isSaved, signal }: { isSaved: (each: ResponseBody['strategies'][number]) => boolean; signal: AbortSignal },
): Promise<z.output<typeof SavedStrategyResponse>> {
  const saved = response.strategies.find(isSaved);
  if (saved === undefined || unreadInterval(saved.value) !== undefined) return { ...response, recent: null };
  const { id, name, version, value } = saved;
  return { ...response, recent: await countRecentSignals(deps, userId, { id, name, version, value }, signal) };
}

const tags = ['Signals'];
const signedIn = problems('not_authenticated', 'database_unavailable');
const rejections = { ...signedIn, ...problems(...bodyRejections, 'conflict') };
const changing = { 200: StrategiesResponse, ...rejections };
const saving = { 200: SavedStrategyResponse, ...rejections, ...problems('rate_limited') };

export function strategyRoutes(app: App, deps: StrategyDeps): void {
  const { db } = deps;
  app.addHook('onRequest', app.requireUser);
  app.get(
    '/api/strategies',
    {
      schema: {
        access: 'read:account',
        sandbox: 'none',
        tags,
        summary: 'List your saved strategies and the active one',
        response: { 200: StrategiesResponse, ...signedIn },
      },
    },
    (request) => withUser(db, request.user.id, showStrategies),
  );
  saveRoute(app, deps);
  app.put(
    '/api/strategies/used',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Select the strategy of scans and automatic opening',
        description: 'Applies to new positions only.',
        body: UseStrategyBody,
        response: { ...changing, ...problems('not_found') },
      },
    },
    async (request, reply) => {
      const { id, version } = request.body;
      const outcome = await change(db, request.user.id, async (tx, before) => {
        const match = id === null ? null : findStrategy(before, id);
        if (match !== null) checkIntervals(match);
        const isRunnable = match === null ? ok(null) : checkStoredRules(match);
        if (!isRunnable.ok) reject('conflict', isRunnable.error.message, { field: 'id' });
        if (match !== null && version !== undefined && version !== match.version)
          reject('conflict', `${match.name} has a newer version. Reload it.`, { field: 'version' });
        await useStrategy(tx, id);
      });
      return outcome.ok ? outcome.value : sendProblem(reply, outcome.error);
    },
  );
  versionsRoute(app, deps);
  oneStrategyRoutes(app, deps);
}

function saveRoute(app: App, deps: StrategyDeps): void {
  const { db } = deps;
  app.post(
    '/api/strategies',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Save a strategy',
        description: 'Returns the positions it would have opened in the last candles of your universe.',
        body: SaveStrategyBody,
        response: saving,
      },
    },
    async (request, reply) => {
      const signal = disconnectSignal(reply);
      await countSave(deps, request.user.id);
      const { name, value } = request.body;
      if (value === undefined) throw new Error('SaveStrategyBody lets none without a value through');
      const outcome = await change(db, request.user.id, async (tx, before) => {
        checkName(before, name);
        if (before.length >= STRATEGIES_MAX)
          reject('conflict', `Limit reached (${STRATEGIES_MAX} strategies). Delete one first.`);
        await insertStrategy(tx, request.user.id, name, value);
      });
      if (!outcome.ok) return sendProblem(reply, outcome.error);
      return withRecent(deps, request.user.id, outcome.value, { isSaved: (each) => each.name === name, signal });
    },
  );
}

function versionsRoute(app: App, { db }: Pick<StrategyDeps, 'db'>): void {
  app.get(
    '/api/strategies/:id/versions',
    {
      schema: {
        access: 'read:account',
        sandbox: 'none',
        tags,
        summary: 'List the versions of a saved strategy',
        params: StrategyId,
        response: { 200: StrategyVersionsResponse, ...signedIn, ...problems('validation_failed', 'not_found') },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const versions = await withUser(db, request.user.id, (tx) => versionsOf(tx, id));
      return versions === null ? sendProblem(reply, createRejection('not_found', NOT_FOUND)) : { versions };
    },
  );
}

function oneStrategyRoutes(app: App, deps: StrategyDeps): void {
  const { db } = deps;
  const missing = problems('not_found');
  app.put(
    '/api/strategies/:id',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Rename or update a saved strategy',
        params: StrategyId,
        body: ChangeStrategyBody,
        response: { ...saving, ...missing },
      },
    },
    async (request, reply) => {
      const signal = disconnectSignal(reply);
      await countSave(deps, request.user.id);
      const { id } = request.params;
      const { name, value } = request.body;
      const outcome = await change(db, request.user.id, async (tx, before) => {
        const match = findStrategy(before, id);
        checkName(before, name, id);
        if (value !== undefined && match.is_used) checkIntervals({ name: match.name, value });
        if (value !== undefined && strategyVersion(value) !== match.version)
          await storeEarlierVersion(tx, request.user.id, match);
        await updateStrategy(tx, id, { name, value });
      });
      if (!outcome.ok) return sendProblem(reply, outcome.error);
      if (value === undefined) return { ...outcome.value, recent: null };
      return withRecent(deps, request.user.id, outcome.value, { isSaved: (each) => each.id === id, signal });
    },
  );
  app.delete(
    '/api/strategies/:id',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Delete a saved strategy',
        params: StrategyId,
        response: { ...changing, ...missing },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const outcome = await change(db, request.user.id, async (tx, before) => {
        const { name, is_used: isUsed } = findStrategy(before, id);
        if (isUsed) reject('conflict', `${name} is active. Select another strategy first.`);
        await deleteActiveReplay(tx, request.user.id, id);
        await deleteStrategy(tx, id);
      });
      return outcome.ok ? outcome.value : sendProblem(reply, outcome.error);
    },
  );
}
