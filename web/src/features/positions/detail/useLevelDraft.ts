import {
  type LevelTerms,
  netAtStop,
  netAtTarget,
  breakEvenStop,
  rejectStop,
  rejectTarget,
  rejectTargets,
  roundStop,
  roundTarget,
} from '@sextant/workers/src/positions/changedLevels.ts';
import { useState } from 'react';
import { ApiFailure, messageOf } from '../../../api/failure.ts';
import { type PositionView, sideSign, type TrailingView } from '../../../api/positionView.ts';
import type { ChangePositionBody } from '../../../api/types.ts';
import { useChangePosition } from '../../../data/positions.ts';
import { useSymbols } from '../../../data/symbols.ts';
import { formatFixed, formatMoney, formatPrice } from '../../../format/number.ts';
import { toast, toastFailure } from '../../../state/toasts.ts';
import {
  draftTargets,
  sharesOf,
  sharesProblem,
  type TargetDraft,
  targetsBody,
} from '../../shared/targets/targetDraft.ts';
import { trailingBody } from '../../shared/trailing/trailing.ts';
import { trailingText } from './positionTexts.ts';

type ExpectedLevels = NonNullable<ChangePositionBody['expected']>;

/** What the owner has changed and not saved. Absent: as the position has it. */
interface Draft {
  stop?: number;
  /** Nearest first. */
  targets?: readonly TargetDraft[];
  /** Targets of the position when their editing started: `targets` repeats them all, also those that were not edited. */
  seen?: Pick<PositionView, 'takeProfit' | 'takeProfits'>;
  trailing?: TrailingView | null;
}

export const termsOf = (position: PositionView): LevelTerms => position;

/** A net result in USDT and in multiples of the loss at the first stop: `−12.30 USDT, −0.85R`. */
export function netText(net: number, { lossAtStop }: Pick<PositionView, 'lossAtStop'>): string {
  const sign = net > 0 ? '+' : '';
  const multiple = lossAtStop > 0 ? `, ${sign}${formatFixed(net / lossAtStop, 2)}R` : '';
  return `${formatMoney(net, true)} USDT${multiple}`;
}

/** A share of a position: of several targets each closes one. All of it has what was realised before. */
const shareOf = (position: PositionView, share: number): LevelTerms => {
  const terms = termsOf(position);
  if (share === 1) return terms;
  const { qty, fees, funding } = terms;
  return { ...terms, qty: qty * share, fees: fees * share, funding: funding * share, realised: 0 };
};

const isSame = (a: TrailingView | null, b: TrailingView | null): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Targets ahead of a position. */
export const targetsOf = ({ takeProfit, takeProfits }: PositionView): TargetDraft[] =>
  draftTargets(takeProfits ?? [{ price: takeProfit, fraction: 1 }]);

/** Changed targets as the call takes them: a single one that only moves by its price, others all together. */
function targetsChange(position: PositionView, targets: readonly TargetDraft[]): Partial<ChangePositionBody> {
  const before = targetsBody(targetsOf(position), position.side);
  const next = targetsBody(targets, position.side);
  if (JSON.stringify(next) === JSON.stringify(before)) return {};
  const [only] = next;
  return next.length === 1 && before.length === 1 && only !== undefined
    ? { take_profit: only.price }
    : { take_profits: next };
}

/** The targets of a conflict; undefined: it names none. */
function seenOf(current: unknown): Draft['seen'] {
  if (typeof current !== 'object' || current === null || !('take_profit' in current)) return undefined;
  const { take_profit: takeProfit, take_profits: takeProfits = null } = current as ExpectedLevels;
  return { takeProfit, takeProfits };
}

/** Shows a conflict. Returns its targets: its message names them, so saving again replaces these, and no later ones. */
function reportConflict(thrown: unknown): Draft['seen'] {
  if (!(thrown instanceof ApiFailure) || thrown.code !== 'conflict') return undefined;
  toastFailure('Not saved', thrown);
  return seenOf(thrown.current);
}

/** The changes of a draft as the call takes them; null: there are none. */
export function changeBody(
  position: PositionView,
  { stop, targets, seen = position, trailing }: Draft,
): ChangePositionBody | null {
  const body: ChangePositionBody = {
    expected: { stop_loss: position.stopLoss, take_profit: seen.takeProfit, take_profits: seen.takeProfits },
  };
  if (stop !== undefined && stop !== position.stopLoss) body.stop_loss = stop;
  if (targets !== undefined) Object.assign(body, targetsChange(position, targets));
  if (trailing !== undefined && !isSame(trailing, position.trailing)) body.trailing = trailingBody(trailing);
  return Object.keys(body).length > 1 ? body : null;
}

function savedText(position: PositionView, decimals: number | undefined): string {
  const { symbol, side, stopLoss } = position;
  const prices = targetsOf(position).map(({ price }) => formatPrice(price, decimals));
  const levels = `stop ${formatPrice(stopLoss, decimals)}, ${prices.length > 1 ? 'targets' : 'target'} ${prices.join(', ')}`;
  return `${side} ${symbol} changed: ${levels}, trailing ${trailingText(position)}`;
}

const fieldsOf: Record<string, 'stop' | 'target'> = {
  stop_loss: 'stop',
  break_even: 'stop',
  take_profit: 'target',
  take_profits: 'target',
};

interface Problems {
  stop: string | null;
  target: string | null;
  /** What is not about one of them. */
  other: string | null;
}

/** What the server rejected, by field. */
function problemsOfServer(failure: Error | null): Problems {
  const none = { stop: null, target: null, other: null };
  if (failure === null) return none;
  const text = messageOf(failure, 'Could not save the change.');
  const field = failure instanceof ApiFailure ? fieldsOf[failure.field ?? ''] : undefined;
  return { ...none, [field ?? 'other']: text };
}

/** What the server would reject at this price; nothing while the price is unknown. */
function problemsAt(position: PositionView, body: ChangePositionBody | null, price: number | null, tickSize: number) {
  if (price === null || body === null) return { stop: null, target: null };
  const { side, liquidationApprox: liquidationPrice } = position;
  const bounds = { side, price, tickSize, liquidationPrice };
  return {
    stop: body.stop_loss === undefined ? null : rejectStop(bounds, body.stop_loss),
    target:
      body.take_profits !== undefined
        ? rejectTargets(bounds, body.take_profits)
        : body.take_profit === undefined
          ? null
          : rejectTarget(bounds, body.take_profit),
  };
}

/** Where break-even is; null while the price has not passed it. */
function reachedBreakEven(position: PositionView, price: number | null, tickSize: number): number | null {
  const stop = breakEvenStop(termsOf(position), tickSize);
  return price !== null && sideSign(position.side) * (price - stop) > 0 ? stop : null;
}

function useTickSize({ exchange, symbol }: PositionView): number {
  const { data } = useSymbols(exchange);
  return data?.symbols.find((each) => each.symbol === symbol)?.tick_size ?? 0;
}

/**
 * Levels and trailing of an open position while its owner edits them, in the fields or on the chart. What is not edited follows the
 * position; a change elsewhere in between is rejected by the server.
 * @param price last price; null while unknown
 */
export function useLevelDraft(position: PositionView, price: number | null, decimals: number | undefined) {
  const [draft, setDraft] = useState<Draft>({});
  const changing = useChangePosition();
  const tickSize = useTickSize(position);
  const { side } = position;
  const { stop = position.stopLoss, targets = targetsOf(position), trailing = position.trailing } = draft;
  const shares = sharesOf(targets);
  const body = changeBody(position, draft);
  const [here, there] = [problemsAt(position, body, price, tickSize), problemsOfServer(changing.error)];
  const edit = (part: Draft) => {
    changing.reset();
    setDraft((before) => ({ ...before, ...part }));
  };
  const editTargets = (next: readonly TargetDraft[]) => {
    const rounded = next.map((each) => ({ ...each, price: roundTarget(side, each.price, tickSize) }));
    edit({ targets: rounded, seen: draft.seen ?? position });
  };
  const save = () => {
    if (body === null) return;
    // Uses the promise: the position may close meanwhile, and its row and this form with it.
    changing.mutateAsync({ id: position.id, body }).then(
      (changed) => {
        setDraft({});
        toast(savedText(changed, decimals), 'success');
      },
      (thrown: unknown) => {
        const seen = reportConflict(thrown);
        if (seen !== undefined) setDraft((before) => (before.seen === undefined ? before : { ...before, seen }));
      },
    );
  };
  return {
    stop,
    targets,
    trailing,
    tickSize,
    netAtStop: netAtStop(termsOf(position), stop),
    /** Net result of what each target closes. */
    netAtTargets: targets.map(({ price }, at) => netAtTarget(shareOf(position, (shares[at] ?? 0) / 100), price)),
    /** Problems that this page finds before it sends, or that the server returns. */
    problems: {
      stop: here.stop ?? there.stop,
      target: sharesProblem(targets) ?? here.target ?? there.target,
      other: there.other,
    } satisfies Problems,
    isStopMoved: body?.stop_loss !== undefined,
    isTargetMoved: (body?.take_profit ?? body?.take_profits) !== undefined,
    isUnsaved: body !== null,
    isSaving: changing.isPending,
    breakEven: reachedBreakEven(position, price, tickSize),
    moveStop: (to: number) => edit({ stop: roundStop(side, to, tickSize) }),
    setTargets: editTargets,
    moveTarget: (at: number, to: number) =>
      editTargets(targets.map((target, row) => (row === at ? { ...target, price: to } : target))),
    setTrailing: (next: TrailingView | null) => edit({ trailing: next }),
    discard: () => {
      changing.reset();
      setDraft({});
    },
    save,
  };
}

export type LevelDraft = ReturnType<typeof useLevelDraft>;
