import { setTimeout as delay } from 'node:timers/promises';
import { liveRules, type Strategy } from '@sextant/engine-as/abi/strategy.ts';
import type { BacktestInput, Candles } from '@sextant/workers/src/protocol/backtest.ts';
import type { OptimizeInput, OptimizeResult, RulesSpace } from '@sextant/workers/src/protocol/optimize.ts';
import { joinKnown } from '@sextant/workers/src/tasks/optimize/settleSearch.ts';
import { runTask, type TaskEngine } from '@sextant/workers/src/tasks/index.ts';
import { hashTrials } from '@sextant/workers/src/tasks/optimize/trialsHash.ts';
import { backtestFromWire, BacktestRequestWire } from '@sextant/workers/src/protocol/wire/backtest.ts';
import { columnToWire } from '@sextant/workers/src/protocol/wire/candles.ts';
import { defaultCosts, standardLiquidity } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { OptimizeOptionsWire, optionsFromWire } from '@sextant/workers/src/protocol/wire/optimize.ts';
import { randomCandles, seededRandom } from '@sextant/workers/test/support/randomRuns.ts';
import { contextOf } from '@sextant/workers/test/support/randomStrategies.ts';
import { expect } from 'vitest';
import { type LoadedRun, loadRun } from '../../../../src/features/backtest/loadRun.ts';
import { RunBacktestBody } from '../../../../src/features/backtest/runContract.ts';
import { searchInputOf } from '../../../../src/features/backtest/search/searchInput.ts';
import type { TestApp, TestUser } from '../../../support/createTestApp.ts';

/** Four hundred candles, and the expected result of a search on them. */

const base = randomCandles(seededRandom(20_261_122), 400);
const fourHours = contextOf(seededRandom(20_261_123), base, '4h', 100);
// The 4h candles within the base are built from its candles.
for (let i = 0; i < fourHours.time.length; i++) {
  const from = base.time.indexOf(fourHours.time[i] ?? NaN);
  if (from < 0) continue;
  const part = (name: 'open' | 'high' | 'low' | 'close') => base[name].subarray(from, from + 4);
  fourHours.open[i] = part('open')[0] ?? NaN;
  fourHours.high[i] = Math.max(...part('high'));
  fourHours.low[i] = Math.min(...part('low'));
  fourHours.close[i] = part('close').at(-1) ?? NaN;
}
const wireOf = (columns: Candles) =>
  Object.fromEntries(
    Object.entries<Float64Array>({ ...columns }).map(([name, column]) => [name, columnToWire(column)]),
  );
const candles = wireOf(base);
export const params = { entryThreshold: 0.3 };
export const bodyOf = (optimize: object) => ({ candles, params, interval: '1h', scored: 200, optimize });

/** Rules on two intervals, with levels in average true ranges. */
export const strategy: Strategy = { ...liveRules(['1h', '4h']), entryThreshold: 0.05 };
/** The same candles with rules in place of the parameters. */
export const rulesBody = (optimize: object) => ({
  ...bodyOf(optimize),
  params: {},
  strategy,
  context: [wireOf(fourHours)],
});
export const rulesMarket = {
  candles: base,
  context: [fourHours],
  costs: { ...defaultCosts, ...standardLiquidity },
  scoredCount: 200,
};

export interface Search {
  search_id: string;
  status: string;
  done: number;
  samples: number;
  failure: string | null;
  result: SearchResult | null;
}
export interface SearchResult {
  best: {
    hashes: object;
    pnl: number;
    origin: object;
    value: number;
    train: { netPnl: number };
    strategy?: Strategy;
  };
  trialsHash: string;
  trialCount: number;
  leaders: { index: number; value: number; strategy?: Strategy }[];
}

/** Repeats work until it needs no wait: when an exchange has its next minute, or its next try, depends on market and speed of the run. */
async function repeat<T>(work: () => Promise<T>, waitOf: (result: T) => number | undefined): Promise<T> {
  for (;;) {
    const result = await work();
    const waitS = waitOf(result);
    if (waitS === undefined) return result;
    await delay(waitS * 1000);
  }
}

/** As the page does, it waits as long as a paused response says. */
export const post = (test: TestApp, user: TestUser, payload: object) =>
  repeat(
    () => test.app.inject({ method: 'POST', url: '/api/backtest', headers: user.bearer, payload }),
    (response) => {
      const { code } = response.json<{ code?: string }>();
      const isPaused = code === 'upstream_rate_limited' || code === 'upstream_unavailable';
      const waitS = response.headers['retry-after'];
      return isPaused && waitS !== undefined ? Number(waitS) : undefined;
    },
  );
export const order = (test: TestApp, user: TestUser, optimize: object) => post(test, user, bodyOf(optimize));
export const read = async (test: TestApp, user: TestUser, id: string) =>
  (await test.app.inject({ url: `/api/backtest/searches/${id}`, headers: user.bearer })).json<{ search: Search }>()
    .search;

/** The same search in one piece, directly on an engine without a server. */
export function directly(direct: TaskEngine, optimize: object): OptimizeResult {
  const input = backtestFromWire(BacktestRequestWire.parse({ candles, params, scored: 200 }));
  return inOnePiece(direct, input, optimize);
}

/** The same over rules. */
export function rulesDirectly(direct: TaskEngine, optimize: { rulesSpace?: Partial<RulesSpace> }): OptimizeResult {
  const { rulesSpace, ...options } = optimize;
  const input = backtestFromWire(BacktestRequestWire.parse({ candles, scored: 200 }));
  const rules = { strategy, context: [fourHours], ...(rulesSpace && { space: rulesSpace }) };
  return inOnePiece(direct, { ...input, rules }, options);
}

function inOnePiece(
  direct: TaskEngine,
  input: BacktestInput & Pick<OptimizeInput, 'rules'>,
  optimize: object,
): OptimizeResult {
  return wholeSearch(direct, { ...input, ...optionsFromWire(OptimizeOptionsWire.parse(optimize)) });
}

/** A search in one call, directly on an engine without a server. */
export function wholeSearch(direct: TaskEngine, input: OptimizeInput): OptimizeResult {
  const outcome = runTask(direct, { name: 'optimize', input: { ...input, withSets: true } });
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.value as OptimizeResult;
}

export interface LoadedInput {
  input: OptimizeInput;
  load: NonNullable<LoadedRun['minutes']>;
}

/** The engine input for a request on the candles of a symbol, and the loader of its minutes. */
export async function loadInput({ deps }: TestApp, body: object): Promise<LoadedInput> {
  const parsed = RunBacktestBody.parse({ ...body, fineData: true });
  const loaded = await repeat(
    () => loadRun(deps.market, undefined, parsed, new AbortController().signal),
    (result) => (result.ok ? undefined : result.error.retryAfterS),
  );
  if (!loaded.ok) throw new Error(loaded.error.message);
  return { input: searchInputOf(loaded.value, parsed.optimize!), load: loaded.value.minutes! };
}

export const withFine = (input: OptimizeInput, fineCandles: Candles | undefined): OptimizeInput =>
  fineCandles === undefined ? input : { ...input, fineCandles };

/** The search in one call with the minutes of every candle, whether or not some set needs them. */
export async function searchWithAllMinutes(direct: TaskEngine, { input, load }: LoadedInput): Promise<OptimizeResult> {
  const all = await repeat(
    () => load(Array.from(input.candles.time)),
    ({ problem }) => (problem !== null && /^The queue for .* is full/.test(problem) ? 5 : undefined),
  );
  if (all.problem !== null) throw new Error(all.problem);
  return wholeSearch(direct, withFine(input, joinKnown(all.found)));
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
