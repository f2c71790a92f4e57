import { ok } from '@sextant/workers/src/core/result.ts';
import { credentialsOf } from '../../platform/auth/requireUser.ts';
import { apiErrors, reject } from '../../platform/errors.ts';
import type { App } from '../../platform/http/app.ts';
import { bodyRejections, problems, sendProblem } from '../../platform/http/problem.ts';
import {
  CurrentSessionResponse,
  FinishSignInRequest,
  SessionResponse,
  SignedOutResponse,
  SignInResponse,
  SignInRequest,
  SignUpResponse,
  SignUpRequest,
  UpdateUserRequest,
} from './contract.ts';
import { isDemoEmail } from '../../platform/auth/demoAccount.ts';
import { type AuthDeps, clientOf, handOver, sendSession, tags, userOf } from './handlers.ts';
import { isKnownNetwork } from './knownNetworks.ts';
import { emailLinkRoutes } from './emailLinkRoutes.ts';
import { securityRoutes } from './securityRoutes.ts';
import {
  admitChange,
  admitDemo,
  admitGuess,
  limitEmailedChanges,
  admitSignUp,
  forgetChanges,
  forgetGuesses,
} from './signInLimits.ts';

function signUpRoute(app: App, { auth, limiter }: AuthDeps): void {
  app.post(
    '/api/auth/signup',
    {
      schema: {
        access: 'public',
        sandbox: 'none',
        tags,
        summary: 'Create an account and sign in',
        description:
          'Where addresses are confirmed first, there is no session yet and the response does not reveal existing ' +
          'accounts. Elsewhere an existing account returns `email_taken`.',
        body: SignUpRequest,
        response: {
          200: SignUpResponse,
          ...problems(...bodyRejections, 'email_taken', 'rate_limited', 'overloaded'),
        },
      },
    },
    async (request, reply) => {
      const rejection = await admitSignUp(limiter, request.ip);
      if (rejection !== undefined) return sendProblem(reply, rejection);
      const { email, password } = request.body;
      if (isDemoEmail(email)) return sendSession(reply, reject('email_taken'));
      const outcome = await auth.signUp(email, password, clientOf(request));
      if (!outcome.ok) return sendProblem(reply, outcome.error);
      if (outcome.value !== null) return sendSession(reply, ok(outcome.value));
      return { user: null, confirmation_sent: true as const };
    },
  );
}

function signInRoute(app: App, { auth, db, limiter }: AuthDeps): void {
  app.post(
    '/api/auth/signin',
    {
      schema: {
        access: 'public',
        sandbox: 'none',
        tags,
        summary: 'Sign in with email and password',
        body: SignInRequest,
        response: {
          200: SignInResponse,
          ...problems(...bodyRejections, 'invalid_credentials', 'account_locked', 'overloaded'),
        },
      },
    },
    async (request, reply) => {
      const { email, password } = request.body;
      const { ip } = request;
      const rejection = await admitGuess(limiter, { email, ip, isKnownNetwork: await isKnownNetwork(db, email, ip) });
      if (rejection !== undefined) return sendProblem(reply, rejection);
      if (isDemoEmail(email)) return sendSession(reply, reject('invalid_credentials'));
      const outcome = await auth.signIn(email, password, clientOf(request));
      if (!outcome.ok) return sendProblem(reply, outcome.error);
      await forgetGuesses(limiter, email, ip);
      if ('challenge' in outcome.value) return outcome.value;
      return sendSession(reply, ok(outcome.value));
    },
  );
  app.post(
    '/api/auth/second-factor',
    {
      schema: {
        access: 'public',
        sandbox: 'none',
        tags,
        summary: 'Complete a two-factor sign-in',
        body: FinishSignInRequest,
        response: {
          200: SessionResponse,
          ...problems(...bodyRejections, 'invalid_code', 'invalid_credentials', 'link_invalid', 'account_locked'),
        },
      },
    },
    async (request, reply) => {
      const { challenge, code } = request.body;
      return sendSession(reply, await auth.finishSignIn(challenge, code, clientOf(request)));
    },
  );
}

function sessionRoutes(app: App, { auth, events }: AuthDeps): void {
  app.get(
    '/api/auth/session',
    {
      schema: {
        access: 'public',
        sandbox: 'none',
        tags,
        summary: 'Read who is signed in',
        response: { 200: CurrentSessionResponse, ...problems('database_unavailable') },
      },
    },
    async (request, reply) => {
      const session = await auth.getSession(credentialsOf(request));
      handOver(reply, session?.cookies ?? []);
      if (session === null) return { user: null, expires_at: null, last_event_id: null };
      const { account, expiresAt } = session;
      return {
        user: userOf(account),
        expires_at: expiresAt.toISOString(),
        last_event_id: events.position() ?? null,
      };
    },
  );
  app.post(
    '/api/auth/signout',
    {
      schema: {
        access: 'public',
        sandbox: 'none',
        tags,
        summary: 'End this session',
        response: { 200: SignedOutResponse, ...problems('origin_refused') },
      },
    },
    async (request, reply) => {
      handOver(reply, await auth.signOut(credentialsOf(request)));
      return { signed_out: true as const };
    },
  );
}

function updateUserRoute(app: App, { auth, limiter }: AuthDeps): void {
  app.patch(
    '/api/auth/user',
    {
      onRequest: [app.requireUser, limitEmailedChanges(limiter)],
      schema: {
        access: 'session',
        tags,
        summary: 'Change the password; ends all other sessions',
        body: UpdateUserRequest,
        response: {
          200: SessionResponse,
          ...problems(
            ...bodyRejections,
            'not_authenticated',
            'invalid_credentials',
            'step_up_required',
            'account_locked',
            'rate_limited',
            'overloaded',
          ),
        },
      },
    },
    async (request, reply) => {
      const { id } = request.user;
      const rejection = await admitChange(limiter, id);
      if (rejection !== undefined) return sendProblem(reply, rejection);
      const { current_password: currentPassword, password, revoke_api_keys: isRevokingKeys } = request.body;
      const change = { currentPassword, password, isRevokingKeys };
      const outcome = await auth.updateUser(request.user, change, clientOf(request));
      if (outcome.ok) await forgetChanges(limiter, id);
      return sendSession(reply, outcome);
    },
  );
}

function demoRoute(app: App, { auth, limiter, isDemoOffered }: AuthDeps): void {
  app.post(
    '/api/auth/demo',
    {
      schema: {
        access: 'public',
        sandbox: 'none',
        tags,
        summary: 'Open a demo account with its own credits',
        response: { 200: SessionResponse, ...problems('not_found', 'origin_refused', 'rate_limited') },
      },
    },
    async (request, reply) => {
      if (!isDemoOffered) return sendProblem(reply, { code: 'not_found', message: apiErrors.not_found.title });
      const rejection = await admitDemo(limiter, request.ip);
      if (rejection !== undefined) return sendProblem(reply, rejection);
      return sendSession(reply, await auth.enterDemo(clientOf(request)));
    },
  );
}

export function authRoutes(app: App, deps: AuthDeps): void {
  signUpRoute(app, deps);
  signInRoute(app, deps);
  sessionRoutes(app, deps);
  updateUserRoute(app, deps);
  demoRoute(app, deps);
  emailLinkRoutes(app, deps);
  securityRoutes(app, deps);
}
