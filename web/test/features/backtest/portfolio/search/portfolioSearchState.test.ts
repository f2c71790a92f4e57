import { liveRules, type Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { strategyOfRules } from '@sextant/workers/src/rules/strategyOfRules.ts';
import { snapshot } from 'valtio';
import { describe, expect, it } from 'vitest';
import type { PortfolioSearch, Preferences, Strategies } from '../../../../../src/api/types.ts';
import {
  followPortfolioSearch,
  portfolioProgress,
  takePortfolioSearchEvent,
} from '../../../../../src/data/portfolioSearch.ts';
import {
  AUTO,
  bodyOf,
  chooseStrategy,
  hasOtherExits,
  portfolioDraft,
  type PortfolioDraft,
  rangedParameters,
  setOfForm,
} from '../../../../../src/features/backtest/portfolio/portfolioState.ts';
import {
  applySet,
  isSearchOfForm,
  portfolioSearchForm,
  type PortfolioSearchForm,
  rangesOf,
  searchBodyOf,
} from '../../../../../src/features/backtest/portfolio/search/portfolioSearchState.ts';
import { levelsText, setText } from '../../../../../src/features/backtest/portfolio/search/searchText.ts';

const draft = (): PortfolioDraft => snapshot(portfolioDraft);
const form = (): PortfolioSearchForm => structuredClone(snapshot(portfolioSearchForm));
const own = {
  strategies: [
    {
      id: 'a',
      name: 'Mine',
      version: 'v',
      value: { ...liveRules(['1h']), rules: 'long when rsi < 30' },
      is_used: false,
    },
  ],
  used: { name: 'Live rules' },
} as unknown as Strategies;

const rulesOf = (text: string): Strategy => {
  const made = strategyOfRules(text, '1h');
  if (!made.ok) throw new Error(made.error[0]?.message);
  return made.value;
};
const RANGED = 'fast = 12 [5..20 step 1]\nlong when rsi(fast) < 30';
/** The saved strategies with another value of the one. */
const savedAs = (value: Strategy, isUsed = false) => ({
  ...own,
  strategies: own.strategies.map((each) => ({ ...each, value, is_used: isUsed })),
});

describe('the form of a portfolio search', () => {
  it('RULE-092 sends what is selected, on the grid of each parameter', () => {
    const typed = form();
    typed.ranges.stopFactor = { isOn: true, min: 0.52, max: 1.98 };
    typed.ranges.targetFactor.isOn = false;
    expect(searchBodyOf(draft(), { ...typed, samples: 60, seed: 9, target: 'sharpe' }, undefined)).toEqual({
      run: bodyOf(draft(), undefined),
      ranges: {
        entryThreshold: { min: 0.1, max: 0.6 },
        stopFactor: { min: 0.5, max: 2 },
        positionsMax: { min: 1, max: 10 },
      },
      samples: 60,
      seed: 9,
      target: 'sharpe',
    });
  });

  it('RULE-092 searches only slots of own rules', () => {
    expect(searchBodyOf({ ...draft(), strategy: 'a' }, form(), own).ranges).toEqual({
      positionsMax: { min: 1, max: 10 },
    });
  });

  it('RULE-195 searches the ranges of own rules, alone or with slots, and sends the values of a set', () => {
    const ranged = savedAs(rulesOf(RANGED));
    const mine = { ...draft(), strategy: 'a' };
    const none = form();
    for (const range of Object.values(none.ranges)) range.isOn = false;
    expect(searchBodyOf(mine, none, ranged).ranges).toEqual({});
    expect(() => searchBodyOf(mine, none, own)).toThrow('Select a parameter to search.');
    // Levels are those of votes, values those of own rules: each goes to its own.
    const set = { entryThreshold: 0.3, values: { fast: 9 } };
    expect(bodyOf({ ...mine, set }, ranged)).toMatchObject({ set: { values: { fast: 9 } } });
    expect(bodyOf({ ...mine, set }, ranged).set).not.toHaveProperty('entryThreshold');
    expect(bodyOf({ ...draft(), set }, undefined).set).toEqual({ entryThreshold: 0.3 });
    expect(bodyOf({ ...draft(), set: { values: { fast: 9 } } }, undefined)).not.toHaveProperty('set');
    expect(levelsText({ values: { fast: 9, width: 1.5 } })).toBe('fast 9, width 1.5');
  });

  it('RULE-195 shows the set that is sent, in values that the rules have', () => {
    const set = { entryThreshold: 0.3, values: { fast: 9, slow: 40 } };
    const auto = { ...draft(), strategy: AUTO, set };
    // Votes take the levels, own rules the values with a range; each is what the line shows.
    expect(setOfForm(auto, undefined)).toEqual({ entryThreshold: 0.3 });
    expect(setOfForm({ ...auto, set: { values: { fast: 9 } } }, undefined)).toBeNull();
    const used = savedAs(rulesOf(RANGED), true);
    expect(setOfForm(auto, used)).toEqual({ values: { fast: 9 } });
    expect(bodyOf(auto, used).set).toEqual({ values: { fast: 9 } });
    // Other rules, or a narrower range: the server would reject the value.
    const others = savedAs(rulesOf('slow = 50 [45..60 step 1]\nlong when rsi(slow) < 30'), true);
    expect(setOfForm(auto, others)).toBeNull();
    expect(bodyOf(auto, others)).not.toHaveProperty('set');
    expect(setOfForm({ ...auto, set: null }, used)).toBeNull();
  });

  it('RULE-195 leaves the ranges of a text out whose strategy has other exits, and says so', () => {
    const value = rulesOf(RANGED);
    const other = savedAs({ ...value, stop: { mode: 'atr', multiple: 9 } });
    expect(rangedParameters('a', other)).toEqual([]);
    expect(hasOtherExits('a', other)).toBe(true);
    expect(searchBodyOf({ ...draft(), strategy: 'a' }, form(), other).ranges).toEqual({
      positionsMax: { min: 1, max: 10 },
    });
    expect(rangedParameters('a', savedAs(value)).map(({ name }) => name)).toEqual(['fast']);
    expect([hasOtherExits('a', savedAs(value)), hasOtherExits('a', savedAs(liveRules(['1h'])))]).toEqual([
      false,
      false,
    ]);
    // Without a range in the text there is nothing to leave out.
    const plain = rulesOf('long when rsi(14) < 30');
    expect(hasOtherExits('a', savedAs({ ...plain, stop: { mode: 'atr', multiple: 9 } }))).toBe(false);
  });

  it('RULE-092 says what is wrong with the ranges', () => {
    const none = form();
    for (const range of Object.values(none.ranges)) range.isOn = false;
    expect(rangesOf(none, { isOwn: false, rangedCount: 0 })).toEqual({ error: 'Select a parameter to search.' });
    const turned = form();
    turned.ranges.positionsMax = { isOn: true, min: 5, max: 4 };
    expect(rangesOf(turned, { isOwn: false, rangedCount: 0 })).toEqual({ error: 'Set From to at most To.' });
    expect(() => searchBodyOf(draft(), turned, undefined)).toThrow('Set From to at most To.');
  });

  it('RULE-092 knows whether the search on screen is that of the form', () => {
    const body = JSON.stringify(searchBodyOf(draft(), form(), undefined));
    expect(isSearchOfForm(body, draft(), form(), undefined)).toBe(true);
    expect(isSearchOfForm(body, draft(), { ...form(), seed: 2 }, undefined)).toBe(false);
    expect(isSearchOfForm(body, { ...draft(), limit: 600 }, form(), undefined)).toBe(false);
  });

  it('RULE-092 puts a set into the form, which other rules leave', () => {
    const preferences = { max_concurrent_positions: 5, positions_wanted: 5, guard_cooldown_minutes: 60 } as Preferences;
    const stop = { mode: 'atr', multiple: 2.4 } as const;
    const auto = { strategy: AUTO, set: null };
    portfolioSearchForm.mode = 'search';
    applySet({ set: { entryThreshold: 0.32, stop }, limits: { positionsMax: 3 } }, auto, preferences);
    expect(portfolioSearchForm.mode).toBe('run');
    expect(bodyOf(draft(), undefined)).toMatchObject({
      set: { entryThreshold: 0.32, stop },
      limits: { positionsMax: 3, openingsMax: 5 },
    });
    // Auto may have changed to own rules since.
    const used = { ...own, strategies: own.strategies.map((each) => ({ ...each, is_used: true })) };
    expect(bodyOf(draft(), used)).not.toHaveProperty('set');
    chooseStrategy(AUTO);
    expect(bodyOf(draft(), undefined)).not.toHaveProperty('set');
    portfolioDraft.limits = null;
    applySet({ set: { entryThreshold: 0.4 }, limits: {} }, auto, preferences);
    expect(bodyOf(draft(), undefined)).toMatchObject({ set: { entryThreshold: 0.4 } });
    expect(bodyOf(draft(), undefined)).not.toHaveProperty('limits');
    // Levels go to the rules that were searched, whichever the form shows by now.
    chooseStrategy(own.strategies[0]?.id ?? '');
    applySet({ set: { entryThreshold: 0.5 }, limits: {} }, { strategy: AUTO, set: { stop } }, preferences);
    expect(portfolioDraft).toMatchObject({ strategy: AUTO, set: { entryThreshold: 0.5, stop } });
    portfolioDraft.set = null;
  });

  it('RULE-092 names every value of a set', () => {
    const target = { mode: 'percent', fraction: 0.03 } as const;
    expect(levelsText({ entryThreshold: 0.3, stop: { mode: 'atr', multiple: 2.4 }, target })).toBe(
      'threshold 0.30, stop 2.4 ATR, target 3.00\u00a0%',
    );
    const row = { index: 4, set: { entryThreshold: 0.3 }, limits: { positionsMax: 3, openingsMax: 1 } };
    expect(setText(row as PortfolioSearch['own'])).toBe('Threshold 0.30, 3 open at most, 1 a candle');
    // A name of the text is written as it is there.
    expect(setText({ ...row, set: { values: { fast: 12 } } } as unknown as PortfolioSearch['own'])).toBe(
      'fast 12, 3 open at most, 1 a candle',
    );
    expect(setText({ ...row, set: {} } as PortfolioSearch['own'])).toBe('3 open at most, 1 a candle');
    expect(setText({ ...row, index: 0 } as PortfolioSearch['own'])).toBe('Your account as it is');
  });

  it('RULE-092 follows the progress of its own search alone, forwards', () => {
    followPortfolioSearch('mine');
    takePortfolioSearchEvent({ id: 'other', done: 5, total: 9 });
    expect(portfolioProgress).toMatchObject({ done: 0, total: 0 });
    takePortfolioSearchEvent({ id: 'mine', done: 5, total: 9 });
    takePortfolioSearchEvent({ id: 'mine', done: 3, total: 9 });
    expect(portfolioProgress).toMatchObject({ done: 5, total: 9 });
  });
});
