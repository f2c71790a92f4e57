import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiAccess } from '../../../src/features/apiKeys/apiAccess.ts';
import { createHourlyLimits } from '../../../src/features/apiKeys/hourlyLimits.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { notifyUser } from '../../../src/platform/events/notify.ts';
import { createOwnHub } from '../../support/createOwnHub.ts';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';
import { createNode, giveCredits, makeKey, type MadeKey, type Node } from './support.ts';

let test: TestApp;
let one: Node;
let two: Node;
/** Half past the hour, set by the test. */
let nowMs = Date.UTC(2026, 10, 23, 9, 30);
beforeAll(async () => {
  test = await createTestApp();
  [one, two] = await Promise.all([createNode(test, () => nowMs), createNode(test, () => nowMs)]);
});
afterAll(async () => {
  await Promise.all([one.close(), two.close()]);
  await test.close();
});

const whoAmI = (node: Pick<Node, 'app'>, { header }: MadeKey) =>
  node.app.inject({ url: '/api/account/whoami', headers: header });

/** Calls from `callers` concurrent callers, on the nodes in turn, until `count` responses have arrived. */
async function callMany(key: MadeKey, nodes: Node[], count: number, callers = 20) {
  const responses: Awaited<ReturnType<typeof whoAmI>>[] = [];
  let requestCount = 0;
  await Promise.all(
    Array.from({ length: callers }, async (_each, at) => {
      while (requestCount < count) {
        requestCount += 1;
        responses.push(await whoAmI(nodes[at % nodes.length]!, key));
      }
    }),
  );
  return responses;
}
const countOf = (responses: { statusCode: number }[], status: number) =>
  responses.filter(({ statusCode }) => statusCode === status).length;

async function buyer(plan: string): Promise<{ user: TestUser; key: MadeKey }> {
  const user = await test.signUp();
  await giveCredits(test, user.id, 1000);
  const headers = user.bearer;
  if (plan !== 'FREE') {
    const bought = await one.app.inject({
      method: 'POST',
      url: '/api/account/api-subscription',
      headers,
      payload: { plan },
    });
    expect(bought.statusCode).toBe(200);
  }
  return { user, key: await makeKey(test, user) };
}

/**
 * Waits until a node has processed earlier notices. A new key or plan is notified to every node, which then returns its unused calls of
 * that user: a late notice would do so in the middle of a test.
 */
async function untilReceived({ api }: Node): Promise<void> {
  const { id } = await test.signUp();
  // Leases six calls and uses one, until the node receives the notice for this user: notices arrive in the order they were sent.
  await api.limits.take(id, 60);
  const granted = async () => {
    await withSystem(test.deps.db, (tx) => notifyUser(tx, id, 'api'));
    return test.database.asOwner<{ granted: number }>('select granted from api_leases where user_id = $1', [id]);
  };
  await expect.poll(granted).toEqual([{ granted: 1 }]);
}

/** Uses calls up to 100 below the limit, by 20 callers directly on the limits of both nodes: faster than full requests. */
async function takeMost({ id }: TestUser, limit: number): Promise<void> {
  let left = limit - 100;
  await Promise.all(
    Array.from({ length: 20 }, async (_each, at) => {
      while (left > 0) {
        left -= 1;
        expect((await [one, two][at % 2]!.api.limits.take(id, limit)).isAdmitted).toBe(true);
      }
    }),
  );
}

describe('KEY-007 KEY-011 the hourly limit', () => {
  it.each([
    ['FREE', 60],
    ['STARTER', 120],
    ['PRO', 600],
    ['BUSINESS', 2400],
  ])(
    '%s: exactly %i of many calls by 20 callers on two nodes succeed, in this hour and the next',
    async (plan, limit) => {
      const { user, key } = await buyer(plan);
      const last = Math.min(limit, 100);
      const callAll = async () => {
        await takeMost(user, limit);
        const responses = await callMany(key, [one, two], last + 40);
        expect([countOf(responses, 200), countOf(responses, 429)]).toEqual([last, 40]);
      };
      await callAll();
      await Promise.all([one.api.limits.report(), two.api.limits.report()]);
      const response = await one.app.inject({ url: '/api/account/api-subscription', headers: user.bearer });
      expect(response.json<{ current: object }>().current).toMatchObject({
        plan,
        hourly_limit: limit,
        window_count: limit,
        reset_at: '2026-11-23T10:00:00.000Z',
      });
      const halfPastMs = nowMs;
      try {
        // Nothing is left until the last millisecond of the hour; the next millisecond restores the full limit.
        nowMs = Date.UTC(2026, 10, 23, 10) - 1;
        expect((await whoAmI(two, key)).statusCode).toBe(429);
        nowMs += 1;
        await callAll();
      } finally {
        nowMs = halfPastMs;
      }
    },
  );

  it('gives a node the unused calls leased by another node', async () => {
    const { key } = await buyer('FREE');
    expect((await whoAmI(one, key)).statusCode).toBe(200);
    const responses = await callMany(key, [two], 70, 5);
    expect(countOf(responses, 200)).toBe(59);
  });

  it('KEY-010 resets with the hour, also for calls in flight across it', async () => {
    const { key } = await buyer('FREE');
    const before = await callMany(key, [one, two], 80);
    expect(countOf(before, 200)).toBe(60);
    const halfPastMs = nowMs;
    try {
      nowMs = Date.UTC(2026, 10, 23, 10) - 1;
      expect((await whoAmI(one, key)).headers['retry-after']).toBe('1');
      nowMs += 1;
      const after = await callMany(key, [one, two], 80);
      expect(countOf(after, 200)).toBe(60);
    } finally {
      nowMs = halfPastMs;
    }
  });

  it('KEY-023 does not count a rejected call, nor a call rejected for its scope', async () => {
    const { user } = await buyer('FREE');
    const narrow = await makeKey(test, user, { scopes: ['read:market'] });
    for (let at = 0; at < 5; at += 1)
      expect((await one.app.inject({ url: '/api/credits', headers: narrow.header })).statusCode).toBe(403);
    const responses = await callMany(narrow, [one, two], 80);
    expect(countOf(responses, 200)).toBe(60);
  });

  it('ERR-003 returns the remaining calls in each response, and when to retry', async () => {
    const { key } = await buyer('FREE');
    const first = await whoAmI(one, key);
    expect(first.headers).toMatchObject({ 'ratelimit-policy': '"hour";q=60;w=3600', ratelimit: '"hour";r=59;t=1800' });
    for (let left = 58; left >= 0; left -= 1)
      expect((await whoAmI(one, key)).headers['ratelimit']).toBe(`"hour";r=${left};t=1800`);
    const rejected = await whoAmI(one, key);
    expect(rejected.statusCode).toBe(429);
    expect(rejected.headers).toMatchObject({ 'retry-after': '1800', ratelimit: '"hour";r=0;t=1800' });
    expect(rejected.headers['content-type']).toContain('application/problem+json');
    expect(rejected.json()).toMatchObject({
      code: 'rate_limited',
      message: expect.stringContaining('API quota exceeded') as string,
    });
  });

  it('never exceeds the limit when a node dies with leased calls', async () => {
    const { key } = await buyer('FREE');
    const events = createOwnHub(test.deps.newClient);
    const dying = createApiAccess({
      db: test.deps.db,
      events,
      outbox: test.deps.outbox,
      baseUrl: 'http://localhost',
      nowMs: () => nowMs,
      onError: () => undefined,
    });
    // It leases six calls and uses one; it neither reports to the others nor reads their reports.
    const [{ user_id: userId } = { user_id: '' }] = await test.database.asOwner<{ user_id: string }>(
      'select user_id from api_keys where id = $1',
      [key.id],
    );
    expect((await dying.limits.take(userId, 60)).isAdmitted).toBe(true);
    await events.close();
    const responses = await callMany(key, [one, two], 80);
    expect(countOf(responses, 200)).toBe(54);
  });

  it('queries the database far less often than it serves calls', async () => {
    // A node starts listening with its first call with a key.
    await whoAmI(one, (await buyer('FREE')).key);
    const { key } = await buyer('PRO');
    await untilReceived(one);
    const leases: number[] = [];
    for (let at = 0; at < 60; at += 1) {
      await whoAmI(one, key);
      const rows = await test.database.asOwner<{ granted: number }>(
        `select sum(l.granted)::int as granted from api_leases l join api_keys k on k.user_id = l.user_id where k.id = $1`,
        [key.id],
      );
      leases.push(rows[0]?.granted ?? 0);
    }
    // A tenth of the 600 at once, and none after it.
    expect(new Set(leases)).toEqual(new Set([60]));
  });
});

describe('plans and the limit', () => {
  it('gives the new limit at once, and the one of FREE after the end', async () => {
    const { user, key } = await buyer('FREE');
    expect(countOf(await callMany(key, [one, two], 70), 200)).toBe(60);
    await giveCredits(test, user.id, 100);
    const bought = await one.app.inject({
      method: 'POST',
      url: '/api/account/api-subscription',
      headers: user.bearer,
      payload: { plan: 'STARTER' },
    });
    expect(bought.json()).toMatchObject({ current: { plan: 'STARTER', hourly_limit: 120 } });
    await expect.poll(async () => (await whoAmI(two, key)).statusCode).toBe(200);
    const responses = await callMany(key, [one, two], 90);
    expect(countOf(responses, 200)).toBe(59);
    const halfPastMs = nowMs;
    try {
      nowMs += 31 * 86_400_000;
      expect((await whoAmI(one, key)).json()).toMatchObject({ plan: 'FREE', hourly_limit: 60 });
      expect(countOf(await callMany(key, [one, two], 80), 200)).toBe(59);
    } finally {
      nowMs = halfPastMs;
    }
  });

  it('reports a call made while earlier ones are being stored', async () => {
    const { id } = await test.signUp();
    const reported: number[] = [];
    const limits = createHourlyLimits({
      db: test.deps.db,
      nowMs: () => nowMs,
      onUse: (_userId, used) => Promise.resolve(void reported.push(used)),
      onError: () => undefined,
    });
    await limits.take(id, 600);
    const reporting = limits.report();
    // The first call waits for the database, which responds in a later turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    await limits.take(id, 600);
    await reporting;
    await limits.report();
    expect(reported.at(-1)).toBe(2);
    await limits.close();
  });

  it('notifies its owner once at 80 and once at 100 percent', async () => {
    const { user, key } = await buyer('FREE');
    const report = () =>
      withSystem(test.deps.db, (tx) =>
        tx.selectFrom('api_usage_alerts').select('percent').where('user_id', '=', user.id).orderBy('percent').execute(),
      );
    await callMany(key, [one], 47, 1);
    await one.api.limits.report();
    expect(await report()).toEqual([]);
    await whoAmI(one, key);
    await one.api.limits.report();
    expect(await report()).toEqual([{ percent: 80 }]);
    await callMany(key, [one], 20, 1);
    await one.api.limits.report();
    expect(await report()).toEqual([{ percent: 80 }, { percent: 100 }]);
  });
});
