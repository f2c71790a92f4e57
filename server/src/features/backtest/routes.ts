import { withUser } from '../../platform/db/scope.ts';
import type { App } from '../../platform/http/app.ts';
import { bodyRefusals, problems, sendProblem } from '../../platform/http/problem.ts';
import { deleteState, readLastBacktest, readState, upsertState } from './backtestRepository.ts';
import { LastBacktestAnswer, SavedStateAnswer, SavedStateBody } from './contract.ts';
import { createRunAdmission, parseMostlyNumbers, RUN_BODY_BYTES_MAX } from './largeBodies.ts';
import { runBacktest, type RunBacktestDeps } from './runBacktest.ts';
import { RunBacktestAnswer, RunBacktestBody } from './runContract.ts';

const tags = ['Backtest'];
const signedIn = problems('not_authenticated', 'database_unavailable');
const changes = problems('origin_refused');

export function backtestRoutes(app: App, deps: RunBacktestDeps): void {
  app.addHook('onRequest', app.requireUser);
  parseMostlyNumbers(app);
  runRoutes(app, deps);
  stateRoutes(app, deps);
}

function runRoutes(app: App, deps: RunBacktestDeps): void {
  app.post(
    '/api/backtest',
    {
      onRequest: createRunAdmission(deps.limiter),
      bodyLimit: RUN_BODY_BYTES_MAX,
      schema: {
        tags,
        summary: 'Backtest a weighted indicator strategy on closed candles',
        body: RunBacktestBody,
        response: {
          200: RunBacktestAnswer,
          ...signedIn,
          ...problems(...bodyRefusals, 'symbol_unknown', 'rate_limited'),
          ...problems('too_few_candles', 'upstream_unavailable', 'overloaded', 'deadline_exceeded'),
        },
      },
    },
    async (request, reply) => {
      const stop = new AbortController();
      // A closed tab must not keep a thread busy.
      reply.raw.once('close', () => stop.abort());
      const outcome = await runBacktest(deps, request.user.id, request.body, stop.signal);
      return outcome.ok ? outcome.value : sendProblem(reply, outcome.refusal);
    },
  );

  app.get(
    '/api/backtest/last',
    { schema: { tags, summary: 'Your newest run on the server', response: { 200: LastBacktestAnswer, ...signedIn } } },
    (request) => withUser(deps.db, request.user.id, async (tx) => ({ backtest: await readLastBacktest(tx) })),
  );
}

function stateRoutes(app: App, { db }: Pick<RunBacktestDeps, 'db'>): void {
  app.get(
    '/api/backtest/state',
    { schema: { tags, summary: 'The saved backtest screen', response: { 200: SavedStateAnswer, ...signedIn } } },
    (request) => withUser(db, request.user.id, async (tx) => ({ state: await readState(tx) })),
  );

  app.put(
    '/api/backtest/state',
    {
      schema: {
        tags,
        summary: 'Save the backtest screen',
        body: SavedStateBody,
        response: { 200: SavedStateAnswer, ...signedIn, ...problems(...bodyRefusals) },
      },
    },
    (request) =>
      withUser(db, request.user.id, async (tx) => ({ state: await upsertState(tx, request.user.id, request.body) })),
  );

  app.delete(
    '/api/backtest/state',
    {
      schema: {
        tags,
        summary: 'Forget the saved backtest screen',
        response: { 200: SavedStateAnswer, ...signedIn, ...changes },
      },
    },
    (request) =>
      withUser(db, request.user.id, async (tx) => {
        await deleteState(tx);
        return { state: null };
      }),
  );
}
