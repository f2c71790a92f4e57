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
    .meta({ description: `Symbols whose prices the stream carries, with commas between them; at most ${symbolsMax}.` }),
  last_event_id: Text.max(64)
    .optional()
    .meta({ description: 'Where to resume, for clients that cannot send the header `Last-Event-ID`.' }),
});

export const EventsAnswer = z.string().meta({
  description:
    'Server-sent events. `ready` opens the stream; `resync` says that something may have been missed: ask again for all you show. ' +
    '`preferences`, `watchlist`, `credits`, `scan`, `positions` and `session` say what changed, `prices` carries the last prices of the symbols asked ' +
    'for, at most once a second. `session` with `ended` true is the last event of a session.',
});
