// Long because its cases share one app, one database and one market.
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { standardLiquidity } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { respondToTask } from '@sextant/workers/src/node/respondToTask.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { PortfolioResponse } from '../../../../src/features/backtest/portfolio/contract.ts';
import { RunPortfolioBody } from '../../../../src/features/backtest/portfolio/contract.ts';
import { capacityOf, spacedIndices } from '../../../../src/features/backtest/portfolio/figures.ts';
import { readAutoFrom } from '../../../../src/features/backtest/portfolio/autoOf.ts';
import { runPortfolio } from '../../../../src/features/backtest/portfolio/runPortfolio.ts';
import type { Market } from '../../../../src/features/market/port.ts';
import { reject } from '../../../../src/platform/errors.ts';
import { createMarketApp, type MarketApp } from '../../../support/createMarketApp.ts';
import { makeKey } from '../../apiKeys/support.ts';
import type { TestUser } from '../../../support/createTestApp.ts';
import { daysAgoMs } from '../../../support/hours.ts';

let test: MarketApp;
let anna: TestUser;
const endTime = daysAgoMs(30);
const strategy = { ...liveRules(['1h', '4h']), entryThreshold: 0.2 };
const symbols = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'];
const window = { symbols, endTime, limit: 600 };

beforeAll(async () => {
  test = await createMarketApp();
  anna = await test.signUp();
});
afterAll(() => test.close());

const post = (payload: object, user = anna) =>
  test.app.inject({ method: 'POST', url: '/api/backtest/portfolio', headers: user.bearer, payload });
async function run(payload: object, user = anna): Promise<PortfolioResponse> {
  const response = await post(payload, user);
  if (response.statusCode !== 200) throw new Error(response.body);
  return response.json<PortfolioResponse>();
}
const read = async <T>(url: string): Promise<T> => (await test.app.inject({ url, headers: anna.bearer })).json<T>();

/** The run of the service with another market or clock. */
async function runWith(market: Partial<Market>, sent: object, deadlineMs = 20_000) {
  const { db, engine, confidences } = test.deps;
  const deps = { db, engine, confidences, readAuto: readAutoFrom(db, 'simulated'), isCounted: false };
  return runPortfolio({ ...deps, market: { ...test.deps.market, ...market } }, anna.id, RunPortfolioBody.parse(sent), {
    signal: new AbortController().signal,
    deadlineMs,
  });
}

describe('POST /api/backtest/portfolio', () => {
  it('RULE-110 equals the command line on the same candles, fundings and contracts to the bit', async () => {
    const limits = { positionsMax: 2, grossMaxFraction: 5 };
    const body = await run({ ...window, strategy, limits, costs: { initialEquity: 2000 } });
    const names = ['time', 'open', 'high', 'low', 'close', 'volume'];
    const sent = await Promise.all(
      symbols.map(async (symbol) => {
        const of = async (interval: string, limit: number) => {
          const url = `/api/klines?symbol=${symbol}&interval=${interval}&limit=${limit}&endTime=${endTime}`;
          const { candles } = await read<{ candles: Record<string, number[]> }>(url);
          return Object.fromEntries(names.map((name) => [name, candles[name] ?? []]));
        };
        // 600 candles of an hour are 150 of four hours; 500 more are read before.
        const [candles, longer] = [await of('1h', 600), await of('4h', 650)];
        const { contract } = await read<{ contract: Record<string, unknown> }>(`/api/contract?symbol=${symbol}`);
        const { tickSize, stepSize, minNotional, maxQuantity, tiers } = contract;
        const since = endTime - 600 * intervalMs['1h'];
        const { history } = await read<{ history: { at: string; funding_rate: number }[] }>(
          `/api/funding?symbol=${symbol}&since=${since}&until=${endTime}`,
        );
        const inside = history.filter(({ at }) => Date.parse(at) < endTime);
        const funding = {
          time: inside.map(({ at }) => Date.parse(at)),
          rate: inside.map(({ funding_rate: rate }) => rate),
        };
        const costs = { tickSize, stepSize, minNotional, maxQuantity, tiers, funding, liquidationModel: 'binance' };
        return { symbol, candles, context: [longer], costs };
      }),
    );
    const text = JSON.stringify({
      strategy,
      symbols: sent,
      limits,
      costs: { initialEquity: 2000, ...standardLiquidity },
      judge: null,
    });
    const { code, stdout, stderr } = await respondToTask(
      ['portfolio'],
      () => Promise.resolve(text),
      () => Promise.resolve(),
    );
    expect([code, stderr]).toEqual([0, '']);
    const direct = JSON.parse(stdout) as PortfolioResponse & { trades: object[] };
    expect(body.trades.length).toBeGreaterThan(5);
    expect(body.summary).toEqual(direct.summary);
    expect(body.trades).toEqual(direct.trades);
    expect(body.hashes).toEqual(direct.hashes);
    expect(body.summary.funding).not.toBe(0);
    expect(body).toMatchObject({ exchange: 'binance', interval: '1h', strategy_name: null, left_out: [] });
  });

  it('RULE-111 runs what Auto trades over the universe of the user, and follows a change of its settings', async () => {
    const user = await test.signUp();
    const put = (payload: object) =>
      test.app.inject({ method: 'PUT', url: '/api/preferences', headers: user.bearer, payload });
    expect((await put({ whitelist: symbols.join(','), min_auto_conf_pct: 0, leverage: 4 })).statusCode).toBe(200);
    const base = await run({ endTime, limit: 600 }, user);
    expect(base.account).toMatchObject({ isAuto: true, equity: 1000, leverage: 4, sizing: 'risk', riskFraction: 0.01 });
    expect(base.account.limits).toMatchObject({ positionsMax: 5, openingsMax: 5 });
    expect(base).toMatchObject({ interval: '1h', strategy_name: 'Live rules' });
    expect(base.contributions.map(({ symbol }) => symbol)).toEqual(symbols);
    expect(base.summary.tradeCount).toBeGreaterThan(0);
    await put({ max_concurrent_positions: 1, balance_usdt: 3000 });
    const one = await run({ endTime, limit: 600 }, user);
    expect(one.summary.maxOpenCount).toBe(1);
    expect(one.account.equity).toBe(3000);
    await put({ blacklist: 'SOLUSDT' });
    const two = await run({ endTime, limit: 600 }, user);
    expect(two.contributions.map(({ symbol }) => symbol)).toEqual(['BTCUSDT', 'ETHUSDT']);
    await put({ min_auto_conf_pct: 100 });
    expect((await run({ endTime, limit: 600 }, user)).summary.tradeCount).toBe(0);
  });

  it('RULE-110 runs own rules as text on longer intervals, and judges them', async () => {
    const rules = [
      'long when rsi(14) < 40 and 4h(close > sma(close, 20))',
      'short when rsi(14) > 60',
      'exit long when rsi(14) > 55',
      'exit short when rsi(14) < 45',
      'stop 2 * atr(14); target 3R; risk 1 %',
    ].join('\n');
    const body = await run({ ...window, rules, interval: '1h' });
    expect(body.strategy).toMatchObject({ rules, intervals: [{ interval: '1h' }, { interval: '4h' }] });
    expect(body.trades.map(({ closeReason }) => closeReason)).toContain('RULE');
    expect(body.honesty?.level).toBeDefined();
    // Without its own text nothing is the same.
    const other = await run({ ...window, rules: rules.replace('40', '35'), interval: '1h' });
    expect(other.hashes.params).not.toBe(body.hashes.params);
  });

  it('thins the curve, shows exposure, and adds the contributions up', async () => {
    const body = await run({ ...window, strategy, limits: {} });
    const { curve, summary, contributions, months } = body;
    expect(curve.time).toHaveLength(500);
    expect(curve.time.at(-1)).toBe(endTime - intervalMs['1h']);
    expect(curve.equity.at(-1)).toBe(summary.finalEquity);
    expect(Math.max(...curve.openCount)).toBeGreaterThan(0);
    expect(contributions.reduce((sum, { netPnl }) => sum + netPnl, 0)).toBe(summary.netPnl);
    expect(months.length).toBeGreaterThan(0);
    expect(body.trade_count).toBe(summary.tradeCount);
    expect(body.honesty?.figures.length).toBeGreaterThan(0);
    expect(body.contributions.every(({ listed_at: at }) => at !== null)).toBe(true);
    expect(spacedIndices(3)).toEqual([0, 1, 2]);
    expect(spacedIndices(1001, 3)).toEqual([0, 500, 1000]);
  });

  it('RULE-113 names symbols without candles and continues; without any it fails with the reason', async () => {
    const candles: Market['candles'] = (request) =>
      request.symbol === 'ETHUSDT'
        ? Promise.resolve(reject('upstream_unavailable', 'Binance is away.'))
        : request.symbol === 'SOLUSDT'
          ? Promise.resolve(reject('upstream_rate_limited', 'Binance is busy.', { retryAfterS: 9 }))
          : test.deps.market.candles(request);
    const sent = { ...window, symbols: [...symbols, 'NOSUCHUSDT'], strategy };
    const part = await runWith({ candles, readWarm: () => null }, sent);
    expect(part.ok && part.value.left_out).toEqual([
      { symbol: 'ETHUSDT', reason: 'no_candles' },
      { symbol: 'NOSUCHUSDT', reason: 'unknown' },
      { symbol: 'SOLUSDT', reason: 'busy' },
    ]);
    const none = await runWith({ candles, readWarm: () => null }, { ...sent, symbols: ['ETHUSDT', 'SOLUSDT'] });
    expect(none).toMatchObject({ ok: false, error: { code: 'upstream_rate_limited', retryAfterS: 9 } });
    expect((await post({ ...window, symbols: ['NOSUCHUSDT'] })).json()).toMatchObject({ code: 'symbol_unknown' });
    // A symbol that is too young for the votes takes no part.
    const young: Market['candles'] = (request) =>
      test.deps.market.candles(request.symbol === 'ETHUSDT' ? { ...request, limit: 20 } : request);
    const idle = await runWith({ candles: young, readWarm: () => null }, { ...window, strategy: liveRules(['1h']) });
    expect(idle.ok && idle.value.left_out).toEqual([{ symbol: 'ETHUSDT', reason: 'too_few_candles' }]);
  });

  it('RULE-113 ends after its time with the reason, and continues without fundings and tiers that do not load', async () => {
    const hanging: Market['candles'] = ({ signal }) =>
      new Promise((resolve) => {
        signal?.addEventListener('abort', () => resolve(reject('deadline_exceeded')));
      });
    const late = await runWith({ candles: hanging, readWarm: () => null }, { ...window, strategy }, 200);
    expect(late).toMatchObject({ ok: false, error: { code: 'deadline_exceeded' } });
    expect(late.ok ? '' : late.error.message).toContain('Choose fewer symbols');
    const away = () => Promise.resolve(reject('upstream_unavailable', 'Binance is away.'));
    const bare = await runWith({ fundingHistory: away, contract: away }, { ...window, strategy });
    if (!bare.ok) throw new Error(bare.error.message);
    expect(bare.value).toMatchObject({ funding_missing: symbols, tiers_unknown: symbols, summary: { funding: 0 } });
  });

  it('RULE-111 sizes by the leverage that each contract grants, with the base as the largest margin', async () => {
    const contract: Market['contract'] = async (request) => {
      const stated = await test.deps.market.contract(request);
      if (!stated.ok || request.symbol !== 'ETHUSDT') return stated;
      const tiers = [
        { notionalFloor: 0, maintenanceMarginFraction: 0.01, maintenanceAmount: 0, leverageMax: 3 },
        { notionalFloor: 100_000, maintenanceMarginFraction: 0.05, maintenanceAmount: 0, leverageMax: 1 },
      ];
      return { ...stated, value: { ...stated.value, value: { ...stated.value.value, leverageMax: 3, tiers } } };
    };
    const sent = { ...window, strategy: { ...strategy, sizing: { ...strategy.sizing, mode: 'fixed' } } };
    const body = await runWith({ contract }, sent);
    if (!body.ok) throw new Error(body.error.message);
    const { contributions, trades, account } = body.value;
    expect(account).toMatchObject({ isAuto: true, leverage: 10, notional: 10_000, sizing: 'fixed' });
    expect(contributions.map(({ leverage }) => leverage)).toEqual([10, 3, 10]);
    const margins = trades.filter(({ symbol }) => symbol === 'ETHUSDT').map(({ margin }) => margin);
    expect(margins.length).toBeGreaterThan(0);
    // A fixed size is the whole base, as far as the free equity covers it.
    expect(Math.max(...margins)).toBeLessThanOrEqual(1000);
    expect(Math.max(...margins)).toBeGreaterThan(500);
  });

  it('RULE-114 says that survivors were chosen, and measures the bias only with delisted symbols', async () => {
    const sent = { ...window, strategy };
    const usual = await runWith({}, sent);
    expect(usual.ok && usual.value).toMatchObject({
      survivors_only: true,
      survivor_bias: { return_fraction: null, reason: expect.stringContaining('cannot be measured') as string },
    });
    const listed = await test.deps.market.symbols({ exchange: 'binance' });
    if (!listed.ok) throw new Error(listed.error.message);
    const value = listed.value.value.map((each) =>
      each.symbol === 'SOLUSDT' ? { ...each, status: 'halted' as const, hasEnded: true as const } : each,
    );
    const ended = await runWith(
      { symbols: () => Promise.resolve({ ...listed, value: { ...listed.value, value } }) },
      sent,
    );
    const alive = await runWith({}, { ...sent, symbols: ['BTCUSDT', 'ETHUSDT'] });
    if (!ended.ok || !alive.ok) throw new Error('a run failed');
    const { summary, survivor_bias: bias, account } = ended.value;
    expect(ended.value.survivors_only).toBe(false);
    expect(ended.value.contributions.map(({ has_ended: hasEnded }) => hasEnded)).toEqual([false, false, true]);
    expect(bias).toEqual({
      return_fraction: (alive.value.summary.netPnl - summary.netPnl) / account.equity,
      reason: null,
    });
    expect(bias.return_fraction).not.toBe(0);
  });

  it('RULE-115 states the largest equal order within a tenth of the turnover of each candle', () => {
    const column = (...values: number[]) => Float64Array.from(values);
    const candles = (close: number[], volume: number[]) => ({
      time: column(1, 2, 3),
      open: column(1, 1, 1),
      high: column(1, 1, 1),
      low: column(1, 1, 1),
      close: column(...close),
      volume: column(...volume),
    });
    const two = [
      { symbol: 'A', candles: candles([10, 10, 10], [500, 900, 50]) },
      { symbol: 'B', candles: candles([2, 2, 2], [1000, 100, 1000]) },
    ];
    // Turnovers of A: 5000, 9000, 500; of B: 2000, 200, 2000.
    const trade = (symbol: string, entryIndex: number, exitIndex: number) => ({ symbol, entryIndex, exitIndex });
    expect(capacityOf([], two)).toBeNull();
    expect(capacityOf([trade('A', 0, 1)], two)).toEqual({ notional: 500, symbol: 'A' });
    expect(capacityOf([trade('A', 0, 1), trade('B', 0, 2)], two)).toEqual({ notional: 200, symbol: 'B' });
    expect(capacityOf([trade('B', 0, 2), trade('A', 1, 2)], two)).toEqual({ notional: 50, symbol: 'A' });
  });

  it('RULE-116 counts each changed run as a try, and the same one once', async () => {
    const user = await test.signUp();
    const trials = async (limits: object) => (await run({ ...window, strategy, limits }, user)).honesty?.trialCount;
    expect(await trials({ positionsMax: 1 })).toBe(1);
    expect(await trials({ positionsMax: 1 })).toBe(1);
    expect(await trials({ positionsMax: 2 })).toBe(2);
    const body = await run({ ...window, strategy, limits: { positionsMax: 2 }, earlierTrials: 40 }, user);
    expect(body.honesty?.trialCount).toBe(41);
    expect((await run({ ...window, strategy, honesty: false }, user)).honesty).toBeNull();
  });

  it('rejects what does not fit, by field', async () => {
    const fieldOf = async (payload: object) =>
      (await post(payload)).json<{ errors?: { field: string }[]; field?: string }>();
    for (const [sent, field] of [
      [{ symbols: ['BTCUSDT', 'btcusdt'] }, 'symbols'],
      [{ symbols: [] }, 'symbols'],
      [{ limit: 6000 }, 'limit'],
      [{ strategy, rules: 'long when close > open' }, 'rules'],
      [{ strategy, interval: '4h' }, 'interval'],
      [{ limits: { positionsMax: -1 } }, 'limits.positionsMax'],
      [{ costs: { tickSize: 1 } }, 'costs'],
    ] as const)
      expect(JSON.stringify(await fieldOf(sent)), field).toContain(field);
    // Without tiers no position may be that large.
    const contract = () => Promise.resolve(reject('upstream_unavailable', 'Binance is away.'));
    const huge = { ...window, strategy, limits: {}, costs: { initialEquity: 1e6, notional: 1e6 } };
    expect(await runWith({ contract }, huge)).toMatchObject({
      ok: false,
      error: { code: 'validation_failed', field: 'costs.notional' },
    });
  });

  it('RULE-116 works in the sandbox', async () => {
    const key = await makeKey(test, anna, { mode: 'test', scopes: ['run:backtest'] });
    const response = await test.app.inject({
      method: 'POST',
      url: '/api/backtest/portfolio',
      headers: key.header,
      payload: { symbols: ['BTCUSDT', 'ETHUSDT'], interval: '1h', limit: 300 },
    });
    expect(response.statusCode, response.body.slice(0, 300)).toBe(200);
    expect(response.json<PortfolioResponse>()).toMatchObject({
      account: { isAuto: true },
      summary: { symbolCount: 2 },
    });
  });

  it('RULE-116 limits the runs of a user', async () => {
    const user = await test.signUp();
    vi.setSystemTime(Date.now());
    try {
      const codes: number[] = [];
      for (let i = 0; i < 31; i++) codes.push((await post({ symbols: [] }, user)).statusCode);
      expect(codes.at(-1)).toBe(429);
    } finally {
      vi.useRealTimers();
    }
  });
});
