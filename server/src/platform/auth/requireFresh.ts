import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Rejection } from '../errors.ts';
import type { App } from '../http/app.ts';
import { RejectionError } from '../http/rejectionError.ts';
import type { AuthenticatedUser } from './requireUser.ts';

/** Why the user must authenticate again; undefined when the last authentication is recent enough. */
export type CheckFresh = (user: AuthenticatedUser) => Promise<Rejection | undefined>;

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Hook for sensitive actions (email address, password, second factor, deletion, keys): returns 401 unless a user is signed in, and
     * 403 `step_up_required` unless the user entered the password, or the code when two-factor is on, within the last 10 minutes
     * in this session. Use it instead of requireUser and declare the errors:
     *
     *     onRequest: app.requireFresh,
     *     schema: { access: 'session', response: { 200: Response, ...problems('not_authenticated', 'forbidden', 'step_up_required') } }
     *
     * `forbidden` is returned for demo accounts. In the browser wrap the call in `withStepUp` (web/src/state/stepUp.ts):
     * it requests authentication in a dialog and then repeats the call.
     */
    requireFresh: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  }
}

/** Adds `app.requireFresh`. Call after addRequireUser. */
export function addRequireFresh(app: App, checkFresh: CheckFresh): void {
  app.decorate('requireFresh', async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    await app.requireUser(request, reply);
    const rejection = await checkFresh(request.user);
    if (rejection !== undefined) throw new RejectionError(rejection);
  });
}
