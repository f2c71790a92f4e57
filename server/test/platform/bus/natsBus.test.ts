import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNatsBus } from '../../../src/platform/bus/natsBus.ts';
import { sendNoticesOver } from '../../../src/platform/bus/publishIn.ts';
import { createTestDatabase } from '../../support/createTestDatabase.ts';
import { describeBus } from './busContract.ts';
import { createNatsServer, type NatsServer, noNats } from './natsServer.ts';

describe.skipIf(noNats)('the bus over NATS', () => {
  describeBus(async () => {
    const database = await createTestDatabase();
    const server = await createNatsServer();
    await server.start();
    const sending = createNatsBus({ url: server.url });
    sendNoticesOver(database.db, sending);
    await sending.isReady(30_000);
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
