import type { FastifyReply, FastifyRequest } from 'fastify';
import { credentialsOf } from '../../platform/auth/requireUser.ts';
import { apiErrors, type Outcome, refuse } from '../../platform/errors.ts';
import type { App } from '../../platform/http/app.ts';
import { bodyRefusals, problems, sendProblem } from '../../platform/http/problem.ts';
import type { RateLimiter } from '../../platform/limits/rateLimiter.ts';
import {
  CurrentSessionAnswer,
  SessionAnswer,
  SignedOutAnswer,
  SignInRequest,
  SignUpRequest,
  UpdateUserRequest,
} from './contract.ts';
import { demoEmail } from './demoAccount.ts';
import type { Account, AuthProvider, Client, NewSession } from './provider.ts';
import { admitChange, admitDemo, admitGuess, admitSignUp, forgetChanges, forgetGuesses } from './signInLimits.ts';

export interface AuthDeps {
  auth: AuthProvider;
  limiter: RateLimiter;
  /** Whether this installation has an account that anybody may enter. */
  isDemoOffered: boolean;
}

const tags = ['Account'];
const clientOf = (request: FastifyRequest): Client => ({ ip: request.ip, userAgent: request.headers['user-agent'] });
const userOf = ({ id, email, createdAt }: Account) => ({ id, email, created_at: createdAt.toISOString() });

function handOver(reply: FastifyReply, cookies: string[]): void {
  void reply.header('cache-control', 'no-store');
  if (cookies.length > 0) void reply.header('set-cookie', cookies);
}

function sendSession(reply: FastifyReply, outcome: Outcome<NewSession>) {
  if (!outcome.ok) return sendProblem(reply, outcome.refusal);
  const { account, token, expiresAt, cookies } = outcome.value;
  handOver(reply, cookies);
  return reply.send({ user: userOf(account), token, expires_at: expiresAt.toISOString() });
}

function signUpRoute(app: App, { auth, limiter }: AuthDeps): void {
  app.post(
    '/api/auth/signup',
    {
      schema: {
        tags,
        summary: 'Make an account and sign in',
        body: SignUpRequest,
        response: {
          200: SessionAnswer,
          ...problems(...bodyRefusals, 'email_taken', 'rate_limited', 'overloaded'),
        },
      },
    },
    async (request, reply) => {
      const refusal = await admitSignUp(limiter, request.ip);
      if (refusal !== undefined) return sendProblem(reply, refusal);
      if (request.body.email === demoEmail) return sendSession(reply, refuse('email_taken'));
      return sendSession(reply, await auth.signUp(request.body.email, request.body.password, clientOf(request)));
    },
  );
}

function signInRoute(app: App, { auth, limiter }: AuthDeps): void {
  app.post(
    '/api/auth/signin',
    {
      schema: {
        tags,
        summary: 'Sign in with email and password',
        body: SignInRequest,
        response: {
          200: SessionAnswer,
          ...problems(...bodyRefusals, 'invalid_credentials', 'account_locked', 'overloaded'),
        },
      },
    },
    async (request, reply) => {
      const { email, password } = request.body;
      const refusal = await admitGuess(limiter, email, request.ip);
      if (refusal !== undefined) return sendProblem(reply, refusal);
      if (email === demoEmail) return sendSession(reply, refuse('invalid_credentials'));
      const outcome = await auth.signIn(email, password, clientOf(request));
      if (outcome.ok) await forgetGuesses(limiter, email, request.ip);
      return sendSession(reply, outcome);
    },
  );
}

function sessionRoutes(app: App, { auth }: AuthDeps): void {
  app.get(
    '/api/auth/session',
    {
      schema: {
        tags,
        summary: 'Who is signed in',
        response: { 200: CurrentSessionAnswer, ...problems('database_unavailable') },
      },
    },
    async (request, reply) => {
      const session = await auth.getSession(credentialsOf(request));
      handOver(reply, session?.cookies ?? []);
      if (session === null) return { user: null, expires_at: null };
      return { user: userOf(session.account), expires_at: session.expiresAt.toISOString() };
    },
  );
  app.post(
    '/api/auth/signout',
    {
      schema: { tags, summary: 'End this session', response: { 200: SignedOutAnswer, ...problems('origin_refused') } },
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
      onRequest: app.requireUser,
      schema: {
        tags,
        summary: 'Change the password; every other session ends',
        body: UpdateUserRequest,
        response: {
          200: SessionAnswer,
          ...problems(...bodyRefusals, 'not_authenticated', 'account_locked', 'overloaded'),
        },
      },
    },
    async (request, reply) => {
      const { id } = request.user;
      const refusal = await admitChange(limiter, id);
      if (refusal !== undefined) return sendProblem(reply, refusal);
      const change = { currentPassword: request.body.current_password, password: request.body.password };
      const outcome = await auth.updateUser(credentialsOf(request), change, clientOf(request));
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
        tags,
        summary: 'Sign into the demo account of this installation',
        response: { 200: SessionAnswer, ...problems('not_found', 'origin_refused', 'rate_limited') },
      },
    },
    async (request, reply) => {
      if (!isDemoOffered) return sendProblem(reply, { code: 'not_found', message: apiErrors.not_found.title });
      const refusal = await admitDemo(limiter, request.ip);
      if (refusal !== undefined) return sendProblem(reply, refusal);
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
}
