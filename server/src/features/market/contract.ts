import { venueIds } from '@sextant/engine-as/abi/costs.ts';
import {
  FUNDING_DAYS_MAX,
  KLINES_MAX,
  MINUTE_BARS_MAX,
  MINUTES_MAX,
  SYMBOLS_IN_BATCH_MAX,
} from '@sextant/workers/src/core/limits.ts';
import { LeverageTierWire } from '@sextant/workers/src/protocol/wire/costs.ts';
import { SYMBOL_PATTERN, toSymbolCase } from '@sextant/workers/src/core/symbolPattern.ts';
import { z } from 'zod';
import { InstantOrNull } from '../../platform/instant.ts';
import { LIST_TEXT_MAX } from '../../platform/contract.ts';
import { intervalMs, intervals, MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { fundingIntervalSources, type LeftOut } from './port.ts';

/** Allows spaces around the longest symbol. */
const SYMBOL_LENGTH_MAX = 60;

/** Typed names are normalised: `btcusdt` becomes `BTCUSDT`. */
export const SymbolName = z
  .string()
  .max(SYMBOL_LENGTH_MAX, 'must be a USDT perpetual such as BTCUSDT')
  // Not `transform`: a response that uses this schema could not be encoded.
  .overwrite((text) => toSymbolCase(text.trim()))
  .regex(new RegExp(SYMBOL_PATTERN), 'must be a USDT perpetual such as BTCUSDT')
  .meta({ description: 'USDT perpetual, e.g. BTCUSDT; lower case is accepted.', examples: ['BTCUSDT'] });

export const IntervalName = z
  .enum(intervals, `must be one of ${intervals.join(' ')}`)
  .meta({ description: 'Length of a candle.', examples: ['15m'] });

export const ExchangeName = z
  .enum(venueIds, `must be ${venueIds.slice(0, -1).join(', ')} or ${venueIds.at(-1)}`)
  .meta({ description: 'Where the data comes from.' });

const Exchange = ExchangeName.default('binance');

/**
 * Integers of a query string. Parsed strictly (`0x10` and `1e2` are rejected), and documented as numbers although they arrive as text.
 */
export const wholeInQuery = (least: number, most: number, what: string) =>
  z
    .string()
    .refine((text) => /^\d{1,15}$/.test(text), 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(least, `must be at least ${least}`).max(most, `must be at most ${most}`))
    .meta({ type: 'integer', minimum: least, maximum: most, description: what });

/** Symbols of a query string, each once. */
export const symbolsInQuery = (most: number, example: string) =>
  z
    .string()
    .max(LIST_TEXT_MAX, 'is too long')
    .transform((text) => [...new Set(text.split(',').map((part) => part.trim()))].filter((part) => part !== ''))
    .pipe(z.array(SymbolName).min(1, 'must name at least one symbol').max(most, `must name at most ${most} symbols`))
    .meta({ description: `1 to ${most} symbols, comma-separated.`, examples: [example] });

/** Default days of settled fundings. */
export const FUNDING_DAYS_DEFAULT = 14;
/** Default number of candles. */
const KLINES_DEFAULT = 200;

export const SymbolsQuery = z.strictObject({
  exchange: Exchange,
  sort: z
    .enum(['name', 'turnover'])
    .default('name')
    .meta({ description: '`turnover`: the largest of the last 24 hours first.' }),
});
export const PriceQuery = z.strictObject({ symbol: SymbolName, exchange: Exchange });
export const PriceBatchQuery = z.strictObject({
  symbols: symbolsInQuery(SYMBOLS_IN_BATCH_MAX, 'BTCUSDT,ETHUSDT,SOLUSDT'),
  exchange: Exchange,
});
export const FundingQuery = z.strictObject({
  symbol: SymbolName,
  since: wholeInQuery(
    1,
    9_999_999_999_999,
    'Epoch ms: settled fundings from then on, at most ' +
      `${FUNDING_DAYS_MAX} days before \`until\`. ${FUNDING_DAYS_DEFAULT} days before it when absent.`,
  ).optional(),
  until: wholeInQuery(1, 9_999_999_999_999, 'Epoch ms: settled fundings before then. Now when absent.').optional(),
  exchange: Exchange,
});
export const ContractQuery = z.strictObject({ symbol: SymbolName, exchange: Exchange });
export const KlinesQuery = z.strictObject({
  symbol: SymbolName,
  interval: IntervalName,
  limit: wholeInQuery(1, KLINES_MAX, `Candles; ${KLINES_DEFAULT} when absent.`)
    .optional()
    .transform((limit) => limit ?? KLINES_DEFAULT),
  endTime: wholeInQuery(1, 9_999_999_999_999, 'Epoch ms: only candles closed by then. Now when absent.').optional(),
  price: z
    .enum(['last', 'mark'])
    .default('last')
    .meta({ description: '`mark`: mark price candles, which decide liquidations; no volume.' }),
  exchange: Exchange,
});

export const MinutesBody = z
  .strictObject({
    symbol: SymbolName,
    interval: IntervalName.exclude(['1m'], 'must be one of 5m 15m 1h 4h 1d').meta({
      description: 'Interval of the candles to split into minutes.',
    }),
    opens: z
      .array(z.int().min(1).max(9_999_999_999_999))
      .min(1, 'must name at least one candle')
      .max(MINUTE_BARS_MAX, `must name at most ${MINUTE_BARS_MAX} candles`)
      .meta({ description: `Open times of candles, epoch ms; together at most ${MINUTES_MAX} minutes.` }),
    exchange: Exchange,
  })
  .refine(({ interval, opens }) => opens.every((openMs) => openMs % intervalMs[interval] === 0), {
    path: ['opens'],
    error: 'must be open times of the interval',
  })
  .refine(({ interval, opens }) => opens.length * intervalMs[interval] <= MINUTES_MAX * MINUTE_MS, {
    path: ['opens'],
    error: `hold more than ${MINUTES_MAX} minutes; request fewer candles`,
  });

const Source = {
  exchange: ExchangeName,
  market: z.enum(['simulated', 'replay', 'live']).meta({ description: 'Only live data comes from a real exchange.' }),
  data_age_ms: z.int().min(0).meta({ description: 'Milliseconds since the exchange last confirmed this data.' }),
};
const Instant = z.iso.datetime();
const Price = z.number().positive();

const Count = z.int().min(0);
/** Instruments of the exchange that are not in `symbols`, by reason. */
const LeftOutCounts = z.object({
  stock: Count,
  commodity: Count.meta({ description: 'Metals, oil and the like.' }),
  index: Count,
  otherAsset: Count.meta({ description: 'Any other class.' }),
  unclassified: Count.meta({ description: 'Underlying not stated by the exchange.' }),
  otherQuote: Count.meta({ description: 'Not quoted and settled in USDT.' }),
  datedFuture: Count,
  malformed: Count.meta({ description: 'Without a usable name, tick size or quantity step.' }),
} satisfies Record<keyof LeftOut, z.ZodType>);

export const SymbolsResponse = z.object({
  ...Source,
  counts: z
    .object({
      trading: Count.meta({ description: 'Coin perpetuals trading now: the size of the universe.' }),
      suspended: Count.meta({ description: 'In `symbols` with the status `halted`.' }),
      left_out: LeftOutCounts,
    })
    .meta({ description: 'Every instrument of the exchange, counted once.' }),
  symbols: z.array(
    z.object({
      symbol: z.string(),
      base: z.string(),
      tick_size: z.number().positive().meta({ description: 'Smallest price step, USDT.' }),
      step_size: z.number().positive().meta({ description: 'Smallest quantity step in coins, on every exchange.' }),
      min_notional: z.number().positive().nullable(),
      max_quantity: z
        .number()
        .positive()
        .nullable()
        .meta({ description: 'Largest market order in coins; null: not published.' }),
      max_leverage: z.number().positive().nullable().meta({ description: 'null: not published by the exchange.' }),
      listed_at: InstantOrNull,
      status: z.enum(['trading', 'halted']),
    }),
  ),
});

const Quote = z.object({
  symbol: z.string(),
  price: Price.meta({ description: 'Last trade, USDT.' }),
  bid: Price.nullable(),
  ask: Price.nullable(),
  mark: Price.nullable().meta({ description: 'Mark price; decides liquidations.' }),
  at: Instant.meta({ description: "The exchange's own stamp." }),
});
export const PriceResponse = Quote.extend(Source);
export const PriceBatchResponse = z.object({
  ...Source,
  prices: z.array(Quote),
  missing: z
    .array(
      z.object({
        symbol: z.string(),
        why: z.enum(['not_traded', 'halted', 'no_price']).meta({
          description:
            '`not_traded`: not listed, or its contract has ended; `halted`: suspended by the exchange; `no_price`: the exchange sent none.',
        }),
      }),
    )
    .meta({ description: 'Symbols without a price, with the reason.' }),
});

const Column = z.array(z.number());
const CandleColumns = z.object({
  time: Column,
  open: Column,
  high: Column,
  low: Column,
  close: Column,
  volume: Column,
});
export const MinutesResponse = z.object({
  symbol: z.string(),
  ...Source,
  candles: CandleColumns.meta({
    description: 'Closed minutes of those candles, oldest first; gaps at the exchange stay gaps.',
  }),
});
export const KlinesResponse = z.object({
  symbol: z.string(),
  interval: IntervalName,
  ...Source,
  candles: CandleColumns.meta({
    description: 'Closed candles as columns, oldest first; time is the open in epoch ms, volume in coins.',
  }),
  candle_close_at: InstantOrNull.meta({ description: 'Close of the last candle; null without candles.' }),
  gaps: z
    .array(z.object({ from: Instant, to: Instant, missing: z.int() }))
    .meta({ description: 'Candles the exchange did not send; never filled in.' }),
});

export const ContractRules = z
  .object({
    exchange: ExchangeName,
    symbol: z.string(),
    tickSize: z.number().meta({ description: 'Price step, USDT.' }),
    stepSize: z.number().meta({ description: 'Quantity step, base units.' }),
    minNotional: z.number().meta({ description: 'Least notional of an order, USDT; 0 when none is stated.' }),
    maxQuantity: z.number().meta({ description: 'Largest market order, base units; 0 when none is stated.' }),
    leverageMax: z.number().nullable().meta({ description: 'null: not stated by the exchange.' }),
    tiers: z.array(LeverageTierWire).nullable().meta({
      description:
        'Lowest first. null: unknown, e.g. Binance without an API key. A last row with `leverageMax` 0 marks the size limit.',
    }),
    endedAt: Instant.optional().meta({
      description: 'When the exchange ended the contract; absent while it is listed.',
    }),
  })
  .meta({ description: 'Order and position rules of the exchange for the symbol.' });
export const ContractResponse = z.object({ ...Source, contract: ContractRules });
export const FundingResponse = z.object({
  symbol: z.string(),
  ...Source,
  funding_rate: z
    .number()
    .meta({ description: 'Current rate of the next funding, longs to shorts; 0.0001 is 0.01 %.' }),
  next_funding_at: Instant,
  interval_hours: z.number().nullable().meta({ description: 'Hours between fundings; null: unknown.' }),
  interval_source: z.enum(fundingIntervalSources).nullable().meta({
    description:
      'Where `interval_hours` comes from. `exchange`: its value for the contract or its default; `stamps`: its last two settlements.',
  }),
  history: z
    .array(z.object({ at: Instant, funding_rate: z.number() }))
    .meta({ description: 'Settled fundings since `since`, oldest first, with their own stamps.' }),
});
