import { z } from 'zod';
import { type Db, withUser } from '../../platform/db/scope.ts';
import type { App } from '../../platform/http/app.ts';
import { bodyRefusals, problems } from '../../platform/http/problem.ts';
import { privacyOf } from '../account/privacyOf.ts';
import type { LatencyWindow } from '../measured/latencyWindow.ts';

export interface BrowserReportDeps {
  db: Db;
  /** How long the product took to load in browsers. */
  pageLoads: LatencyWindow;
}

const BrowserReport = z.strictObject({
  status: z.enum(['ok', 'degraded', 'error']),
  responseTime: z.number().min(0).max(600_000).meta({ description: 'Milliseconds the page took to load.' }),
  message: z.string().max(200).default(''),
});
const ReportAnswer = z.object({
  recorded: z
    .boolean()
    .meta({ description: 'False when your privacy settings do not allow analytics: nothing was kept.' }),
});

/** Anonymous browser measurements of users who allow analytics. */
export function browserReportRoutes(app: App, { db, pageLoads }: BrowserReportDeps): void {
  app.post(
    '/api/health/log',
    {
      onRequest: app.requireUser,
      schema: {
        access: 'session',
        tags: ['Service'],
        summary: 'Report how long the product took to load in your browser',
        body: BrowserReport,
        response: { 200: ReportAnswer, ...problems(...bodyRefusals, 'not_authenticated') },
      },
    },
    async (request) => {
      const { analytics } = await withUser(db, request.user.id, privacyOf);
      if (analytics && request.body.status === 'ok') pageLoads.record(request.body.responseTime);
      return { recorded: analytics };
    },
  );
}
