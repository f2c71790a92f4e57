import { honestyRegistry } from '@sextant/engine-as/abi/honesty.ts';
import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PortfolioResponse } from '../../../../src/features/backtest/portfolio/contract.ts';
import { readAutoFrom } from '../../../../src/features/backtest/portfolio/autoOf.ts';
import {
  type PortfolioSearchResponse,
  SearchPortfolioBody,
} from '../../../../src/features/backtest/portfolio/searchContract.ts';
import { partSetsOf, searchPortfolio } from '../../../../src/features/backtest/portfolio/searchPortfolio.ts';
import { createMarketApp, type MarketApp } from '../../../support/createMarketApp.ts';
import type { TestUser } from '../../../support/createTestApp.ts';
import { daysAgoMs } from '../../../support/hours.ts';

let test: MarketApp;
let anna: TestUser;
const endTime = daysAgoMs(30);
const strategy = { ...liveRules(['1h']), entryThreshold: 0.2 };
const run = { symbols: ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'], endTime, limit: 800, strategy, limits: { positionsMax: 3 } };
const ranges = {
  entryThreshold: { min: 0.1, max: 0.3 },
  stopFactor: { min: 0.5, max: 1.5 },
  positionsMax: { min: 1, max: 3 },
};
const sent = { run, ranges, samples: 24, seed: 5 };

beforeAll(async () => {
  test = await createMarketApp();
  anna = await test.signUp();
});
afterAll(() => test.close());

const post = (url: string, payload: object, user: TestUser) =>
  test.app.inject({ method: 'POST', url, headers: user.bearer, payload });
async function search(payload: object, user = anna): Promise<PortfolioSearchResponse> {
  const response = await post('/api/backtest/portfolio/search', payload, user);
  if (response.statusCode !== 200) throw new Error(response.body);
  return response.json<PortfolioSearchResponse>();
}
async function runOnce(payload: object, user = anna): Promise<PortfolioResponse> {
  const response = await post('/api/backtest/portfolio', payload, user);
  if (response.statusCode !== 200) throw new Error(response.body);
  return response.json<PortfolioResponse>();
}

describe('POST /api/backtest/portfolio/search', () => {
  it('RULE-090 has for each set the figures of its own run on the searched candles, to the bit, the best first', async () => {
    const found = await search(sent);
    expect(found.train.candles).toBe(560);
    expect(found.unseen).toMatchObject({ candles: 240, from: found.train.to, to: endTime });
    expect(found.leaders.length).toBeGreaterThan(3);
    const nets = found.leaders.map(({ train }) => train.netPnl);
    expect(nets).toEqual(nets.toSorted((a, b) => b - a));
    const trained = { ...run, endTime: found.train.to, limit: found.train.candles, honesty: false };
    for (const { set, limits, train } of [found.own, ...found.leaders.slice(0, 3)]) {
      const levels = Object.keys(set).length === 0 ? {} : { set };
      const alone = await runOnce({ ...trained, ...levels, limits: { ...run.limits, ...limits } });
      expect(train).toEqual(alone.summary);
      expect(train.tradeCount).toBeGreaterThanOrEqual(10);
    }
    expect(found.own).toMatchObject({ index: 0, set: {}, limits: {} });
    expect(found.best).toEqual({ ...found.leaders[0], unseen: found.best?.unseen });
    expect(found.best?.unseen?.netPnl).not.toBe(found.best?.train.netPnl);
    // The same request draws and finds the same.
    const again = await search(sent);
    expect({ ...again, honesty: null }).toEqual({ ...found, honesty: null });
    expect((await search({ ...sent, seed: 6 })).best).not.toEqual(found.best);
  });

  it('RULE-091 counts every set once, and says how much of the best one is luck', async () => {
    const user = await test.signUp();
    const first = await search(sent, user);
    expect(first.honesty?.trialCount).toBe(24);
    const figureOf = (id: string) => first.honesty?.figures.find((each) => each.id === id);
    for (const id of ['luckCeiling', 'deflatedSharpe', 'overfitting']) expect(figureOf(id)?.value, id).not.toBeNull();
    // In some markets the best set closes few trades on the unseen candles.
    const { needs } = honestyRegistry.find(({ id }) => id === 'holdout') ?? {};
    const needed = needs !== undefined && 'trades' in needs ? needs.trades : 0;
    const { tradeCount } = first.best?.unseen ?? { tradeCount: 0 };
    if (tradeCount >= needed) expect(figureOf('holdout')?.value).not.toBeNull();
    else expect(figureOf('holdout')?.words).toContain(`of ${needed} needed`);
    expect((await search(sent, user)).honesty?.trialCount).toBe(24);
    // Another search adds its sets, and a run is judged among all of them.
    const second = await search({ ...sent, seed: 6, run: { ...run, earlierTrials: 3 } }, user);
    expect(second.honesty?.trialCount).toBe(48);
    const other = { ...run, limits: { positionsMax: 2, openingsMax: 1 } };
    expect((await runOnce(other, user)).honesty?.trialCount).toBe(49);
    expect((await search({ ...sent, run: { ...run, honesty: false } }, user)).honesty).toBeNull();
  });

  it('RULE-090 has no best set where none closed 10 trades', async () => {
    const closed = { ...run, strategy: { ...strategy, entryThreshold: 1 } };
    const body = { ...sent, run: closed, ranges: { entryThreshold: { min: 1, max: 1 } } };
    expect(await search(body)).toMatchObject({ best: null, leaders: [], ranked: 0, honesty: null });
  });

  it('RULE-090 searches what Auto trades, with the limits of its settings', async () => {
    const found = await search({ ...sent, run: { symbols: run.symbols, endTime, limit: 800 } });
    expect(found).toMatchObject({ strategy_name: 'Live rules', equity: 1000, interval: '1h', samples: 24 });
  });

  it('RULE-090 rejects what does not fit, by field', async () => {
    // A user has ten searches a minute, wrong ones among them.
    const user = await test.signUp();
    const rules = { symbols: run.symbols, interval: '1h', limit: 300, rules: 'long when rsi(14) < 40' };
    for (const [payload, field] of [
      [{ ...sent, ranges: {} }, 'ranges'],
      [{ ...sent, ranges: { positionsMax: { min: 3, max: 2 } } }, 'ranges.positionsMax.max'],
      [{ ...sent, ranges: { entryThreshold: { min: 0.105, max: 0.2 } } }, 'ranges.entryThreshold.min'],
      [{ ...sent, samples: 5 }, 'samples'],
      [{ ...sent, target: 'luck' }, 'target'],
      [{ ...sent, run: { ...run, limit: 5 } }, 'run.limit'],
      [{ ...sent, run: rules }, 'ranges.entryThreshold'],
      [{ ...sent, run: { ...rules, set: { entryThreshold: 0.2 } } }, 'run.set'],
      // Before any symbol is looked up.
      [{ ...sent, ranges: {}, run: { ...run, symbols: ['NOSUCHUSDT'] } }, 'ranges must have one range'],
    ] as const) {
      const response = await post('/api/backtest/portfolio/search', payload, user);
      expect([response.statusCode, response.body], field).toEqual([400, expect.stringContaining(field)]);
    }
    const slots = { ...sent, run: { ...rules, endTime, limit: 800 }, ranges: { positionsMax: { min: 1, max: 3 } } };
    expect((await search(slots, user)).leaders.every(({ set }) => Object.keys(set).length === 0)).toBe(true);
  });

  it('RULE-195 searches the ranges of own rules, counts every set, and a set runs with the figures of the search', async () => {
    const user = await test.signUp();
    const rules = `fast = 14 [6..20 step 2]
long when rsi(fast) < 40
short when rsi(fast) > 60
stop 2 * atr(14); target 3R; risk 1 %`;
    const own = { symbols: run.symbols, interval: '1h', rules, endTime, limit: 800, limits: { positionsMax: 3 } };
    const found = await search({ run: own, ranges: {}, samples: 16, seed: 5 }, user);
    expect(found).toMatchObject({ samples: 16, honesty: { trialCount: 16 }, own: { set: {}, limits: {} } });
    const values = found.leaders.map(({ set }) => set.values?.['fast']);
    for (const value of values) expect([6, 8, 10, 12, 14, 16, 18, 20, undefined]).toContain(value);
    expect(new Set(values).size).toBeGreaterThan(2);
    const { set, train } = found.leaders[0] ?? found.own;
    const trained = { ...own, endTime: found.train.to, limit: found.train.candles };
    const ofSet = Object.keys(set).length === 0 ? trained : { ...trained, set };
    const alone = await runOnce({ ...ofSet, honesty: false }, user);
    expect(alone.summary).toEqual(train);
    // The same numbers in the text are the same run; a found set is not counted again on the candles of its search.
    const typed = rules.replace('fast = 14', `fast = ${set.values?.['fast'] ?? 14}`);
    expect((await runOnce({ ...trained, rules: typed, honesty: false }, user)).summary).toEqual(train);
    expect((await runOnce({ ...own, set }, user)).honesty?.trialCount).toBe(16);

    const fieldOf = async (payload: object): Promise<unknown> => {
      const response = await post('/api/backtest/portfolio', payload, user);
      return response.json<{ field?: string }>().field;
    };
    expect(await fieldOf({ ...own, set: { values: { fast: 21 } } })).toBe('set.values.fast');
    expect(await fieldOf({ ...own, set: { values: { slow: 9 } } })).toBe('set.values.slow');
    expect(await fieldOf({ ...own, set: { values: { fast: 7 } } })).toBe('set.values.fast');
    // A drawn number of two digits would not fit.
    const long = `${rules.replace('fast = 14', 'fast = 6')}\n#`.padEnd(4000, '.');
    const tooLong = await post('/api/backtest/portfolio/search', { run: { ...own, rules: long } }, user);
    expect([tooLong.statusCode, tooLong.json<{ field?: string }>().field]).toEqual([400, 'run.rules']);
    expect(await fieldOf({ ...run, set: { values: { fast: 9 } } })).toBe('set.values');
  });

  it('RULE-195 divides the sets by the candles that they score again', () => {
    const accountOf = (symbolCount: number, candleCount: number) => ({
      symbols: Array.from(
        { length: symbolCount },
        () => ({ candles: { time: new Float64Array(candleCount) } }) as never,
      ),
    });
    const levels = Array.from({ length: 1000 }, () => ({ limits: { positionsMax: 1 } }));
    const values = [{}, ...Array.from({ length: 999 }, () => ({ values: { n: 5 } }))];
    expect(partSetsOf(accountOf(128, 5000), levels)).toBe(100);
    // 640,000 candles each.
    expect(partSetsOf(accountOf(128, 5000), values)).toBe(6);
    expect(partSetsOf(accountOf(2, 1000), values)).toBe(100);
    expect(partSetsOf(accountOf(2, 1000), values.slice(0, 20))).toBe(16);
  });

  it('RULE-092 ends after its time with the reason, and with the request', async () => {
    const { db, engine, confidences, market } = test.deps;
    const deps = { db, engine, confidences, market, readAuto: readAutoFrom(db, 'simulated'), isCounted: false };
    const body = SearchPortfolioBody.parse({ ...sent, samples: 1000 });
    const late = await searchPortfolio(deps, anna.id, body, { signal: new AbortController().signal, deadlineMs: 1 });
    expect(late).toMatchObject({ ok: false, error: { code: 'deadline_exceeded' } });
    const stop = new AbortController();
    const stopped = searchPortfolio(deps, anna.id, body, { signal: stop.signal });
    stop.abort();
    expect(await stopped).toMatchObject({ ok: false });
  });
});
