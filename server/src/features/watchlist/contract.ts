import { z } from 'zod';
import { SymbolName } from '../market/contract.ts';

export const WATCHLIST_MAX = 200;

export const WatchlistRequest = z.strictObject({ symbol: SymbolName });

export const WatchlistResponse = z.object({
  entries: z
    .array(z.object({ symbol: z.string(), created_at: z.iso.datetime() }))
    .meta({ description: `In the order they were added; at most ${WATCHLIST_MAX}.` }),
});
export type Watchlist = z.infer<typeof WatchlistResponse>;
