import { readFileSync } from 'node:fs';
import { DAY_MS, HOUR_MS } from '@sextant/engine-as/abi/intervals.ts';
import { z } from 'zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { delistedText, describeEnd } from '../../../src/features/history/describeEnd.ts';
import { fundingsWithin } from '../../../src/features/history/fundingRepository.ts';
import { createHistory } from '../../../src/features/history/readHistory.ts';
import { createCandleStore } from '../../../src/features/history/candleStore.ts';
import { readRenamed, renames } from '../../../src/features/history/renames.ts';
import { writeUniverse } from '../../../src/features/history/universeRepository.ts';
import { endedSymbol } from '../../../src/features/history/withEndedContracts.ts';
import { FundingIntervals } from '../../../src/features/market/fundingIntervals.ts';
import type { FuturesSymbol } from '../../../src/features/market/port.ts';
import { universeDays } from '../../../src/features/trackRecord/replay/universeDays.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';

/** Public facts with their sources, replayed through the store as the lists and stamps that exchanges sent then. */
const Change = {
  exchange: z.enum(['binance', 'bybit', 'okx']),
  symbol: z.string(),
  source: z.url(),
  published: z.string(),
};
const Facts = z.object({
  about: z.string(),
  ends: z.array(z.strictObject({ ...Change, ended_at: z.iso.datetime() })),
  intervals: z.array(
    z.strictObject({ ...Change, changed_at: z.iso.datetime(), from_hours: z.int(), to_hours: z.int() }),
  ),
  /** `resumed_on`: null where no source names it. */
  renames: z.array(
    z.strictObject({
      ...(({ symbol: _none, ...rest }) => rest)(Change),
      from: z.string(),
      to: z.string(),
      ended_on: z.iso.date(),
      resumed_on: z.iso.date().nullable(),
    }),
  ),
});
const facts = Facts.parse(
  JSON.parse(readFileSync(new URL('../../data/contractChanges.json', import.meta.url), 'utf8')) as unknown,
);

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const listing = (symbol: string, listedAtMs: number): FuturesSymbol => ({
  symbol,
  base: symbol.replace(/USDT$/, ''),
  tickSize: 0.01,
  stepSize: 1,
  minNotional: 5,
  maxQuantity: null,
  maxLeverage: 20,
  listedAtMs,
  status: 'trading',
  fundingHours: 4,
});

function historyOf(source: string) {
  const { db } = database;
  const store = createCandleStore({ db, source, onError: (error) => expect.fail(error.message) });
  return createHistory({ db, source, store });
}

it('has at least 20 recorded changes, each with its source', () => {
  expect(facts.ends.length + facts.intervals.length).toBeGreaterThanOrEqual(20);
});

describe.each(facts.ends)('$symbol on $exchange, ended at $ended_at', ({ exchange, symbol, ended_at: endedAt }) => {
  const endMs = Date.parse(endedAt);
  const startMs = endMs - 90 * DAY_MS;
  const lists = (source: string) => (listed: FuturesSymbol[], atMs: number) =>
    withSystem(database.db, (tx) => writeUniverse(tx, { source, exchange }, listed, atMs));
  it('HIST-071 is in the universe of every day it traded on, in that of no later day, and has an end and its rules', async () => {
    const source = `facts ${exchange} ${symbol}`;
    const write = lists(source);
    const other = listing('BTCUSDT', startMs - 900 * DAY_MS);
    const own = listing(symbol, startMs);
    // A list every six hours, as the exchange had it.
    for (let atMs = endMs - 2 * DAY_MS; atMs < endMs + 2 * DAY_MS; atMs += 6 * HOUR_MS)
      await write(atMs < endMs ? [other, own] : [other], atMs);
    const history = historyOf(source);
    const stored = await history.readListing(exchange, symbol);
    if (!stored.ok || stored.value === null) throw new Error('no listing');
    const { endedAt: seenMs } = stored.value;
    // Known from the first list without it.
    expect(seenMs).toBeGreaterThanOrEqual(endMs);
    expect(seenMs).toBeLessThan(endMs + 6 * HOUR_MS);
    const { status: _now, ...rules } = own;
    expect(endedSymbol(stored.value)).toEqual({ ...rules, status: 'halted', hasEnded: true });
    const namesAt = async (atMs: number) => {
      const read = await history.readUniverse(exchange, atMs);
      return read.ok ? read.value?.symbols : undefined;
    };
    expect(await namesAt(endMs - 1)).toEqual(['BTCUSDT', symbol].sort());
    expect(await namesAt(endMs + DAY_MS)).toEqual(['BTCUSDT']);
  });

  it('HIST-033 has replayed signals up to its last day only', () => {
    const dayMs = Math.floor(endMs / DAY_MS) * DAY_MS;
    const series = (each: FuturesSymbol, days: number, turnover: number) => {
      const time = Float64Array.from({ length: days }, (_, i) => dayMs - (20 - i) * DAY_MS);
      const flat = time.map(() => 10);
      const candles = { time, open: flat, high: flat, low: flat, close: flat, volume: time.map(() => turnover / 10) };
      return { symbol: each, candles };
    };
    // The last daily candle of an ended contract is that of its last day; the store may hold flat ones after it.
    const own = series(listing(symbol, startMs), 25, 5e6);
    const other = series(listing('BTCUSDT', startMs), 25, 9e6);
    const listed = new Map(
      Array.from({ length: 25 }, (_, i) => dayMs - (20 - i) * DAY_MS).map((day) => [
        day,
        new Set(day <= dayMs ? ['BTCUSDT', symbol] : ['BTCUSDT']),
      ]),
    );
    const days = universeDays([own, other], 10, listed);
    // The list of the day of its end still has it: it is known to be gone a day later.
    expect(days.get(symbol)?.at(-1)).toBe(dayMs + DAY_MS);
    expect(days.get('BTCUSDT')?.at(-1)).toBe(dayMs + 5 * DAY_MS);
    const unlisted = universeDays([own, other], 10);
    expect(unlisted.get(symbol)?.at(-1)).toBe(dayMs + 5 * DAY_MS);
  });
});

describe.each(facts.renames)('$from, which became $to, on $exchange', (fact) => {
  const { exchange, from, to } = fact;
  const [before, after] = [`${from}USDT`, `${to}USDT`];
  const endMs = Date.parse(fact.ended_on) + 9 * HOUR_MS;
  const resumedMs = fact.resumed_on === null ? Infinity : Date.parse(fact.resumed_on) + 9 * HOUR_MS;
  const [firstMs, lastMs] = [Date.parse(fact.ended_on) - 20 * DAY_MS, Date.parse(fact.ended_on) + 30 * DAY_MS];
  const other = listing('BTCUSDT', endMs - 900 * DAY_MS);
  const [old, young] = [listing(before, endMs - 400 * DAY_MS), listing(after, resumedMs)];
  const tradingAt = (atMs: number) => [
    other,
    ...(atMs < endMs ? [old] : []),
    ...(atMs >= resumedMs ? [{ ...young, listedAtMs: resumedMs }] : []),
  ];
  const write = (source: string, atMs: number, laterMs = 0) =>
    withSystem(database.db, (tx) => writeUniverse(tx, { source, exchange }, tradingAt(atMs), atMs + laterMs));
  const renamed = (source: string, symbol: string) =>
    withSystem(database.db, (tx) => readRenamed(tx, { source, exchange, symbol }));
  const none = { predecessor: null, successor: null };

  it('HIST-155 is named in the reason of the end, and by both contracts once the lists have both', async () => {
    const source = `rename ${exchange} ${from}`;
    for (const days of [-2, -1, 1, 2]) await write(source, endMs + days * DAY_MS);
    // Ended, and not listed under its new name yet.
    expect(await renamed(source, before)).toEqual(none);
    const contract = { exchange, symbol: before };
    const described = await withSystem(database.db, (tx) => describeEnd(tx, source, contract, endMs + 2 * DAY_MS));
    const [day] = new Date(endMs + DAY_MS).toISOString().split('T');
    expect(described.text).toBe(`${before} was delisted on ${exchange} on ${day}. ${from} became ${to}.`);
    if (fact.resumed_on !== null) await write(source, resumedMs);
    const named = renames.find((each) => each.from === from)!;
    const isListed = fact.resumed_on !== null;
    expect(await renamed(source, before)).toEqual(
      isListed ? { ...none, successor: { symbol: after, source: named.source } } : none,
    );
    expect(await renamed(source, after)).toEqual(
      isListed ? { ...none, predecessor: { symbol: before, source: named.source } } : none,
    );
    expect(await renamed(source, 'BTCUSDT')).toEqual(none);
  });

  it('HIST-155 is not named where the contract ended in another year, which another token of the name may', async () => {
    const source = `rename later ${exchange} ${from}`;
    const atMs = [endMs - DAY_MS, endMs + DAY_MS, ...(fact.resumed_on === null ? [] : [resumedMs])];
    for (const each of atMs) await write(source, each, 400 * DAY_MS);
    for (const symbol of [before, after]) expect(await renamed(source, symbol)).toEqual(none);
    expect(delistedText({ exchange, symbol: before }, '2030-01-01')).toBe(
      `${before} was delisted on ${exchange} on 2030-01-01.`,
    );
  });

  it('HIST-156 counts once on each day of the past, even if the new contract has candles of the old one', async () => {
    const source = `rename days ${exchange} ${from}`;
    for (let atMs = firstMs; atMs < lastMs; atMs += 12 * HOUR_MS) await write(source, atMs);
    const lists = await historyOf(source).readUniverseDays(exchange, firstMs, lastMs);
    if (!lists.ok) throw new Error('no lists');
    for (const { symbols } of lists.value) expect(symbols.filter((name) => name !== 'BTCUSDT').length).toBeLessThan(2);
    const listed = new Map(lists.value.map(({ day, symbols }) => [day, new Set(symbols)]));
    const series = (symbol: FuturesSymbol, endsMs: number) => {
      const days = Math.ceil((endsMs - firstMs) / DAY_MS);
      const time = Float64Array.from({ length: days }, (_, i) => firstMs + i * DAY_MS);
      const flat = time.map(() => 10);
      return { symbol, candles: { time, open: flat, high: flat, low: flat, close: flat, volume: time.map(() => 9e5) } };
    };
    // Candles under the new name for the whole time, with the new listing date, the old one, and none.
    for (const listedAtMs of fact.resumed_on === null ? [] : [resumedMs, old.listedAtMs, null]) {
      const all = [series(other, lastMs), series(old, endMs), series({ ...young, listedAtMs }, lastMs)];
      const days = universeDays(all, 10, listed);
      const [oldDays, newDays] = [days.get(before)!, days.get(after)!];
      expect(oldDays.length).toBeGreaterThan(15);
      expect(newDays.length).toBeGreaterThan(5);
      expect(oldDays.at(-1)).toBeLessThan(newDays[0]!);
      expect(newDays[0]).toBeGreaterThan(resumedMs);
    }
  });
});

describe.each(facts.intervals)(
  '$symbol on $exchange, from $from_hours to $to_hours hours at $changed_at',
  ({ exchange, symbol, changed_at: changedAt, from_hours: from, to_hours: to }) => {
    const changedMs = Date.parse(changedAt);
    /** Stamps at whole multiples of the interval of their time. */
    const stamps: number[] = [];
    for (
      let atMs = Math.floor((changedMs - 3 * DAY_MS) / DAY_MS) * DAY_MS;
      atMs < changedMs + 2 * DAY_MS;
      atMs += HOUR_MS
    )
      if ((atMs / HOUR_MS) % (atMs <= changedMs ? from : to) === 0) stamps.push(atMs);
    const rate = Float64Array.from(stamps, () => 0.0001);

    it('HIST-008 is stored with the hours of each stamp', () => {
      const span = { fromMs: stamps[0]!, toMs: stamps.at(-1)! + 1 };
      const year = { year: 0, time: Float64Array.from(stamps), rate, covered: [span] };
      const { intervalHours, time } = fundingsWithin([year], span);
      const changed = time.findIndex((atMs) => atMs > changedMs);
      expect(intervalHours.slice(1, changed).every((hours) => hours === from)).toBe(true);
      expect(intervalHours.slice(changed + 1).every((hours) => hours === to)).toBe(true);
    });

    it('HIST-072 is followed within one stamp of the new interval', () => {
      const seen = stamps.filter((atMs) => atMs > changedMs).slice(0, 2);
      const hoursAfter = (count: number) => {
        const intervals = new FundingIntervals(() => seen[1]! + 60_000);
        const until = stamps.indexOf(seen[0]!) + count;
        intervals.learn(exchange, symbol, Float64Array.from(stamps.slice(0, until)));
        return intervals.hoursOf(exchange, { symbol, fundingHours: null });
      };
      expect(hoursAfter(0)).toBe(from);
      expect(hoursAfter(2)).toBe(to);
    });
  },
);
