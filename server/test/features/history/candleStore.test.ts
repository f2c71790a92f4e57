import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { areSameBits } from '../../../src/features/history/chunkCodec.ts';
import { createCandleStore, type CandleStore } from '../../../src/features/history/candleStore.ts';
import { createHistory } from '../../../src/features/history/readHistory.ts';
import type { History } from '../../../src/features/history/port.ts';
import { writeFundings } from '../../../src/features/history/fundingRepository.ts';
import { writeUniverse } from '../../../src/features/history/universeRepository.ts';
import type { FuturesSymbol } from '../../../src/features/market/port.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { inBackground } from '../../../src/platform/readPriority.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import { candlesAt, hourMs, opensOf } from './support.ts';

let database: TestDatabase;
let store: CandleStore;
let history: History;
let errors: Error[];
let revised: number;
let symbolCount = 0;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => {
  errors = [];
  revised = 0;
  symbolCount++;
  store = createCandleStore({
    db: database.db,
    source: 'simulated 1',
    onError: (error) => errors.push(error),
    onRevised: (_, count) => (revised += count),
  });
  history = createHistory({ db: database.db, source: 'simulated 1', store });
});

const symbol = (): string => `S${symbolCount}USDT`;
const series = () => ({ exchange: 'binance' as const, symbol: symbol(), interval: '1h' as const });
const janMs = Date.UTC(2026, 0, 1);
const at = (hours: number): number => janMs + hours * hourMs;
const write = (from: number, to: number, opens = opensOf(at(from), at(to)), drift = 0) =>
  store.write(series(), { fromMs: at(from), toMs: at(to), candles: candlesAt(opens, drift) });
async function read(from: number, to: number, asOf?: number) {
  const bound = asOf === undefined ? {} : { asOf };
  const outcome = await history.readClosedCandles({ ...series(), from: at(from), to: at(to), ...bound });
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.value;
}
const gap = (from: number, to: number, cause: 'not_stored' | 'not_sent') => ({ from: at(from), to: at(to), cause });

describe('the candle store', () => {
  it('HIST-003 returns pieces of several months to the bit, whatever their order and overlap', async () => {
    await write(700, 900);
    await write(0, 750);
    await write(880, 1600);
    const { columns, gaps, complete, source } = await read(0, 1600);
    expect([gaps, complete, source]).toEqual([[], true, 'simulated 1']);
    expect(areSameBits(columns, candlesAt(opensOf(at(0), at(1600))))).toBe(true);
    const [row] = await database.asOwner<{ chunks: number }>(
      'select count(*)::int as chunks from history_chunks where symbol = $1',
      [symbol()],
    );
    expect([row?.chunks, revised, errors]).toEqual([3, 0, []]);
  });

  it('HIST-073 has the daily candle of many symbols in one read, revised ones in their newest version', async () => {
    const dayMs = 24 * hourMs;
    const daily = (name: string) => ({ exchange: 'binance' as const, symbol: name, interval: '1d' as const });
    const names = [1, 2, 3, 4].map((n) => `D${symbolCount}${n}USDT`);
    const [first = '', second = '', third = '', fourth = ''] = names;
    const opens = Array.from({ length: 5 }, (_, n) => janMs + n * dayMs);
    const put = (name: string, times: number[], drift = 0) =>
      store.write(daily(name), { fromMs: opens[0]!, toMs: opens[4]!, candles: candlesAt(times, drift) });
    await put(first, opens);
    await put(second, opens);
    await put(second, opens, 3);
    await put(third, opens.slice(0, 2));
    await put(fourth, opens);
    await database.asOwner(`update history_chunks set sha256 = decode(repeat('00', 32), 'hex') where symbol = $1`, [
      fourth,
    ]);
    const read = await history.readDay('binance', [...names, 'NEVERUSDT'], opens[3]!);
    if (!read.ok) throw new Error(read.error.message);
    const candle = (drift: number) => {
      const { close, volume } = candlesAt([opens[3]!], drift);
      return { close: close[0], volume: volume[0] };
    };
    expect(read.value).toEqual(
      new Map([
        [first, candle(0)],
        [second, candle(3)],
      ]),
    );
    expect(candle(3)).not.toEqual(candle(0));
    expect(await history.readDay('okx', names, opens[3]!)).toEqual({ ok: true, value: new Map() });
  });

  it('HIST-004 never calls candles with a hole complete, and says whether the hole was requested', async () => {
    await write(0, 20, [...opensOf(at(0), at(4)), ...opensOf(at(8), at(20))]);
    await write(30, 40);
    const holed = await read(0, 45);
    expect(holed.complete).toBe(false);
    expect(holed.gaps).toEqual([gap(5, 7, 'not_sent'), gap(21, 29, 'not_stored'), gap(41, 45, 'not_stored')]);
    expect((await read(0, 4)).complete).toBe(true);
    // An empty page in the middle is a hole, not the end of the series.
    await write(21, 29, []);
    const empty = await read(0, 40);
    expect([empty.complete, empty.gaps]).toEqual([false, [gap(5, 7, 'not_sent'), gap(21, 29, 'not_sent')]]);
    expect(empty.columns.time.length).toBe(5 + 13 + 11);
    expect(await read(500, 600)).toMatchObject({ complete: false, gaps: [gap(500, 600, 'not_stored')] });
    // A late bar fills its hole.
    await write(5, 7);
    expect((await read(0, 20)).complete).toBe(true);
  });

  it('HIST-005 stores a revised candle in both versions and returns the newest, or that of a moment', async () => {
    await write(0, 30);
    const before = Date.now();
    await write(10, 12, opensOf(at(10), at(12)), 5);
    expect(revised).toBe(3);
    const newest = await read(0, 30);
    expect([newest.revisedCount, newest.complete]).toEqual([3, true]);
    expect([...newest.columns.close.slice(9, 14)]).toEqual(
      [0, 5, 5, 5, 0].map((drift, i) => candlesAt([at(9 + i)], drift).close[0]),
    );
    const [clock] = await database.asOwner<{ at: Date }>(
      'select min(noticed_at) as at from history_revisions where symbol = $1',
      [symbol()],
    );
    const first = await read(0, 30, Math.min(before, (clock?.at.getTime() ?? 0) - 1));
    expect([first.revisedCount, areSameBits(first.columns, candlesAt(opensOf(at(0), at(30))))]).toEqual([0, true]);
    // The same values again are no revision; other ones are the second.
    await write(10, 12, opensOf(at(10), at(12)), 5);
    await write(11, 11, [at(11)], 9);
    expect(revised).toBe(4);
    expect((await read(11, 11)).columns.close[0]).toBe(candlesAt([at(11)], 9).close[0]);
    await expect(
      database.asOwner('update history_revisions set close = 1 where symbol = $1', [symbol()]),
    ).rejects.toThrow('append-only');
  });

  it('HIST-006 sets a chunk with a wrong checksum aside, reports it, and takes it again', async () => {
    await write(0, 1000);
    await write(3, 3, [at(3)], 2);
    await database.asOwner(
      `update history_chunks set payload = set_byte(payload, 40, get_byte(payload, 40) # 1) where symbol = $1 and month = '2026-01-01'`,
      [symbol()],
    );
    const broken = await read(0, 1000);
    expect([broken.complete, broken.gaps]).toEqual([false, [gap(0, 743, 'not_stored')]]);
    expect(errors.map(({ message }) => message)).toEqual([
      `a chunk of ${symbol()} 1h was set aside: the checksum does not match`,
    ]);
    await write(0, 743, opensOf(at(0), at(743)));
    expect((await read(0, 1000)).complete).toBe(true);
    // Its revisions were not lost: a further one has its own number.
    await write(3, 3, [at(3)], 4);
    expect((await read(3, 3)).columns.close[0]).toBe(candlesAt([at(3)], 4).close[0]);
    const [row] = await database.asOwner<{ count: number }>(
      'select count(*)::int as count from history_broken_chunks where symbol = $1',
      [symbol()],
    );
    expect(row?.count).toBe(1);
  });

  it('HIST-007 buffers candles that arrive one by one, and loses none while the database fails', async () => {
    let nowMs = 1_000_000;
    let isAway = true;
    const guard = (): Promise<void> => (isAway ? Promise.reject(new Error('the database is away')) : Promise.resolve());
    const buffer = createCandleStore({
      db: database.db,
      source: 'simulated 1',
      onError: (error) => errors.push(error),
      now: () => nowMs,
      guard,
    });
    const save = (hour: number): void =>
      buffer.save({ ...series(), fromMs: at(hour), toMs: at(hour) }, candlesAt([at(hour)]));
    for (let hour = 0; hour < 5; hour++) save(hour);
    await buffer.flush(false);
    expect(buffer.pendingCount()).toBe(5);
    nowMs += 3000;
    await expect(buffer.flush(false)).rejects.toThrow('the database is away');
    save(5);
    isAway = false;
    await Promise.all([buffer.flush(), buffer.flush(), write(3, 20)]);
    expect(buffer.pendingCount()).toBe(0);
    expect((await read(0, 20)).complete).toBe(true);
    expect(revised).toBe(0);
  });

  describe('a read that fails', () => {
    const span = () => ({ ...series(), price: 'last' as const, fromMs: at(0), toMs: at(20) });
    const timed = (now: () => number): CandleStore =>
      createCandleStore({ db: database.db, source: 'simulated 1', onError: (error) => errors.push(error), now });
    const setReadable = (isReadable: boolean) =>
      database.asOwner(
        `${isReadable ? 'grant' : 'revoke'} select on history_chunks ${isReadable ? 'to' : 'from'} app_system`,
      );
    const count = async (own: CandleStore) => (await own.read(span()))?.candles.time.length ?? null;

    it('HIST-132 is repeated in the background, while users go to the exchange', async () => {
      await write(0, 20);
      let nowMs = 0;
      const own = timed(() => nowMs);
      await setReadable(false);
      expect(await count(own)).toBeNull();
      await setReadable(true);
      const warming = inBackground(() => count(own));
      expect(await count(own)).toBeNull();
      nowMs += 5000;
      expect(await warming).toBe(21);
      expect(await count(own)).toBe(21);
    });

    it('HIST-132 is not repeated while the database stays away', async () => {
      let [reads, nowMs] = [0, 0];
      const own = createCandleStore({
        db: database.db,
        source: 'simulated 1',
        onError: () => reads++,
        now: () => (nowMs += 1000),
      });
      await setReadable(false);
      try {
        expect(await inBackground(() => count(own))).toBeNull();
        expect(reads).toBe(3);
        expect(await inBackground(() => count(own))).toBeNull();
        expect(reads).toBe(3);
      } finally {
        await setReadable(true);
      }
    });
  });

  it('NODE-194 stores no candles while the clock of its node is wrong', async () => {
    let maySave = false;
    const own = createCandleStore({
      db: database.db,
      source: 'simulated 1',
      onError: (error) => errors.push(error),
      maySave: () => maySave,
    });
    const span = { ...series(), fromMs: at(0), toMs: at(2) };
    // As a clock that is ahead causes it: two hours that have not come, so the exchange has no candles of them.
    own.save(span, candlesAt([]));
    await own.flush();
    expect((await read(0, 2)).gaps).toEqual([gap(0, 2, 'not_stored')]);
    maySave = true;
    own.save(span, candlesAt(opensOf(at(0), at(2))));
    await own.flush();
    expect((await read(0, 2)).complete).toBe(true);
    expect(errors).toEqual([]);
  });

  it('HIST-008 stores real funding intervals, listing dates and the universe of each day', async () => {
    const key = { source: 'simulated 1', exchange: 'okx' as const, symbol: symbol() };
    // Every 8 hours, then every 4: the interval follows within one stamp.
    const stamps = [0, 8, 16, 24, 28, 32].map(at);
    const rates = Float64Array.from(stamps, (_, i) => (i + 1) / 10_000);
    const span = { fromMs: at(-24), toMs: at(33) };
    await withSystem(database.db, (tx) =>
      writeFundings(tx, key, span, { time: Float64Array.from(stamps), rate: rates }),
    );
    const fundings = await history.readFundings({ ...key, from: at(8), to: at(33) });
    expect(fundings).toMatchObject({ ok: true, value: { intervalHours: [8, 8, 8, 4, 4], complete: true } });
    expect(await history.readFundings({ ...key, from: at(8), to: at(90) })).toMatchObject({
      value: { complete: false },
    });

    const listed = (name: string, more: Partial<FuturesSymbol> = {}): FuturesSymbol => ({
      symbol: name,
      base: name,
      tickSize: 1,
      stepSize: 1,
      minNotional: null,
      maxLeverage: null,
      maxQuantity: null,
      listedAtMs: at(5),
      status: 'trading',
      fundingHours: 8,
      ...more,
    });
    const venue = { source: 'simulated 1', exchange: 'okx' as const };
    const store2 = (list: FuturesSymbol[], hour: number) =>
      withSystem(database.db, (tx) => writeUniverse(tx, venue, list, at(hour)));
    await store2([listed('AUSDT'), listed('BUSDT')], 2);
    await store2([listed('AUSDT'), listed('BUSDT', { status: 'halted' })], 20);
    await store2([listed('AUSDT')], 30);
    expect(await history.readUniverse('okx', at(23))).toEqual({
      ok: true,
      value: { day: janMs, symbols: ['AUSDT', 'BUSDT'] },
    });
    expect(await history.readUniverse('okx', at(31))).toMatchObject({ value: { symbols: ['AUSDT'] } });
    expect(await history.readUniverse('okx', at(-1))).toEqual({ ok: true, value: null });
    const listings = await history.readListings('okx');
    expect(listings).toMatchObject({
      value: [
        { symbol: 'AUSDT', listedAt: at(5), endedAt: null },
        { symbol: 'BUSDT', listedAt: at(5), endedAt: at(30) },
      ],
    });
  });

  it('HIST-009 counts no bar before the listing as a gap', async () => {
    const venue = { source: 'simulated 1', exchange: 'binance' as const };
    const young = {
      symbol: symbol(),
      base: 'Y',
      tickSize: 1,
      stepSize: 1,
      minNotional: null,
      maxLeverage: null,
      maxQuantity: null,
      listedAtMs: at(10) + 5,
      status: 'trading' as const,
      fundingHours: null,
    };
    await withSystem(database.db, (tx) => writeUniverse(tx, venue, [young], at(50)));
    await write(0, 40, opensOf(at(13), at(40)));
    expect(await read(0, 40)).toMatchObject({ complete: true, gaps: [] });
    await write(41, 60, opensOf(at(50), at(60)));
    expect((await read(0, 60)).gaps).toEqual([gap(41, 49, 'not_sent')]);
  });
});
