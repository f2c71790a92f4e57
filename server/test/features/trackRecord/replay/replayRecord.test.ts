// Long because its cases share one app, one database and one market.
import { DAY_MS, intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { candlesOf as columnsOf } from '@sextant/workers/src/candles/candleColumns.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  ClosedCandles,
  HistoryRequest,
  ListingDates,
  UniverseDay,
} from '../../../../src/features/history/port.ts';
import { withEndedContracts } from '../../../../src/features/history/withEndedContracts.ts';
import type { CandleRequest, FuturesSymbol, Interval } from '../../../../src/features/market/port.ts';
import { lastClosedOpen } from '../../../../src/features/market/intervals.ts';
import { createConfidenceBases, stateConfidence } from '../../../../src/features/signals/confidenceBasis.ts';
import { STRATEGY_VERSION } from '../../../../src/features/signals/strategyVersion.ts';
import { type ReplayDeps, replayRecord } from '../../../../src/features/trackRecord/replay/replayRecord.ts';
import { readReplayed } from '../../../../src/features/trackRecord/replay/replayRepository.ts';
import { reject } from '../../../../src/platform/errors.ts';
import { withSystem } from '../../../../src/platform/db/scope.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../support/createTestApp.ts';

const nowMs = Date.UTC(2026, 2, 1, 12);
const names = ['AAAUSDT', 'BBBUSDT', 'CCCUSDT', 'DDDUSDT', 'EEEUSDT', 'FFFUSDT'];
const symbolOf = (symbol: string): FuturesSymbol => ({
  symbol,
  base: symbol.slice(0, 3),
  tickSize: 0.01,
  stepSize: 0.001,
  minNotional: 5,
  maxLeverage: 50,
  maxQuantity: null,
  listedAtMs: Date.UTC(2024, 0, 1),
  status: 'trading',
  fundingHours: 8,
});

/** A random walk by symbol and interval, the same for every request; wide candles, so that levels are touched. */
function candlesOf({ symbol, interval, limit }: Pick<CandleRequest, 'symbol' | 'interval' | 'limit'>): Candles {
  const stepMs = intervalMs[interval];
  const lastMs = lastClosedOpen(interval, nowMs);
  let state = Array.from(`${symbol} ${interval}`, (letter) => letter.charCodeAt(0)).reduce(
    (sum, code) => (sum * 31 + code) >>> 0,
    7,
  );
  const uniform = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 4294967296;
  let price = 100;
  const rows = Array.from({ length: 1500 }, (_, i) => {
    const open = price;
    price *= 1 + 0.02 * (uniform() - 0.5);
    const [top, bottom] = [Math.max(open, price), Math.min(open, price)];
    return {
      time: lastMs - (1499 - i) * stepMs,
      open,
      high: top * (1 + 0.01 * uniform()),
      low: bottom * (1 - 0.01 * uniform()),
      close: price,
      volume: 1e5 * (1 + uniform()),
    };
  }).slice(-limit);
  return columnsOf((name) => Float64Array.from(rows, (row) => row[name]));
}

const closedBy = (candles: Candles, stepMs: number, endMs = Infinity): Candles => {
  const count = candles.time.filter((openMs) => openMs + stepMs <= endMs).length;
  return columnsOf((name) => candles[name].slice(0, count));
};

/** Closed candles as first sent: `revise` is what the exchange changed later. */
let revise = (candles: Candles): Candles => candles;
function firstSent({ symbol, interval, from, to, asOf }: HistoryRequest): ClosedCandles {
  const whole = candlesOf({ symbol, interval, limit: 1500 });
  const { time } = whole;
  const inside = (column: Float64Array) => column.filter((_, i) => time[i]! >= from && time[i]! <= to);
  const known = asOf === 0 ? whole : revise(whole);
  const columns = columnsOf((name) => inside(known[name]));
  return { columns, gaps: [], complete: true, source: 'test', revisedCount: 0 };
}

let test: TestApp;
let anna: TestUser;
let requests: { symbol: string; interval: Interval }[] = [];
let missing = new Set<string>();
/** Requests of a symbol that find the queue of the exchange full. */
const limited = new Map<string, number>();
let ended: ListingDates[] = [];
/** Symbols that the market has candles of only until a moment. */
let ends = new Map<string, number>();
const lists: UniverseDay[] = [];
/** Names of the list of today. */
let listed = names;
const market: ReplayDeps['market'] = {
  symbols: () =>
    Promise.resolve(
      ok({ exchange: 'binance' as const, fetchedAtMs: nowMs, value: listed.map(symbolOf), leftOut: {} as never }),
    ),
  candles: ({ symbol, interval, limit }) => {
    requests.push({ symbol, interval });
    const limitedCount = interval === '1d' ? 0 : (limited.get(symbol) ?? 0);
    if (limitedCount > 0) {
      limited.set(symbol, limitedCount - 1);
      return Promise.resolve(
        reject('upstream_rate_limited', 'The queue is full.', { retryAfterS: 1, isOwnLimit: true }),
      );
    }
    const empty = { time: [], open: [], high: [], low: [], close: [], volume: [] };
    const candles = missing.has(symbol)
      ? (Object.fromEntries(Object.keys(empty).map((name) => [name, new Float64Array()])) as unknown as Candles)
      : closedBy(revise(candlesOf({ symbol, interval, limit })), intervalMs[interval], ends.get(symbol));
    const value = { candles, gaps: [], rejectedCount: 0 };
    return Promise.resolve(ok({ exchange: 'binance' as const, fetchedAtMs: nowMs, value }));
  },
};
const history: ReplayDeps['history'] = {
  readListings: () => Promise.resolve(ok(ended)),
  readUniverseDays: () => Promise.resolve(ok(lists)),
  readClosedCandles: (request) => Promise.resolve(ok(firstSent(request))),
};
const round = (more: Partial<ReplayDeps> = {}) =>
  replayRecord({
    db: test.deps.db,
    config: { market: 'simulated' },
    market,
    history,
    engine: test.deps.engine,
    assertLeader: () => Promise.resolve(),
    now: () => nowMs,
    pauseMs: 0,
    ...more,
  });
const stored = () => withSystem(test.deps.db, (tx) => readReplayed(tx, 'simulated'));
const forget = () => test.database.asOwner('delete from replayed_series');

beforeAll(async () => {
  test = await createTestApp();
  anna = await test.signUp();
});
afterAll(() => test.close());

interface Board {
  origin: string;
  replay: {
    origin: string;
    symbols: number;
    series: number;
    series_wanted: number;
    groups: { by: string; key: string; count: number }[];
  } | null;
  engine: {
    origin: string;
    signals: number;
    resolved: number;
    open: number;
    independent_count: number;
    tp: number;
    sl: number;
    time: number;
    calibration: { count: number };
  };
  confidence: { origin: string };
}
const boardOf = async (origin: string, path = '/api/scoreboard', headers = {}) =>
  (await test.app.inject({ url: `${path}?origin=${origin}`, headers })).json<Board>();

describe('a replay of the record', () => {
  it('HIST-038 says nothing before the first round', async () => {
    expect(await boardOf('replayed', '/api/performance', anna.bearer)).toMatchObject({
      origin: 'replayed',
      replay: null,
      engine: { origin: 'replayed', signals: 0, resolved: 0 },
      confidence: { origin: 'live' },
    });
  });

  it('HIST-038 stores the signals of each series of the universe once, and replays only what is missing', async () => {
    expect(await round()).toEqual({ wantedCount: 18, replayedCount: 18, failedCount: 0 });
    const first = await stored();
    expect(first.map(({ symbol, interval }) => `${symbol} ${interval}`)).toEqual(
      names.flatMap((name) => ['15m', '1h', '4h'].map((interval) => `${name} ${interval}`)),
    );
    expect(first.reduce((sum, { signals }) => sum + signals.closeAtMs.length, 0)).toBeGreaterThan(3000);
    expect(await round()).toMatchObject({ replayedCount: 0 });
    // One series is lost, as by a kill between two symbols: only its symbol is read again.
    await test.database.asOwner(`delete from replayed_series where symbol = 'CCCUSDT'`);
    requests = [];
    expect(await round()).toMatchObject({ replayedCount: 3 });
    expect(requests.filter(({ interval }) => interval !== '1d').map(({ symbol }) => symbol)).toEqual([
      'CCCUSDT',
      'CCCUSDT',
      'CCCUSDT',
    ]);
    expect(await stored()).toEqual(first);
  });

  it('HIST-038 ends between two symbols, tries a symbol without candles again, and replays a series that is a day old', async () => {
    await forget();
    const stopping = new AbortController();
    let count = 0;
    const some = await round({
      signal: stopping.signal,
      assertLeader: () => {
        // The second write is that of the first symbol.
        if (++count === 2) stopping.abort();
        return Promise.resolve();
      },
    });
    expect(some.replayedCount).toBe(3);
    missing = new Set(['BBBUSDT']);
    // Its daily candles are missing too: the universe is without it.
    expect(await round()).toMatchObject({ wantedCount: 15, failedCount: 0 });
    missing = new Set();
    expect(await round()).toMatchObject({ wantedCount: 18, replayedCount: 3 });
    // A kill before the report: the next round has nothing to replay and reports.
    await test.database.asOwner('delete from replay_reports');
    expect(await round()).toMatchObject({ replayedCount: 0 });
    expect((await boardOf('replayed', '/api/performance', anna.bearer)).replay).toMatchObject({ series: 18 });
    expect(await round({ now: () => nowMs + 2 * DAY_MS })).toMatchObject({ replayedCount: 18 });
  });

  it('HIST-162 waits where the queue of the exchange is full, so that smaller symbols do not pass a larger one', async () => {
    await forget();
    // One symbol finds room at its second read, another one at none of its three.
    limited.set('AAAUSDT', 1).set('BBBUSDT', 3);
    requests = [];
    expect(await round()).toMatchObject({ replayedCount: 15, failedCount: 1 });
    const read = requests.filter(({ interval }) => interval !== '1d').map(({ symbol }) => symbol);
    // All reads of a symbol follow one another: no other one passes it.
    const turns = [...new Set(read)];
    const countOf = (symbol: string): number => ({ AAAUSDT: 4, BBBUSDT: 3 })[symbol] ?? 3;
    expect(read).toEqual(turns.flatMap((symbol) => Array.from({ length: countOf(symbol) }, () => symbol)));
    expect(turns.toSorted()).toEqual(names);
    // The next round has what this one could not read.
    expect(await round()).toMatchObject({ replayedCount: 3, failedCount: 0 });
  });

  it('HIST-039 replaces what another engine or other rules made', async () => {
    const before = await stored();
    await test.database.asOwner(`update replayed_series set engine_hash = repeat('0', 64) where symbol = 'AAAUSDT'`);
    await test.database.asOwner(`update replayed_series set strategy_version = 'older' where symbol = 'BBBUSDT'`);
    await test.database.asOwner(`update replay_reports set strategy_version = 'older'`);
    expect(await round()).toMatchObject({ replayedCount: 6 });
    expect(await stored()).toEqual(before);
    const rows = await test.database.asOwner<{ version: string; engines: number }>(
      `select min(strategy_version) as version, count(distinct engine_hash)::int as engines from replayed_series`,
    );
    expect(rows).toEqual([{ version: STRATEGY_VERSION, engines: 1 }]);
  });

  it('HIST-078 is of the candles as first sent: a revision of the exchange, planted, changes no signal', async () => {
    const before = await stored();
    const half = (column: Float64Array) => column.map((value, i) => (i % 2 === 0 ? value : value * 1.004));
    revise = (candles) => ({ ...candles, high: half(candles.high), close: half(candles.close) });
    await forget();
    await round();
    expect(await stored()).toEqual(before);
    // Read without the first versions, it changes them.
    await forget();
    await round({ history: { ...history, readClosedCandles: () => Promise.resolve(reject('database_unavailable')) } });
    expect((await stored()).map(({ signals }) => [...signals.netFraction])).not.toEqual(
      before.map(({ signals }) => [...signals.netFraction]),
    );
    revise = (candles) => candles;
    await forget();
    await round();
  });

  it('HIST-039 stores nothing on a node that does not lead', async () => {
    await forget();
    const deposed = round({ assertLeader: () => Promise.reject(new Error('epoch 1 is over')) });
    await expect(deposed).rejects.toThrow('epoch 1 is over');
    expect(await stored()).toEqual([]);
    await round();
  });

  it('HIST-040 is shown beside the live record, each block with its origin, and never mixed', async () => {
    const [live, replayed] = [await boardOf('live'), await boardOf('replayed')];
    expect(live).toMatchObject({ origin: 'live', replay: null, engine: { origin: 'live', signals: 0 } });
    const all = await stored();
    const count = all.reduce((sum, { signals }) => sum + signals.closeAtMs.length, 0);
    expect(replayed).toMatchObject({
      origin: 'replayed',
      replay: { origin: 'replayed', symbols: 6, series: 18, series_wanted: 18 },
      engine: { origin: 'replayed', resolved: count },
      confidence: { origin: 'live' },
    });
    const { engine, replay } = replayed;
    expect(engine.tp + engine.sl + engine.time).toBe(count);
    expect(engine.independent_count).toBeLessThan(count / 2);
    expect(engine.calibration.count).toBeGreaterThan(100);
    for (const by of ['interval', 'direction', 'hour']) {
      const groups = replay!.groups.filter((each) => each.by === by);
      expect(groups.reduce((sum, each) => sum + each.count, 0)).toBe(count);
    }
    expect((await boardOf('replayed', '/api/performance', anna.bearer)).engine).toEqual(engine);
    const wrong = await test.app.inject({ url: '/api/scoreboard?origin=both' });
    expect(wrong.statusCode).toBe(400);
    expect(wrong.json()).toMatchObject({
      code: 'validation_failed',
      message: 'origin: must be live or replayed',
      field: 'origin',
    });
  });

  it('HIST-075 includes contracts that have ended since: signals up to their end, and the bias of a record without them', async () => {
    const before = await stored();
    expect((await boardOf('replayed', '/api/performance', anna.bearer)).replay).toMatchObject({
      survivor_bias: { ended_symbols: 0, net_pct: null, reason: 'No delisted symbol is in this replay.' },
    });
    const endedAt = nowMs - 10 * DAY_MS;
    const { base: _base, symbol: _symbol, status: _status, listedAtMs, ...listed } = symbolOf('GGGUSDT');
    ended = [
      {
        symbol: 'GGGUSDT',
        listedAt: listedAtMs,
        firstSeenAt: listedAtMs!,
        lastSeenAt: endedAt,
        endedAt,
        rules: { base: 'GGG', ...listed },
      },
    ];
    ends = new Map([['GGGUSDT', endedAt]]);
    expect(await round()).toMatchObject({ wantedCount: 21, replayedCount: 3 });
    const own = (await stored()).filter(({ symbol }) => symbol === 'GGGUSDT');
    expect(own).toHaveLength(3);
    for (const { signals, openCount } of own) {
      expect(Math.max(...signals.closeAtMs)).toBeLessThanOrEqual(endedAt);
      expect(openCount).toBe(0);
    }
    expect(own.some(({ signals }) => signals.ending.includes(3))).toBe(true);
    const board = await boardOf('replayed', '/api/performance', anna.bearer);
    const endings = own.flatMap(({ signals }) => [...signals.ending]);
    expect(board.engine).toMatchObject({ delisted: endings.filter((each) => each === 3).length });
    expect(board.replay).toMatchObject({
      survivor_bias: { ended_symbols: 1, net_pct: expect.any(Number) as number, reason: null },
    });
    // It has no newer candles: it is replayed once.
    expect(await round()).toMatchObject({ replayedCount: 0 });
    ended = [];
    ends = new Map();
    await test.database.asOwner(`delete from replayed_series where symbol = 'GGGUSDT'`);
    await test.database.asOwner('delete from replay_reports');
    await round();
    expect(await stored()).toEqual(before);
  });

  it('HIST-075 replays a contract again after its end that was replayed while it was listed', async () => {
    const before = await stored();
    const endedAt = nowMs - 10 * DAY_MS;
    const { base: _base, symbol: _symbol, status: _status, listedAtMs, ...rules } = symbolOf('GGGUSDT');
    const dates = { symbol: 'GGGUSDT', listedAt: listedAtMs, firstSeenAt: listedAtMs!, lastSeenAt: endedAt };
    ends = new Map([['GGGUSDT', endedAt]]);
    const own = async () => (await stored()).filter(({ symbol }) => symbol === 'GGGUSDT');
    const total = async () => (await own()).reduce((sum, { signals }) => sum + signals.closeAtMs.length, 0);
    const delisted = async () =>
      (await own()).reduce((sum, { signals }) => sum + signals.ending.filter((each) => each === 3).length, 0);
    // A day before its end: some signals are open.
    listed = [...names, 'GGGUSDT'];
    await round();
    const openCount = (await own()).reduce((sum, each) => sum + each.openCount, 0);
    expect(openCount).toBeGreaterThan(0);
    const resolved = await total();
    expect(await delisted()).toBe(0);
    listed = names;
    ended = [{ ...dates, endedAt, rules: { base: 'GGG', ...rules } }];
    expect(await round()).toMatchObject({ wantedCount: 21, replayedCount: 3 });
    // Each signal that was open has an outcome: its stop, its target, or the last close.
    expect((await own()).map((each) => each.openCount)).toEqual([0, 0, 0]);
    expect(await total()).toBe(resolved + openCount);
    expect(await delisted()).toBeGreaterThan(0);
    expect(await round()).toMatchObject({ replayedCount: 0 });
    ended = [];
    ends = new Map();
    await test.database.asOwner(`delete from replayed_series where symbol = 'GGGUSDT'`);
    await test.database.asOwner('delete from replay_reports');
    await round();
    expect(await stored()).toEqual(before);
  });

  it('HIST-170 replays a contract that ended 40 days ago on each interval whose window reaches back before its end, and once', async () => {
    const before = await stored();
    const endedAt = nowMs - 40 * DAY_MS;
    const { base: _base, symbol: _symbol, status: _status, listedAtMs, ...rules } = symbolOf('GGGUSDT');
    const dates = { symbol: 'GGGUSDT', listedAt: listedAtMs, firstSeenAt: listedAtMs!, lastSeenAt: endedAt };
    ended = [{ ...dates, endedAt, rules: { base: 'GGG', ...rules } }];
    const isStored = new Set<Interval>(['15m', '1h', '4h', '1d']);
    const stepOf = ({ interval }: Pick<CandleRequest, 'interval'>) => intervalMs[interval];
    const unknown = () => Promise.resolve(reject('symbol_unknown', 'No contract has this name.'));
    // The exchange knows it no more: its candles are those of the store, up to its end.
    const withStore = withEndedContracts(
      {
        symbols: market.symbols,
        candles: (request: CandleRequest) => (request.symbol === 'GGGUSDT' ? unknown() : market.candles(request)),
        contract: unknown,
        fundingHistory: unknown,
      },
      {
        readClosedCandles: (request) => {
          const read = firstSent(request);
          const columns = isStored.has(request.interval)
            ? closedBy(read.columns, stepOf(request), endedAt)
            : closedBy(read.columns, stepOf(request), 0);
          return Promise.resolve(ok({ ...read, columns }));
        },
        readFundings: () => Promise.resolve(reject('database_unavailable')),
        readListing: () => Promise.resolve(ok(ended[0]!)),
      },
      () => nowMs,
    );
    expect(await round({ market: withStore })).toEqual({ wantedCount: 21, replayedCount: 3, failedCount: 0 });
    const own = new Map(
      (await stored()).filter(({ symbol }) => symbol === 'GGGUSDT').map(({ interval, signals }) => [interval, signals]),
    );
    // 1,500 candles of 15 minutes are 15.6 days; those of an hour start 22.5 days before the end, 4 h ones 210 days.
    expect([...own.keys()]).toEqual(['15m', '1h', '4h']);
    expect(own.get('15m')!.closeAtMs).toHaveLength(0);
    expect(own.get('1h')!.closeAtMs.length).toBeGreaterThan(0);
    expect(own.get('4h')!.closeAtMs.length).toBeGreaterThan(100);
    for (const { closeAtMs } of own.values()) expect(Math.max(0, ...closeAtMs)).toBeLessThanOrEqual(endedAt);
    const board = await boardOf('replayed', '/api/performance', anna.bearer);
    expect(board.replay).toMatchObject({ survivor_bias: { ended_symbols: 1, reason: null } });
    expect(await round({ market: withStore })).toEqual({ wantedCount: 21, replayedCount: 0, failedCount: 0 });
    // Hour candles that the store lacks leave the 4 h signals, and a day later the store is read again.
    await test.database.asOwner(`delete from replayed_series where symbol = 'GGGUSDT'`);
    isStored.delete('1h');
    expect(await round({ market: withStore })).toEqual({ wantedCount: 21, replayedCount: 3, failedCount: 0 });
    const lacking = (await stored()).filter(({ symbol }) => symbol === 'GGGUSDT');
    expect(lacking.map(({ signals }) => signals.closeAtMs.length)).toEqual([0, 0, own.get('4h')!.closeAtMs.length]);
    expect(await round({ market: withStore })).toMatchObject({ replayedCount: 0, failedCount: 0 });
    isStored.add('1h');
    await test.database.asOwner(`update replayed_series set window_to = window_to - interval '2 days',
      window_from = window_from - interval '2 days' where symbol = 'GGGUSDT'`);
    expect(await round({ market: withStore })).toMatchObject({ replayedCount: 3, failedCount: 0 });
    const again = (await stored()).find(({ symbol, interval }) => symbol === 'GGGUSDT' && interval === '1h')!;
    expect(again.signals).toEqual(own.get('1h'));
    ended = [];
    await test.database.asOwner(`delete from replayed_series where symbol = 'GGGUSDT'`);
    await test.database.asOwner('delete from replay_reports');
    await round();
    expect(await stored()).toEqual(before);
  });

  it('HIST-044 lists each replayed signal of a series, newest first, to signed-in users', async () => {
    const read = (query: string, headers: Record<string, string> = anna.bearer) =>
      test.app.inject({ url: `/api/replayed-signals?${query}`, headers });
    const own = (await stored()).find(({ symbol, interval }) => symbol === 'AAAUSDT' && interval === '1h')!;
    const total = own.signals.closeAtMs.length;
    const body = (await read('symbol=AAAUSDT&interval=1h&limit=3')).json<{ signals: { candle_close_at: string }[] }>();
    expect(body).toMatchObject({ origin: 'replayed', total, open: own.openCount });
    expect(body.signals.map((signal) => Date.parse(signal.candle_close_at))).toEqual([
      ...own.signals.closeAtMs.slice(-3).reverse(),
    ]);
    expect(body.signals[0]).toMatchObject({
      net_fraction: own.signals.netFraction[total - 1],
      outcome: ['TP', 'SL', 'TIME'][own.signals.ending[total - 1]!],
    });
    expect((await read('symbol=NONEUSDT&interval=1h')).json()).toMatchObject({ total: 0, signals: [] });
    expect((await read('symbol=AAAUSDT&interval=1m')).json()).toMatchObject({
      code: 'validation_failed',
      message: 'interval: must be one of 15m 1h 4h',
    });
    expect((await read('symbol=AAAUSDT&interval=1h', {})).statusCode).toBe(401);
  });

  it('HIST-045 judges stated chances by the live outcomes that followed', async () => {
    const hash = 'a'.repeat(64);
    // Of 20 signals with a stated chance of 0.3 six gained; one without a chance does not count.
    await test.database.asOwner(
      `with s as (
         insert into signals (exchange, market, symbol, interval, candle_close_at, direction, score, raw_confidence, confidence, price,
           stop_loss, take_profit, horizon_minutes, risk_label, params, engine_hash, data_hash, params_hash, strategy_version, chance,
           chance_n, chance_origin)
         select 'binance', 'simulated', 'S' || n || 'USDT', '1h', now() - interval '1 day', 'LONG', 0.4, 0.6, 0.6, 100, 98, 104, 30,
           'STANDARD', '{}', $1, $1, $1, $2, case when n <= 20 then 0.3 end, case when n <= 20 then 900 end,
           case when n <= 20 then 'replayed' end
         from generate_series(1, 21) n returning id, symbol)
       insert into signal_outcomes (signal_id, outcome, entry_price, exit_price, exit_at, gross_fraction, fees_fraction, net_fraction,
         is_ambiguous, basis)
       select id, 'TP', 100, 100, now(), 0, 0, case when symbol in ('S1USDT', 'S2USDT', 'S3USDT', 'S4USDT', 'S5USDT', 'S6USDT')
         then 0.039 else -0.021 end, false, '1m' from s`,
      [hash, STRATEGY_VERSION],
    );
    const { confidence } = (await boardOf('live', '/api/performance', anna.bearer)) as Board & {
      confidence: { chance: { count: number; brier: number; ece: number } };
    };
    // 0.3 x 0.7^2 + 0.7 x 0.3^2
    expect(confidence.chance).toMatchObject({ count: 20 });
    expect(confidence.chance.brier).toBeCloseTo(0.21, 12);
    expect(confidence.chance.ece).toBeCloseTo(0, 12);
  });

  it('HIST-036 gives signals a chance named replayed, and leaves the measured confidence as it is', async () => {
    const bases = createConfidenceBases(test.deps.db, 'simulated');
    await bases.refresh();
    const basis = bases.of('1h');
    expect(basis.kind).toBe('score');
    const signal = {
      direction: 'LONG',
      rawConfidence: 0.4,
      price: 100,
      stopLoss: 98,
      takeProfit: 104,
      sizeUsdt: 500,
    } as const;
    const stated = stateConfidence(signal, basis);
    expect(stated).toMatchObject({
      confidence: 0.4,
      confidence_kind: 'score',
      expected_net_fraction: null,
      chance_origin: 'replayed',
      chance_n: basis.replayed!.outcome_count,
    });
    expect(stated.chance).toBeGreaterThan(0.1);
    expect(stated.chance).toBeLessThan(0.6);
    expect(basis.replayed!.net_low_pct).toBeLessThan(basis.replayed!.mean_net_pct!);
    expect(stateConfidence({ ...signal, direction: 'NEUTRAL' }, basis)).toMatchObject({
      chance: null,
      chance_n: null,
      expected_net_pct: null,
    });
  });
});
