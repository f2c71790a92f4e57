import type { MarketMode } from '../../../config.ts';
import { type Db, withUser } from '../../../platform/db/scope.ts';
import type { App } from '../../../platform/http/app.ts';
import { problems, sendProblem } from '../../../platform/http/problem.ts';
import { PositionId } from '../contract.ts';
import { PositionReconciliation, ReconciliationResponse } from './contract.ts';
import { readReconciliation, readReconciliations } from './readReconciliation.ts';

interface ReconciliationRoutesDeps {
  db: Db;
  config: { market: MarketMode };
}

const tags = ['Positions'];
const signedIn = problems('not_authenticated', 'database_unavailable');

export function reconciliationRoutes(app: App, { db, config }: ReconciliationRoutesDeps): void {
  app.addHook('onRequest', app.requireUser);
  app.get(
    '/api/positions/:id/reconciliation',
    {
      schema: {
        access: 'read:account',
        sandbox: 'none',
        tags,
        summary: 'Read why the result of a closed automatic position differs from its test',
        params: PositionId,
        response: { 200: PositionReconciliation, ...signedIn, ...problems('validation_failed', 'not_found') },
      },
    },
    async ({ user, params: { id } }, reply) => {
      const match = await readReconciliation(db, user.id, id);
      return match ?? sendProblem(reply, { code: 'not_found', message: 'There is no such position.' });
    },
  );
  app.get(
    '/api/reconciliation',
    {
      schema: {
        access: 'read:account',
        sandbox: 'none',
        tags,
        summary: 'Read why live results differ from tests, summed by cause and strategy',
        response: { 200: ReconciliationResponse, ...signedIn },
      },
    },
    ({ user }) => withUser(db, user.id, (tx) => readReconciliations(tx, config.market)),
  );
}
