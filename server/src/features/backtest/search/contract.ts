import { SEARCH_MINUTES_MAX } from '@sextant/workers/src/candles/minutes.ts';
import { BacktestResultWire } from '@sextant/workers/src/protocol/wire/backtestResult.ts';
import { OptimizeOptionsWire, OptimizeTargetWire } from '@sextant/workers/src/protocol/wire/optimize.ts';
import { StrategyWire } from '@sextant/workers/src/protocol/wire/strategy.ts';
import { StrategyParamsWire } from '@sextant/workers/src/protocol/wire/strategyParams.ts';
import { z } from 'zod';
import { BacktestSetup } from '../contract.ts';

/** Response of a search, at once or when its job is done. */

const count = z.int().min(0);
const Window = z.object({ start: count, end: count }).meta({ description: 'Candles [start, end) of the loaded ones.' });
const Summary = z.record(z.string(), z.unknown());
/** A set found by a search. */
const FoundSet = {
  params: StrategyParamsWire,
  strategy: StrategyWire.optional().meta({ description: 'The set of a search over rules; ignore `params` then.' }),
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
      ...FoundSet,
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
  unknownBars: z.array(count).optional().meta({ description: 'Candles of its windows in question without minutes.' }),
});

export const BestRun = BacktestResultWire.extend({
  origin: z.object({ kind: z.enum(['sample', 'refined']), index: count }),
  value: z.number().nullable().meta({ description: 'Of the target in training; null when no set met its conditions.' }),
  reason: z.string().optional(),
  train: Summary.meta({ description: 'Figures of the best set on the window of the search.' }),
  strategy: StrategyWire.optional().meta({
    description: 'The best set of a search over rules; ignore `bestParams` then.',
  }),
}).meta({ description: 'The best set as a whole backtest, run once more by itself.' });

export const SearchResult = z.object({
  best: BestRun,
  target: OptimizeTargetWire,
  seed: count,
  train: Window,
  trialCount: count.meta({ description: 'Every set that was tried: samples and refinements.' }),
  leaders: z
    .array(z.object({ index: count, ...FoundSet, value: z.number() }))
    .meta({ description: 'The best samples, best first.' }),
  walkForward: WalkForwardResult.optional(),
  minutes: z
    .object({
      candles: count.meta({ description: 'Candles whose minutes every set had.' }),
      absent: count.meta({ description: 'Candles in question that the exchange has no whole minutes of.' }),
      beyond: count.meta({
        description: `Candles in question beyond the ${SEARCH_MINUTES_MAX.toLocaleString('en-US')} minutes of a search, or not loaded.`,
      }),
      problem: z.string().nullable().meta({
        description:
          'Why minutes could not be loaded; with none `beyond`, those that the walk-forward alone asked for.',
      }),
      opens: z.array(z.number()).optional().meta({
        description: 'Of a search to follow: the candles whose minutes every set had, by their opens, epoch ms.',
      }),
    })
    .optional()
    .meta({
      description:
        'Of a search on the candles of a symbol, or that names one in `minutesOf`: minutes settle exits whose candle holds stop and target of some set. Elsewhere such exits take the order of `costs.sameBar`.',
    }),
  trialsHash: z
    .string()
    .meta({ description: 'SHA-256 over result, trades and value of every single set; the same in any browser.' }),
});

export const SearchStatus = z.enum(['queued', 'running', 'done', 'failed', 'cancelled']);

export const SearchRequest = z
  .object({
    params: StrategyParamsWire,
    strategy: StrategyWire.optional().meta({ description: 'Set 0 of a search over rules; ignore `params` then.' }),
    optimize: OptimizeOptionsWire,
    setup: BacktestSetup,
    markPricesProblem: z.string().optional().meta({
      description:
        'Why its mark prices could not be loaded, so that the last price judges liquidations: start it again.',
    }),
  })
  .meta({ description: 'What was asked: set 0, the search, and the candles it ran on.' });

export const Search = z.object({
  search_id: z.uuid(),
  status: SearchStatus,
  created_at: z.iso.datetime(),
  elapsed_ms: z.int().min(0).nullable().meta({ description: 'Since its first part was taken up, or until it ended.' }),
  finished_at: z.iso.datetime().nullable(),
  symbol: z.string(),
  label: z.string().nullable().meta({ description: 'The symbol, or what the own candles are called.' }),
  interval: z.string(),
  kind: z.enum(['classic', 'rules']).meta({ description: 'Sets of `params`, or of a `strategy`.' }),
  samples: count,
  done: count.meta({ description: 'Samples that have run, with the minutes there are by now.' }),
  stage: z.enum(['looking', 'loading', 'searching']).meta({
    description:
      'Where it is, or was at its end. `looking`: samples run without minutes and say which are needed; `loading`: these are loaded; `searching`: samples run with what there is.',
  }),
  minute_candles: count.nullable().meta({ description: 'Candles whose minutes are used or on their way; null: none.' }),
  failure: z.string().nullable().meta({ description: 'Why it failed.' }),
  request: SearchRequest.nullable().meta({ description: 'null for searches from before this was kept.' }),
  result: SearchResult.nullable(),
});
export type SearchWire = z.output<typeof Search>;

export const SearchAnswer = z.object({ search: Search });
export const SearchesAnswer = z.object({
  searches: z.array(Search.omit({ request: true, result: true })).meta({ description: 'The newest first.' }),
});
export const SearchId = z.strictObject({ id: z.uuid() });

export const TrialsBytes = z.unknown().meta({
  type: 'string',
  format: 'binary',
  description:
    'gzip of f64 columns, little-endian, one after the other, each with every sample and then every refined set: netPnl, tradeCount, winCount, profitFactor, closedDrawdownFraction, maxDrawdownFraction, sharpe, sortino, calmar, value.',
});
