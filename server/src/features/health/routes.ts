import type { App } from '../../platform/http/app.ts';
import { problems } from '../../platform/http/problem.ts';
import { type ExternalStatusPort, HealthAnswer } from './contract.ts';

export interface HealthDeps {
  /** Milliseconds the database took to answer, measured lately. Rejects with `database_unavailable` when it did not. */
  pingDatabase: () => Promise<number>;
  externalStatus: ExternalStatusPort;
  /** `broken` when the last look at the credit ledger found something that must never be. */
  ledger: { state: () => 'unknown' | 'ok' | 'broken' };
}

const messages = {
  ok: 'All systems operational.',
  degraded: 'The exchanges do not answer as they should; stored data is available.',
  ledger: 'The credit ledger does not add up. Nobody loses credits: please wait before you spend more.',
};

/** Only measured figures: the round trip to the database, the age of this process, the last word of the exchanges. */
export function healthRoutes(app: App, deps: HealthDeps): void {
  app.get(
    '/api/health',
    {
      schema: {
        tags: ['Service'],
        summary: 'Whether the service works, measured at most a second ago',
        response: { 200: HealthAnswer, ...problems('database_unavailable') },
      },
    },
    async (_request, reply) => {
      const pingMs = await deps.pingDatabase();
      const external = deps.externalStatus.status();
      const isLedgerBroken = deps.ledger.state() === 'broken';
      const isDegraded = isLedgerBroken || external === 'degraded' || external === 'down';
      const status = isDegraded ? ('degraded' as const) : ('ok' as const);
      void reply.header('cache-control', 'no-store');
      return {
        status,
        message: messages[isLedgerBroken ? 'ledger' : status],
        timestamp: new Date().toISOString(),
        responseTime: Math.round(pingMs * 100) / 100,
        uptime: Math.round(process.uptime()),
        external_api_status: external,
      };
    },
  );
}
