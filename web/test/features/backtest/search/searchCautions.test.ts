import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import type { OptimizeTarget } from '@sextant/workers/src/protocol/optimize.ts';
import { beforeEach, expect, it } from 'vitest';
import { noteFinished, searchCautions } from '../../../../src/features/backtest/search/searchCautions.ts';
import type { SearchRun } from '../../../../src/features/backtest/search/searchState.ts';
import { runUserResets } from '../../../../src/state/userReset.ts';
import { runOf, summaryOf } from '../../../support/runs.ts';

interface Match {
  samples: number;
  value: number;
  trades?: number;
  unseen?: { netPnl: number; tradeCount: number };
  seed?: number;
  target?: OptimizeTarget;
}

function searchOf({ samples, value, trades = 40, unseen, seed = 7, target = 'pnl' }: Match): SearchRun {
  const { params, costs, scoredCount, result } = runOf({});
  const summary = summaryOf(unseen ?? { netPnl: 10, tradeCount: 30 });
  const best = { value, train: summaryOf({ tradeCount: trades }), scored: { ...result, summary } };
  const input = { params, costs, scoredCount, samples, seed, target, trainOn: 'earlier', refine: true };
  return { input, result: { best } } as unknown as SearchRun;
}

beforeEach(runUserResets);

it('a search of 100,000 that found less than one of 20,000 of the same seed says why', () => {
  noteFinished(searchOf({ samples: 20_000, value: 55 }));
  expect(searchCautions(searchOf({ samples: 100_000, value: 48 }))).toEqual([
    'Your 20,000-set search with this seed found a better set. Refinement here started from other leaders.',
  ]);
  expect(searchCautions(searchOf({ samples: 100_000, value: 60 }))).toEqual([]);
  expect(searchCautions(searchOf({ samples: 100_000, value: 48, seed: 8 }))).toEqual([]);
});

it('one that earns less on unseen candles says that it fits the searched ones more closely', () => {
  noteFinished(searchOf({ samples: 20_000, value: 55, unseen: { netPnl: 335.4, tradeCount: 30 } }));
  const [words] = searchCautions(searchOf({ samples: 100_000, value: 60, unseen: { netPnl: 172.2, tradeCount: 30 } }));
  expect(words).toContain('+335.40 against +172.20 USDT');
});

it.each([
  ['pnl', 10, 30, 'The best set has 10 training trades (minimum 10)'],
  ['winRate', 46, 30, 'The best set has 46 training trades (minimum 30)'],
  ['expectancy', 40, 6, 'and 6 on unseen candles (a verdict needs 10).'],
] as const)(
  'by %s, a best set of %d trades and %d unseen ones is near the least number of trades',
  (target, trades, tradeCount, words) => {
    const search = searchOf({ samples: 1000, value: 1, trades, target, unseen: { netPnl: 1, tradeCount } });
    expect(searchCautions(search).join(' ')).toContain(words);
    expect(searchCautions(searchOf({ samples: 1000, value: 1, trades: 60, target }))).toEqual([]);
  },
);

it('over rules with custom sizes says that sets are compared at one size', () => {
  const search = searchOf({ samples: 1000, value: 1 });
  const over = (sizing: object): string[] => {
    const strategy = { ...liveRules(['1h']), ...sizing };
    return searchCautions({ ...search, input: { ...search.input, rules: { strategy, context: [] } } });
  };
  const words = ['Sets are ranked at full size. The best one runs with your sizing.'];
  expect(over({})).toEqual(words);
  expect(over({ sizing: { mode: 'fixed', riskFraction: 0.01, isCompounding: true } })).toEqual(words);
  expect(over({ sizing: { mode: 'fixed', riskFraction: 0.01, isCompounding: false } })).toEqual([]);
  expect(searchCautions(search)).toEqual([]);
});
