import { z } from 'zod';
import { InstantOrNull } from '../../platform/instant.ts';
import { ExchangeName, IntervalName, SymbolName, symbolsInQuery } from '../market/contract.ts';

/** Each symbol takes two or three requests of the exchange. */
export const POSITIONING_SYMBOLS_MAX = 40;

const Exchange = ExchangeName.default('binance');

export const PositioningListQuery = z.strictObject({
  symbols: symbolsInQuery(POSITIONING_SYMBOLS_MAX, 'BTCUSDT,ETHUSDT'),
  exchange: Exchange,
});

export const PositioningRow = z.object({
  symbol: z.string(),
  open_interest: z.number().nullable().meta({ description: 'Open contracts, base units; null: not received.' }),
  open_interest_usdt: z.number().nullable().meta({ description: 'The same at the last price.' }),
  open_interest_at: InstantOrNull,
  long_short_ratio: z
    .number()
    .nullable()
    .meta({ description: 'Accounts that are long per account that is short, of the newest 5 minutes.' }),
  long_short_at: InstantOrNull,
  funding_rate: z
    .number()
    .nullable()
    .meta({ description: 'Rate of the next funding, longs to shorts; 0.0001 is 0.01 %.' }),
  next_funding_at: InstantOrNull,
});
export type PositioningRowWire = z.input<typeof PositioningRow>;

export const PositioningListResponse = z.object({
  exchange: ExchangeName,
  market: z.string(),
  rows: z.array(PositioningRow).meta({ description: 'In the requested order.' }),
  failures: z.array(z.string()).meta({ description: 'Why figures are null, each reason once.' }),
});

export const PositioningPath = z.strictObject({ symbol: SymbolName });
export const PositioningQuery = z.strictObject({
  interval: IntervalName.default('1h').meta({ description: '`1m` gives points of 5 minutes.' }),
  exchange: Exchange,
});

const times = z.array(z.number()).meta({ description: 'Epoch ms, the timestamps of the exchange, oldest first.' });

export const PositioningResponse = z.object({
  exchange: ExchangeName,
  market: z.string(),
  symbol: z.string(),
  interval: IntervalName.meta({ description: 'Distance of the points.' }),
  open_interest: z.object({ time: times, quantity: z.array(z.number()) }).nullable(),
  long_short: z.object({ time: times, ratio: z.array(z.number()) }).nullable(),
  failures: z.array(z.string()).meta({ description: 'Why a series is null.' }),
});
