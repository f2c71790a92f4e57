import { ok } from '@sextant/workers/src/core/result.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { createFetchShare } from '../../../src/features/market/fetchShare.ts';
import { withPatience } from '../../../src/platform/readPriority.ts';
import { createFundingCache } from '../../../src/features/market/fundingCache.ts';
import type { ExchangeId, Venue } from '../../../src/features/market/port.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MINUTE = 60_000;
const page = 200;
const startMs = 20_000 * DAY;

let nowMs: number;
/** Spans requested from the exchange, in days before the start. */
let requested: [fromDays: number, toDays: number][];
let pages: number;
let cache: ReturnType<typeof createFundingCache>;
let callerOf: ReturnType<typeof createFetchShare>;

/** An exchange that settles every hour; the rate of an hour is its number in billionths. */
const rateOf = (atMs: number): number => atMs / HOUR / 1e9;
const fundingHistory: Venue['fundingHistory'] = ({ sinceMs, untilMs, onPage }) => {
  if (sinceMs < 0) throw new Error('no exchange has a time before 1970');
  requested.push([(startMs - sinceMs) / DAY, Math.ceil((startMs - untilMs) / DAY)]);
  const first = Math.ceil(sinceMs / HOUR);
  const count = Math.max(0, Math.ceil(Math.min(untilMs, nowMs) / HOUR) - first);
  const time = Float64Array.from({ length: count }, (_, i) => (first + i) * HOUR);
  for (let i = 0; i <= count / page; i += 1) {
    pages += 1;
    onPage?.();
  }
  return Promise.resolve(ok({ time, rate: time.map(rateOf) }));
};

beforeEach(() => {
  nowMs = startMs;
  requested = [];
  pages = 0;
  const venue = { fundingHistory } as Venue;
  const venues: Record<ExchangeId, Venue> = { binance: venue, bybit: venue, okx: venue };
  cache = createFundingCache(venues, () => nowMs);
  callerOf = createFetchShare(() => nowMs);
});

/** The fundings from `from` to `to` days before the start. */
async function read(fromDays: number, toDays: number, userId?: string) {
  const [sinceMs, untilMs] = [startMs - fromDays * DAY, startMs - toDays * DAY];
  const outcome = await cache({ exchange: 'binance', symbol: 'BTCUSDT', sinceMs, untilMs }, callerOf(userId));
  if (!outcome.ok) return outcome.error.code;
  const { time, rate } = outcome.value.history;
  expect(Array.from(rate)).toEqual(Array.from(time, rateOf));
  return time.length;
}

describe('cached fundings', () => {
  it('are not read again for a request about an old year, and the years in between are never read', async () => {
    expect(await read(14, 0)).toBe(14 * 24);
    expect(await read(3660, 3650)).toBe(240);
    expect(requested).toEqual([
      [14, 0],
      [3660, 3650],
    ]);
    nowMs += 5 * MINUTE;
    const before = pages;
    expect(await read(14, -1)).toBe(14 * 24 + 1);
    // The refresh reads the last day, up to five minutes after the start: late publications belong to it.
    expect(requested.slice(2)).toEqual([[1, -0]]);
    expect(pages - before).toBe(1);
    expect(await read(3660, 3650)).toBe(240);
    expect(requested).toHaveLength(3);
  });

  it('walking back in parts reads each part once', async () => {
    expect(await read(10, 0)).toBe(240);
    for (let day = 10; day < 100; day += 10) expect(await read(day + 10, day)).toBe(240);
    expect(requested).toEqual(Array.from({ length: 10 }, (_, i) => [10 + i * 10, i * 10]));
  });

  it('an older start reads only the older part, and the two parts have neither a gap nor a duplicate', async () => {
    expect(await read(10, 0)).toBe(240);
    expect(await read(30, 0)).toBe(720);
    expect(requested).toEqual([
      [10, 0],
      [30, 10],
    ]);
    nowMs += 3 * HOUR;
    expect(await read(30, -1)).toBe(723);
  });

  it('a past span is read alone when nothing of its symbol is cached', async () => {
    expect(await read(400, 390)).toBe(240);
    expect(requested).toEqual([[400, 390]]);
  });

  it('start at 1970 at the earliest', async () => {
    const span = { exchange: 'binance', symbol: 'BTCUSDT', sinceMs: 1 - 14 * DAY, untilMs: 1 } as const;
    const outcome = await cache(span, callerOf(undefined));
    expect(outcome).toMatchObject({ ok: true });
  });
});

describe('the share of a user', () => {
  /** Whether the share has slots for these pages now. */
  const isAdmitted = async (pages: number): Promise<boolean> =>
    (await withPatience(0, 'anna', () => callerOf('anna').charge(pages, 'binance'))).ok;

  it('is charged for each page of a history: 120 at once, and an overdrawn one waits', async () => {
    // 9,600 fundings are 49 pages of 200.
    expect(await read(400, 0, 'anna')).toBe(9600);
    expect(pages).toBe(49);
    expect(await isAdmitted(72)).toBe(false);
    expect(await isAdmitted(71)).toBe(true);
    expect(await withPatience(0, 'anna', () => read(800, 400, 'anna'))).toBe('rate_limited');
    expect(await read(800, 400, 'ben')).toBe(9600);
  });

  it('is charged for the pages after the first when it has less left, from the time of the next minute', async () => {
    expect(await isAdmitted(119)).toBe(true);
    expect(await read(400, 0, 'anna')).toBe(9600);
    // 48 pages are owed: at two a second they are paid off after 24 seconds.
    nowMs += 24_000;
    expect(await isAdmitted(1)).toBe(false);
    nowMs += 1000;
    expect(await isAdmitted(1)).toBe(true);
  });
});
