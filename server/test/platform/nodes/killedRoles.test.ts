import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mulberry } from '../../../../engine-as/test/candles.ts';
import { fakeNowPayments } from '../../../fakes/payments/nowPayments.ts';
import { type PaymentsFake, startPayments } from '../../../fakes/payments/server.ts';
import { createNowPayments } from '../../../src/adapters/payments/nowPayments.ts';
import { findViolations } from '../../../src/features/credits/ledgerWatch.ts';
import { coins } from '../../../src/features/payments/coins.ts';
import { heal } from '../../../src/features/payments/reconcile.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { notifyUser } from '../../../src/platform/events/notify.ts';
import { paymentsEnv } from '../../features/payments/support/paymentsApp.ts';
import { newPosition, openOne } from '../../features/positions/support/positions.ts';
import { callNode, type ClusterUser, countRows, readMinutes, signUpOn } from '../../support/clusterClient.ts';
import { type ClusterNode, createNodeCluster, noNodes, type NodeCluster } from '../../support/nodeCluster.ts';

/** ROLE_KILLS=30 with `npm run test:statistics`; ROLE_SEED picks another order of kills. */
const killCount = Number(process.env['ROLE_KILLS'] ?? 3);
const seed = Number(process.env['ROLE_SEED'] ?? 43);
const SCANS_A_ROUND = 3;
const POSITIONS_A_ROUND = 2;
/** Below the hourly limit of unpaid invoices per account. */
const ORDERS_A_BUYER = 8;
const WELCOME = 10;
/** Only ends a product that hangs. */
const timeout = 300_000;

let cluster: NodeCluster;
let fake: PaymentsFake;
beforeAll(async () => {
  if (noNodes) return;
  fake = await startPayments({ stepMs: 20 });
  cluster = await createNodeCluster({
    roles: ['web', 'web', 'worker', 'worker', 'market', 'market'],
    env: paymentsEnv(fake.url),
    isOnNats: true,
  });
  await Promise.all(cluster.nodes.map((node) => node.start()));
}, timeout);
afterAll(async () => {
  if (noNodes) return;
  await cluster.close();
  await fake.close();
}, timeout);

const random = mulberry(seed);
const pick = <T>(list: readonly T[]): T => {
  const one = list[Math.floor(random() * list.length)];
  if (one === undefined) throw new RangeError('an empty list');
  return one;
};
const anyWeb = (): string => pick(cluster.of('web')).url;

const scans = new Map<string, string>();
/** Requests a scan once; a careful client repeats it with the same key, on any web node, until it gets a response. */
async function order({ headers }: ClusterUser, key: string): Promise<void> {
  if (scans.has(key)) return;
  const body = { symbols: ['BTCUSDT', 'ETHUSDT'] };
  const sent = await callNode(`${anyWeb()}/api/scan`, {
    body,
    headers: { ...headers, 'idempotency-key': key },
  }).catch(() => undefined);
  if (sent?.status !== 202) {
    await sent?.body?.cancel();
    return;
  }
  const { scan_id: id } = (await sent.json()) as { scan_id: string };
  scans.set(key, id);
}

/** Buys credits and pays; the node may die at any moment, and its response and notifications with it. */
async function buyAndPay({ headers }: ClusterUser): Promise<void> {
  const web = anyWeb();
  const response = await callNode(`${web}/api/billing/now/create-payment`, {
    body: { amount: 20, currency: 'usdt' },
    headers: { ...headers, origin: web },
  });
  const { payment_id: id } = (await response.json()) as { payment_id?: string };
  if (id !== undefined) await fake.coins.pay(Number(id), 'full');
}

interface Held {
  symbol: string;
  ids: string[];
}
/** Longs with a stop 3 % below the present price, old enough for an automatic close. */
async function openLongs(symbol: string): Promise<Held> {
  const { database, exchanges } = cluster;
  const listing = exchanges.listings.binance.get(symbol);
  if (listing === undefined) throw new Error(`no listing of ${symbol}`);
  const prices = (await (await callNode(`${exchanges.url}/fapi/v2/ticker/price`)).json()) as {
    symbol: string;
    price: string;
  }[];
  const entryPrice = Number(prices.find((each) => each.symbol === symbol)?.price);
  const levels = { stopPrice: entryPrice * 0.97, targetPrice: entryPrice * 1.3, liquidationPrice: entryPrice * 0.5 };
  const ids: string[] = [];
  for (let i = 0; i < POSITIONS_A_ROUND; i++) {
    const opening = { symbol, entryPrice, ...levels, tickSize: 10 ** -listing.priceDecimals };
    // An account has one position of a symbol.
    const userId = await database.addUser();
    const id = await openOne(database, newPosition(userId, { ...opening, openedAtMs: Date.now() - 180_000 }));
    ids.push(id);
    const change = { change: 'opened', position_id: id };
    await withSystem(database.db, (tx) => notifyUser(tx, userId, 'positions', change));
  }
  return { symbol, ids };
}

/** Kills or freezes a node for a while. */
async function disturb(node: ClusterNode, isFrozen: boolean): Promise<void> {
  if (isFrozen) {
    node.signal('SIGSTOP');
    // Beyond the lease of 6 s in every second case.
    await delay(2000 + random() * 8000);
    node.signal('SIGCONT');
    return;
  }
  await node.kill();
  // The test ended the process, not the job, so its death does not set the job aside.
  await cluster.database.asOwner('delete from job_runs');
  await delay(random() * 1500);
  await node.start();
}

it.skipIf(noNodes)(
  `NODE-192 ${killCount} kills and freezes of random nodes of every role lose and double no scan, close, credit or candle`,
  async () => {
    const { database } = cluster;
    const startedMs = Date.now();
    const scanner = await signUpOn(cluster, anyWeb(), { email: 'scanner@example.com', credits: killCount * 4 });
    const symbols = [...cluster.exchanges.listings.binance.values()]
      .filter(({ id, priceDecimals }) => id.endsWith('USDT') && priceDecimals <= 4)
      .map(({ id }) => id)
      .filter((id) => !['BTCUSDT', 'ETHUSDT'].includes(id));
    const buyers: ClusterUser[] = [];
    const keys: string[] = [];
    const held: Held[] = [];
    const disturbed: Record<string, number> = {};
    for (let round = 0; round < killCount; round++) {
      if (round % ORDERS_A_BUYER === 0)
        buyers.push(await signUpOn(cluster, anyWeb(), { email: `buyer${round}@example.com` }));
      const longs = await openLongs(symbols[round % symbols.length] ?? 'SOLUSDT');
      held.push(longs);
      for (let i = 0; i < SCANS_A_ROUND; i++) keys.push(`round-${round}-${i}`);
      const work = keys.filter((key) => !scans.has(key)).map((key) => order(scanner, key));
      const buyer = buyers.at(-1);
      if (buyer !== undefined) work.push(buyAndPay(buyer).catch(() => undefined));
      await delay(random() * 900);
      const victim = pick(cluster.nodes);
      const isFrozen = random() < 0.3;
      const name = `${victim.role} ${isFrozen ? 'frozen' : 'killed'}`;
      disturbed[name] = (disturbed[name] ?? 0) + 1;
      const disturbing = disturb(victim, isFrozen);
      // Through the stop while the node is away.
      cluster.exchanges.market.move({ symbol: longs.symbol, factor: 0.95 }, Date.now());
      await Promise.all([...work, disturbing]);
    }
    const open = () => keys.filter((key) => !scans.has(key));
    await expect
      .poll(
        async () => {
          await Promise.all(
            open()
              .slice(0, 10)
              .map((key) => order(scanner, key)),
          );
          return open().length;
        },
        { timeout },
      )
      .toBe(0);
    const running = () => countRows(cluster, `from scans where status in ('queued', 'running')`);
    await expect.poll(running, { timeout }).toBe(0);
    const unclosed = () => countRows(cluster, 'from positions where closed_at is null');
    await expect.poll(unclosed, { timeout }).toBe(0);

    // Each position was closed once, by its stop.
    const ids = held.flatMap((each) => each.ids);
    const closes = await database.asOwner<{ id: string; count: number; reason: string }>(
      `select p.id, p.close_reason as reason, (select count(*)::int from position_events e
        where e.position_id = p.id and e.kind = 'closed') as count from positions p`,
    );
    expect(closes.length).toBe(ids.length);
    expect(closes.filter(({ count, reason }) => count !== 1 || reason !== 'SL')).toEqual([]);

    // The provider finishes the payments it knows; its list replaces the notifications that met a dead node.
    for (const payment of fake.coins.payments.values())
      Object.assign(payment, { payment_status: 'finished', actually_paid: payment.pay_amount });
    const provider = createNowPayments({ ...fakeNowPayments, apiUrl: `${fake.url}/v1` }, coins);
    for (let turn = 0; turn < 2; turn++) await heal({ db: database.db, providers: [provider] });
    await provider.close();
    const paid = fake.coins.payments.size;
    const balances = await database.asOwner<{ id: string; credits: number }>(
      'select user_id as id, credits from balances',
    );
    const creditsOf = (id: string): number => balances.find((each) => each.id === id)?.credits ?? NaN;
    const doneCount = await countRows(cluster, `from scans where status = 'done'`);
    const summary = { seed, disturbed, scans: keys.length, done: doneCount, closes: closes.length, paid };
    process.stdout.write(`roles killed ${JSON.stringify(summary)}\n`);
    expect(creditsOf(scanner.id)).toBe(WELCOME + killCount * 4 - doneCount);
    const bought = buyers.reduce((sum, { id }) => sum + creditsOf(id) - WELCOME, 0);
    expect(bought).toBe(20 * paid);
    expect(await countRows(cluster, 'from scans')).toBe(keys.length);
    expect(new Set(scans.values()).size).toBe(keys.length);
    const openHolds = `from credit_ledger h where kind = 'hold'
      and not exists (select from credit_ledger s where s.hold_id = h.id)`;
    expect(await countRows(cluster, openHolds)).toBe(0);
    expect(await findViolations(database.db)).toEqual([]);
    expect(doneCount / keys.length).toBeGreaterThanOrEqual(0.95);

    // Web and worker nodes opened nothing to an exchange, and no minute is missing or doubled.
    for (const node of cluster.nodes) expect(node.exchangeConnections()).toBe(0);
    const count = Math.floor((Date.now() - startedMs) / 60_000) + 5;
    for (const { url } of cluster.of('web')) {
      const read = () => readMinutes(cluster, url, { user: scanner, count });
      await expect.poll(async () => (await read())?.gaps, { timeout }).toEqual([]);
      const minutes = await read();
      if (minutes === undefined) throw new Error('no candles');
      const { times, closes: prices, expected } = minutes;
      expect(times).toEqual(times.map((_, i) => (times[0] ?? 0) + i * 60_000));
      expect(prices).toEqual(expected);
    }
  },
  timeout * 3 + killCount * 60_000,
);
