import type { Config } from '../../config.ts';
import { type Db, withUser } from '../../platform/db/scope.ts';
import type { App } from '../../platform/http/app.ts';
import { problems } from '../../platform/http/problem.ts';
import { HistoryAnswer, HistoryQuery, PerformanceAnswer } from './contract.ts';
import { summarise } from './performance.ts';
import { readHistory, readRecord } from './signalRepository.ts';

export interface PerformanceDeps {
  db: Db;
  config: Pick<Config, 'market'>;
}

const tags = ['Signals'];
const signedIn = problems('not_authenticated', 'database_unavailable');

export function performanceRoutes(app: App, { db, config }: PerformanceDeps): void {
  app.addHook('onRequest', app.requireUser);
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
    (request) =>
      withUser(db, request.user.id, async (tx) => {
        const record = await readRecord(tx, config.market);
        const approved = record.filter(({ isAiApproved }) => isAiApproved);
        return {
          market: config.market,
          engine: summarise(record),
          mine: summarise(record.filter(({ mine }) => mine)),
          ai_check: approved.length === 0 ? null : summarise(approved),
        };
      }),
  );
}
