// Long because its cases share one app, one database and their helpers: a start of them costs more than most cases.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PositionWire } from '../../../src/features/positions/contract.ts';
import type { LiveFigures } from '../../../src/features/positions/live.ts';
import { openFromScan } from '../../../src/features/positions/openFromScan.ts';
import type { PreviewWire } from '../../../src/features/positions/openByHand.ts';
import type { AutoRunWire } from '../../../src/features/positions/runRepository.ts';
import { openDatabase } from '../../../src/platform/db/database.ts';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import type { TestUser } from '../../support/createTestApp.ts';
import { type GivenResult, storeScan } from './support/scans.ts';

let test: MarketApp;
beforeAll(async () => {
  test = await createMarketApp();
});
afterAll(() => test.close());

/** The checked fields of responses; each call has some of them. */
interface ResponseBody {
  run: AutoRunWire;
  is_new: boolean;
  positions: (PositionWire & { live: LiveFigures | null })[];
  position: PositionWire;
  preview: PreviewWire;
  skips: { symbol: string; reason: string; detail: string; message: string }[];
  events: { kind: string }[];
  prices: { price: number }[];
  all: object;
  by_reason: object[];
  code: string;
  reason: string;
  rule: string;
  id: string;
  armed: boolean;
}

const call = async (user: TestUser, method: 'GET' | 'POST' | 'PUT', url: string, payload?: object, headers = {}) => {
  const response = await test.app.inject({
    method,
    url,
    headers: { ...user.bearer, ...headers },
    ...(payload === undefined ? {} : { payload }),
  });
  return { status: response.statusCode, body: response.json<ResponseBody>() };
};
const priceOf = async (user: TestUser, symbol: string): Promise<number> =>
  (await call(user, 'GET', `/api/price/batch?symbols=${symbol}`)).body.prices[0]?.price ?? Number.NaN;

/** A scan of the user over symbols at their current price. */
async function scanOf(user: TestUser, given: readonly Omit<GivenResult, 'price'>[]): Promise<string> {
  const priced = await Promise.all(given.map(async (each) => ({ ...each, price: await priceOf(user, each.symbol) })));
  return storeScan({ db: test.deps.db, asOwner: test.database.asOwner }, user.id, priced);
}
const openCount = async (user: TestUser): Promise<number> =>
  (await test.database.asOwner(`select from positions where user_id = $1 and closed_at is null`, [user.id])).length;

describe('opening after a scan', () => {
  it('opens the approved results, states a reason for each of the others, and records all of it', async () => {
    const anna = await test.signUp();
    const scan = await scanOf(anna, [
      { symbol: 'BTCUSDT', isApproved: true },
      { symbol: 'ETHUSDT', isApproved: false },
      { symbol: 'SOLUSDT' },
      { symbol: 'XRPUSDT', outcome: 'LOW_CONF', confidence: 0.3 },
    ]);
    const { status, body } = await call(anna, 'POST', '/api/positions/auto', { scan_id: scan });
    expect(status).toBe(200);
    const run = body.run;
    expect(run).toMatchObject({ opened: 1, skipped: 3, failed: 0, reason: null });
    expect(run.messages).toEqual(['Auto position opened: LONG BTCUSDT (Risk-adjusted: 2%)']);
    expect(run.items.map((item) => [item.symbol, item.outcome, item.detail])).toEqual([
      ['BTCUSDT', 'OPENED', null],
      ['ETHUSDT', 'NO_MATCH', 'rule_check_not_passed'],
      ['SOLUSDT', 'NO_MATCH', 'ai_unchecked'],
      ['XRPUSDT', 'LOW_CONF', 'min_confidence'],
    ]);
    const { positions } = (await call(anna, 'GET', '/api/positions')).body;
    expect(positions).toHaveLength(1);
    expect(positions[0]).toMatchObject({
      symbol: 'BTCUSDT',
      source: 'scan',
      scan_id: scan,
      leverage: 10,
    });
    // Size by risk: 10 USDT x 0.5 by the AI check over a stop of 3 % and costs of 0.147 % is 1.59 % of 1000 x 10, or the exchange's least.
    const { qty, entry_price: entry, live, ...opened } = positions[0] as ResponseBody['positions'][0];
    expect(opened.risk_multiplier).toBeGreaterThan(0.0155);
    expect(opened.risk_multiplier).toBeLessThan(0.025);
    expect(qty * entry).toBeLessThanOrEqual(10_000 * opened.risk_multiplier * (1 + 1e-6));
    expect(opened.loss_at_stop).toBeLessThanOrEqual(10);
    expect(live?.net_pnl ?? Infinity).toBeLessThan(live?.pnl ?? -Infinity);
    expect((await call(anna, 'GET', '/api/positions/auto')).body.run.id).toBe(run.id);
    const { skips } = (await call(anna, 'GET', '/api/positions/skips')).body;
    expect(skips.map((skip) => [skip.symbol, skip.reason, skip.detail])).toEqual([
      ['SOLUSDT', 'NO_MATCH', 'ai_unchecked'],
      ['ETHUSDT', 'NO_MATCH', 'rule_check_not_passed'],
    ]);
    const reported = await test.database.asOwner(`select kind from notifications where user_id = $1`, [anna.id]);
    expect(reported).toEqual([{ kind: 'position_opened' }]);
  });

  it('names that as the reason while it is off, once for each result, and sends no request to the market', async () => {
    const anna = await test.signUp();
    await call(anna, 'PUT', '/api/preferences', { auto_open_enabled: false });
    const scan = await scanOf(anna, [
      { symbol: 'BTCUSDT', isApproved: true },
      { symbol: 'ETHUSDT', isApproved: false },
      { symbol: 'XRPUSDT', outcome: 'LOW_CONF', confidence: 0.3 },
    ]);
    const away = { ...test.deps.market, symbols: () => Promise.reject(new Error('must not be requested')) };
    for (let time = 0; time < 3; time++) {
      const run = await openFromScan({ ...test.deps, market: away }, anna.id, scan);
      expect(run).toMatchObject({ ok: true, value: { run: { opened: 0, skipped: 3, failed: 0 } } });
    }
    const { items } = (await call(anna, 'GET', '/api/positions/auto')).body.run;
    expect(items.map((item) => [item.symbol, item.outcome, item.detail, item.message])).toEqual([
      ['BTCUSDT', 'NO_MATCH', 'auto_open_off', 'Automatic opening is off.'],
      ['ETHUSDT', 'NO_MATCH', 'auto_open_off', 'Automatic opening is off.'],
      ['XRPUSDT', 'LOW_CONF', 'min_confidence', 'Confidence 30 % is below your minimum of 60 %.'],
    ]);
    const { skips } = (await call(anna, 'GET', '/api/positions/skips')).body;
    expect(skips.map((skip) => [skip.symbol, skip.detail])).toEqual([
      ['ETHUSDT', 'auto_open_off'],
      ['BTCUSDT', 'auto_open_off'],
    ]);
    expect(await openCount(anna)).toBe(0);
  });

  it('opens once, however often and however concurrently it is requested', async () => {
    const anna = await test.signUp();
    const scan = await scanOf(anna, [
      { symbol: 'BTCUSDT', isApproved: true },
      { symbol: 'ETHUSDT', isApproved: true },
      { symbol: 'SOLUSDT' },
    ]);
    const runs = await Promise.all(Array.from({ length: 6 }, () => openFromScan(test.deps, anna.id, scan)));
    expect(new Set(runs.map((run) => (run.ok ? run.value.run.id : '')))).toHaveProperty('size', 1);
    await openFromScan(test.deps, anna.id, scan);
    expect(await openCount(anna)).toBe(2);
    expect((await call(anna, 'GET', '/api/positions/skips')).body.skips).toHaveLength(1);
  });

  it('continues where a node that died stopped', async () => {
    const anna = await test.signUp();
    const scan = await scanOf(anna, [
      { symbol: 'BTCUSDT', isApproved: true },
      { symbol: 'ETHUSDT', isApproved: true },
    ]);
    // The run and its first position are there; the node died before the second.
    await openFromScan(test.deps, anna.id, scan);
    await test.database.asOwner(`update auto_runs set finished_at = null where user_id = $1`, [anna.id]);
    const again = await openFromScan(test.deps, anna.id, scan);
    expect(again).toMatchObject({ ok: true, value: { run: { opened: 2 }, isNew: true } });
    expect(await openCount(anna)).toBe(2);
  });

  it('is done once: a run that has ended opens nothing again, not even after its positions were closed by hand', async () => {
    const anna = await test.signUp();
    const scan = await scanOf(anna, [{ symbol: 'BTCUSDT', isApproved: true }]);
    const auto = () => call(anna, 'POST', '/api/positions/auto', { scan_id: scan });
    const first = (await auto()).body;
    expect(first).toMatchObject({ is_new: true, run: { opened: 1, is_first: true, refused: null } });
    const id = first.run.items[0]?.position_id ?? '';
    expect((await call(anna, 'POST', `/api/positions/${id}/close`)).status).toBe(200);
    expect((await auto()).body).toMatchObject({ is_new: false, run: { id: first.run.id, opened: 1 } });
    expect(await openCount(anna)).toBe(0);
    // A failed opening is not retried later either: the prices of the scan are outdated.
    await test.database.asOwner(`update auto_run_items set outcome = 'FAILED', position_id = null where run_id = $1`, [
      first.run.id,
    ]);
    expect((await auto()).body).toMatchObject({ is_new: false, run: { opened: 0, failed: 1 } });
    expect(await openCount(anna)).toBe(0);
    const next = await scanOf(anna, [{ symbol: 'ETHUSDT', isApproved: true }]);
    expect(await openFromScan(test.deps, anna.id, next)).toMatchObject({ value: { run: { opened: 1 }, isNew: true } });
  });

  it('rejects a scan older than its shortest interval, and records that', async () => {
    const anna = await test.signUp();
    const scan = await scanOf(anna, [{ symbol: 'BTCUSDT', isApproved: true }]);
    const age = (minutes: number) =>
      test.database.asOwner(
        `update scans set params = '{"intervals": ["4h", "1h"]}', finished_at = now() - make_interval(mins => $2) where id = $1`,
        [scan, minutes],
      );
    await age(61);
    const auto = () => call(anna, 'POST', '/api/positions/auto', { scan_id: scan });
    expect((await auto()).body).toMatchObject({
      is_new: true,
      run: { refused: 'scan_too_old', opened: 0, items: [], messages: [expect.stringContaining('too old to trade')] },
    });
    // A rejected scan stays rejected, even when its age changes.
    await age(0);
    expect((await auto()).body).toMatchObject({ is_new: false, run: { refused: 'scan_too_old' } });
    expect(await openCount(anna)).toBe(0);
    const young = await scanOf(anna, [{ symbol: 'ETHUSDT', isApproved: true }]);
    await test.database.asOwner(
      `update scans set params = '{"intervals": ["4h", "1h"]}', finished_at = now() - interval '59 minutes' where id = $1`,
      [young],
    );
    expect(await openFromScan(test.deps, anna.id, young)).toMatchObject({
      value: { run: { opened: 1, refused: null } },
    });
  });

  it('replaces a result that was not approved by the next best checked one, until as many are open as requested', async () => {
    const anna = await test.signUp();
    const next = { outcome: 'NO_MATCH', filteredBy: 'positions_wanted' };
    const scan = await scanOf(anna, [
      { symbol: 'BTCUSDT', isApproved: false },
      { symbol: 'ETHUSDT', isApproved: false },
      { symbol: 'SOLUSDT', isApproved: true, ...next },
      { symbol: 'SOLUSDT', interval: '4h', isApproved: true, ...next },
      { symbol: 'XRPUSDT', isApproved: true, ...next },
      { symbol: 'BNBUSDT', isApproved: true, ...next },
      { symbol: 'DOGEUSDT', ...next },
    ]);
    // By the setting of now, whatever it was when the scan was made.
    await test.database.asOwner(`update scans set params = '{"positionsWanted": 5}' where id = $1`, [scan]);
    await test.database.asOwner('update preferences set positions_wanted = 2 where user_id = $1', [anna.id]);
    const { run } = (await call(anna, 'POST', '/api/positions/auto', { scan_id: scan })).body;
    const order = run.items.map(({ symbol, interval, outcome, detail }) => [symbol, interval, outcome, detail]);
    expect(new Set(order.map(String))).toEqual(
      new Set(
        [
          ['BTCUSDT', '1h', 'NO_MATCH', 'rule_check_not_passed'],
          ['ETHUSDT', '1h', 'NO_MATCH', 'rule_check_not_passed'],
          ['SOLUSDT', '1h', 'OPENED', null],
          ['SOLUSDT', '4h', 'NO_MATCH', 'same_symbol'],
          ['XRPUSDT', '1h', 'OPENED', null],
          ['BNBUSDT', '1h', 'NO_MATCH', 'positions_wanted'],
          ['DOGEUSDT', '1h', 'NO_MATCH', 'positions_wanted'],
        ].map(String),
      ),
    );
    expect(await openCount(anna)).toBe(2);
  });

  it('X23 holds the limit of open positions, also for concurrent openings', async () => {
    const anna = await test.signUp();
    await call(anna, 'PUT', '/api/preferences', { max_concurrent_positions: 2 });
    const symbols = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT'];
    const scans = await Promise.all(symbols.map((symbol) => scanOf(anna, [{ symbol, isApproved: true }])));
    const runs = await Promise.all(scans.map((scan) => openFromScan(test.deps, anna.id, scan)));
    expect(await openCount(anna)).toBe(2);
    const details = runs.flatMap((run) => (run.ok ? run.value.run.items.map(({ detail }) => detail) : []));
    expect(details.filter((detail) => detail === 'max_concurrent')).toHaveLength(2);
  });

  it('AUTO-011 reports how many failed when the exchange does not trade one', async () => {
    const anna = await test.signUp();
    const scan = await scanOf(anna, [
      { symbol: 'BTCUSDT', isApproved: true },
      { symbol: 'ETHUSDT', isApproved: true },
    ]);
    await test.database.asOwner(
      `update scans set results = replace(results::text, 'ETHUSDT', 'GONEUSDT')::jsonb where id = $1`,
      [scan],
    );
    await test.database.asOwner(
      `update scan_ai_checks set symbol = 'GONEUSDT' where scan_id = $1 and symbol = 'ETHUSDT'`,
      [scan],
    );
    const { body } = await call(anna, 'POST', '/api/positions/auto', { scan_id: scan });
    expect(body.run).toMatchObject({ opened: 1, failed: 1 });
    expect(body.run.messages).toEqual([expect.stringContaining('Auto position opened'), 'Auto open failed for 1/2']);
  });

  it('works for own scans only', async () => {
    const [anna, bert] = [await test.signUp(), await test.signUp()];
    const scan = await scanOf(anna, [{ symbol: 'BTCUSDT', isApproved: true }]);
    expect((await call(bert, 'POST', '/api/positions/auto', { scan_id: scan })).status).toBe(404);
  });
});

describe('opening by hand', () => {
  const levels = (price: number) => ({ side: 'LONG', stop_loss: price * 0.98, take_profit: price * 1.04 });

  it('POS-019 fills at our price, once per key, and returns the id', async () => {
    const anna = await test.signUp();
    const price = await priceOf(anna, 'BTCUSDT');
    const body = {
      symbol: 'BTCUSDT',
      interval: '1h',
      ...levels(price),
      entry_price: price * 1.01,
      qty: 0.01,
      liquidation_approx: 1,
    };
    const headers = { 'idempotency-key': 'one' };
    const preview = (await call(anna, 'POST', '/api/positions/preview', body)).body.preview;
    const first = await call(anna, 'POST', '/api/positions', body, headers);
    const second = await call(anna, 'POST', '/api/positions', body, headers);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.id).toBe(first.body.id);
    expect(await openCount(anna)).toBe(1);
    const { position } = first.body;
    expect(Math.abs(position.entry_price / price - 1)).toBeLessThan(0.01);
    expect(position.liquidation_approx).not.toBe(1);
    expect(preview).toMatchObject({ would_open: true, qty: position.qty, leverage: 10 });
    const events = (await call(anna, 'GET', `/api/positions/${position.id}`)).body.events;
    expect(events.map(({ kind }) => kind)).toEqual(['opened', 'fee']);
  });

  it('rejects with the reason, and opens nothing', async () => {
    const anna = await test.signUp();
    const price = await priceOf(anna, 'BTCUSDT');
    const { status, body } = await call(anna, 'POST', '/api/positions', {
      symbol: 'BTCUSDT',
      interval: '1h',
      ...levels(price),
      leverage: 125,
    });
    expect([status, body.code, body.reason, body.rule]).toEqual([
      409,
      'position_refused',
      'NO_MATCH',
      'liquidation_before_stop',
    ]);
    expect(await openCount(anna)).toBe(0);
  });

  it('takes side and levels from a result of a scan, checked or not', async () => {
    const anna = await test.signUp();
    const scan = await scanOf(anna, [{ symbol: 'ETHUSDT' }]);
    const { status, body } = await call(anna, 'POST', '/api/positions', {
      symbol: 'ETHUSDT',
      interval: '1h',
      scan_id: scan,
    });
    expect(status).toBe(201);
    // Size by risk: 10 USDT over a stop of 3 % and costs of 0.147 %, rounded down to the step of the exchange, 0.01.
    const { position } = body;
    expect(position.loss_at_stop).toBeLessThanOrEqual(10);
    expect(position.qty).toBeGreaterThan(10 / 0.0335 / position.entry_price - 0.01);
    expect(
      (await call(anna, 'POST', '/api/positions', { symbol: 'SOLUSDT', interval: '1h', scan_id: scan })).status,
    ).toBe(422);
  });

  it('closes at our price by its owner, once, and shows in history and figures', async () => {
    const anna = await test.signUp();
    const price = await priceOf(anna, 'BTCUSDT');
    const opened = await call(anna, 'POST', '/api/positions', {
      symbol: 'BTCUSDT',
      interval: '1h',
      ...levels(price),
      qty: 0.01,
    });
    const closing = () => call(anna, 'POST', `/api/positions/${opened.body.id}/close`);
    const [first, second] = await Promise.all([closing(), closing()]);
    expect([first.status, second.status].sort()).toEqual([200, 409]);
    const { positions } = (await call(anna, 'GET', '/api/positions?state=closed')).body;
    expect(positions).toHaveLength(1);
    const [closed] = positions as unknown as [
      Record<'r_multiple' | 'pnl' | 'close_price' | 'entry_price' | 'qty' | 'net_pnl' | 'fees' | 'funding', number>,
    ];
    expect(closed).toMatchObject({ close_reason: 'MANUAL', live: null });
    expect(closed.pnl).toBeCloseTo((closed.close_price - closed.entry_price) * closed.qty, 7);
    expect(closed.net_pnl).toBeCloseTo(closed.pnl - closed.fees - closed.funding, 7);
    const analytics = (await call(anna, 'GET', '/api/positions/analytics')).body;
    expect(analytics.all).toMatchObject({ trades: 1, net_pnl: closed.net_pnl });
    expect(analytics.by_reason).toEqual([
      // The price may have moved by more than the fees meanwhile.
      {
        name: 'MANUAL',
        trades: 1,
        wins: closed.net_pnl > 0 ? 1 : 0,
        pnl: closed.pnl,
        net_pnl: closed.net_pnl,
        mean_r: expect.closeTo(closed.r_multiple, 7) as number,
      },
    ]);
  });
});

describe('opening the same twice at once', () => {
  const sized = (price: number, side: 'LONG' | 'SHORT') => {
    const sign = side === 'LONG' ? 1 : -1;
    const levels = { side, stop_loss: price * (1 - sign * 0.02), take_profit: price * (1 + sign * 0.04) };
    return { symbol: 'BTCUSDT', interval: '1h', qty: 0.01, ...levels };
  };
  const codes = (responses: { status: number }[]) => responses.map(({ status }) => status).sort();

  it('by hand with two keys opens one position and rejects the duplicate; the other side is another position', async () => {
    const anna = await test.signUp();
    const price = await priceOf(anna, 'BTCUSDT');
    const open = (side: 'LONG' | 'SHORT') => call(anna, 'POST', '/api/positions', sized(price, side));
    const responses = await Promise.all([open('LONG'), open('LONG'), open('LONG'), open('SHORT')]);
    expect(codes(responses)).toEqual([201, 201, 409, 409]);
    const rejected = responses.flatMap(({ status, body }) => (status === 409 ? [body.rule] : []));
    expect(rejected).toEqual(['duplicate', 'duplicate']);
    expect(await openCount(anna)).toBe(2);
  });

  it('X23 by hand, after a scan and with the same key at once stays within the limit', async () => {
    const anna = await test.signUp();
    await call(anna, 'PUT', '/api/preferences', { max_concurrent_positions: 1 });
    const price = await priceOf(anna, 'BTCUSDT');
    const scans = await Promise.all(
      ['ETHUSDT', 'SOLUSDT'].map((symbol) => scanOf(anna, [{ symbol, isApproved: true }])),
    );
    const headers = { 'idempotency-key': 'both' };
    const byHand = () => call(anna, 'POST', '/api/positions', sized(price, 'LONG'), headers);
    const responses = [byHand(), byHand()];
    await Promise.all([...responses, ...scans.map((scan) => openFromScan(test.deps, anna.id, scan))]);
    expect(await openCount(anna)).toBe(1);
    // Both requests with one key had the same result.
    const [first, second] = await Promise.all(responses);
    expect(first?.status).toBe(second?.status);
  });
});

describe('guards', () => {
  it('block automatic opening until their owner continues', async () => {
    const anna = await test.signUp();
    await call(anna, 'PUT', '/api/preferences', { guard_drawdown_pct: 1 });
    await test.database.asOwner(
      `insert into positions (user_id, opening_ref, source, exchange, market, symbol, side, interval, entry_price, qty, leverage,
         stop_loss, initial_stop_loss, take_profit, confidence, risk_multiplier, loss_at_stop, tick_size, taker_fee_fraction,
         trailing_enabled, trail_peak, opened_at, funded_until, fees, closed_at, close_price, close_reason)
       values ($1, 'x', 'manual', 'binance', 'simulated', 'BTCUSDT', 'LONG', '1h', 100, 10, 10, 98, 98, 104, 0.7, 1, 2, 0.1, 0.0005,
         false, 100, now(), now(), 0, now(), 98, 'SL')`,
      [anna.id],
    );
    const guards = async () => (await call(anna, 'GET', '/api/positions/guards')).body;
    expect(await guards()).toMatchObject({ armed: false, open_positions: 0 });
    const scan = await scanOf(anna, [{ symbol: 'ETHUSDT', isApproved: true }]);
    const run = await openFromScan(test.deps, anna.id, scan);
    expect(run.ok && run.value.run.items[0]).toMatchObject({ outcome: 'NO_MATCH', detail: 'drawdown_guard' });
    const { skips } = (await call(anna, 'GET', '/api/positions/skips')).body;
    expect(skips[0]?.message).toBe('Drawdown 2 % reached your 1 %. New trades stop until you resume.');
    // It is stored in the database: another node, or this one after a restart, blocks as well.
    const other = openDatabase({ url: test.database.serverUrl, connectionsMax: 1, onError: () => undefined });
    try {
      const again = await scanOf(anna, [{ symbol: 'SOLUSDT', isApproved: true }]);
      const there = await openFromScan({ ...test.deps, db: other.db }, anna.id, again);
      expect(there.ok && there.value.run.items[0]).toMatchObject({ outcome: 'NO_MATCH', detail: 'drawdown_guard' });
    } finally {
      await other.close();
    }
    expect((await call(anna, 'POST', '/api/positions/guards/rearm')).body).toMatchObject({ armed: true });
  });
});
