import { defaultCosts } from '@sextant/workers/src/protocol/wire/defaults.ts';
import type { HonestyResult } from '@sextant/workers/src/protocol/honesty.ts';
import type { OptimizeInput, OptimizeResult } from '@sextant/workers/src/protocol/optimize.ts';
import type { TaskResult } from '@sextant/workers/src/protocol/taskResult.ts';
import { runTask, startEngine, type TaskEngine } from '@sextant/workers/src/tasks/index.ts';
import { joinParts } from '@sextant/workers/src/core/joinParts.ts';
import { beforeAll, expect, it } from 'vitest';
import { engineTimeoutMs, testEngine } from '../../../../../workers/test/support/engine.ts';
import { countHeld, noisePlan, noiseSearch, noiseWorld } from '../../../../../workers/test/support/noiseWorlds.ts';
import type { LoadedCandles } from '../../../../src/api/candles.ts';
import { bestRunOf, honestyInputOf } from '../../../../src/features/backtest/honesty/honestyState.ts';
import { defaultParams } from '../../../../src/features/backtest/params.ts';
import type { SearchRun } from '../../../../src/features/backtest/search/searchState.ts';
import { searchText } from '../../../../src/features/backtest/search/setText.ts';
import { trialsOf } from '../../../../src/features/backtest/search/trials.ts';
import { countSearch, markOf, noteTried } from '../../../../src/features/backtest/trialCounts.ts';

/** The page's own code for counting a search and judging its best set, with the tasks of its worker run in Node. */

let engine: TaskEngine;
beforeAll(async () => {
  engine = startEngine(await testEngine());
}, engineTimeoutMs);

function valueOf<T>(result: TaskResult<T>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

function searched(loaded: LoadedCandles, i: number): SearchRun {
  const input: OptimizeInput = {
    candles: loaded.candles,
    params: defaultParams(),
    costs: { ...defaultCosts },
    scoredCount: 280,
    trainOn: 'earlier',
    refine: true,
    guide: false,
    ...noiseSearch(i),
  };
  const result = valueOf(
    runTask(engine, { name: 'optimize', input: { ...input, withSets: true } }) as TaskResult<OptimizeResult>,
  );
  const { best, sets, trials, refined } = result;
  if (best === undefined || sets === undefined) throw new Error('the search found no best set');
  const data = markOf(loaded, best.scored.hashes.data);
  const before = countSearch(data, { trialCount: result.trialCount, trainOn: 'earlier' }, searchText(input));
  noteTried(data, best.params);
  const names = Object.keys(trials) as (keyof typeof trials)[];
  const all = Object.fromEntries(
    names.map((name) => [name, joinParts([trials[name], refined[name]])]),
  ) as unknown as typeof trials;
  const table = trialsOf(all, sets, input.samples);
  const rest = { minutes: {}, ranOn: 'browser', tookMs: 1 } as unknown as Pick<
    SearchRun,
    'minutes' | 'ranOn' | 'tookMs'
  >;
  return { loaded, input, result: { ...result, best }, trials: table, before, ...rest };
}

it('noise that is searched again and again holds up at most once in the page, and every look is counted', () => {
  const levels: string[] = [];
  for (let k = 0; k < noisePlan.worlds; k++) {
    const loaded: LoadedCandles = {
      candles: noiseWorld(k),
      label: `noise ${k}`,
      interval: '1h',
      intervalMs: 3_600_000,
      source: 'csv',
      exchange: null,
      funding: null,
    };
    for (let i = 0; i < noisePlan.searches; i++) {
      const search = searched(loaded, i);
      const input = honestyInputOf(bestRunOf(search), search);
      expect(input).toMatchObject({ kind: 'search', earlierLookCount: i });
      levels.push(valueOf(runTask(engine, { name: 'honesty', input }) as TaskResult<HonestyResult>).reading.level);
    }
  }
  expect(countHeld('page', levels)).toBeLessThanOrEqual(1);
}, 3_600_000);
