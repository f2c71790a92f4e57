import { MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { failWith, ok } from '@sextant/workers/src/core/result.ts';
import { replayLimits } from '@sextant/workers/src/protocol/replaySignals.ts';
import { z } from 'zod';
import type { Config, MarketMode } from '../../config.ts';
import { countText } from '../../platform/countText.ts';
import { isLeaving } from '../../platform/auth/leaving.ts';
import { type Db, type UserTx, withSystem, withUser } from '../../platform/db/scope.ts';
import { createRejection, type Outcome, reject } from '../../platform/errors.ts';
import type { App } from '../../platform/http/app.ts';
import { problems, sendProblem } from '../../platform/http/problem.ts';
import { StrategyReplayResponse } from './contract.ts';
import { whyUnfit } from './replay/replayStrategies.ts';
import { secondsToNextStart, START_PAUSE_MS } from './replay/replayPauses.ts';
import { strategyReplayToWire } from './replay/replayToWire.ts';
import {
  cancelReplays,
  lockReplays,
  lockStrategyToReplay,
  queueReplay,
  readActiveReplay,
  readStrategyReplay,
  readStrategyToReplay,
  type StrategyReplay,
} from './replay/strategyReplays.ts';

const tags = ['Signals'];
const params = z.strictObject({ id: z.uuid() });
const signedIn = problems('not_authenticated', 'database_unavailable', 'validation_failed', 'not_found');
const NOT_FOUND = createRejection('not_found', 'Strategy not found.');
const LEAVING = createRejection('conflict', 'Your account is being deleted. Cancel the deletion to start a replay.');
const NOT_HERE = createRejection('overloaded', 'Replays are off on this server.');

interface ReplayRouteDeps {
  db: Db;
  config: Pick<Config, 'market' | 'isMarketStreamed'>;
}

/** The replay of a saved strategy: requested by its owner, computed in the background. */
export function strategyReplayRoutes(app: App, deps: ReplayRouteDeps): void {
  const {
    db,
    config: { market },
  } = deps;
  const onRequest = app.requireUser;
  app.get(
    '/api/strategies/:id/replay',
    {
      onRequest,
      schema: {
        access: 'read:account',
        sandbox: 'none',
        tags,
        summary: 'Read the replay of a saved strategy: its state and outcomes',
        params,
        response: { 200: StrategyReplayResponse, ...signedIn },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const found = await withUser(db, request.user.id, (tx) => findReplay(tx, id, market));
      return found === null ? sendProblem(reply, NOT_FOUND) : strategyReplayToWire(found.replay);
    },
  );
  startRoute(app, deps);
  cancelRoute(app, deps);
}

function startRoute(app: App, { db, config }: ReplayRouteDeps): void {
  const onRequest = app.requireUser;
  app.post(
    '/api/strategies/:id/replay',
    {
      onRequest,
      schema: {
        access: 'session',
        tags,
        summary: 'Replay a saved strategy over the stored candles',
        description:
          `Reads up to ${countText(replayLimits.symbols)} symbols of the past universe, with ${countText(replayLimits.candles)} candles of signals ` +
          `each. One replay runs per account, ${START_PAUSE_MS / MINUTE_MS} minutes after the start of the one before, or earlier when that was cancelled; it replaces the last one of the strategy.`,
        params,
        response: {
          200: StrategyReplayResponse,
          ...signedIn,
          ...problems('conflict', 'rate_limited', 'overloaded'),
        },
      },
    },
    async (request, reply) => {
      const { user } = request;
      const outcome = await withUser(db, user.id, (tx) => startReplay(tx, config, user.id, request.params.id));
      return outcome.ok ? strategyReplayToWire(outcome.value) : sendProblem(reply, outcome.error);
    },
  );
}

async function startReplay(
  tx: UserTx,
  { market, isMarketStreamed }: ReplayRouteDeps['config'],
  userId: string,
  id: string,
): Promise<Outcome<StrategyReplay | null>> {
  await lockReplays(tx, userId);
  if (await isLeaving(tx, userId)) return failWith(LEAVING);
  const strategy = await lockStrategyToReplay(tx, id);
  if (strategy === null) return failWith(NOT_FOUND);
  if (!isMarketStreamed) return failWith(NOT_HERE);
  const unfit = whyUnfit(strategy.value);
  if (unfit !== null) return reject('conflict', unfit, { field: 'id' });
  const active = await readActiveReplay(tx, market);
  if (active !== null) return reject('conflict', `${active} is replaying. Start this one afterwards.`, { field: 'id' });
  const retryAfterS = await secondsToNextStart(tx, market);
  if (retryAfterS > 0) {
    const minutes = Math.ceil(retryAfterS / 60);
    return reject('rate_limited', `Start the next replay in ${minutes} min.`, { retryAfterS });
  }
  await queueReplay(tx, userId, strategy, market);
  return ok(await readStrategyReplay(tx, strategy.id, market));
}

function cancelRoute(app: App, { db, config: { market } }: ReplayRouteDeps): void {
  const onRequest = app.requireUser;
  app.delete(
    '/api/strategies/:id/replay',
    {
      onRequest,
      schema: {
        access: 'session',
        tags,
        summary: 'Cancel the replay of a saved strategy; one that ended stays',
        params,
        response: { 200: StrategyReplayResponse, ...signedIn },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const userId = request.user.id;
      await withSystem(db, (tx) => cancelReplays(tx, userId, id));
      const found = await withUser(db, userId, (tx) => findReplay(tx, id, market));
      return found === null ? sendProblem(reply, NOT_FOUND) : strategyReplayToWire(found.replay);
    },
  );
}

/** Null: the user has no such strategy. */
async function findReplay(
  tx: UserTx,
  id: string,
  market: MarketMode,
): Promise<{ replay: StrategyReplay | null } | null> {
  const strategy = await readStrategyToReplay(tx, id);
  return strategy === null ? null : { replay: await readStrategyReplay(tx, id, market) };
}
