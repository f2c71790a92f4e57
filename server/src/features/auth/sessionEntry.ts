import type { BetterAuthPlugin } from 'better-auth';
import { createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { z } from 'zod';

/** The library's own way to make a session for somebody we know already. Called by us, never over HTTP. */
export const sessionEntry = {
  id: 'sextant-session',
  endpoints: {
    openSession: createAuthEndpoint(
      '/sextant/session',
      { method: 'POST', requireHeaders: true, body: z.object({ userId: z.string() }) },
      async (ctx) => {
        const { internalAdapter } = ctx.context;
        const user = await internalAdapter.findUserById(ctx.body.userId);
        if (user === null) throw new Error('the account is not there');
        const session = await internalAdapter.createSession(user.id);
        await setSessionCookie(ctx, { session, user });
        return ctx.json({ user, sessionId: session.id });
      },
    ),
  },
} satisfies BetterAuthPlugin;
