import { withoutUndefined } from '../../core/withoutUndefined.ts';
import { z } from 'zod';
import type { HonestyInput, HonestyResult } from '../honesty.ts';
import { columnToWire } from './candles.ts';
import { optimizeFromWire, OptimizeRequestWire } from './optimize.ts';

/** The JSON form of the honesty panel: the search to judge, or the returns of trials that were made elsewhere. */

const earlierTrialCount = z
  .int()
  .min(0)
  .default(0)
  .meta({ description: 'Trials made before on the same data; they count as much as these.' });

export const HonestyReturnsWire = z.strictObject({
  returns: z
    .array(z.array(z.number()).min(2))
    .min(1)
    .refine((columns) => columns.every(({ length }) => length === columns[0]?.length), 'all trials need one length')
    .meta({ description: 'One column per trial: change of equity in each bar over the starting equity, a fraction.' }),
  bestIndex: z.int().min(0).meta({ description: 'The trial that is shown.' }),
  barMs: z.number().gt(0).meta({ description: 'Length of a bar, ms.' }),
  tradeCount: z.int().min(0).optional().meta({ description: 'Closed trades of the trial that is shown.' }),
  seed: z.int().min(0).default(1),
  earlierTrialCount,
});

export const HonestySearchWire = z.strictObject({
  search: OptimizeRequestWire,
  earlierTrialCount,
  earlierLookCount: z
    .int()
    .min(0)
    .default(0)
    .meta({ description: 'Results on the scored candles that were viewed before this one.' }),
});

type HonestyJson = z.output<typeof HonestyReturnsWire> | z.output<typeof HonestySearchWire>;

export function honestyFromWire(wire: HonestyJson): HonestyInput {
  if ('search' in wire) return { kind: 'search', ...wire, search: optimizeFromWire(wire.search) };
  const { returns, ...rest } = wire;
  return withoutUndefined({
    kind: 'returns',
    ...rest,
    returns: Float64Array.from(returns.flat()),
    trialCount: returns.length,
  }) as HonestyInput;
}

export function honestyToWire({ halvings, fan, ...result }: HonestyResult): object {
  const columns = (record: Record<string, Float64Array>): object =>
    Object.fromEntries(Object.entries(record).map(([name, column]) => [name, columnToWire(column)]));
  return { ...result, halvings: columns(halvings), fan: columns(fan) };
}
