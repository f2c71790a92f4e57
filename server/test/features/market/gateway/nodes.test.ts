import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ExchangesFake, startExchanges } from '../../../../fakes/exchanges/server.ts';
import { freePort } from '../../../../launch/freePort.ts';
import { withSystem } from '../../../../src/platform/db/scope.ts';
import { notifyUser } from '../../../../src/platform/events/notify.ts';
import { createNatsBus } from '../../../../src/platform/bus/natsBus.ts';
import { sendNoticesOver } from '../../../../src/platform/bus/publishIn.ts';
import { createNatsServer, type NatsServer, noNats } from '../../../platform/bus/natsServer.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/createTestDatabase.ts';
import { createKillableNode, type KillableNode } from '../../../support/killableNode.ts';
import { type Account, openPage, signUpAt } from './page.ts';

// Whole nodes in child processes: each test waits for states, and its limit only ends a product that hangs.
const timeout = 120_000;
const MINUTE_MS = 60_000;

interface Cluster {
  database: TestDatabase;
  /** Exchanges of the gateways, and those that the other nodes would request themselves. */
  exchanges: ExchangesFake;
  forbidden: ExchangesFake;
  gateways: [KillableNode, KillableNode];
  web: KillableNode;
  account: Account;
  worker: KillableNode;
  /** The gateway that holds the lease, and the one that waits. */
  leading: () => Promise<{ leads: KillableNode; waits: KillableNode }>;
  close: () => Promise<void>;
}

async function startCluster(natsUrl?: string): Promise<Cluster> {
  const database = await createTestDatabase();
  const [exchanges, forbidden] = [await startExchanges(), await startExchanges()];
  const shared = {
    DATABASE_URL: database.serverUrl,
    MARKET_STREAMS: 'on',
    MARKET_GATEWAY: 'on',
    HISTORY_BACKFILL: 'off',
    ...(natsUrl === undefined ? {} : { NATS_URL: natsUrl }),
  };
  const first = await createKillableNode({ ...shared, ROLE: 'web', EXCHANGES_URL: forbidden.url });
  const create = async (role: string, exchangesUrl: string): Promise<KillableNode> =>
    createKillableNode({
      ...shared,
      ROLE: role,
      EXCHANGES_URL: exchangesUrl,
      DATA_DIR: first.dataDir,
      PROBE_PORT: String(await freePort()),
    });
  const worker = await create('worker', forbidden.url);
  const gateways: Cluster['gateways'] = [await create('market', exchanges.url), await create('market', exchanges.url)];
  // All at once, as after a restart of everything.
  await Promise.all([first, worker, ...gateways].map((node) => node.start()));
  const pidOfLeader = async (): Promise<string | undefined> =>
    (
      await database.asOwner<{ pid: string }>(
        `select split_part(node, ' ', 2) as pid from leaderships where name = 'market' and expires_at > clock_timestamp()`,
      )
    )[0]?.pid;
  return {
    database,
    exchanges,
    forbidden,
    gateways,
    web: first,
    account: await signUpAt(first.url),
    worker,
    async leading() {
      await expect.poll(pidOfLeader, { timeout }).toBeDefined();
      const pid = await pidOfLeader();
      const [a, b] = gateways;
      return String(a.pid()) === pid ? { leads: a, waits: b } : { leads: b, waits: a };
    },
    async close() {
      for (const node of [first, worker, ...gateways]) await node.close();
      await exchanges.close();
      await forbidden.close();
      await database.drop();
    },
  };
}

interface Klines {
  candles: { time: number[]; close: number[] };
  gaps: unknown[];
}

async function klines({ web, account }: Cluster, symbol: string, limit: number): Promise<Klines | number> {
  const { headers } = account;
  const response = await fetch(`${web.url}/api/klines?symbol=${symbol}&interval=1m&limit=${limit}`, { headers });
  return response.ok ? ((await response.json()) as Klines) : response.status;
}

/** Epoch ms of the newest quote that the web node has. */
async function quotedAtMs({ web, account: { headers } }: Cluster): Promise<number> {
  const response = await fetch(`${web.url}/api/price/batch?symbols=BTCUSDT`, { headers });
  if (!response.ok) return 0;
  const { prices } = (await response.json()) as { prices: { symbol: string; at: string | number }[] };
  return Math.max(0, ...prices.map(({ at }) => new Date(at).getTime()));
}

/** Every closed minute from `fromMs` once, as the exchange has it. */
async function expectWholeMinutes(cluster: Cluster, fromMs: number): Promise<void> {
  const minutes = Math.floor((Date.now() - fromMs) / MINUTE_MS) + 5;
  // A node that has just lost its bus or its gateway says so; the request is repeated.
  await expect.poll(async () => typeof (await klines(cluster, 'BTCUSDT', minutes)), { timeout }).toBe('object');
  const result = await klines(cluster, 'BTCUSDT', minutes);
  if (typeof result === 'number') throw new Error(`candles: HTTP ${result}`);
  const times = result.candles.time;
  expect(times).toEqual(times.map((_, index) => (times[0] ?? 0) + index * MINUTE_MS));
  expect(times.length).toBe(minutes);
  expect(result.gaps).toEqual([]);
  const listing = cluster.exchanges.listings.binance.get('BTCUSDT');
  if (listing === undefined) throw new Error('no listing');
  const last = times.at(-1) ?? 0;
  const bars = cluster.exchanges.market.candles(listing, '1m', times[0] ?? 0, last + 1, last + MINUTE_MS);
  const tick = 10 ** listing.priceDecimals;
  expect(result.candles.close).toEqual(bars.map(({ close }) => close / tick));
}

const kinds = [
  { name: 'PostgreSQL', isSkipped: false },
  // Skipped tests are counted and named: nats-server is not installed.
  { name: 'NATS', isSkipped: noNats },
];

describe.each(kinds)('nodes over $name', ({ name, isSkipped }) => {
  let cluster: Cluster;
  let nats: NatsServer | undefined;
  let startedMs: number;
  beforeAll(async () => {
    if (isSkipped) return;
    if (name === 'NATS') {
      nats = await createNatsServer();
      await nats.start();
    }
    startedMs = Date.now();
    cluster = await startCluster(nats?.url);
  }, timeout);
  afterAll(async () => {
    if (isSkipped) return;
    await cluster.close();
    await nats?.kill();
  }, timeout);

  it.skipIf(isSkipped)(
    'NODE-060 web and worker send no request to an exchange, and have prices and candles',
    { timeout },
    async () => {
      await expect.poll(() => quotedAtMs(cluster), { timeout }).toBeGreaterThan(startedMs);
      await expect.poll(async () => typeof (await klines(cluster, 'BTCUSDT', 100)), { timeout }).toBe('object');
      await expectWholeMinutes(cluster, startedMs);
      const leases = () =>
        cluster.database.asOwner(`select from leaderships where name = 'positions' and expires_at > clock_timestamp()`);
      await expect.poll(async () => (await leases()).length, { timeout }).toBe(1);
      expect(cluster.forbidden.requests.all()).toEqual([]);
      expect(cluster.forbidden.streams.connects).toEqual([]);
      expect(cluster.exchanges.requests.all().length).toBeGreaterThan(0);
      const { waits } = await cluster.leading();
      expect(waits.pid()).toBeDefined();
    },
  );

  it.skipIf(isSkipped)(
    'NODE-061 another gateway takes over from one that was killed, and no candle is lost or doubled',
    { timeout },
    async () => {
      const { leads, waits } = await cluster.leading();
      await leads.kill();
      const killedMs = Date.now();
      await expect.poll(async () => (await cluster.leading()).leads.pid(), { timeout }).toBe(waits.pid());
      await expect.poll(() => quotedAtMs(cluster), { timeout }).toBeGreaterThan(killedMs);
      await expectWholeMinutes(cluster, startedMs);
      await leads.start();
    },
  );

  it.skipIf(isSkipped)(
    'NODE-062 another gateway takes over from a frozen one, whose messages are ignored when it wakes',
    { timeout },
    async () => {
      const { leads, waits } = await cluster.leading();
      leads.signal('SIGSTOP');
      const frozenMs = Date.now();
      await expect.poll(() => quotedAtMs(cluster), { timeout }).toBeGreaterThan(frozenMs + 1000);
      expect((await cluster.leading()).leads.pid()).toBe(waits.pid());
      leads.signal('SIGCONT');
      const wokenMs = Date.now();
      await expect.poll(() => quotedAtMs(cluster), { timeout }).toBeGreaterThan(wokenMs + 2000);
      expect((await cluster.leading()).leads.pid()).toBe(waits.pid());
      await expectWholeMinutes(cluster, startedMs);
      expect(cluster.forbidden.requests.all()).toEqual([]);
    },
  );

  it.skipIf(isSkipped)(
    'NODE-063 after the bus was down, open pages load everything again and receive later changes',
    { timeout },
    async () => {
      const { database, web, account } = cluster;
      const page = await openPage(web.url, account);
      const own = nats === undefined ? undefined : createNatsBus({ url: nats.url });
      if (own !== undefined) {
        sendNoticesOver(database.db, own);
        expect(await own.isReady(timeout)).toBe(true);
      }
      const change = () => withSystem(database.db, (tx) => notifyUser(tx, account.id, 'watchlist', {}));
      await change();
      await expect.poll(() => page.topics(), { timeout }).toContain('watchlist');
      if (nats === undefined) {
        await database.asOwner(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and application_name = 'sextant events'`,
        );
      } else {
        await nats.kill();
        await change();
        await nats.start();
      }
      await expect.poll(() => page.topics(), { timeout }).toContain('resync');
      if (own !== undefined) expect(await own.isReady(timeout)).toBe(true);
      const before = page.topics().length;
      await change();
      await expect.poll(() => page.topics().slice(before), { timeout }).toContain('watchlist');
      const restoredMs = Date.now();
      await expect.poll(() => quotedAtMs(cluster), { timeout }).toBeGreaterThan(restoredMs);
      await expectWholeMinutes(cluster, startedMs);
      page.close();
      await own?.close();
    },
  );
});
