import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';

let test: TestApp;
let anna: TestUser;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());
beforeEach(async () => {
  anna = await test.signUp();
});

const read = async (user: TestUser) =>
  (await test.app.inject({ url: '/api/preferences', headers: user.bearer })).json<Record<string, unknown>>();
const save = (payload: Record<string, unknown>, user = anna) =>
  test.app.inject({ method: 'PUT', url: '/api/preferences', headers: user.bearer, payload });

describe('preferences', () => {
  it('get a new version with each change, however close together', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, (_, at) => save({ leverage: at + 1 })));
    const versions = responses.map((response) => response.json<{ updated_at: string }>().updated_at);
    expect(new Set(versions).size).toBe(20);
    expect((await read(anna))['updated_at']).toBe(versions.toSorted().at(-1));
  });

  it('AUTO-023 DATA-001 CONST-018 CONST-022 NFR-016 of a new account are the defaults, with every field', async () => {
    const { updated_at: updatedAt, ...preferences } = await read(anna);
    expect(new Date(String(updatedAt)).getTime()).toBeGreaterThan(0);
    expect(preferences).toEqual({
      active_tab: 'dashboard',
      current_page: null,
      auto_scan_enabled: false,
      min_auto_conf_pct: 60,
      min_conf_on_score: false,
      positions_wanted: 5,
      balance_usdt: 1000,
      leverage: 10,
      risk_tolerance: 'medium',
      sizing_mode: 'risk',
      base_usdt: null,
      levels_mode: 'signal',
      whitelist: '',
      blacklist: '',
      max_symbols: 100,
      interval_opts: { '15m': true, '1h': true, '4h': true },
      scan_interval: '1h',
      dynamic_risk_on: false,
      risk_min_pct: 0.005,
      risk_max_pct: 0.02,
      risk_smoothing: 0.3,
      risk_perf_lookback: 50,
      telegram: null,
      webhook: null,
      stop_loss_pct: 2,
      take_profit_pct: 4,
      max_concurrent_positions: 5,
      trailing_enabled: true,
      trail_mode: 'percent',
      trail_callback_pct: 0.5,
      trail_step_pct: 0.25,
      trail_atr_mult: 2,
      trail_atr_period: 14,
      trail_activation_stops: 1,
      tuning_conf_floor: null,
      auto_open_enabled: true,
      auto_open_noticed: false,
      guard_daily_loss_pct: null,
      guard_stop_streak: null,
      guard_cooldown_minutes: 60,
      guard_drawdown_pct: null,
      guard_stops_pct: 5,
      guard_exposure_pct: 200,
      keep_scanning: false,
      ai_soft_approval: false,
      ai_allow_correction: false,
      theme: null,
      palette: null,
      time_zone: null,
    });
  });

  it('DATA-003 change in the named fields only, and the response is the whole row', async () => {
    const before = await read(anna);
    const change = {
      active_tab: 'backtest',
      current_page: 'results',
      min_auto_conf_pct: 0,
      interval_opts: { '15m': false, '1h': true, '4h': false },
    };
    const response = await save(change);
    expect(response.statusCode).toBe(200);
    const after = response.json<Record<string, unknown>>();
    expect(after).toEqual({ ...before, ...change, updated_at: after['updated_at'] });
    expect(await read(anna)).toEqual(after);
    expect((await save({ current_page: null })).json()).toMatchObject({ current_page: null, active_tab: 'backtest' });
  });

  it('an empty change updates only the time', async () => {
    const before = await read(anna);
    expect((await save({})).json()).toMatchObject({ ...before, updated_at: expect.any(String) as string });
  });

  it('are created again when the row is missing', async () => {
    await test.database.asOwner('delete from preferences where user_id = $1', [anna.id]);
    expect((await save({ leverage: 25 })).json()).toMatchObject({ leverage: 25, positions_wanted: 5 });
  });

  it('belong to one user', async () => {
    const bert = await test.signUp();
    await save({ leverage: 99 });
    expect(await read(bert)).toMatchObject({ leverage: 10 });
    const theft = await save({ user_id: anna.id, leverage: 1 }, bert);
    expect(theft.json()).toMatchObject({ status: 400, field: 'user_id' });
    expect(await read(anna)).toMatchObject({ leverage: 99 });
  });

  it('DATA-028 require a session', async () => {
    for (const method of ['GET', 'PUT'] as const) {
      const response = await test.app.inject({
        method,
        url: '/api/preferences',
        ...(method === 'PUT' ? { payload: {} } : {}),
      });
      expect(response.json()).toMatchObject({ status: 401, code: 'not_authenticated' });
    }
  });

  it('accept hand-typed symbol lists', async () => {
    expect((await save({ whitelist: ' btcusdt, ETHUSDT,,BTCUSDT ' })).json()).toMatchObject({
      whitelist: 'BTCUSDT,ETHUSDT',
    });
    expect((await save({ blacklist: 'BTC/USDT' })).json()).toMatchObject({ status: 400, field: 'blacklist' });
  });

  it.each([
    ['leverage', 126],
    ['leverage', 1.5],
    ['leverage', '10'],
    ['leverage', null],
    ['min_auto_conf_pct', -1],
    ['positions_wanted', 21],
    ['max_symbols', 0],
    ['balance_usdt', 0],
    ['risk_tolerance', 'wild'],
    ['sizing_mode', 'all'],
    ['base_usdt', 0],
    ['levels_mode', 'mine'],
    ['risk_min_pct', 50],
    ['risk_max_pct', 0.2],
    ['scan_interval', '5m'],
    ['interval_opts', { '15m': true }],
    ['webhook', 'http://127.0.0.1/'],
    ['webhook', 'javascript:alert(1)'],
    ['trail_callback_pct', 0.04],
    ['trail_atr_period', 4],
    ['trail_activation_stops', -0.1],
    ['tuning_conf_floor', 0.05],
    ['active_tab', 'admin'],
    ['current_page', ''],
    ['current_page', 'a\0b'],
    ['current_page', '\ud800'],
    ['telegram', '@me\0'],
    ['webhook', 'https://example.com/\0'],
    ['webhook', 'https://example.com/?\udc00'],
    // Twice as long in upper case: too long for the column.
    ['whitelist', `${'ß'.repeat(15)},`.repeat(1000)],
    ['blacklist', 'BTC\0USDT'],
    ['stop_loss_pct', 20.1],
    ['max_concurrent_positions', 51],
    ['trail_step_pct', 0.04],
    ['trail_atr_mult', 0.4],
    ['trail_mode', 'fixed'],
  ])('AUTO-017 AUTO-019 AUTO-020 reject %s = %j and name it', async (field, value) => {
    const response = await save({ [field]: value });
    expect(response.statusCode).toBe(400);
    expect(response.json<{ field: string }>().field.split('.')[0]).toBe(field);
  });

  it('reject a minimum risk above the stored maximum, and accept both together', async () => {
    expect((await save({ risk_min_pct: 0.03 })).json()).toMatchObject({ status: 400, field: 'risk_min_pct' });
    expect((await save({ risk_max_pct: 0.001 })).json()).toMatchObject({ status: 400, field: 'risk_max_pct' });
    expect((await save({ risk_min_pct: 0.03, risk_max_pct: 0.04 })).statusCode).toBe(200);
  });
});
