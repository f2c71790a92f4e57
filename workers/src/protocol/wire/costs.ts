import { withoutUndefined } from '../../core/withoutUndefined.ts';
import { IMPACT_COEFFICIENT, LEVERAGE_MAX, TURNOVER_SHARE_MAX, venueIds } from '@sextant/engine-as/abi/costs.ts';
import { z } from 'zod';
import type { Costs } from '../backtest.ts';
import { numberColumn } from './column.ts';
import { defaultCosts } from './defaults.ts';

const Share = z.number().min(0).max(0.1);
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

const Coefficient = z.number().min(0).max(100);
const impactText =
  'Slippage that the size of a fill adds: so many volatilities of a candle times the square root of its share of the turnover; 0: none.';
const TurnoverShare = z.number().min(0).max(1);
const shareText = 'Largest part of the turnover of a candle that an entry takes; 0: no limit.';

/** Trading costs. Fractions: 0.0005 is 0.05 %. */
export const CostsWire = z.strictObject({
  takerFeeFraction: Share.default(defaultCosts.takerFeeFraction),
  makerFeeFraction: z.number().min(-0.1).max(0.1).default(defaultCosts.makerFeeFraction),
  slippageFraction: Share.default(defaultCosts.slippageFraction),
  stopSlippageFraction: Share.default(defaultCosts.stopSlippageFraction),
  takeProfitOrder: z.enum(['market', 'limit']).default(defaultCosts.takeProfitOrder),
  initialEquity: z.number().min(1).max(1e12).default(defaultCosts.initialEquity),
  notional: z.number().min(1e-6).max(1e12).default(defaultCosts.notional),
  leverage: z.number().min(1).max(LEVERAGE_MAX).default(defaultCosts.leverage),
  maintenanceMarginFraction: Share.default(defaultCosts.maintenanceMarginFraction),
  funding: FundingWire.optional(),
  fundingSource: z.enum(['history', 'assumed', 'off']).default(defaultCosts.fundingSource).meta({
    description: 'What is charged: the settled rates, `assumedFundingFraction` at 0, 8 and 16 h UTC, or nothing.',
  }),
  assumedFundingFraction: z.number().min(-0.01).max(0.01).default(defaultCosts.assumedFundingFraction).meta({
    description: 'What longs pay at each assumed funding, a fraction of the notional.',
  }),
  sameBar: z.enum(['stop', 'target']).default(defaultCosts.sameBar).meta({
    description: 'What comes first in a candle that holds both stop and target.',
  }),
  liquidationModel: z.enum(venueIds).optional(),
  tiers: z.array(LeverageTierWire).max(100).optional(),
  tickSize: z.number().min(0).optional(),
  stepSize: z.number().min(0).optional(),
  minNotional: z.number().min(0).optional(),
  maxQuantity: z.number().min(0).optional().meta({ description: 'Largest market order, base units; 0: no limit.' }),
  impactCoefficient: Coefficient.optional().meta({ description: impactText }),
  turnoverShareMax: TurnoverShare.optional().meta({ description: shareText }),
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
  impactCoefficient: Coefficient.default(IMPACT_COEFFICIENT).meta({ description: impactText }),
  turnoverShareMax: TurnoverShare.default(TURNOVER_SHARE_MAX).meta({ description: shareText }),
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
  takerFeeFraction: Share.optional().meta({ description: 'That of `exchange`, lowest tier, when absent.' }),
  makerFeeFraction: z.number().min(-0.1).max(0.1).optional().meta({
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
