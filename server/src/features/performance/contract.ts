import { z } from 'zod';
import { ExchangeName } from '../market/contract.ts';

const Nullable = z.number().nullable();
const Fraction = Nullable.meta({ description: 'A fraction of the entry price: 0.02 is 2 %.' });

export const HistoryQuery = z.strictObject({
  limit: z
    .string()
    .regex(/^\d{1,4}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(1, 'must be at least 1').max(500, 'must be at most 500'))
    .optional()
    .transform((limit) => limit ?? 200)
    .meta({ type: 'integer', minimum: 1, maximum: 500, description: 'Signals, newest first; 200 when absent.' }),
  mine: z
    .enum(['true', 'false'], 'must be true or false')
    .optional()
    .transform((mine) => mine === 'true')
    .meta({ description: 'Only signals of your own scans.' }),
});

export const HistoryAnswer = z.object({
  signals: z.array(
    z.object({
      id: z.uuid(),
      created_at: z.iso.datetime(),
      exchange: ExchangeName,
      market: z.enum(['simulated', 'replay', 'live']),
      symbol: z.string(),
      interval: z.string(),
      candle_close_at: z.iso.datetime(),
      direction: z.enum(['LONG', 'SHORT']),
      confidence: z.number(),
      price: z.number(),
      stop_loss: z.number(),
      take_profit: z.number(),
      horizon_min: z.number(),
      risk_label: z.string(),
      mine: z.boolean().meta({ description: 'Whether a scan of yours found it.' }),
      hashes: z.object({ engine: z.string(), data: z.string(), params: z.string() }),
      outcome: z
        .object({
          outcome: z.enum(['TP', 'SL', 'TIME']),
          exit_price: z.number(),
          exit_at: z.iso.datetime(),
          net_fraction: z.number(),
          is_ambiguous: z.boolean(),
          basis: z.string().meta({ description: 'Length of the candles it was judged on.' }),
        })
        .nullable()
        .meta({ description: 'null while it is open; open is not lost.' }),
    }),
  ),
});

const Interval = z.object({ low: z.number(), high: z.number() }).nullable().meta({ description: '95 %, Wilson.' });

const Calibration = z.object({
  count: z.int(),
  brier: Nullable.meta({ description: 'Mean squared difference of confidence and outcome.' }),
  brier_of_base_rate: Nullable.meta({ description: 'What always stating the win rate would score.' }),
  ece: Nullable.meta({ description: 'Expected calibration error.' }),
  bins: z.array(
    z.object({
      from: z.number(),
      to: z.number(),
      count: z.int(),
      won: z.int(),
      mean_confidence: Nullable,
      win_rate: Nullable,
      interval: Interval,
    }),
  ),
});

const Record = z.object({
  signals: z.int().meta({ description: 'Recorded.' }),
  open: z.int().meta({ description: 'Not resolved yet: neither won nor lost.' }),
  resolved: z.int(),
  tp: z.int(),
  sl: z.int(),
  time: z.int().meta({ description: 'The horizon passed before stop and target.' }),
  won: z.int().meta({ description: 'Resolved with a gain after fees.' }),
  ambiguous: z.int().meta({ description: 'Stop and target in one candle: counted as stopped.' }),
  hit_rate: Nullable,
  hit_rate_interval: Interval,
  mean_net_fraction: Fraction,
  total_net_fraction: Fraction,
  calibration: Calibration,
});

export const PerformanceAnswer = z.object({
  market: z.enum(['simulated', 'replay', 'live']).meta({ description: 'Only signals of this market are counted.' }),
  engine: Record.meta({ description: 'Every signal of the public record, losers included.' }),
  mine: Record.meta({ description: 'Those your scans found.' }),
  ai_check: Record.nullable().meta({
    description: 'Signals an AI check of yours approved by itself, not softly; null before the first.',
  }),
});
export type RecordWire = z.input<typeof Record>;
