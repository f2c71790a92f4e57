import { KLINES_MAX } from '@sextant/workers/src/core/limits.ts';
import { IndicatorRequestWire } from '@sextant/workers/src/protocol/wire/indicators.ts';
import { z } from 'zod';
import { InstantOrNull } from '../../platform/instant.ts';
import { ExchangeName, IntervalName, SymbolName } from './contract.ts';

/** Names of the public API, in addition to the engine's ids. */
export const namedIndicators = {
  sma20: { id: 'sma20' },
  ema50: { id: 'ema50' },
  rsi14: { id: 'rsi', params: { period: 14 } },
  macd: { id: 'macd' },
  bollinger: { id: 'boll' },
} as const;

/** Maximum indicators of one request. */
const INDICATORS_MAX = 32;
const defaultNames = Object.keys(namedIndicators);

export const IndicatorsBody = z.strictObject({
  symbol: SymbolName,
  interval: IntervalName,
  limit: z
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(KLINES_MAX, `must be at most ${KLINES_MAX}`)
    .default(500)
    .meta({ description: 'Closed candles to compute from.' }),
  indicators: z
    .array(
      z.union([
        z.string().regex(/^[a-z][a-z0-9]{1,19}$/, 'must be an indicator such as sma20 or rsi'),
        IndicatorRequestWire.options[1],
      ]),
    )
    .min(1, 'must name at least one indicator')
    .max(INDICATORS_MAX, `must name at most ${INDICATORS_MAX} indicators`)
    .refine(
      (requested) => new Set(requested.map((each) => JSON.stringify(each))).size === requested.length,
      'must name each indicator once',
    )
    .default(defaultNames)
    .meta({
      description: `${defaultNames.join(', ')} when absent; any id of the indicator list, or an id with parameters: {"id": "sma", "period": 20}. Several of one id are named by their parameters: sma20 and sma50; \`as\` gives another name.`,
      examples: [
        defaultNames,
        [
          { id: 'sma', period: 20 },
          { id: 'sma', period: 50 },
        ],
      ],
    }),
  series: z.boolean().default(false).meta({ description: 'true: also return one value per candle.' }),
  exchange: ExchangeName.default('binance'),
});

const Value = z.number().nullable();

export const IndicatorsResponse = z.object({
  symbol: z.string(),
  interval: IntervalName,
  exchange: ExchangeName,
  market: z.enum(['simulated', 'replay', 'live']),
  data_age_ms: z.int().min(0),
  candle_close_at: InstantOrNull,
  candle_count: z.int().min(0).meta({ description: 'Closed candles used.' }),
  indicators: z.record(z.string(), z.union([Value, z.record(z.string(), Value)])).meta({
    description: 'Value at the last closed candle; null: too few candles.',
    examples: [
      {
        sma20: 96120.4,
        ema50: 95710.9,
        rsi14: 58.3,
        macd: { macd: 210.4, signal: 180.2, histogram: 30.2 },
        bollinger: { upper: 97310.1, middle: 96120.4, lower: 94930.7 },
      },
    ],
  }),
  time: z.array(z.number()).optional().meta({ description: 'With `series`: open of each candle, epoch ms.' }),
  series: z
    .record(z.string(), z.record(z.string(), z.array(Value)))
    .optional()
    .meta({ description: 'With `series`: every output of every indicator, null during warm-up.' }),
});
