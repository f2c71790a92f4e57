import { STRATEGY_INTERVALS_MAX } from '@sextant/engine-as/abi/strategy.ts';
import { OWN_CANDLES_MAX, RUN_CANDLES_MAX, RUN_CANDLES_MIN, SAVED_NAME_MAX } from '@sextant/workers/src/core/limits.ts';
import { RUN_MINUTES_MAX } from '@sextant/workers/src/candles/minutes.ts';
import { BacktestResultWire } from '@sextant/workers/src/protocol/wire/backtestResult.ts';
import { MarkPricesWire } from '@sextant/workers/src/protocol/wire/backtest.ts';
import { candlesWire } from '@sextant/workers/src/protocol/wire/candles.ts';
import { checkContext } from '@sextant/workers/src/protocol/wire/checkContext.ts';
import { RunCostsWire } from '@sextant/workers/src/protocol/wire/costs.ts';
import { SERVER_WORK_MAX, setCostOf } from '@sextant/workers/src/tasks/optimize/setCost.ts';
import { API_LOADED, SAMPLES_MAX, SCORED_DEFAULT } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { checkRanges, OptimizeOptionsWire } from '@sextant/workers/src/protocol/wire/optimize.ts';
import { StrategyWire } from '@sextant/workers/src/protocol/wire/strategy.ts';
import { StrategyParamsWire } from '@sextant/workers/src/protocol/wire/strategyParams.ts';
import { z } from 'zod';
import { Text } from '../../platform/contract.ts';
import { ContractRules, ExchangeName, IntervalName, SymbolName } from '../market/contract.ts';
import { SearchResult } from './search/contract.ts';

const Name = Text.min(1).max(SAVED_NAME_MAX);

const hasOneSource = (body: { symbol?: unknown; candles?: unknown }): boolean =>
  (body.symbol === undefined) !== (body.candles === undefined);

/** The candles of a run of rules must have the strategy's base interval. */
export const isOnItsInterval = (body: {
  interval: string;
  strategy?: { intervals: { interval: string }[] } | undefined;
}) => body.strategy === undefined || body.strategy.intervals[0]?.interval === body.interval;
const isOnlyBesideOwn = (body: { symbol?: unknown; markPrices?: unknown; fineCandles?: unknown }): boolean =>
  body.symbol === undefined || (body.markPrices === undefined && body.fineCandles === undefined);
/** Longer candles are loaded for a symbol; with own candles they must be sent. */
const hasItsContext = (body: {
  symbol?: unknown;
  strategy?: { intervals: unknown[] } | undefined;
  context?: unknown[] | undefined;
}): boolean =>
  (body.context ?? []).length === (body.symbol === undefined ? (body.strategy?.intervals.length ?? 1) - 1 : 0);
export const itsInterval = { path: ['strategy', 'intervals'], error: 'must begin with the interval of the candles' };

export const RunBacktestBody = z
  .strictObject({
    symbol: SymbolName.optional().meta({ description: 'Loads closed candles of this symbol. Or send `candles`.' }),
    exchange: ExchangeName.default('binance'),
    interval: IntervalName.default('1h'),
    limit: z
      .int()
      .min(RUN_CANDLES_MIN)
      .max(RUN_CANDLES_MAX)
      .default(API_LOADED)
      .meta({ description: 'Candles loaded; more where the rules read whole UTC days, unless `isExact`.' }),
    isExact: z.boolean().default(false).meta({
      description:
        'Loads exactly `limit` candles, to repeat a run that had so many. Rules may then have no score for the first scored candles.',
    }),
    endTime: z
      .int()
      .positive()
      .optional()
      .meta({ description: 'Epoch ms: only candles that had closed at this instant. Now when absent.' }),
    candles: candlesWire(OWN_CANDLES_MAX).optional().meta({ description: 'Your own candles instead of a symbol.' }),
    params: StrategyParamsWire.prefault({}),
    strategy: StrategyWire.optional().meta({
      description:
        'A strategy of rules instead of `params`, without news. Its first interval is `interval`; candles of longer ones are loaded beside those of the symbol. With your own candles send them as `context`.',
    }),
    context: z
      .array(candlesWire(OWN_CANDLES_MAX))
      .max(STRATEGY_INTERVALS_MAX - 1)
      .optional()
      .meta({
        description:
          'Beside your own candles: those of each longer interval of `strategy`, in its order, beginning some 500 candles earlier so that the votes warm up, more when they look back further. Each candle must have the prices of the base candles in it; the first that differs is refused.',
      }),
    fineData: z.boolean().default(true).meta({
      description:
        'Candles of a symbol: its mark prices judge liquidations, and minute candles settle exits whose candle holds both stop and target, of every set of a search. What the exchange does not have is left out.',
    }),
    markPrices: MarkPricesWire.optional().meta({ description: 'Beside your own candles: their mark prices.' }),
    fineCandles: candlesWire(OWN_CANDLES_MAX)
      .optional()
      .meta({ description: 'Beside your own candles: finer ones, of those whose exits they settle.' }),
    minutesOf: SymbolName.optional().meta({
      description:
        'Beside your own candles: the symbol of `exchange` whose minute candles are loaded, as for a symbol.',
    }),
    costs: RunCostsWire.prefault({}),
    rulesOf: z
      .union([z.literal('none'), SymbolName])
      .optional()
      .meta({
        description:
          'Whose tick, step, least notional and leverage tiers on `exchange` apply. The symbol of the candles when absent; your own candles have none unless you name one. `none`, or rules in `costs`: nothing is loaded.',
      }),
    scored: z
      .int()
      .min(1)
      .max(OWN_CANDLES_MAX)
      .optional()
      .meta({
        description: `Trades may open on the last so many candles; the earlier ones warm the indicators up. ${SCORED_DEFAULT} for a symbol, all for your own candles.`,
      }),
    optimize: OptimizeOptionsWire.optional().meta({
      description: `Searches for better sets of \`params\`, or of \`strategy\`; the one that is sent is set 0. Up to ${SAMPLES_MAX} samples are answered at once with \`best\`; above that the answer is 202 and a search to follow. Samples times candles may be ${SERVER_WORK_MAX.toLocaleString('en-US')}; a set of \`strategy\` counts as ${setCostOf('rules')}.`,
    }),
    honesty: z
      .boolean()
      .default(false)
      .meta({ description: `Judges the result: how much of it luck explains. Up to ${SAMPLES_MAX} samples.` }),
    earlierTrials: z.int().min(0).max(1_000_000_000).default(0).meta({
      description:
        'Sets that you tried elsewhere on these candles, e.g. on your own machine; the larger of this and what your account tried here counts.',
    }),
    name: Name.optional().meta({ description: 'Keeps the run under this name.' }),
    isRange: z
      .boolean()
      .optional()
      .meta({ description: 'Kept with a name: the scored candles were chosen by dates, not by their number.' }),
    label: Text.max(200).optional().meta({ description: 'What your own candles are called.' }),
  })
  .refine(hasOneSource, { path: ['symbol'], error: 'send either symbol or candles' })
  .refine(({ honesty, optimize }) => !honesty || (optimize?.samples ?? 0) <= SAMPLES_MAX, {
    path: ['honesty'],
    error: `works up to ${SAMPLES_MAX} samples; the screen of a deep search shows the figures`,
  })
  .refine(isOnItsInterval, itsInterval)
  .refine(isOnlyBesideOwn, {
    path: ['markPrices'],
    error: 'markPrices and fineCandles belong to your own candles; those of a symbol are loaded',
  })
  .refine(({ minutesOf, symbol, fineCandles }) => minutesOf === undefined || (symbol ?? fineCandles) === undefined, {
    path: ['minutesOf'],
    error: 'belongs to your own candles, without `fineCandles`; those of a symbol are loaded',
  })
  .refine(hasItsContext, {
    path: ['context'],
    error: 'must hold the candles of each longer interval of `strategy`, in its order; leave it out for a symbol',
  })
  .check(checkRanges)
  .check(checkContext);

export const HonestyVerdict = z
  .object({
    level: z.enum(['luck', 'unclear', 'holds up', 'not enough data']),
    words: z.string().meta({ description: 'The verdict in a sentence.' }),
    trialCount: z.int().meta({
      description:
        'Sets that your account tried on these candles, earlier calls and those of the family included. The same run or search again is counted once.',
    }),
    earlierLooks: z.int().meta({ description: 'Results on the scored candles that your account saw before this one.' }),
    family: z
      .object({ markets: z.int(), trials: z.int() })
      .meta({ description: 'Other markets that your account searched over the same dates, and the sets tried there.' }),
    figures: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        value: z.number().nullable().meta({ description: 'null with a reason.' }),
        reason: z.string().optional(),
        says: z.enum(['luck', 'skill', 'neither']),
        words: z.string(),
      }),
    ),
  })
  .meta({ description: 'How much of the result luck explains; docs/honesty.md defines each figure.' });
const Judged = { honesty: HonestyVerdict.optional().meta({ description: 'With `honesty: true`.' }) };

const Source = {
  id: z.uuid().meta({ description: 'Of the stored run.' }),
  symbol: z.string().nullable(),
  exchange: ExchangeName.nullable().meta({ description: 'Where the candles came from; null for your own.' }),
  interval: IntervalName,
  first_candle_at: z.iso.datetime(),
  last_candle_at: z.iso.datetime(),
  gapCount: z.int().meta({ description: 'Missing candles inside the loaded window; they are never invented.' }),
  leftOut: z
    .string()
    .nullable()
    .meta({
      description:
        'Names the last rows of your own `candles` that were left out because their candles have not closed. Candles that all end in the ' +
        'future, such as generated ones, are run as they are, and this says so. null: all have closed.',
    }),
  contract: ContractRules.extend({
    leverage: z.number().meta({ description: 'Of the run: that of `costs`, lowered to what the exchange grants.' }),
    notes: z.array(z.string()).meta({
      description:
        'Why the leverage was lowered, and that tiers are unknown: then one maintenance rate counts at every size.',
    }),
  })
    .nullable()
    .meta({ description: 'The rules that applied; null: none. Orders below them are in `droppedSignals.tooSmall`.' }),
  fineDataProblem: z
    .string()
    .nullable()
    .meta({
      description: `Why mark prices or minute candles could not be loaded this time, so that the figures are without them: ask again. null: all were that are needed and that the exchange has; a run takes ${RUN_MINUTES_MAX.toLocaleString('en-US')} minutes at most.`,
    }),
};

export const RunAnswer = BacktestResultWire.extend(Source)
  .extend(Judged)
  .extend({
    strategy: StrategyWire.optional().meta({ description: 'The rules that were run; ignore `bestParams` then.' }),
  });
export const OptimizedAnswer = SearchResult.extend(Source).extend(Judged);
/** The figures, or the same inside `best`. */
export const RunBacktestAnswer = z.union([OptimizedAnswer, RunAnswer]);
