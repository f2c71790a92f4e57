import { liveRules, type Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openReversals } from '../../../src/features/positions/openReversals.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { insertPosition } from '../../../src/features/positions/eventWriter.ts';
import { strategyVersion } from '@sextant/workers/src/protocol/wire/strategy.ts';
import { newPosition } from '../positions/support/positions.ts';
import { startWorkers } from '../../../src/startWorkers.ts';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import type { TestUser } from '../../support/createTestApp.ts';

let test: MarketApp;
let stop: () => Promise<void>;
beforeAll(async () => {
  test = await createMarketApp({ env: { MARKET_STREAMS: 'off' } });
  stop = await startWorkers(test.deps, test.app.log);
});
afterAll(async () => {
  await stop();
  await test.close();
});
/** The workers of this process take no more jobs from here on. */
async function rest(): Promise<void> {
  await stop();
  stop = () => Promise.resolve();
}

interface Result {
  symbol: string;
  interval: string;
  direction: string;
  price: number;
  stopLoss: number;
  takeProfit: number;
  signal_id: string;
  confidence: number;
  confidence_kind: string;
  expected_net_fraction: number | null;
  meta: { atr: number };
}
interface Opened {
  strategy: object;
  exit_due_reason: string;
  exit_due_at: string;
  opened_at: string;
  entry_price: string | number;
  stop_loss: string | number;
  take_profit: string | number;
}
interface Scan {
  status: string;
  params: { strategy?: { name: string; version: string }; intervals: string[]; limit: number };
  results: { all: Result[]; total: number; confidence: object[] };
}

/** Long only; the stop two ranges of 20 candles away, the target 3 %; an RSI of 50 candles. */
const value = {
  ...liveRules(['1h', '4h']),
  parameters: { rsi: { period: 50, overbought: 65 } },
  entryThreshold: 0.01,
  direction: 'long',
  stop: { mode: 'atr', multiple: 2 },
  target: { mode: 'percent', fraction: 0.03 },
  atrPeriod: 20,
  holdingBarsMax: 3,
  breakEvenR: 1.5,
  onOpposite: 'exit',
  sizing: { mode: 'risk', riskFraction: 0.004, isCompounding: false },
};

async function send<T>(user: TestUser, method: 'GET' | 'POST' | 'PUT', url: string, payload?: object): Promise<T> {
  return (await test.app.inject({ method, url, headers: user.bearer, ...(payload && { payload }) })).json<T>();
}

describe('a saved strategy that is chosen', () => {
  it('decides the scan, is named by its signals and gives positions its exits and size', async () => {
    const anna = await test.signUp();
    await send(anna, 'PUT', '/api/preferences', { balance_usdt: 100_000, min_auto_conf_pct: 0 });
    const saved = await send<{ strategies: { id: string; version: string }[] }>(anna, 'POST', '/api/strategies', {
      name: 'Mine',
      value,
    });
    const { id, version } = saved.strategies[0]!;
    await send(anna, 'PUT', '/api/strategies/used', { id, version });
    // Enough symbols that some of them rise on any market.
    const symbols = [
      ...['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT', 'BNBUSDT', 'ADAUSDT', 'DOGEUSDT', 'LINKUSDT'],
      ...['AVAXUSDT', 'DOTUSDT', 'TRXUSDT', 'LTCUSDT', 'BCHUSDT', 'UNIUSDT', 'ATOMUSDT', 'NEARUSDT'],
      ...['APTUSDT', 'ARBUSDT', 'OPUSDT', 'FILUSDT', 'INJUSDT', 'SUIUSDT', 'AAVEUSDT', 'ETCUSDT'],
    ];
    const { scan_id: scanId } = await send<{ scan_id: string }>(anna, 'POST', '/api/scan', {
      symbols,
      intervals: ['15m'],
    });
    const read = async () => (await send<{ scan: Scan }>(anna, 'GET', `/api/scan/${scanId}`)).scan;
    await expect.poll(async () => (await read()).status, { timeout: 60_000 }).toBe('done');
    const { params, results } = await read();
    expect(params).toMatchObject({ strategy: { name: 'Mine', version }, intervals: ['1h', '4h'] });
    // 50 to warm up, 200 to compare, 500 to settle, in hundreds; the default would have been 500.
    expect(params.limit).toBe(800);
    // One base: every signal is of 1 h candles, with its levels measured from its own price.
    expect(results.total).toBeGreaterThan(0);
    for (const { interval, direction, price, stopLoss, takeProfit, meta, confidence_kind: kind } of results.all) {
      const side = direction === 'LONG' ? 1 : -1;
      expect([interval, kind]).toEqual(['1h', 'score']);
      expect(side * (price - stopLoss)).toBeCloseTo(2 * meta.atr, 6);
      expect((side * (takeProfit - price)) / price).toBeCloseTo(0.03, 9);
    }
    const versions = await test.database.asOwner<{ strategy_version: string; text: string }>(
      'select strategy_version, params::text as text from signals',
    );
    expect(new Set(versions.map((row) => row.strategy_version))).toEqual(new Set([version]));
    expect(versions.every(({ text }) => text.includes('"parameters": {"rsi": {"period": 50, "overbought": 65}}'))).toBe(
      true,
    );
    // The track record is public, the name is not.
    expect(versions.some(({ text }) => text.includes('Mine'))).toBe(false);

    // The ledger of its owner has each of them, from the transaction that delivered the scan.
    const ledger = await test.database.asOwner<{ count: string }>(
      `select count(*) from strategy_signals where strategy_id = $1 and strategy_version = $2 and user_id = $3 and confidence_kind = 'score'`,
      [id, version, anna.id],
    );
    expect(Number(ledger[0]?.count)).toBe(results.total);
    const { strategies } = await send<{ strategies: { name: string; record: { signals: number } }[] }>(
      anna,
      'GET',
      '/api/performance',
    );
    expect(strategies).toMatchObject([
      { name: 'Mine', is_used: true, record: { signals: results.total, resolved: 0 } },
    ]);

    const longs = results.all.filter(({ direction }) => direction === 'LONG');
    const shorts = results.all.filter(({ direction }) => direction === 'SHORT');
    const { candidates } = await send<{ candidates: { symbol: string; filtered_by: string | null }[] }>(
      anna,
      'GET',
      `/api/scan/${scanId}/candidates`,
    );
    for (const { symbol } of shorts)
      expect(candidates.find((each) => each.symbol === symbol)?.filtered_by).toBe('direction_filter');
    expect(longs.length + shorts.length).toBe(results.all.length);

    // A position opened by hand on such a signal has the exits of the strategy: levels from the fill, holding time, other exits.
    const [{ symbol, interval, meta } = { symbol: '', interval: '', meta: { atr: Number.NaN } }] = longs;
    const { position } = await send<{ position: Opened }>(anna, 'POST', '/api/positions', {
      symbol,
      interval,
      scan_id: scanId,
    });
    expect(position.strategy).toMatchObject({ name: 'Mine', version, value: { breakEvenR: 1.5, onOpposite: 'exit' } });
    expect(position.exit_due_reason).toBe('TIME');
    const hourMs = 3_600_000;
    const hours = Math.floor(Date.parse(position.opened_at) / hourMs) + value.holdingBarsMax;
    expect(Date.parse(position.exit_due_at)).toBe(hours * hourMs);
    const entry = Number(position.entry_price);
    // Rounded to ticks towards the entry.
    expect((entry - Number(position.stop_loss)) / (2 * meta.atr)).toBeCloseTo(1, 1);
    expect(Number(position.take_profit) / entry).toBeCloseTo(1.03, 3);
  });

  it('X75 is stated by the map of its outcomes, with the expected result, and the public record has the score', async () => {
    const gina = await test.signUp();
    await send(gina, 'PUT', '/api/preferences', { balance_usdt: 100_000, min_auto_conf_pct: 0 });
    const saved = await send<{ strategies: { id: string; version: string }[] }>(gina, 'POST', '/api/strategies', {
      name: 'Measured',
      value: { ...value, entryThreshold: 0.02 },
    });
    const { id, version } = saved.strategies[0]!;
    await send(gina, 'PUT', '/api/strategies/used', { id, version });
    await test.database.asOwner(
      `with v as (insert into strategy_versions (strategy_id, version, user_id, value) select id, version, user_id, value from strategies where id = $1
         returning strategy_id, version, user_id)
       insert into strategy_calibrations (user_id, strategy_id, strategy_version, market, interval, method, as_of, outcome_count, base_rate,
         points, mean_win_stops, mean_loss_stops)
       select user_id, strategy_id, version, 'simulated', '1h', 'x', now(), 140, 0.4, '[{"raw": 0, "chance": 0.25}]', 1.8, -1.1 from v`,
      [id],
    );
    const { scan_id: scanId } = await send<{ scan_id: string }>(gina, 'POST', '/api/scan', {
      symbols: ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT'],
    });
    const read = async () => (await send<{ scan: Scan }>(gina, 'GET', `/api/scan/${scanId}`)).scan;
    await expect.poll(async () => (await read()).status, { timeout: 60_000 }).toBe('done');
    const { results } = await read();
    expect(results.total).toBeGreaterThan(0);
    expect(results.confidence).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ interval: '1h', kind: 'calibrated', outcome_count: 140, strategy_version: version }),
      ]) as object[],
    );
    for (const { confidence, confidence_kind: kind, price, stopLoss, expected_net_fraction: expected } of results.all) {
      expect([confidence, kind]).toEqual([0.25, 'calibrated']);
      // A quarter gain 1.8 stops, the rest lose 1.1: a loss is expected, and shown.
      expect(expected).toBeCloseTo((Math.abs(price - stopLoss) / price) * (0.25 * 1.8 - 0.75 * 1.1), 12);
    }
    const stated = await test.database.asOwner<{ own: string; shown: string }>(
      `select g.confidence_kind as own, s.confidence_kind as shown from strategy_signals g join signals s on s.id = g.signal_id
       where g.strategy_id = $1`,
      [id],
    );
    expect(stated.length).toBe(results.total);
    expect(stated.every(({ own, shown }) => own === 'calibrated' && shown === 'score')).toBe(true);
  });

  it('reverses a position once, by levels measured from its own fill', async () => {
    // The workers search for reversals every two seconds, by the signal of the market instead of the one given here.
    await rest();
    const bert = await test.signUp();
    await send(bert, 'PUT', '/api/preferences', { balance_usdt: 100_000, min_auto_conf_pct: 0 });
    const reversing: Strategy = {
      ...liveRules(['1h']),
      onOpposite: 'reverse',
      holdingBarsMax: 5,
      sizing: { mode: 'risk', riskFraction: 0.004, isCompounding: false },
    };
    const strategy = { name: 'Turn', version: strategyVersion(reversing), value: reversing };
    const nowMs = Date.now();
    const closed = await withSystem(test.deps.db, (tx) =>
      insertPosition(tx, newPosition(bert.id, { strategy, openedAtMs: nowMs - 7_200_000 })),
    );
    const close = (side: string) =>
      test.database.asOwner(
        `update positions set closed_at = now(), close_price = 100, close_reason = $2, exit_due_at = now(),
           exit_due_reason = 'SIGNAL' where id = $1`,
        [closed, side],
      );
    const range = 120;
    const signal = { direction: 'SHORT', rawConfidence: 0.7, price: Number.NaN, atr: range } as const;
    const turn = async () => {
      const url = '/api/price/batch?symbols=BTCUSDT';
      const { prices } = await send<{ prices: { price: number }[] }>(bert, 'GET', url);
      const signals = { signalAt: () => Promise.resolve({ ...signal, price: prices[0]?.price ?? 0 }) };
      return openReversals(test.deps, signals);
    };
    // No position has left on a signal yet.
    expect(await turn()).toBe(0);
    await close('SIGNAL');
    // Two nodes check at once, and one after them.
    await Promise.all([turn(), turn()]);
    expect(await turn()).toBe(0);
    const rows = await test.database.asOwner<Record<string, never>>(
      `select side, opening_ref, strategy_name, strategy_version, exit_due_reason, entry_price::float8 as entry,
         initial_stop_loss::float8 as stop, take_profit::float8 as target, loss_at_stop::float8 as loss,
         exit_due_at as due, opened_at as opened
       from positions where user_id = $1 and closed_at is null`,
      [bert.id],
    );
    expect(rows).toHaveLength(1);
    const [{ entry, stop: stopPrice, target, loss, due, opened, ...named }] = rows as unknown as [
      Record<'entry' | 'stop' | 'target' | 'loss', number> & { due: Date; opened: Date },
    ];
    expect(named).toEqual({
      side: 'SHORT',
      opening_ref: `reverse:${closed}`,
      strategy_name: 'Turn',
      strategy_version: strategy.version,
      exit_due_reason: 'TIME',
    });
    // Stop and target two and four ranges away, rounded to ticks of 0.1 towards the entry.
    expect(Math.abs(stopPrice - entry - 2 * range)).toBeLessThanOrEqual(0.1);
    expect(Math.abs(entry - target - 4 * range)).toBeLessThanOrEqual(0.1);
    // 0.4 % of 100,000 at the stop, costs included, unless the base of the account is less.
    expect(loss).toBeLessThanOrEqual(400);
    expect(loss).toBeGreaterThan(390);
    const hourMs = 3_600_000;
    expect(due.getTime()).toBe((Math.floor(opened.getTime() / hourMs) + 5) * hourMs);
  });
});
