import { z } from 'zod';
import { type Db, withUser } from '../../../platform/db/scope.ts';
import type { App } from '../../../platform/http/app.ts';
import { bodyRejections, problems } from '../../../platform/http/problem.ts';
import { clientKey } from '../../../platform/limits/clientKey.ts';
import { privacyOf } from '../../account/privacyOf.ts';
import type { LatencyWindow } from '../measured/latencyWindow.ts';

export interface BrowserReportDeps {
  db: Db;
  /** Load times of the product in browsers. */
  pageLoads: LatencyWindow;
}

const hourMs = 3_600_000;
/** Accounts of one network whose loads count in an hour. */
const perNetworkMax = 5;
/** Maximum of both stored per hour; further ones are not counted. */
const rememberedMax = 100_000;

/**
 * Whether a load counts in the public figure: one per account and hour, and few accounts per network, so that no user or network
 * dominates the figure.
 */
export function createLoadCounter(now: () => number): (userId: string, network: string) => boolean {
  const accounts = new Set<string>();
  const networks = new Map<string, number>();
  let hour = -1;
  return (userId, network) => {
    const current = Math.floor(now() / hourMs);
    if (current !== hour) {
      hour = current;
      accounts.clear();
      networks.clear();
    }
    const ofNetwork = networks.get(network) ?? 0;
    if (accounts.has(userId) || ofNetwork >= perNetworkMax || accounts.size >= rememberedMax) return false;
    accounts.add(userId);
    networks.set(network, ofNetwork + 1);
    return true;
  };
}

const BrowserReport = z.strictObject({
  status: z.enum(['ok', 'degraded', 'error']),
  responseTime: z.number().min(0).max(600_000).meta({ description: 'Page load time, milliseconds.' }),
  message: z.string().max(200).default(''),
});
const ReportResponse = z.object({
  recorded: z.boolean().meta({
    description: 'False: analytics are off in your privacy settings, or this hour is already counted.',
  }),
});

/** Anonymous browser measurements of users who allow analytics. */
export function browserReportRoutes(app: App, { db, pageLoads }: BrowserReportDeps): void {
  const counts = createLoadCounter(Date.now);
  app.post(
    '/api/health/log',
    {
      onRequest: app.requireUser,
      schema: {
        access: 'session',
        tags: ['Service'],
        summary: 'Report the page load time of your browser',
        body: BrowserReport,
        response: { 200: ReportResponse, ...problems(...bodyRejections, 'not_authenticated') },
      },
    },
    async (request) => {
      const { analytics } = await withUser(db, request.user.id, privacyOf);
      if (!analytics || request.body.status !== 'ok') return { recorded: false };
      const isCounted = counts(request.user.id, clientKey(request.ip));
      if (isCounted) pageLoads.record(request.body.responseTime);
      return { recorded: isCounted };
    },
  );
}
