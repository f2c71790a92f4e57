import type { Config } from '../../config.ts';
import { type Db, withSystem, withUser } from '../../platform/db/scope.ts';
import type { App } from '../../platform/http/app.ts';
import { problems } from '../../platform/http/problem.ts';
import { createSharedResponse } from '../../platform/sharedResponse.ts';
import {
  HistoryResponse,
  HistoryQuery,
  OriginQuery,
  PerformanceResponse,
  ReplayedQuery,
  ReplayedResponse,
  ScoreboardResponse,
} from './contract.ts';
import { exampleHistory } from './exampleHistory.ts';
import { createReadPerformance, type Timed, readScoreboard } from './readPerformance.ts';
import { createRecord, type PublicRecord } from './record.ts';
import { readReplayed } from './replay/replayRepository.ts';
import { listReplayed } from './replay/replayToWire.ts';
import { readHistory } from './signalRepository.ts';

export interface PerformanceDeps {
  db: Db;
  config: Pick<Config, 'market'>;
}

/** Cache time of a response of the public record. */
const freshMs = 10_000;
const tags = ['Signals'];
const signedIn = problems('not_authenticated', 'database_unavailable');

export function performanceRoutes(app: App, { db, config }: PerformanceDeps): void {
  const { market } = config;
  const record = createRecord(db, market);
  addSignedIn(app, { db, config }, record);
  addReplayed(app, { db, config });
  const sharedOf = (origin: 'live' | 'replayed') =>
    createSharedResponse(freshMs, () => readScoreboard(db, market, { record, origin }), Date.now);
  const shared = { live: sharedOf('live'), replayed: sharedOf('replayed') };
  app.get(
    '/api/scoreboard',
    {
      schema: {
        access: 'public',
        sandbox: 'none',
        tags,
        summary: 'Read the public record: outcomes of every signal and the value of AI checks',
        querystring: OriginQuery,
        response: { 200: ScoreboardResponse, ...problems('database_unavailable', 'validation_failed') },
      },
    },
    (request) => shared[request.query.origin](),
  );
}

function addReplayed(app: App, { db, config }: PerformanceDeps): void {
  app.get(
    '/api/replayed-signals',
    {
      onRequest: app.requireUser,
      schema: {
        access: 'read:signals',
        sandbox: 'none',
        tags,
        summary: 'List the replayed signals of one series with their outcomes, newest first',
        querystring: ReplayedQuery,
        response: { 200: ReplayedResponse, ...signedIn, ...problems('validation_failed') },
      },
    },
    ({ query: { symbol, interval, limit } }) =>
      withSystem(db, async (tx) =>
        listReplayed({ symbol, interval, limit }, await readReplayed(tx, config.market, { symbol, interval })),
      ),
  );
}

function addSignedIn(app: App, { db, config }: PerformanceDeps, record: PublicRecord): void {
  const onRequest = app.requireUser;
  const readPerformance = createReadPerformance({ db, config, record });
  app.get(
    '/api/historic-signals',
    {
      onRequest,
      schema: {
        access: 'read:signals',
        sandbox: { answer: exampleHistory },
        tags,
        summary: 'List the immutable signal record, losers included',
        querystring: HistoryQuery,
        response: { 200: HistoryResponse, ...signedIn, ...problems('validation_failed') },
      },
    },
    (request) =>
      withUser(db, request.user.id, async (tx) => ({
        signals: await readHistory(tx, request.query.limit, { isOnlyMine: request.query.mine }),
      })),
  );
  app.get(
    '/api/performance',
    {
      onRequest,
      schema: {
        access: 'read:signals',
        sandbox: 'none',
        tags,
        summary: 'Read signal outcomes: hit rate, results after fees, calibration',
        querystring: OriginQuery,
        response: { 200: PerformanceResponse, ...signedIn, ...problems('validation_failed') },
      },
    },
    async (request, reply) => {
      const { answer, timing } = await readPerformance(request.user.id, request.query.origin);
      void reply.header('server-timing', serverTiming(timing));
      return answer;
    },
  );
}

const serverTiming = ({ record, own, votes }: Timed['timing']): string =>
  `record;dur=${record.toFixed(2)}, own;dur=${own.toFixed(2)}, votes;dur=${votes.toFixed(2)}`;
