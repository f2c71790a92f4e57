import { intervals } from '@sextant/engine-as/abi/intervals.ts';
import { z } from 'zod';
import { LIST_TEXT_MAX, Text } from '../../platform/contract.ts';
import { IntervalName, SymbolName } from '../market/contract.ts';
import { SignalFields } from '../signals/contract.ts';

/** Maximum symbols of one stream. */
export const STREAM_SYMBOLS_MAX = 100;
/** Maximum series (symbol and interval) of one stream. */
export const STREAM_SERIES_MAX = 300;

/** Longest time a reconnecting client waits for the replay of missed events, ms. */
export const REPLAY_WAIT_MS = 2 * 60_000;

export const streamKinds = ['signals', 'candles', 'prices'] as const;
export type StreamKind = (typeof streamKinds)[number];

const listOf = <Item extends z.ZodType<string, string>>(item: Item, most: number, what: string) =>
  z
    .string()
    .max(LIST_TEXT_MAX, 'is too long')
    .transform((text) => [...new Set(text.split(',').map((part) => part.trim()))].filter((part) => part !== ''))
    .pipe(z.array(item).min(1, `must name at least one ${what}`).max(most, `must name at most ${most}`));

export const StreamQuery = z
  .strictObject({
    symbols: listOf(SymbolName, STREAM_SYMBOLS_MAX, 'symbol').meta({
      description: `1 to ${STREAM_SYMBOLS_MAX} symbols, comma-separated.`,
      examples: ['BTCUSDT,ETHUSDT'],
    }),
    intervals: listOf(IntervalName, intervals.length, 'interval')
      .optional()
      .transform((result) => result ?? ['1h' as const])
      .meta({ description: 'Comma-separated intervals; 1h when absent.', examples: ['15m,1h'] }),
    events: listOf(z.enum(streamKinds, `must be one of ${streamKinds.join(' ')}`), streamKinds.length, 'kind')
      .optional()
      .transform((result) => result ?? ['signals' as const])
      .meta({
        description:
          '`signals`, `candles` and `prices`, comma-separated; signals when absent. `candles` and `prices` need the scope ' +
          'read:market too.',
        examples: ['signals,candles,prices'],
      }),
    last_event_id: Text.max(64)
      .optional()
      .meta({ description: 'Event id to resume after, for clients without the header `Last-Event-ID`.' }),
  })
  .refine(({ symbols, intervals: chosen }) => symbols.length * chosen.length <= STREAM_SERIES_MAX, {
    path: ['intervals'],
    error: `symbols times intervals must be at most ${STREAM_SERIES_MAX}`,
  });

/** The data of `signal`: the standard signal of the candle that has just closed, with neutral tuning. */
export const StreamSignal = z.object({ ...SignalFields, market: z.enum(['simulated', 'replay', 'live']) });

export const StreamResponse = z.string().meta({
  description:
    'Server-sent events; over a WebSocket each message is {"id", "event", "data"}. `ready` opens the stream, with `resumed`. `signal` ' +
    'is the signal of a candle that has just closed (fields of POST /api/futures-signal with its defaults and neutral tuning), `missed` ' +
    'says that one could not be computed, `candle` is a closed candle, `prices` carries changed prices at most once a second, `beat` ' +
    'comes every 15 seconds with the newest id. After `resync`, fetch what you need; missed events are not delivered: the break was longer ' +
    `than ten minutes, the exchange sent no candles, or the replay queue exceeded ${REPLAY_WAIT_MS / 60_000} minutes ` +
    '(one stream per account replays at a time; `ready` comes when its turn starts). `end` is the last event, with `reason` `slow_reader`, `key_ended` or `server_stops`. Signals and candles of the last ten minutes are ' +
    'replayed after the id you name, by any server; after a change of server an event may repeat, with the same `symbol`, ' +
    '`interval` and `candle_close_at`.',
});
