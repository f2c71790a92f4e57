import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import type { BacktestResult, Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { defaultCosts, standardLiquidity } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { ownRulesOf } from '@sextant/workers/src/protocol/wire/strategy.ts';
import { runTask, startEngine } from '@sextant/workers/src/tasks/index.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import type { TestUser } from '../../support/createTestApp.ts';
import { daysAgoMs } from '../../support/hours.ts';

let test: MarketApp;
let anna: TestUser;
const endTime = daysAgoMs(30);
beforeAll(async () => {
  test = await createMarketApp();
  anna = await test.signUp();
});
afterAll(() => test.close());

const rules = `fast = 9 [5..20 step 1]; slow = 21
long when crossover(ema(close, fast), ema(close, slow)) and 4h(close > sma(close, 20))
short when crossunder(ema(close, fast), ema(close, slow))
exit long when close < ema(close, slow)
stop 2 * atr(14); target 3R; risk 1 %`;
const costs = { fundingSource: 'off', ...standardLiquidity } as const;
const market = {
  symbol: 'ETHUSDT',
  interval: '1h',
  endTime,
  limit: 600,
  isExact: true,
  scored: 400,
  costs,
  fineData: false,
};

type ResponseBody = Record<string, unknown> & {
  id: string;
  hashes: BacktestResult['hashes'];
  strategy: { rules: string; intervals: { interval: string }[] };
  tradeList: { closeReason: string }[];
  honesty: { trialCount: number; level: string };
  context?: object[];
  field?: string;
  detail?: string;
};
const post = async (payload: object, user = anna, url = '/api/backtest') => {
  const response = await test.app.inject({ method: 'POST', url, headers: user.bearer, payload });
  return { status: response.statusCode, ...response.json<ResponseBody>() };
};
const of = async (interval: string, limit: number): Promise<Candles> => {
  const url = `/api/klines?symbol=ETHUSDT&interval=${interval}&limit=${limit}&endTime=${endTime}`;
  const response = await test.app.inject({ url, headers: anna.bearer });
  const { candles } = response.json<{ candles: Record<string, number[]> }>();
  const names = ['time', 'open', 'high', 'low', 'close', 'volume'];
  return Object.fromEntries(names.map((name) => [name, Float64Array.from(candles[name] ?? [])])) as unknown as Candles;
};
const sent = (candles: Candles) =>
  Object.fromEntries(Object.entries(candles).map(([name, column]) => [name, Array.from(column as Float64Array)]));
const strategyOf = (text: string) => {
  const own = ownRulesOf(text, '1h');
  if (!own.ok) throw new Error(own.error[0]?.message);
  return own.value;
};

describe('POST /api/backtest with own rules', () => {
  it('RULE-011 runs the text as the engine does on the candles of each interval, by symbol and by own candles', async () => {
    const body = await post({ ...market, rules, rulesOf: 'none' });
    expect(body.status, body.detail).toBe(200);
    expect(body.strategy).toEqual(strategyOf(rules));
    expect(body.tradeList.length).toBeGreaterThan(3);
    // 600 hours are 150 candles of 4 h; 300 more are read before them.
    const [base, longer] = await Promise.all([of('1h', 600), of('4h', 450)]);
    const input = {
      candles: base,
      context: [longer],
      strategy: strategyOf(rules),
      costs: { ...defaultCosts, ...costs },
      scoredCount: 400,
    };
    const direct = runTask(startEngine(await loadModule()), { name: 'backtestStrategy', input });
    if (!direct.ok) throw new Error(direct.error.message);
    const { result } = (direct.value as BacktestResult).hashes;
    expect(body.hashes.result).toBe(result);
    const own = { interval: '1h', candles: sent(base), context: [sent(longer)], scored: 400, costs };
    expect((await post({ ...own, rules })).hashes.result).toBe(result);
    expect((await post({ ...own, strategy: body.strategy })).hashes.result).toBe(result);
    const [missing, shifted] = [
      await post({ ...own, rules, context: undefined }),
      await post({ ...own, rules, context: [sent({ ...longer, high: longer.high.map((price) => price * 1.1) })] }),
    ];
    expect(missing).toMatchObject({ status: 400, field: 'context' });
    expect(shifted.status).toBe(400);
    expect(shifted.field).toMatch(/^context\.0\.high/);
  });

  it('RULE-011 rejects a text with an error by its line, column and fix, and rules beside a strategy', async () => {
    const bad = await post({ ...market, rules: 'long when close > 0\nshort when rsj(14) > 70' });
    expect(bad).toMatchObject({ status: 400, field: 'rules' });
    expect(bad.detail).toMatch(/line 2, column 12: .+; .*rsi/);
    const both = await post({ ...market, rules, strategy: strategyOf(rules) });
    expect(both).toMatchObject({ status: 400, field: 'rules' });
    expect(both.detail).toContain('send either `rules` or `strategy`');
    for (const text of ['', 'x'.repeat(4001), 'long when close > 0 # \0', 'long when close > 0 # \ud800'])
      expect(await post({ ...market, rules: text })).toMatchObject({ status: 400, field: 'rules' });
    const short = await post({ ...market, rules: '4h = 3' });
    expect(short).toMatchObject({ status: 400, field: 'rules' });
  });

  it('RULE-011 is stored and named with its text, shared, repeated, and saved as the screen', async () => {
    // Three bytes a character: larger than any strategy of votes.
    const wide = `${rules}\n# ${'\u4e2d'.repeat(3600)}`;
    const name = 'own rules';
    const body = await post({ ...market, rules: wide, rulesOf: 'none', name });
    expect(body.status, body.detail).toBe(200);
    const listed = await test.app.inject({ url: '/api/backtest/saved', headers: anna.bearer });
    const { runs } = listed.json<{ runs: { id: string; name: string; strategy: object }[] }>();
    expect(runs.find(({ id }) => id === body.id)).toMatchObject({ name, strategy: strategyOf(wide) });
    const { isExact: _always, ...linked } = market;
    const link = { ...linked, params: {}, strategy: body.strategy };
    const shared = await post(link, anna, '/api/shared-backtest');
    expect(shared.status, shared.detail).toBe(200);
    expect(shared.hashes).toEqual(body.hashes);
    expect(shared.context).toHaveLength(1);
    const state = { symbol: 'ETHUSDT', interval: '1h', params: {}, strategy: body.strategy };
    const url = '/api/backtest/state';
    const put = await test.app.inject({ method: 'PUT', url, headers: anna.bearer, payload: state });
    expect(put.statusCode, put.body).toBe(200);
    const read = await test.app.inject({ url, headers: anna.bearer });
    expect(read.json<{ state: object }>().state).toMatchObject({ strategy: body.strategy });
    // The stored strategy repeats the run.
    const again = await post({ ...market, strategy: body.strategy, rulesOf: 'none' });
    expect(again.hashes).toEqual(body.hashes);
  });

  it('RULE-011 counts a text with its values as one tried set, and judges it', async () => {
    const bert = await test.signUp();
    const judged = async (text: string) => (await post({ ...market, rules: text, honesty: true }, bert)).honesty;
    const first = await judged(rules);
    expect(['luck', 'unclear', 'holds up', 'not enough data']).toContain(first.level);
    expect(first.trialCount).toBe(1);
    expect((await judged(rules)).trialCount).toBe(1);
    expect((await judged(rules.replace('fast = 9', 'fast = 10'))).trialCount).toBe(2);
    expect((await judged('long when rsi(14) < 30')).trialCount).toBe(3);
    // The same strategy sent as a value is the same set.
    const { honesty } = await post({ ...market, strategy: strategyOf(rules), honesty: true }, bert);
    expect(honesty.trialCount).toBe(3);
  });

  it('RULE-011 reads funding, mark prices and the clock of the symbol', async () => {
    const text = 'long when funding != 0 and mark > 0 and funding_in <= 8 and hour in 0..12\nhold 6';
    const run = await post({ ...market, rules: text, costs: {}, fineData: true });
    expect(run.status, run.detail).toBe(200);
    expect(run.tradeList.length).toBeGreaterThan(5);
  });
});
