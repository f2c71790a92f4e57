import { withUser } from '../../../platform/db/scope.ts';
import { apiErrors } from '../../../platform/errors.ts';
import type { App } from '../../../platform/http/app.ts';
import { holdSlot } from '../../../platform/http/holdSlot.ts';
import { problems, sendProblem } from '../../../platform/http/problem.ts';
import { createSlots } from '../../../platform/limits/slots.ts';
import type { RunBacktestDeps } from '../runBacktest.ts';
import { SearchResponse, SearchesResponse, SearchId, TrialsBytes } from './contract.ts';
import { readSearch, readSearches, readTrials } from './searchRepository.ts';
import { cancelSearch } from './startSearch.ts';

const tags = ['Backtest'];
/** A download stays in memory until it is sent, up to 32 MiB each. */
const downloadSlots = { slotCount: 16, perKey: 1, queueMaxPerKey: 2, waitMsMax: 5000 };
const signedIn = problems('not_authenticated', 'database_unavailable');
const oneSearch = { ...signedIn, ...problems('validation_failed', 'not_found') };
const unknown = { code: 'not_found', message: apiErrors.not_found.title } as const;

/** Routes of long searches; `POST /api/backtest` starts them. */
export function searchRoutes(app: App, { db }: Pick<RunBacktestDeps, 'db'>): void {
  app.get(
    '/api/backtest/searches',
    {
      schema: {
        access: 'run:backtest',
        sandbox: { answer: { searches: [] } },
        tags,
        summary: 'Your long searches',
        response: { 200: SearchesResponse, ...signedIn },
      },
    },
    (request) => withUser(db, request.user.id, async (tx) => ({ searches: await readSearches(tx) })),
  );
  app.get(
    '/api/backtest/searches/:id',
    {
      schema: {
        access: 'run:backtest',
        sandbox: 'none',
        tags,
        summary: 'One long search',
        params: SearchId,
        response: { 200: SearchResponse, ...oneSearch },
      },
    },
    async (request, reply) => {
      const search = await withUser(db, request.user.id, (tx) => readSearch(tx, request.params.id));
      return search === null ? sendProblem(reply, unknown) : { search };
    },
  );
  trialsRoute(app, db);
  app.post(
    '/api/backtest/searches/:id/cancel',
    {
      schema: {
        access: 'run:backtest',
        sandbox: 'none',
        tags,
        summary: 'Cancel a long search',
        params: SearchId,
        response: { 200: SearchResponse, ...oneSearch, ...problems('origin_refused', 'conflict') },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const isCancelled = await cancelSearch(db, request.user.id, id);
      const search = await withUser(db, request.user.id, (tx) => readSearch(tx, id));
      if (search === null) return sendProblem(reply, unknown);
      if (isCancelled || search.status === 'cancelled') return { search };
      return sendProblem(reply, { code: 'conflict', message: `The search is already ${search.status}.` });
    },
  );
}

function trialsRoute(app: App, db: RunBacktestDeps['db']): void {
  const slots = createSlots(downloadSlots);
  app.get(
    '/api/backtest/searches/:id/trials',
    {
      onRequest: (request, reply) => holdSlot(slots, request.user.id, reply),
      schema: {
        access: 'run:backtest',
        sandbox: 'none',
        tags,
        summary: 'Read the figures of every set of a finished search',
        params: SearchId,
        response: {
          200: { description: 'Columns of numbers.', content: { 'application/octet-stream': { schema: TrialsBytes } } },
          ...oneSearch,
          ...problems('conflict', 'overloaded'),
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { search, trials } = await withUser(db, request.user.id, async (tx) => ({
        search: await readSearch(tx, id),
        trials: await readTrials(tx, id),
      }));
      if (search === null) return sendProblem(reply, unknown);
      if (trials === null)
        return sendProblem(reply, {
          code: 'conflict',
          message: `The search is ${search.status}. Its sets are available when it is done.`,
        });
      // All browsers accept gzip, and the bytes are stored compressed.
      return reply.type('application/octet-stream').header('content-encoding', 'gzip').send(trials);
    },
  );
}
