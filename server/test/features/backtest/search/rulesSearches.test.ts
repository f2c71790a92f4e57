import { gunzipSync } from 'node:zlib';
import { RULES_SET_LENGTH } from '@sextant/engine-as/abi/optimize.ts';
import { liveRules, type Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import type { BacktestResult } from '@sextant/workers/src/protocol/backtest.ts';
import type { TaskResult } from '@sextant/workers/src/protocol/taskResult.ts';
import type { TrialColumns } from '@sextant/workers/src/protocol/optimize.ts';
import { runTask, startEngine, type TaskEngine } from '@sextant/workers/src/tasks/index.ts';
import { setOf } from '@sextant/workers/src/tasks/optimize/parameters.ts';
import { atOneSize } from '@sextant/workers/src/tasks/optimize/rulesEvaluator.ts';
import { unpackRules } from '@sextant/workers/src/tasks/optimize/rulesSpace.ts';
import { RulesSpaceWire } from '@sextant/workers/src/protocol/wire/optimize.ts';
import { unpackTrials } from '@sextant/workers/src/protocol/wire/trialColumns.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chunksOf } from '../../../../src/features/backtest/search/startSearch.ts';
import { startWorkers } from '../../../../src/startWorkers.ts';
import { createTestApp, type TestApp } from '../../../support/createTestApp.ts';
import {
  bodyOf,
  expectSame,
  post,
  read,
  rulesBody,
  rulesDirectly,
  rulesMarket,
  type Search,
  type SearchResult,
  strategy,
} from './searchHarness.ts';

let test: TestApp;
let direct: TaskEngine;
let stopWorkers = (): Promise<void> => Promise.resolve();
beforeAll(async () => {
  test = await createTestApp();
  direct = startEngine(await loadModule());
  stopWorkers = await startWorkers(test.deps, test.app.log);
});
afterAll(async () => {
  await stopWorkers();
  await test.close();
});

/** The plain backtest of one strategy on the same candles. */
function ranAlone(one: Strategy): BacktestResult {
  const input = { ...rulesMarket, strategy: one };
  const outcome = runTask(direct, { name: 'backtestStrategy', input }) as TaskResult<BacktestResult>;
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.value;
}

const rulesSpace = { weight: { min: -1, max: 2 }, stop: { min: 1, max: 5 } };

describe('a search over rules', () => {
  it('returns the bits of a single-piece run at once, and each leader equals the run of its strategy', async () => {
    const anna = await test.signUp();
    const optimize = { samples: 300, seed: 11, trainOn: 'scored', rulesSpace, walkForward: { folds: 2 } } as const;
    const response = await post(test, anna, rulesBody(optimize));
    expect(response.statusCode, response.body).toBe(200);
    const result = response.json<SearchResult & { id: string; walkForward: { folds: { strategy: Strategy }[] } }>();
    expectSame(result, rulesDirectly(direct, optimize));
    expect(result.leaders).toHaveLength(5);
    for (const leader of result.leaders)
      expect(ranAlone(atOneSize(leader.strategy!)).summary.netPnl).toBe(leader.value);
    const { best, walkForward } = result;
    const alone = ranAlone(best.strategy!);
    expect(best.hashes).toEqual(alone.hashes);
    expect(best.value).toBe(ranAlone(atOneSize(best.strategy!)).summary.netPnl);
    expect(walkForward.folds.map((fold) => fold.strategy.intervals)).toEqual([strategy.intervals, strategy.intervals]);
    // The stored run is that of the best rules, not of the submitted ones.
    const [stored] = await test.database.asOwner<{ strategy: Strategy }>(
      'select strategy from backtests where id = $1',
      [result.id],
    );
    expect(stored?.strategy).toEqual(best.strategy);
    // A repeat over the API gives the same hashes.
    const { context, candles } = rulesBody({});
    const again = { candles, context, interval: '1h', scored: 200, strategy: best.strategy };
    expect((await post(test, anna, again)).json<{ hashes: object }>().hashes).toEqual(best.hashes);
  });

  it('takes the ranges that the document of the API shows', async () => {
    const [example] = RulesSpaceWire.meta()?.['examples'] as [object];
    const body = rulesBody({ samples: 12, refine: false, rulesSpace: example });
    const { leaders } = (await post(test, await test.signUp(), body)).json<SearchResult>();
    expect(leaders.length).toBeGreaterThan(0);
    for (const { index, strategy: result } of leaders)
      expect([result?.weights['rsi'], result?.trailing.mode]).toEqual(
        index === 0 ? [strategy.weights['rsi'], 'off'] : [0, 'atr'],
      );
  });

  it('is judged on request, with every trial of every stage counted', async () => {
    const optimize = { samples: 60, seed: 3, guide: true, rulesSpace };
    const body = { ...rulesBody(optimize), honesty: true, earlierTrials: 9 };
    const judged = (await post(test, await test.signUp(), body)).json<{ honesty: { trialCount: number } }>();
    // Refinement and CMA-ES try as many sets again as there are samples.
    expect(judged.honesty.trialCount).toBe(60 + 60 + 9);
  });

  it('runs deep through the queue to the bits of a single-piece run, and each row is the run of its rules at one size', async () => {
    const anna = await test.signUp();
    const optimize = {
      ...({ samples: 1200, seed: 3, target: 'expectancy', trainOn: 'scored', guide: true } as const),
      rulesSpace,
      walkForward: { kind: 'rolling', folds: 2 },
    };
    const ordered = await post(test, anna, rulesBody(optimize));
    expect(ordered.statusCode, ordered.body).toBe(202);
    const id = ordered.json<{ search: Search }>().search.search_id;
    await expect.poll(async () => (await read(test, anna, id)).status, { timeout: 60_000 }).toBe('done');
    const ended = await read(test, anna, id);
    const whole = rulesDirectly(direct, optimize);
    expectSame(ended.result!, whole);
    expect(ended).toMatchObject({
      kind: 'rules',
      request: { params: {}, strategy, optimize },
      done: 1200,
      samples: 1200,
    });

    const response = await test.app.inject({ url: `/api/backtest/searches/${id}/trials`, headers: anna.bearer });
    const trials = unpackTrials(gunzipSync(response.rawPayload));
    for (const name of Object.keys(whole.trials) as (keyof TrialColumns)[])
      expect(trials[name], name).toEqual(Float64Array.from([...whole.trials[name], ...whole.refined[name]]));
    // Rows of every stage: each is the plain backtest of its strategy, at one size.
    const sets = Float64Array.from([...whole.sets!.trials, ...whole.sets!.refined]);
    for (let row = 0; row < trials.netPnl.length; row += 37) {
      const one = unpackRules(setOf(sets, row, RULES_SET_LENGTH), strategy);
      const { netPnl, tradeCount } = ranAlone(atOneSize(one)).summary;
      expect([row, trials.netPnl[row], trials.tradeCount[row]]).toEqual([row, netPnl, tradeCount]);
    }
    const ben = await test.signUp();
    const ofBen = await test.app.inject({ url: `/api/backtest/searches/${id}`, headers: ben.bearer });
    expect(ofBen.statusCode).toBe(404);
  }, 120_000);

  it('is cut into smaller chunks than Classic, by what a set costs', () => {
    const [classic, rules] = [chunksOf(30_000, 400), chunksOf(30_000, 400, 30)];
    expect(classic[0]).toEqual({ from: 0, count: 5000 });
    // 6,000,000 sets of Classic times candles: 400 candles at 30 sets of Classic each.
    expect(rules[0]).toEqual({ from: 0, count: 500 });
    expect(rules.reduce((sum, { count }) => sum + count, 0)).toBe(30_000);
  });
});

describe('a search over rules is rejected, naming the field', () => {
  const withoutStrategy = (optimize: object) => bodyOf(optimize);
  it.each([
    ['ranges of parameters', rulesBody({ space: { slPct: { min: 0.01, max: 0.02 } } }), 'optimize.space'],
    ['ranges of rules without a strategy', withoutStrategy({ rulesSpace: {} }), 'optimize.rulesSpace'],
    [
      'a stop beyond what the strategy may have',
      rulesBody({ rulesSpace: { stop: { min: 0.5, max: 400 } } }),
      'optimize.rulesSpace.stop',
    ],
    [
      'a deep search with a weight range upside down',
      rulesBody({ samples: 2000, rulesSpace: { weights: { rsi: { min: 1, max: -1 } } } }),
      'optimize.rulesSpace.weights.rsi',
    ],
    [
      'the news, which no search moves',
      rulesBody({ rulesSpace: { weights: { news: { min: 0, max: 1 } } } }),
      'optimize.rulesSpace.weights.news',
    ],
    [
      'a threshold beyond 1',
      { ...rulesBody({}), strategy: { ...strategy, entryThreshold: 2 } },
      'strategy.entryThreshold',
    ],
    ['a longer interval that is missing', { ...rulesBody({}), context: [] }, 'context'],
  ])('%s', async (_, body, field) => {
    const response = await post(test, await test.signUp(), body);
    expect([response.statusCode, response.json<{ field: string }>().field], response.body).toEqual([400, field]);
  });

  /** Candles with constant prices. */
  const flatCandles = (count: number, stepMs: number, fromMs = stepMs) => {
    const column = (of: (i: number) => number) => Array.from({ length: count }, (_, i) => of(i));
    const one = () => 1;
    const prices = { open: column(one), high: column(one), low: column(one), close: column(one) };
    return { ...prices, volume: column(one), time: column((i) => fromMs + i * stepMs) };
  };

  it('by what its sets cost: six sets of Classic each', async () => {
    const anna = await test.signUp();
    // 1,000,000,000 sets of Classic times candles: 83,333 sets of rules on 2,000 candles.
    const body = { candles: flatCandles(2000, 3_600_000), interval: '1h', optimize: { samples: 83_334 } };
    const rejected = await post(test, anna, { ...body, strategy: liveRules(['1h']) });
    expect([rejected.statusCode, rejected.json<object>()]).toEqual([
      400,
      expect.objectContaining({
        field: 'optimize.samples',
        detail: 'optimize.samples 83334: at most 83333 of this strategy with 2000 candles',
      }),
    ]);
    // Classic passes this check; it is rejected later, as these candles have one price.
    const classic = await post(test, anna, body);
    expect([classic.statusCode, classic.json<{ code: string }>().code]).toEqual([422, 'market_not_trading']);
  });

  it('as too large when candles and longer intervals together are more than one search keeps', async () => {
    const own = flatCandles(199_000, 60_000);
    const fine = flatCandles(199_000, 60_000, 60_001);
    const body = { candles: own, fineCandles: fine, interval: '1m', scored: 100, optimize: { samples: 2000 } };
    const response = await post(test, await test.signUp(), body);
    expect([response.statusCode, response.json<{ field: string }>().field], response.body.slice(0, 300)).toEqual([
      400,
      'candles',
    ]);
  });
});
