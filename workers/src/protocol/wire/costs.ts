import { withoutUndefined } from '../../core/withoutUndefined.ts';
import type { CostRow, DefaultCost, LaterCost, OptionalCost } from '@sextant/engine-as/abi/costParameters.ts';
import { venueIds } from '@sextant/engine-as/abi/costs.ts';
import { z } from 'zod';
import type { Costs } from '../backtest.ts';
import { numberColumn } from './column.ts';
import { defaultCosts } from './defaults.ts';
import { costNumber, defaultCostShape, optionalCostShape } from './numberSchemas.ts';

/** 18 years of a funding every 8 hours. */
const Column = numberColumn({ countMax: 20_000 });

export const FundingWire = z.strictObject({ time: Column, rate: Column, mark: Column.optional() }).meta({
  description: 'Funding history: stamps (epoch ms, increasing), rates that longs pay, mark prices when known.',
});

export const LeverageTierWire = z.strictObject({
  notionalFloor: z.number().min(0),
  // Binance takes up to half of the largest positions.
  maintenanceMarginFraction: z.number().min(0).max(0.5),
  maintenanceAmount: z.number().min(0).default(0),
  leverageMax: z.number().min(0).max(1000).meta({
    description: '0, in the last row only: a position must stay below its `notionalFloor`.',
  }),
});

/** A number with a default in every run, stored ones too. */
const isStandard = ({ default: standard, isLater }: CostRow): boolean => standard !== undefined && isLater !== true;

/** Trading costs. Fractions: 0.0005 is 0.05 %. */
export const CostsWire = z.strictObject({
  ...defaultCostShape<DefaultCost>(isStandard),
  takeProfitOrder: z.enum(['market', 'limit']).default(defaultCosts.takeProfitOrder),
  funding: FundingWire.optional(),
  fundingSource: z.enum(['history', 'assumed', 'off']).default(defaultCosts.fundingSource).meta({
    description: 'What is charged: the settled rates, `assumedFundingFraction` at 0, 8 and 16 h UTC, or nothing.',
  }),
  sameBar: z.enum(['stop', 'target']).default(defaultCosts.sameBar).meta({
    description: 'What comes first in a candle that holds both stop and target.',
  }),
  liquidationModel: z.enum(venueIds).optional(),
  tiers: z.array(LeverageTierWire).max(100).optional(),
  ...optionalCostShape<Exclude<OptionalCost, DefaultCost>>((row) => !isStandard(row)),
  rulesOf: z
    .strictObject({
      exchange: z.enum(venueIds),
      symbol: z.string().max(40),
      leverageAsked: z.number().min(1).max(1000).optional().meta({
        description: 'The leverage that was set, where the exchange grants less at this size.',
      }),
      areTiersAssumed: z.boolean().optional().meta({
        description:
          'The tiers of the exchange are unknown; `tiers` holds the one maintenance rate and the limits that a run then has.',
      }),
    })
    .optional()
    .meta({
      description:
        'Whose rules `tickSize`, `stepSize`, `minNotional`, `maxQuantity` and `tiers` are. Changes no figure.',
    }),
});

/** The same of a new run: the size of an order counts unless it is switched off. Costs stored without a model have none. */
export const NewCostsWire = CostsWire.extend({
  ...defaultCostShape<LaterCost>(({ isLater }) => isLater === true),
});

/** The same of a task, whose fills may follow the rules of another program. */
export const TaskCostsWire = NewCostsWire.extend({
  entryCandleExits: z.boolean().default(true).meta({
    description: 'Whether a level may close a position in the candle of its entry. False: one order a candle.',
  }),
  lastClose: z.enum(['order', 'mark']).default('order').meta({
    description:
      'A position open at the last close ends by an order, with slippage and fee, or is marked at that close.',
  }),
});

/** The same of a run on an exchange, which decides the fees that are left out. */
export const RunCostsWire = NewCostsWire.extend({
  takerFeeFraction: costNumber('takerFeeFraction')
    .optional()
    .meta({ description: 'That of `exchange`, lowest tier, when absent.' }),
  makerFeeFraction: costNumber('makerFeeFraction').optional().meta({
    description: 'That of `exchange`, lowest tier, when absent.',
  }),
});

type FillRules = Pick<z.output<typeof TaskCostsWire>, 'entryCandleExits' | 'lastClose'>;

export function costsFromWire(wire: z.output<typeof CostsWire> & Partial<FillRules>): Costs {
  const { funding, rulesOf, ...plain } = wire;
  const named = rulesOf === undefined ? {} : { rulesOf: withoutUndefined(rulesOf) };
  const costs: Costs = { ...withoutUndefined(plain), ...named };
  if (funding === undefined) return costs;
  const { time, rate, mark } = funding;
  const columns = { time: Float64Array.from(time), rate: Float64Array.from(rate) };
  return { ...costs, funding: mark === undefined ? columns : { ...columns, mark: Float64Array.from(mark) } };
}
