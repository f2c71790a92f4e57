import { venueFees } from '@sextant/engine-as/abi/costs.ts';
import { feesReadOn, schedules, type Venue } from '../../../format/feeSchedules.ts';
import type { Definition } from '../../../ui/Hint.tsx';
import type { EditableCosts } from '../costs.ts';

export const feesOf = (venue: Venue): Pick<EditableCosts, 'takerFeeFraction' | 'makerFeeFraction'> => {
  const { takerFeeFraction, makerFeeFraction } = venueFees[venue];
  return { takerFeeFraction, makerFeeFraction };
};

/** What the two fees start from, with where and when they were read. */
export function feeDefinition(venue: Venue): Definition {
  const { name, source } = schedules[venue];
  return {
    topic: 'setting.feesOf',
    name: 'Fees of',
    meaning: `The schedule that the two fees start from: USDT perpetuals, lowest tier, without discounts. ${name}: ${source}, read on ${feesReadOn}. Your own account may pay less, and regions differ: write what yours pays.`,
  };
}
