import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createNatsBus, readServers } from '../../../src/platform/bus/natsBus.ts';
import { createPostgresBus } from '../../../src/platform/bus/postgresBus.ts';
import { createNatsServer, type NatsServer, noNats } from './natsServer.ts';
import type { Bus, BusMessage } from '../../../src/platform/bus/port.ts';
import { publishIn, sendNoticesOver } from '../../../src/platform/bus/publishIn.ts';
import { createBusRequests, respondOnBus } from '../../../src/platform/bus/requests.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { eventChannel, eventNotices, eventPattern, notifyUser } from '../../../src/platform/events/notify.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';

/** What a kind of bus must provide to be tested. */
interface BusUnderTest {
  database: TestDatabase;
  /** A bus of its own node. */
  open: () => Bus;
  /** Cuts every connection and prevents new ones until `restore`. */
  cut: () => Promise<void>;
  restore: () => Promise<void>;
  close: () => Promise<void>;
}

/** Limit for a product that hangs. */
const timeout = 30_000;

async function createOnPostgres(): Promise<BusUnderTest> {
  const database = await createTestDatabase();
  let isCut = false;
  const newClient = () => {
    const client = database.newClient();
    if (isCut) client.port = 1;
    return client;
  };
  return {
    database,
    open: () => createPostgresBus({ newClient, notices: eventNotices, retryMs: { first: 20, most: 200 } }),
    async cut() {
      isCut = true;
      await database.asOwner(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'sextant events'`,
      );
    },
    restore: () => Promise.resolve(void (isCut = false)),
    close: database.drop,
  };
}

async function createOnNats(): Promise<BusUnderTest> {
  const database = await createTestDatabase();
  const server = await createNatsServer();
  await server.start();
  const sending = createNatsBus({ url: server.url });
  sendNoticesOver(database.db, sending);
  await sending.isReady(timeout);
  return {
    database,
    open: () => createNatsBus({ url: server.url, retryMs: 50 }),
    cut: server.kill,
    restore: server.start,
    async close() {
      await sending.close();
      await server.kill();
      await database.drop();
    },
  };
}

const kinds = [
  { name: 'PostgreSQL', create: createOnPostgres, isSkipped: false },
  { name: 'NATS', create: createOnNats, isSkipped: noNats },
];

/** The same tests for each implementation of the port. */
describe.each(kinds)('the bus over $name', ({ create, isSkipped }) => {
  let under: BusUnderTest;
  let buses: Bus[];
  beforeAll(async () => {
    if (!isSkipped) under = await create();
  });
  afterAll(async () => {
    if (!isSkipped) await under.close();
  });
  beforeEach(() => {
    buses = [];
  });
  afterEach(async () => {
    for (const bus of buses) await bus.close();
  });

  function open(): Bus {
    const bus = under.open();
    buses.push(bus);
    return bus;
  }

  /** Messages that arrive at a new node. */
  async function listen(pattern: string, bus = open()) {
    const messages: BusMessage[] = [];
    let gapCount = 0;
    const stop = bus.subscribe(pattern, { onMessage: (each) => messages.push(each), onGap: () => (gapCount += 1) });
    expect(await bus.isReady(timeout)).toBe(true);
    return { bus, stop, messages, bodies: () => messages.map(({ body }) => body), gaps: () => gapCount };
  }
  const numbered = (subject: string, count: number): BusMessage[] =>
    Array.from({ length: count }, (_, n) => ({ subject, body: String(n) }));

  it.skipIf(isSkipped)(
    'NODE-040 brings each message once, in order, to all nodes that subscribed to its subject',
    async () => {
      const [a, b, other] = [await listen('test.a.x'), await listen('test.a.x'), await listen('test.a.y')];
      a.bus.publish(numbered('test.a.x', 300));
      a.bus.publish([{ subject: 'test.a.y', body: '"y"' }]);
      const expected = Array.from({ length: 300 }, (_, n) => String(n));
      await expect.poll(() => [a.bodies(), b.bodies()], { timeout }).toEqual([expected, expected]);
      await expect.poll(() => other.messages, { timeout }).toEqual([{ subject: 'test.a.y', body: '"y"' }]);
    },
  );

  it.skipIf(isSkipped)('NODE-041 matches the start of subjects by whole tokens', async () => {
    const all = await listen('test.start.>');
    all.bus.publish([
      { subject: 'test.starter.one', body: '1' },
      { subject: 'test.start.one', body: '2' },
      { subject: 'test.start.two.three', body: '3' },
    ]);
    await expect.poll(() => all.bodies(), { timeout }).toEqual(['2', '3']);
    all.stop();
    expect(await all.bus.isReady(timeout)).toBe(true);
    const later = await listen('test.start.>', all.bus);
    later.bus.publish([{ subject: 'test.start.one', body: '4' }]);
    await expect.poll(() => later.bodies(), { timeout }).toEqual(['4']);
    expect(all.bodies()).toEqual(['2', '3']);
  });

  it.skipIf(isSkipped)('NODE-042 brings a message of any length, and other signs than ASCII', async () => {
    const node = await listen('test.long.x');
    const text = 'Größe €, 币安 👍 "quoted"\n'.repeat(60_000);
    node.bus.publish([
      { subject: 'test.long.x', body: JSON.stringify('a') },
      { subject: 'test.long.x', body: JSON.stringify(text) },
      { subject: 'test.long.x', body: JSON.stringify('b 币') },
    ]);
    await expect
      .poll(() => node.bodies().map((body) => JSON.parse(body) as string), { timeout })
      .toEqual(['a', text, 'b 币']);
  });

  it.skipIf(isSkipped)('NODE-043 sends at commit, in the order of commits, and never after a rollback', async () => {
    const node = await listen(eventPattern);
    const { db } = under.database;
    const user = await under.database.addUser();
    const send = (n: number) => withSystem(db, (tx) => notifyUser(tx, user, 'credits', { n }));
    await send(1);
    const failed = withSystem(db, async (tx) => {
      await notifyUser(tx, user, 'credits', { n: 2 });
      throw new Error('rolled back');
    });
    await expect(failed).rejects.toThrow('rolled back');
    await expect.poll(() => node.messages.length, { timeout }).toBe(1);
    await withSystem(db, async (tx) => {
      await publishIn(tx, eventChannel, [
        { subject: `events.user.${user}`, body: `{"u":"${user}","t":"credits","d":{"n":3}}` },
      ]);
      // Not before the commit.
      expect(node.messages).toHaveLength(1);
      await notifyUser(tx, user, 'credits', { n: 4 });
    });
    const values = () => node.bodies().map((body) => (JSON.parse(body) as { d: { n: number } }).d.n);
    await expect.poll(values, { timeout }).toEqual([1, 3, 4]);
    expect(new Set(node.messages.map(({ subject }) => subject))).toEqual(new Set([`events.user.${user}`]));
  });

  it.skipIf(isSkipped)(
    'NODE-044 reports a gap to each subscriber once it delivers again, and loses nothing afterwards',
    async () => {
      const [a, b] = [await listen('test.gap.x'), await listen('test.gap.x')];
      a.bus.publish([{ subject: 'test.gap.x', body: '1' }]);
      await expect.poll(() => [a.bodies(), b.bodies()], { timeout }).toEqual([['1'], ['1']]);
      expect([a.gaps(), b.gaps()]).toEqual([0, 0]);
      await under.cut();
      await expect.poll(() => [a.bus.isUp(), b.bus.isUp()], { timeout }).toEqual([false, false]);
      a.bus.publish([{ subject: 'test.gap.x', body: '"lost"' }]);
      expect(await a.bus.isReady(50)).toBe(false);
      await under.restore();
      await expect.poll(() => [a.gaps() > 0, b.gaps() > 0], { timeout }).toEqual([true, true]);
      expect(await a.bus.isReady(timeout)).toBe(true);
      expect(await b.bus.isReady(timeout)).toBe(true);
      a.bus.publish([{ subject: 'test.gap.x', body: '2' }]);
      await expect
        .poll(() => [a.bodies(), b.bodies()], { timeout })
        .toEqual([
          ['1', '2'],
          ['1', '2'],
        ]);
    },
  );

  it.skipIf(isSkipped)('NODE-045 a subscriber that throws disturbs no other', async () => {
    const node = await listen('test.throws.x');
    const received: string[] = [];
    node.bus.subscribe('test.throws.x', {
      onMessage() {
        throw new Error('a bug');
      },
    });
    node.bus.subscribe('test.throws.x', { onMessage: ({ body }) => received.push(body) });
    expect(await node.bus.isReady(timeout)).toBe(true);
    node.bus.publish(numbered('test.throws.x', 2));
    await expect
      .poll(() => [node.bodies(), received], { timeout })
      .toEqual([
        ['0', '1'],
        ['0', '1'],
      ]);
  });

  it.skipIf(isSkipped)(
    'NODE-046 a request gets the response of the node that responds, with columns bit by bit',
    async () => {
      const [client, responder] = [open(), open()];
      const columns = Float64Array.of(0.1, -0, Number.MAX_VALUE, NaN);
      const stop = respondOnBus(
        responder,
        'test.call',
        (body) => Promise.resolve({ body, columns }),
        () => undefined,
      );
      const requests = createBusRequests(client, 'test.call');
      for (const bus of [responder, client]) expect(await bus.isReady(timeout)).toBe(true);
      const sent = { symbol: 'BTCUSDT', limit: 5 };
      const result = await requests.send(sent, { deadlineMs: timeout });
      expect(result).toEqual({ ok: true, value: { body: sent, columns } });
      stop();
      requests.close();
    },
  );

  it.skipIf(isSkipped)(
    'NODE-047 a request without a response ends by its deadline, by its signal, or with the node that takes over',
    async () => {
      const bus = open();
      const requests = createBusRequests(bus, 'test.nobody');
      expect(await bus.isReady(timeout)).toBe(true);
      expect(await requests.send(1, { deadlineMs: 30 })).toEqual({ ok: false, error: 'timedOut' });
      const left = new AbortController();
      const leaving = requests.send(2, { deadlineMs: timeout, signal: left.signal });
      left.abort();
      expect(await leaving).toEqual({ ok: false, error: 'aborted' });
      const waiting = requests.send(3, { deadlineMs: timeout });
      const stop = respondOnBus(
        bus,
        'test.nobody',
        (body) => Promise.resolve(body),
        () => undefined,
      );
      expect(await bus.isReady(timeout)).toBe(true);
      requests.repeat();
      expect(await waiting).toEqual({ ok: true, value: 3 });
      stop();
      requests.close();
    },
  );
});

describe('the addresses of NATS', () => {
  it('NODE-090 name hosts, and a user that applies to all of them', () => {
    expect(readServers('nats://one:4222,nats://two')).toEqual({ servers: ['one:4222', 'two'] });
    expect(readServers('nats://user:1234%40x@one:4222,nats://two:4223')).toEqual({
      servers: ['one:4222', 'two:4223'],
      user: 'user',
      pass: '1234@x',
    });
    expect(readServers('tls://[::1]:4222')).toEqual({ servers: ['[::1]:4222'], tls: {} });
  });

  it.skipIf(noNats)('NODE-090 log in with user and password, and with no other', async () => {
    const server = await createNatsServer({ user: 'sextant', password: '1234@x' });
    await server.start();
    const host = server.url.slice('nats://'.length);
    const errors: Error[] = [];
    const bus = createNatsBus({ url: `nats://sextant:1234%40x@${host}`, retryMs: 50 });
    const stranger = createNatsBus({
      url: `nats://sextant:other@${host}`,
      retryMs: 50,
      onError: (error) => errors.push(error),
    });
    // A server without TLS: nothing is sent in the clear.
    const secret = createNatsBus({
      url: `tls://sextant:1234%40x@${host}`,
      retryMs: 50,
      onError: (error) => errors.push(error),
    });
    const seen: BusMessage[] = [];
    bus.subscribe('test.login.x', { onMessage: (message) => seen.push(message), onGap: () => undefined });
    expect(await bus.isReady(timeout)).toBe(true);
    bus.publish([{ subject: 'test.login.x', body: 'hello' }]);
    await expect.poll(() => seen, { timeout }).toEqual([{ subject: 'test.login.x', body: 'hello' }]);
    for (const each of [stranger, secret]) each.publish([{ subject: 'test.login.x', body: 'stranger' }]);
    await expect.poll(() => errors.length, { timeout }).toBeGreaterThan(1);
    expect([stranger.isUp(), secret.isUp()]).toEqual([false, false]);
    expect(errors.map(String).join(' ')).not.toContain('1234');
    for (const each of [bus, stranger, secret]) await each.close();
    await server.kill();
  });
});

describe.skipIf(noNats)('a node on NATS', () => {
  let server: NatsServer;
  beforeAll(async () => {
    server = await createNatsServer();
    await server.start();
  });
  afterAll(() => server.kill());

  it('NODE-048 that ends without a goodbye is a gap for the others, one that says goodbye is none', async () => {
    const aliveMs = { every: 20, lost: 200 };
    const [staying, leaving] = [1, 2].map(() => createNatsBus({ url: server.url, aliveMs }));
    // Its beats never come again, as those of a killed process.
    const silent = createNatsBus({ url: server.url, aliveMs: { every: 3_600_000, lost: 3_600_000 } });
    let gapCount = 0;
    staying?.subscribe('test.alive.x', { onMessage: () => undefined, onGap: () => (gapCount += 1) });
    for (const bus of [staying, leaving]) expect(await bus?.isReady(30_000)).toBe(true);
    await leaving?.close();
    expect(await silent.isReady(30_000)).toBe(true);
    await expect.poll(() => gapCount, { timeout: 30_000 }).toBe(1);
    await silent.close();
    await staying?.close();
  });
});
