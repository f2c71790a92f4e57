import { failWith, ok } from '@sextant/workers/src/result.ts';
import type { z } from 'zod';
import { type Db, type UserTx, withUser } from '../../platform/db/scope.ts';
import { createRefusal, type Outcome } from '../../platform/errors.ts';
import { RefusalError } from '../../platform/http/refusalError.ts';
import { presets, type TuningAnswer, type TuningBody } from './contract.ts';
import { keepVersion, readTuning, readVersions, saveTuning, VERSIONS_MAX } from './tuningRepository.ts';

type Answer = z.input<typeof TuningAnswer>;

export async function showTuning(tx: UserTx, userId: string): Promise<Answer> {
  const [{ weights, updatedAt }, versions] = [await readTuning(tx, userId), await readVersions(tx)];
  return {
    weights,
    updated_at: updatedAt?.toISOString() ?? null,
    presets,
    versions: versions.map((version) => ({ ...version, created_at: version.created_at.toISOString() })),
  };
}

/** Saves a change, a return to a version, or both, and keeps the result under a name when one is given. */
export async function changeTuning(
  db: Db,
  userId: string,
  { weights, version_id: versionId, save_as: name }: z.output<typeof TuningBody>,
): Promise<Outcome<Answer>> {
  try {
    return ok(
      await withUser(db, userId, async (tx) => {
        const version = (await readVersions(tx)).find(({ id }) => id === versionId);
        if (versionId !== undefined && version === undefined)
          throw new TuningRefusal(createRefusal('not_found', 'There is no such version.'));
        await saveTuning(tx, userId, { ...version?.weights, ...weights });
        if (name !== undefined && !(await keepVersion(tx, userId, name, (await readTuning(tx, userId)).weights))) {
          const message = `save_as: ${VERSIONS_MAX} versions are kept; delete one first.`;
          throw new TuningRefusal(createRefusal('validation_failed', message, { field: 'save_as' }));
        }
        return showTuning(tx, userId);
      }),
    );
  } catch (error) {
    // Thrown, so that what was written before the refusal does not stay.
    if (error instanceof TuningRefusal) return failWith(error.refusal);
    throw error;
  }
}

class TuningRefusal extends RefusalError {}
