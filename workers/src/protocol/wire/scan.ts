import { z } from 'zod';
import type { ScanInput } from '../optimize.ts';
import { CandlesWire, candlesFromWire } from './candles.ts';
import { WeightsWire } from './strategyParams.ts';

/** The JSON form of a scan: the last closed candle of many series. */
export const ScanRequestWire = z.strictObject({
  series: z
    .array(z.strictObject({ symbol: z.string().min(1), interval: z.string().min(1), candles: CandlesWire }))
    .max(5000),
  weights: WeightsWire.prefault({}),
});

export function scanFromWire({ series, weights }: z.output<typeof ScanRequestWire>): ScanInput {
  return { series: series.map((entry) => ({ ...entry, candles: candlesFromWire(entry.candles) })), weights };
}
