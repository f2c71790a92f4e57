// Long because it holds the whole contract of the feature.
import { TARGETS_MAX } from '@sextant/workers/src/core/limits.ts';
import { CLOSE_GUARDS } from '@sextant/workers/src/positions/bookTypes.ts';
import { z } from 'zod';
import { InstantOrNull } from '../../platform/instant.ts';
import { ExchangeName, IntervalName, SymbolName } from '../market/contract.ts';
import { Price } from '../../platform/contract.ts';
import { choiceSettings, type NumberSettingId, readNumberSetting } from '@sextant/workers/src/core/settings.ts';
import { skipDetails, skipReasons } from '@sextant/workers/src/signals/skipReasons.ts';
import { Leverage } from '../signals/contract.ts';
import { StrategyName, StoredStrategyWire } from '@sextant/workers/src/protocol/wire/strategy.ts';

const Instant = z.iso.datetime();
const Usdt = z.number();
/** Net result in multiples of the risk. */
export const RiskMultiple = z.number().nullable();
const pct = (what: string) => z.number().meta({ description: `${what} Percent: 2 is 2 %.` });

export const Side = z.enum(['LONG', 'SHORT'], 'must be LONG or SHORT');
export const CloseReason = z.enum(['LIQ', 'SL', 'TP', 'MANUAL', 'TIME', 'SIGNAL', 'DELISTED']).meta({
  description:
    '`TIME`: the holding time of its strategy; `SIGNAL`: the opposite signal; `DELISTED`: the exchange ended the contract, settled at the last mark price.',
});
export const SkipReason = z.enum(skipReasons);

/** Shares may miss 1 by rounding: three thirds. */
const SHARES_NOISE = 1e-6;

/** Targets with the share of the position that each closes. */
export const Targets = z
  .array(
    z.strictObject({
      price: Price,
      fraction: z
        .number()
        .positive('must be above 0')
        .max(1, 'must be at most 1')
        .meta({ description: 'Share of the position: 0.5 is half of it. The last one closes what is left.' }),
    }),
  )
  .min(1, 'give at least one target')
  .max(TARGETS_MAX, `must be at most ${TARGETS_MAX} targets`)
  .refine((targets) => Math.abs(targets.reduce((sum, { fraction }) => sum + fraction, 0) - 1) <= SHARES_NOISE, {
    error: 'the fractions must sum to 1',
  });
export type Targets = z.output<typeof Targets>;

export const TargetShares = z.array(z.object({ price: Price, fraction: z.number() }));

export const SkipDetail = z.enum(skipDetails);

/** A position as stored and shown. Prices in quote currency; money in USDT, exact to eight decimals where it is stored. */
export const Position = z.object({
  id: z.uuid(),
  symbol: z.string(),
  side: Side,
  interval: IntervalName,
  exchange: ExchangeName,
  market: z.enum(['simulated', 'replay', 'live']).meta({
    description: 'Market of the position. While the service runs on another market the position is not watched.',
  }),
  source: z.enum(['scan', 'vision', 'manual']),
  scan_id: z.uuid().nullable(),
  signal_id: z.uuid().nullable(),
  entry_price: Price.meta({ description: 'Average of its entries.' }),
  qty: z.number().positive().meta({ description: 'Still open; of a closed position all that was entered.' }),
  entry_value: Usdt.meta({ description: 'Value of all its entries, at their prices.' }),
  realised_pnl: Usdt.meta({ description: 'Gross result of its partial closes while it is open; `pnl` includes it.' }),
  leverage: z.int(),
  notional: Usdt.meta({ description: 'entry_price x qty.' }),
  margin: Usdt.meta({ description: 'Isolated: notional / leverage.' }),
  stop_loss: Price.meta({ description: 'Current stop; trailing and you move it.' }),
  initial_stop_loss: Price,
  take_profit: Price.meta({ description: 'Current target, the next one of several; you may move it.' }),
  take_profits: TargetShares.nullable().meta({
    description: 'Targets still ahead, nearest first; null: `take_profit` closes all of it.',
  }),
  liquidation_approx: Price.nullable().meta({ description: 'null when nothing is borrowed.' }),
  confidence: z.number().min(0).max(1),
  risk_multiplier: z
    .number()
    .positive()
    .meta({ description: 'Share of base x leverage that was opened; 1: all of it.' }),
  taker_fee_fraction: z
    .number()
    .meta({ description: 'Taker fee of its entry and exit: 0.0005 is 0.05 % of the notional.' }),
  tick_size: z.number().positive().meta({ description: 'Price step of its exchange, USDT.' }),
  loss_at_stop: Usdt.meta({
    description: 'Net loss if the first stop is hit, fees and slippage included, as shown at the opening.',
  }),
  loss_at_current_stop: Usdt.nullable().meta({
    description:
      'Net loss if the current stop is hit: fees, slippage and funding so far included. Negative: a gain. null when closed.',
  }),
  opened_at: Instant,
  armed_at: InstantOrNull.meta({ description: 'Since when it may close by itself; null before.' }),
  trailing_enabled: z.boolean(),
  trailing_by_owner: z.boolean().meta({
    description: 'You changed trailing after the opening; it replaces trailing and break-even of its strategy.',
  }),
  trail_mode: z.enum(choiceSettings.trail_mode.choices).nullable(),
  trail_callback_pct: z.number().nullable(),
  trail_step_pct: z.number().nullable(),
  trail_atr_mult: z.number().nullable(),
  trail_atr_period: z.int().nullable(),
  trail_activation_pct: z.number().nullable().meta({
    description: 'Move in favour after which the stop trails, percent of the entry price; null or 0: at once.',
  }),
  strategy: z
    .object({ ...StrategyName.shape, value: StoredStrategyWire })
    .nullable()
    .meta({
      description:
        'The saved strategy whose signal it was opened on, as it was then; null: Live rules, or levels of its own.',
    }),
  exit_due_at: InstantOrNull.meta({
    description: 'The position closes at the first price from this time on; null: no such time.',
  }),
  exit_due_reason: z.enum(['TIME', 'SIGNAL']).nullable(),
  trail_peak: Price.meta({
    description: 'Best price since the entry, or since trailing was changed, of whole one-minute candles.',
  }),
  closed_at: InstantOrNull.meta({ description: 'null: it is open.' }),
  close_price: Price.nullable().meta({ description: 'Average of its exits.' }),
  close_reason: CloseReason.nullable().meta({ description: 'Reason of the last exit.' }),
  pnl: Usdt.nullable().meta({
    description: 'Gross: all exits less all entries, in the direction of its side. null while open.',
  }),
  roi_pct: pct('pnl / (value of all entries): no leverage, no costs.').nullable(),
  fees: Usdt.meta({ description: 'Charged so far: at the entry, and at the exit when closed.' }),
  funding: Usdt.meta({ description: 'Paid so far; negative was received.' }),
  net_pnl: Usdt.nullable().meta({ description: 'pnl - fees - funding.' }),
  return_on_margin_pct: pct('net_pnl / margin.').nullable(),
  r_multiple: RiskMultiple.meta({
    description: 'net_pnl / net loss at the first stop of all that was entered. null while open, or without a risk.',
  }),
});
export type PositionWire = z.input<typeof Position>;

export const Live = z
  .object({
    price: Price,
    at: Instant,
    pnl: Usdt,
    roi_pct: z.number(),
    net_pnl: Usdt,
    return_on_margin_pct: z.number(),
  })
  .nullable()
  .meta({
    description:
      'pnl at the last price; net_pnl as if a market order closed it now: half the spread where it is known, slippage, fees and funding. null: no fresh price.',
  });

export const LivePosition = Position.extend({ live: Live });

const count = (most: number, standard: number) =>
  z
    .string()
    .regex(/^\d{1,6}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(1, 'must be at least 1').max(most, `must be at most ${most}`))
    .optional()
    .transform((limit) => limit ?? standard)
    .meta({ type: 'integer', minimum: 1, maximum: most, description: `${standard} when absent.` });

const since = z.iso.datetime({ offset: true, error: 'must be a time such as 2026-01-31T12:00:00Z' }).optional();

export const POSITIONS_MAX = 500;
export const PositionsQuery = z.strictObject({
  state: z.enum(['open', 'closed'], 'must be open or closed').default('open'),
  since: since.meta({ description: 'Closed ones: closed at or after this time; 24 hours ago when absent.' }),
  limit: count(POSITIONS_MAX, POSITIONS_MAX),
});
export const PositionsResponse = z.object({
  positions: z.array(LivePosition).meta({ description: 'Open: newest first. Closed: newest close first.' }),
  server_time: Instant,
});

/** Events of a position, oldest first. */
const eventBase = { id: z.uuid(), at: Instant.meta({ description: 'When it happened in the market.' }) };
const money = { amount: Usdt };
export const ChangedFields = z.object({
  stop_loss: Price.optional(),
  take_profit: Price.optional(),
  take_profits: TargetShares.nullable().optional(),
  trailing: z
    .object({
      mode: z.enum(choiceSettings.trail_mode.choices).nullable(),
      callback_pct: z.number().nullable(),
      step_pct: z.number().nullable(),
      atr_mult: z.number().nullable(),
      atr_period: z.int().nullable(),
      activation_pct: z.number().nullable(),
    })
    .optional(),
});
/** A fill of a position, oldest first. Append-only. */
export const PositionFill = z.object({
  id: z.uuid(),
  at: Instant.meta({ description: 'When it happened in the market.' }),
  kind: z.enum(['open', 'add', 'partial_close', 'close']),
  role: z.enum(['maker', 'taker']),
  price: Price,
  quantity: z.number().positive(),
  fee: Usdt,
  pnl: Usdt.meta({ description: 'Gross result of a close against the average entry; 0 of an entry.' }),
  reason: CloseReason.nullable().meta({ description: 'null of an entry.' }),
  order_id: z.uuid().nullable(),
  market_price: Price.nullable().meta({
    description: 'Before costs; null of limit orders, liquidations and old fills.',
  }),
  half_spread: z.number().nonnegative().nullable().meta({ description: 'Paid per unit; null: not measured.' }),
  slippage: z.number().nullable().meta({ description: 'Paid per unit beside the spread.' }),
});
export type PositionFillWire = z.input<typeof PositionFill>;

export const PositionEvent = z.discriminatedUnion('kind', [
  z.object({
    ...eventBase,
    kind: z.literal('opened'),
    data: z.object({ entry_price: Price, qty: z.number(), stop_loss: Price, take_profit: Price }).loose(),
  }),
  z.object({ ...eventBase, kind: z.literal('armed'), data: z.object({ price: Price }).loose() }),
  z.object({
    ...eventBase,
    kind: z.literal('trail_raised'),
    data: z.object({ from: Price, to: Price, peak: Price }).loose(),
  }),
  z.object({
    ...eventBase,
    kind: z.literal('changed'),
    data: z
      .object({ from: ChangedFields, to: ChangedFields, by: z.literal('owner') })
      .loose()
      .meta({ description: 'Only the fields that changed. `at`: from when on they apply.' }),
  }),
  z.object({
    ...eventBase,
    kind: z.literal('added'),
    data: z
      .object({ price: Price, quantity: z.number(), entry_price: Price, qty: z.number(), margin: Usdt })
      .loose()
      .meta({ description: '`entry_price`, `qty`: of the position after it.' }),
  }),
  z.object({
    ...eventBase,
    kind: z.literal('reduced'),
    data: z
      .object({ price: Price, quantity: z.number(), pnl: Usdt, qty: z.number(), reason: CloseReason })
      .loose()
      .meta({ description: 'A partial close; `qty`: still open after it.' }),
  }),
  z.object({
    ...eventBase,
    kind: z.literal('exit_due'),
    data: z.object({ reason: z.enum(['TIME', 'SIGNAL']) }).loose(),
  }),
  z.object({
    ...eventBase,
    kind: z.literal('funding'),
    data: z.object({ ...money, rate: z.number(), mark: Price }).loose(),
  }),
  z.object({
    ...eventBase,
    kind: z.literal('fee'),
    data: z.object({ ...money, what: z.enum(['entry', 'exit']) }).loose(),
  }),
  z.object({
    ...eventBase,
    kind: z.literal('closed'),
    data: z
      .object({
        price: Price,
        reason: CloseReason,
        by: z
          .enum(['tick', 'candle', 'owner', 'exchange'])
          .meta({ description: 'What triggered it: a price, a candle, the user, or the end of the contract.' }),
      })
      .loose(),
  }),
]);

export const PositionId = z.strictObject({ id: z.uuid() });
export const PositionResponse = z.object({
  position: LivePosition,
  events: z.array(PositionEvent),
  fills: z.array(PositionFill),
});

/** How much to close. Without a body, or without a size, all of it. */
export const CloseBody = z
  .strictObject({
    fraction: z
      .number()
      .positive('must be above 0')
      .max(1, 'must be at most 1')
      .optional()
      .meta({ description: 'Share of what is open: 0.25 is a quarter. Rounded down to the step of the exchange.' }),
    quantity: z.number().positive('must be above 0').max(1e12).optional().meta({ description: 'Base units.' }),
  })
  .refine(({ fraction, quantity }) => fraction === undefined || quantity === undefined, {
    path: ['fraction'],
    error: 'give either fraction or quantity',
  });
export type CloseBody = z.output<typeof CloseBody>;
export const ClosedResponse = z.object({
  position: Position.meta({ description: 'After the fill; `closed_at` is null while a part stays open.' }),
  fill: PositionFill,
  notes: z.array(z.string()).meta({ description: 'Roundings, and why all of it was closed.' }),
});

/** Levels of the opposite position. */
export const ReverseBody = z.strictObject({
  stop_loss: Price.optional().meta({ description: 'As far from the entry as the first stop was when absent.' }),
  take_profit: Price.optional().meta({ description: 'As far from the entry as the target was when absent.' }),
});
export type ReverseBody = z.output<typeof ReverseBody>;
export const ReversedResponse = z.object({ closed: Position, opened: Position });

const setting = (id: NumberSettingId) => {
  const { min, max } = readNumberSetting(id);
  return z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`);
};
const ACTIVATION_PCT_MAX = 100;

/** How a stop trails, as requested. */
export const TrailingChange = z.strictObject({
  enabled: z.boolean(),
  mode: z.enum(choiceSettings.trail_mode.choices, 'must be percent or atr').optional(),
  callback_pct: setting('trail_callback_pct').optional(),
  step_pct: setting('trail_step_pct').optional(),
  atr_mult: setting('trail_atr_mult').optional(),
  atr_period: setting('trail_atr_period').int('must be a whole number').optional(),
  activation_pct: z
    .number()
    .min(0, 'must be at least 0')
    .max(ACTIVATION_PCT_MAX, `must be at most ${ACTIVATION_PCT_MAX}`)
    .optional(),
});
export type TrailingChange = z.output<typeof TrailingChange>;

/** A change of an open position. */
export const ChangeBody = z
  .strictObject({
    stop_loss: Price.optional().meta({
      description:
        'Rounded to the tick towards the price. It must lie between the liquidation price and the last price.',
    }),
    take_profit: Price.optional().meta({
      description: 'Rounded to the tick towards the price; beyond the last price. Of several targets the next one.',
    }),
    take_profits: Targets.optional().meta({ description: 'Replaces all targets; nearest first, shares sum to 1.' }),
    break_even: z.literal(true, 'must be true').optional().meta({
      description: 'Moves the stop to where fees, slippage, funding and losses of parts so far are earned back.',
    }),
    trailing: TrailingChange.optional().meta({
      description:
        'Trails from the last price on. Absent values stay as the position has them, or else as your settings have them.',
    }),
    expected: z
      .strictObject({
        stop_loss: Price,
        take_profit: Price,
        take_profits: TargetShares.max(TARGETS_MAX, `must be at most ${TARGETS_MAX} targets`).nullable().optional(),
      })
      .optional()
      .meta({
        description:
          'The levels you saw; absent targets are not compared. Other levels now: `conflict` with `current`, and nothing changes.',
      }),
  })
  .refine(
    ({ stop_loss, take_profit, take_profits, break_even, trailing }) =>
      [stop_loss, take_profit, take_profits, break_even, trailing].some((each) => each !== undefined),
    { path: ['stop_loss'], error: 'give stop_loss, take_profit, break_even or trailing' },
  )
  .refine(({ take_profit, take_profits }) => take_profit === undefined || take_profits === undefined, {
    path: ['take_profits'],
    error: 'give either take_profit or take_profits',
  })
  .refine(({ stop_loss, break_even }) => stop_loss === undefined || break_even === undefined, {
    path: ['break_even'],
    error: 'give either stop_loss or break_even',
  });
export type ChangeBody = z.output<typeof ChangeBody>;
export const ChangedResponse = z.object({ position: Position });

export const CloseAllBody = z.strictObject({
  which: z
    .enum(['all', 'losers', 'winners', 'long', 'short'], 'must be all, losers, winners, long or short')
    .meta({ description: 'Losers and winners by the net result of closing now, all costs included.' }),
});
export type CloseAllBody = z.output<typeof CloseAllBody>;
export const CloseAllResponse = z.object({
  closed: z.array(Position),
  left: z
    .array(z.object({ id: z.uuid(), symbol: z.string(), side: Side, code: z.string(), message: z.string() }))
    .meta({ description: 'Still open, with the reason.' }),
  net_pnl: Usdt.meta({ description: 'Sum over `closed`.' }),
});

/** The fields of a position, or a result of one of the caller's scans. */
export const OpenBody = z
  .strictObject({
    symbol: SymbolName,
    interval: IntervalName,
    scan_id: z
      .uuid()
      .optional()
      .meta({ description: 'A scan of yours: side and levels are those of its result for `symbol` and `interval`.' }),
    side: Side.optional(),
    stop_loss: Price.optional().meta({ description: 'Your `stop_loss_pct` from the entry when absent.' }),
    take_profit: Price.optional().meta({ description: 'Your `take_profit_pct` from the entry when absent.' }),
    entry_price: Price.optional().meta({
      description: 'The price you saw. The server opens at its own, and rejects one more than 5 % away.',
    }),
    qty: z.number().positive().max(1e12).optional().meta({ description: 'Sized by your settings when absent.' }),
    leverage: Leverage.optional().meta({ description: 'Your default when absent; capped by the symbol.' }),
    liquidation_approx: Price.nullable()
      .optional()
      .meta({ description: 'Accepted and ignored: the server computes it.' }),
    confidence: z.number().min(0).max(1).optional(),
  })
  .refine(({ scan_id, side }) => scan_id !== undefined || side !== undefined, {
    path: ['side'],
    error: 'side is needed without a scan_id',
  });
export type OpenBody = z.output<typeof OpenBody>;

export const Warning = z
  .enum(['stop_within_guard', 'leverage_capped', 'funding_soon', 'loss_above_risk', 'margin_reduced', 'order_limited'])
  .meta({
    description:
      `\`stop_within_guard\`: nearer than ${CLOSE_GUARDS.moveFraction * 100} %, so it cannot be honoured exactly; \`leverage_capped\`: the symbol allows less; ` +
      '`funding_soon`: the next funding is within 15 minutes; `loss_above_risk`: the stop loses more than the risk per trade; `margin_reduced`: smaller than the settings say, because no more equity is free; `order_limited`: the same, because the exchange takes no larger market order.',
  });

/** Preview of an opening. Figures are null when they cannot be computed. */
export const Preview = z.object({
  would_open: z.boolean(),
  reason: SkipReason.nullable(),
  detail: SkipDetail.nullable(),
  message: z.string(),
  symbol: z.string(),
  interval: IntervalName,
  side: Side.nullable(),
  entry_price: Price.nullable().meta({
    description: 'A market order at the last price of the server; an opening uses the price at its own time.',
  }),
  price_at: InstantOrNull,
  qty: z.number(),
  leverage: z.int(),
  leverage_asked: z.int(),
  risk_multiplier: z.number().meta({ description: 'Share of base x leverage that would be opened.' }),
  notional: Usdt,
  margin: Usdt,
  stop_loss: Price.nullable(),
  take_profit: Price.nullable(),
  liquidation_approx: Price.nullable(),
  loss_at_stop: Usdt.nullable().meta({
    description: 'Net loss if the stop is hit: slippage and both fees included, > 0.',
  }),
  loss_at_stop_pct: pct('Of your balance.').nullable(),
  risk_pct: pct('Risk per trade by your settings (level and dynamic risk), of your balance.'),
  gain_at_target: Usdt.nullable(),
  fee_entry: Usdt,
  fee_exit_at_stop: Usdt.nullable(),
  funding_rate: z.number().nullable().meta({ description: 'What longs pay shorts next, fraction of the notional.' }),
  next_funding_at: InstantOrNull,
  warnings: z.array(Warning),
});
export const PreviewResponse = z.object({ preview: Preview });

export const OpenedResponse = z.object({
  id: z.uuid(),
  message: z.string().meta({ examples: ['Auto position opened: LONG BTCUSDT (Risk-adjusted: 50%)'] }),
  position: Position,
  warnings: z.array(Warning),
});

/** Automatic opening over a scan. */
export const AutoBody = z.strictObject({ scan_id: z.uuid() });
export const AutoItem = z.object({
  symbol: z.string(),
  interval: z.string(),
  side: Side.nullable(),
  confidence: z.number().nullable(),
  outcome: z.enum(['OPENED', 'FAILED', 'NEUTRAL', 'LOW_CONF', 'ZERO_QTY', 'NO_MATCH']),
  detail: SkipDetail.nullable(),
  message: z.string(),
  position_id: z.uuid().nullable(),
});
export const AutoRun = z.object({
  id: z.uuid(),
  scan_id: z.uuid(),
  created_at: Instant,
  finished_at: InstantOrNull,
  opened: z.int(),
  skipped: z.int(),
  failed: z.int(),
  reason: SkipReason.nullable().meta({ description: 'Why nothing was opened; null when something was.' }),
  is_first: z.boolean().meta({ description: 'This run opened your first automatic positions.' }),
  refused: z.enum(['scan_too_old']).nullable().meta({
    description: 'Why the scan may open nothing: it ended longer ago than its shortest interval. null: it may open.',
  }),
  messages: z.array(z.string()).meta({
    description:
      '`Auto position opened: {side} {symbol}` each, `Auto open failed for n/m` when some failed, or why none was opened.',
  }),
  items: z.array(AutoItem),
});
export const AutoRunResponse = z.object({
  run: AutoRun,
  is_new: z.boolean().meta({
    description: 'true: this call ended the run. false: the run had ended before, and nothing was done.',
  }),
});
export const LastRunResponse = z.object({ run: AutoRun.nullable() });

export const SkipsQuery = z.strictObject({ since, limit: count(500, 100) });
export const SkipsResponse = z.object({
  skips: z
    .array(
      z.object({
        id: z.uuid(),
        at: Instant,
        symbol: z.string(),
        interval: z.string(),
        side: Side.nullable(),
        confidence: z.number().nullable(),
        reason: SkipReason,
        detail: SkipDetail.nullable(),
        scan_id: z.uuid().nullable(),
        message: z.string().meta({ description: 'In words, with the number that failed the rule.' }),
      }),
    )
    .meta({ description: 'Newest first.' }),
});

export const AnalyticsQuery = z.strictObject({
  since: since.meta({ description: 'Closes at or after this time; all when absent.' }),
});
export const AnalyticsGroup = z.object({
  name: z.string(),
  trades: z.int(),
  wins: z.int(),
  pnl: Usdt,
  net_pnl: Usdt,
  mean_r: RiskMultiple.meta({ description: 'Mean `r_multiple`.' }),
});
export const AnalyticsTotals = z.object({
  trades: z.int(),
  wins: z.int().meta({ description: 'Closes with net_pnl > 0.' }),
  losses: z.int(),
  win_rate: z.number().nullable().meta({ description: 'wins / trades; null without trades.' }),
  pnl: Usdt,
  fees: Usdt,
  funding: Usdt,
  net_pnl: Usdt,
  profit_factor: z.number().nullable().meta({ description: 'Net gains over net losses; null without a loss.' }),
  expectancy: z.number().nullable().meta({ description: 'Mean net_pnl of a close; null without trades.' }),
  best: Usdt.nullable(),
  worst: Usdt.nullable(),
  mean_hours_held: z.number().nullable(),
  max_drawdown: Usdt.meta({ description: 'Deepest fall of the realised net curve from its peak, closed trades only.' }),
  mean_r: RiskMultiple.meta({ description: 'Mean `r_multiple`.' }),
});
export const AnalyticsResponse = z.object({
  balance_usdt: Usdt.meta({ description: 'The simulated capital of your settings, where the curve starts.' }),
  all: AnalyticsTotals,
  last_24h: AnalyticsTotals,
  by_reason: z.array(AnalyticsGroup),
  by_side: z.array(AnalyticsGroup),
  by_symbol: z.array(AnalyticsGroup).meta({ description: 'By net_pnl, largest first, at most 50.' }),
  by_source: z.array(AnalyticsGroup),
  by_confidence: z.array(AnalyticsGroup).meta({ description: '`high` from 70 %, `low` below.' }),
  curve: z
    .array(z.object({ at: Instant, net_pnl: Usdt, total: Usdt }))
    .meta({ description: 'One point per close, oldest first, the newest 2,000: its net_pnl, and the sum up to it.' }),
  equity: z
    .array(
      z.object({
        at: Instant,
        equity: Usdt.nullable().meta({
          description: 'balance + realised + unrealised; null when a price was missing.',
        }),
        realised: Usdt,
        unrealised: Usdt.nullable(),
        exposure: Usdt.nullable().meta({ description: 'Sum of |notional| of open positions at their prices.' }),
        missing: z.int().meta({ description: 'Open positions without a fresh price at that moment.' }),
      }),
    )
    .meta({
      description: 'Marked to market every five minutes while positions are open, oldest first, the newest 2,016.',
    }),
});
