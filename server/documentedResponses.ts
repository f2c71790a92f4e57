import { apiScopeNames, type ApiScope, TEST_HOURLY_LIMIT } from '@sextant/workers/src/core/apiAccess.ts';
import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { createEnginePool } from '@sextant/workers/src/node/pool.ts';
import type { InjectOptions } from 'fastify';
import { withOfflineApp } from './offlineApp.ts';
import { documentedCalls } from './src/features/apiDocs/documentedCalls.ts';
import type { ApiDocument } from './src/features/apiDocs/page.ts';

/** Account, key and caller address in the documented response of `whoami`. Tests create the same ones. */
export const documentedCaller = {
  userId: '00000000-0000-4000-8000-000000000001',
  username: 'jane_doe',
  keyId: '00000000-0000-4000-8000-000000000002',
  keyName: 'CI',
  ip: '127.0.0.1',
  scopes: apiScopeNames satisfies ApiScope[],
};

const whoAmI = {
  user_id: documentedCaller.userId,
  username: documentedCaller.username,
  mode: 'test',
  key: {
    id: documentedCaller.keyId,
    name: documentedCaller.keyName,
    scopes: documentedCaller.scopes,
    credit_cap: null,
  },
  ip: documentedCaller.ip,
  plan: 'FREE',
  hourly_limit: TEST_HOURLY_LIMIT,
};

/**
 * Sandbox response to every documented call, byte for byte, by `METHOD path`. `npm run generate` stores it for the
 * documentation; a test runs the examples with a test key and compares.
 * @throws when a call does not succeed
 */
export async function documentedResponses(): Promise<Record<string, string>> {
  const engine = await loadModule();
  const newEngine = () => instantiate(engine.module);
  const pool = createEnginePool({ engine, threads: 1, queueMax: 64, deadlineMs: 120_000 });
  const admit = () => Promise.resolve({ id: documentedCaller.userId, email: '', sessionId: '', testKey: { whoAmI } });
  return withOfflineApp(
    async (app) => {
      const calls = documentedCalls((await app.openApiDocument()) as unknown as ApiDocument);
      const responses: Record<string, string> = {};
      for (const { method, path, sample, status } of calls) {
        const request: InjectOptions = { method, url: sample.path, headers: { 'x-api-key': 'admitted' } };
        if (sample.body !== null) request.payload = sample.body;
        const { statusCode, body } = await app.inject(request);
        if (statusCode !== status) throw new Error(`${method} ${path} responds with ${statusCode}: ${body}`);
        responses[`${method} ${path}`] = body;
      }
      return responses;
    },
    { engine: { engine: pool, newEngine }, deps: ({ api }) => ({ api: { ...api, admit } }) },
  );
}
