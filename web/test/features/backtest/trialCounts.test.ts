import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { type DataMark, isSameData } from '@sextant/workers/src/candles/sameData.ts';
import { beforeEach, expect, it, vi } from 'vitest';
import { defaultParams } from '../../../src/features/backtest/params.ts';
import { searchText } from '../../../src/features/backtest/search/setText.ts';
import {
  countMarkets,
  countRun,
  countSearch,
  countSearchOnce,
  countTrials,
  earlierTrialsFor,
  looksOn,
  marketFamilyOf,
  markOf,
  noteTried,
  trialsOn,
} from '../../../src/features/backtest/trialCounts.ts';
import { runUserResets } from '../../../src/state/userReset.ts';
import { runOf } from '../../support/runs.ts';

const stored = new Map<string, string>();
beforeEach(() => {
  stored.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
  runUserResets();
});

const hourMs = 3_600_000;
/** A file's candles: only identical files are the same data. */
const file = (hash: string): DataMark => ({ hash, series: null, fromMs: 0, toMs: 99 * hourMs });
/** A hundred hours of a market, `from` hours after the first. */
const hours = (from: number, series = 'binance BTCUSDT 1h'): DataMark => ({
  hash: `${series} ${from}`,
  series,
  fromMs: from * hourMs,
  toMs: (from + 99) * hourMs,
});

it('counts every set once however often it is viewed, and returns how many there were before', () => {
  const params = defaultParams();
  countRun(file('a'), params);
  countRun(file('a'), { ...params });
  countRun(file('a'), { ...params, entryThreshold: 0.5 });
  expect(trialsOn(file('a'))).toBe(2);
  expect(countTrials(file('a'), 100)).toBe(2);
  expect(trialsOn(file('a'))).toBe(102);
  expect(trialsOn(file('b'))).toBe(0);
});

it('counts rules among the sets of Classic, each once, whatever order its weights were written in', () => {
  const rules = liveRules(['1h', '4h']);
  countRun(hours(0), defaultParams());
  countRun(hours(0), rules);
  const reversed = Object.fromEntries(Object.entries(rules.weights).reverse());
  countRun(hours(1), { ...rules, weights: reversed });
  expect(trialsOn(hours(0))).toBe(2);
  countRun(hours(0), { ...rules, onOpposite: 'exit' });
  expect([trialsOn(hours(0)), looksOn(hours(0))]).toEqual([3, 3]);
});

it('does not count a set again that a search has tried', () => {
  const params = defaultParams();
  noteTried(file('a'), params);
  countRun(file('a'), params);
  expect(trialsOn(file('a'))).toBe(0);
});

it('keeps its counts with each new candle: mostly overlapping windows of a market are the same data', () => {
  const params = defaultParams();
  countRun(hours(0), params);
  countTrials(hours(0), 40_000);
  expect(trialsOn(hours(1))).toBe(40_001);
  // Half of 99 hours are shared at an offset of 49, and fewer at 50.
  expect([trialsOn(hours(49)), trialsOn(hours(50))]).toEqual([40_001, 0]);
  expect(trialsOn(hours(1, 'binance ETHUSDT 1h'))).toBe(0);
  // The same set an hour later counts as viewed again, not as a new trial.
  countRun(hours(1), params);
  expect(trialsOn(hours(1))).toBe(40_001);
  expect(countTrials(hours(1), 10)).toBe(40_001);
  expect(trialsOn(hours(0))).toBe(40_011);
});

it('counts adjacent ranges separately: candles loaded before the scored ones do not count', () => {
  const { loaded } = runOf({});
  const { time } = loaded.candles;
  // 60 days of hours before and in the range; the range before ends where this one starts.
  const june = markOf({ ...loaded, scoredFromMs: time[700] ?? NaN }, 'june');
  expect(june).toMatchObject({ fromMs: time[700], toMs: time[1199] });
  const may = markOf({ ...loaded, candles: { ...loaded.candles, time: time.map((at) => at - 500 * hourMs) } }, 'may');
  expect(may).toMatchObject({ fromMs: Number(time[200]), toMs: time[699] });
  expect(isSameData(june, may)).toBe(false);
  countRun(may, defaultParams());
  expect([trialsOn(may), trialsOn(june)]).toEqual([1, 0]);
});

it('counts a file with a row less as the same candles, also after a reload', async () => {
  const { loaded } = runOf({});
  const { candles } = loaded;
  const own = { ...loaded, source: 'csv', exchange: null, label: 'mine.csv' } as const;
  const later = Object.fromEntries(
    Object.entries<Float64Array>({ ...candles }).map(([name, column]) => [name, column.slice(1)]),
  ) as unknown as typeof candles;
  const shorter = markOf({ ...own, candles: later }, 'shorter');
  countSearch(markOf(own, 'whole'), { trialCount: 100, trainOn: 'earlier' }, 'first');
  countRun(markOf(own, 'whole'), defaultParams());
  expect([trialsOn(shorter), looksOn(shorter)]).toEqual([101, 2]);
  countRun(shorter, defaultParams());
  expect(trialsOn(shorter)).toBe(101);
  // The exchange's own candles of these times are the same, too.
  expect(trialsOn(markOf(loaded, 'named'))).toBe(101);
  vi.resetModules();
  const next = await import('../../../src/features/backtest/trialCounts.ts');
  expect([next.trialsOn(shorter), next.looksOn(shorter)]).toEqual([101, 2]);
  expect(next.countSearch(shorter, { trialCount: 100, trainOn: 'earlier' }, 'second')).toEqual({
    trials: 101,
    looks: 2,
  });
});

it('reads counts from before the closes were stored', async () => {
  stored.clear();
  vi.resetModules();
  const { hash, series, fromMs, toMs } = hours(0);
  stored.set('sextant.trials', JSON.stringify([[hash, 40, series, fromMs, toMs, 3]]));
  const next = await import('../../../src/features/backtest/trialCounts.ts');
  expect([next.trialsOn(hours(1)), next.looksOn(hours(1))]).toEqual([40, 3]);
});

it('keeps the large counts when it runs out of room', () => {
  countTrials(hours(0), 40_000);
  for (let i = 1; i <= 300; i++) countTrials(file(String(i)), 1);
  expect(trialsOn(hours(0))).toBe(40_000);
});

it('belongs to one user: the next user of the browser starts at none', () => {
  countTrials(file('a'), 7);
  runUserResets();
  expect(trialsOn(file('a'))).toBe(0);
});

it('counts views on the scored candles: one set of a search before them, every set of a search on them', () => {
  const params = defaultParams();
  countRun(hours(0), params);
  const before = { trialCount: 100, trainOn: 'earlier' } as const;
  expect(countSearch(hours(0), before, 'first')).toEqual({ trials: 1, looks: 1 });
  expect(countSearch(hours(1), { trialCount: 100, trainOn: 'scored' }, 'second')).toEqual({ trials: 101, looks: 2 });
  expect([trialsOn(hours(1)), looksOn(hours(1)), looksOn(file('a'))]).toEqual([201, 102, 0]);
});

it('counts the same search on the same candles once, and another one or one on other candles again', async () => {
  const size = { trialCount: 90, trainOn: 'scored' } as const;
  countRun(hours(0), defaultParams());
  expect(countSearch(hours(0), size, 'seed 1')).toEqual({ trials: 1, looks: 1 });
  expect(countSearch(hours(0), size, 'seed 1')).toEqual({ trials: 1, looks: 1 });
  expect([trialsOn(hours(0)), looksOn(hours(0))]).toEqual([91, 91]);
  expect(countSearch(hours(0), size, 'seed 2')).toEqual({ trials: 91, looks: 91 });
  // Made again, it stands among those of the other seed; also after a reload.
  vi.resetModules();
  const next = await import('../../../src/features/backtest/trialCounts.ts');
  expect(next.countSearch(hours(0), size, 'seed 1')).toEqual({ trials: 91, looks: 91 });
  expect(next.trialsOn(hours(0))).toBe(181);
  expect(next.countSearch(hours(1), size, 'seed 1')).toEqual({ trials: 181, looks: 181 });
});

it('names a search by its sets, seed, ranges and target, not by its candles', () => {
  const { loaded, params, costs, scoredCount } = runOf({});
  const input = { candles: loaded.candles, params, costs, scoredCount, samples: 50, seed: 1, target: 'pnl' } as const;
  const { candles } = runOf({}).loaded;
  expect(searchText({ ...input, candles, fineCandles: candles })).toBe(searchText(input));
  const others = [
    { seed: 2 },
    { target: 'sharpe' },
    { space: { weight: { min: 0, max: 1 } } },
    { refine: false },
  ] as const;
  const texts = [input, ...others.map((change) => ({ ...input, ...change }))].map(searchText);
  expect(new Set(texts).size).toBe(5);
});

it('counts a search of the server once, and returns the same count before it each time it is opened', () => {
  countRun(hours(0), defaultParams());
  const size = { trialCount: 2000, trainOn: 'earlier' } as const;
  const open = (id: string, text: string) => countSearchOnce(id, hours(0), size, text);
  for (let i = 0; i < 3; i++) expect(open('id', 'seed 1')).toEqual({ trials: 1, looks: 1 });
  expect([trialsOn(hours(0)), looksOn(hours(0))]).toEqual([2001, 2]);
  // Made again on the server, or here, it tries the same sets.
  expect(open('made again', 'seed 1')).toEqual({ trials: 1, looks: 1 });
  expect(countSearch(hours(0), size, 'seed 1')).toEqual({ trials: 1, looks: 1 });
  expect(trialsOn(hours(0))).toBe(2001);
  expect(open('other', 'seed 2')).toEqual({ trials: 2001, looks: 2 });
  expect(trialsOn(hours(0))).toBe(4001);
});

it('remembers over visits what it has counted, so that a reload is no new look', async () => {
  countRun(hours(0), defaultParams());
  vi.resetModules();
  const next = await import('../../../src/features/backtest/trialCounts.ts');
  next.countRun(hours(1), defaultParams());
  expect([next.trialsOn(hours(0)), next.looksOn(hours(0))]).toEqual([1, 1]);
  next.countRun(hours(1), { ...defaultParams(), entryThreshold: 0.5 });
  expect([next.trialsOn(hours(0)), next.looksOn(hours(0))]).toEqual([2, 2]);
});

it('a search of rules does not mark a set of Classic, and no search marks a default that the user did not choose', () => {
  const moved = { ...defaultParams(), entryThreshold: 0.5 };
  countRun(hours(0), defaultParams());
  countSearch(hours(0), { trialCount: 242_002, trainOn: 'earlier', kind: 'rules' }, 'rules');
  countRun(hours(0), moved);
  // The other set that was run by hand.
  expect([earlierTrialsFor(hours(0), defaultParams()), earlierTrialsFor(hours(0), moved)]).toEqual([1, 1]);
  const result = { ...liveRules(['1h']), entryThreshold: 0.37 };
  noteTried(hours(0), result);
  expect(earlierTrialsFor(hours(0), result)).toBe(242_003);
  countSearch(hours(0), { trialCount: 1000, trainOn: 'earlier', kind: 'classic' }, 'classic');
  // It had been run before the search; one that is run after may have been led there.
  expect(earlierTrialsFor(hours(0), moved)).toBe(1);
  expect(earlierTrialsFor(hours(0), defaultParams())).toBe(1);
  countRun(hours(0), { ...moved, entryThreshold: 0.51 });
  expect(earlierTrialsFor(hours(0), { ...moved, entryThreshold: 0.51 })).toBe(1002);
});

it('searches on other markets over the same dates are one family, those of other dates and of files are not', () => {
  const size = { trialCount: 100, trainOn: 'earlier' } as const;
  const on = (mark: DataMark) => countSearch(mark, size, 'same');
  expect(on(hours(0)).family).toBeUndefined();
  expect(on(hours(1, 'binance ETHUSDT 1h')).family).toEqual({ trials: 100, looks: 1, markets: 1 });
  expect(on(hours(2, 'binance SOLUSDT 1h'))).toEqual({
    trials: 0,
    looks: 0,
    family: { trials: 200, looks: 2, markets: 2 },
  });
  expect(on(hours(400, 'binance ADAUSDT 1h')).family).toBeUndefined();
  expect(on(file('a')).family).toBeUndefined();
});

it('RULE-124 the cells of a heat map are one family: each counts on its own market once, and all others when one is chosen', () => {
  const set = defaultParams();
  const markets = ['BTCUSDT 1h', 'ETHUSDT 1h', 'SOLUSDT 4h'].map((name) => hours(0, `binance ${name}`));
  const [btc, eth] = markets as [DataMark, DataMark, DataMark];
  countMarkets(
    'rules',
    markets.map((data) => ({ data, set })),
  );
  expect([trialsOn(btc), looksOn(btc)]).toEqual([1, 1]);
  // Two other cells; the one itself is no earlier trial.
  expect(marketFamilyOf(btc, set)).toEqual({ trials: 2, looks: 2, markets: 2 });
  expect(earlierTrialsFor(btc, set)).toBe(2);
  // Opening the cell, or running the map again an hour later, tries nothing new.
  countRun(btc, set);
  countMarkets('rules', [{ data: hours(1, 'binance ETHUSDT 1h'), set }]);
  expect([trialsOn(btc), trialsOn(eth), earlierTrialsFor(btc, set)]).toEqual([1, 1, 2]);
  // Another set on the market was not chosen among these cells, but they count as trials there.
  const other = { ...set, entryThreshold: 0.5 };
  countRun(btc, other);
  expect(marketFamilyOf(btc, other)).toEqual({ trials: 0, looks: 0, markets: 0 });
  expect(earlierTrialsFor(btc, other)).toBe(1);
  // A market over other dates is another family.
  expect(marketFamilyOf(hours(500, 'binance BTCUSDT 1h'), set).markets).toBe(0);
});

it('RULE-124 a search after a heat map counts its cells on other markets', () => {
  const set = defaultParams();
  countMarkets(
    'rules',
    ['BTCUSDT', 'ETHUSDT'].map((name) => ({ data: hours(0, `binance ${name} 1h`), set })),
  );
  const before = countSearch(hours(0), { trialCount: 100, trainOn: 'scored' }, 'a search');
  expect(before).toEqual({ trials: 1, looks: 1, family: { trials: 1, looks: 1, markets: 1 } });
});

it('RULE-124 looks of a heat map are read again after a reload, and a user change forgets them', async () => {
  const set = defaultParams();
  countMarkets(
    'rules',
    ['BTCUSDT', 'ETHUSDT'].map((name) => ({ data: hours(0, `binance ${name} 1h`), set })),
  );
  vi.resetModules();
  const next = await import('../../../src/features/backtest/trialCounts.ts');
  expect(next.marketFamilyOf(hours(0), set).trials).toBe(1);
  runUserResets();
  expect(stored.has('sextant.trials.markets')).toBe(false);
  expect(marketFamilyOf(hours(0), set).trials).toBe(0);
});

it('HIST-174 counts new windows though 200 others have more trials, and drops those with the fewest of the older ones', () => {
  countTrials(hours(0), 40_000);
  for (let k = 1; k < 200; k++) countTrials(hours(100 * k), 2);
  // Two new ones in turns, and one of older candles.
  const added = [hours(100 * 200), hours(100 * 201), hours(-100)];
  for (let k = 0; k < 3; k++) for (const each of added) countTrials(each, 1);
  expect(added.map(trialsOn)).toEqual([3, 3, 3]);
  expect([0, 1, 2, 3, 4].map((k) => trialsOn(hours(100 * k)))).toEqual([40_000, 0, 0, 0, 2]);
});
