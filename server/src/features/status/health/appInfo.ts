import { z } from 'zod';
import type { Config } from '../../../config.ts';
import type { App } from '../../../platform/http/app.ts';

export interface AppInfoDeps {
  config: Config;
  version: string;
}

const AppInfoAnswer = z.object({
  mode: z.enum(['demo', 'live']).meta({ description: 'demo: candles and prices are not from the real exchanges.' }),
  market: z.enum(['simulated', 'replay', 'live']),
  demoAccount: z.boolean().meta({ description: 'Whether POST /api/auth/demo signs anybody in.' }),
  mail: z.boolean().meta({ description: 'Whether this installation sends mail, so that a password can be reset.' }),
  outbox: z.boolean().meta({ description: 'Whether GET /api/outbox shows the mails of this demo.' }),
  signUpConfirmation: z.boolean().meta({ description: 'Whether a new account opens only by a link in a mail.' }),
  version: z.string(),
  contact: z
    .object({ email: z.string().nullable(), phone: z.string().nullable() })
    .meta({ description: 'How to reach the operator; null: not given.' }),
});

/** Information for pages before the sign-in. */
export function appInfoRoutes(app: App, { config, version }: AppInfoDeps): void {
  const answer = {
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
        summary: 'What this installation is',
        response: { 200: AppInfoAnswer },
      },
    },
    () => answer,
  );
}
