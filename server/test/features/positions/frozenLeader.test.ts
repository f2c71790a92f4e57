import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ExchangesFake, startExchanges } from '../../../fakes/exchanges/server.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { notifyUser } from '../../../src/platform/events/notify.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import { createKillableNode, type KillableNode } from '../../support/killableNode.ts';
import { kindsOf, newPosition, openOne, stored, until } from './support/positions.ts';

/** Far above the guaranteed 10 s: it only ends a failed test on a busy machine. */
const PATIENCE_MS = 90_000;

let database: TestDatabase;
let exchanges: ExchangesFake;
let nodes: KillableNode[];
beforeAll(async () => {
  database = await createTestDatabase();
  exchanges = await startExchanges();
  const env = {
    DATABASE_URL: database.serverUrl,
    EXCHANGES_URL: exchanges.url,
    LOG_LEVEL: 'warn',
    MARKET_STREAMS: 'on',
  };
  const first = await createKillableNode(env);
  nodes = [first, await createKillableNode({ ...env, DATA_DIR: first.dataDir })];
});
afterAll(async () => {
  for (const node of nodes) await node.close();
  await exchanges.close();
  await database.drop();
});

interface Lease {
  epoch: string;
  pid: string;
  sinceMs: number;
}
const lease = async (): Promise<Lease | undefined> =>
  (
    await database.asOwner<Lease & Record<string, unknown>>(
      `select epoch, split_part(node, ' ', 2) as pid, extract(epoch from taken_at)::float8 * 1000 as "sinceMs"
       from leaderships where name = 'positions' and expires_at > clock_timestamp()`,
    )
  )[0];
const isLedBy = async (node: KillableNode) => (await lease())?.pid === String(node.pid());

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

it('OPS a frozen leader is replaced, the other node executes the stop, and the woken one writes nothing', async () => {
  const [old, young] = nodes as [KillableNode, KillableNode];
  await old.start();
  await until('the first leads', () => isLedBy(old), PATIENCE_MS);
  const price = await priceNow();
  const levels = { stopPrice: price * 0.97, targetPrice: price * 1.2, liquidationPrice: price * 0.8 };
  const userId = await database.addUser();
  const id = await openOne(
    database,
    newPosition(userId, { ...levels, entryPrice: price, openedAtMs: Date.now() - 180_000 }),
  );
  // Notifies the leader as an opening does: otherwise it would find the row up to 15 s later.
  await withSystem(database.db, (tx) => notifyUser(tx, userId, 'positions', { change: 'opened', position_id: id }));
  const judged = () => database.asOwner('select from position_watch');
  await Promise.all([
    young.start(),
    until('the first judges its candles', async () => (await judged()).length > 0, PATIENCE_MS),
  ]);
  const before = await lease();
  expect(before?.pid).toBe(String(old.pid()));

  const frozenAtMs = Date.now();
  old.signal('SIGSTOP');
  await movePrice(0.95);
  await until('the stop is executed', async () => (await stored(database, id)).closed_at !== null, PATIENCE_MS);
  const after = await lease();
  expect(after?.pid).toBe(String(young.pid()));
  expect(Number(after?.epoch)).toBeGreaterThan(Number(before?.epoch));
  expect(await stored(database, id)).toMatchObject({ close_reason: 'SL' });
  process.stdout.write(`replaced after ${Math.round((after?.sinceMs ?? 0) - frozenAtMs)} ms\n`);

  // After SIGCONT the old leader finds the low prices in its sockets and the position in its memory. Its earlier output may be of another
  // term: on a busy machine it may lose the first term while it still starts.
  const asleep = old.said().length;
  old.signal('SIGCONT');
  const saidAwake = () => old.said().slice(asleep);
  await until('it knows', () => Promise.resolve(saidAwake().includes('no longer watches positions')), PATIENCE_MS);
  // The last alternative: it was frozen while waiting for a response, and timed out before it read the response.
  expect(saidAwake()).toMatch(
    /epoch \d+ is over|the lease of epoch \d+ could not be renewed|has ended|Query read timeout/,
  );
  expect((await kindsOf(database, id)).filter((kind) => kind === 'closed')).toHaveLength(1);
  expect((await lease())?.epoch).toBe(after?.epoch);
}, 300_000);
