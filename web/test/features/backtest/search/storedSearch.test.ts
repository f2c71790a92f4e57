import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import type { SearchRun } from '../../../../src/features/backtest/search/searchState.ts';
import { createMemoryDatabase } from '../../../support/memoryDatabase.ts';
import { runOf, summaryOf } from '../../../support/runs.ts';

const memory = createMemoryDatabase();
const { loaded, params, costs, scoredCount, result } = runOf({});
const dataHash = result.hashes.data;

function searchOf(samples: number, value: number): SearchRun {
  const best = { value, train: summaryOf({ tradeCount: 40 }), scored: { ...result, summary: summaryOf({}) } };
  const input = { candles: loaded.candles, params, costs, scoredCount, samples, seed: 7, target: 'pnl' };
  const rest = { trials: {}, before: {}, minutes: { kind: 'without', why: 'off' }, ranOn: 'browser', tookMs: 1 };
  return { loaded, input: { ...input, trainOn: 'scored', refine: true }, result: { best }, ...rest } as never;
}

/** The modules of a page that was just opened. */
async function openPage() {
  vi.resetModules();
  const cautions = await import('../../../../src/features/backtest/search/searchCautions.ts');
  const stored = await import('../../../../src/features/backtest/search/storedSearch.ts');
  const { searchState } = await import('../../../../src/features/backtest/search/searchState.ts');
  const { ref } = await import('valtio');
  const finish = async (run: SearchRun): Promise<void> => {
    cautions.noteFinished(run);
    searchState.run = ref(run);
    await stored.writeStoredSearch(run.loaded);
  };
  const shown = () => cautions.searchCautions(searchState.run as SearchRun);
  return { ...stored, finish, shown };
}

afterAll(() => vi.unstubAllGlobals());
beforeEach(() => {
  memory.records.clear();
  vi.stubGlobal('window', Object.assign(new EventTarget(), { location: { origin: 'http://127.0.0.1:1' } }));
  vi.stubGlobal('indexedDB', memory.factory);
});

it('that 100,000 sets found less than 20,000 of the same seed is said after a reload too', async () => {
  const first = await openPage();
  await first.finish(searchOf(20_000, 55));
  await first.finish(searchOf(100_000, 48));
  const words = [expect.stringContaining('Your 20,000-set search with this seed found a better set')];
  expect(first.shown()).toEqual(words);
  const second = await openPage();
  expect(await second.restoreStoredSearch(loaded, dataHash)).toBe(true);
  expect(second.shown()).toEqual(words);
});

it('a search after a reload is compared with the restored one, also with that of an older version', async () => {
  const first = await openPage();
  await first.finish(searchOf(20_000, 55));
  const [key = ''] = [...memory.records.keys()].filter((each) => each.endsWith('backtest search'));
  for (const isOlder of [false, true]) {
    if (isOlder) delete (memory.records.get(key) as { finished?: unknown }).finished;
    const page = await openPage();
    await page.restoreStoredSearch(loaded, dataHash);
    expect(page.shown()).toEqual([]);
    const cautions = await import('../../../../src/features/backtest/search/searchCautions.ts');
    expect(cautions.searchCautions(searchOf(100_000, 48))).toHaveLength(1);
  }
});
