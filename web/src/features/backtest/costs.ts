import {
  type CostParameter,
  costRows,
  type DefaultCost,
  type FractionCost,
  type LaterCost,
  type PlainCost,
} from '@sextant/engine-as/abi/costParameters.ts';
import { venueFees, FEES_READ_ON, venueFacts, type VenueId } from '@sextant/engine-as/abi/costs.ts';
import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import type { Costs } from '@sextant/workers/src/protocol/backtest.ts';
import { defaultCosts, standardLiquidity } from '@sextant/workers/src/protocol/wire/defaults.ts';
import type { Definition } from '../../ui/Hint.tsx';
import { fractionToPercent, type NumberRule } from './params.ts';

/**
 * Editable costs: numbers and the kind of target order. History and tables come with the data, not from a field. The liquidation fee has no
 * field either: it is part of the margin lost in a liquidation, so it changes no figure.
 */
export type EditableCosts = Required<
  Pick<Costs, DefaultCost | LaterCost | 'takeProfitOrder' | 'fundingSource' | 'sameBar'>
>;

export function startCosts(): EditableCosts {
  return { ...defaultCosts, ...standardLiquidity };
}

/** The form untouched, with the fees of an exchange. */
export const costsOfVenue = (venue: VenueId): EditableCosts => ({ ...startCosts(), ...feesOf(venue) });

interface CostField<Key extends string> extends NumberRule {
  key: Key;
  definition: Definition;
}

const fieldsOf = <Key extends FractionCost | PlainCost>(isPercent: boolean): readonly CostField<Key>[] =>
  costRows.flatMap(({ name, unit, form, default: standard = 0 }) => {
    if (form === undefined || (unit === 'fraction') !== isPercent) return [];
    const { meaning, formula, example, ...rule } = form;
    const topic = `setting.${name as FractionCost | PlainCost}` as const;
    return {
      key: name as Key,
      ...rule,
      unit: formUnits[unit],
      default: isPercent ? fractionToPercent(standard) : standard,
      definition: withoutUndefined({ topic, name: rule.label, meaning, formula, example }),
    };
  });

const formUnits: Record<CostParameter['unit'], string> = { fraction: '%', ratio: 'x', USDT: 'USDT', coins: 'coins' };

export const fractionFields = fieldsOf<FractionCost>(true);
export const plainFields = fieldsOf<PlainCost>(false);

export const feesOf = (venue: VenueId): Pick<EditableCosts, 'takerFeeFraction' | 'makerFeeFraction'> => {
  const { takerFeeFraction, makerFeeFraction } = venueFees[venue];
  return { takerFeeFraction, makerFeeFraction };
};

/** Source and date of the default fees. */
export function feeDefinition(venue: VenueId): Definition {
  const { name, feeSource } = venueFacts[venue];
  return {
    topic: 'setting.feesOf',
    name: 'Exchange',
    meaning: `Sets fees, liquidation, leverage tiers and order rules. Candles, funding and mark prices come from Binance. Fees start at the lowest tier for USDT perpetuals, without discounts. ${name}: ${feeSource}, read on ${FEES_READ_ON}. Enter the fees your account pays.`,
  };
}
