import {
  checkPracticeOrder,
  type PracticeProblem,
  type PracticeOrder,
} from '@sextant/workers/src/positions/practiceOrder.ts';
import { PRACTICE_NOTIONAL } from './practice.ts';

export interface TargetDraft {
  price: number | null;
  /** Percent of the position; the last target closes what is left. */
  sharePct: number;
}

/** The ticket of the replay as it is typed. */
export interface PracticeDraft {
  side: PracticeOrder['side'];
  type: PracticeOrder['type'];
  notional: number;
  /** Null: not typed yet. */
  price: number | null;
  stopPrice: number | null;
  targets: readonly TargetDraft[];
}

export const startDraft = (): PracticeDraft => ({
  side: 'LONG',
  type: 'market',
  notional: PRACTICE_NOTIONAL,
  price: null,
  stopPrice: null,
  targets: [],
});

/** Shares as they are sent, percent: the last target takes what the others leave. */
export function sharesOf(targets: readonly TargetDraft[]): number[] {
  const before = targets.slice(0, -1).map(({ sharePct }) => sharePct);
  return targets.length === 0 ? [] : [...before, 100 - before.reduce((sum, share) => sum + share, 0)];
}

/** The targets with one more, at equal shares. */
export function withTarget(targets: readonly TargetDraft[]): TargetDraft[] {
  const count = targets.length + 1;
  const share = Math.floor(100 / count);
  return [...targets, { price: null, sharePct: share }].map(({ price }) => ({ price, sharePct: share }));
}

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
