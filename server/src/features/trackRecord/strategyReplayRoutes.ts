import { failWith, ok } from '@sextant/workers/src/core/result.ts';
import { z } from 'zod';
import type { Config } from '../../config.ts';
import { type Db, withUser } from '../../platform/db/scope.ts';
import { createRejection } from '../../platform/errors.ts';
import type { App } from '../../platform/http/app.ts';
import { problems, sendProblem } from '../../platform/http/problem.ts';
import { StrategyReplayResponse } from './contract.ts';
import { whyUnfit } from './replay/replayStrategies.ts';
import { strategyReplayToWire } from './replay/replayToWire.ts';
import {
  lockReplays,
  queueReplay,
  readActiveReplay,
  readStrategyReplay,
  readStrategyToReplay,
} from './replay/strategyReplays.ts';

const tags = ['Signals'];
const params = z.strictObject({ id: z.uuid() });
const signedIn = problems('not_authenticated', 'database_unavailable', 'validation_failed', 'not_found');
const NOT_FOUND = createRejection('not_found', 'Strategy not found.');

interface ReplayRouteDeps {
  db: Db;
  config: Pick<Config, 'market'>;
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
      const found = await withUser(db, request.user.id, async (tx) => {
        const strategy = await readStrategyToReplay(tx, id);
        return strategy === null ? null : { replay: await readStrategyReplay(tx, id, market) };
      });
      return found === null ? sendProblem(reply, NOT_FOUND) : strategyReplayToWire(found.replay);
    },
  );
  startRoute(app, deps);
}

function startRoute(app: App, { db, config: { market } }: ReplayRouteDeps): void {
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
          'Reads up to 150 symbols of the past universe, with 1,000 candles of signals each. One replay runs per account; ' +
          'it replaces the last one of the strategy.',
        params,
        response: { 200: StrategyReplayResponse, ...signedIn, ...problems('conflict') },
      },
    },
    async (request, reply) => {
      const outcome = await withUser(db, request.user.id, async (tx) => {
        await lockReplays(tx, request.user.id);
        const strategy = await readStrategyToReplay(tx, request.params.id);
        if (strategy === null) return failWith(NOT_FOUND);
        const unfit = whyUnfit(strategy.value);
        if (unfit !== null) return failWith(createRejection('conflict', unfit, { field: 'id' }));
        const active = await readActiveReplay(tx);
        if (active !== null)
          return failWith(
            createRejection('conflict', `The replay of ${active} is not done. Wait for it.`, { field: 'id' }),
          );
        await queueReplay(tx, request.user.id, strategy, market);
        return ok(await readStrategyReplay(tx, strategy.id, market));
      });
      return outcome.ok ? strategyReplayToWire(outcome.value) : sendProblem(reply, outcome.error);
    },
  );
}
