import { z } from 'zod';
import type { Config } from '../../../config.ts';
import type { App } from '../../../platform/http/app.ts';

export interface AppInfoDeps {
  config: Config;
  version: string;
}

const AppInfoResponse = z.object({
  mode: z.enum(['demo', 'live']).meta({ description: 'demo: simulated candles and prices.' }),
  market: z.enum(['simulated', 'replay', 'live']),
  demoAccount: z.boolean().meta({ description: 'Whether POST /api/auth/demo is enabled.' }),
  mail: z.boolean().meta({ description: 'Whether this installation sends email, needed for password reset.' }),
  outbox: z.boolean().meta({ description: 'Whether GET /api/outbox shows the emails of this demo.' }),
  signUpConfirmation: z.boolean().meta({ description: 'Whether new accounts need an emailed link.' }),
  version: z.string(),
  contact: z
    .object({ email: z.string().nullable(), phone: z.string().nullable() })
    .meta({ description: 'Contact of the operator; null: not set.' }),
});

/** Information for pages before the sign-in. */
export function appInfoRoutes(app: App, { config, version }: AppInfoDeps): void {
  const response = {
    mode: config.market === 'live' ? ('live' as const) : ('demo' as const),
    market: config.market,
    demoAccount: config.isDemoAccountOffered,
    mail: config.smtpUrl !== undefined,
    outbox: config.outboxUrl !== undefined,
    signUpConfirmation: config.isSignUpConfirmed,
    version,
    contact: config.contact,
  };
  app.get(
    '/api/app',
    {
      schema: {
        access: 'public',
        sandbox: 'same',
        tags: ['Service'],
        summary: 'Read what this installation offers',
        response: { 200: AppInfoResponse },
      },
    },
    () => response,
  );
}
