import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createGatewayLink, type GatewayLink } from '../../../../src/features/market/gateway/gatewayLink.ts';
import { createRemoteVenues } from '../../../../src/features/market/gateway/remoteVenues.ts';
import { noStream } from '../../../../src/features/market/noStream.ts';
import { startGateway } from '../../../../src/features/market/gateway/startGateway.ts';
import { barSubject, quoteSubject, reportSubject } from '../../../../src/features/market/gateway/wire.ts';
import { encode } from '../../../../src/platform/bus/wire.ts';
import type { ClosedBar, LiveQuote } from '../../../../src/features/market/port.ts';
import type { Bus } from '../../../../src/platform/bus/port.ts';
import { createPostgresBus } from '../../../../src/platform/bus/postgresBus.ts';
import { eventNotices } from '../../../../src/platform/events/notify.ts';
import { type Leadership, nodeName } from '../../../../src/platform/jobs/leadership.ts';
import { inBackground } from '../../../../src/platform/readPriority.ts';
import {
  exchangeIds,
  startTestExchanges,
  type TestExchanges,
  testNowMs,
} from '../../../adapters/exchanges/support/testExchanges.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/createTestDatabase.ts';

const timeout = 30_000;
const HOUR_MS = 3_600_000;

let database: TestDatabase;
let exchanges: TestExchanges;
const closing: (() => unknown)[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  exchanges = await startTestExchanges();
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  exchanges.fake.faults.clear();
});
afterAll(async () => {
  await exchanges.close();
  await database.drop();
});

function openBus(): Bus {
  const bus = createPostgresBus({ newClient: database.newClient, notices: eventNotices });
  closing.push(() => bus.close());
  return bus;
}

/** The fake exchanges close all of them at the end. */
const openVenues = () => ({ ...exchanges.venues(), close: () => Promise.resolve() });

/** A node with the role of the gateway. */
function startNode(link: GatewayLink = openLink()): Leadership {
  const gateway = startGateway({
    bus: openBus(),
    newClient: database.newClient,
    openVenues,
    lastReport: link.lastReport,
    onError: () => undefined,
  });
  closing.push(() => gateway.close());
  return gateway;
}

function openLink(bus = openBus()): GatewayLink {
  const link = createGatewayLink(bus);
  closing.push(() => link.close());
  return link;
}

/** Another node, once a gateway serves it. */
async function openRemote(link = openLink()) {
  await expect.poll(() => link.lastReport()?.epoch, { timeout }).toBeGreaterThan(0);
  return createRemoteVenues(link).byExchange;
}

describe('the exchanges through the gateway', () => {
  it.each(exchangeIds)('NODE-050 %s sends other nodes the same as its own', async (exchange) => {
    startNode();
    const remote = (await openRemote())[exchange];
    const own = exchanges.venues().byExchange[exchange];
    const toMs = Math.floor(testNowMs / HOUR_MS) * HOUR_MS - HOUR_MS;
    const candles = { symbol: 'BTCUSDT', interval: '1h', fromMs: toMs - 99 * HOUR_MS, toMs } as const;
    expect(await remote.candles(candles)).toEqual(await own.candles(candles));
    const [listed, expected] = [await remote.symbols(), await own.symbols()];
    if (!listed.ok || !expected.ok) throw new Error('no list of symbols');
    expect(listed.value.symbols).toEqual(expected.value.symbols);
    expect(await remote.turnovers()).toEqual(await own.turnovers());
    const series = { symbol: 'BTCUSDT', interval: '1h' } as const;
    expect(await remote.openInterest('BTCUSDT')).toEqual(await own.openInterest('BTCUSDT'));
    expect(await remote.openInterestSeries(series)).toEqual(await own.openInterestSeries(series));
    expect(await remote.longShortSeries(series)).toEqual(await own.longShortSeries(series));
    expect(await remote.tiers('BTCUSDT')).toEqual(await own.tiers('BTCUSDT'));
    expect(await remote.funding('BTCUSDT')).toEqual(await own.funding('BTCUSDT'));
    expect(await remote.prices()).toEqual(await own.prices());
    expect(await remote.orderBook('BTCUSDT')).toEqual(await own.orderBook('BTCUSDT'));
    const counted = { remote: 0, own: 0 };
    const span = { symbol: 'BTCUSDT', sinceMs: toMs - 800 * HOUR_MS, untilMs: toMs };
    const history = await remote.fundingHistory({ ...span, onPage: () => (counted.remote += 1) });
    expect(history).toEqual(await own.fundingHistory({ ...span, onPage: () => (counted.own += 1) }));
    expect(counted.remote).toBe(counted.own);
    expect(await remote.candles({ ...candles, symbol: 'NOSUCHUSDT' })).toMatchObject({
      ok: false,
      error: { code: 'symbol_unknown', field: 'symbol' },
    });
    await expect.poll(() => remote.budgets().length, { timeout }).toBe(own.budgets().length);
    await expect.poll(() => remote.state(), { timeout }).toBe('ok');
  });

  it('NODE-051 equal requests of several nodes are one request of the exchange', async () => {
    startNode();
    const nodes = [await openRemote(), await openRemote(), await openRemote()];
    await nodes[0]?.bybit.symbols();
    exchanges.fake.requests.clear();
    const toMs = Math.floor(testNowMs / HOUR_MS) * HOUR_MS - HOUR_MS;
    const request = { symbol: 'ETHUSDT', interval: '1h', fromMs: toMs - 9 * HOUR_MS, toMs } as const;
    const results = await Promise.all(nodes.map((node) => inBackground(() => node.bybit.candles(request))));
    for (const result of results) expect(result.ok && result.value.candles.time.length).toBe(10);
    expect(exchanges.fake.requests.all().filter(({ path }) => path === '/v5/market/kline')).toHaveLength(1);
  });

  it('NODE-052 without a gateway a read fails by its deadline as a typed failure, and a later gateway takes it over', async () => {
    let steadyMs = 0;
    const bus = openBus();
    const link = createGatewayLink(bus, () => steadyMs);
    closing.push(() => link.close());
    const remote = createRemoteVenues(link).byExchange.okx;
    expect(await bus.isReady(timeout)).toBe(true);
    const left = new AbortController();
    const leaving = remote.turnovers(left.signal);
    left.abort();
    expect(await leaving).toMatchObject({ ok: false, error: { code: 'deadline_exceeded' } });
    steadyMs = 13_000;
    const error = {
      code: 'upstream_unavailable',
      message: 'The market gateway does not respond. Try again in 5 s.',
      retryAfterS: 5,
    };
    expect(await remote.turnovers()).toEqual({ ok: false, error });
    steadyMs = 0;
    const waiting = remote.turnovers();
    startNode();
    expect((await waiting).ok).toBe(true);
  });

  it('NODE-053 messages of a gateway that another one has replaced are ignored', async () => {
    const link = openLink();
    const feed = createRemoteVenues(link).byExchange.binance.feed({
      bar: (bar) => bars.push(bar),
      quote: (quote) => quotes.push(quote.last),
    });
    const bars: ClosedBar[] = [];
    const quotes: number[] = [];
    await feed.want({ prices: ['BTCUSDT'], candles: [{ symbol: 'BTCUSDT', interval: '1m' }] });
    expect(await link.bus.isReady(timeout)).toBe(true);
    const send = (subject: string, body: object) => link.bus.publish([{ subject, body: encode(body) }]);
    const quote = (epoch: number, last: number) =>
      send(quoteSubject('binance', 'BTCUSDT'), { epoch, quote: { symbol: 'BTCUSDT', last } as LiveQuote });
    const bar = (epoch: number, time: number) =>
      send(barSubject('binance', 'BTCUSDT', '1m'), { epoch, bar: { symbol: 'BTCUSDT', interval: '1m', time } });
    const report = (epoch: number) => send(reportSubject, { epoch, venues: {} });
    report(900_001);
    quote(900_001, 1);
    report(900_002);
    quote(900_001, 2);
    bar(900_001, 60_000);
    report(900_001);
    quote(900_002, 3);
    bar(900_002, 120_000);
    await expect.poll(() => bars.length, { timeout }).toBe(1);
    expect(quotes).toEqual([1, 3]);
    expect(bars.map(({ time }) => time)).toEqual([120_000]);
    expect(link.lastReport()?.epoch).toBe(900_002);
    feed.close();
  });

  it('NODE-195 a node takes no reading of an exchange by the clock of another node for one of its own', async () => {
    const link = openLink();
    const { binance } = createRemoteVenues(link).byExchange;
    expect(await link.bus.isReady(timeout)).toBe(true);
    const venue = {
      state: 'ok',
      clockOffset: { offsetMs: 600_000, errorMs: 500 },
      limits: { budgets: [], ban: null },
      health: noStream,
      dataAtMs: { candles: null, prices: null },
      silent: [],
    } as const;
    const report = (epoch: number, node: string) =>
      link.bus.publish([{ subject: reportSubject, body: encode({ epoch, node, venues: { binance: venue } }) }]);
    report(910_001, 'another 1');
    await expect.poll(() => binance.state(), { timeout }).toBe('ok');
    expect(binance.clockOffset()).toBeUndefined();
    report(910_002, nodeName());
    await expect.poll(() => binance.clockOffset(), { timeout }).toEqual(venue.clockOffset);
  });

  it('NODE-054 a gateway that takes over counts what the one before used and obeys its bans', async () => {
    const venue = exchanges.venues().byExchange;
    await venue.binance.symbols();
    const used = venue.binance.limits().budgets;
    expect(Math.max(...used.map((each) => each.used))).toBeGreaterThan(0);
    const next = exchanges.venues().byExchange;
    next.binance.assume({ budgets: used, ban: null }, 0);
    expect(next.binance.budgets()).toEqual(venue.binance.budgets());
    // Ten minutes after the report the exchange has forgotten it, too.
    const later = exchanges.venues().byExchange;
    later.binance.assume({ budgets: used, ban: null }, 600_000);
    expect(later.binance.budgets().every((each) => each.used === 0)).toBe(true);
    next.bybit.assume({ budgets: [], ban: { leftMs: 65_000, why: 'slowDown' } }, 5000);
    expect(next.bybit.state()).toBe('banned');
    exchanges.fake.requests.clear();
    expect(await next.bybit.turnovers()).toMatchObject({
      ok: false,
      error: { code: 'upstream_rate_limited', retryAfterS: 60 },
    });
    expect(exchanges.fake.requests.all()).toEqual([]);
  });

  it('NODE-055 only one of two gateways opens the exchanges, and the other takes over', async () => {
    let openCount = 0;
    const start = (): Leadership => {
      const gateway = startGateway({
        bus: openBus(),
        newClient: database.newClient,
        openVenues() {
          openCount += 1;
          return openVenues();
        },
        lastReport: () => undefined,
        onError: () => undefined,
      });
      closing.push(() => gateway.close());
      return gateway;
    };
    const [first, second] = [start(), start()];
    await Promise.all([first.attempted, second.attempted]);
    const link = openLink();
    await expect.poll(() => link.lastReport()?.epoch, { timeout }).toBeGreaterThan(0);
    const epoch = link.lastReport()?.epoch ?? 0;
    expect(openCount).toBe(1);
    // Which one leads is open: closing it and then the other ends in no gateway.
    await first.close();
    await expect.poll(() => openCount, { timeout }).toBeGreaterThanOrEqual(1);
    await second.close();
    expect(openCount).toBeLessThanOrEqual(2);
    const third = start();
    await third.attempted;
    await expect.poll(() => link.lastReport()?.epoch, { timeout }).toBeGreaterThan(epoch);
  });
});
