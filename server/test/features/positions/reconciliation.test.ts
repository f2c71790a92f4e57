// Long because its cases share one app and one scripted market.
import { candlesOf } from '@sextant/workers/src/candles/candleColumns.ts';
import { randomUUID } from 'node:crypto';
import { ok } from '@sextant/workers/src/core/result.ts';
import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { ClosedCandles, History } from '../../../src/features/history/port.ts';
import { writeCloses } from '../../../src/features/positions/closePosition.ts';
import type { NewPosition } from '../../../src/features/positions/eventWriter.ts';
import type {
  PositionReconciliation,
  ReconciliationResponse,
} from '../../../src/features/positions/reconciliation/contract.ts';
import { reconcileClosed, type ReconcileDeps } from '../../../src/features/positions/reconciliation/reconcileClosed.ts';
import { hasUnexplained } from '../../../src/features/positions/reconciliation/reconciliationRepository.ts';
import { storeAnnounced } from '../../../src/features/arbitrage/sampler/announced.ts';
import { forecastError } from '../../../src/features/positions/reconciliation/fundingForecast.ts';
import { chargeStamp } from '../../../src/features/positions/watch/chargeFunding.ts';
import { startWatching } from '../../../src/features/positions/watch/startWatching.ts';
import { readHealth } from '../../../src/features/status/health/readHealth.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';
import { newPosition, noOrders, openOne, setJudged, silentNews, stored, until } from './support/positions.ts';
import { MINUTE_MS, ScriptedMarket, simulated } from './support/scriptedMarket.ts';

const start = 1_767_225_600_000;
let module: WebAssembly.Module;
let test: TestApp;
let anna: TestUser;
let bert: TestUser;
let market: ScriptedMarket;
const warnings: unknown[] = [];
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  ({ module } = await loadModule());
  test = await createTestApp();
  anna = await test.signUp();
  bert = await test.signUp();
});
afterAll(() => test.close());
beforeEach(() => {
  market = new ScriptedMarket();
  warnings.length = 0;
});
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

function watch(): void {
  const { close } = startWatching({
    db: test.deps.db,
    market,
    config: simulated,
    closeListeners: [],
    orders: noOrders,
    newClient: test.database.newClient,
    newEngine: () => instantiate(module),
    newsVotes: silentNews,
    warn: (error) => void warnings.push(error),
    onError: () => undefined,
  });
  stops.push(close);
}

const nothingStored: ClosedCandles = {
  columns: columnsOf([]),
  gaps: [],
  complete: false,
  source: 'simulated',
  revisedCount: 0,
};
const emptyHistory: Pick<History, 'readClosedCandles'> = {
  readClosedCandles: () => Promise.resolve(ok(nothingStored)),
};

const round = (more: Partial<ReconcileDeps> = {}): Promise<number> =>
  reconcileClosed({
    db: test.deps.db,
    config: simulated,
    market,
    history: emptyHistory,
    engine: test.deps.engine,
    assertLeader: () => Promise.resolve(),
    warn: (error) => void warnings.push(error),
    ...more,
  });

interface Bar {
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}
const bar = (minute: number, open: number, high: number, low: number, close: number): Bar => ({
  time: start + minute * MINUTE_MS,
  open,
  high,
  low,
  close,
  volume: 1,
});
function columnsOf(bars: readonly Bar[]): Candles {
  return candlesOf((name) => Float64Array.from(bars, (each) => each[name]));
}

/** A long of 2 at 100, stop 98, target 104, opened 10 s after its signal. */
const openByScan = (user: TestUser, symbol: string, more: Partial<NewPosition> = {}): Promise<string> =>
  openOne(
    test.database,
    newPosition(user.id, {
      openingRef: `scan:${randomUUID()}:${symbol}`,
      source: 'scan',
      symbol,
      openedAtMs: start + 10_000,
      stepSize: 0.1,
      ...more,
    }),
  );
const close = (id: string, atMs: number, price: number, reason: 'TP' | 'SL' | 'MANUAL' = 'TP') =>
  withSystem(test.deps.db, (tx) =>
    writeCloses(tx, [{ id, atMs, price, reason, by: 'candle', exitFee: 0.001 * price, isAmbiguous: false }]),
  );

type One = z.output<typeof PositionReconciliation>;
type Sums = z.output<typeof ReconciliationResponse>;
async function read<T>(user: TestUser, url: string, status = 200): Promise<T> {
  const response = await test.app.inject({ url, headers: user.bearer });
  expect(response.statusCode, response.body.slice(0, 200)).toBe(status);
  return response.json<T>();
}
const one = (user: TestUser, id: string): Promise<One> => read(user, `/api/positions/${id}/reconciliation`);
const sums = (user: TestUser): Promise<Sums> => read(user, '/api/reconciliation');
const amounts = (parts: readonly { cause: string; amount: number }[]) =>
  Object.fromEntries(parts.map(({ cause, amount }) => [cause, amount]));

const zero = { revision: 0, entry: 0, slippage: 0, mark: 0, exit: 0, size: 0, fees: 0, funding: 0 };

describe('reconciliation of closed positions', () => {
  it('HIST-062 HIST-065 compares a position that the watch closed, once for each result, and shows it to its owner only', async () => {
    const id = await openByScan(anna, 'BTCUSDT');
    expect(await one(anna, id)).toEqual({ state: 'open', reason: null, comparison: null });
    watch();
    await until('it is watched', () => Promise.resolve(market.watched.has('BTCUSDT 1m')));
    market.candle('BTCUSDT', bar(0, 100, 100, 100, 100));
    market.tick('BTCUSDT', 104.5, start + 90_000);
    await until('it is closed', async () => (await stored(test.database, id)).closed_at !== null);
    market.candle('BTCUSDT', bar(1, 100, 104.6, 100, 104.5));
    expect(await one(anna, id)).toEqual({ state: 'pending', reason: null, comparison: null });

    // A node that no longer leads stores nothing.
    await expect(round({ assertLeader: () => Promise.reject(new Error('deposed')) })).rejects.toThrow('deposed');
    expect((await one(anna, id)).state).toBe('pending');
    expect(await round()).toBe(1);
    expect(await round()).toBe(0);
    // Lab: 2 from 100.01 to 103.99, a market target of 104.01 with slippage, less 0.10001 and 0.10399. Live: 2 from 100 to 104.50 less 0.1
    // and 0.1045. The desk without slippage: 2 from 100 to 104 less 0.204, 0.04 more than the lab.
    const { comparison } = await one(anna, id);
    expect(comparison).toMatchObject({
      lab_net: 7.756,
      live_net: 8.7955,
      difference: 1.0395,
      rest: 0,
      lab: { entry_price: 100.01, quantity: 2, exit_price: 103.99, exit_reason: 'TP' },
    });
    expect(amounts(comparison?.parts ?? [])).toEqual({ ...zero, slippage: 0.04, exit: 0.9995 });
    expect(comparison?.lab.entered_at).toBe(new Date(start).toISOString());

    // A funding that is charged after the close is a new result.
    await test.database.asOwner('update positions set funding = 0.25 where id = $1', [id]);
    expect(await round()).toBe(1);
    const later = (await one(anna, id)).comparison;
    expect([later?.difference, later?.rest]).toEqual([0.7895, 0]);
    expect(amounts(later?.parts ?? [])).toEqual({ ...zero, slippage: 0.04, exit: 0.9995, funding: -0.25 });

    const { all, by_strategy: strategies } = await sums(anna);
    expect(all).toMatchObject({ name: 'All', count: 1, lab_net: 7.756, live_net: 8.5455, difference: 0.7895 });
    expect(strategies.map(({ name, count }) => [name, count])).toEqual([['Live rules', 1]]);
    expect(await sums(bert)).toMatchObject({ all: { count: 0, difference: 0 }, by_strategy: [], unexplained: 0 });
    await read(bert, `/api/positions/${id}/reconciliation`, 404);
    expect(warnings).toEqual([]);
  });

  it('HIST-176 starts at the close of the signal, though the opening came after the next close', async () => {
    const [signal] = await test.database.asOwner<{ id: string }>(
      `insert into signals (created_at, exchange, market, symbol, interval, candle_close_at, direction, score, raw_confidence, confidence,
         price, stop_loss, take_profit, horizon_minutes, risk_label, params, engine_hash, data_hash, params_hash, strategy_version)
       values ($1, 'binance', 'simulated', 'NEARUSDT', '1m', $1, 'LONG', 0.5, 0.7, 0.7, 100, 98, 104, 30, 'STANDARD', '{}', $2, $2, $2, 'x')
       returning id`,
      [new Date(start), 'a'.repeat(64)],
    );
    const bars = [bar(0, 100, 100, 100, 100), bar(1, 101, 101, 101, 101), bar(2, 101, 104.6, 101, 104)];
    for (const symbol of ['NEARUSDT', 'ATOMUSDT']) market.bars.set(symbol, bars);
    const late = { interval: '1m', openedAtMs: start + 70_000 } as const;
    const found = await openByScan(anna, 'NEARUSDT', { ...late, signalId: signal!.id });
    // Its other half: due to reverse at the first close, opened after the second one.
    const first = await openByScan(anna, 'ATOMUSDT', {
      interval: '1m',
      side: 'SHORT',
      exitDue: { atMs: start + 2000, reason: 'SIGNAL' },
    });
    await close(first, start + 30_000, 100, 'MANUAL');
    const half = await openByScan(anna, 'ATOMUSDT', { ...late, openingRef: `reverse:${first}` });
    for (const id of [found, half]) await close(id, start + 150_000, 104);
    await round();
    for (const id of [found, half]) {
      const { comparison } = await one(anna, id);
      expect(comparison?.lab).toMatchObject({ entered_at: new Date(start).toISOString(), entry_price: 100.01 });
    }
    await test.database
      .asOwner('delete from positions where id = any($1)', [[found, first, half]])
      .catch(() => undefined);
  });

  it('HIST-127 has the error of the funding rate that its exchange announced, in USDT and percent', async () => {
    const hour = start + 60 * MINUTE_MS;
    market.bars.set('LINKUSDT', [
      ...Array.from({ length: 61 }, (_, minute) => bar(minute, 100, 100, 100, 100)),
      bar(61, 100, 104, 100, 104),
    ]);
    const id = await openByScan(anna, 'LINKUSDT');
    await setJudged(test.deps, 'LINKUSDT', hour);
    await withSystem(test.deps.db, (tx) =>
      chargeStamp(tx, {
        market: 'simulated',
        exchange: 'binance',
        symbol: 'LINKUSDT',
        stampMs: hour,
        rate: 0.0003,
        mark: 100,
      }),
    );
    await close(id, start + 62 * MINUTE_MS, 104);
    expect(await round()).toBe(1);
    expect((await one(anna, id)).comparison?.funding_forecast).toBeNull();
    const announce = (exchange: 'binance' | 'okx', rate: number) => [
      { symbol: 'LINKUSDT', exchange, settlesAtMs: hour, rate },
    ];
    await withSystem(test.deps.db, async (tx) => {
      await storeAnnounced(tx, 'simulated', announce('binance', 0.0001), hour - 31 * MINUTE_MS);
      await storeAnnounced(tx, 'simulated', announce('okx', 0.0009), hour - 31 * MINUTE_MS);
      await storeAnnounced(tx, 'live', announce('binance', 0.0009), hour - 31 * MINUTE_MS);
    });
    // 2 x 100 x (0.0003 - 0.0001).
    const forecast = (await one(anna, id)).comparison?.funding_forecast;
    expect(forecast?.count).toBe(1);
    expect(forecast?.error).toBeCloseTo(0.04, 9);
    expect(forecast?.mean_error_pct).toBeCloseTo(0.02, 9);
  });

  it('HIST-127 sums errors by hand: a short gains where longs pay more than announced', () => {
    const paid = [
      { atMs: start, rate: 0.0003, notional: -200 },
      // Stamped some seconds late.
      { atMs: start + 480 * MINUTE_MS + 4000, rate: -0.0001, notional: -220 },
      { atMs: start + 960 * MINUTE_MS, rate: 0.01, notional: -220 },
    ];
    const announced = [
      { atMs: start, rate: 0.0001 },
      { atMs: start + 480 * MINUTE_MS, rate: 0.0001 },
    ];
    // -200 x 0.0002 + -220 x -0.0002; the third was not announced.
    const forecast = forecastError(paid, announced);
    expect(forecast?.count).toBe(2);
    expect(forecast?.error).toBeCloseTo(0.004, 12);
    expect(forecast?.mean_error_pct).toBeCloseTo(0, 12);
    expect(forecastError(paid, [])).toBeNull();
  });

  it('HIST-062 names a candle that the exchange revised after the close', async () => {
    // As first seen, minute 1 reached the stop; as stored now, it did not, and the lab holds to the end.
    const seen = [bar(0, 100, 100, 100, 100), bar(1, 100, 100, 97.9, 99)];
    const now = [bar(0, 100, 100, 100, 100), bar(1, 100, 100, 98.9, 99)];
    const history: ReconcileDeps['history'] = {
      readClosedCandles: ({ asOf }) =>
        Promise.resolve(
          ok({
            ...nothingStored,
            columns: columnsOf(asOf === undefined ? now : seen),
            complete: true,
            revisedCount: 1,
          }),
        ),
    };
    const id = await openByScan(bert, 'ETHUSDT');
    // The stop at 98 with its slippage of 0.02 %, on the tick.
    await close(id, start + 2 * MINUTE_MS, 97.98, 'SL');
    expect(await round({ history })).toBe(1);
    const { comparison } = await one(bert, id);
    const parts = amounts(comparison?.parts ?? []);
    // From the close of 99 to the stop: 2 x 1.02 less; the rest are ticks and the fee that the test charges.
    expect(parts['revision']).toBeLessThan(-1.9);
    expect(comparison).toMatchObject({ rest: 0, lab: { exit_reason: null, exit_price: 99 } });
    expect(
      Math.max(...Object.entries(parts).map(([cause, part]) => (cause === 'revision' ? 0 : Math.abs(part)))),
    ).toBeLessThan(0.2);
  });

  it('HIST-062 gives the lab the size of the signal, and its stop and target at their prices', async () => {
    const [scan] = await test.database.asOwner<{ id: string }>(
      `insert into scans (user_id, params, credit_ref, status, results) values ($1, '{}', gen_random_uuid(), 'done', $2) returning id`,
      [
        bert.id,
        JSON.stringify({
          best: null,
          all: [
            { symbol: 'BCHUSDT', interval: '4h', stopLoss: 1, position: { qty: 9 } },
            { symbol: 'BCHUSDT', interval: '1h', stopLoss: 98, position: { qty: 4 } },
          ],
        }),
      ],
    );
    // Opened at 101 a minute late, half as large as the signal; the target of 104 is met in both.
    market.bars.set('BCHUSDT', [bar(0, 100, 100, 100, 100), bar(1, 100, 101, 100, 101), bar(2, 101, 104, 101, 104)]);
    const id = await openByScan(bert, 'BCHUSDT', {
      scanId: scan?.id ?? '',
      entryPrice: 101,
      entryFee: 0.101,
      openedAtMs: start + 90_000,
    });
    await withSystem(test.deps.db, (tx) =>
      writeCloses(tx, [
        { id, atMs: start + 3 * MINUTE_MS, price: 104, reason: 'TP', by: 'candle', exitFee: 0.104, isAmbiguous: false },
      ]),
    );
    expect(await round()).toBe(1);
    const { comparison } = await one(bert, id);
    // 4 from 100 to 104 less 0.408 are 15.592; 4 from 101 to 104 less 0.41 are 11.59; 2 are 5.795. The
    // lab has 4 from 100.01 to 103.98, less 0.20002 and 0.20796: 15.47202.
    expect(comparison).toMatchObject({ live_net: 5.795, rest: 0, lab: { quantity: 4, exit_price: 103.98 } });
    expect(amounts(comparison?.parts ?? [])).toEqual({ ...zero, slippage: 0.11998, entry: -4.002, size: -5.795 });
    // No credit paid for this scan.
    await test.database.asOwner('delete from scans where id = $1', [scan?.id]);
  });

  it('HIST-063 says why a position is not comparable, and leaves those opened by hand out', async () => {
    const bars = [bar(0, 100, 100, 100, 100), bar(1, 100, 104.6, 100, 104.5)];
    for (const symbol of ['ADAUSDT', 'XRPUSDT', 'DOTUSDT', 'TRXUSDT']) market.bars.set(symbol, bars);
    const changed = await openByScan(bert, 'ADAUSDT');
    await test.database.asOwner('update positions set changes = 1, changes_applied = 1 where id = $1', [changed]);
    const several = await openByScan(bert, 'XRPUSDT', {
      targets: [
        { price: 104, fraction: 0.5 },
        { price: 106, fraction: 0.5 },
      ],
    });
    const byHand = await openByScan(bert, 'DOTUSDT', { openingRef: `manual:${randomUUID()}`, source: 'manual' });
    const unread = await openByScan(bert, 'SOLUSDT');
    const tiny = await openByScan(bert, 'TRXUSDT', { minNotional: 500 });
    const closedByHand = await openByScan(bert, 'LTCUSDT');
    market.bars.set('LTCUSDT', bars);
    const ids = [changed, several, byHand, unread, tiny];
    for (const id of ids) await close(id, start + 2 * MINUTE_MS, 104);
    await close(closedByHand, start + 90_000, 103, 'MANUAL');
    expect(await round()).toBe(5);
    const states = await Promise.all(
      [...ids, closedByHand].map(async (id) => {
        const { state, reason } = await one(bert, id);
        return [state, reason];
      }),
    );
    expect(states).toEqual([
      ['not_comparable', 'changed_by_owner'],
      ['not_comparable', 'filled_in_parts'],
      ['by_hand', null],
      ['not_comparable', 'no_candles'],
      ['not_comparable', 'not_opened'],
      // The lab meets the target in the same minute; the exit by hand is the fill of the exit.
      ['compared', null],
    ]);
    const { not_comparable: reasons, all } = await sums(bert);
    expect(reasons.map(({ reason, count }) => `${reason} ${count}`).sort()).toEqual([
      'changed_by_owner 1',
      'filled_in_parts 1',
      'no_candles 1',
      'not_opened 1',
    ]);
    expect(all.count).toBe(3);
    expect(all.parts.reduce((sum, { amount }) => sum + amount, all.rest)).toBeCloseTo(all.difference, 8);
  });

  it('HIST-062 waits for candles within the first hour, and for the end of the last minute', async () => {
    const nowMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
    const recent = await openByScan(bert, 'BNBUSDT', { openedAtMs: nowMs - 10 * MINUTE_MS });
    await close(recent, nowMs - 5 * MINUTE_MS, 104);
    expect(await round()).toBe(0);
    expect((await one(bert, recent)).state).toBe('pending');
    const newest = await openByScan(bert, 'AVAXUSDT', { openedAtMs: nowMs - 10 * MINUTE_MS });
    await close(newest, Date.now(), 104);
    const requests = market.requestCount;
    expect(await round()).toBe(0);
    // Only the first one was read again.
    expect(market.requestCount - requests).toBe(1);
    expect((await one(bert, newest)).state).toBe('pending');

    // A read that fails is repeated for a day.
    const late = await openByScan(bert, 'UNIUSDT', { openedAtMs: nowMs - 200 * MINUTE_MS });
    await close(late, nowMs - 180 * MINUTE_MS, 104);
    market.isDown = true;
    expect(await round()).toBe(0);
    expect((await one(bert, late)).state).toBe('pending');
    market.isDown = false;
    expect(await round()).toBe(1);
    expect(await one(bert, late)).toMatchObject({ state: 'not_comparable', reason: 'no_candles' });
  });

  it('HIST-064 reports a part without a cause in the health of the service', async () => {
    expect(await withSystem(test.deps.db, hasUnexplained)).toBe(false);
    const id = await openByScan(bert, 'LINKUSDT');
    await close(id, start + 2 * MINUTE_MS, 104);
    await expect(
      test.database.asOwner(
        `insert into position_reconciliations (position_id, user_id, live_net, lab_net, revision, entry, slippage, mark, exit, size, fees,
           funding, rest, lab) values ($1, $2, 1, 0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0.4, '{}')`,
        [id, bert.id],
      ),
    ).rejects.toThrow('position_reconciliations_check');
    await test.database.asOwner(
      `insert into position_reconciliations (position_id, user_id, live_net, lab_net, revision, entry, slippage, mark, exit, size, fees,
         funding, rest, lab) values ($1, $2, 1, 0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0.5, '{}')`,
      [id, bert.id],
    );
    expect(await withSystem(test.deps.db, hasUnexplained)).toBe(true);
    const health = await readHealth({
      pingDatabase: () => Promise.resolve(1),
      arePositionsWatched: () => Promise.resolve(true),
      externalStatus: { status: () => 'ok' },
      ledger: { state: () => 'ok' },
      failures: { count: () => 0, isRecent: () => false },
      countSetAside: () => Promise.resolve(0),
      doPaymentsDiffer: () => Promise.resolve(false),
      countUnpriced: () => Promise.resolve(0),
      hasUnexplained: () => withSystem(test.deps.db, hasUnexplained),
      market: test.deps.market,
      clocks: { state: () => ({ kind: 'ok' }) },
    } as unknown as Parameters<typeof readHealth>[0]);
    expect(health).toMatchObject({ status: 'degraded' });
    expect(health.message).toMatch(/^A position result differs from its test/);
  });
});
