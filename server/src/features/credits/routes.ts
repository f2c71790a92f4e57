import { type Db, withUser } from '../../platform/db/scope.ts';
import type { App } from '../../platform/http/app.ts';
import { problems } from '../../platform/http/problem.ts';
import { CreditsAnswer } from './contract.ts';
import { readCredits } from './readCredits.ts';

export interface CreditsDeps {
  db: Db;
}

export function creditsRoutes(app: App, { db }: CreditsDeps): void {
  app.addHook('onRequest', app.requireUser);
  app.get(
    '/api/credits',
    {
      schema: {
        tags: ['Credits'],
        summary: 'Your credits and what happened to them',
        response: { 200: CreditsAnswer, ...problems('not_authenticated', 'database_unavailable') },
      },
    },
    (request) => withUser(db, request.user.id, readCredits),
  );
}
