import { venueFees } from '@sextant/engine-as/abi/costs.ts';
import { type Contract, orderRules } from '@sextant/workers/src/candles/contract.ts';
import {
  checkPracticeOrder,
  type PracticeProblem,
  type PracticeOrder,
} from '@sextant/workers/src/positions/practiceOrder.ts';
import type { PracticeResult } from '@sextant/workers/src/protocol/practice.ts';
import { sharesOf, type TargetDraft } from '../../shared/targets/targetDraft.ts';
import { PRACTICE_EQUITY, PRACTICE_NOTIONAL } from './practice.ts';

/** The ticket of the replay as it is typed. */
export interface PracticeDraft {
  side: PracticeOrder['side'];
  type: PracticeOrder['type'];
  notional: number;
  leverage: number;
  /** Null: not typed yet. */
  price: number | null;
  stopPrice: number | null;
  targets: readonly TargetDraft<number | null>[];
}

export const startDraft = (): PracticeDraft => ({
  side: 'LONG',
  type: 'market',
  notional: PRACTICE_NOTIONAL,
  leverage: 1,
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

export const orderOf = ({
  side,
  type,
  notional,
  leverage,
  price,
  stopPrice,
  targets,
}: PracticeDraft): PracticeOrder => {
  const shares = sharesOf(targets);
  return {
    side,
    type,
    notional,
    leverage,
    price: type === 'market' ? null : price,
    stopPrice,
    targets: targets.map((target, at) => ({ price: target.price ?? NaN, fraction: (shares[at] ?? 0) / 100 })),
  };
};

/** The account and the market that a draft meets. */
export interface DraftTerms {
  /** Close of the last candle. */
  last: number;
  /** USDT of the account at that close. */
  equity: number;
  contract: Contract;
}

/** Equity at the last candle; that of the start until a first result. */
export const equityOf = (result: Pick<PracticeResult, 'equity'> | null): number =>
  result?.equity.at(-1) ?? PRACTICE_EQUITY;

/** Why the draft cannot be placed; null when it can. */
export function problemOf(draft: PracticeDraft, { last, equity, contract }: DraftTerms): PracticeProblem | null {
  const market = orderRules(contract, draft.notional);
  const terms = { last, equity, market, takerFeeFraction: venueFees[contract.exchange].takerFeeFraction };
  const empty = draft.targets.findIndex(({ price }) => price === null);
  const problem = checkPracticeOrder(orderOf({ ...draft, targets: [] }), terms);
  if (problem !== null) return problem;
  if (empty >= 0) return { field: 'targets', message: `Enter the price of target ${empty + 1}, or remove it.` };
  return checkPracticeOrder(orderOf(draft), terms);
}

/** The order whose figures are computed; undefined while it cannot be placed. */
export const previewedOrder = (draft: PracticeDraft, terms: DraftTerms): PracticeOrder | undefined =>
  problemOf(draft, terms) === null ? orderOf(draft) : undefined;
