import { randomUUID } from 'node:crypto';
import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { createEnginePool, type ThreadPool } from '@sextant/workers/src/node/pool.ts';
import type { EnginePool } from '@sextant/workers/src/protocol/tasks.ts';
import type { LightMyRequestResponse } from 'fastify';
import { buildApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { createDeps, type Deps } from '../../src/deps.ts';
import type { Passwords } from '../../src/features/auth/passwordHash.ts';
import { findViolations } from '../../src/features/credits/ledgerWatch.ts';
import type { App } from '../../src/platform/http/app.ts';
import { cheapPasswords } from './cheapPasswords.ts';
import { createTestDatabase, type TestDatabase } from './createTestDatabase.ts';

export interface TestUser {
  id: string;
  email: string;
  password: string;
  /** `{ authorization: 'Bearer ...' }`: what an API client sends. */
  bearer: { authorization: string };
  /** What a browser on our own page sends. */
  browser: { cookie: string; origin: string };
}

export interface TestApp {
  app: App;
  deps: Deps;
  database: TestDatabase;
  /** Creates an account and signs it in. */
  signUp: (email?: string) => Promise<TestUser>;
  close: () => Promise<void>;
}

export interface TestAppOptions {
  /** Environment variables, e.g. `{ PUBLIC_URL: 'https://sextant.example' }`. */
  env?: Record<string, string>;
  /** Replaces dependencies of the app. */
  deps?: Partial<Deps>;
  /** Password hashing: cheap by default, `product` as in production. */
  passwords?: Passwords | 'product';
}

/** The origin of requests made with `app.inject`. */
export const ownOrigin = 'http://localhost';

/** The Cookie header a browser would send after this response. */
export const cookieOf = (response: LightMyRequestResponse): string =>
  response.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ');

/** Bypasses the routes, which would count against the sign-up limit of a network. */
async function signUpWith({ auth }: Deps, email: string): Promise<TestUser> {
  const password = 'correct horse';
  const outcome = await auth.signUp(email, password, { ip: '127.0.0.1', userAgent: undefined });
  if (!outcome.ok) throw new Error(`sign-up failed: ${outcome.error.message}`);
  if (outcome.value === null) throw new Error('sign-up waits for its confirmation');
  const { account, token, cookies } = outcome.value;
  return {
    id: account.id,
    email,
    password,
    bearer: { authorization: `Bearer ${token}` },
    browser: { cookie: cookies.map((line) => line.split(';', 1)[0]).join('; '), origin: ownOrigin },
  };
}

let oneEngine: ThreadPool | undefined;

/**
 * One engine thread for all apps of this process: starting one takes more processor time than an app, and each file has one or more apps.
 * Closing an app leaves it to the next.
 */
async function shareEngine(): Promise<EnginePool> {
  oneEngine ??= createEnginePool({ engine: await loadModule(), threads: 1, queueMax: 8, deadlineMs: 20_000 });
  return { ...oneEngine, close: () => Promise.resolve() };
}

/** The whole app on a fresh database, without listening. Close it in afterAll: it fails when the credit ledger does not add up. */
export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const database = await createTestDatabase();
  const { passwords = cheapPasswords } = options;
  const config = readConfig({ LOG_LEVEL: 'silent', ...options.env });
  const engine = await loadModule();
  const made = createDeps({
    config,
    database,
    newEngine: () => instantiate(engine.module),
    engine: await shareEngine(),
    authSecret: 'a secret that signs the sessions of this test',
    version: '0.0.0-test',
    webDir: '/nowhere',
    ...(passwords === 'product' ? {} : { passwords }),
  });
  const deps = { ...made, ...options.deps };
  const app = await buildApp(deps);
  return {
    app,
    deps,
    database,
    signUp: (email = `${randomUUID()}@example.com`) => signUpWith(deps, email),
    close: async () => {
      await app.close();
      const violations = await findViolations(database.db);
      if (violations.length > 0) throw new Error(`the ledger is broken: ${JSON.stringify(violations)}`);
      await deps.close();
      await database.drop();
    },
  };
}
