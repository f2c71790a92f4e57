import { PORTFOLIO_SYMBOLS_MAX } from '@sextant/engine-as/abi/portfolio.ts';
import { LAB_LOADED } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { RUN_CANDLES_MIN } from '@sextant/workers/src/core/limits.ts';
import { TradeWire } from '@sextant/workers/src/protocol/wire/backtestResult.ts';
import { RunCostsWire } from '@sextant/workers/src/protocol/wire/costs.ts';
import { PortfolioLimitsWire } from '@sextant/workers/src/protocol/wire/portfolio.ts';
import {
  contributionShape,
  monthShape,
  PortfolioSkipsWire,
  PortfolioSummaryWire,
  regimeShape,
} from '@sextant/workers/src/protocol/wire/portfolioResult.ts';
import {
  RulesText,
  SetLevelsWire,
  StoredStrategyWire,
  StrategyWire,
} from '@sextant/workers/src/protocol/wire/strategy.ts';
import { z } from 'zod';
import { InstantOrNull } from '../../../platform/instant.ts';
import { ExchangeName, IntervalName, SymbolName } from '../../market/contract.ts';
import { Hashes } from '../contract.ts';
import { HonestyVerdict } from '../runContract.ts';

/** One account over many symbols, loaded and run on the server. Rules of the account: docs/portfolio.md. */

/** Candles of each symbol. */
export const PORTFOLIO_CANDLES_MAX = 5000;
/** Points of the equity, and trades, of one response. */
export const EQUITY_POINTS_MAX = 500;
export const TRADES_SHOWN_MAX = 1000;
/** Part of the turnover of a candle that an order of the stated capacity takes at most. */
export const CAPACITY_SHARE = 0.1;

/** What the contract of a symbol decides is loaded, so it is no cost of the request. */
const PortfolioCosts = RunCostsWire.omit({
  funding: true,
  liquidationModel: true,
  tiers: true,
  tickSize: true,
  stepSize: true,
  minNotional: true,
  maxQuantity: true,
  rulesOf: true,
});

const hasValuesAlone = (set: object | undefined): boolean =>
  set === undefined || Object.keys(set).every((name) => name === 'values');

export const RunPortfolioBody = z
  .strictObject({
    symbols: z
      .array(SymbolName)
      .min(1)
      .max(PORTFOLIO_SYMBOLS_MAX)
      .refine((names) => new Set(names).size === names.length, 'names a symbol twice')
      .optional()
      .meta({ description: `Your universe, as scans select it, at most ${PORTFOLIO_SYMBOLS_MAX}, when absent.` }),
    exchange: ExchangeName.default('binance'),
    interval: IntervalName.optional().meta({
      description: 'Length of the candles that decide. That of the strategy, or 1h, when absent.',
    }),
    limit: z
      .int()
      .min(RUN_CANDLES_MIN)
      .max(PORTFOLIO_CANDLES_MAX)
      .default(LAB_LOADED)
      .meta({ description: 'Candles of each symbol; the first ones warm the indicators up.' }),
    endTime: z
      .int()
      .positive()
      .optional()
      .meta({ description: 'Epoch ms: only candles closed by then. Now when absent.' }),
    strategy: StrategyWire.optional().meta({ description: 'The strategy that decides.' }),
    rules: RulesText.optional().meta({
      description:
        'Own rules as text instead of `strategy`. Without both: what Auto trades, your saved strategy or Live rules with your tuning.',
    }),
    set: SetLevelsWire.optional().meta({
      description:
        'Threshold and levels in place of those of the strategy, also of what Auto trades; of own rules `values` alone.',
    }),
    costs: PortfolioCosts.prefault({}).meta({
      description:
        'Fees, slippage and account; each contract is loaded. With `asAuto` the account is that of your settings.',
    }),
    limits: PortfolioLimitsWire.optional().meta({ description: 'Those of your Auto settings when absent.' }),
    asAuto: z.boolean().optional().meta({
      description:
        'Takes balance, leverage, base, risk and confidence limits of your Auto settings; true when `limits` are absent.',
    }),
    honesty: z.boolean().default(true).meta({ description: 'Assesses how much of the result luck explains.' }),
    earlierTrials: z.int().min(0).max(1_000_000_000).default(0).meta({
      description:
        'Sets you tried elsewhere on these candles; the larger of this and the count of your account is used.',
    }),
  })
  .refine(({ strategy, rules }) => strategy === undefined || rules === undefined, {
    path: ['rules'],
    error: 'send either strategy or rules',
  })
  .refine(({ set, rules, strategy }) => hasValuesAlone(set) || (rules ?? strategy?.rules) === undefined, {
    path: ['set'],
    error: 'must have values alone: own rules have their exits in their text',
  })
  .refine(
    ({ strategy, interval }) =>
      strategy === undefined || interval === undefined || strategy.intervals[0]?.interval === interval,
    { path: ['interval'], error: 'must be the first interval of the strategy' },
  );
export type PortfolioBody = z.output<typeof RunPortfolioBody>;

const count = z.int().min(0);
const Nullable = z.number().nullable();
const column = z.array(z.number());

export const leftOutReasons = [
  'unknown',
  'no_candles',
  'too_few_candles',
  'too_few_before_unseen',
  'too_large',
  'busy',
] as const;

export const PortfolioLeftOut = z
  .array(z.object({ symbol: z.string(), reason: z.enum(leftOutReasons) }))
  .meta({ description: 'Symbols that did not take part; `too_few_before_unseen`: in the training of a search alone.' });

export const PortfolioAccount = z
  .object({
    isAuto: z.boolean(),
    equity: z.number().meta({ description: 'At the start, USDT.' }),
    leverage: z.number().meta({ description: 'As set; a contract may grant less.' }),
    notional: z.number().meta({ description: 'Largest position at that leverage, USDT.' }),
    sizing: z.enum(['fixed', 'risk']),
    riskFraction: z.number(),
    limits: PortfolioLimitsWire,
    notes: z.array(z.string()).meta({ description: 'What of your Auto settings a backtest cannot do.' }),
  })
  .meta({ description: 'The account that ran.' });

export const RunPortfolioResponse = z.object({
  exchange: ExchangeName,
  interval: IntervalName,
  strategy: StoredStrategyWire,
  strategy_name: z
    .string()
    .nullable()
    .meta({ description: 'Name of the strategy that Auto trades; null: sent with the request.' }),
  account: PortfolioAccount,
  summary: PortfolioSummaryWire,
  capacity: z
    .object({ notional: z.number(), symbol: z.string() })
    .nullable()
    .meta({
      description: `Largest equal order, USDT, that takes at most ${CAPACITY_SHARE * 100} % of the turnover of its candle in every entry and exit, and the symbol that limits it; null without trades.`,
    }),
  curve: z
    .object({
      time: column,
      equity: column,
      drawdown: column,
      longNotional: column,
      shortNotional: column,
      margin: column,
      openCount: column,
    })
    .meta({
      description: `At most ${EQUITY_POINTS_MAX} evenly spaced candles: open (epoch ms), equity and drawdown at the close, exposure.`,
    }),
  contributions: z.array(
    z.object({
      ...contributionShape,
      listed_at: InstantOrNull.meta({ description: 'null: the exchange does not state it.' }),
      has_ended: z.boolean().meta({ description: 'The exchange has delisted it.' }),
      leverage: z.number(),
    }),
  ),
  months: z.array(z.object(monthShape)),
  regimes: z.array(z.object(regimeShape)),
  correlation: z.object({ symbols: z.array(z.string()), values: z.array(z.array(Nullable)), mean: Nullable }),
  trades: z
    .array(TradeWire.extend({ symbol: z.string(), exitStep: count }))
    .meta({ description: `The newest ${TRADES_SHOWN_MAX} by close; \`trade_count\` counts all.` }),
  trade_count: count,
  skips: PortfolioSkipsWire,
  left_out: PortfolioLeftOut,
  funding_missing: z.array(z.string()).meta({ description: 'Symbols whose fundings did not load: none are charged.' }),
  tiers_unknown: z
    .array(z.string())
    .meta({ description: 'Symbols without leverage tiers: one maintenance rate at every size.' }),
  survivors_only: z.boolean().meta({ description: 'No symbol of the run has been delisted.' }),
  survivors_text: z.string(),
  universe_day: z.string().nullable().meta({
    description:
      'Day whose stored list the symbols come from, those delisted since included; null: of today, or named.',
  }),
  survivor_bias: z
    .object({ return_fraction: Nullable, reason: z.string().nullable() })
    .meta({ description: 'Return without the delisted symbols minus that with them; null with the reason.' }),
  honesty: HonestyVerdict.nullable(),
  hashes: Hashes,
});
export type PortfolioResponse = z.output<typeof RunPortfolioResponse>;
