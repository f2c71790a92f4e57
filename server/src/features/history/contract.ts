import { HISTORY_CANDLES_MAX } from '@sextant/workers/src/core/limits.ts';
import { z } from 'zod';
import { InstantOrNull } from '../../platform/instant.ts';
import { ExchangeName, IntervalName, SymbolName, wholeInQuery } from '../market/contract.ts';

/** Gaps and revisions of a series that are listed; the counts are complete. */
export const LISTED_MAX = 50;

const Instant = z.iso.datetime();
const Count = z.int().min(0);
/** Absent values share one schema: the document stays short. */
export const StoredPrice = z.enum(['last', 'mark']);

export const StoredHistoryQuery = z.strictObject({
  symbol: SymbolName,
  exchange: ExchangeName.default('binance'),
});

export const CandleVersion = z.object({
  open: z.number(),
  high: z.number(),
  low: z.number(),
  close: z.number(),
  volume: z.number(),
});
export const HistoryRevision = z
  .object({
    interval: IntervalName,
    price: StoredPrice,
    at: Instant,
    noticed_at: Instant,
    first: CandleVersion.nullable().meta({ description: 'As first sent; null when that chunk was set aside.' }),
    revised: CandleVersion,
  })
  .meta({ description: 'A closed candle that the exchange sent with other values later. Both versions are stored.' });

export type RevisionWire = z.input<typeof HistoryRevision>;

export const StoredHistorySeries = z.object({
  interval: IntervalName,
  price: StoredPrice,
  count: Count,
  first: InstantOrNull,
  last: InstantOrNull,
  bytes: Count,
  missing: Count,
  gap_count: Count,
  gaps: z
    .array(z.object({ from: Instant, to: Instant, cause: z.enum(['not_stored', 'not_sent']) }))
    .meta({ description: `The oldest ${LISTED_MAX}. \`not_sent\`: requested, and the exchange sent none.` }),
  revision_count: Count,
  complete: z.boolean(),
});

const RenamedContract = z
  .object({ symbol: z.string(), source: z.string() })
  .nullable()
  .meta({ description: 'Contract of the same token under its other name, with the public source of the rename.' });

export const StoredHistoryResponse = z.object({
  symbol: z.string(),
  exchange: ExchangeName,
  source: z.string().meta({ description: '`live`, or the simulated or replayed market of the candles.' }),
  listed_at: InstantOrNull,
  ended_at: InstantOrNull,
  predecessor: RenamedContract,
  successor: RenamedContract,
  series: z.array(StoredHistorySeries),
  revisions: z.array(HistoryRevision).meta({ description: `Newest ${LISTED_MAX}.` }),
  fundings: z.object({
    count: Count,
    first: InstantOrNull,
    last: InstantOrNull,
    interval_hours: z.array(z.number()).meta({ description: 'Distinct hours between two stamps, rising.' }),
  }),
  broken_chunks: Count.meta({ description: 'Chunks of the symbol whose checksum failed; they are requested again.' }),
  backfill: z
    .object({
      state: z.enum(['running', 'waiting', 'complete', 'failed']),
      stored_parts: Count,
      total_parts: Count,
      error: z.object({ code: z.string(), message: z.string(), at: Instant }).nullable(),
      updated_at: Instant,
    })
    .nullable()
    .meta({ description: 'Progress of the exchange; null when it is not filled backwards.' }),
});

export const StoredCandlesQuery = z.strictObject({
  symbol: SymbolName,
  interval: IntervalName,
  exchange: ExchangeName.default('binance'),
  price: StoredPrice.default('last'),
  limit: wholeInQuery(1, HISTORY_CANDLES_MAX, 'Candles; all up to the limit when absent.')
    .optional()
    .transform((limit) => limit ?? HISTORY_CANDLES_MAX),
  endTime: wholeInQuery(1, 9_999_999_999_999, 'Epoch ms: only candles closed by then. Now when absent.').optional(),
});

export const StoredCandlesBytes = z.unknown().meta({
  type: 'string',
  format: 'binary',
  description:
    'A header length (uint32, little endian), a JSON header and packed chunks; `storedCandles.ts` reads them.',
});
