import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decide, type OpeningRequest } from '../../../src/features/positions/decideOpening.ts';
import { type Exposure, exposureOf, shareOfEquity } from '../../../src/features/guards/exposure.ts';
import { guardsResponse } from '../../../src/features/guards/readGuards.ts';
import { positionToWire } from '../../../src/features/positions/positionRow.ts';
import { readOpenOn } from '../../../src/features/positions/readPositions.ts';
import { preferencesOf } from '../../../src/features/preferences/preferencesOf.ts';
import { openInTurn } from '../../../src/features/positions/openPosition.ts';
import type { Preferences } from '../../../src/features/preferences/contract.ts';
import { withSystem, withUser } from '../../../src/platform/db/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import { newPosition, openOne } from './support/positions.ts';
import { simulated } from './support/scriptedMarket.ts';

/** Guards of automatic opening that size down. Balance 1,000; a stop 2 % away loses 2.1185902 a unit: 2.0196, and fees of 0.05 % twice. */

let kernel: ReturnType<typeof instantiate>;
let database: TestDatabase;
beforeAll(async () => {
  kernel = instantiate((await loadModule()).module);
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const preferences = {
  auto_open_enabled: true,
  min_auto_conf_pct: 0,
  tuning_conf_floor: null,
  whitelist: '',
  blacklist: '',
  balance_usdt: 1000,
  leverage: 10,
  risk_tolerance: 'medium',
  sizing_mode: 'risk',
  base_usdt: null,
  levels_mode: 'signal',
  stop_loss_pct: 2,
  take_profit_pct: 4,
  max_concurrent_positions: 5,
  dynamic_risk_on: false,
  guard_stops_pct: 5,
  guard_exposure_pct: 200,
} as Preferences;
const market = {
  symbol: 'BTCUSDT',
  base: 'BTC',
  tickSize: 0.1,
  stepSize: 0.001,
  minNotional: 5,
  maxLeverage: 125,
  maxQuantity: null,
  listedAtMs: null,
  fundingHours: null,
  status: 'trading' as const,
} as const;
const request: OpeningRequest = {
  source: 'scan',
  symbol: 'BTCUSDT',
  interval: '1h',
  direction: 'LONG',
  confidence: 0.8,
  signalPrice: 100,
  levels: { stopLoss: 98, takeProfit: 104 },
  riskMultiplier: 1,
  sizing: { by: 'settings' },
  levelsOf: 'signal',
  check: 'passed',
};

function opened(
  exposure: Exposure | undefined,
  more: Partial<OpeningRequest> = {},
  settings: Partial<Preferences> = {},
) {
  const { skip, draft } = decide(
    kernel,
    { ...request, ...more },
    {
      exchange: 'binance',
      market,
      quote: { last: 100, atMs: 0 },
      openCount: 0,
      isOpen: false,
      guards: [],
      preferences: { ...preferences, ...settings },
      funds: { results: new Float64Array(0), realisedUsdt: 0, marginUsdt: 0 },
      ...(exposure === undefined ? {} : { exposure }),
    },
  );
  return [skip, draft.plan?.quantity ?? 0, draft.sizedDownBy];
}
const short = { direction: 'SHORT', levels: { stopLoss: 102, takeProfit: 96 } } as const;

describe('the guards that size down', () => {
  it.each<
    [
      what: string,
      exposure: Exposure,
      quantity: number,
      by: string | null,
      more?: object,
      settings?: Partial<Preferences>,
    ]
  >([
    // 1 % of 1,000 / 2.1185902.
    ['nothing is open: the risk of the settings', { lossAtStops: 0, netNotional: 0 }, 4.72, null],
    ['45 of 50 are at risk: 5 / 2.1185902', { lossAtStops: 45, netNotional: 0 }, 2.36, 'stops'],
    ['1,900 of 2,000 are long: 100 are left', { lossAtStops: 0, netNotional: 1900 }, 1, 'exposure'],
    ['nothing is left: the least order of 5', { lossAtStops: 80, netNotional: 0 }, 0.05, 'stops'],
    ['the tighter one counts', { lossAtStops: 45, netNotional: 1900 }, 1, 'exposure'],
    [
      'off',
      { lossAtStops: 80, netNotional: 5000 },
      4.72,
      null,
      {},
      { guard_stops_pct: null, guard_exposure_pct: null },
    ],
    ['twice the limit', { lossAtStops: 45, netNotional: 0 }, 4.72, null, {}, { guard_stops_pct: 10 }],
    ['by hand', { lossAtStops: 80, netNotional: 5000 }, 4.72, null, { source: 'manual' }],
  ])('X80 DESK-039 %s', (_, exposure, quantity, by, more, settings) => {
    expect(opened(exposure, more, settings)).toEqual([null, quantity, by]);
  });

  it('X80 DESK-039 a short lowers a long exposure and is not sized down by it', () => {
    expect(opened({ lossAtStops: 0, netNotional: 1900 }, short)[2]).toBeNull();
    expect(opened({ lossAtStops: 0, netNotional: -1950 }, short)).toEqual([null, 0.5, 'exposure']);
  });

  it('X80 DESK-039 new accounts have both, and the opening records which one sized it down', async () => {
    const anna = await database.addUser();
    await database.asOwner(`insert into preferences (user_id) values ('${anna}') on conflict do nothing`);
    const [row] = await database.asOwner(
      'select guard_stops_pct, guard_exposure_pct from preferences where user_id = $1',
      [anna],
    );
    expect(row).toEqual({ guard_stops_pct: 5, guard_exposure_pct: 200 });
    // A long of 19 at 100 that loses more than 50 at its stop.
    await openOne(database, newPosition(anna, { symbol: 'ETHUSDT', quantity: 9, stopPrice: 90, leverage: 20 }));
    const done = await withSystem(database.db, (tx) =>
      openInTurn(
        { kernel: () => kernel, config: simulated },
        tx,
        {
          ...request,
          userId: anna,
          exchange: 'binance',
          openingRef: 'scan:1:BTCUSDT',
          scanId: null,
          signalId: null,
          runId: null,
        },
        { market, quote: { symbol: 'BTCUSDT', last: 100, bid: null, ask: null, mark: null, atMs: Date.now() } },
      ),
    );
    expect(done).toMatchObject({ ok: true, value: { outcome: 'opened' } });
    if (!done.ok) return;
    expect(done.value.message).toMatch(
      /^Auto position opened: LONG BTCUSDT .*Sized down: loss at all stops reached your limit\.$/,
    );
    const [event] = await database.asOwner<{ data: Record<string, unknown> }>(
      `select data from position_events where kind = 'opened' and user_id = $1 order by seq desc limit 1`,
      [anna],
    );
    expect(event?.data).toMatchObject({ sized_down_by: 'stops', qty: 0.05 });
  });

  it('DESK-199 nothing open uses nothing, and no equity has no share', () => {
    expect(exposureOf([])).toEqual({ lossAtStops: 0, netNotional: 0 });
    expect(shareOfEquity(0, 0)).toBe(0);
    expect(shareOfEquity(50, 0)).toBeNull();
    expect(shareOfEquity(50, 1000)).toBe(5);
    expect(shareOfEquity(-1500, 1000)).toBe(-150);
    // A stop in profit counts 0; a short lowers the exposure.
    expect(
      exposureOf([
        { side: 'LONG', notional: 900, loss_at_current_stop: 20 },
        { side: 'SHORT', notional: 1500, loss_at_current_stop: -5 },
        { side: 'LONG', notional: 100, loss_at_current_stop: null },
      ]),
    ).toEqual({ lossAtStops: 20, netNotional: -500 });
  });

  it('DESK-199 X80 the state of the guards has the shares of the equity that are used now', async () => {
    const bert = await database.addUser();
    await database.asOwner(
      `insert into preferences (user_id, balance_usdt) values ('${bert}', 1000)
       on conflict (user_id) do update set balance_usdt = 1000`,
    );
    const read = () =>
      withUser(database.db, bert, async (tx) => {
        const open = (await readOpenOn(tx, bert, 'simulated')).map(positionToWire);
        const now = { nowMs: Date.now(), market: 'simulated', open } as const;
        return (await guardsResponse(tx, bert, await preferencesOf(tx), now)).sizing_guards;
      });
    expect(await read()).toEqual([
      { name: 'stops', is_on: true, limit: 5, value: 0 },
      { name: 'exposure', is_on: true, limit: 200, value: 0 },
    ]);
    await openOne(database, newPosition(bert, { symbol: 'ETHUSDT', quantity: 9, stopPrice: 90, leverage: 20 }));
    await database.asOwner(`update preferences set guard_exposure_pct = null where user_id = '${bert}'`);
    const [stops, exposure] = await read();
    // Equity 1,000 - 0.1 of entry fee. The stop fills at 90 - 0.02 %: 9 x 10.018 + 0.1 + 0.05 % of 9 x 89.982 = 90.666919.
    expect(exposure).toMatchObject({ name: 'exposure', is_on: false, limit: null });
    expect(stops?.value).toBeCloseTo((90.666919 / 999.9) * 100, 8);
    expect(exposure?.value).toBeCloseTo((900 / 999.9) * 100, 8);
  });
});
