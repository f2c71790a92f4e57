import { SANDBOX_MS } from '@sextant/workers/src/core/apiAccess.ts';
import type { z } from 'zod';
import type { App } from '../../../platform/http/app.ts';
import { problems } from '../../../platform/http/problem.ts';
import { HealthResponse } from './contract.ts';
import { type HealthDeps, readHealthSoon } from './readHealth.ts';

/** The sandbox has no database, no exchanges and no history that could fail. */
const sandboxHealth = {
  status: 'ok',
  message: 'The sandbox is available. Its clock is frozen.',
  timestamp: new Date(SANDBOX_MS).toISOString(),
  responseTime: 0,
  uptime: 0,
  external_api_status: 'ok',
  unexpected_errors: 0,
  jobs_set_aside: 0,
  silent_streams: 0,
  unpriced_positions: 0,
} satisfies z.input<typeof HealthResponse>;

/** Only measured figures: the database round trip, the process uptime, the last known exchange states. */
export function healthRoutes(app: App, deps: HealthDeps): void {
  app.get(
    '/api/health',
    {
      schema: {
        access: 'public',
        sandbox: { answer: sandboxHealth },
        tags: ['Service'],
        summary: 'Read service health, at most a second old',
        response: { 200: HealthResponse, ...problems('database_unavailable') },
      },
    },
    async (_request, reply) => {
      const { status, message, responseTimeMs, external, ...counted } = await readHealthSoon(deps);
      void reply.header('cache-control', 'no-store');
      return {
        status,
        message,
        timestamp: new Date().toISOString(),
        responseTime: responseTimeMs,
        uptime: Math.round(process.uptime()),
        external_api_status: external,
        unexpected_errors: counted.unexpectedErrorCount,
        jobs_set_aside: counted.setAsideCount,
        silent_streams: counted.silentStreamCount,
        unpriced_positions: counted.unpricedCount,
      };
    },
  );
}
