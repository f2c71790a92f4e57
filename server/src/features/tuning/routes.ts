import { type Db, withUser } from '../../platform/db/scope.ts';
import type { App } from '../../platform/http/app.ts';
import { bodyRefusals, problems, sendProblem } from '../../platform/http/problem.ts';
import { createRefusal } from '../../platform/errors.ts';
import type { TuningCache } from '../signals/tuningCache.ts';
import { TuningAnswer, TuningBody, VersionParams } from './contract.ts';
import { changeTuning, showTuning } from './tuning.ts';
import { deleteVersion } from './tuningRepository.ts';

export interface TuningDeps {
  db: Db;
  tuning: TuningCache;
}

const tags = ['Signals'];

export function tuningRoutes(app: App, { db, tuning }: TuningDeps): void {
  app.addHook('onRequest', app.requireUser);
  app.get(
    '/api/tuning',
    {
      schema: {
        tags,
        summary: 'Your signal tuning and its versions',
        response: { 200: TuningAnswer, ...problems('not_authenticated', 'database_unavailable') },
      },
    },
    (request) => withUser(db, request.user.id, (tx) => showTuning(tx, request.user.id)),
  );
  app.put(
    '/api/tuning',
    {
      schema: {
        tags,
        summary: 'Change your signal tuning',
        body: TuningBody,
        response: {
          200: TuningAnswer,
          ...problems(...bodyRefusals, 'not_authenticated', 'not_found', 'database_unavailable'),
        },
      },
    },
    async (request, reply) => {
      const outcome = await changeTuning(db, request.user.id, request.body);
      tuning.forget(request.user.id);
      return outcome.ok ? outcome.value : sendProblem(reply, outcome.error);
    },
  );
  app.delete(
    '/api/tuning/versions/:id',
    {
      schema: {
        tags,
        summary: 'Forget a version of your tuning',
        params: VersionParams,
        response: {
          200: TuningAnswer,
          ...problems('validation_failed', 'origin_refused', 'not_authenticated', 'not_found', 'database_unavailable'),
        },
      },
    },
    async (request, reply) => {
      const answer = await withUser(db, request.user.id, async (tx) =>
        (await deleteVersion(tx, request.params.id)) ? showTuning(tx, request.user.id) : undefined,
      );
      if (answer !== undefined) return answer;
      return sendProblem(reply, createRefusal('not_found', 'There is no such version.'));
    },
  );
}
