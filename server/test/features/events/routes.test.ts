import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestExchanges, type TestExchanges } from '../../adapters/exchanges/support/testExchanges.ts';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';
import { type EventReader, listenOn, readEvents } from '../../support/readEvents.ts';

let exchanges: TestExchanges;
let test: TestApp;
let origin: string;
let anna: TestUser;
let bert: TestUser;
const readers: EventReader[] = [];
beforeAll(async () => {
  exchanges = await startTestExchanges();
  test = await createTestApp({ deps: { market: exchanges.market(exchanges.venues()) } });
  origin = await listenOn(test.app);
});
afterAll(async () => {
  // fetch keeps a spare connection open on which it never sent a request: the server cannot see that it is idle.
  test.app.server.closeAllConnections();
  await test.close();
  await exchanges.close();
});
beforeEach(async () => {
  anna = await test.signUp();
  bert = await test.signUp();
});
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close();
});

async function open(headers: Record<string, string>, query = '', base = origin): Promise<EventReader> {
  const reader = await readEvents(`${base}/api/events${query}`, headers);
  readers.push(reader);
  if (reader.status === 200) await expect.poll(() => reader.events.length).toBeGreaterThan(0);
  return reader;
}
const save = async (user: TestUser, leverage: number): Promise<void> => {
  const headers = { ...user.bearer, 'content-type': 'application/json' };
  const body = JSON.stringify({ leverage });
  expect((await fetch(`${origin}/api/preferences`, { method: 'PUT', headers, body })).status).toBe(200);
};
const countStreams = (user: TestUser) =>
  test.database
    .asOwner<{ count: number }>(`select count(*)::int from sessions where user_id = $1`, [user.id])
    .then(([row]) => row?.count);

describe('the event stream', () => {
  it('is rejected without a session', async () => {
    expect((await open({})).status).toBe(401);
    expect((await open({ authorization: 'Bearer nonsense' })).status).toBe(401);
  });

  it('opens for a browser and for an API client, with headers that stop proxies from buffering it', async () => {
    for (const credentials of [{ cookie: anna.browser.cookie }, anna.bearer]) {
      const { status, headers, events } = await open(credentials);
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-accel-buffering')).toBe('no');
      expect(headers.get('content-security-policy')).toContain("default-src 'self'");
      expect(events[0]).toMatchObject({ event: 'ready', data: { resumed: false } });
    }
  });

  it('X56 notifies every page of a user of a saved change, in order, and no other user', async () => {
    const [one, two, foreign] = [await open(anna.bearer), await open(anna.bearer), await open(bert.bearer)];
    for (const leverage of [11, 12, 13]) await save(anna, leverage);
    await save(bert, 14);
    await expect.poll(() => foreign.names()).toEqual(['ready', 'preferences']);
    for (const page of [one, two]) {
      await expect.poll(() => page.names()).toEqual(['ready', 'preferences', 'preferences', 'preferences']);
      const versions = page.events.slice(1).map(({ data }) => String(data['updated_at']));
      expect(versions).toEqual([...versions].sort());
    }
  });

  it('resumes after the last event a page received: nothing lost, nothing twice', async () => {
    const before = await open(anna.bearer);
    await save(anna, 21);
    await expect.poll(() => before.names()).toEqual(['ready', 'preferences']);
    before.close();
    await save(anna, 22);
    await save(bert, 23);
    await save(anna, 24);
    const lastId = before.lastId() ?? '';
    const header = await open({ ...anna.bearer, 'last-event-id': lastId });
    const query = await open(anna.bearer, `?last_event_id=${lastId}`);
    await save(anna, 25);
    for (const after of [header, query]) {
      await expect.poll(() => after.names()).toEqual(['ready', 'preferences', 'preferences', 'preferences']);
      expect(after.events[0]?.data).toEqual({ resumed: true });
      const ids = after.events.flatMap(({ id }) => (id === undefined ? [] : [Number(id.split('-')[1])]));
      expect(new Set(ids).size).toBe(3);
      expect(ids).toEqual([...ids].sort((a, b) => a - b));
    }
  });

  it('starts at the session request, so a page requests nothing twice', async () => {
    // From here on this node receives notices from the database.
    await open(bert.bearer);
    const session = await fetch(`${origin}/api/auth/session`, { headers: anna.bearer });
    const { last_event_id: start } = (await session.json()) as { last_event_id: string };
    await save(anna, 33);
    const { events, names } = await open(anna.bearer, `?last_event_id=${start}`);
    expect(events[0]).toMatchObject({ event: 'ready', data: { resumed: true } });
    await expect.poll(names).toEqual(['ready', 'preferences']);
  });

  it('says resync to a page that comes from another node or from before a restart', async () => {
    const reader = await open({ ...anna.bearer, 'last-event-id': 'abcdef012345-7' });
    expect(reader.names()).toEqual(['resync']);
    expect(reader.lastId()).toBeDefined();
  });

  it('says resync when the database cut its connection, and goes on', async () => {
    const reader = await open(anna.bearer);
    await test.database.asOwner(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'sextant events'`,
    );
    await expect.poll(() => reader.names()).toEqual(['ready', 'resync']);
    await save(anna, 31);
    await expect.poll(() => reader.names()).toEqual(['ready', 'resync', 'preferences']);
  });

  it('is rejected for the sixth page of one user, and accepted once one of the five has closed', async () => {
    const five = await Promise.all(Array.from({ length: 5 }, () => open(anna.bearer)));
    const sixth = await open(anna.bearer);
    expect(sixth.status).toBe(429);
    expect(sixth.headers.get('retry-after')).toBe('30');
    expect((await open(bert.bearer)).status).toBe(200);
    five[0]?.close();
    await expect.poll(async () => (await open(anna.bearer)).status, { interval: 100 }).toBe(200);
  });

  it('counts the visitors of the demo separately: each has an account', async () => {
    const enter = async (index: number) => {
      const outcome = await test.deps.auth.enterDemo({ ip: `198.18.2.${index}`, userAgent: undefined });
      if (!outcome.ok) throw new Error('the demo was not entered');
      return { authorization: `Bearer ${outcome.value.token}` };
    };
    const visitors = await Promise.all([0, 1, 2, 3].map(enter));
    for (const visitor of visitors) {
      const pages = await Promise.all([open(visitor), open(visitor)]);
      expect(pages.map(({ status }) => status)).toEqual([200, 200]);
    }
    const four = await Promise.all([0, 1, 2, 3].map(() => open(visitors[0]!)));
    expect(four.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429]);
  });

  it('rejects an unknown query', async () => {
    expect((await open(anna.bearer, '?symbols=nonsense')).status).toBe(400);
    expect((await open(anna.bearer, '?everything=1')).status).toBe(400);
  });
});

describe('the end of a session', () => {
  it('ends its streams at once on sign-out, and does not affect the other sessions of the user', async () => {
    const outcome = await test.deps.auth.signIn(anna.email, anna.password, { ip: '127.0.0.1', userAgent: undefined });
    if (!outcome.ok || 'challenge' in outcome.value) throw new Error('sign-in failed');
    const [leaving, staying] = [
      await open(anna.bearer),
      await open({ authorization: `Bearer ${outcome.value.token}` }),
    ];
    await fetch(`${origin}/api/auth/signout`, { method: 'POST', headers: anna.bearer });
    await expect.poll(() => leaving.isEnded()).toBe(true);
    expect(leaving.events.at(-1)).toMatchObject({ event: 'session', data: { ended: true } });
    await expect.poll(() => staying.names()).toEqual(['ready', 'session']);
    expect(staying.events.at(-1)?.data).toEqual({});
    expect(staying.isEnded()).toBe(false);
    expect(await countStreams(anna)).toBe(1);
  });

  it('ends them too when it was ended on another node, or with the account', async () => {
    const [a, b] = [await open(anna.bearer), await open(bert.bearer)];
    await test.database.asOwner('delete from sessions where user_id = $1', [anna.id]);
    await expect.poll(() => a.isEnded()).toBe(true);
    await test.database.asOwner('delete from users where id = $1', [bert.id]);
    await expect.poll(() => b.isEnded()).toBe(true);
  });

  it('prevents new streams, even while the session is still cached here', async () => {
    expect((await open(anna.bearer)).status).toBe(200);
    await test.database.asOwner('delete from sessions where user_id = $1', [anna.id]);
    expect((await open(anna.bearer)).status).toBe(401);
  });
});

describe('prices', () => {
  const prices = (reader: EventReader) => reader.events.filter(({ event }) => event === 'prices');
  const symbolsOf = (reader: EventReader) =>
    prices(reader).flatMap(({ data }) => (data['prices'] as { symbol: string }[]).map(({ symbol }) => symbol));

  it('come for the symbols a stream requested, also in lower case, and for no others', async () => {
    const [two, none] = [await open(anna.bearer, '?symbols=BTCUSDT,ethusdt,NOPEUSDT'), await open(bert.bearer)];
    await expect.poll(() => new Set(symbolsOf(two))).toEqual(new Set(['BTCUSDT', 'ETHUSDT']));
    expect(prices(two)[0]?.data).toMatchObject({ exchange: 'binance', market: 'simulated' });
    expect(prices(two)[0]).not.toHaveProperty('id');
    expect(prices(none)).toEqual([]);
  });

  it('that have not changed are not sent again', async () => {
    const reader = await open(anna.bearer, '?symbols=BTCUSDT');
    await expect.poll(() => prices(reader).length).toBe(1);
    // A price may be the same after some seconds: the clock advances until it changes.
    const later = () => {
      exchanges.clock.advance(3000);
      return prices(reader).length;
    };
    await expect.poll(later).toBeGreaterThan(1);
    const lasts = prices(reader).flatMap(({ data }) =>
      (data['prices'] as { price: number }[]).map(({ price }) => price),
    );
    lasts.forEach((price, at) => expect(price).not.toBe(lasts[at - 1]));
  });
});

describe('a reader that does not read', () => {
  it('is cut before it fills the memory of the server, and readers that read are not', async () => {
    const reading = await open(anna.bearer);
    const { port } = new URL(origin);
    const request = `GET /api/events HTTP/1.1\r\nhost: x\r\nauthorization: ${anna.bearer.authorization}\r\n\r\n`;
    const accepted: Socket[] = [];
    const accept = (socket: Socket) => accepted.push(socket);
    test.app.server.on('connection', accept);
    const deaf = connect(Number(port), '127.0.0.1', () => deaf.write(request)).on('error', () => undefined);
    // The response headers show that the stream is open.
    await new Promise((resolve) => deaf.once('data', resolve));
    deaf.pause();
    test.app.server.off('connection', accept);
    // Not the socket of a connection that an earlier reader left open.
    const ours = accepted.find(({ remotePort }) => remotePort === deaf.localPort)!;
    const text = 'x'.repeat(60_000);
    let sentCount = 0;
    // Until the buffers of both sockets are full and the server's is over its limit.
    for (; sentCount < 600 && !ours.destroyed; sentCount++) {
      test.deps.events.publish({ userId: anna.id, topic: 'credits', data: { text } });
      // The active reader receives it before the next is sent.
      await expect.poll(() => reading.names().length, { interval: 1 }).toBe(sentCount + 2);
    }
    expect(ours.destroyed).toBe(true);
    expect(sentCount).toBeGreaterThan(4);
    expect(reading.isEnded()).toBe(false);
    deaf.destroy();
  });
});

describe('a server that stops', () => {
  it('ends its streams instead of waiting for them; a page resumes elsewhere with a resync', async () => {
    const other = await createTestApp();
    const carl = await other.signUp();
    const reader = await open(carl.bearer, '', await listenOn(other.app));
    const lastId = reader.lastId() ?? '';
    await other.close();
    await expect.poll(() => reader.isEnded()).toBe(true);
    expect((await open({ ...anna.bearer, 'last-event-id': lastId })).names()).toEqual(['resync']);
  });
});
