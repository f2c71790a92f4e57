import { gunzipSync } from 'node:zlib';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import type { BacktestResult } from '@sextant/workers/src/protocol/backtest.ts';
import type { TaskResult } from '@sextant/workers/src/protocol/taskResult.ts';
import { runTask, startEngine, type TaskEngine } from '@sextant/workers/src/tasks/index.ts';
import { ownParameters, setOf } from '@sextant/workers/src/tasks/optimize/parameters.ts';
import { unpackOwn } from '@sextant/workers/src/tasks/optimize/ownSpace.ts';
import { atOneSize } from '@sextant/workers/src/tasks/optimize/rulesEvaluator.ts';
import { unpackTrials } from '@sextant/workers/src/protocol/wire/trialColumns.ts';
import { ownStrategy } from '@sextant/workers/test/support/ownRules.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorkers } from '../../../../src/startWorkers.ts';
import { createTestApp, type TestApp } from '../../../support/createTestApp.ts';
import {
  bodyOf,
  expectSame,
  post,
  read,
  rulesBody,
  rulesMarket,
  type Search,
  type SearchResult,
  wholeSearch,
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

const text = `fast = 5 [3..20 step 1]; slow = 30 [21..60 step 3] # averages
w = 2 [1..3 step 0.25]
long when crossover(ema(close, fast), ema(close, slow)) and 4h(close > sma(close, 10))
short when crossunder(ema(close, fast), ema(close, slow))
stop w * atr(14); target 2R`;
const strategy = ownStrategy(text, '1h');
const ownBody = (optimize: object) => ({ ...rulesBody(optimize), strategy });
/** The same in one piece, directly on an engine. */
const ownDirectly = (optimize: object) =>
  wholeSearch(direct, {
    ...rulesMarket,
    params: { ...bodyParams, entryThreshold: 0.1 },
    rules: { strategy, context: rulesMarket.context },
    samples: 50,
    target: 'pnl',
    seed: 1,
    ...optimize,
  });
const bodyParams = {
  weights: {},
  stopLossFraction: 0.02,
  takeProfitFraction: 0.04,
  trailing: { enabled: false, callbackFraction: 0.005, stepFraction: 0.0025 },
};

function ranAlone(one: typeof strategy): BacktestResult {
  const input = { ...rulesMarket, strategy: atOneSize(one) };
  const outcome = runTask(direct, { name: 'backtestStrategy', input }) as TaskResult<BacktestResult>;
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.value;
}

interface OwnResult extends SearchResult {
  id: string;
  best: SearchResult['best'] & { values: Record<string, number> };
  leaders: (SearchResult['leaders'][number] & { values: Record<string, number> })[];
  walkForward: { folds: { strategy: { rules: string }; values: Record<string, number> }[] };
}

describe('a search over own rules on the server', () => {
  it('RULE-023 returns the bits of one piece, values by name, and stores the best text as a run', async () => {
    const anna = await test.signUp();
    const walkForward = { kind: 'anchored', folds: 2, purgeBars: 5, embargoBars: 5 };
    const optimize = { samples: 300, seed: 11, trainOn: 'scored', walkForward } as const;
    const response = await post(test, anna, ownBody(optimize));
    expect(response.statusCode, response.body).toBe(200);
    const result = response.json<OwnResult>();
    expectSame(result, ownDirectly(optimize));
    for (const { strategy: leader, value, values } of result.leaders) {
      expect(leader!.rules).toContain(`fast = ${values['fast']} [3..20 step 1]; slow = ${values['slow']} [`);
      expect(ranAlone(ownStrategy(leader!.rules!, '1h')).summary.netPnl).toBe(value);
    }
    expect(result.best.strategy!.rules).toContain(`w = ${result.best.values['w']} [`);
    for (const fold of result.walkForward.folds) expect(fold.strategy.rules).toContain(`w = ${fold.values['w']} [`);
    const [stored] = await test.database.asOwner<{ strategy: object }>('select strategy from backtests where id = $1', [
      result.id,
    ]);
    expect(stored?.strategy).toEqual(result.best.strategy);
  });

  it('RULE-024 is judged with every set of every stage counted', async () => {
    const body = { ...ownBody({ samples: 60, seed: 3, guide: true }), honesty: true, earlierTrials: 9 };
    const judged = (await post(test, await test.signUp(), body)).json<{ honesty: { trialCount: number } }>();
    expect(judged.honesty.trialCount).toBe(ownDirectly({ samples: 60, seed: 3, guide: true }).trialCount + 9);
  });

  it('RULE-023 runs deep through the queue to the bits of one piece, and each row is the run of its text', async () => {
    const anna = await test.signUp();
    const optimize = { samples: 1200, seed: 3, target: 'expectancy', trainOn: 'scored', guide: true } as const;
    const ordered = await post(test, anna, ownBody(optimize));
    expect(ordered.statusCode, ordered.body).toBe(202);
    const id = ordered.json<{ search: Search }>().search.search_id;
    await expect.poll(async () => (await read(test, anna, id)).status, { timeout: 60_000 }).toBe('done');
    const ended = await read(test, anna, id);
    const whole = ownDirectly(optimize);
    expectSame(ended.result!, whole);
    expect(ended).toMatchObject({ kind: 'rules', request: { strategy: { rules: text }, optimize }, done: 1200 });
    const response = await test.app.inject({ url: `/api/backtest/searches/${id}/trials`, headers: anna.bearer });
    const trials = unpackTrials(gunzipSync(response.rawPayload));
    const sets = Float64Array.from([...whole.sets!.trials, ...whole.sets!.refined]);
    for (let row = 0; row < trials.netPnl.length; row += 53) {
      const one = unpackOwn(setOf(sets, row, ownParameters(strategy).length), strategy);
      const { netPnl, tradeCount } = ranAlone(one).summary;
      expect([row, trials.netPnl[row], trials.tradeCount[row]]).toEqual([row, netPnl, tradeCount]);
    }
  }, 120_000);

  it('RULE-025 is rejected by its field: no range, or ranges of votes', async () => {
    const anna = await test.signUp();
    const fixed = ownStrategy('long when rsi(14) < 30', '1h');
    for (const samples of [20, 1200]) {
      const unranged = await post(test, anna, { ...ownBody({ samples }), strategy: fixed, context: [] });
      expect(unranged.statusCode).toBe(400);
      expect(unranged.json()).toMatchObject({
        field: 'strategy.rules',
        detail: 'strategy.rules has no parameter with a range; write fast = 12 [5..50 step 1]',
      });
    }
    const votes = await post(test, anna, ownBody({ samples: 20, rulesSpace: { trailing: 'on' } }));
    expect(votes.json()).toMatchObject({ field: 'optimize.rulesSpace' });
    const classic = await post(test, anna, bodyOf({ samples: 20, rulesSpace: {} }));
    expect(classic.json()).toMatchObject({ field: 'optimize.rulesSpace' });
  });
});
