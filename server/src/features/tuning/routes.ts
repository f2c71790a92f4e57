import { failWith, ok } from '@sextant/workers/src/core/result.ts';
import type { z } from 'zod';
import { type Db, withUser, type UserTx } from '../../platform/db/scope.ts';
import type { App } from '../../platform/http/app.ts';
import { bodyRejections, problems, sendProblem } from '../../platform/http/problem.ts';
import { createRejection, type Outcome } from '../../platform/errors.ts';
import type { TuningCache } from '../signals/tuningCache.ts';
import { TuningResponse, TuningBody, VersionParams, presets } from './contract.ts';
import { deleteVersion, keepVersion, readTuning, readVersions, saveTuning, VERSIONS_MAX } from './tuningRepository.ts';
import { RejectionError } from '../../platform/http/rejectionError.ts';

type ResponseBody = z.input<typeof TuningResponse>;

async function showTuning(tx: UserTx, userId: string): Promise<ResponseBody> {
  const [{ weights, updatedAt }, versions] = [await readTuning(tx, userId), await readVersions(tx)];
  return {
    weights,
    updated_at: updatedAt?.toISOString() ?? null,
    presets,
    versions: versions.map((version) => ({ ...version, created_at: version.created_at.toISOString() })),
  };
}

/** Saves a change, a return to a version, or both, and stores the result under a name when one is given. */
async function changeTuning(
  db: Db,
  userId: string,
  { weights, version_id: versionId, save_as: name }: z.output<typeof TuningBody>,
): Promise<Outcome<ResponseBody>> {
  try {
    return ok(
      await withUser(db, userId, async (tx) => {
        const version = (await readVersions(tx)).find(({ id }) => id === versionId);
        if (versionId !== undefined && version === undefined)
          throw new TuningRejection(createRejection('not_found', 'Version not found.'));
        await saveTuning(tx, userId, { ...version?.weights, ...weights });
        if (name !== undefined && !(await keepVersion(tx, userId, name, (await readTuning(tx, userId)).weights))) {
          const message = `save_as: limit reached (${VERSIONS_MAX} versions). Delete one first.`;
          throw new TuningRejection(createRejection('validation_failed', message, { field: 'save_as' }));
        }
        return showTuning(tx, userId);
      }),
    );
  } catch (error) {
    // Thrown, so that the transaction of the rejected change is rolled back.
    if (error instanceof TuningRejection) return failWith(error.rejection);
    throw error;
  }
}

class TuningRejection extends RejectionError {}

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
        access: 'read:account',
        sandbox: 'none',
        tags,
        summary: 'Read your signal tuning and its versions',
        response: { 200: TuningResponse, ...problems('not_authenticated', 'database_unavailable') },
      },
    },
    (request) => withUser(db, request.user.id, (tx) => showTuning(tx, request.user.id)),
  );
  app.put(
    '/api/tuning',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Update your signal tuning',
        body: TuningBody,
        response: {
          200: TuningResponse,
          ...problems(...bodyRejections, 'not_authenticated', 'not_found', 'database_unavailable'),
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
        access: 'session',
        tags,
        summary: 'Delete a version of your tuning',
        params: VersionParams,
        response: {
          200: TuningResponse,
          ...problems('validation_failed', 'origin_refused', 'not_authenticated', 'not_found', 'database_unavailable'),
        },
      },
    },
    async (request, reply) => {
      const response = await withUser(db, request.user.id, async (tx) =>
        (await deleteVersion(tx, request.params.id)) ? showTuning(tx, request.user.id) : undefined,
      );
      if (response !== undefined) return response;
      return sendProblem(reply, createRejection('not_found', 'Version not found.'));
    },
  );
}
