import {
  type LevelTerms,
  netAtStop,
  netAtTarget,
  breakEvenStop,
  rejectStop,
  rejectTarget,
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
import { trailingBody } from '../../shared/trailing/trailing.ts';
import { trailingText } from './positionTexts.ts';

/** What the owner has changed and not saved. Absent: as the position has it. */
interface Draft {
  stop?: number;
  target?: number;
  trailing?: TrailingView | null;
}

export const termsOf = (position: PositionView): LevelTerms => position;

/** A net result in USDT and in multiples of the loss at the first stop: `−12.30 USDT, −0.85R`. */
export function netText(net: number, { lossAtStop }: Pick<PositionView, 'lossAtStop'>): string {
  const sign = net > 0 ? '+' : '';
  const multiple = lossAtStop > 0 ? `, ${sign}${formatFixed(net / lossAtStop, 2)}R` : '';
  return `${formatMoney(net, true)} USDT${multiple}`;
}

const isSame = (a: TrailingView | null, b: TrailingView | null): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The changes of a draft as the call takes them; null: there are none. */
export function changeBody(position: PositionView, { stop, target, trailing }: Draft): ChangePositionBody | null {
  const body: ChangePositionBody = {
    expected: { stop_loss: position.stopLoss, take_profit: position.takeProfit },
  };
  if (stop !== undefined && stop !== position.stopLoss) body.stop_loss = stop;
  if (target !== undefined && target !== position.takeProfit) body.take_profit = target;
  if (trailing !== undefined && !isSame(trailing, position.trailing)) body.trailing = trailingBody(trailing);
  return Object.keys(body).length > 1 ? body : null;
}

function savedText(
  { symbol, side, stopLoss, takeProfit, ...position }: PositionView,
  decimals: number | undefined,
): string {
  const levels = `stop ${formatPrice(stopLoss, decimals)}, target ${formatPrice(takeProfit, decimals)}`;
  return `${side} ${symbol} changed: ${levels}, trailing ${trailingText(position)}`;
}

const fieldsOf: Record<string, 'stop' | 'target'> = { stop_loss: 'stop', break_even: 'stop', take_profit: 'target' };

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
    target: body.take_profit === undefined ? null : rejectTarget(bounds, body.take_profit),
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
  const { stop = position.stopLoss, target = position.takeProfit, trailing = position.trailing } = draft;
  const body = changeBody(position, draft);
  const [here, there] = [problemsAt(position, body, price, tickSize), problemsOfServer(changing.error)];
  const edit = (part: Draft) => {
    changing.reset();
    setDraft((before) => ({ ...before, ...part }));
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
        if (thrown instanceof ApiFailure && thrown.code === 'conflict') toastFailure('Not saved', thrown);
      },
    );
  };
  return {
    stop,
    target,
    trailing,
    tickSize,
    netAtStop: netAtStop(termsOf(position), stop),
    netAtTarget: netAtTarget(termsOf(position), target),
    /** Of this page before it is sent, or of the server. */
    problems: {
      stop: here.stop ?? there.stop,
      target: here.target ?? there.target,
      other: there.other,
    } satisfies Problems,
    isStopMoved: body?.stop_loss !== undefined,
    isTargetMoved: body?.take_profit !== undefined,
    isUnsaved: body !== null,
    isSaving: changing.isPending,
    breakEven: reachedBreakEven(position, price, tickSize),
    moveStop: (to: number) => edit({ stop: roundStop(side, to, tickSize) }),
    moveTarget: (to: number) => edit({ target: roundTarget(side, to, tickSize) }),
    setTrailing: (next: TrailingView | null) => edit({ trailing: next }),
    discard: () => {
      changing.reset();
      setDraft({});
    },
    save,
  };
}

export type LevelDraft = ReturnType<typeof useLevelDraft>;
