import { SAMPLES_MAX } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { withUser } from '../../platform/db/scope.ts';
import { progressListener } from '../../platform/callProgress.ts';
import { apiErrors } from '../../platform/errors.ts';
import { disconnectSignal } from '../../platform/http/disconnectSignal.ts';
import type { App } from '../../platform/http/app.ts';
import { bodyRejections, problems, sendProblem } from '../../platform/http/problem.ts';
import { countHit } from '../../platform/limits/countHit.ts';
import {
  deleteNamed,
  deleteState,
  readLastBacktest,
  readNamed,
  readState,
  renameNamed,
  upsertState,
} from './backtestRepository.ts';
import {
  LastBacktestResponse,
  RenameRunBody,
  RunId,
  SavedRunsResponse,
  SavedStateResponse,
  SavedStateBody,
} from './contract.ts';
import { createRunAdmission, parseMostlyNumbers, RUN_BODY_BYTES_MAX } from './largeBodies.ts';
import { runBacktest, type RunBacktestDeps } from './runBacktest.ts';
import { RunBacktestResponse, RunBacktestBody } from './runContract.ts';
import { runRejections } from './runRejections.ts';
import { SearchResponse } from './search/contract.ts';
import { type PortfolioRouteDeps, portfolioRoutes } from './portfolio/routes.ts';
import { luckRoutes } from './luck/routes.ts';
import { searchRoutes } from './search/routes.ts';
import { searchBacktest } from './search/searchBacktest.ts';
import { startSearch } from './search/startSearch.ts';

const tags = ['Backtest'];
const signedIn = problems('not_authenticated', 'database_unavailable');
const changes = problems('origin_refused');
/** Long searches a user may start: each uses minutes of a core and up to 16 MiB, even when it is cancelled. */
const searchLimit = { hitMax: 30, windowS: 3600 };
const unknown = { code: 'not_found', message: apiErrors.not_found.title } as const;

export function backtestRoutes(app: App, deps: RunBacktestDeps & PortfolioRouteDeps): void {
  app.addHook('onRequest', app.requireUser);
  parseMostlyNumbers(app);
  runRoutes(app, deps);
  lastRoute(app, deps);
  savedRoutes(app, deps);
  stateRoutes(app, deps);
  searchRoutes(app, deps);
  portfolioRoutes(app, deps);
  luckRoutes(app, deps);
}

function runRoutes(app: App, deps: RunBacktestDeps): void {
  app.post(
    '/api/backtest',
    {
      onRequest: createRunAdmission(deps.limiter),
      bodyLimit: RUN_BODY_BYTES_MAX,
      schema: {
        access: 'run:backtest',
        sandbox: 'frozen',
        tags,
        summary: 'Backtest a weighted indicator strategy or rules on closed candles, or search for better sets of them',
        description:
          'With `optimize` the response has the best set in `best`: of `params`, or of `strategy` with the ranges of ' +
          '`optimize.rulesSpace`. A deep search (more than 1,000 samples) is a job: the response ' +
          'is 202 with its id; follow it by `GET /api/backtest/searches/{id}` or the event stream.',
        body: RunBacktestBody,
        response: {
          200: RunBacktestResponse,
          202: SearchResponse,
          ...signedIn,
          ...problems(...bodyRejections, 'symbol_unknown', 'rate_limited', 'conflict'),
          ...problems(...runRejections),
        },
      },
    },
    async (request, reply) => {
      // A closed tab must not occupy a thread.
      const signal = disconnectSignal(reply);
      const { body, user } = request;
      const { optimize } = body;
      if (optimize !== undefined && optimize.samples > SAMPLES_MAX) {
        const tooMany = `At most ${searchLimit.hitMax} long searches an hour. Search in the browser, or wait.`;
        await countHit(deps.limiter, { key: `search:${user.id}`, ...searchLimit }, tooMany);
        const started = await startSearch(deps, user.id, { ...body, optimize }, signal);
        return started.ok ? reply.code(202).send({ search: started.value }) : sendProblem(reply, started.error);
      }
      const watch = { signal, onProgress: progressListener(request) };
      const outcome =
        optimize === undefined
          ? await runBacktest(deps, user.id, body, signal)
          : await searchBacktest(deps, user.id, { ...body, optimize }, watch);
      return outcome.ok ? outcome.value : sendProblem(reply, outcome.error);
    },
  );
}

function lastRoute(app: App, deps: Pick<RunBacktestDeps, 'db'>): void {
  app.get(
    '/api/backtest/last',
    {
      schema: {
        access: 'run:backtest',
        sandbox: { answer: { backtest: null } },
        tags,
        summary: 'Read your newest run on the server',
        response: { 200: LastBacktestResponse, ...signedIn },
      },
    },
    (request) => withUser(deps.db, request.user.id, async (tx) => ({ backtest: await readLastBacktest(tx) })),
  );
}

function savedRoutes(app: App, { db }: Pick<RunBacktestDeps, 'db'>): void {
  app.get(
    '/api/backtest/saved',
    {
      schema: {
        access: 'run:backtest',
        sandbox: { answer: { runs: [] } },
        tags,
        summary: 'List your named runs',
        response: { 200: SavedRunsResponse, ...signedIn },
      },
    },
    (request) => withUser(db, request.user.id, async (tx) => ({ runs: await readNamed(tx) })),
  );
  app.patch(
    '/api/backtest/saved/:id',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Rename a saved run',
        params: RunId,
        body: RenameRunBody,
        response: { 200: SavedRunsResponse, ...signedIn, ...problems(...bodyRejections, 'not_found') },
      },
    },
    async (request, reply) => {
      const { params, body } = request;
      const runs = await withUser(db, request.user.id, async (tx) =>
        (await renameNamed(tx, params.id, body.name)) ? readNamed(tx) : null,
      );
      return runs === null ? sendProblem(reply, unknown) : { runs };
    },
  );
  app.delete(
    '/api/backtest/saved/:id',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Delete a saved run',
        params: RunId,
        response: { 200: SavedRunsResponse, ...signedIn, ...changes, ...problems('validation_failed', 'not_found') },
      },
    },
    async (request, reply) => {
      const runs = await withUser(db, request.user.id, async (tx) =>
        (await deleteNamed(tx, request.params.id)) ? readNamed(tx) : null,
      );
      return runs === null ? sendProblem(reply, unknown) : { runs };
    },
  );
}

function stateRoutes(app: App, { db }: Pick<RunBacktestDeps, 'db'>): void {
  app.get(
    '/api/backtest/state',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Read the saved backtest screen',
        response: { 200: SavedStateResponse, ...signedIn },
      },
    },
    (request) => withUser(db, request.user.id, async (tx) => ({ state: await readState(tx) })),
  );

  app.put(
    '/api/backtest/state',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Save the backtest screen',
        body: SavedStateBody,
        response: { 200: SavedStateResponse, ...signedIn, ...problems(...bodyRejections) },
      },
    },
    (request) =>
      withUser(db, request.user.id, async (tx) => ({ state: await upsertState(tx, request.user.id, request.body) })),
  );

  app.delete(
    '/api/backtest/state',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Delete the saved backtest screen',
        response: { 200: SavedStateResponse, ...signedIn, ...changes },
      },
    },
    (request) =>
      withUser(db, request.user.id, async (tx) => {
        await deleteState(tx);
        return { state: null };
      }),
  );
}
