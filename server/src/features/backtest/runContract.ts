import { STRATEGY_INTERVALS_MAX } from '@sextant/engine-as/abi/strategy.ts';
import { OWN_CANDLES_MAX, RUN_CANDLES_MAX, RUN_CANDLES_MIN } from '@sextant/workers/src/core/limits.ts';
import { RUN_MINUTES_MAX } from '@sextant/workers/src/candles/minutes.ts';
import { BacktestResultWire } from '@sextant/workers/src/protocol/wire/backtestResult.ts';
import { MarkPricesWire } from '@sextant/workers/src/protocol/wire/backtest.ts';
import { candlesWire } from '@sextant/workers/src/protocol/wire/candles.ts';
import { checkContext } from '@sextant/workers/src/protocol/wire/checkContext.ts';
import { RunCostsWire } from '@sextant/workers/src/protocol/wire/costs.ts';
import { SERVER_WORK_MAX, setCostOf } from '@sextant/workers/src/tasks/optimize/setCost.ts';
import { API_LOADED, SAMPLES_MAX, SCORED_DEFAULT } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { checkRanges, OptimizeOptionsWire } from '@sextant/workers/src/protocol/wire/optimize.ts';
import { takeRules } from '@sextant/workers/src/protocol/wire/ownRules.ts';
import { RulesText, StoredStrategyWire, StrategyWire } from '@sextant/workers/src/protocol/wire/strategy.ts';
import { StrategyParamsWire } from '@sextant/workers/src/protocol/wire/strategyParams.ts';
import { z } from 'zod';
import { Text } from '../../platform/contract.ts';
import { HistoryRevision } from '../history/contract.ts';
import { ContractRules, ExchangeName, IntervalName, SymbolName } from '../market/contract.ts';
import { RunName } from './contract.ts';
import { SearchResult } from './search/contract.ts';

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
export const itsInterval = { path: ['strategy', 'intervals'], error: 'must start with the interval of the candles' };

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
        'Loads exactly `limit` candles, to repeat a run. Rules may then lack a score on the first scored candles.',
    }),
    endTime: z
      .int()
      .positive()
      .optional()
      .meta({ description: 'Epoch ms: only candles closed by then. Now when absent.' }),
    candles: candlesWire(OWN_CANDLES_MAX).optional().meta({ description: 'Your own candles instead of a symbol.' }),
    params: StrategyParamsWire.prefault({}),
    strategy: StrategyWire.optional().meta({
      description:
        'A strategy of rules instead of `params`, without news. Its first interval is `interval`; longer ones are loaded for a symbol. With your own candles, send them as `context`.',
    }),
    rules: RulesText.optional().meta({
      description:
        'Own rules as text, in place of `strategy`: `long when rsi(14) < 30`. They decide on candles of `interval`; errors name line, column and fix. The response has their `strategy`.',
    }),
    context: z
      .array(candlesWire(OWN_CANDLES_MAX))
      .max(STRATEGY_INTERVALS_MAX - 1)
      .optional()
      .meta({
        description:
          'For your own candles: those of each longer interval of `strategy` or `rules`, the shortest first, from about 500 candles earlier for warm-up, more for longer look-backs. Each candle must match the base candles in it; the first mismatch is rejected.',
      }),
    fineData: z.boolean().default(true).meta({
      description:
        'For a symbol: mark prices decide liquidations, and minute candles settle exits whose candle holds both stop and target, for every set of a search. What the exchange lacks is left out.',
    }),
    markPrices: MarkPricesWire.optional().meta({ description: 'For your own candles: their mark prices.' }),
    fineCandles: candlesWire(OWN_CANDLES_MAX)
      .optional()
      .meta({ description: 'For your own candles: finer candles that settle their exits.' }),
    minutesOf: SymbolName.optional().meta({
      description: 'For your own candles: the symbol of `exchange` whose minute candles are loaded.',
    }),
    costs: RunCostsWire.prefault({}),
    rulesOf: z
      .union([z.literal('none'), SymbolName])
      .optional()
      .meta({
        description:
          'Symbol whose tick, step, minimum notional and leverage tiers on `exchange` apply. Default: the symbol of the candles; none for your own candles. `none`, or rules in `costs`: nothing is loaded.',
      }),
    scored: z
      .int()
      .min(1)
      .max(OWN_CANDLES_MAX)
      .optional()
      .meta({
        description: `Trades may open on this many last candles; earlier ones are warm-up. ${SCORED_DEFAULT} for a symbol, all for your own candles.`,
      }),
    optimize: OptimizeOptionsWire.optional().meta({
      description: `Searches for better sets of \`params\`, or of \`strategy\`; the set you send is set 0. Up to ${SAMPLES_MAX} samples return \`best\` at once; above that, 202 and a search to follow. Samples times candles may be ${SERVER_WORK_MAX.toLocaleString('en-US')}; a set of \`strategy\` counts as ${setCostOf('rules')}.`,
    }),
    honesty: z
      .boolean()
      .default(false)
      .meta({ description: `Assesses how much of the result luck explains. Up to ${SAMPLES_MAX} samples.` }),
    earlierTrials: z.int().min(0).max(1_000_000_000).default(0).meta({
      description:
        'Sets you tried elsewhere on these candles; the larger of this and the count of your account is used.',
    }),
    name: RunName.optional().meta({ description: 'Saves the run under this name.' }),
    isRange: z
      .boolean()
      .optional()
      .meta({ description: 'For a named run: the scored candles were selected by date, not by number.' }),
    label: Text.max(200).optional().meta({ description: 'Name of your own candles.' }),
  })
  .check(takeRules)
  .refine(hasOneSource, { path: ['symbol'], error: 'send either symbol or candles' })
  .refine(({ honesty, optimize }) => !honesty || (optimize?.samples ?? 0) <= SAMPLES_MAX, {
    path: ['honesty'],
    error: `supports up to ${SAMPLES_MAX} samples; for deep searches see the figures on screen`,
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
        'Sets your account tried on these candles, the family and earlier calls included. Repeats count once.',
    }),
    earlierLooks: z.int().meta({ description: 'Earlier results your account saw on the scored candles.' }),
    family: z
      .object({ markets: z.int(), trials: z.int() })
      .meta({ description: 'Other markets your account searched over the same dates, and the sets tried there.' }),
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

/** Order rules of the exchange as a run applied them. */
export const AppliedContract = ContractRules.extend({
  leverage: z.number().meta({ description: 'Leverage of the run: `costs`, capped by the exchange.' }),
  notes: z.array(z.string()).meta({
    description:
      'Why the leverage was lowered, or that tiers are unknown; then one maintenance rate applies at every size.',
  }),
});

const Source = {
  id: z.uuid().meta({ description: 'Id of the stored run.' }),
  symbol: z.string().nullable(),
  exchange: ExchangeName.nullable().meta({ description: 'Where the candles came from; null for your own.' }),
  interval: IntervalName,
  first_candle_at: z.iso.datetime(),
  last_candle_at: z.iso.datetime(),
  gapCount: z.int().meta({ description: 'Missing candles in the loaded window; never filled in.' }),
  leftOut: z
    .string()
    .nullable()
    .meta({
      description:
        'Last rows of your own `candles` left out because they have not closed. Candles that all end in the ' +
        'future, such as generated ones, run as they are, and this says so. null: all have closed.',
    }),
  contract: AppliedContract.nullable().meta({
    description: 'Applied order rules; null: none. Smaller orders are in `droppedSignals.tooSmall`.',
  }),
  fineDataProblem: z
    .string()
    .nullable()
    .meta({
      description: `Why mark prices or minute candles are missing this time; run again. null: all available ones were used; a run takes ${RUN_MINUTES_MAX.toLocaleString('en-US')} minutes at most.`,
    }),
};

export const RunResponse = BacktestResultWire.extend(Source)
  .extend(Judged)
  .extend({
    revisions: z.array(HistoryRevision).meta({
      description: 'Candles of the run that the exchange sent with other values later, in both versions. Newest 50.',
    }),
    strategy: StoredStrategyWire.optional().meta({
      description: 'The rules of the run; `bestParams` is then ignored.',
    }),
  });
export const OptimizedResponse = SearchResult.extend(Source).extend(Judged);
/** The figures, or the same inside `best`. */
export const RunBacktestResponse = z.union([OptimizedResponse, RunResponse]);
