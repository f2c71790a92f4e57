import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { forecastOf } from '../../../src/features/arbitrage/fundingForecast.ts';
import { type Difference, readFunding } from '../../../src/features/arbitrage/readFunding.ts';
import {
  type Announced,
  announcedOf,
  deleteOldAnnounced,
  storeAnnounced,
} from '../../../src/features/arbitrage/sampler/announced.ts';
import { storeSettlements } from '../../../src/features/arbitrage/sampler/samplerRepository.ts';
import type { CoinQuotes } from '../../../src/features/arbitrage/sampler/universe.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const settlesAtMs = Date.UTC(2026, 2, 4, 8);

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.asOwner('delete from arbitrage_announced');
  await database.asOwner('delete from arbitrage_fundings');
});

const quotes = (rate: number | null, nextFundingAtMs: number | null): CoinQuotes =>
  new Map([['SOL', { okx: { fundingRate: rate, nextFundingAtMs } }]]) as unknown as CoinQuotes;
const store = (row: Partial<Announced>, seenAtMs: number) =>
  withSystem(database.db, (tx) =>
    storeAnnounced(tx, 'simulated', [{ symbol: 'SOLUSDT', exchange: 'okx', settlesAtMs, rate: 0, ...row }], seenAtMs),
  );

describe('announced funding rates', () => {
  it('HIST-126 are noted from 45 to 30 minutes before the settlement', () => {
    const at = (minutes: number) => announcedOf(quotes(0.0002, settlesAtMs), settlesAtMs - minutes * minuteMs);
    expect(at(45)).toEqual([{ symbol: 'SOLUSDT', exchange: 'okx', settlesAtMs, rate: 0.0002 }]);
    expect(at(30)).toHaveLength(1);
    for (const minutes of [46, 29, 0, -1]) expect(at(minutes)).toEqual([]);
    expect(announcedOf(quotes(null, settlesAtMs), settlesAtMs - 40 * minuteMs)).toEqual([]);
    expect(announcedOf(quotes(0.0002, null), settlesAtMs - 40 * minuteMs)).toEqual([]);
  });

  it('HIST-126 the error is paid minus announced: mean distance, bias and count of settlements known to both', () => {
    const at = (n: number): number => settlesAtMs + n * 8 * hourMs;
    const announced = [0.0001, 0.0003, 0.0002, 0.0009].map((rate, n) => ({ atMs: at(n), rate }));
    // The exchange stamps a settlement seven seconds late; the fourth is not paid yet.
    const settled = [0.0002, 0.0001, 0.0002].map((rate, n) => ({ atMs: at(n) + 7000, rate }));
    const forecast = forecastOf(announced, settled);
    // Errors of 0.01, -0.02 and 0 percent.
    expect(forecast?.count).toBe(3);
    expect(forecast?.meanAbsPct).toBeCloseTo(0.01, 12);
    expect(forecast?.biasPct).toBeCloseTo(-0.01 / 3, 12);
    expect(forecastOf(announced, [])).toBeNull();
    expect(forecastOf([], settled)).toBeNull();
  });

  it('HIST-126 the rate that was seen last is stored, and shown against what was paid', async () => {
    await store({ rate: 0.0001 }, settlesAtMs - 40 * minuteMs);
    await store({ rate: 0.0004 }, settlesAtMs - 35 * minuteMs);
    // A node whose clock is behind writes later.
    await store({ rate: 0.0009 }, settlesAtMs - 44 * minuteMs);
    const nowMs = settlesAtMs + hourMs;
    const leg = { ratePct: 0.01, intervalHours: 8, perDayPct: 0.03, nextFundingAtMs: nowMs + 7 * hourMs };
    const difference: Difference = {
      symbol: 'SOLUSDT',
      long: 'okx',
      short: 'bybit',
      differencePerDayPct: 0.1,
      legs: { long: leg, short: leg },
      feesPct: 0.2,
      breakEvenHours: 48,
    };
    const read = () => withSystem(database.db, (tx) => readFunding(tx, 'simulated', [difference], nowMs));
    expect((await read()).rows[0]?.legs).toEqual({
      long: { ...leg, forecast: null },
      short: { ...leg, forecast: null },
    });
    const settled = [{ atMs: settlesAtMs, rate: 0.0003 }];
    await withSystem(database.db, (tx) =>
      storeSettlements(tx, 'simulated', { symbol: 'SOLUSDT', exchange: 'okx', settled, nowMs }),
    );
    const forecast = (await read()).rows[0]?.legs.long.forecast;
    expect(forecast?.count).toBe(1);
    expect(forecast?.meanAbsPct).toBeCloseTo(0.01, 12);
    expect(forecast?.biasPct).toBeCloseTo(-0.01, 12);
  });

  it('HIST-126 old rates are deleted', async () => {
    await store({}, settlesAtMs - 40 * minuteMs);
    await withSystem(database.db, (tx) => deleteOldAnnounced(tx, settlesAtMs + 30 * 24 * hourMs));
    expect(await database.asOwner('select 1 from arbitrage_announced')).toHaveLength(1);
    await withSystem(database.db, (tx) => deleteOldAnnounced(tx, settlesAtMs + 30 * 24 * hourMs + 1));
    expect(await database.asOwner('select 1 from arbitrage_announced')).toEqual([]);
  });
});
