import { randomUUID } from 'node:crypto';
import { liveRules, type Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recentText } from '../../../src/features/strategies/contract.ts';
import { countRecentSignals, openedBy } from '../../../src/features/strategies/recentSignals.ts';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import type { TestUser } from '../../support/createTestApp.ts';

let test: MarketApp;
beforeAll(async () => {
  // A busy machine may take long for the first task of the engine: this tests the counts, not the speed.
  test = await createMarketApp({ env: { MARKET_STREAMS: 'off' }, deps: { recentDeadlineMs: 100_000 } as object });
});
afterAll(() => test.close());

interface Saved {
  strategies: { id: string; name: string }[];
  recent: {
    opened: number;
    candles: number;
    symbols: number;
    left_out: number;
    text: string;
    warning: string | null;
  } | null;
}
const send = async <T = Saved>(user: TestUser, method: 'POST' | 'PUT', url: string, payload: object): Promise<T> =>
  (await test.app.inject({ method, url, headers: user.bearer, payload })).json<T>();
const rules = (change: Partial<Strategy> = {}): Strategy => ({ ...liveRules(['1h', '4h']), ...change });
const narrow = { whitelist: 'BTCUSDT,ETHUSDT,SOLUSDT' };

describe('saving rules says what they would have opened', () => {
  it('as the backtests of the same rules on the same candles open it', async () => {
    const anna = await test.signUp();
    await send(anna, 'PUT', '/api/preferences', narrow);
    const value = rules();
    const { recent } = await send(anna, 'POST', '/api/strategies', { name: 'Live', value });
    expect(recent).toMatchObject({ candles: 500, symbols: 3, left_out: 0, warning: null });
    let trades = 0;
    for (const symbol of ['BTCUSDT', 'ETHUSDT', 'SOLUSDT']) {
      const run = await send<{ trades: number }>(anna, 'POST', '/api/backtest', {
        symbol,
        interval: '1h',
        limit: 1300,
        strategy: value,
        fineData: false,
        // The settings of a new account: a margin of at most the balance of 1,000 USDT at 10x.
        costs: { initialEquity: 1000, notional: 10_000, leverage: 10 },
      });
      trades += run.trades;
    }
    expect(trades).toBeGreaterThan(0);
    expect(recent?.opened).toBe(trades);
    expect(recent?.text).toBe(
      `These rules would have opened ${trades} positions in the last 500 candles of 3 symbols.`,
    );
  });

  it('warns of rules that open nothing, when saved and when replaced', async () => {
    const bert = await test.signUp();
    await send(bert, 'PUT', '/api/preferences', narrow);
    const silent = rules({ entryThreshold: 1 });
    const warning =
      'These rules would have opened no position in the last 500 candles of 3 symbols. Lower the entry threshold or use more votes.';
    const first = await send(bert, 'POST', '/api/strategies', { name: 'Silent', value: silent });
    expect(first.recent).toMatchObject({ opened: 0, warning });
    const url = `/api/strategies/${first.strategies[0]!.id}`;
    const louder = await send(bert, 'PUT', url, { value: rules() });
    expect(louder.recent?.warning).toBeNull();
    expect((await send(bert, 'PUT', url, { value: silent })).recent?.warning).toBe(warning);
    // A new name does not change the value.
    expect((await send(bert, 'PUT', url, { name: 'Other' })).recent).toBeNull();
  });

  it('at the size of the settings: what is below the least order of the exchange is not opened', async () => {
    const ella = await test.signUp();
    // A margin of at most 1 USDT at 1x; the least order of these symbols is larger.
    await send(ella, 'PUT', '/api/preferences', { ...narrow, base_usdt: 1, leverage: 1 });
    const value = rules({ sizing: { mode: 'fixed', riskFraction: 0.01, isCompounding: false } });
    const { recent } = await send(ella, 'POST', '/api/strategies', { name: 'Tiny', value });
    expect(recent).toMatchObject({ opened: 0, symbols: 3 });
    expect(recent?.warning).toMatch(/ \d+ orders were too small for the exchange. Use a larger size.$/);
  });

  it('counts no score below the minimum where the user holds scores to it', async () => {
    const cleo = await test.signUp();
    await send(cleo, 'PUT', '/api/preferences', { ...narrow, min_conf_on_score: true, min_auto_conf_pct: 100 });
    const held = await send(cleo, 'POST', '/api/strategies', { name: 'Held', value: rules() });
    expect(held.recent).toMatchObject({ opened: 0 });
  });

  it('says nothing of intervals that scans do not read', async () => {
    const dora = await test.signUp();
    const value = { ...rules(), intervals: [{ interval: '5m', weight: 1 }] };
    expect((await send(dora, 'POST', '/api/strategies', { name: 'Fast', value })).recent).toBeNull();
  });
});

describe('NODE-207 the engine that all users share', () => {
  it('gets two runs of a save at a time', async () => {
    const fay = await test.signUp();
    await send(fay, 'PUT', '/api/preferences', { whitelist: 'BTCUSDT,ETHUSDT,SOLUSDT,XRPUSDT,BNBUSDT,DOGEUSDT' });
    const { engine } = test.deps;
    let [running, most, count] = [0, 0, 0];
    const run: typeof engine.run = async (...call) => {
      most = Math.max(most, ++running);
      count += 1;
      try {
        return await engine.run(...call);
      } finally {
        running -= 1;
      }
    };
    const strategy = { id: randomUUID(), name: 'Live', version: '0'.repeat(64), value: rules() };
    const deps = { ...test.deps, engine: { ...engine, run }, recentDeadlineMs: 100_000 };
    const recent = await countRecentSignals(deps, fay.id, strategy, new AbortController().signal);
    expect(recent).toMatchObject({ symbols: 6, left_out: 0 });
    expect([count, most]).toEqual([6, 2]);
  });

  it('gets none once the client has left', async () => {
    const gus = await test.signUp();
    await send(gus, 'PUT', '/api/preferences', narrow);
    const strategy = { id: randomUUID(), name: 'Live', version: '0'.repeat(64), value: rules() };
    const deps = { ...test.deps, recentDeadlineMs: 100_000 };
    expect(await countRecentSignals(deps, gus.id, strategy, AbortSignal.abort())).toBeNull();
  });

  it('is limited in saves a minute, new ones and changes together', async () => {
    const hal = await test.signUp();
    const minutes = { ...rules(), intervals: [{ interval: '5m', weight: 1 }] };
    const { strategies } = await send(hal, 'POST', '/api/strategies', { name: 'One', value: minutes });
    const url = `/api/strategies/${strategies[0]!.id}`;
    for (let nth = 2; nth <= 120; nth++) await send(hal, 'PUT', url, { name: `Name ${nth}` });
    const rejected = await test.app.inject({ method: 'PUT', url, headers: hal.bearer, payload: { name: 'Name 21' } });
    expect([rejected.statusCode, rejected.json<{ message: string }>().message]).toEqual([
      429,
      'At most 120 saves a minute.',
    ]);
    const other = await test.app.inject({
      method: 'POST',
      url: '/api/strategies',
      headers: hal.bearer,
      payload: { name: 'Two', value: minutes },
    });
    expect(other.statusCode).toBe(429);
  });
});

describe('entries that count', () => {
  // Decided by the candles 10, 11 and 12 of the history, the first three scored ones: scores of .2, .5 and .9.
  const run = { trades: [{ entryIndex: 11 }, { entryIndex: 12 }, { entryIndex: 13 }], score: [0.2, -0.5, 0.9, 0] };
  const result = { ...run, score: Float64Array.from(run.score) };
  const limits = { min_auto_conf_pct: 60, tuning_conf_floor: null, min_conf_on_score: false };

  it('are all of saved rules whose chance is not measured', () => expect(openedBy(result, 10, limits)).toBe(3));

  it('are those above the minimum where scores are held to it', () => {
    // 1 - (1 - .2)^2 = .36, 1 - (1 - .5)^2 = .75, 1 - (1 - .9)^2 = .99.
    expect(openedBy(result, 10, { ...limits, min_conf_on_score: true })).toBe(2);
    expect(openedBy(result, 10, { ...limits, min_conf_on_score: true, min_auto_conf_pct: 80 })).toBe(1);
  });

  it('are those whose measured chance is above the minimum', () => {
    const points = [
      { raw: 0, chance: 0.3 },
      { raw: 1, chance: 0.7 },
    ];
    // Chances of .444, .6 and .696.
    expect(openedBy(result, 10, limits, { kind: 'calibrated', points })).toBe(2);
  });
});

it.each([
  [0, 1, 'These rules would have opened no position in the last 500 candles of 1 symbol.'],
  [1, 100, 'These rules would have opened 1 position in the last 500 candles of 100 symbols.'],
  [37, 2, 'These rules would have opened 37 positions in the last 500 candles of 2 symbols.'],
])('%d positions on %d symbols read as a sentence', (opened, symbols, text) =>
  expect(recentText({ opened, candles: 500, symbols }).text).toBe(text),
);
