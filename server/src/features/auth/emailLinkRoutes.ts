import type { App } from '../../platform/http/app.ts';
import { bodyRejections, problems, sendProblem } from '../../platform/http/problem.ts';
import {
  ConfirmEmailRequest,
  ConfirmSignUpRequest,
  DoneResponse,
  EmailResponse,
  EmailChangeRequest,
  MailRequestedResponse,
  ResetPasswordRequest,
  ResetRequest,
  SessionResponse,
} from './contract.ts';
import { type AuthDeps, clientOf, done, sendOutcome, sendSession, tags } from './handlers.ts';
import { admitEmailChange, admitLink, admitReset, forgetGuesses } from './signInLimits.ts';

const requested = () => ({ requested: true as const });

function resetRoutes(app: App, { auth, limiter }: AuthDeps): void {
  app.post(
    '/api/auth/reset-request',
    {
      schema: {
        access: 'public',
        sandbox: 'none',
        tags,
        summary: 'Email a link to set a new password',
        body: ResetRequest,
        response: { 200: MailRequestedResponse, ...problems(...bodyRejections, 'rate_limited', 'mail_unavailable') },
      },
    },
    async (request, reply) => {
      const { rejection, isSilent } = await admitReset(limiter, request.body.email, request.ip);
      if (rejection !== undefined) return sendProblem(reply, rejection);
      if (isSilent) return requested();
      return sendOutcome(reply, await auth.requestReset(request.body.email), requested);
    },
  );
  app.post(
    '/api/auth/reset',
    {
      schema: {
        access: 'public',
        sandbox: 'none',
        tags,
        summary: 'Set a new password with an emailed link; ends all sessions and, by default, all API keys',
        body: ResetPasswordRequest,
        response: { 200: DoneResponse, ...problems(...bodyRejections, 'link_invalid', 'rate_limited', 'overloaded') },
      },
    },
    async (request, reply) => {
      const rejection = await admitLink(limiter, request.ip);
      if (rejection !== undefined) return sendProblem(reply, rejection);
      const { token, password, revoke_api_keys: isRevokingKeys } = request.body;
      const outcome = await auth.resetPassword({ token, password, isRevokingKeys }, clientOf(request));
      if (outcome.ok) await forgetGuesses(limiter, outcome.value.email, request.ip);
      return sendOutcome(reply, outcome, done);
    },
  );
}

function confirmRoute(app: App, { auth, limiter }: AuthDeps): void {
  app.post(
    '/api/auth/confirm',
    {
      schema: {
        access: 'public',
        sandbox: 'none',
        tags,
        summary: 'Confirm the address of a sign-up and sign in',
        body: ConfirmSignUpRequest,
        response: {
          200: SessionResponse,
          ...problems(...bodyRejections, 'invalid_credentials', 'link_invalid', 'rate_limited', 'overloaded'),
        },
      },
    },
    async (request, reply) => {
      const rejection = await admitLink(limiter, request.ip);
      if (rejection !== undefined) return sendProblem(reply, rejection);
      const { token, password } = request.body;
      return sendSession(reply, await auth.confirmSignUp(token, password, clientOf(request)));
    },
  );
}

function emailRoutes(app: App, { auth, limiter }: AuthDeps): void {
  app.post(
    '/api/auth/email',
    {
      onRequest: app.requireFresh,
      schema: {
        access: 'session',
        tags,
        summary: 'Email a link to a new address; the address changes once confirmed',
        body: EmailChangeRequest,
        response: {
          200: MailRequestedResponse,
          ...problems(
            ...bodyRejections,
            'not_authenticated',
            'forbidden',
            'step_up_required',
            'rate_limited',
            'mail_unavailable',
          ),
        },
      },
    },
    async (request, reply) => {
      const rejection = await admitEmailChange(limiter, request.user.id, request.body.email);
      if (rejection !== undefined) return sendProblem(reply, rejection);
      return sendOutcome(reply, await auth.requestEmailChange(request.user, request.body.email), requested);
    },
  );
  app.post(
    '/api/auth/email/confirm',
    {
      schema: {
        access: 'public',
        sandbox: 'none',
        tags,
        summary: 'Confirm a new address with an emailed link; ends all other sessions',
        body: ConfirmEmailRequest,
        response: { 200: EmailResponse, ...problems(...bodyRejections, 'link_invalid', 'rate_limited') },
      },
    },
    async (request, reply) => {
      const rejection = await admitLink(limiter, request.ip);
      if (rejection !== undefined) return sendProblem(reply, rejection);
      return sendOutcome(reply, await auth.confirmEmailChange(request.body.token), (value) => value);
    },
  );
}

/** Routes of flows that start or end with an email link. */
export function emailLinkRoutes(app: App, deps: AuthDeps): void {
  resetRoutes(app, deps);
  confirmRoute(app, deps);
  emailRoutes(app, deps);
}
