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

function trailingBody(trailing: TrailingView | null): NonNullable<ChangePositionBody['trailing']> {
  if (trailing === null) return { enabled: false };
  const { mode, activationPct: activation_pct } = trailing;
  return mode === 'atr'
    ? { enabled: true, mode, activation_pct, atr_mult: trailing.atrMultiplier, atr_period: trailing.atrPeriod }
    : { enabled: true, mode, activation_pct, callback_pct: trailing.callbackPct, step_pct: trailing.stepPct };
}

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

/**
 * Levels and trailing of an open position while its owner edits them, in the fields or on the chart. What is not edited follows the
 * position; a change elsewhere in between is rejected by the server.
 * @param price last price; null while unknown
 */
export function useLevelDraft(position: PositionView, price: number | null, decimals: number | undefined) {
  const [draft, setDraft] = useState<Draft>({});
  const changing = useChangePosition();
  const { data } = useSymbols(position.exchange);
  const tickSize = data?.symbols.find(({ symbol }) => symbol === position.symbol)?.tick_size ?? 0;
  const { side, liquidationApprox: liquidationPrice } = position;
  const terms = termsOf(position);
  const { stop = position.stopLoss, target = position.takeProfit, trailing = position.trailing } = draft;
  const body = changeBody(position, draft);
  const bounds = price === null ? null : { side, price, tickSize, liquidationPrice };
  const failure = changing.error;
  const failed = failure instanceof ApiFailure ? fieldsOf[failure.field ?? ''] : undefined;
  const failedText = failure === null ? null : messageOf(failure, 'Could not save the change.');
  const evenStop = breakEvenStop(terms, tickSize);
  const edit = (part: Draft) => {
    changing.reset();
    setDraft((before) => ({ ...before, ...part }));
  };
  const discard = () => {
    changing.reset();
    setDraft({});
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
    netAtStop: netAtStop(terms, stop),
    netAtTarget: netAtTarget(terms, target),
    /** Rejections by field, of this page before it is sent, or of the server. */
    problems: {
      stop:
        (body?.stop_loss === undefined || bounds === null ? null : rejectStop(bounds, stop)) ??
        (failed === 'stop' ? failedText : null),
      target:
        (body?.take_profit === undefined || bounds === null ? null : rejectTarget(bounds, target)) ??
        (failed === 'target' ? failedText : null),
    },
    /** What is not about one field. */
    failureText: failed === undefined ? failedText : null,
    failure,
    isStopMoved: body?.stop_loss !== undefined,
    isTargetMoved: body?.take_profit !== undefined,
    isUnsaved: body !== null,
    isSaving: changing.isPending,
    /** Null while the price has not passed it. */
    breakEven: price !== null && sideSign(side) * (price - evenStop) > 0 ? evenStop : null,
    moveStop: (to: number) => edit({ stop: roundStop(side, to, tickSize) }),
    moveTarget: (to: number) => edit({ target: roundTarget(side, to, tickSize) }),
    setTrailing: (next: TrailingView | null) => edit({ trailing: next }),
    discard,
    save,
  };
}

export type LevelDraft = ReturnType<typeof useLevelDraft>;
