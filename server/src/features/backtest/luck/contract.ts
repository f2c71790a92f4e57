import { API_LOADED, SCORED_DEFAULT } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { OWN_CANDLES_MAX, RUN_CANDLES_MAX, RUN_CANDLES_MIN } from '@sextant/workers/src/core/limits.ts';
import { z } from 'zod';
import { ExchangeName, IntervalName, SymbolName } from '../../market/contract.ts';

export const LuckBody = z.strictObject({
  symbol: SymbolName,
  exchange: ExchangeName.default('binance'),
  interval: IntervalName.default('1h'),
  limit: z.int().min(RUN_CANDLES_MIN).max(RUN_CANDLES_MAX).default(API_LOADED),
  scored: z
    .int()
    .min(1)
    .max(OWN_CANDLES_MAX)
    .default(SCORED_DEFAULT)
    .meta({ description: 'Last candles, which the search does not see.' }),
  trials: z.int().min(1).max(1_000_000_000).meta({ description: 'Sets that you want to try.' }),
});

const Sharpe = z.number().meta({ description: 'Sharpe ratio of one candle.' });
const Yearly = z.number().nullable().meta({ description: 'The same a year; null below 30 days of candles.' });

export const LuckResponse = z
  .object({
    candles: z.int().meta({ description: 'Candles that the search may use, warm-up included.' }),
    trialCount: z.int().meta({ description: '`trials` and `earlierTrials`.' }),
    earlierTrials: z.int().meta({ description: 'Sets your account tried on these candles, its family included.' }),
    luckSharpe: Sharpe,
    luckAnnualSharpe: Yearly,
    detectableSharpe: Sharpe,
    detectableAnnualSharpe: Yearly,
    words: z.string(),
  })
  .meta({
    description:
      'luck: what the best of as many sets without skill usually shows. detectable: the smallest true ratio that passes in 80 % of cases.',
  });
