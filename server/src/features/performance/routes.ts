import type { Config } from '../../config.ts';
import { type Db, withUser } from '../../platform/db/scope.ts';
import type { App } from '../../platform/http/app.ts';
import { problems } from '../../platform/http/problem.ts';
import { HistoryAnswer, HistoryQuery, PerformanceAnswer } from './contract.ts';
import { createReadPerformance, type Timed } from './readPerformance.ts';
import { createRecord } from './record.ts';
import { readHistory } from './signalRepository.ts';

export interface PerformanceDeps {
  db: Db;
  config: Pick<Config, 'market'>;
}

const tags = ['Signals'];
const signedIn = problems('not_authenticated', 'database_unavailable');

export function performanceRoutes(app: App, { db, config }: PerformanceDeps): void {
  app.addHook('onRequest', app.requireUser);
  const readPerformance = createReadPerformance({ db, config, record: createRecord(db, config.market) });
  app.get(
    '/api/historic-signals',
    {
      schema: {
        tags,
        summary: 'The record of signals, losers included; nothing in it can be changed',
        querystring: HistoryQuery,
        response: { 200: HistoryAnswer, ...signedIn, ...problems('validation_failed') },
      },
    },
    (request) =>
      withUser(db, request.user.id, async (tx) => ({
        signals: await readHistory(tx, request.query.limit, request.query.mine),
      })),
  );
  app.get(
    '/api/performance',
    {
      schema: {
        tags,
        summary: 'What became of the signals: hit rate, results after fees, calibration',
        response: { 200: PerformanceAnswer, ...signedIn },
      },
    },
    async (request, reply) => {
      const { answer, timing } = await readPerformance(request.user.id);
      void reply.header('server-timing', serverTiming(timing));
      return answer;
    },
  );
}

const serverTiming = ({ record, own, votes }: Timed['timing']): string =>
  `record;dur=${record.toFixed(2)}, own;dur=${own.toFixed(2)}, votes;dur=${votes.toFixed(2)}`;
