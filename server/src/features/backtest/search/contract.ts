import { SEARCH_MINUTES_MAX } from '@sextant/workers/src/candles/minutes.ts';
import { BacktestResultWire } from '@sextant/workers/src/protocol/wire/backtestResult.ts';
import { OptimizeOptionsWire, OptimizeTargetWire } from '@sextant/workers/src/protocol/wire/optimize.ts';
import { StoredStrategyWire } from '@sextant/workers/src/protocol/wire/strategy.ts';
import { StrategyParamsWire } from '@sextant/workers/src/protocol/wire/strategyParams.ts';
import { z } from 'zod';
import { InstantOrNull } from '../../../platform/instant.ts';
import { BacktestSetup } from '../contract.ts';

/** Response of a search, at once or when its job is done. */

const count = z.int().min(0);
const Window = z.object({ start: count, end: count }).meta({ description: 'Loaded candles [start, end).' });
const Summary = z.record(z.string(), z.unknown());
const values = z
  .record(z.string(), z.number())
  .optional()
  .meta({ description: 'Value of each parameter of own rules with a range, by name.' });
/** A set found by a search. */
const OptimizedSet = {
  params: StrategyParamsWire,
  strategy: StoredStrategyWire.optional().meta({ description: 'The set of a rules search; `params` is then ignored.' }),
  values,
};

export const WalkForwardResult = z.object({
  folds: z.array(
    z.object({
      train: Window,
      test: Window,
      trainPnlPerBar: z.number(),
      testPnlPerBar: z.number(),
      testNetPnl: z.number(),
      testTradeCount: count,
      ...OptimizedSet,
    }),
  ),
  efficiency: z
    .number()
    .nullable()
    .meta({ description: 'Mean test result per candle over mean training result; null with the reason.' }),
  reason: z.string().optional(),
  testNetPnl: z.number(),
  profitableFoldCount: count,
  testPnlPerBarMin: z.number(),
  testPnlPerBarMax: z.number(),
  unknownBars: z.array(count).optional().meta({ description: 'Ambiguous candles of its windows without minutes.' }),
});

export const BestRun = BacktestResultWire.extend({
  origin: z.object({ kind: z.enum(['sample', 'refined']), index: count }),
  value: z.number().nullable().meta({ description: 'Target value in training; null when no set met its conditions.' }),
  reason: z.string().optional(),
  train: Summary.meta({ description: 'Figures of the best set on the window of the search.' }),
  strategy: StoredStrategyWire.optional().meta({
    description: 'The best set of a rules search; `bestParams` is then ignored.',
  }),
  values,
}).meta({ description: 'Full backtest of the best set.' });

export const SearchResult = z.object({
  best: BestRun,
  target: OptimizeTargetWire,
  seed: count,
  train: Window,
  trialCount: count.meta({
    description: 'Sets tried: samples and refinements, of own rules at most the sets of their ranges.',
  }),
  leaders: z
    .array(z.object({ index: count, ...OptimizedSet, value: z.number() }))
    .meta({ description: 'The best samples, best first.' }),
  walkForward: WalkForwardResult.optional(),
  minutes: z
    .object({
      candles: count.meta({ description: 'Candles resolved by minutes in every set.' }),
      absent: count.meta({ description: 'Ambiguous candles without complete minutes at the exchange.' }),
      beyond: count.meta({
        description: `Ambiguous candles beyond the ${SEARCH_MINUTES_MAX.toLocaleString('en-US')} minutes of a search, or not loaded.`,
      }),
      problem: z.string().nullable().meta({
        description: 'Why minutes could not be loaded; with `beyond` 0, those of the walk-forward alone.',
      }),
      opens: z.array(z.number()).optional().meta({
        description: 'For a search job: open times of candles resolved by minutes in every set, epoch ms.',
      }),
    })
    .optional()
    .meta({
      description:
        'For a symbol, or one in `minutesOf`: minutes settle exits whose candle holds stop and target of some set. Elsewhere `costs.sameBar` decides.',
    }),
  trialsHash: z
    .string()
    .meta({ description: 'SHA-256 over result, trades and value of every set; the same in any browser.' }),
});

export const SearchStatus = z.enum(['queued', 'running', 'done', 'failed', 'cancelled']);

export const SearchRequest = z
  .object({
    params: StrategyParamsWire,
    strategy: StoredStrategyWire.optional().meta({ description: 'Set 0 of a rules search; `params` is then ignored.' }),
    optimize: OptimizeOptionsWire,
    setup: BacktestSetup,
    markPricesProblem: z.string().optional().meta({
      description: 'Why mark prices are missing; the last price decides liquidations. Start it again.',
    }),
  })
  .meta({ description: 'The request: set 0, the search and its candles.' });

export const Search = z.object({
  search_id: z.uuid(),
  status: SearchStatus,
  created_at: z.iso.datetime(),
  elapsed_ms: z.int().min(0).nullable().meta({ description: 'Run time so far, or until it ended.' }),
  finished_at: InstantOrNull,
  symbol: z.string(),
  label: z.string().nullable().meta({ description: 'The symbol, or what the own candles are called.' }),
  interval: z.string(),
  kind: z.enum(['classic', 'rules']).meta({ description: 'Sets of `params`, or of a `strategy`.' }),
  samples: count,
  done: count.meta({ description: 'Samples run with the minutes loaded so far.' }),
  stage: z.enum(['looking', 'loading', 'searching']).meta({
    description:
      'Current or last phase. `looking`: samples run without minutes to find those needed; `loading`: these are loaded; `searching`: samples run with them.',
  }),
  minute_candles: count.nullable().meta({ description: 'Candles whose minutes are used or loading; null: none.' }),
  failure: z.string().nullable().meta({ description: 'Why it failed.' }),
  request: SearchRequest.nullable().meta({ description: 'null for older searches.' }),
  result: SearchResult.nullable(),
});
export type SearchWire = z.output<typeof Search>;

export const SearchResponse = z.object({ search: Search });
export const SearchesResponse = z.object({
  searches: z.array(Search.omit({ request: true, result: true })).meta({ description: 'The newest first.' }),
});
export const SearchId = z.strictObject({ id: z.uuid() });

export const TrialsBytes = z.unknown().meta({
  type: 'string',
  format: 'binary',
  description:
    'gzip of f64 columns, little-endian, one after the other, each with every sample and then every refined set: netPnl, tradeCount, winCount, profitFactor, closedDrawdownFraction, maxDrawdownFraction, sharpe, sortino, calmar, value.',
});
