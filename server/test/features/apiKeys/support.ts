import { freePort } from '../../../launch/freePort.ts';
import { buildApp } from '../../../src/app.ts';
import { createApiAccess } from '../../../src/features/apiKeys/apiAccess.ts';
import type { EventHub } from '../../../src/platform/events/eventHub.ts';
import type { App } from '../../../src/platform/http/app.ts';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import { createOwnHub } from '../../support/createOwnHub.ts';
import type { TestApp, TestUser } from '../../support/createTestApp.ts';

export interface MadeKey {
  id: string;
  key: string;
  header: { 'x-api-key': string };
}

/** A key made through the API, as the page does. */
export async function makeKey(test: TestApp, user: TestUser, payload: object = {}): Promise<MadeKey> {
  const made = await test.app.inject({
    method: 'POST',
    url: '/api/account/api-keys',
    headers: user.bearer,
    payload,
  });
  if (made.statusCode !== 200) throw new Error(made.body);
  const { api_key: key, key: row } = made.json<{ api_key: string; key: { id: string } }>();
  return { id: row.id, key, header: { 'x-api-key': key } };
}

/** Credits bought at once. */
export async function giveCredits(test: TestApp, userId: string, credits: number): Promise<void> {
  await test.database.asOwner(
    `with given as (insert into credit_ledger (user_id, kind, reason, delta_credits, idempotency_key)
       values ($1, 'grant', 'demo', $2, gen_random_uuid()::text))
     update balances set credits = credits + $2 where user_id = $1`,
    [userId, credits],
  );
}

/** An app on its own market, listening at the address that its documents name. */
export async function createListeningApp(): Promise<{ test: MarketApp; baseUrl: string }> {
  const port = await freePort();
  const test = await createMarketApp({ env: { PORT: String(port) } });
  await test.app.listen({ host: '127.0.0.1', port });
  return { test, baseUrl: `http://localhost:${port}` };
}

export interface Node {
  app: App;
  api: ReturnType<typeof createApiAccess>;
  events: EventHub;
  close: () => Promise<void>;
}

/** A second node on the same database, with separate memory, its own listening connection and a clock of the test. */
export async function createNode(test: TestApp, nowMs: () => number): Promise<Node> {
  const events = createOwnHub(test.deps.newClient);
  const api = createApiAccess({
    db: test.deps.db,
    events,
    outbox: test.deps.outbox,
    baseUrl: 'http://localhost',
    nowMs,
    onError: () => undefined,
  });
  const app = await buildApp({ ...test.deps, api });
  return {
    app,
    api,
    events,
    close: async () => {
      await app.close();
      await api.close();
      await events.close();
    },
  };
}
