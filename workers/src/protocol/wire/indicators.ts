import { withoutUndefined } from '../../core/withoutUndefined.ts';
import { z } from 'zod';
import type { IndicatorRequest, IndicatorSeries } from '../backtest.ts';
import type { TaskInput } from '../tasks.ts';
import { CandlesWire, candlesFromWire, columnToWire } from './candles.ts';

/** An indicator by id, or with parameters. Several of one id without `as` are named by id and parameters: sma20 and sma50. */
export const IndicatorRequestWire = z.union([
  z.string(),
  z
    .object({
      id: z.string().max(20),
      as: z
        .string()
        .regex(/^[A-Za-z]\w{0,39}$/, 'must be letters, digits and _')
        .optional(),
    })
    .catchall(z.number())
    .meta({ description: 'Every other key is a parameter of the indicator, e.g. period.' }),
]);

export const IndicatorsRequestWire = z.strictObject({
  candles: CandlesWire,
  indicators: z.array(IndicatorRequestWire).min(1).max(64),
});

export type IndicatorsWire = Record<string, Record<string, (number | null)[]>>;

export function indicatorsFromWire(wire: z.output<typeof IndicatorsRequestWire>): TaskInput<'indicators'> {
  return { candles: candlesFromWire(wire.candles), requests: wire.indicators.map(requestFromWire) };
}

export function requestFromWire(wire: z.output<typeof IndicatorRequestWire>): IndicatorRequest {
  if (typeof wire === 'string') return { id: wire };
  const { id, as, ...params } = wire;
  return { id, params, ...withoutUndefined({ as }) };
}

export function seriesToWire(series: IndicatorSeries): IndicatorsWire {
  return mapValues(series, (outputs) => mapValues(outputs, columnToWire));
}

function mapValues<A, B>(record: Record<string, A>, map: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
