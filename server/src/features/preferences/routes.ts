import { ok } from '@sextant/workers/src/core/result.ts';
import { violatedConstraint } from '../../platform/db/databaseError.ts';
import { type Db, withUser } from '../../platform/db/scope.ts';
import { notifyUser } from '../../platform/events/notify.ts';
import { type Outcome, reject } from '../../platform/errors.ts';
import type { App } from '../../platform/http/app.ts';
import { bodyRejections, problems, sendProblem } from '../../platform/http/problem.ts';
import { type Preferences, PreferencesResponse, type PreferencesChange, PreferencesRequest } from './contract.ts';
import { readPreferences, savePreferences } from './repository.ts';

export interface PreferencesDeps {
  db: Db;
}

/** Saves a change. The one rule that spans two fields may involve a stored value, so the database checks it. */
export async function changePreferences(
  db: Db,
  userId: string,
  change: PreferencesChange,
): Promise<Outcome<Preferences>> {
  try {
    const saved = await withUser(db, userId, async (tx) => {
      const preferences = await savePreferences(tx, userId, change);
      // With its version, so that the page that saved it does not fetch it again.
      await notifyUser(tx, userId, 'preferences', { updated_at: preferences.updated_at });
      return preferences;
    });
    return ok(saved);
  } catch (error) {
    if (violatedConstraint(error) !== 'preferences_check') throw error;
    const field = change.risk_min_pct === undefined ? 'risk_max_pct' : 'risk_min_pct';
    return reject('validation_failed', 'risk_min_pct must not be above risk_max_pct; send both to change both', {
      field,
    });
  }
}

export function preferencesRoutes(app: App, { db }: PreferencesDeps): void {
  const tags = ['Account'];
  app.addHook('onRequest', app.requireUser);
  app.get(
    '/api/preferences',
    {
      schema: {
        access: 'read:account',
        sandbox: 'none',
        tags,
        summary: 'Your settings',
        response: { 200: PreferencesResponse, ...problems('not_authenticated') },
      },
    },
    (request) => withUser(db, request.user.id, readPreferences),
  );
  app.put(
    '/api/preferences',
    {
      schema: {
        access: 'session',
        tags,
        summary: 'Update your settings',
        body: PreferencesRequest,
        response: { 200: PreferencesResponse, ...problems(...bodyRejections, 'not_authenticated') },
      },
    },
    async (request, reply) => {
      const outcome = await changePreferences(db, request.user.id, request.body);
      return outcome.ok ? outcome.value : sendProblem(reply, outcome.error);
    },
  );
}
