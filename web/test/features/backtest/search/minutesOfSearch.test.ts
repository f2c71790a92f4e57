import { describe, expect, it } from 'vitest';
import type { LoadedCandles } from '../../../../src/api/candles.ts';
import type { SearchHead } from '../../../../src/api/types.ts';
import { SKIPPED } from '../../../../src/features/backtest/minutes.ts';
import {
  minutesOnServer,
  minutesWords,
  plannedWords,
  walkMinutesWords,
  withoutInSetup,
} from '../../../../src/features/backtest/search/minutesOfSearch.ts';
import { progressWords } from '../../../../src/features/backtest/search/ServerSearches.tsx';
import type { MinutesOfSearch } from '../../../../src/features/backtest/search/searchState.ts';

const HOUR = 3_600_000;
const had = (more: Partial<Extract<MinutesOfSearch, { kind: 'with' }>>): MinutesOfSearch => ({
  kind: 'with',
  opens: [],
  absentCount: 0,
  beyondCount: 0,
  problem: null,
  ...more,
});

it.each([
  [{ source: 'exchange', fineData: true, interval: '1h' }, null],
  [{ source: 'exchange', fineData: true, interval: '1m' }, 'finest'],
  [{ source: 'exchange', fineData: false, interval: '1h' }, 'off'],
  [{ source: 'csv', fineData: true, interval: '1h' }, 'file'],
] as const)('a setup says whether its search loads minutes: %j, %s', (setup, why) => {
  expect(withoutInSetup(setup)).toBe(why);
});

it('says before a search what it will load, or why it cannot', () => {
  expect(plannedWords(null, {}, HOUR)).toContain('up to 1,000, largest first');
  expect(plannedWords(null, {}, 24 * HOUR)).toContain('up to 41,');
  expect(plannedWords('finest', {}, 60_000)).toBe(
    'You already use 1-minute candles. When a candle reaches both stop and target, the stop counts.',
  );
  expect(plannedWords('file', { sameBar: 'target' }, HOUR)).toContain('the target counts.');
});

it.each([
  ['nothing was in question', had({}), 'Every candle was clear: no 1-minute data needed.'],
  ['all came', had({ opens: [1, 2] }), '2 unclear candles were resolved with 1-minute data.'],
  [
    'the limit was reached',
    had({ opens: [1], beyondCount: 30 }),
    '1 unclear candle was resolved with 1-minute data. 30 unclear candles take the stop first: a search loads at most 60,000 minutes, largest candles first.',
  ],
  [
    'the exchange has holes',
    had({ absentCount: 1 }),
    '1 unclear candle takes the stop first: the exchange lacks minutes of them.',
  ],
  [
    'the exchange failed',
    had({ beyondCount: 4, problem: 'The exchange is away.' }),
    '4 unclear candles take the stop first: their 1-minute data did not load. The exchange is away.',
  ],
  [
    'the user did not wait',
    had({ beyondCount: 4, problem: SKIPPED }),
    '4 unclear candles take the stop first: you skipped their 1-minute data.',
  ],
  [
    'they are off',
    { kind: 'without', why: 'off' },
    '1-minute data is off in the setup. When a candle reaches both stop and target, the stop counts.',
  ],
] as const)('says after a search what its sets had: %s', (_name, minutes, words) => {
  expect(minutesWords(minutes as MinutesOfSearch, {})).toBe(words);
});

const lacking =
  '1-minute data for walk-forward did not load. When a candle reaches both stop and target, the stop counts. Away.';
it.each([
  ['has all that it requested', had({ opens: [1] }), null, null],
  ['in this browser lacks some', had({ opens: [1] }), 'Away.', lacking],
  ['on the server lacks some, and the search none', had({ opens: [1], problem: 'Away.' }), null, lacking],
  ['has those of a search that says itself what it lacks', had({ beyondCount: 2, problem: 'Away.' }), null, null],
  ['was not waited for', had({ problem: SKIPPED }), null, null],
  ['has no minutes, as its search', { kind: 'without', why: 'off' }, null, null],
] as const)('beside a walk-forward the page says what it lacks: one that %s', (_name, minutes, ofWalk, words) => {
  expect(walkMinutesWords(minutes as MinutesOfSearch, ofWalk, {})).toBe(words);
});

describe('a search on the server', () => {
  const loaded = {
    source: 'exchange',
    exchange: 'binance',
    intervalMs: HOUR,
    label: 'BTCUSDT',
    interval: '1h',
  } as unknown as LoadedCandles;

  it('says with its result which minutes its sets had', () => {
    const minutes = { candles: 2, absent: 1, beyond: 3, problem: 'Away.', opens: [1, 2] };
    expect(minutesOnServer(loaded, true, minutes)).toEqual(
      had({ opens: [1, 2], absentCount: 1, beyondCount: 3, problem: 'Away.' }),
    );
    expect(minutesOnServer(loaded, false, undefined)).toEqual({ kind: 'without', why: 'off' });
    const ofFile = { ...loaded, source: 'csv' } as LoadedCandles;
    expect(minutesOnServer(ofFile, true, undefined)).toEqual({ kind: 'without', why: 'file' });
  });

  it('of before there were any says so', () => {
    const minutes = minutesOnServer(loaded, true, undefined);
    expect(minutesWords(minutes, {})).toBe(
      'Older server searches ran without 1-minute data. When a candle reaches both stop and target, the stop counts.',
    );
  });

  const search = { status: 'running', stage: 'searching', minute_candles: 12, done: 4000, samples: 10_000 };
  it.each([
    ['waits', { status: 'queued', stage: 'looking', done: 0 }, 'Queued'],
    [
      'looks',
      { stage: 'looking', minute_candles: 0 },
      '4,000 of 10,000 samples, before 1-minute data, 2,000 sets a second',
    ],
    [
      'has looked',
      { stage: 'looking', minute_candles: 0, done: 10_000 },
      'All 10,000 samples done; loading 1-minute data next',
    ],
    ['loads', { stage: 'loading' }, 'Loading 1-minute data of 12 candles'],
    ['goes on with minutes', {}, '4,000 of 10,000 samples with 1-minute data of 12 candles'],
    ['goes on without', { minute_candles: 0 }, '4,000 of 10,000 samples'],
    ['has none', { minute_candles: null }, '4,000 of 10,000 samples, 2,000 sets a second'],
    ['is refined', { done: 10_000 }, 'All 10,000 samples done; refining the best'],
  ])('says how far it is: %s', (_name, more, words) => {
    expect(progressWords({ ...search, elapsed_ms: 2000, ...more } as SearchHead)).toBe(words);
  });
});
