import type { OptimizeResult } from '@sextant/workers/src/protocolOptimize.ts';
import { runTask, type TaskEngine } from '@sextant/workers/src/tasks/index.ts';
import { hashTrials } from '@sextant/workers/src/tasks/optimize/trialsHash.ts';
import { backtestFromWire, BacktestRequestWire } from '@sextant/workers/src/wire/backtest.ts';
import { columnToWire } from '@sextant/workers/src/wire/candles.ts';
import { OptimizeOptionsWire, optionsFromWire } from '@sextant/workers/src/wire/optimize.ts';
import { randomCandles, seededRandom } from '@sextant/workers/test/support/randomRuns.ts';
import { expect } from 'vitest';
import type { TestApp, TestUser } from '../../../support/createTestApp.ts';

/** Four hundred candles, and what a search on them must give. */

const candles = Object.fromEntries(
  Object.entries<Float64Array>({ ...randomCandles(seededRandom(20_261_122), 400) }).map(([name, column]) => [
    name,
    columnToWire(column),
  ]),
);
export const params = { entryThreshold: 0.3 };
export const bodyOf = (optimize: object) => ({ candles, params, interval: '1h', scored: 200, optimize });
export interface Search {
  search_id: string;
  status: string;
  done: number;
  samples: number;
  failure: string | null;
  result: SearchResult | null;
}
export interface SearchResult {
  best: { hashes: object; pnl: number; origin: object; value: number; train: { netPnl: number } };
  trialsHash: string;
  trialCount: number;
  leaders: { index: number; value: number }[];
}

export const order = (test: TestApp, user: TestUser, optimize: object) =>
  test.app.inject({ method: 'POST', url: '/api/backtest', headers: user.bearer, payload: bodyOf(optimize) });
export const read = async (test: TestApp, user: TestUser, id: string) =>
  (await test.app.inject({ url: `/api/backtest/searches/${id}`, headers: user.bearer })).json<{ search: Search }>()
    .search;

/** The same search on an engine that no server knows, in one piece. */
export function directly(direct: TaskEngine, optimize: object): OptimizeResult {
  const input = backtestFromWire(BacktestRequestWire.parse({ candles, params, scored: 200 }));
  const options = optionsFromWire(OptimizeOptionsWire.parse(optimize));
  const found = runTask(direct, { name: 'optimize', input: { ...input, ...options } });
  if (!found.ok) throw new Error(found.error.message);
  return found.value as OptimizeResult;
}

export function expectSame(result: SearchResult, whole: OptimizeResult): void {
  expect(result.trialsHash).toBe(hashTrials([whole.trials], whole.refined));
  expect(result.best.hashes).toEqual(whole.best?.scored.hashes);
  expect(result.best.origin).toEqual(whole.best?.origin);
  expect(result.leaders.map(({ index, value }) => [index, value])).toEqual(
    whole.leaders.map(({ index, value }) => [index, value]),
  );
  expect(result.trialCount).toBe(whole.trialCount);
}
