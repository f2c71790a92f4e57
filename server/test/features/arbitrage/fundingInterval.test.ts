import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '@sextant/workers/src/core/result.ts';
import { noneLeftOut } from '../../../src/adapters/exchanges/universe.ts';
import {
  FundingIntervals,
  hoursBetweenStamps,
  withFundingIntervals,
} from '../../../src/features/market/fundingIntervals.ts';
import { readPriority } from '../../../src/platform/readPriority.ts';
import type { ExchangeId, FuturesSymbol, Market, TopQuote } from '../../../src/features/market/port.ts';
import { startTestExchanges, type TestExchanges } from '../../adapters/exchanges/support/testExchanges.ts';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';

const HOUR = 3_600_000;
/** Every contract of the cases is listed by this time. */
const atMs = Date.UTC(2026, 2, 2, 10, 7, 30);

let exchanges: TestExchanges;
let test: TestApp;
let anna: TestUser;
let current: Market;
beforeAll(async () => {
  exchanges = await startTestExchanges();
  exchanges.clock.set(atMs);
  current = exchanges.market(exchanges.venues());
  const market = new Proxy({} as Market, { get: (_, name) => Reflect.get(current, name) as unknown });
  test = await createTestApp({ deps: { market, now: exchanges.clock.now } });
  anna = await test.signUp();
});
afterAll(async () => {
  await test.close();
  await exchanges.close();
});
afterEach(() => {
  current = exchanges.market(exchanges.venues());
});

const get = async <T>(url: string): Promise<T> => {
  const response = await test.app.inject({ url, headers: anna.bearer });
  expect(response.statusCode, response.body).toBe(200);
  return response.json<T>();
};

type Leg = { ratePct: number; intervalHours: number; perDayPct: number };
interface Row {
  symbol: string;
  long: ExchangeId;
  short: ExchangeId;
  differencePerDayPct: number;
  legs: { long: Leg; short: Leg };
}
const differences = async (): Promise<Map<string, Row>> =>
  new Map((await get<{ rows: Row[] }>('/api/arbitrage/funding')).rows.map((row) => [row.symbol, row]));
interface Funding {
  interval_hours: number | null;
  interval_source: 'exchange' | 'stamps' | null;
}
const readFunding = (symbol: string, exchange: ExchangeId): Promise<Funding> =>
  get(`/api/funding?symbol=${symbol}&exchange=${exchange}`);
const intervalOf = async (symbol: string, exchange: ExchangeId): Promise<number | null> =>
  (await readFunding(symbol, exchange)).interval_hours;

/** Quotes of these contracts as the streams send them; an interval only where the exchange sends one. */
function stream(
  rates: Record<string, Partial<Record<ExchangeId, [rate: number, intervalHours: number | null]>>>,
): void {
  const live = current;
  const readTop = ({ exchange, symbol }: { exchange: ExchangeId; symbol: string }): TopQuote | null => {
    const given = rates[symbol]?.[exchange];
    if (given === undefined) return null;
    const [fundingRate, fundingIntervalHours] = given;
    const book = { bid: 3000, ask: 3001, atMs, receivedAtMs: atMs, source: 'stream' as const };
    return { symbol, ...book, fundingRate, nextFundingAtMs: atMs + HOUR, fundingIntervalHours };
  };
  current = { ...live, readTop };
}

describe('the interval between fundings', () => {
  it.each(['LAYERUSDT', 'INITUSDT', 'MOVEUSDT'])(
    'of %s on Binance is 4 h in the differences and in its funding, six times its rate a day',
    async (symbol) => {
      stream({ [symbol]: { binance: [0.0001, null], bybit: [0.0003, 4] } });
      const row = (await differences()).get(symbol);
      expect(row).toMatchObject({ long: 'binance', short: 'bybit' });
      expect(row!.legs.long.intervalHours).toBe(4);
      // No flag says whether the interval is assumed: it never is.
      expect(Object.keys(row!.legs.long).toSorted()).toEqual([
        'forecast',
        'intervalHours',
        'nextFundingAtMs',
        'perDayPct',
        'ratePct',
      ]);
      expect(row!.legs.long.perDayPct).toBeCloseTo(6 * row!.legs.long.ratePct, 12);
      expect(await intervalOf(symbol, 'binance')).toBe(4);
    },
  );

  it('makes equal rates equal, and a coin of 4 h against one of 8 h differ by three times the rate a day', async () => {
    stream({
      INITUSDT: { binance: [0.00005, null], bybit: [0.00005, 4] },
      KAITOUSDT: { binance: [0.0001, null], okx: [0.0001, 8] },
      BTCUSDT: { binance: [0.0001, null], bybit: [0.0001, null] },
    });
    const rows = await differences();
    expect(rows.get('INITUSDT')!.differencePerDayPct).toBeCloseTo(0, 12);
    expect(rows.get('KAITOUSDT')!.differencePerDayPct).toBeCloseTo(0.03, 12);
    expect(rows.get('BTCUSDT')!.differencePerDayPct).toBeCloseTo(0, 12);
  });

  it('HIST-131 of OKX without a next time is that of its settlements, the same on both screens, and says so', async () => {
    const venues = exchanges.venues();
    const { okx } = venues.byExchange;
    const silent: typeof okx = {
      ...okx,
      funding: async (symbol) => {
        const outcome = await okx.funding(symbol);
        return outcome.ok ? { ...outcome, value: { ...outcome.value, intervalHours: null } } : outcome;
      },
    };
    current = exchanges.market({ ...venues, byExchange: { ...venues.byExchange, okx: silent } });
    expect(await intervalOf('MOVEUSDT', 'okx')).toBe(4);
    expect(await readFunding('ETHUSDT', 'okx')).toMatchObject({ interval_hours: 8, interval_source: 'stamps' });
    expect(await readFunding('ETHUSDT', 'bybit')).toMatchObject({ interval_hours: 8, interval_source: 'exchange' });
    stream({
      MOVEUSDT: { okx: [0.0001, null], bybit: [0.0003, 4] },
      ETHUSDT: { okx: [0.0001, null], bybit: [0.0003, 8] },
      SOLUSDT: { okx: [0.0001, null], bybit: [0.0003, 8] },
    });
    const rows = await differences();
    expect([rows.get('MOVEUSDT'), rows.get('ETHUSDT')].map((row) => row?.legs.long.intervalHours)).toEqual([4, 8]);
    // Nothing is known of SOL on OKX: no interval is assumed, and no figure a day is shown.
    expect(rows.has('SOLUSDT')).toBe(false);
  });
});

describe('the source of the interval of a contract', () => {
  const stamps = (hours: number, count = 3): Float64Array =>
    Float64Array.from({ length: count }, (_, i) => atMs - (count - i) * hours * HOUR);
  const listed = (fundingHours: number | null, isFundingUsual?: true) => ({
    symbol: 'AUSDT',
    fundingHours,
    ...(isFundingUsual && { isFundingUsual }),
  });

  it.each([
    ['the exchange, whatever the settlements were', listed(4), stamps(8), 4, 'exchange'],
    ['settlements, where the exchange does not say', listed(null), stamps(4), 4, 'stamps'],
    [
      'settlements, where an exchange that lists only other intervals leaves it out',
      listed(8, true),
      stamps(4),
      4,
      'stamps',
    ],
    ['the usual one of such an exchange, before a settlement was read', listed(8, true), stamps(4, 1), 8, 'exchange'],
    ['nothing', listed(null), stamps(4, 1), null, 'exchange'],
    ['no settlements of long ago', listed(null), stamps(4).map((time) => time - 90 * 24 * HOUR), null, 'exchange'],
  ])('is %s', (_, listing, time, hours, source) => {
    const intervals = new FundingIntervals(() => atMs);
    intervals.learn('binance', 'AUSDT', time);
    expect(intervals.hoursOf('binance', listing)).toBe(hours);
    expect(intervals.sourceOf('binance', listing)).toBe(source);
    expect(intervals.hoursOf('okx', { ...listing, symbol: 'BUSDT' })).toBe(listing.fundingHours);
  });

  it('is read from the last two stamps, which come a little late', () => {
    expect(hoursBetweenStamps([0, 8 * HOUR, 12 * HOUR + 2500])).toBe(4);
    expect(hoursBetweenStamps([0, 400 * HOUR])).toBeNull();
    expect(hoursBetweenStamps([5])).toBeNull();
  });

  it('is looked up once in half an hour where no quote or list has it, and never where the exchange sends it', () => {
    let nowMs = atMs;
    const intervals = new FundingIntervals(() => nowMs);
    const due = () => intervals.isLookupDue('okx', listed(null));
    expect([due(), due()]).toEqual([true, false]);
    nowMs += HOUR / 2;
    expect(due()).toBe(true);
    expect(intervals.isLookupDue('binance', listed(4))).toBe(false);
  });

  it('is looked up beside quotes without it, and then appears in the list of symbols', async () => {
    const requested: string[] = [];
    const listing = { symbol: 'AUSDT', fundingHours: null } as FuturesSymbol;
    const source = { exchange: 'okx', fetchedAtMs: atMs } as const;
    const silent = { symbol: 'AUSDT', fundingRate: 0.0001, fundingIntervalHours: null } as TopQuote;
    const market = withFundingIntervals<Pick<Market, 'symbols' | 'tops' | 'funding' | 'fundingHistory'>>(
      {
        symbols: () => Promise.resolve(ok({ ...source, value: [listing], leftOut: noneLeftOut() })),
        tops: () => Promise.resolve(ok([silent])),
        funding: () => Promise.reject(new Error('not read')),
        fundingHistory: ({ symbol }) => {
          requested.push(`${symbol} ${readPriority().isBackground ? 'in the background' : 'for a user'}`);
          return Promise.resolve(ok({ ...source, value: { time: stamps(4), rate: new Float64Array(3) } }));
        },
      },
      () => atMs,
    );
    const hours = async () => {
      const list = await market.symbols({ exchange: 'okx' });
      return list.ok ? list.value.value[0]!.fundingHours : undefined;
    };
    expect(await hours()).toBeNull();
    const read = () => market.tops({ exchange: 'okx', symbols: ['AUSDT'], streamAgeMs: 1000 });
    await read();
    await read();
    await expect.poll(hours).toBe(4);
    expect(requested).toEqual(['AUSDT in the background']);
  });
});
