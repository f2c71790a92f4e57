import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { beforeEach, expect, it, vi } from 'vitest';
import { bestRunOf, honestyInputOf, isStartOf } from '../../../../src/features/backtest/honesty/honestyState.ts';
import type { SearchRun } from '../../../../src/features/backtest/search/searchState.ts';
import { countRun, countTrials, markOf } from '../../../../src/features/backtest/trialCounts.ts';
import { runUserResets } from '../../../../src/state/userReset.ts';
import { runOf } from '../../../support/runs.ts';

const stored = new Map<string, string>();
beforeEach(() => {
  stored.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
  runUserResets();
  return () => vi.unstubAllGlobals();
});

it('a run of rules is judged as one trial with its longer candles, among all sets that were tried on the same candles', () => {
  const plain = runOf({});
  const strategy = liveRules(['1h', '4h']);
  const run = { ...plain, strategy, context: [plain.loaded.candles] };
  countTrials(markOf(plain.loaded, 'of a search'), 90);
  countRun(markOf(plain.loaded, plain.result.hashes.data), plain.params);
  countRun(markOf(run.loaded, run.result.hashes.data), strategy);
  const { candles } = plain.loaded;
  const { costs, scoredCount } = plain;
  expect(honestyInputOf(run, null)).toEqual({
    kind: 'rules',
    run: { candles, context: run.context, strategy, costs, scoredCount },
    seed: 1,
    // 90 of the search and the run of Classic; the run itself is the 92nd.
    earlierTrialCount: 91,
  });
  expect(honestyInputOf(plain, null)).toMatchObject({ kind: 'search', earlierTrialCount: 91 });
});

it('a run is judged with the mark prices and minute candles that it was given', () => {
  const plain = runOf({});
  const minutes = plain.loaded.candles;
  const { open, high, low } = minutes;
  const loaded = { ...plain.loaded, marks: { prices: { open, high, low }, missingCount: 0 } };
  const run = { ...plain, loaded, minutes, fineData: true };
  const detail = { markPrices: loaded.marks.prices, fineCandles: minutes };
  expect(honestyInputOf(run, null)).toMatchObject({ kind: 'search', search: detail });
  const ofRules = { ...run, strategy: liveRules(['1h']), context: [] };
  expect(honestyInputOf(ofRules, null)).toMatchObject({ kind: 'rules', run: detail });
  // Loaded, but switched off in the setup.
  expect(honestyInputOf({ ...plain, loaded }, null)).not.toHaveProperty('search.markPrices');
});

it('a run of rules is not the set that a search started at, whatever the sliders of Classic say', () => {
  const plain = runOf({});
  const { params, costs, scoredCount } = plain;
  const search = { input: { params, costs, scoredCount } } as unknown as SearchRun;
  expect(isStartOf(plain, search)).toBe(true);
  expect(isStartOf({ ...plain, strategy: liveRules(['1h']) }, search)).toBe(false);
});

it('the set that a search over rules started at is its strategy, whatever votes weigh nothing in it', () => {
  const plain = runOf({});
  const { params, costs, scoredCount } = plain;
  const strategy = liveRules(['1h']);
  const search = { input: { params, costs, scoredCount, rules: { strategy, context: [] } } } as unknown as SearchRun;
  const named = { ...strategy, weights: { ...strategy.weights, ichimoku: 0 } };
  expect(isStartOf({ ...plain, strategy: named }, search)).toBe(true);
  expect(isStartOf({ ...plain, strategy: { ...strategy, entryThreshold: 0.09 } }, search)).toBe(false);
  expect(isStartOf(plain, search)).toBe(false);
});

it('the best of a search over rules is the run of its strategy with the candles that it reads', () => {
  const plain = runOf({});
  const { params, costs, scoredCount, loaded, result } = plain;
  const [strategy, context] = [liveRules(['1h', '4h']), [loaded.candles]];
  const search = {
    loaded,
    input: { params, costs, scoredCount, rules: { strategy: liveRules(['1h', '4h']), context } },
    result: { best: { params, strategy, scored: result } },
    tookMs: 3,
  } as unknown as SearchRun;
  expect(bestRunOf(search)).toEqual({ ...plain, strategy, context, tookMs: 3 });
});
