import { RUN_CANDLES_MIN, SHARED_CANDLES_MAX } from '@sextant/workers/src/core/limits.ts';
import { CostsWire } from '@sextant/workers/src/protocol/wire/costs.ts';
import { StrategyWire } from '@sextant/workers/src/protocol/wire/strategy.ts';
import { StrategyParamsWire } from '@sextant/workers/src/protocol/wire/strategyParams.ts';
import { z } from 'zod';
import { ExchangeName, IntervalName, SymbolName } from '../../market/contract.ts';
import { Hashes } from '../contract.ts';
import { isOnItsInterval, itsInterval } from '../runContract.ts';

export const SharedBacktestBody = z
  .strictObject({
    symbol: SymbolName,
    exchange: ExchangeName.default('binance'),
    interval: IntervalName,
    limit: z.int().min(RUN_CANDLES_MIN).max(SHARED_CANDLES_MAX).meta({ description: 'Candles loaded.' }),
    endTime: z.int().positive().meta({ description: 'Epoch ms: only candles closed by then.' }),
    scored: z.int().min(1).max(SHARED_CANDLES_MAX),
    params: StrategyParamsWire,
    strategy: StrategyWire.optional().meta({ description: 'A strategy of rules; `params` is then ignored.' }),
    costs: CostsWire.omit({ funding: true }),
    fineData: z.boolean().default(false).meta({
      description: 'Run with mark prices and minute candles. Absent in older links.',
    }),
  })
  .refine(isOnItsInterval, itsInterval)
  .meta({ description: 'Content of a shared link, with settled fundings.' });

const Column = z.array(z.number());

const Columns = z.object({ time: Column, open: Column, high: Column, low: Column, close: Column, volume: Column });

export const SharedBacktestResponse = z.object({
  market: z.enum(['simulated', 'replay', 'live']).meta({ description: 'Only live data comes from a real exchange.' }),
  exchange: ExchangeName,
  candles: Columns.meta({ description: 'Data of the run; a browser repeats it on the same candles.' }),
  context: z.array(Columns).meta({ description: 'Those of the longer intervals of a strategy, in its order.' }),
  markPrices: z.object({ open: Column, high: Column, low: Column }).nullable(),
  fineCandles: Columns.nullable().meta({ description: 'Minutes that settled exits.' }),
  funding: z.object({ time: Column, rate: Column }).nullable(),
  hashes: Hashes,
});
