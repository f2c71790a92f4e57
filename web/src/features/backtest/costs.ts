import { LEVERAGE_MAX, venueFees } from '@sextant/engine-as/abi/costs.ts';
import type { Costs } from '@sextant/workers/src/protocol/backtest.ts';
import { defaultCosts, standardLiquidity } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { feesReadOn, schedules, type Venue } from '../../format/feeSources.ts';
import type { Definition, WrittenDefinition } from '../../ui/Hint.tsx';
import { fractionToPercent, type NumberRule } from './params.ts';

type FractionCost =
  | 'takerFeeFraction'
  | 'makerFeeFraction'
  | 'slippageFraction'
  | 'stopSlippageFraction'
  | 'maintenanceMarginFraction';
type PlainCost = 'initialEquity' | 'notional' | 'leverage';

/**
 * Editable costs: numbers and the kind of target order. History and tables come with the data, not from a field. The liquidation fee has no
 * field either: it is part of the margin lost in a liquidation, so it changes no figure.
 */
export type EditableCosts = Required<
  Pick<
    Costs,
    | FractionCost
    | PlainCost
    | 'takeProfitOrder'
    | 'fundingSource'
    | 'assumedFundingFraction'
    | 'sameBar'
    | 'impactCoefficient'
    | 'turnoverShareMax'
  >
>;

export function startCosts(): EditableCosts {
  return { ...defaultCosts, ...standardLiquidity };
}

/** The form untouched, with the fees of an exchange. */
export const costsOfVenue = (venue: Venue): EditableCosts => ({ ...startCosts(), ...feesOf(venue) });

interface CostField<Key extends string> extends NumberRule {
  key: Key;
  definition: Definition;
}

const percent = (
  key: FractionCost,
  label: string,
  definition: Omit<WrittenDefinition, 'name' | 'topic'>,
): CostField<FractionCost> => ({
  key,
  label,
  unit: '%',
  min: 0,
  max: 10,
  step: 0.01,
  decimals: 4,
  default: fractionToPercent(defaultCosts[key]),
  definition: { name: label, topic: `setting.${key}`, ...definition },
});

export const fractionFields: readonly CostField<FractionCost>[] = [
  percent('takerFeeFraction', 'Taker fee', {
    meaning:
      'Fee of a fill that takes liquidity, in percent of its notional. Entries, stops and market targets pay it.',
    formula: 'fee = notional x rate',
    example: '1,000 USDT at 0.05 % costs 0.50 USDT, and as much again at the exit.',
  }),
  percent('makerFeeFraction', 'Maker fee', {
    meaning: 'Fee of a resting limit order that is filled. Only targets placed as limit orders pay it.',
    formula: 'fee = notional x rate',
  }),
  percent('slippageFraction', 'Slippage', {
    meaning:
      'How much worse than the chart a market order is filled, in percent of the price. Our assumption, no exchange states it.',
    formula: 'long entry = open x (1 + slippage)',
    example: 'A long at 50,000 with 0.01 % is filled at 50,005.',
  }),
  percent('stopSlippageFraction', 'Stop slippage', {
    meaning:
      'The same for a stop, which is filled while the price runs away. A gap fills at the open of the bar instead. Our assumption.',
  }),
  percent('maintenanceMarginFraction', 'Maintenance margin', {
    meaning:
      'The margin below which the exchange liquidates the position, in percent of its notional. Our assumption: contracts and sizes differ.',
  }),
];

export const plainFields: readonly CostField<PlainCost>[] = [
  {
    key: 'initialEquity',
    label: 'Start equity',
    unit: 'USDT',
    min: 1,
    max: 1e9,
    step: 100,
    decimals: 2,
    default: defaultCosts.initialEquity,
    definition: {
      topic: 'setting.initialEquity',
      name: 'Start equity',
      meaning: 'Where the equity curve begins. Drawdown is measured against it.',
    },
  },
  {
    key: 'notional',
    label: 'Position size',
    unit: 'USDT',
    min: 1,
    max: 1e9,
    step: 100,
    decimals: 2,
    default: defaultCosts.notional,
    definition: {
      topic: 'setting.notional',
      name: 'Position size',
      meaning:
        'Notional of every position at its entry. Wins are not compounded. When the equity does not cover margin and entry fee of this size, the position is as large as it does cover.',
    },
  },
  {
    key: 'leverage',
    label: 'Leverage',
    unit: 'x',
    min: 1,
    max: LEVERAGE_MAX,
    step: 1,
    decimals: 0,
    default: defaultCosts.leverage,
    definition: {
      topic: 'setting.leverage',
      name: 'Leverage',
      meaning:
        'Sets the isolated margin, and with it the liquidation price. It changes the size only where the equity does not cover the margin.',
      formula: 'margin = position size / leverage',
      example: '1,000 USDT at 10x needs a margin of 100 USDT.',
    },
  },
];

export const feesOf = (venue: Venue): Pick<EditableCosts, 'takerFeeFraction' | 'makerFeeFraction'> => {
  const { takerFeeFraction, makerFeeFraction } = venueFees[venue];
  return { takerFeeFraction, makerFeeFraction };
};

/** Source and date of the default fees. */
export function feeDefinition(venue: Venue): Definition {
  const { name, source } = schedules[venue];
  return {
    topic: 'setting.feesOf',
    name: 'Exchange',
    meaning: `Whose fees, liquidation formula, leverage tiers, tick, step and least order apply. Candles, fundings and mark prices stay those of Binance. Fees: the schedule that the two fees start from: USDT perpetuals, lowest tier, without discounts. ${name}: ${source}, read on ${feesReadOn}. Your own account may pay less, and regions differ: write what yours pays.`,
  };
}
