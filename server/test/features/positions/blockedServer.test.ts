import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ExchangesFake, startExchanges } from '../../../fakes/exchanges/server.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { notifyUser } from '../../../src/platform/events/notify.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import { createKillableNode, type KillableNode } from '../../support/killableNode.ts';
import { newPosition, openOne, stored, until } from './support/positions.ts';

/** Generous: it only ends a failed test on a busy machine. */
const PATIENCE_MS = 90_000;
/** Several times the lease of the watch. */
const BLOCK_MS = 30_000;

let database: TestDatabase;
let exchanges: ExchangesFake;
let node: KillableNode;
beforeAll(async () => {
  database = await createTestDatabase();
  exchanges = await startExchanges();
  node = await createKillableNode({
    DATABASE_URL: database.serverUrl,
    EXCHANGES_URL: exchanges.url,
    LOG_LEVEL: 'warn',
    MARKET_STREAMS: 'on',
    NODE_OPTIONS: `--import=${fileURLToPath(new URL('../../support/blockThread.mjs', import.meta.url))}`,
    TEST_BLOCK_MS: String(BLOCK_MS),
  });
});
afterAll(async () => {
  await node.close();
  await exchanges.close();
  await database.drop();
});

const epochNow = async (): Promise<string | undefined> =>
  (
    await database.asOwner<{ epoch: string }>(
      `select epoch from leaderships where name = 'positions' and expires_at > clock_timestamp()`,
    )
  )[0]?.epoch;

async function priceNow(): Promise<number> {
  const response = await fetch(`${exchanges.url}/fapi/v2/ticker/price`);
  const prices = (await response.json()) as { symbol: string; price: string }[];
  return Number(prices.find(({ symbol }) => symbol === 'BTCUSDT')?.price);
}

const movePrice = (factor: number) =>
  fetch(`${exchanges.url}/__control/price`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ symbol: 'BTCUSDT', factor }),
  });

it('OPS a server that serves no request for 30 s executes stops in time and keeps the lease of the watch', async () => {
  await node.start();
  await until('the node leads', async () => (await epochNow()) !== undefined, PATIENCE_MS);
  const price = await priceNow();
  const levels = { stopPrice: price * 0.97, targetPrice: price * 1.2, liquidationPrice: price * 0.8 };
  const userId = await database.addUser();
  const opening = { ...levels, entryPrice: price, openedAtMs: Date.now() - 180_000 };
  const id = await openOne(database, newPosition(userId, opening));
  await withSystem(database.db, (tx) => notifyUser(tx, userId, 'positions', { change: 'opened', position_id: id }));
  const judged = () => database.asOwner('select from position_watch');
  await until('its candles are judged', async () => (await judged()).length > 0, PATIENCE_MS);

  node.signal('SIGUSR2');
  const blockedMs = performance.now();
  await until('no request gets a response', () => isSilent(), PATIENCE_MS);
  const health = fetch(`${node.url}/api/health`).then(() => performance.now());
  await movePrice(0.95);
  await until('the stop is executed', async () => (await stored(database, id)).closed_at !== null, PATIENCE_MS);
  const closedMs = performance.now();
  expect(await stored(database, id)).toMatchObject({ close_reason: 'SL' });
  // A lease that is not renewed has expired by then.
  await pause(Math.max(0, 12_000 - (performance.now() - blockedMs)));
  await until('the lease is renewed', async () => (await epochNow()) !== undefined, 10_000);
  const renewedMs = performance.now();

  expect(await health).toBeGreaterThan(Math.max(closedMs, renewedMs));
  process.stdout.write(`blocked; the stop was executed after ${Math.round(closedMs - blockedMs)} ms\n`);
}, 300_000);

const isSilent = async (): Promise<boolean> =>
  fetch(`${node.url}/api/health`, { signal: AbortSignal.timeout(1500) }).then(
    () => false,
    () => true,
  );
