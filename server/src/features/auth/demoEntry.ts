import type { BetterAuthPlugin } from 'better-auth';
import { createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { demoEmail } from './demoAccount.ts';

/** The library's own way to make a session, without the password its sign-in would hash. Called by us, never over HTTP. */
export const demoEntry = {
  id: 'sextant-demo',
  endpoints: {
    enterDemo: createAuthEndpoint('/sextant/demo', { method: 'POST', requireHeaders: true }, async (ctx) => {
      const { internalAdapter } = ctx.context;
      const found = await internalAdapter.findUserByEmail(demoEmail);
      if (found === null) throw new Error('the demo account is not there');
      const session = await internalAdapter.createSession(found.user.id);
      await setSessionCookie(ctx, { session, user: found.user });
      return ctx.json({ user: found.user });
    }),
  },
} satisfies BetterAuthPlugin;
