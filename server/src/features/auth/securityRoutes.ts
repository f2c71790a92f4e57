import { STEP_UP_MINUTES } from '@sextant/workers/src/core/limits.ts';
import { failWith, ok } from '@sextant/workers/src/core/result.ts';
import { sql } from 'kysely';
import type { App } from '../../platform/http/app.ts';
import { bodyRejections, problems } from '../../platform/http/problem.ts';
import {
  CodeRequest,
  DoneResponse,
  RecoveryCodesResponse,
  SecurityResponse,
  SessionParams,
  SessionsResponse,
  StepUpRequest,
  TwoFactorSetupResponse,
  UsernameResponse,
  UsernameRequest,
} from './contract.ts';
import { type AuthDeps, clientOf, done, sendOutcome, tags } from './handlers.ts';
import type { ListedSession } from './provider.ts';
import { limitEmailedChanges } from './signInLimits.ts';
import { violatedConstraint } from '../../platform/db/databaseError.ts';
import { type Db, withSystem } from '../../platform/db/scope.ts';
import { type Outcome, reject } from '../../platform/errors.ts';
import { findAccount } from './accountRepository.ts';
import { sharedAccount } from './freshness.ts';

/** Usernames that could impersonate the operator. */
const reserved = new Set([
  'admin',
  'administrator',
  'root',
  'support',
  'help',
  'sextant',
  'system',
  'security',
  'staff',
  'moderator',
  'official',
  'api',
  'demo',
]);

const readUsername = (db: Db, userId: string): Promise<string | null> =>
  withSystem(db, async (tx) => {
    const row = await tx.selectFrom('users').select('username').where('id', '=', userId).executeTakeFirst();
    return row?.username ?? null;
  });

/** @param username in lower case and of valid format (contract.ts). A trigger updates the profile. */
async function changeUsername(db: Db, userId: string, username: string): Promise<Outcome<string>> {
  if (reserved.has(username)) return reject('username_taken', undefined, { field: 'username' });
  try {
    return await withSystem(db, async (tx) => {
      const account = await findAccount(tx, { id: userId });
      if (account === undefined) return reject('not_authenticated');
      if (account.passwordHash === null) return failWith(sharedAccount);
      const change = { username, updated_at: sql<Date>`now()` };
      await tx.updateTable('users').set(change).where('id', '=', userId).execute();
      return ok(username);
    });
  } catch (error) {
    if (violatedConstraint(error) === 'users_username_key')
      return reject('username_taken', undefined, { field: 'username' });
    throw error;
  }
}

const freshRejections = ['not_authenticated', 'forbidden', 'step_up_required', 'origin_refused'] as const;

const sessionOf = ({ id, userAgent, ip, createdAt, lastSeenAt, isCurrent }: ListedSession) => ({
  id,
  user_agent: userAgent,
  ip,
  created_at: createdAt.toISOString(),
  last_seen_at: lastSeenAt.toISOString(),
  is_current: isCurrent,
});

function stepUpRoutes(app: App, { auth }: AuthDeps): void {
  app.post(
    '/api/auth/step-up',
    {
      onRequest: app.requireUser,
      schema: {
        access: 'session',
        tags,
        summary: `Confirm your identity for sensitive actions in the next ${STEP_UP_MINUTES} minutes`,
        body: StepUpRequest,
        response: {
          200: DoneResponse,
          ...problems(...bodyRejections, 'not_authenticated', 'forbidden', 'account_locked', 'overloaded'),
        },
      },
    },
    async (request, reply) =>
      sendOutcome(reply, await auth.stepUp(request.user, request.body, clientOf(request)), done),
  );
  app.get(
    '/api/account/security',
    {
      onRequest: app.requireUser,
      schema: {
        access: 'session',
        tags,
        summary: 'Read how this account is protected',
        response: { 200: SecurityResponse, ...problems('not_authenticated') },
      },
    },
    async (request) => {
      const state = await auth.readSecurity(request.user);
      return {
        has_password: state.hasPassword,
        two_factor: state.hasTwoFactor,
        recovery_codes_left: state.recoveryCodeCount,
        pending_email: state.pendingEmail,
      };
    },
  );
}

function twoFactorRoutes(app: App, { auth, limiter }: AuthDeps): void {
  const bound = limitEmailedChanges(limiter);
  app.post(
    '/api/auth/two-factor',
    {
      onRequest: app.requireFresh,
      schema: {
        access: 'session',
        tags,
        summary: 'Start two-factor setup: get a secret for an authenticator',
        response: { 200: TwoFactorSetupResponse, ...problems(...freshRejections, 'conflict') },
      },
    },
    async (request, reply) => sendOutcome(reply, await auth.startTwoFactor(request.user), (setup) => setup),
  );
  app.post(
    '/api/auth/two-factor/confirm',
    {
      onRequest: [app.requireFresh, bound],
      schema: {
        access: 'session',
        tags,
        summary: 'Turn two-factor sign-in on with a first code',
        body: CodeRequest,
        response: {
          200: RecoveryCodesResponse,
          ...problems(...bodyRejections, ...freshRejections, 'invalid_code', 'account_locked', 'rate_limited'),
        },
      },
    },
    async (request, reply) => {
      const outcome = await auth.confirmTwoFactor(request.user, request.body.code, clientOf(request));
      return sendOutcome(reply, outcome, (codes) => ({ recovery_codes: codes }));
    },
  );
}

function recoveryRoutes(app: App, { auth, limiter }: AuthDeps): void {
  const bound = limitEmailedChanges(limiter);
  app.post(
    '/api/auth/two-factor/recovery-codes',
    {
      onRequest: [app.requireFresh, bound],
      schema: {
        access: 'session',
        tags,
        summary: 'Create new recovery codes; the old ones stop working',
        response: { 200: RecoveryCodesResponse, ...problems(...freshRejections, 'conflict', 'rate_limited') },
      },
    },
    async (request, reply) =>
      sendOutcome(reply, await auth.renewRecoveryCodes(request.user), (codes) => ({ recovery_codes: codes })),
  );
  app.delete(
    '/api/auth/two-factor',
    {
      onRequest: [app.requireFresh, bound],
      schema: {
        access: 'session',
        tags,
        summary: 'Turn two-factor sign-in off',
        response: { 200: DoneResponse, ...problems(...freshRejections, 'rate_limited') },
      },
    },
    async (request, reply) => sendOutcome(reply, await auth.endTwoFactor(request.user), done),
  );
}

function sessionListRoutes(app: App, { auth }: AuthDeps): void {
  app.get(
    '/api/auth/sessions',
    {
      onRequest: app.requireUser,
      schema: {
        access: 'session',
        tags,
        summary: 'List the sessions of this account',
        response: { 200: SessionsResponse, ...problems('not_authenticated') },
      },
    },
    async (request) => ({ sessions: (await auth.listSessions(request.user)).map(sessionOf) }),
  );
  app.delete(
    '/api/auth/sessions/:id',
    {
      onRequest: app.requireUser,
      schema: {
        access: 'session',
        tags,
        summary: 'End one session',
        params: SessionParams,
        response: {
          200: DoneResponse,
          ...problems('validation_failed', 'not_authenticated', 'origin_refused', 'not_found'),
        },
      },
    },
    async (request, reply) => sendOutcome(reply, await auth.endSession(request.user, request.params.id), done),
  );
  app.delete(
    '/api/auth/sessions',
    {
      onRequest: app.requireUser,
      schema: {
        access: 'session',
        tags,
        summary: 'End every other session',
        response: { 200: DoneResponse, ...problems('not_authenticated', 'forbidden', 'origin_refused') },
      },
    },
    async (request, reply) => sendOutcome(reply, await auth.endOtherSessions(request.user), done),
  );
}

function usernameRoutes(app: App, { db }: AuthDeps): void {
  app.get(
    '/api/account/username',
    {
      onRequest: app.requireUser,
      schema: {
        access: 'read:account',
        sandbox: 'none',
        tags,
        summary: 'The own username',
        response: { 200: UsernameResponse, ...problems('not_authenticated') },
      },
    },
    async (request) => ({ username: await readUsername(db, request.user.id) }),
  );
  app.post(
    '/api/account/username',
    {
      onRequest: app.requireUser,
      schema: {
        access: 'session',
        tags,
        summary: 'Choose a username',
        body: UsernameRequest,
        response: {
          200: UsernameResponse,
          ...problems(...bodyRejections, 'not_authenticated', 'forbidden', 'username_taken'),
        },
      },
    },
    async (request, reply) =>
      sendOutcome(reply, await changeUsername(db, request.user.id, request.body.username), (username) => ({
        username,
      })),
  );
}

/** Routes for the owner's security settings. */
export function securityRoutes(app: App, deps: AuthDeps): void {
  stepUpRoutes(app, deps);
  twoFactorRoutes(app, deps);
  recoveryRoutes(app, deps);
  sessionListRoutes(app, deps);
  usernameRoutes(app, deps);
}
