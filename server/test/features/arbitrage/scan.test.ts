// Long because its cases share one app, one database and their helpers: a start of them costs more than most cases.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Level, spreadAtReference } from '../../../../engine-as/test/reference/spread.ts';
import { type EndpointName, type FaultName, FaultRule } from '../../../fakes/exchanges/faults.ts';
import { bookOf } from '../../../fakes/exchanges/market/book.ts';
import type { Listing, VenueId } from '../../../fakes/exchanges/market/venues.ts';
import type { ArbitrageItem, ArbitrageScanWire } from '../../../src/features/arbitrage/contract.ts';
import { writeProgress } from '../../../src/features/arbitrage/scanRepository.ts';
import { grant, release } from '../../../src/features/credits/ledger.ts';
import type { Market } from '../../../src/features/market/port.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { startTestExchanges, type TestExchanges, testNowMs } from '../../adapters/exchanges/support/testExchanges.ts';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';
import { listenOn, readEvents } from '../../support/readEvents.ts';

let exchanges: TestExchanges;
let test: TestApp;
let origin: string;
/** A market without bans, breakers and cached responses of the previous test. */
const current: { market: Market | undefined } = { market: undefined };
beforeAll(async () => {
  exchanges = await startTestExchanges();
  current.market = exchanges.market(exchanges.venues());
  const market = new Proxy({} as Market, { get: (_, name) => Reflect.get(current.market as Market, name) as unknown });
  test = await createTestApp({ deps: { market, now: exchanges.clock.now } });
  origin = await listenOn(test.app);
  // SOL is 1 % more expensive on OKX than elsewhere, and PEPE 0.6 %.
  exchanges.fake.market.move({ symbol: 'SOLUSDT', factor: 1.01, venue: 'okx' }, testNowMs - 60_000);
  exchanges.fake.market.move({ symbol: '1000PEPEUSDT', factor: 1.006, venue: 'okx' }, testNowMs - 60_000);
});
afterAll(async () => {
  test.app.server.closeAllConnections();
  await test.close();
  await exchanges.close();
});
afterEach(() => {
  exchanges.fake.faults.clear();
  exchanges.fake.limits.clear();
  exchanges.clock.set(testNowMs);
  current.market = exchanges.market(exchanges.venues());
});

type Item = ArbitrageItem;
interface ResponseBody {
  scanId: string;
  items: Item[];
  scan: ArbitrageScanWire;
  charged: boolean;
  credits: number;
  message: string;
  code?: string;
}

const call = (user: TestUser, payload: object, headers: Record<string, string> = {}) =>
  test.app.inject({ method: 'POST', url: '/api/arbitrage-scan', headers: { ...user.bearer, ...headers }, payload });
const scan = async (user: TestUser, payload: object): Promise<ResponseBody> => {
  const response = await call(user, payload);
  expect(response.statusCode, response.body).toBe(200);
  return response.json<ResponseBody>();
};
const last = async (user: TestUser) =>
  (await test.app.inject({ url: '/api/arbitrage/last', headers: user.bearer })).json<{
    scanId: string | null;
    items: Item[];
    active: unknown;
  }>();
const credits = async (user: TestUser) =>
  (await test.app.inject({ url: '/api/credits', headers: user.bearer })).json<{ balance: number; held: number }>();
const breakIt = (venue: VenueId, endpoint: EndpointName, fault: FaultName) =>
  exchanges.fake.faults.add(FaultRule.parse({ fault, venue, endpoint, retryAfterS: 30, delayMs: 1500 }));

const listing = (venue: VenueId, id: string): Listing => exchanges.fake.listings[venue].get(id)!;
/** One side of the order book of the fake exchange, in coins. */
function truth(of: Listing, side: 'bids' | 'asks', coinsPerUnit: number): Level[] {
  const unit = of.venue === 'okx' ? of.contractValue / 100 : 10 ** -of.quantityDecimals;
  return bookOf(exchanges.fake.market, of, testNowMs, 50)[side].map(({ ticks, lots }) => ({
    price: ticks / 10 ** of.priceDecimals / coinsPerUnit,
    coins: lots * unit * coinsPerUnit,
  }));
}

describe('an arbitrage scan with results', () => {
  it('ARB-006 ARB-010 ARB-011 ARB-018 names the exchanges, the spread and the net by both books, for one credit', async () => {
    const anna = await test.signUp();
    const result = await scan(anna, { symbols: ['btcusdt', 'SOLUSDT'], minSpreadPct: 0.5, notionalUsdt: 5000 });
    expect(result).toMatchObject({ charged: true, credits: 9, message: '1 credit consumed for arbitrage scan' });
    expect(await credits(anna)).toMatchObject({ balance: 9, held: 0 });
    expect(result.items.map(({ symbol }) => symbol)).toEqual(['SOLUSDT']);
    const [item] = result.items as [Item];
    const quotes = (['binance', 'bybit', 'okx'] as const).map((venue) => {
      const of = listing(venue, venue === 'okx' ? 'SOL-USDT-SWAP' : 'SOLUSDT');
      const { bid, ask } = exchanges.fake.market.quote(of, testNowMs);
      return { venue, bid: bid / 10 ** of.priceDecimals, ask: ask / 10 ** of.priceDecimals };
    });
    const cheapest = quotes.toSorted((a, b) => a.ask - b.ask)[0]!;
    const dearest = quotes.toSorted((a, b) => b.bid - a.bid)[0]!;
    expect(item).toMatchObject({ bestBuy: cheapest.venue, bestSell: 'okx', badge: 'high', depth: 'read', skewMs: 0 });
    expect(item.spreadPct).toBeCloseTo((dearest.bid / cheapest.ask - 1) * 100, 9);
    for (const { venue, bid, ask } of quotes) expect(item.prices[venue]).toBeCloseTo((bid + ask) / 2, 9);
    const buyId = listing(cheapest.venue, 'SOLUSDT');
    // The step of OKX is a hundredth of a contract, of the others 0.1 SOL: the reference implementation computes the rest.
    const leg = (takerFee: number) => ({ takerFee, fundingRate: 0, fundingHours: -1, fundingInterval: 8 });
    const want = spreadAtReference(truth(buyId, 'asks', 1), truth(listing('okx', 'SOL-USDT-SWAP'), 'bids', 1), {
      notional: 5000,
      holdHours: 8,
      step: 0.1,
      minNotional: 5,
      buy: leg(cheapest.venue === 'bybit' ? 0.00055 : 0.0005),
      sell: leg(0.0005),
    });
    const at = item.atNotional!;
    expect(at.quantity).toBeCloseTo(want.quantity, 9);
    expect(at.notionalUsdt).toBeCloseTo(want.buyNotional, 6);
    expect(at.grossUsdt).toBeCloseTo(want.gross, 6);
    expect(at.feesInUsdt + at.feesOutUsdt).toBeCloseTo(want.feesIn + want.feesOut, 6);
    expect(at.netUsdt).toBeCloseTo(want.net - Math.max(0, at.fundingUsdt), 6);
    expect(at.netUsdt).toBeLessThan(at.grossUsdt);
    expect(item.atBestSize!.netUsdt).toBeGreaterThanOrEqual(at.netUsdt);
  });

  it('ARB-002 ARB-017 returns the theoretical PnL of the gross spread, and converts contracts of a thousand coins', async () => {
    const anna = await test.signUp();
    const { items } = await scan(anna, {
      symbols: ['1000PEPEUSDT', 'SHIBUSDT'],
      minSpreadPct: 0.3,
      notionalUsdt: 2000,
    });
    expect(items.map(({ symbol }) => symbol)).toEqual(['PEPEUSDT']);
    const [pepe] = items as [Item];
    expect(pepe.theoreticalPnlUsdt).toBeCloseTo((2000 * pepe.spreadPct) / 100, 9);
    expect(pepe.spreadPct).toBeGreaterThan(0.4);
    expect(pepe.spreadPct).toBeLessThan(0.9);
    expect(pepe.quotes.binance).toMatchObject({ contract: '1000PEPEUSDT', multiplier: 1000 });
    expect(pepe.quotes.okx).toMatchObject({ contract: 'PEPEUSDT', multiplier: 1 });
    const { bid, ask } = exchanges.fake.market.quote(listing('binance', '1000PEPEUSDT'), testNowMs);
    const decimals = listing('binance', '1000PEPEUSDT').priceDecimals;
    expect(pepe.prices.binance).toBeCloseTo((bid + ask) / 2 / 10 ** decimals / 1000, 12);
  });

  it('ARB-015 ARB-016 sets badges by item and the risk level by the average', async () => {
    const anna = await test.signUp();
    const both = await scan(anna, { symbols: ['SOLUSDT', '1000PEPEUSDT'], minSpreadPct: 0.3 });
    expect(both.items.map(({ badge }) => badge)).toEqual(['high', 'high']);
    const { averageSpreadPct, riskLevel } = both.scan.results!;
    expect(averageSpreadPct).toBeCloseTo(both.items.reduce((sum, { spreadPct }) => sum + spreadPct, 0) / 2, 9);
    expect(riskLevel).toBe('HIGH');
  });

  it('ARB-014 API-037 DATA-034 ARB-023 is available on opening, for its owner only and with a session only', async () => {
    const [anna, bert] = [await test.signUp(), await test.signUp()];
    expect(await last(anna)).toEqual({ scanId: null, items: [], scan: null, emptyAt: null, active: null });
    const first = await scan(anna, { symbols: ['SOLUSDT'], minSpreadPct: 0.5 });
    const second = await scan(anna, { symbols: ['1000PEPEUSDT'], minSpreadPct: 0.3 });
    expect(await last(anna)).toMatchObject({ emptyAt: null });
    // A scan that finds nothing does not replace it, and is remembered until one finds something.
    const { scan: empty } = await scan(anna, { symbols: ['BTCUSDT'], minSpreadPct: 20 });
    expect(await last(anna)).toMatchObject({
      scanId: second.scanId,
      items: second.items,
      emptyAt: empty.finishedAt,
      active: null,
    });
    expect(first.scanId).not.toBe(second.scanId);
    expect(await last(bert)).toMatchObject({ scanId: null, items: [] });
    const anonymous = await test.app.inject({ url: '/api/arbitrage/last' });
    expect(anonymous.statusCode).toBe(401);
    expect(anonymous.json()).not.toHaveProperty('items');
  });

  it('API-036 ARB-012 ARB-013 CONST-027 accepts up to 200 symbols and returns at most 100 items', async () => {
    const anna = await test.signUp();
    const symbols = [...exchanges.fake.listings.binance.keys()];
    const everything = await scan(anna, { symbols, minSpreadPct: 0 });
    expect(everything.items.length).toBeGreaterThan(20);
    expect(everything.items.length).toBeLessThanOrEqual(100);
    expect(everything.scan.results!.bookRequests).toBe(20);
    const few = await scan(anna, { symbols, minSpreadPct: 0, maxCount: 3, exchanges: ['bybit', 'okx'] });
    expect(few.items).toHaveLength(3);
    for (const { bestBuy, bestSell } of few.items) expect([bestBuy, bestSell].toSorted()).toEqual(['bybit', 'okx']);
    const many = Array.from({ length: 201 }, (_, i) => `A${i}USDT`);
    expect((await call(anna, { symbols: many })).json()).toMatchObject({
      code: 'validation_failed',
      field: 'symbols',
      message: expect.stringContaining('at most 200') as string,
    });
    expect((await call(anna, { symbols, maxCount: 101 })).json()).toMatchObject({ field: 'maxCount' });
  });

  it('ARB-003 progress never goes back, whichever step is written first', async () => {
    const anna = await test.signUp();
    const { scanId } = await scan(anna, { symbols: ['SOLUSDT'], minSpreadPct: 0.5 });
    const undone = new Error('rolled back');
    const written: boolean[] = [];
    const trial = withSystem(test.deps.db, async (tx) => {
      const running = { status: 'running', results: null, finished_at: null, progress_done: 0 };
      await tx.updateTable('arbitrage_scans').set(running).where('id', '=', scanId).execute();
      for (const done of [2, 1, 3]) written.push(await writeProgress(tx, scanId, done, 13));
      throw undone;
    });
    await expect(trial).rejects.toBe(undone);
    expect(written).toEqual([true, false, true]);
  });

  it('ARB-003 ARB-004 reports its progress step by step and its end', async () => {
    const anna = await test.signUp();
    const reader = await readEvents(`${origin}/api/events`, anna.bearer);
    await expect.poll(() => reader.names()).toContain('ready');
    const { scanId } = await scan(anna, { symbols: ['SOLUSDT'], minSpreadPct: 0.5 });
    const report = () => reader.events.filter(({ event }) => event === 'arbitrage').map(({ data }) => data);
    await expect.poll(() => report().at(-1)).toMatchObject({ scan_id: scanId, status: 'done' });
    expect(report()[0]).toMatchObject({ scan_id: scanId, status: 'running', done: 0 });
    const shares = report().map(({ done, total }) => Number(done) / Number(total));
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    reader.close();
  });

  it('repeated with its Idempotency-Key is one scan for one credit; with another body a conflict', async () => {
    const anna = await test.signUp();
    const payload = { symbols: ['SOLUSDT'], minSpreadPct: 0.5 };
    const key = { 'idempotency-key': 'one-arbitrage' };
    const responses = await Promise.all(Array.from({ length: 4 }, () => call(anna, payload, key)));
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    expect(new Set(responses.map((response) => response.json<ResponseBody>().scanId)).size).toBe(1);
    expect(responses.filter((response) => response.headers['idempotent-replayed'] === 'true')).toHaveLength(3);
    expect(await credits(anna)).toMatchObject({ balance: 9, held: 0 });
    expect((await call(anna, { ...payload, notionalUsdt: 7 }, key)).json()).toMatchObject({ code: 'conflict' });
  });
});

/** Captured credits of a user, and scans with items. */
const paidFor = async (user: TestUser) => {
  const [row] = await test.database.asOwner<{ captured: number; stored: number }>(
    `select (select count(*)::int from credit_ledger where user_id = $1 and kind = 'capture' and reason = 'arbitrage') as captured,
       (select count(*)::int from arbitrage_scans where user_id = $1 and jsonb_array_length(results -> 'items') > 0) as stored`,
    [user.id],
  );
  return row;
};

describe('arbitrage scans at once', () => {
  it.each(['without keys', 'with keys', 'of which some find nothing'])(
    '30 %s: every captured credit has its items',
    async (how) => {
      const anna = await test.signUp();
      const more = { userId: anna.id, credits: 30, reason: 'purchase', key: `at once ${anna.id}` } as const;
      await withSystem(test.database.db, (tx) => grant(tx, more));
      const responses = await Promise.all(
        Array.from({ length: 30 }, (_, i) =>
          call(
            anna,
            { symbols: ['SOLUSDT'], minSpreadPct: how === 'of which some find nothing' && i % 3 === 0 ? 5 : 0.5 },
            how === 'with keys' ? { 'idempotency-key': `at-once-${i}` } : {},
          ),
        ),
      );
      const bodies = responses.map((response) => response.json<ResponseBody>());
      expect(bodies.map(({ code }) => code).filter((code) => code !== undefined)).toEqual([]);
      const charged = bodies.filter((body) => body.charged);
      expect(charged).toHaveLength(how === 'of which some find nothing' ? 20 : 30);
      for (const { items, message } of charged) {
        expect(items).toMatchObject([{ symbol: 'SOLUSDT' }]);
        expect(message).toBe('1 credit consumed for arbitrage scan');
      }
      expect(await paidFor(anna)).toEqual({ captured: charged.length, stored: charged.length });
      expect(await credits(anna)).toMatchObject({ balance: 40 - charged.length, held: 0 });
    },
  );

  it('whose response was lost is repeated with its key after a newer scan, for nothing', async () => {
    const anna = await test.signUp();
    const payload = { symbols: ['SOLUSDT'], minSpreadPct: 0.5 };
    const first = (await call(anna, payload, { 'idempotency-key': 'lost' })).json<ResponseBody>();
    await scan(anna, payload);
    await scan(anna, payload);
    const again = (await call(anna, payload, { 'idempotency-key': 'lost' })).json<ResponseBody>();
    expect(again).toMatchObject({ scanId: first.scanId, items: [{ symbol: 'SOLUSDT' }] });
    expect(await credits(anna)).toMatchObject({ balance: 7, held: 0 });
  });
});

describe('an arbitrage scan whose response was lost, without a key', () => {
  it('is read by the id beside its credit, for nothing, and by no other user', async () => {
    const [anna, bert] = [await test.signUp(), await test.signUp()];
    const payload = { symbols: ['SOLUSDT'], minSpreadPct: 0.5 };
    const lost = await scan(anna, payload);
    await scan(anna, payload);
    const get = (user: TestUser, url: string) => test.app.inject({ url, headers: user.bearer });
    const { entries } = (await get(anna, '/api/credits')).json<{ entries: { ref: string | null }[] }>();
    const ref = entries.find((entry) => entry.ref === lost.scanId)?.ref ?? '';
    const url = `/api/arbitrage/scans/${ref}`;
    const { scanId, items, scan: stored } = lost;
    expect((await get(anna, url)).json()).toEqual({ scanId, items, scan: stored });
    expect(await credits(anna)).toMatchObject({ balance: 8, held: 0 });
    expect((await get(bert, url)).statusCode).toBe(404);
  });
});

describe('an arbitrage scan without results', () => {
  it('ARB-019 X11 that finds nothing gives the credit back and says so', async () => {
    const anna = await test.signUp();
    const result = await scan(anna, { symbols: ['BTCUSDT', 'ETHUSDT'], minSpreadPct: 5 });
    expect(result).toMatchObject({
      items: [],
      charged: false,
      credits: 10,
      message: 'No arbitrage opportunities found with current settings',
      scan: { status: 'empty' },
    });
    expect(await credits(anna)).toMatchObject({ balance: 10, held: 0 });
  });

  it('ARB-007 ARB-021 X14 without credits is rejected and leaves nothing behind', async () => {
    const anna = await test.signUp();
    await test.database.asOwner(`update balances set credits = 0 where user_id = $1`, [anna.id]);
    const rejected = (await call(anna, { symbols: ['SOLUSDT'] })).json<object>();
    expect(rejected).toMatchObject({ status: 402, code: 'insufficient_credits', message: 'No credits available' });
    expect(await last(anna)).toEqual({ scanId: null, items: [], scan: null, emptyAt: null, active: null });
    await test.database.asOwner(`update balances set credits = 10 where user_id = $1`, [anna.id]);
  });

  it('ARB-022 ERR-023 whose credit can no longer be charged gives no items', async () => {
    const anna = await test.signUp();
    const taken = Promise.withResolvers<undefined>();
    const market = current.market!;
    // The scan waits for its order books until the hold is gone.
    current.market = { ...market, orderBook: (request) => taken.promise.then(() => market.orderBook(request)) };
    const pending = call(anna, { symbols: ['SOLUSDT'], minSpreadPct: 0.5 });
    const hold = async () =>
      (
        await test.database.asOwner<{ id: string }>(
          `select id from credit_ledger where user_id = $1 and kind = 'hold' and reason = 'arbitrage'`,
          [anna.id],
        )
      )[0]?.id;
    await expect.poll(hold).toBeDefined();
    const holdId = (await hold()) ?? '';
    await withSystem(test.database.db, (tx) => release(tx, holdId, 'taken back by the test'));
    taken.resolve(undefined);
    const body = (await pending).json<ResponseBody>();
    expect(body).toMatchObject({ status: 409, code: 'charge_failed', message: 'Failed to consume credit' });
    expect(body).not.toHaveProperty('items');
    expect(await last(anna)).toMatchObject({ scanId: null, items: [] });
    expect(await credits(anna)).toMatchObject({ balance: 10, held: 0 });
  });

  it('ARB-020 that reaches fewer than two exchanges fails, names them and costs nothing', async () => {
    const anna = await test.signUp();
    for (const venue of ['binance', 'okx'] as const) breakIt(venue, 'price', 'serverError');
    const failed = (await call(anna, { symbols: ['SOLUSDT'] })).json<{ message: string }>();
    expect(failed).toMatchObject({ status: 502, code: 'upstream_unavailable' });
    expect(failed.message).toMatch(/^Arbitrage scan failed\. .*Binance.*OKX/s);
    expect(await credits(anna)).toMatchObject({ balance: 10, held: 0 });
  });

  it('ARB-008 requires a symbol', async () => {
    const anna = await test.signUp();
    for (const symbols of [[], [' '], undefined]) {
      const body = (await call(anna, symbols === undefined ? {} : { symbols })).json<{ message: string }>();
      expect(body).toMatchObject({ code: 'validation_failed', field: 'symbols' });
      expect(body.message).toContain('Please enter at least one symbol');
    }
    expect((await call(anna, { symbols: ['NOT A COIN'] })).json()).toMatchObject({ code: 'validation_failed' });
  });

  it('ARB-009 rejects a negative minimum spread and a negative notional', async () => {
    const anna = await test.signUp();
    const symbols = ['SOLUSDT'];
    for (const [field, value] of [
      ['minSpreadPct', -0.1],
      ['notionalUsdt', -1],
      ['holdHours', -1],
    ] as const) {
      expect((await call(anna, { symbols, [field]: value })).json()).toMatchObject({
        code: 'validation_failed',
        field,
      });
    }
    expect((await call(anna, { symbols, takerFees: { okx: 0.5 } })).json()).toMatchObject({ field: 'takerFees.okx' });
    expect(await credits(anna)).toMatchObject({ balance: 10, held: 0 });
  });
});

describe('a faulty exchange', () => {
  it('that hangs is reported, and the other two are compared', async () => {
    const anna = await test.signUp();
    const market = current.market!;
    // A short timeout for the one that hangs: a good response may be slow on a busy machine.
    const hasty = exchanges.market(exchanges.venues({ requestTimeoutMs: 400 }));
    current.market = {
      ...market,
      tops: (request) => (request.exchange === 'bybit' ? hasty : market).tops(request),
    };
    breakIt('bybit', 'price', 'hang');
    const { items, scan: made } = await scan(anna, { symbols: ['SOLUSDT'], minSpreadPct: 0.5 });
    expect(items.map(({ bestBuy, bestSell }) => [bestBuy, bestSell])).toEqual([['binance', 'okx']]);
    const bybit = made.results!.venues.find(({ exchange }) => exchange === 'bybit')!;
    expect(bybit.state).toBe('failed');
    expect(bybit.failure).toMatch(/Bybit/);
    expect(made.results!.venues.filter(({ state }) => state === 'compared').map(({ exchange }) => exchange)).toEqual([
      'binance',
      'okx',
    ]);
  });

  it('that returns no order book leaves the item without a size', async () => {
    const anna = await test.signUp();
    breakIt('okx', 'book', 'serverError');
    const { items } = await scan(anna, { symbols: ['SOLUSDT'], minSpreadPct: 0.5 });
    expect(items).toMatchObject([{ symbol: 'SOLUSDT', depth: 'failed', atNotional: null, atBestSize: null }]);
  });

  const symbols = ['SOLUSDT', 'BTCUSDT', 'ETHUSDT', '1000PEPEUSDT'];
  it.each([
    // Timestamps an hour behind.
    ['price', 'staleClock', 'old_quote'],
    // Rows under another name.
    ['price', 'emptyList', null],
    ['book', 'staleClock', 'stamps_differ'],
  ] as const)('whose %s has %s never makes an opportunity with it', async (endpoint, fault, reason) => {
    const anna = await test.signUp();
    breakIt('okx', endpoint, fault);
    const { items, scan: made } = await scan(anna, { symbols, minSpreadPct: 0.3 });
    for (const item of items) expect([item.bestBuy, item.bestSell]).not.toContain('okx');
    if (reason !== null) expect(made.results!.leftOut.counts[reason]).toBeGreaterThan(0);
  });

  it('that returns the book of another symbol never makes an opportunity', async () => {
    const anna = await test.signUp();
    const market = current.market!;
    // SOL's book under BTC's name: no field of the response reveals it.
    current.market = {
      ...market,
      orderBook: (request) =>
        market.orderBook(request.exchange === 'okx' ? { ...request, symbol: 'BTCUSDT' } : request),
    };
    const { items, scan: made } = await scan(anna, { symbols, minSpreadPct: 0.3 });
    expect(items).toEqual([]);
    expect(made.results!.leftOut.counts['doubtful_contract']).toBeGreaterThan(0);
  });

  it('that suspends a market, or lists it with another multiplier, is left out with the reason', async () => {
    const anna = await test.signUp();
    const market = current.market!;
    current.market = {
      ...market,
      symbols: async (request) => {
        const outcome = await market.symbols(request);
        if (!outcome.ok || request?.exchange !== 'okx') return outcome;
        const value = outcome.value.value.map((each) =>
          each.symbol === 'SOLUSDT' ? { ...each, status: 'halted' as const } : each,
        );
        return { ok: true, value: { ...outcome.value, value } };
      },
      // PEPE of OKX quoted by the thousand under a name without the number.
      tops: async (request) => {
        const outcome = await market.tops(request);
        if (!outcome.ok || request.exchange !== 'okx') return outcome;
        return {
          ok: true,
          value: outcome.value.map((top) =>
            top.symbol === 'PEPEUSDT' ? { ...top, bid: top.bid * 1000, ask: top.ask * 1000 } : top,
          ),
        };
      },
    };
    const { items, scan: made } = await scan(anna, { symbols, minSpreadPct: 0.3 });
    expect(items).toEqual([]);
    expect(made.results!.leftOut.examples).toEqual(
      expect.arrayContaining([
        { symbol: 'SOLUSDT', exchange: 'okx', reason: 'halted' },
        { symbol: 'PEPEUSDT', exchange: 'okx', reason: 'doubtful_contract' },
      ]),
    );
  });
});
