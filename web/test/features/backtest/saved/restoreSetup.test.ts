import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { countOf } from '../../../../src/features/backtest/backtestState.ts';
import type { SavedRun } from '../../../../src/api/types.ts';
import { differenceWords, differentHashes } from '../../../../src/features/backtest/hashes.ts';
import { isOfThisForm, isRange, restoreCandles } from '../../../../src/features/backtest/saved/restoreSetup.ts';
import { createMemoryDatabase } from '../../../support/memoryDatabase.ts';
import { savedOf } from '../../../support/savedRuns.ts';

const base = savedOf();
const loading = { signal: new AbortController().signal, onProgress: () => undefined };
const setupOf = (change: Partial<SavedRun['setup']>) => ({ ...base.setup, ...change });

beforeAll(() => {
  vi.stubGlobal('indexedDB', createMemoryDatabase().factory);
});
afterAll(() => {
  vi.unstubAllGlobals();
});

describe('the candles of a saved run', () => {
  it.each([
    ['a file this browser does not hold', '1h', setupOf({ exchange: null, label: 'mine.csv' }), 'drop mine.csv again'],
    // A file may be called like a symbol: it is not the exchange's.
    ['a file named like a symbol', '1h', setupOf({ exchange: null, label: 'BTCUSDT' }), 'drop BTCUSDT again'],
    ['a file without a name', '1h', setupOf({ exchange: null, label: null }), 'drop the file again'],
    ['another exchange', '1h', setupOf({ exchange: 'okx' }), 'uses okx candles'],
    ['an interval this page has not', '2h', base.setup, 'this page has no 2h candles'],
  ])('of %s are rejected by that name', async (_what, interval, setup, words) => {
    await expect(restoreCandles(interval, setup, base.hashes.data, loading)).rejects.toMatchObject({
      name: 'NotOpened',
      message: expect.stringContaining(words) as string,
    });
  });
});

describe('whether candles were chosen by dates', () => {
  const midnight = Date.UTC(2025, 5, 1);
  it.each([
    ['30 days of hours', { loaded: 1728, scored: 720 }, midnight, true],
    ['ten days of hours', { loaded: 940, scored: 240 }, midnight, true],
    ['the standard history', { loaded: 1200, scored: 500 }, midnight, false],
    ['the newest of a young market', { loaded: 42_878, scored: 17_865 }, midnight + 3_600_000, false],
    ['another share', { loaded: 1200, scored: 300 }, midnight + 3_600_000, true],
  ])('is known of %s', (_what, setup, fromMs, isKnown) => expect(isRange(setup, fromMs)).toBe(isKnown));
});

describe('a saved run whose rules have no field here', () => {
  it.each([
    ['nothing of the kind', base, true],
    ['the rule that is meant without a name', savedOf({ params: { ...base.params, holdingBarsMax: 0 } }), true],
    ['a longest holding', savedOf({ params: { ...base.params, holdingBarsMax: 12 } }), false],
    [
      'trailing by ATR',
      savedOf({ params: { ...base.params, trailing: { ...base.params.trailing, mode: 'atr' } } }),
      false,
    ],
    [
      'a trailing that waits for 1 %',
      savedOf({ params: { ...base.params, trailing: { ...base.params.trailing, activationPct: 0.01 } } }),
      true,
    ],
    [
      'a trailing that waits longer than the field allows',
      savedOf({ params: { ...base.params, trailing: { ...base.params.trailing, activationPct: 0.21 } } }),
      false,
    ],
    ['a step of prices', savedOf({ setup: setupOf({ costs: { ...base.setup.costs, tickSize: 0.1 } }) }), false],
  ])('is known by %s', (_what, saved, isKnown) => expect(isOfThisForm(saved)).toBe(isKnown));
});

it('a result that differs is explained by the first cause, not by what follows from it', () => {
  const f = 'f'.repeat(64);
  const now = { ...base.hashes, data: f, result: f };
  const [cause] = differentHashes(now, base.hashes);
  expect(differenceWords[cause ?? 'result']).toBe('the candles, mark prices or fundings differ');
  expect(differentHashes(base.hashes, base.hashes)).toEqual([]);
});

describe('the stored window of a saved setup', () => {
  it('is believed: a range of exactly the usual number of candles opens as dates, and the newest candles as newest', () => {
    const midnight = Date.UTC(2026, 2, 1);
    for (const [loaded, scored] of [
      [1200, 500],
      [5000, 2083],
      [20_000, 8333],
      [50_000, 20_833],
    ] as const) {
      expect(isRange({ loaded, scored, isRange: true }, midnight)).toBe(true);
      expect(isRange({ loaded, scored, isRange: false }, midnight)).toBe(false);
      // Older setups do not store it: these numbers are the defaults of the form.
      expect(isRange({ loaded, scored }, midnight)).toBe(false);
    }
  });

  it('is any number of candles that the form takes, else the standard one', () => {
    expect([600, 3000, 100_000].map(countOf)).toEqual([600, 3000, 100_000]);
    expect([599, 100_001, 1200.5, '5000', undefined].map(countOf)).toEqual(Array(5).fill(1200));
  });
});
