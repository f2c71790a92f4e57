import {
  alertChannels,
  alertDirections,
  alertLimits,
  changeDirections,
  comparisons,
} from '@sextant/workers/src/alerts/conditions.ts';
import { z } from 'zod';
import { InstantOrNull } from '../../platform/instant.ts';
import { Text } from '../../platform/contract.ts';
import { ExchangeName, IntervalName, SymbolName } from '../market/contract.ts';

/** Alerts on the wire. Prices in quote currency, `_pct` in percent: 2 is 2 %. */

const Exchange = ExchangeName.default('binance');
const Comparison = z
  .enum(comparisons, `must be ${comparisons.join(', ')}`)
  .meta({ description: '`cross`: from either side. `above` and `below` also fire when the value is there already.' });
const Level = z.number('must be a number').min(-1e12, 'must be at least -1e12').max(1e12, 'must be at most 1e12');
const Pct = (most: number, what: string) =>
  z
    .number('must be a number')
    .min(0.001, 'must be at least 0.001')
    .max(most, `must be at most ${most}`)
    .meta({ description: what });

const onSymbol = { exchange: Exchange, symbol: SymbolName };

export const AlertCondition = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('price'),
      ...onSymbol,
      when: Comparison,
      level: Level.min(1e-12, 'must be above 0'),
    }),
    z.strictObject({
      kind: z.literal('change'),
      ...onSymbol,
      minutes: z
        .int('must be a whole number')
        .min(1, 'must be at least 1')
        .max(alertLimits.minutesMax, `must be at most ${alertLimits.minutesMax}`),
      pct: Pct(1000, 'Size of the move, percent.'),
      direction: z.enum(changeDirections, `must be ${changeDirections.join(', ')}`),
    }),
    z.strictObject({
      kind: z.literal('indicator'),
      ...onSymbol,
      interval: IntervalName,
      indicator: Text.min(1).max(20).meta({ description: 'Id of the indicator, such as rsi.' }),
      params: z
        .record(z.string().max(40), z.number())
        .default({})
        .meta({ description: 'Parameters by name; the defaults of the indicator for the rest.' }),
      output: Text.min(1).max(40).meta({ description: 'Output of the indicator, such as value.' }),
      when: Comparison,
      level: Level,
    }),
    z.strictObject({
      kind: z.literal('signal'),
      ...onSymbol,
      interval: IntervalName,
      strategy_id: z
        .uuid('must be the id of a saved strategy')
        .nullable()
        .default(null)
        .meta({ description: 'A saved strategy; null: the rules of live signals.' }),
      direction: z.enum(alertDirections, `must be ${alertDirections.join(', ')}`),
    }),
    z.strictObject({
      kind: z.literal('spread'),
      symbol: SymbolName,
      buy: ExchangeName,
      sell: ExchangeName,
      net_pct: z.number().min(-100, 'must be at least -100').max(100, 'must be at most 100'),
      hold_hours: z.number().min(0, 'must be at least 0').max(720, 'must be at most 720').default(8),
    }),
    z.strictObject({
      kind: z.literal('funding'),
      ...onSymbol,
      when: Comparison,
      rate_pct: z.number().min(-10, 'must be at least -10').max(10, 'must be at most 10'),
    }),
    z.strictObject({
      kind: z.literal('liquidation'),
      position_id: z.uuid('must be the id of an open position'),
      distance_pct: Pct(100, 'Distance of the mark price to the liquidation price, percent of the price.'),
    }),
    z.strictObject({
      kind: z.literal('news'),
      symbol: SymbolName,
      high_impact: z.boolean().default(false),
    }),
    z.strictObject({
      kind: z.literal('formula'),
      ...onSymbol,
      interval: IntervalName,
      expression: Text.trim().min(1, 'must not be empty').max(alertLimits.expressionMax).meta({
        description: 'A condition in the language of own rules, such as `rsi(14) < 30 and close > ema(50)`.',
      }),
    }),
  ])
  .meta({
    description: 'What the alert waits for. Indicators, signals and formulas are judged at the close of a candle.',
  });

const Channels = z
  .array(z.enum(alertChannels, `must be ${alertChannels.join(', ')}`))
  .min(1, 'must name at least one channel')
  .max(alertChannels.length)
  .refine((channels) => new Set(channels).size === channels.length, 'must name each channel once');
const ExpiresAt = z.iso.datetime('must be a time such as 2026-01-31T12:00:00Z').nullable();
const Note = Text.trim().max(alertLimits.noteMax, `must be at most ${alertLimits.noteMax} characters`).nullable();
const PauseMinutes = z
  .int('must be a whole number')
  .min(1, 'must be at least 1')
  .max(alertLimits.pauseMinutesMax, `must be at most ${alertLimits.pauseMinutesMax}`);

export const AlertBody = z.strictObject({
  condition: AlertCondition,
  repeats: z.boolean().default(false).meta({ description: 'Fires each time; false: once.' }),
  pause_minutes: PauseMinutes.default(1).meta({ description: 'Least time between two firings.' }),
  channels: Channels.default(['page']),
  note: Note.default(null),
  expires_at: ExpiresAt.default(null),
});

export const AlertChangeBody = z
  .strictObject({
    condition: AlertCondition,
    repeats: z.boolean(),
    pause_minutes: PauseMinutes,
    channels: Channels,
    note: Note,
    expires_at: ExpiresAt,
    state: z.enum(['active', 'paused'], 'must be active or paused').meta({
      description: '`active` also arms an alert again that has fired, expired or stopped.',
    }),
  })
  .partial();

export const AlertId = z.strictObject({ id: z.uuid() });
export const ReceiptId = z.strictObject({ id: z.uuid(), receipt: z.uuid() });

const Instant = z.iso.datetime();

export const Alert = z.object({
  id: z.uuid(),
  condition: AlertCondition,
  text: z.string().meta({ description: 'The condition in one line.' }),
  repeats: z.boolean(),
  pause_minutes: z.int(),
  channels: z.array(z.enum(alertChannels)),
  note: z.string().nullable(),
  expires_at: InstantOrNull,
  state: z.enum(['active', 'paused', 'fired', 'expired', 'stopped']),
  state_reason: z.string().nullable().meta({ description: 'Why the service stopped it.' }),
  fired_count: z.int(),
  last_fired_at: InstantOrNull,
  created_at: Instant,
});
export type AlertWire = z.output<typeof Alert>;

const Channel = z.object({
  id: z.enum(alertChannels),
  missing: z.string().nullable().meta({ description: 'What to set up before the channel delivers; null: nothing.' }),
});

export const AlertsResponse = z.object({
  alerts: z.array(Alert).meta({ description: 'Newest first.' }),
  count_max: z.int(),
  channels: z.array(Channel),
});
export type AlertsWire = z.output<typeof AlertsResponse>;

export const AlertResponse = z.object({ alert: Alert });

const Sample = z.object({ value: z.number(), atMs: z.number() });
const Basis = z.union([
  z.object({ kind: z.literal('change'), from: Sample, price: z.number() }),
  z.object({
    kind: z.literal('candles'),
    exchange: z.string(),
    symbol: z.string(),
    interval: z.string(),
    close_ms: z.number(),
    count: z.int(),
    hash: z.string(),
  }),
  z.object({ kind: z.literal('prices'), buy_price: z.number(), sell_price: z.number() }),
  z.object({ kind: z.literal('position'), price: z.number(), liquidation_price: z.number() }),
  z.object({ kind: z.literal('story'), title: z.string(), link: z.string(), source: z.string() }),
]);

export const AlertReceipt = z.object({
  id: z.uuid(),
  alert_id: z.uuid(),
  firing: z.int().meta({ description: 'Number of the firing of this alert, from 1.' }),
  condition: AlertCondition,
  text: z.string(),
  value_text: z.string().nullable(),
  note: z.string().nullable(),
  evidence: z
    .object({
      side_before: z.enum(['below', 'above']).nullable(),
      value: z.number(),
      before: Sample.nullable(),
      observation: z.union([
        z.object({ source: z.literal('value'), value: z.number(), atMs: z.number() }),
        z.object({
          source: z.literal('candle'),
          openMs: z.number(),
          closeMs: z.number(),
          isWhole: z.boolean(),
          high: z.number(),
          low: z.number(),
          close: z.number(),
        }),
      ]),
      basis: Basis.nullable(),
    })
    .meta({ description: 'The values that decided, enough to decide again.' }),
  exchange_at: Instant.meta({ description: 'Time of the deciding price or candle, by the exchange.' }),
  detected_at: Instant,
  shown_at: InstantOrNull.meta({ description: 'When an open page showed it first.' }),
  is_late: z.boolean().meta({ description: 'Detected afterwards, from the candles of a downtime.' }),
  deliveries: z.array(
    z.object({
      channel: z.enum(alertChannels),
      state: z.enum(['waiting', 'sent', 'failed']),
      at: InstantOrNull,
      failure: z.string().nullable(),
    }),
  ),
});
export type AlertReceiptWire = z.output<typeof AlertReceipt>;

export const RECEIPTS_MAX = 100;
export const AlertReceiptsResponse = z.object({
  receipts: z.array(AlertReceipt).meta({ description: `The newest ${RECEIPTS_MAX}, newest first.` }),
});
export const ShownResponse = z.object({ receipt: AlertReceipt });
