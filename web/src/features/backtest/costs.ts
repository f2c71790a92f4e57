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
    meaning: 'Paid on market fills: entries, stops and market targets. Percent of the notional.',
    formula: 'fee = notional x rate',
    example: '1,000 USDT at 0.05 % costs 0.50 USDT per fill.',
  }),
  percent('makerFeeFraction', 'Maker fee', {
    meaning: 'Paid on filled limit orders: here only limit targets.',
    formula: 'fee = notional x rate',
  }),
  percent('slippageFraction', 'Slippage', {
    meaning: 'Market orders fill this much worse than the chart. Our assumption.',
    formula: 'long entry = open x (1 + slippage)',
    example: 'A long at 50,000 with 0.01 % is filled at 50,005.',
  }),
  percent('stopSlippageFraction', 'Stop slippage', {
    meaning: 'Stops fill this much worse than their price. After a gap they fill at the open. Our assumption.',
  }),
  percent('maintenanceMarginFraction', 'Maintenance margin', {
    meaning: 'Below this share of the notional, the exchange liquidates. Our assumption: contracts and sizes differ.',
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
      meaning: 'Your balance at the start of the test.',
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
      meaning: 'Notional of each entry, without compounding. Cut to what the equity covers.',
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
      meaning: 'Sets margin and liquidation price. The size changes only when equity is short.',
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
    meaning: `Sets fees, liquidation, leverage tiers and order rules. Candles, funding and mark prices come from Binance. Fees start at the lowest tier for USDT perpetuals, without discounts. ${name}: ${source}, read on ${feesReadOn}. Enter the fees your account pays.`,
  };
}
