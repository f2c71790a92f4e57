import { IMAGE_MIB_MAX } from '@sextant/workers/src/core/limits.ts';
import { signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import { z } from 'zod';
import { SymbolName } from '../market/contract.ts';
import { InstantOrNull } from '../../platform/instant.ts';

// The specification names these fields in snake case.

export const MODEL_RATIONALE_MAX = 600;
/** A view is judged by the close this many candles later. */
export const HORIZON_CANDLES = 10;
/** Minimum number of views before their track record decides anything. */
export const VIEWS_MIN = 30;
/** Minimum number of closed positions of analyses before figures are shown. */
export const OUTCOMES_MIN = 5;
export const PATTERNS_MAX = 12;
export const SHOWN_CANDLES_MAX = 400;
/** Credits refunded to a user per day (UTC) because the response of the AI model is unusable. */
export const MODEL_REFUNDS_PER_DAY = 3;
/** Curves of one analysis: with this many points the stored result stays within its limit (0100_arbitrage_and_vision.sql). */
export const LINES_MAX = 8;

const Instant = z.iso.datetime();
const Nullable = z.number().nullable();
const Price = Nullable.meta({ description: 'Quote currency; null: not known.' });

export const VisionMark = z.enum(['verified', 'read', 'guessed']).meta({
  description:
    '`verified`: from our own candles, which match the picture; `read`: from the pixels or the text of the picture; `guessed`: an ' +
    'estimate by rules or a model.',
});

const Direction = z.enum(['LONG', 'SHORT', 'NEUTRAL']);

export const VisionLevels = z.object({ entry: Price, sl: Price, tp: Price });

export const VisionPattern = z.object({
  id: z
    .string()
    .meta({ description: 'A candlestick pattern such as `engulfing`, or a swing formation such as `doubleTop`.' }),
  title: z.string(),
  direction: z.enum(['bullish', 'bearish', 'neutral']),
  index: z.int().meta({ description: 'The candle of `candles` that completes it.' }),
  points: z.array(z.object({ index: z.int().min(0), side: z.enum(['high', 'low', 'close']) })).meta({
    description: 'Candles of `candles` that a swing formation is drawn through; empty for a candlestick pattern.',
  }),
  drawn: z.enum(['candle', 'zigzag', 'sides', 'level']).meta({
    description:
      '`zigzag`: through the points in order; `sides`: a line through the highs and one through the lows; `level`: level through the points.',
  }),
  record: z
    .object({
      interval: z.string(),
      horizon_candles: z.int(),
      count: z.int().meta({ description: 'Occurrences in our own candle history.' }),
      followed_share: Nullable.meta({
        description: 'Share of them with a close in its direction so many candles later.',
      }),
      followed_low: Nullable.meta({ description: '95 % interval of the share (Wilson); null: it did not occur.' }),
      followed_high: Nullable,
      base_share: z.number().meta({ description: 'The same share of all candles: what no pattern gives.' }),
      beats_base: z.boolean().meta({ description: 'True: the lower bound exceeds the share of all candles.' }),
      series: z.int(),
    })
    .nullable()
    .meta({ description: 'null: no direction, or no history of the interval.' }),
});

export const VisionTimeframe = z
  .object({ interval: z.string(), direction: Direction, score: z.number().min(-1).max(1) })
  .nullable()
  .meta({ description: 'null: no stored candles match the picture.' });

export const VisionGrounding = z.object({
  state: z.enum(['verified', 'read']).meta({
    description: '`verified`: stored candles match the picture. `read`: read from the picture, unverified.',
  }),
  symbol: z.string().nullable(),
  interval: z.string().nullable(),
  from: InstantOrNull,
  to: InstantOrNull,
  is_current: z.boolean().meta({ description: 'The picture ends at the newest candles.' }),
  candle_count: z.int().meta({ description: 'Candles read.' }),
  correlation: Nullable.meta({ description: 'Correlation of close-to-close changes with our candles.' }),
  correlation_part: z.object({ first: z.int(), last: z.int() }).nullable().optional().meta({
    description:
      'Candles of the picture, counted from 1, that correlation and distance are of, where only a part matched; null: all. Absent in older analyses.',
  }),
  residual_pct: Nullable.meta({
    description: 'Distance of the closes from ours, percent of the range of the picture.',
  }),
  symbols_searched: z.int(),
  intervals_searched: z.array(z.string()),
  series_searched: z.int(),
  candles_searched: z.int(),
  price_scale: z
    .enum(['linear', 'log'])
    .nullable()
    .meta({ description: 'Scale of the price axis; null: it was not read.' }),
  price_error_pct: Nullable.meta({
    description:
      'Largest error of a price label against the fitted scale, percent of the height between the outermost labels.',
  }),
  text_failure: z.enum(['timeout', 'failed']).nullable().meta({
    description: 'Why title and axes were not read: text recognition timed out or failed; null: read.',
  }),
  price_labels: z.int().meta({ description: 'Price labels on the fitted scale.' }),
  title_symbol: z.string().nullable().meta({ description: 'Symbol and interval stated in the picture.' }),
  title_interval: z.string().nullable(),
  contradiction: z.string().nullable().meta({ description: 'Disagreement of title and candles.' }),
});

export const VisionCandles = z.object({
  is_real: z.boolean().meta({ description: 'Our own candles; otherwise those read from the picture.' }),
  time: z.array(z.number()).nullable().meta({ description: 'Opens, epoch ms; null: not known.' }),
  open: z.array(z.number()),
  high: z.array(z.number()),
  low: z.array(z.number()),
  close: z.array(z.number()),
  volume: z.array(z.number()).nullable().meta({
    description: 'Our own: base asset. Read from the picture: shares of its highest bar. null: no bars were read.',
  }),
  has_prices: z.boolean().meta({ description: 'false: the values are rows of the picture, upside up.' }),
});

export const VisionSpots = z
  .array(
    z.object({
      index: z.int().meta({ description: 'Of `candles`.' }),
      x: z.number(),
      high: z.number(),
      low: z.number(),
      close: z.number(),
    }),
  )
  .meta({
    description:
      'Where the candles are in the picture: shares of its width from the left and of its height from the top.',
  });

/** A curve read over the candles: an average, a band. */
export const VisionLine = z.object({
  colour: z.string().meta({ description: 'As `#rrggbb`, from the pixels of the picture.' }),
  points: z.array(z.object({ x: z.number(), y: z.number() })).meta({
    description:
      'At the candles of `candles`, as shares of the width and of the height of the picture with four decimals, from the left; hidden ' +
      'columns are left out.',
  }),
  seen_share: z.number().meta({ description: 'Share of the candles read at which it was seen.' }),
  last_value: Nullable.meta({ description: 'Price at its last point; null: the price axis was not read.' }),
});

export const VisionOpening = z.object({
  outcome: z.enum(['opened', 'skipped', 'failed']),
  message: z.string(),
  detail: z.string().nullable().meta({ description: 'Why it was not opened.' }),
  position_id: z.uuid().nullable(),
});

/** Hit rate of views: over all users of the installation, without names. */
export const VisionRecord = z.object({
  by: z.enum(['rules', 'model']),
  model: z.string().nullable(),
  interval: z.string(),
  horizon_candles: z
    .int()
    .meta({ description: 'Right when the close that many candles later is beyond the newest seen.' }),
  count: z.int().meta({ description: 'Evaluated views. Identical ones on the same candles count once.' }),
  needed: z.int().meta({ description: 'Minimum for evidence.' }),
  right_count: z.int(),
  right_share: Nullable.meta({ description: 'null: none was judged.' }),
  right_low: Nullable.meta({ description: '95 % interval of the share (Wilson).' }),
  right_high: Nullable,
  long_share: Nullable.meta({ description: 'Share of them that said LONG.' }),
  rose_share: Nullable.meta({ description: 'Share of them after which the price rose.' }),
  base_share: Nullable.meta({
    description: 'Hit rate of a random view with the same share of LONG.',
  }),
});
export type VisionRecord = z.input<typeof VisionRecord>;

export const VisionView = z.object({
  by: z.enum(['rules', 'model']),
  model: z.string().nullable(),
  direction: Direction,
  confidence: z.number().min(0).max(1),
  sentiment: z.enum(['bullish', 'bearish']).nullable(),
  risk_score: z.int().min(0).max(10),
  levels: VisionLevels,
  rationale: z.string(),
  record: VisionRecord.nullable().meta({ description: 'At the time of the analysis, on its interval.' }),
});

export const VisionResult = z.object({
  symbol: z.string().nullable(),
  direction: Direction,
  confidence: z.number().min(0).max(1),
  confidence_kind: z.enum(['score', 'calibrated']),
  timeframe: z.string().nullable(),
  risk_score: z.int().min(0).max(10),
  sentiment: z.enum(['bullish', 'bearish']).nullable(),
  levels: VisionLevels,
  liquidation_approx: Price,
  patterns: z.array(VisionPattern).max(PATTERNS_MAX),
  multi_timeframe: z.object({ short: VisionTimeframe, medium: VisionTimeframe, long: VisionTimeframe }),
  rationale: z.string(),
  credit_refunded: z.boolean(),
  refund_message: z.string().nullable(),
  decided_by: z.enum(['rules', 'model']),
  decided_because: z.string(),
  model_failure: z
    .string()
    .nullable()
    .meta({
      description:
        'Why the model view is missing; null: present, or no model. The credit is returned where the model was called in ' +
        `vain; for unusable responses ${MODEL_REFUNDS_PER_DAY} times a day (UTC), after which a rules view costs its credit.`,
    }),
  views: z.array(VisionView).max(2).meta({ description: 'The views of the rules and of the model.' }),
  marks: z.object({
    symbol: VisionMark,
    timeframe: VisionMark,
    candles: VisionMark,
    levels: VisionMark,
    direction: VisionMark,
    confidence: VisionMark,
    risk_score: VisionMark,
    sentiment: VisionMark,
    patterns: VisionMark,
    multi_timeframe: VisionMark,
  }),
  grounding: VisionGrounding.nullable().meta({ description: 'null: the picture is not a chart.' }),
  candles: VisionCandles.nullable(),
  spots: VisionSpots,
  lines: z.array(VisionLine).meta({
    description: `Curves over the candles, read from the picture; at most the longest ${LINES_MAX}.`,
  }),
  opening: VisionOpening.nullable().meta({ description: 'null: no position was considered.' }),
});
export type VisionResult = z.input<typeof VisionResult>;

export const VisionAnalysis = z.object({ id: z.uuid(), created_at: Instant, ...VisionResult.shape });
export type VisionAnalysis = z.input<typeof VisionAnalysis>;

export const VisionResponse = z.object({ analysis: VisionAnalysis, credits: z.int() });

export const LastVisionResponse = z.object({
  analysis: VisionAnalysis.nullable(),
  is_running: z.boolean().meta({ description: 'An analysis is running.' }),
  auto_open: z.boolean().meta({ description: 'Whether positions open automatically.' }),
  detection: z.enum(['smart', 'rules']).meta({
    description: '`smart`: an AI model also reads the picture; `rules`: no model, or unreachable lately.',
  }),
});

const Share = z.object({
  count: z.int(),
  win_count: z.int(),
  win_share: z.number(),
  mean_roi_pct: z.number(),
  net_pnl: z.number(),
});

const Followed = z.object({
  count: z.int().meta({ description: 'Evaluated analyses. Identical ones on the same candles count once.' }),
  right_count: z.int().meta({ description: 'Those the price followed.' }),
  right_low: Nullable.meta({ description: '95 % interval of the share (Wilson); null: none was judged.' }),
  right_high: Nullable,
});

export const VisionStatistics = z.object({
  closed_count: z.int().meta({ description: 'Closed positions opened by your analyses.' }),
  needed: z.int(),
  records: z.array(VisionRecord).meta({ description: 'For all users, by view and interval.' }),
  installation: z
    .object({
      needed: z.int().meta({ description: 'Minimum for evidence.' }),
      horizon_candles: z.int(),
      patterns: z.array(
        z.object({ id: z.string(), title: z.string(), direction: z.enum(['bullish', 'bearish']), ...Followed.shape }),
      ),
      sentiments: z.array(z.object({ sentiment: z.enum(['bullish', 'bearish']), ...Followed.shape })),
    })
    .meta({ description: 'Outcomes of the analyses of all users, anonymous.' }),
  patterns: z.array(z.object({ id: z.string(), title: z.string(), ...Share.shape })),
  sentiments: z.array(z.object({ sentiment: z.enum(['bullish', 'bearish']), ...Share.shape })),
});

export const PatternRecordQuery = z.strictObject({
  symbol: SymbolName.optional(),
  interval: z.enum(signalIntervals, `must be one of ${signalIntervals.join(' ')}`).default('1h'),
});
const PatternCases = z.object({
  id: z.string(),
  title: z.string(),
  direction: z.enum(['bullish', 'bearish']),
  count: z.int().meta({ description: 'Cases on closed candles.' }),
  right_count: z.int().meta({ description: 'Those the price followed.' }),
  right_low: Nullable.meta({
    description: '95 % interval of the share (Wilson); cases that overlap in time count as one event.',
  }),
  right_high: Nullable,
  base_share: Nullable.meta({ description: 'Share of all candles that were followed by this direction.' }),
  edge: z.enum(['better', 'worse', 'none', 'unknown']).meta({
    description: 'Interval against `base_share`; `unknown`: fewer cases than `needed`.',
  }),
});
export const PatternRecordResponse = z.object({
  origin: z.literal('replayed'),
  symbol: z.string().nullable().meta({ description: 'null: all symbols.' }),
  interval: z.string(),
  horizon_candles: z.int().meta({ description: 'A case is judged by the close this many candles later.' }),
  needed: z.int(),
  candle_count: z.int(),
  first: InstantOrNull,
  last: InstantOrNull,
  symbols: z.array(z.string()).meta({ description: 'With a record on this interval.' }),
  patterns: z.array(PatternCases).meta({ description: 'Most cases first; those without one are left out.' }),
});

export const AnalysisId = z.object({ id: z.uuid() });
export const PictureForm = z.unknown().meta({
  description: `multipart/form-data with one file in the field \`image\`: PNG, JPEG or WebP, at most ${IMAGE_MIB_MAX} MiB.`,
});
