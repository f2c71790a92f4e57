import { z } from 'zod';
import { InstantOrNull } from '../../platform/instant.ts';
import { Price, Text } from '../../platform/contract.ts';
import { ExchangeName, IntervalName, SymbolName } from '../market/contract.ts';
import { Side, Targets, TargetShares, TrailingChange } from '../positions/contract.ts';
import { Leverage } from '../signals/contract.ts';

const Instant = z.iso.datetime();
const Usdt = z.number();
const fraction = (what: string) =>
  z.number().positive('must be above 0').max(1, 'must be at most 1').meta({ description: what });

/** Furthest expiry of an order, days. */
export const EXPIRY_DAYS_MAX = 90;
/** Orders of one account that may rest at once. */
export const RESTING_MAX = 50;
/** How far the price may move since a preview when the request does not say. */
export const TOLERANCE_DEFAULT = 0.002;

export const OrderType = z.enum(['market', 'limit', 'stop'], 'must be market, limit or stop').meta({
  description:
    '`market` fills at once as taker, at the server’s last price with half the spread and slippage; `limit` rests and fills at its price, as maker, once the price trades at ' +
    'least a tick beyond it; `stop` rests and fills as taker, with slippage, once the price reaches it: after a gap at the worse price.',
});

/** The size: exactly one of them, or none for the size by the settings of the account. */
const sizeFields = {
  quantity: z.number().positive('must be above 0').max(1e12).optional().meta({ description: 'Base units.' }),
  notional: z
    .number()
    .positive('must be above 0')
    .max(1e10)
    .optional()
    .meta({ description: 'USDT, leverage included.' }),
  risk_fraction: fraction('Share of the balance that the stop may lose, costs included: 0.01 is 1 %.').optional(),
  equity_fraction: fraction('Share of the equity that becomes margin: 0.1 is 10 %.').optional(),
};
export const sizeNames = ['quantity', 'notional', 'risk_fraction', 'equity_fraction'] as const;

const price = Price.optional().meta({
  description: 'Price of a limit or stop order; rounded to the tick. None for `market`.',
});
const stopLoss = Price.optional().meta({ description: 'Your `stop_loss_pct` from the entry when absent.' });
const takeProfits = Targets.optional().meta({
  description: 'Nearest first, shares sum to 1; one at your `take_profit_pct` from the entry when absent.',
});
const trailing = TrailingChange.optional().meta({ description: 'As your settings have it when absent.' });
const expiresAt = z.iso
  .datetime({ offset: true, error: 'must be a time such as 2026-01-31T12:00:00Z' })
  .nullable()
  .optional()
  .meta({ description: `A resting order expires then, at most ${EXPIRY_DAYS_MAX} days ahead; null: it stays.` });

/** An order, to place or to preview. Levels and trailing belong to the position it opens; one that adds leaves those of the position. */
export const OrderBody = z
  .strictObject({
    symbol: SymbolName,
    side: Side.meta({ description: 'LONG buys, SHORT sells. On an open position of this side the order adds to it.' }),
    type: OrderType,
    ...sizeFields,
    price,
    leverage: Leverage.optional().meta({
      description: 'Your default when absent; capped by the symbol. An order that adds has that of the position.',
    }),
    stop_loss: stopLoss,
    take_profits: takeProfits,
    trailing,
    interval: IntervalName.default('1h').meta({ description: 'Whose ranges an ATR trailing follows.' }),
    expires_at: expiresAt,
    scan_id: z.uuid().optional().meta({
      description: 'Scan whose signal on `symbol` and `interval` it follows: the position names it.',
    }),
    reduce_only: z.boolean().default(false).meta({
      description:
        'Closes only: LONG buys back a SHORT, SHORT sells a LONG; never more than is open, nothing is reserved.',
    }),
    expected_price: Price.optional().meta({
      description:
        'Price of the preview you saw. One that moved further is `conflict` with a new `preview`; nothing is placed.',
    }),
    tolerance_fraction: fraction(`How far it may move: ${TOLERANCE_DEFAULT} when absent, 0.002 is 0.2 %.`).optional(),
  })
  .refine((body) => sizeNames.filter((name) => body[name] !== undefined).length <= 1, {
    path: ['quantity'],
    error: 'give one of quantity, notional, risk_fraction and equity_fraction',
  })
  .refine(({ type, price }) => type === 'market' || price !== undefined, {
    path: ['price'],
    error: 'is needed for a limit or stop order',
  })
  .refine(({ type, price }) => type !== 'market' || price === undefined, {
    path: ['price'],
    error: 'leave it out of a market order, or choose limit or stop',
  })
  .refine(({ type, expires_at: at }) => type !== 'market' || at === undefined || at === null, {
    path: ['expires_at'],
    error: 'leave it out of a market order, which fills at once',
  })
  .refine(
    ({ reduce_only: isReducing, stop_loss, take_profits, trailing }) => {
      return !isReducing || (stop_loss ?? take_profits ?? trailing) === undefined;
    },
    {
      path: ['reduce_only'],
      error: 'leave out stop_loss, take_profits and trailing: this order only closes',
    },
  )
  .refine(({ reduce_only: isReducing, scan_id: scanId }) => !isReducing || scanId === undefined, {
    path: ['scan_id'],
    error: 'leave it out: this order only closes',
  })
  .refine(
    ({ reduce_only: isReducing, risk_fraction, equity_fraction }) => {
      return !isReducing || (risk_fraction ?? equity_fraction) === undefined;
    },
    {
      path: ['quantity'],
      error: 'give the quantity or notional to close',
    },
  );
export type OrderBody = z.output<typeof OrderBody>;

/** A change of a resting order. Absent fields stay. */
export const OrderChange = z
  .strictObject({
    price: Price.optional(),
    quantity: sizeFields.quantity,
    stop_loss: Price.optional(),
    take_profits: Targets.optional(),
    trailing: TrailingChange.optional(),
    expires_at: expiresAt,
    expected_revision: z.int().min(1).optional().meta({
      description: 'The `revision` you saw. Another one now: `conflict` with the present `order`, and nothing changes.',
    }),
  })
  .refine(
    (fields) => Object.entries(fields).some(([name, each]) => name !== 'expected_revision' && each !== undefined),
    {
      path: ['price'],
      error: 'give price, quantity, stop_loss, take_profits, trailing or expires_at',
    },
  );
export type OrderChange = z.output<typeof OrderChange>;

export const OrderStatus = z.enum(['resting', 'filled', 'cancelled', 'expired']);
export const CancelReason = z.enum(['owner', 'delisted', 'margin', 'no_position', 'rejected', 'deleted']).meta({
  description:
    '`margin`: losses left too little equity when it was due; `no_position`: nothing was open that it could close; `rejected`: a rule of ' +
    'opening did not hold when it was due, `message` names it; `deleted`: the account is being deleted.',
});

/** An order as stored. */
export const Order = z.object({
  id: z.uuid(),
  symbol: z.string(),
  exchange: ExchangeName,
  market: z.enum(['simulated', 'replay', 'live']),
  interval: IntervalName,
  side: Side,
  type: OrderType,
  status: OrderStatus,
  reduce_only: z.boolean(),
  quantity: z.number().positive().meta({ description: 'Base units, on the step of the exchange.' }),
  price: Price.nullable().meta({ description: 'On its tick; null for `market`.' }),
  leverage: z.int(),
  stop_loss: Price.nullable().meta({ description: 'null: the order closes or adds.' }),
  take_profits: TargetShares.nullable(),
  trailing: TrailingChange.nullable().meta({ description: 'null: as the settings have it when it fills.' }),
  expires_at: InstantOrNull,
  reserved: Usdt.meta({ description: 'Margin and entry fee set aside while it rests; 0 afterwards.' }),
  created_at: Instant,
  revision: z.int().meta({ description: 'Counts up with each change.' }),
  ended_at: InstantOrNull.meta({ description: 'When it was filled, cancelled or expired.' }),
  cancel_reason: CancelReason.nullable(),
  message: z.string().nullable().meta({ description: 'What happened at its end, in words.' }),
  fill: z
    .object({
      price: Price,
      quantity: z.number().positive(),
      fee: Usdt,
      role: z.enum(['maker', 'taker']),
      at: Instant,
    })
    .nullable(),
  position_id: z.uuid().nullable().meta({ description: 'The position it opened, added to or closed.' }),
});
export type OrderWire = z.input<typeof Order>;

export const OrderId = z.strictObject({ id: z.uuid() });
export const OrdersQuery = z.strictObject({
  state: z.enum(['resting', 'ended'], 'must be resting or ended').default('resting'),
  symbol: SymbolName.optional(),
});
export const OrdersResponse = z.object({
  orders: z.array(Order).meta({ description: 'Newest first; of ended ones the newest 200.' }),
});
export const OrderResponse = z.object({ order: Order });

/** Why an order would be rejected now: the field to change and the value that would do. */
export const OrderRejection = z.object({
  field: z.string(),
  message: z.string(),
  fix: z.string(),
});

/** What an order would do at this moment. Nothing is stored; `null` cannot be computed. */
export const OrderPreview = z.object({
  symbol: z.string(),
  side: Side,
  type: OrderType,
  action: z.enum(['open', 'add', 'reduce', 'close']).meta({ description: 'By the positions that are open now.' }),
  rejected: OrderRejection.nullable().meta({ description: 'null: the order would be placed.' }),
  last_price: Price.meta({ description: 'Send it as `expected_price`.' }),
  price_at: Instant,
  entry: Price.nullable().meta({ description: 'Expected fill price, slippage included.' }),
  role: z.enum(['maker', 'taker']),
  quantity: z.number(),
  notional: Usdt,
  leverage: z.int(),
  margin: Usdt.meta({ description: 'Isolated margin of this fill; 0 when it closes.' }),
  fee_in: Usdt.meta({ description: 'Fee of this fill.' }),
  fee_out_at_stop: Usdt.nullable(),
  stop_loss: Price.nullable(),
  loss_at_stop: Usdt.nullable().meta({
    description: 'Net, with slippage and both fees; > 0 is a loss. Of the whole position when the order adds.',
  }),
  loss_at_stop_pct: z.number().nullable().meta({ description: 'Percent of the balance: 2 is 2 %.' }),
  targets: z.array(
    z.object({
      price: Price,
      fraction: z.number(),
      quantity: z.number(),
      gain: Usdt.meta({ description: 'Net of its share, both fees included.' }),
      r: z.number().nullable().meta({ description: 'Net gain per net loss at the stop, for the same quantity.' }),
    }),
  ),
  gain_at_targets: Usdt.nullable().meta({ description: 'Net, when all targets are reached.' }),
  liquidation: Price.nullable().meta({ description: 'null when nothing is borrowed, or when it closes.' }),
  liquidation_distance_pct: z.number().nullable().meta({ description: 'Percent of the entry.' }),
  average_entry: Price.nullable().meta({
    description: 'Average entry of the position after the fill; null when it closes.',
  }),
  position_quantity: z.number().meta({ description: 'Quantity of the position after the fill.' }),
  funding_rate: z.number().nullable().meta({ description: 'What longs pay shorts next, fraction of the notional.' }),
  funding_next: Usdt.nullable().meta({ description: 'What this notional would pay; negative is received.' }),
  next_funding_at: InstantOrNull,
  equity_free: Usdt.meta({
    description: 'Free before the order: no margin of a position, not set aside for an order.',
  }),
  equity_left: Usdt.meta({ description: 'Free after it.' }),
  realised: Usdt.nullable().meta({ description: 'Net result of what a closing order closes; null when it opens.' }),
  costs_so_far: Usdt.nullable().meta({
    description: 'Entry fees and funding of what a closing order closes, part of `realised`; null when it opens.',
  }),
  notes: z.array(Text).meta({ description: 'Roundings and caps that were applied, in words.' }),
});
export type OrderPreviewWire = z.input<typeof OrderPreview>;
export const OrderPreviewResponse = z.object({ preview: OrderPreview });
