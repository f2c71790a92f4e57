import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Refusal } from '../errors.ts';
import type { App } from '../http/app.ts';
import { RefusalError } from '../http/refusalError.ts';
import type { AuthenticatedUser } from './requireUser.ts';

/** Why the person behind this session must prove again who they are; undefined when the last proof is young enough. */
export type CheckFresh = (user: AuthenticatedUser) => Promise<Refusal | undefined>;

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Hook for sensitive acts (address, password, second factor, deletion, keys): answers 401 unless a user is signed in, and
     * 403 `step_up_required` unless they gave their password, or their code when two-factor is on, within the last 10 minutes
     * in this very session. Use it instead of requireUser and name the refusals:
     *
     *     onRequest: app.requireFresh,
     *     schema: { access: 'session', response: { 200: Answer, ...problems('not_authenticated', 'forbidden', 'step_up_required') } }
     *
     * `forbidden` is a demo account. In the browser wrap the call in `withStepUp` (web/src/state/stepUp.ts):
     * it asks for the proof in a dialog and repeats the call once it was given.
     */
    requireFresh: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  }
}

/** Adds `app.requireFresh`. Call after addRequireUser. */
export function addRequireFresh(app: App, checkFresh: CheckFresh): void {
  app.decorate('requireFresh', async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    await app.requireUser(request, reply);
    const refusal = await checkFresh(request.user);
    if (refusal !== undefined) throw new RefusalError(refusal);
  });
}
