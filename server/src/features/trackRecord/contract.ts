import { z } from 'zod';
import { signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import { ExchangeName, SymbolName } from '../market/contract.ts';
import { SignalHashes } from '../signals/contract.ts';
import { ConfidenceBasis, ConfidenceKind } from '../signals/confidenceBasis.ts';

const Nullable = z.number().nullable();
const Fraction = Nullable.meta({ description: 'A fraction of the entry price: 0.02 is 2 %.' });

export const HistoryQuery = z.strictObject({
  limit: z
    .string()
    .regex(/^\d{1,4}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(1, 'must be at least 1').max(500, 'must be at most 500'))
    .optional()
    .transform((limit) => limit ?? 200)
    .meta({ type: 'integer', minimum: 1, maximum: 500, description: 'Signals, newest first; 200 when absent.' }),
  mine: z
    .enum(['true', 'false'], 'must be true or false')
    .optional()
    .transform((mine) => mine === 'true')
    .meta({ description: 'Only signals of your own scans.' }),
});

/** A series of the replay. */
export const ReplayedQuery = z.strictObject({
  symbol: SymbolName,
  interval: z.enum(signalIntervals, `must be one of ${signalIntervals.join(' ')}`),
  limit: HistoryQuery.shape.limit,
});

export const ReplayedResponse = z.object({
  origin: z.literal('replayed'),
  symbol: z.string(),
  interval: z.string(),
  total: z.int().meta({ description: 'Finished signals of the series.' }),
  open: z.int().meta({ description: 'Signals whose time was not over.' }),
  signals: z.array(
    z.object({
      candle_close_at: z.iso.datetime(),
      direction: z.enum(['LONG', 'SHORT']),
      raw_confidence: z.number(),
      price: z.number(),
      stop_loss: z.number(),
      take_profit: z.number(),
      horizon_min: z.number(),
      outcome: z.enum(['TP', 'SL', 'TIME', 'DELISTED']),
      exit_at: z.iso.datetime().meta({ description: 'Open of the candle it ended in.' }),
      net_fraction: z.number(),
      is_ambiguous: z.boolean(),
    }),
  ),
});

export const HistoryResponse = z.object({
  signals: z.array(
    z.object({
      id: z.uuid(),
      created_at: z.iso.datetime(),
      exchange: ExchangeName,
      market: z.enum(['simulated', 'replay', 'live']),
      symbol: z.string(),
      interval: z.string(),
      candle_close_at: z.iso.datetime(),
      direction: z.enum(['LONG', 'SHORT']),
      confidence: z.number(),
      confidence_kind: ConfidenceKind,
      raw_confidence: z.number().meta({ description: 'Shown as score.' }),
      price: z.number(),
      stop_loss: z.number(),
      take_profit: z.number(),
      horizon_min: z.number(),
      risk_label: z.string(),
      mine: z.boolean().meta({ description: 'Whether a scan of yours found it.' }),
      hashes: SignalHashes,
      outcome: z
        .object({
          outcome: z.enum(['TP', 'SL', 'TIME', 'DELISTED']).meta({
            description: '`DELISTED`: the exchange ended the contract; settled at the last price seen.',
          }),
          exit_price: z.number(),
          exit_at: z.iso.datetime(),
          net_fraction: z.number(),
          is_ambiguous: z.boolean(),
          basis: z.string().meta({ description: 'Length of the candles it was judged on.' }),
        })
        .nullable()
        .meta({ description: 'null: still open, not lost.' }),
    }),
  ),
});

export const Origin = z.enum(['live', 'replayed'], 'must be live or replayed').meta({
  description: '`live`: signals as recorded when found; `replayed`: Live rules on stored candles. Never mixed.',
});

export const OriginQuery = z.strictObject({
  origin: Origin.optional()
    .transform((origin) => origin ?? 'live')
    .meta({ description: 'Origin of the signals in `engine`; live when absent.' }),
});

export const RateInterval = z
  .object({ low: z.number(), high: z.number() })
  .nullable()
  .meta({ description: '95 %, Wilson; signals that are open at the same time are one draw.' });
export const MeanInterval = z
  .object({ low: z.number(), high: z.number() })
  .nullable()
  .meta({ description: '95 %, Student; signals that are open at the same time are one draw. null: too few draws.' });

export const Calibration = z.object({
  count: z.int(),
  brier: Nullable.meta({ description: 'Mean squared difference of confidence and outcome.' }),
  brier_of_base_rate: Nullable.meta({ description: 'Reference: always stating the win rate.' }),
  log_loss: Nullable.meta({ description: 'Log loss: mean of -ln(stated chance of the outcome).' }),
  log_loss_of_base_rate: Nullable.meta({ description: 'Reference: always stating the win rate.' }),
  ece: Nullable.meta({ description: 'Expected calibration error.' }),
  bins: z.array(
    z.object({
      from: z.number(),
      to: z.number(),
      count: z.int(),
      won: z.int(),
      mean_confidence: Nullable,
      win_rate: Nullable,
      interval: RateInterval,
    }),
  ),
});

export const ConfidenceReport = z.object({
  origin: Origin.meta({ description: 'Origin of the outcomes in `before`, `after` and `chance`.' }),
  bases: z.array(ConfidenceBasis).meta({ description: 'Current basis of the confidence, per interval.' }),
  before: Calibration.meta({
    description: 'Raw confidence of resolved signals with calibrated confidence.',
  }),
  after: Calibration.meta({
    description: 'Calibrated confidence of the same signals, stated before their outcomes.',
  }),
  chance: Calibration.meta({
    description: '`chance` as stated, from replayed outcomes at first, by the live outcomes that followed.',
  }),
});
export type ConfidenceReportWire = z.input<typeof ConfidenceReport>;

export const SignalRecord = z.object({
  origin: Origin,
  signals: z.int().meta({ description: 'Recorded.' }),
  open: z.int().meta({ description: 'Not resolved yet: neither won nor lost.' }),
  overdue: z.int().meta({
    description: 'Overdue: a candle is missing or trading is halted. They may be losers.',
  }),
  resolved: z.int(),
  tp: z.int(),
  sl: z.int(),
  time: z.int().meta({ description: 'The horizon passed before stop and target.' }),
  delisted: z.int().meta({ description: 'The exchange ended the contract: settled at the last price seen.' }),
  won: z.int().meta({ description: 'Resolved with a gain after fees.' }),
  ambiguous: z.int().meta({ description: 'Stop and target in one candle: counted as stopped.' }),
  hit_rate: Nullable,
  hit_rate_interval: RateInterval,
  independent_count: z.number().meta({
    description: 'Independent resolved signals: same symbol, direction and time count once.',
  }),
  mean_net_fraction: Fraction,
  total_net_fraction: Fraction,
  calibration: Calibration,
});

export const OwnStrategy = z.object({
  id: z.uuid(),
  name: z.string(),
  version: z.string().meta({ description: 'Counts this version only; a new version starts at zero.' }),
  is_used: z.boolean().meta({ description: 'Used by scans and automatic opening.' }),
  record: SignalRecord.extend({
    turned: z.int().meta({ description: 'Closed on the opposite signal or an exit rule.' }),
  }).meta({ description: 'Its signals in your scans, each settled by its own exits.' }),
  confidence: ConfidenceReport.meta({ description: 'From its own outcomes only.' }),
});
export type OwnStrategyWire = z.input<typeof OwnStrategy>;

export const OutcomeGroup = z.object({
  count: z.int().meta({ description: 'Below `needed` the figures are null: not enough data.' }),
  mean_net_fraction: Fraction,
  mean_interval: MeanInterval,
  hit_rate: Nullable,
  hit_rate_interval: RateInterval,
});

/** Fields of a veto's value. Only the first of near-identical signals counts. */
const veto = {
  is_enough: z.boolean().meta({ description: 'At least `needed` passed and `needed` vetoed.' }),
  needed: z.int(),
  all: OutcomeGroup,
  passed: OutcomeGroup,
  vetoed: OutcomeGroup,
  random: z
    .object({ mean: z.number(), low: z.number(), high: z.number() })
    .nullable()
    .meta({
      description:
        'Mean result under a random veto of the same size, with its 95 % band; signals that are open at the same time are one draw. ' +
        'null: not enough.',
    }),
  value_added: Nullable.meta({ description: 'Mean result of what passed minus that of the random veto.' }),
  p_value: Nullable.meta({ description: 'Chance of at least this value without skill.' }),
};
export type VetoWire = z.input<z.ZodObject<typeof veto>>;

export const AiValue = z.object({
  decided_by: z.enum(['model', 'built_in']),
  model: z.string().meta({ description: "The model's id, or the version of the built-in rules." }),
  open: z.int().meta({ description: 'Checked signals that are not resolved yet.' }),
  repeats: z.int().meta({ description: 'Resolved duplicates of counted signals.' }),
  ...veto,
});
export type AiValueWire = z.input<typeof AiValue>;

export const TuningHalf = z.object({
  ...veto,
  turned: z.int().meta({ description: 'Vetoed because your weights give the opposite direction.' }),
  brier_before: Nullable.meta({ description: 'Brier score of the confidences as recorded; null: not enough data.' }),
  brier_after: Nullable.meta({ description: 'Brier score of the confidences under your weights; less is better.' }),
});
export type TuningHalfWire = z.input<typeof TuningHalf>;

export const TuningValue = z.object({
  saved_at: z.iso.datetime().meta({ description: 'When you last set weights or floor; earlier closes are in sample.' }),
  confidence_floor: Nullable,
  in_sample: TuningHalf,
  out_of_sample: TuningHalf.meta({
    description: 'Signals of candles closed after you saved: out of sample.',
  }),
  unexplained: z.int().meta({ description: 'Left out: stored votes missing or inconsistent with the score.' }),
});
export type TuningValueWire = z.input<typeof TuningValue>;

export const VoteRecord = z.object({
  vote: z.string(),
  count: z.int().meta({ description: 'Resolved signals on whose own interval it said LONG or SHORT.' }),
  hit_rate: Nullable.meta({
    description: 'Hit rate of the vote: with a signal that gained or against one that lost. null: not enough data.',
  }),
  hit_rate_interval: RateInterval,
});
export type VoteRecordWire = z.input<typeof VoteRecord>;

/** A replay of the record: its progress and groups. */
export const Replay = z.object({
  origin: Origin,
  as_of: z.iso.datetime(),
  strategy_version: z.string(),
  engine_hash: z.string(),
  symbols: z.int(),
  series: z.int().meta({ description: 'Series of symbol and interval replayed so far.' }),
  series_wanted: z.int().meta({ description: 'Series of the universe.' }),
  survivor_bias: z
    .object({ ended_symbols: z.int(), net_pct: Nullable, reason: z.string().nullable() })
    .meta({ description: 'Mean result of symbols still listed minus that of all, percent; null with the reason.' }),
  groups: z.array(
    z.object({
      by: z.enum(['interval', 'direction', 'hour']).meta({ description: '`hour`: UTC hour of the close.' }),
      key: z.string(),
      count: z.int(),
      independent_count: z.number(),
      hit_rate: Nullable,
      hit_rate_interval: RateInterval,
      mean_net_pct: Nullable.meta({ description: 'Mean of independent signals, percent of the entry price.' }),
      net_low_pct: Nullable.meta({ description: '95 %, errors summed by blocks of days. At most 0: no edge shown.' }),
      net_high_pct: Nullable,
    }),
  ),
});
export type ReplayWire = z.input<typeof Replay>;

export const PerformanceResponse = z.object({
  origin: Origin.meta({ description: 'Of `engine`; the other blocks are live.' }),
  replay: Replay.nullable().meta({ description: 'null: `live`, or nothing replayed yet.' }),
  market: z.enum(['simulated', 'replay', 'live']).meta({ description: 'Only signals of this market are counted.' }),
  confidence: ConfidenceReport,
  engine: SignalRecord.meta({ description: 'Every signal of the public record, losers included.' }),
  mine: SignalRecord.meta({ description: 'Signals in your scans.' }),
  ai_check: SignalRecord.nullable().meta({
    description:
      'Signals an AI model approved in your checks without soft approval, before the next candle of their interval had ' +
      'closed. null before the first.',
  }),
  ai_value: z.array(AiValue).meta({
    description: 'Value of your AI verdicts over a random veto of the same rate, by analyst.',
  }),
  tuning: TuningValue.nullable().meta({
    description:
      'Your saved weights and floor as a veto on the newest 5,000 resolved signals; null before the first save.',
  }),
  votes: z.array(VoteRecord).meta({ description: 'Each vote on the same signals.' }),
  strategies: z.array(OwnStrategy).meta({
    description: 'The active strategy, then your other saved strategies with signals.',
  }),
});
export type PerformanceWire = z.input<typeof PerformanceResponse>;
export type RecordWire = z.input<typeof SignalRecord>;

export const PublicSignal = HistoryResponse.shape.signals.element.omit({ mine: true });

export const ScoreboardResponse = z.object({
  origin: Origin.meta({ description: 'Of `engine`; the other blocks are live.' }),
  replay: Replay.nullable().meta({ description: 'null: `live`, or nothing replayed yet.' }),
  market: z.enum(['simulated', 'replay', 'live']).meta({ description: 'Only signals of this market are counted.' }),
  confidence: ConfidenceReport,
  engine: SignalRecord.meta({ description: 'Every signal ever recorded here, losers included.' }),
  ai_check: SignalRecord.nullable().meta({
    description:
      'Signals an AI model approved without soft approval before the next candle of their interval had closed, each counted ' +
      'once; null before the first.',
  }),
  ai_value: z.array(AiValue).meta({
    description: 'Value of all AI verdicts compared with a random veto of the same rate.',
  }),
  newest: z.array(PublicSignal).meta({ description: 'The newest 50, winners and losers alike.' }),
});
export type ScoreboardWire = z.input<typeof ScoreboardResponse>;

export const StrategyReplayResponse = z.object({
  origin: z.literal('replayed'),
  state: z.enum(['none', 'queued', 'running', 'done', 'failed', 'cancelled']),
  version: z.string().nullable().meta({ description: 'Version that is replayed; a newer one needs its own replay.' }),
  requested_at: z.iso.datetime().nullable().meta({ description: 'End of the candles.' }),
  finished_at: z.iso.datetime().nullable(),
  symbols: z.int().nullable().meta({ description: 'Symbols of the past universe; null: not known yet.' }),
  symbols_done: z.int(),
  symbols_failed: z.int().meta({ description: 'Left out: unread, or not computed.' }),
  error: z.string().nullable().meta({ description: 'What failed and what to do; null: nothing.' }),
  record: SignalRecord.extend({ turned: z.int() }).nullable().meta({
    description: 'Outcomes by its own exits; null: not done. Never part of the public record.',
  }),
  mean_net_pct: Nullable.meta({ description: 'Mean of independent signals, after fees, percent of the entry price.' }),
  net_low_pct: Nullable.meta({ description: '95 %, errors summed by blocks of days. At most 0: no edge shown.' }),
  net_high_pct: Nullable,
});
export type StrategyReplayWire = z.input<typeof StrategyReplayResponse>;
