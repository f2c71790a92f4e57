import type { HonestyFigure } from '@sextant/workers/src/protocol/honesty.ts';
import { expect, it } from 'vitest';
import { figureText } from '../../../../src/features/backtest/honesty/figureText.ts';
import { verdictWords } from '../../../../src/features/backtest/honesty/honestyState.ts';
import type { SearchRun } from '../../../../src/features/backtest/search/searchState.ts';
import { runOf, summaryOf } from '../../../support/runs.ts';

it('says that a figure of a run without a search is of the scored candles: none were searched', () => {
  const figure = { id: 'deflatedSharpe', value: 0.4, count: 500, window: 'search', says: 'luck', words: '' } as const;
  const noteOf = (isOfSearch: boolean) => figureText(figure satisfies HonestyFigure, isOfSearch).note;
  expect(noteOf(false)).toBe('n = 500, scored candles');
  expect(noteOf(true)).toBe('n = 500, training candles');
});

it('says whose result the verdict is about when the judged set is not the one on screen', () => {
  const onScreen = runOf({ summary: summaryOf({ netPnl: 348.35 }) });
  const best = runOf({ summary: summaryOf({ netPnl: -40.17 }) });
  const searchOn = (trainOn: 'earlier' | 'scored') => ({ input: { trainOn } }) as unknown as SearchRun;
  expect(verdictWords(best, onScreen, searchOn('earlier'))).toBe(
    ' The best set lost 40.17 USDT on unseen candles (yours: +348.35).',
  );
  expect(verdictWords({ ...best, scoredCount: 400 }, onScreen, searchOn('scored'))).toBe(
    ' The best set lost 40.17 USDT on its own training candles.',
  );
  expect(verdictWords(best, best, searchOn('earlier'))).toBe(' It lost money.');
  expect(verdictWords(onScreen, onScreen, null)).toBe('');
});
