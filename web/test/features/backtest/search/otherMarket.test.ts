import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { SearchRun } from '../../../../src/features/backtest/search/searchState.ts';
import { runOf, summaryOf } from '../../../support/runs.ts';

beforeAll(
  () => void vi.stubGlobal('window', Object.assign(new EventTarget(), { location: { origin: 'http://127.0.0.1:1' } })),
);
afterAll(() => vi.unstubAllGlobals());

it('BT-051 a search that ends under another setup leaves that on screen with its own search, and opens under its own setup', async () => {
  const { keepAside, noteSetup, openAside } = await import('../../../../src/features/backtest/search/runSearch.ts');
  const { asideState, searchState } = await import('../../../../src/features/backtest/search/searchState.ts');
  const { draft, runState } = await import('../../../../src/features/backtest/backtestState.ts');
  const { toastState } = await import('../../../../src/state/toasts.ts');
  const { ref } = await import('valtio');
  const { loaded, params, costs, scoredCount, result } = runOf({ label: 'BTCUSDT' });
  const best = { value: 1, train: summaryOf(), scored: result };
  const input = { candles: loaded.candles, params, costs, scoredCount, samples: 10, seed: 7, target: 'pnl' };
  const search = { loaded, input, result: { best }, trials: {}, ranOn: 'browser', tookMs: 1 } as unknown as SearchRun;

  const { isStillSetup, setup } = noteSetup();
  expect(isStillSetup()).toBe(true);
  const changes = [
    { symbol: 'ETHUSDT' },
    { interval: '4h' },
    { historyCount: draft.historyCount + 1 },
    { window: 'range' },
    { source: 'csv' },
  ] as const;
  for (const change of changes) {
    const before = { ...draft };
    Object.assign(draft, change);
    expect(isStillSetup(), JSON.stringify(change)).toBe(false);
    Object.assign(draft, before);
    expect(isStillSetup()).toBe(true);
  }

  draft.symbol = 'ETHUSDT';
  const other = runOf({ label: 'ETHUSDT' });
  Object.assign(runState, { run: ref(other), loaded: ref(other.loaded) });
  const shown = { ...search, tookMs: 2 };
  Object.assign(searchState, { status: 'running', run: ref(shown) });
  keepAside(search, setup);
  expect(runState.loaded?.label).toBe('ETHUSDT');
  expect(runState.run?.loaded.label).toBe('ETHUSDT');
  expect(searchState).toMatchObject({ status: 'result', run: { tookMs: 2 } });
  expect(toastState.list.map(({ text }) => text)).toContain('Search of BTCUSDT is done. Open it under Optimization.');
  openAside();
  expect(draft.symbol).toBe('BTCUSDT');
  expect(runState.loaded?.label).toBe('BTCUSDT');
  expect(searchState).toMatchObject({ status: 'result', run: { tookMs: 1, loaded: { label: 'BTCUSDT' } } });
  expect(asideState.search).toBeNull();
});
