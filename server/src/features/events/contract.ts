import { z } from 'zod';
import { LIST_TEXT_MAX, Text } from '../../platform/contract.ts';
import { SymbolName } from '../market/contract.ts';

/** A watch list of 200 and the charts beside it. */
const symbolsMax = 220;

export const EventsQuery = z.strictObject({
  symbols: z
    .string()
    .max(LIST_TEXT_MAX, 'is too long')
    .transform((text) => [...new Set(text.split(',').map((part) => part.trim()))].filter((part) => part !== ''))
    .pipe(z.array(SymbolName).max(symbolsMax, `must name at most ${symbolsMax} symbols`))
    .optional()
    .meta({ description: `Symbols to stream prices of, comma-separated; at most ${symbolsMax}.` }),
  last_event_id: Text.max(64)
    .optional()
    .meta({ description: 'Event id to resume after, for clients without the header `Last-Event-ID`.' }),
});

export const EventsResponse = z.string().meta({
  description:
    'Server-sent events. `ready` opens the stream; after `resync`, fetch everything you show again. ' +
    '`preferences`, `watchlist`, `credits`, `scan`, `positions` and `session` announce changes, `prices` carries the last prices of the requested ' +
    'symbols, at most once a second. `session` with `ended` true is the last event of a session.',
});
