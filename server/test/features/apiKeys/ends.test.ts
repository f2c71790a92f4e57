import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../../../src/app.ts';
import { createApiAccess } from '../../../src/features/apiKeys/apiAccess.ts';
import { createKeyCache } from '../../../src/features/apiKeys/keyCache.ts';
import { readPublicId } from '../../../src/features/apiKeys/keyFormat.ts';
import { createEmailApp, type EmailApp } from '../auth/support/createEmailApp.ts';
import { createOwnHub } from '../../support/createOwnHub.ts';
import { createNode, type MadeKey, makeKey } from './support.ts';

/** Emails to the owner of a key, and how long a revoked key stays valid when its notice is lost. */
let test: EmailApp;
/** Calls come through a proxy that forwards the client address. */
beforeAll(async () => {
  test = await createEmailApp({ env: { TRUST_PROXY: '127.0.0.1' } });
});
afterAll(() => test.close());

const whoAmI = ({ header }: MadeKey, ip: string) =>
  test.app.inject({ url: '/api/account/whoami', headers: { ...header, 'x-forwarded-for': ip } });

describe('emails to the owner of a key', () => {
  it('about the first use from a new network are sent once per network', async () => {
    const owner = await test.signUp();
    const key = await makeKey(test, owner, { name: 'Trading bot' });
    for (const ip of ['203.0.113.7', '203.0.113.7', '198.51.100.4'])
      expect((await whoAmI(key, ip)).statusCode).toBe(200);
    await test.deps.api.calls.flush();
    const emails = (await test.mailsTo(owner.email)).filter(({ subject }) => /new network/.test(subject));
    expect(emails.map(({ subject }) => subject)).toEqual(Array(2).fill('Your API key was used from a new network'));
    expect(emails.some(({ text }) => text.includes('“Trading bot”') && text.includes('203.0.113.7'))).toBe(true);
    expect(emails.some(({ text }) => text.includes('198.51.100.4'))).toBe(true);
    expect(emails[0]?.text).toContain('/?tab=api-manager');
  });

  it('at 80 and at 100 percent of the hourly limit are sent, each once', async () => {
    // A fixed time, so that all calls fall into one hour.
    const nowMs = Date.now();
    const node = await createNode(test, () => nowMs);
    const owner = await test.signUp();
    const key = await makeKey(test, owner);
    const emails = async () =>
      (await test.mailsTo(owner.email)).map(({ subject }) => subject).filter((subject) => /API limit/.test(subject));
    const call = async (count: number): Promise<void> => {
      for (let at = 0; at < count; at += 1)
        await node.app.inject({
          url: '/api/account/whoami',
          headers: { ...key.header, 'x-forwarded-for': '127.0.0.1' },
        });
      await node.api.limits.report();
    };
    try {
      // FREE has 60 calls an hour: 48 are 80 percent.
      await call(47);
      expect(await emails()).toEqual([]);
      await call(1);
      expect(await emails()).toEqual(['80 % of your API limit is used']);
      await call(12);
      await call(3);
      expect(await emails()).toEqual(['80 % of your API limit is used', 'Your hourly API limit is reached']);
    } finally {
      await node.close();
    }
  });
});

/** Every node must honour a revocation within this time. */
const revokedWithinMs = 5000;

describe('a revoked key whose notice is lost', () => {
  it.each([
    ['called all the time', 50],
    ['called now and then', 1700],
    ['called once before', 100_000],
  ])('is rejected within 5 s when it is %s', async (_name, everyMs) => {
    const owner = await test.signUp();
    const made = await makeKey(test, owner);
    const publicId = readPublicId(made.key)!;
    let nowMs = 0;
    const cache = createKeyCache(test.deps.db, () => nowMs);
    for (; nowMs < 8000; nowMs += everyMs) expect((await cache.find(publicId))?.isRevoked).toBe(false);
    await test.app.inject({ method: 'DELETE', url: `/api/account/api-keys/${made.id}`, headers: owner.bearer });
    const revokedMs = nowMs;
    for (; nowMs < revokedMs + revokedWithinMs; nowMs += everyMs) await cache.find(publicId);
    nowMs = Math.max(nowMs, revokedMs + revokedWithinMs);
    expect((await cache.find(publicId))?.isRevoked).toBe(true);
  });

  it('is rejected by a node that receives no notices', async () => {
    const hub = createOwnHub(test.deps.newClient);
    const deaf = { ...hub, onTopic: () => () => undefined } as typeof hub;
    const { db, outbox } = test.deps;
    const common = { db, outbox, baseUrl: 'http://localhost', nowMs: Date.now, onError: () => undefined };
    const api = createApiAccess({ ...common, events: deaf });
    const app = await buildApp({ ...test.deps, api });
    try {
      const owner = await test.signUp();
      const made = await makeKey(test, owner);
      const call = async () => (await app.inject({ url: '/api/account/whoami', headers: made.header })).statusCode;
      expect(await call()).toBe(200);
      await test.app.inject({ method: 'DELETE', url: `/api/account/api-keys/${made.id}`, headers: owner.bearer });
      // The table above checks the time limit, on a manual clock.
      await expect.poll(call, { interval: 200 }).toBe(401);
    } finally {
      await app.close();
      await api.close();
      await hub.close();
    }
  });
});
