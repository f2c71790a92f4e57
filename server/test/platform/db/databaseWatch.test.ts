import { connect, createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../../src/platform/db/database.ts';
import { createDatabaseWatch } from '../../../src/platform/db/databaseWatch.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';

/** A database whose responses the test gives, watched step by step. */
function watched() {
  const pending: PromiseWithResolvers<object>[] = [];
  let step = (): void => undefined;
  let clientCount = 0;
  const watch = createDatabaseWatch({
    newClient: () => {
      clientCount += 1;
      return {
        connect: () => Promise.resolve(),
        query: () => {
          const response = Promise.withResolvers<object>();
          pending.push(response);
          return response.promise;
        },
        end: () => Promise.resolve(),
        on: () => undefined,
      } as never;
    },
    every: (_ms, each) => {
      step = each;
      return () => undefined;
    },
  });
  watch.start();
  const steps = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i += 1) {
      step();
      await pause(0);
    }
  };
  const respond = async (): Promise<void> => {
    pending.shift()?.resolve({});
    await pause(0);
  };
  return { watch, steps, respond, clients: () => clientCount };
}

describe('a watched database', () => {
  it('NODE-005 is frozen at most ten turns of 200 ms after its last response, and not before', async () => {
    const { watch, steps, respond } = watched();
    expect(watch.state()).toBe('unknown');
    await steps(2);
    await respond();
    expect(watch.state()).toBe('ok');
    const running = watch.guard(() => new Promise(() => undefined));
    const rejected = expect(running).rejects.toThrow('Query read timeout');
    await steps(8);
    expect(watch.state()).toBe('ok');
    await steps(2);
    expect(watch.state()).toBe('frozen');
    await rejected;
    let isSent = false;
    await expect(watch.guard(() => Promise.resolve((isSent = true)))).rejects.toThrow('Query read timeout');
    expect(isSent).toBe(false);
    await watch.close();
  });

  it('NODE-006 is used again as soon as it responds, also on a new connection', async () => {
    const late = watched();
    await late.steps(2);
    await late.respond();
    await late.steps(20);
    expect(late.watch.state()).toBe('frozen');
    await late.respond();
    expect(late.watch.state()).toBe('ok');
    expect(await late.watch.guard(() => Promise.resolve(7))).toBe(7);

    const gone = watched();
    await gone.steps(2);
    await gone.respond();
    await gone.steps(60);
    expect(gone.watch.state()).toBe('frozen');
    expect(gone.clients()).toBe(2);
    // The query of the connection that was replaced, then that of the new one.
    await gone.respond();
    expect(gone.watch.state()).toBe('frozen');
    await gone.respond();
    expect(gone.watch.state()).toBe('ok');
  });

  it('that is slow while this process is blocked is not frozen: one turn reads the response', async () => {
    const { watch, steps, respond } = watched();
    await steps(2);
    await respond();
    await steps(3);
    // However long the block lasts, its timer fires once.
    await steps(1);
    await respond();
    expect(watch.state()).toBe('ok');
  });
});

describe('a database that accepts connections and does not respond', () => {
  let origin: TestDatabase;
  let proxy: Server;
  let database: Database;
  const sockets = new Set<Socket>();
  let isFrozen = false;
  beforeAll(async () => {
    origin = await createTestDatabase();
    const target = new URL(origin.serverUrl);
    // Passes nothing on while it is frozen, as a stopped server does: the system still accepts connections.
    proxy = createServer({ pauseOnConnect: true }, (socket) => {
      const upstream = connect(Number(target.port), target.hostname);
      for (const each of [socket, upstream]) {
        sockets.add(each);
        each.on('error', () => undefined).on('close', () => sockets.delete(each));
      }
      socket.pipe(upstream).pipe(socket);
      if (isFrozen) freeze(true);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const url = new URL(origin.serverUrl);
    url.hostname = '127.0.0.1';
    url.port = String((proxy.address() as AddressInfo).port);
    database = openDatabase({ url: url.href, waitMsMax: 45_000, onError: () => undefined });
    database.watch.start();
  });
  afterAll(async () => {
    freeze(false);
    await database.close();
    for (const socket of sockets) socket.destroy();
    proxy.close();
    await origin.drop();
  });

  function freeze(value: boolean): void {
    isFrozen = value;
    for (const socket of sockets) {
      if (value) {
        socket.unpipe();
        socket.pause();
        continue;
      }
      socket.destroy();
    }
  }
  const select = () => withSystem(database.db, (tx) => sql`select 1`.execute(tx));

  it('NODE-005 NODE-006 rejects running and new requests, and serves again when it responds', async () => {
    await expect.poll(() => database.watch.state(), { timeout: 60_000 }).toBe('ok');
    await select();
    freeze(true);
    const startedMs = performance.now();
    // Without the watch the first one would end after 12 s, by the timeout of the driver.
    await expect(select()).rejects.toMatchObject({ rejection: { code: 'database_unavailable', retryAfterS: 2 } });
    const firstMs = performance.now() - startedMs;
    expect(firstMs).toBeLessThan(11_000);
    expect(database.watch.state()).toBe('frozen');
    await expect(select()).rejects.toMatchObject({ rejection: { code: 'database_unavailable' } });
    freeze(false);
    await expect
      .poll(
        () =>
          select().then(
            () => true,
            () => false,
          ),
        { timeout: 60_000 },
      )
      .toBe(true);
    await expect.poll(() => database.watch.state(), { timeout: 60_000 }).toBe('ok');
  });
});
