import { choiceSettings, numberSettings } from '@sextant/workers/src/core/settings.ts';
import { z } from 'zod';
import { LIST_TEXT_MAX } from '../../platform/contract.ts';
import { ExchangeName, IntervalName, SymbolName } from '../market/contract.ts';
import { NewsSayWire } from '../news/contract.ts';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { ConfidenceFields } from './confidenceBasis.ts';
import { Tuning } from './rules.ts';
import { signalIntervals } from '@sextant/engine-as/abi/intervals.ts';

export const RiskTolerance = z.enum(choiceSettings.risk_tolerance.choices, 'must be low, medium or high');
const { leverage, balance_usdt: balance } = numberSettings;
export const Leverage = z
  .int()
  .min(leverage.min, `must be at least ${leverage.min}`)
  .max(leverage.max, `must be at most ${leverage.max}`);
export const Balance = z
  .number()
  .min(balance.min, `must be at least ${balance.min}`)
  .max(balance.max, `must be at most ${balance.max}`);
export const CandleLimit = z.int().min(100, 'must be at least 100').max(1000, 'must be at most 1000');
const exchange = ExchangeName.default('binance');

export const FuturesSignalBody = z
  .strictObject({
    symbol: SymbolName,
    interval: IntervalName,
    limit: CandleLimit.default(500).meta({
      description: 'Closed candles of each interval; more are read where votes need them, e.g. two UTC days on 1m.',
    }),
    balance: Balance.default(balance.default).meta({ description: 'Simulated capital, USDT.' }),
    riskTolerance: RiskTolerance.default(choiceSettings.risk_tolerance.default).meta({
      description: 'Loss at the stop: 0.5 %, 1 % or 2 % of the balance, costs included.',
    }),
    leverage: Leverage.default(leverage.default),
    intervals: z
      .array(IntervalName)
      .max(3)
      .default([])
      .meta({ description: 'Longer intervals that also vote, each at half the weight of `interval`.' }),
    tuning: Tuning.optional().meta({ description: 'Instead of your saved tuning.' }),
    exchange,
  })
  .refine(({ interval, intervals }) => intervals.every((each) => intervalMs[each] > intervalMs[interval]), {
    path: ['intervals'],
    error: 'must be longer than `interval`',
  });

export const EnsembleQuery = z.strictObject({
  symbol: SymbolName,
  intervals: z
    .string()
    .max(LIST_TEXT_MAX, 'is too long')
    .transform((text) => [...new Set(text.split(',').map((part) => part.trim()))].filter((part) => part !== ''))
    .pipe(z.array(IntervalName).min(1, 'must name at least one interval').max(4, 'must name at most 4 intervals'))
    .optional()
    .transform((result) => result ?? [...signalIntervals])
    .meta({ description: 'Comma-separated intervals; 15m,1h,4h when absent.', examples: ['15m,1h,4h'] }),
  exchange,
});

const Nullable = z.number().nullable();

export const SignalPosition = z.object({
  sizeUsdt: z.number().meta({ description: 'Notional of the simulated position.' }),
  sizeBase: z.number(),
  leverage: z.int(),
  qty: z.number().meta({ description: 'The same as sizeBase.' }),
  liquidationApprox: Nullable,
  loss_at_stop: Nullable.meta({ description: 'Net loss when the stop is hit, USDT, fees and slippage included.' }),
  risk_multiplier: z.number().meta({ description: 'Share of base x leverage the risk allows; 0: no size.' }),
  refused_by: z
    .enum(['quantity', 'min_notional', 'min_above_risk', 'margin_full'])
    .nullable()
    .meta({ description: 'Why there is no size; null: there is one.' }),
  message: z.string().nullable().meta({ description: 'The same in words.' }),
  limits: z
    .object({
      tick_size: z.number(),
      step_size: z.number(),
      min_notional: z.number(),
      max_quantity: z
        .number()
        .exactOptional()
        .meta({ description: 'Largest market order, coins; absent in older scans.' }),
      max_leverage: z.number().nullable(),
    })
    .meta({ description: 'Order rules of the exchange for the symbol; 0: no rule.' }),
});

export const AiProposal = z.object({
  tags: z.array(z.string()),
  horizon_min: Nullable,
  stop_loss_pct_suggest: Nullable,
  take_profit_pct_suggest: Nullable,
});

/** What a signal was computed from: engine, candles and rules. */
export const SignalHashes = z.object({ engine: z.string(), data: z.string(), params: z.string() });

/** One signal under both sets of names in the specification. */
export const SignalFields = {
  symbol: z.string(),
  interval: z.string(),
  exchange: ExchangeName,
  direction: z.enum(['LONG', 'SHORT', 'NEUTRAL']),
  ...ConfidenceFields,
  score: z.number().min(-1).max(1).meta({ description: 'Weighted votes: -1 all SHORT, 1 all LONG.' }),
  price: z.number().positive().meta({ description: 'Close of the last closed candle.' }),
  stopLoss: Nullable.meta({ description: 'null when NEUTRAL.' }),
  takeProfit: Nullable,
  riskLabel: z.enum(['LOW', 'STANDARD', 'HIGH', 'EXTREME']).meta({ description: 'By the distance of the stop.' }),
  horizon_min: Nullable.meta({ description: 'Expected minutes until stop or target without drift.' }),
  position: SignalPosition,
  meta: z.object({ rsi: Nullable, macd: Nullable, atr: Nullable }),
  ai_state: z.enum(['online', 'approved', 'rejected', 'offline']).meta({
    description:
      '`online`: a model is set up, not called yet; `approved`, `rejected`: its verdict; `offline`: no model is set up, or it ' +
      'gave no verdict.',
  }),
  rule_check: z
    .enum(['not_run', 'passed', 'not_passed'])
    .nullable()
    .meta({
      description:
        'With `offline` and no model: result of the built-in rules, which gate opening like an AI check. null where a ' +
        'model judges.',
    }),
  aiApproved: z.boolean().nullable().meta({ description: "A model's verdict; null without one." }),
  aiRationale: z.string().nullable(),
  aiProposal: AiProposal.nullable(),
  suggestedRiskMultiplier: Nullable,
  live_votes: z.int(),
  effective_votes: z.number().meta({ description: 'Effective number of independent votes.' }),
  contributions: z
    .array(
      z.object({
        vote: z.string(),
        interval: z.string(),
        opinion: z.int(),
        is_live: z.boolean(),
        contribution: z.number(),
      }),
    )
    .meta({ description: 'Contribution of each vote; they sum to the score.' }),
  news: NewsSayWire.optional().meta({ description: 'Absent without stories.' }),
  timeframes: z.array(z.object({ interval: z.string(), weight: z.number(), score: Nullable })),
  candle_close_at: z.iso.datetime(),
  computed_at: z.iso.datetime(),
  hashes: SignalHashes,
};

export const SignalResponse = z.object({
  ...SignalFields,
  market: z.enum(['simulated', 'replay', 'live']),
  data_age_ms: z.int().min(0).meta({ description: 'Milliseconds since the exchange last confirmed the candles.' }),
});
export type SignalWire = z.input<z.ZodObject<typeof SignalFields>>;
