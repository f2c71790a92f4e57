import { BacktestResultWire } from '@sextant/workers/src/wire/backtestResult.ts';
import { candlesWire } from '@sextant/workers/src/wire/candles.ts';
import { CostsWire } from '@sextant/workers/src/wire/costs.ts';
import { StrategyParamsWire } from '@sextant/workers/src/wire/strategyParams.ts';
import { z } from 'zod';
import { ExchangeName, IntervalName, SymbolName } from '../market/contract.ts';

/** Candles one request may bring or ask for. 200,000 rows of six columns fit the route's body limit. */
export const CANDLES_MAX = 200_000;
/** X4: what the API loads by default, and how many of those are the scored window. */
export const LIMIT_DEFAULT = 800;
export const SCORED_DEFAULT = 500;
const LIMIT_MAX = 10_000;

const hasOneSource = (body: { symbol?: unknown; candles?: unknown }): boolean =>
  (body.symbol === undefined) !== (body.candles === undefined);

export const RunBacktestBody = z
  .strictObject({
    symbol: SymbolName.optional().meta({ description: 'Loads closed candles of this symbol. Or send `candles`.' }),
    exchange: ExchangeName.default('binance'),
    interval: IntervalName.default('1h'),
    limit: z.int().min(100).max(LIMIT_MAX).default(LIMIT_DEFAULT).meta({ description: 'Candles loaded.' }),
    endTime: z
      .int()
      .positive()
      .optional()
      .meta({ description: 'Epoch ms: only candles that had closed at this instant. Now when absent.' }),
    candles: candlesWire(CANDLES_MAX).optional().meta({ description: 'Your own candles instead of a symbol.' }),
    params: StrategyParamsWire.prefault({}),
    costs: CostsWire.prefault({}),
    scored: z
      .int()
      .min(1)
      .max(CANDLES_MAX)
      .optional()
      .meta({
        description: `Trades may open on the last so many candles; the earlier ones warm the indicators up. ${SCORED_DEFAULT} for a symbol, all for your own candles.`,
      }),
  })
  .refine(hasOneSource, { path: ['symbol'], error: 'send either symbol or candles' });

export const RunBacktestAnswer = BacktestResultWire.extend({
  id: z.uuid().meta({ description: 'Of the stored run.' }),
  symbol: z.string().nullable(),
  exchange: ExchangeName.nullable().meta({ description: 'Where the candles came from; null for your own.' }),
  interval: IntervalName,
  first_candle_at: z.iso.datetime(),
  last_candle_at: z.iso.datetime(),
  gapCount: z.int().meta({ description: 'Missing candles inside the loaded window; they are never invented.' }),
});
