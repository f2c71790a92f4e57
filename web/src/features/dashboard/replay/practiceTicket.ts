import {
  checkPracticeOrder,
  type PracticeProblem,
  type PracticeOrder,
} from '@sextant/workers/src/positions/practiceOrder.ts';
import { sharesOf, type TargetDraft } from '../../shared/targets/targetDraft.ts';
import { PRACTICE_NOTIONAL } from './practice.ts';

/** The ticket of the replay as it is typed. */
export interface PracticeDraft {
  side: PracticeOrder['side'];
  type: PracticeOrder['type'];
  notional: number;
  /** Null: not typed yet. */
  price: number | null;
  stopPrice: number | null;
  targets: readonly TargetDraft<number | null>[];
}

export const startDraft = (): PracticeDraft => ({
  side: 'LONG',
  type: 'market',
  notional: PRACTICE_NOTIONAL,
  price: null,
  stopPrice: null,
  targets: [],
});

/** The other side has its levels on the other side of the price. */
export const withSide = (draft: PracticeDraft, side: PracticeDraft['side']): PracticeDraft =>
  side === draft.side
    ? draft
    : {
        ...draft,
        side,
        price: null,
        stopPrice: null,
        targets: draft.targets.map((each) => ({ ...each, price: null })),
      };

export const orderOf = ({ side, type, notional, price, stopPrice, targets }: PracticeDraft): PracticeOrder => {
  const shares = sharesOf(targets);
  return {
    side,
    type,
    notional,
    price: type === 'market' ? null : price,
    stopPrice,
    targets: targets.map((target, at) => ({ price: target.price ?? NaN, fraction: (shares[at] ?? 0) / 100 })),
  };
};

/** Why the draft cannot be placed; null when it can. */
export function problemOf(draft: PracticeDraft, last: number, equity: number): PracticeProblem | null {
  const empty = draft.targets.findIndex(({ price }) => price === null);
  const problem = checkPracticeOrder(orderOf({ ...draft, targets: [] }), last, equity);
  if (problem !== null) return problem;
  if (empty >= 0) return { field: 'targets', message: `Enter the price of target ${empty + 1}, or remove it.` };
  return checkPracticeOrder(orderOf(draft), last, equity);
}
