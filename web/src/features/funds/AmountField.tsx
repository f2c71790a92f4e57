import { USD_PER_CREDIT } from '@sextant/workers/src/core/creditPrices.ts';
import { useState } from 'react';
import type { PaymentMethodInfo } from '../../api/types.ts';
import { Field } from '../../ui/Field.tsx';
import { type Bounds, clampAmount, digitsOf, raisedText } from './fundsState.ts';

export interface AmountForm {
  text: string;
  /** US dollars. */
  amount: number;
  bounds: Bounds;
  isInside: boolean;
  /** How the typed amount was adjusted, until the next input. */
  note: string | null;
  type: (text: string) => void;
  /** Clamps an amount to the bounds, and says so. */
  raise: () => void;
}

/** Minimum of a method, rounded up to whole US dollars. */
export const leastOf = (method: PaymentMethodInfo): number => Math.ceil(method.minimum_usd);

/** The amount that is typed for a method of payment. */
export function useAmount(method: PaymentMethodInfo, text: string, setText: (text: string) => void): AmountForm {
  const [note, setNote] = useState<string | null>(null);
  const bounds = { min: leastOf(method), max: method.maximum_usd };
  const amount = Number(text);
  return {
    text,
    amount,
    bounds,
    isInside: amount >= bounds.min && amount <= bounds.max,
    note,
    type: (next) => {
      setNote(null);
      setText(next);
    },
    raise: () => {
      setNote(raisedText(text, bounds));
      setText(String(clampAmount(text, bounds)));
    },
  };
}

/** @param fixed why the amount cannot be changed; absent when it can */
export function AmountField({ name, form, fixed }: { name: string; form: AmountForm; fixed?: string | undefined }) {
  const { text, bounds, isInside, note, type, raise } = form;
  const free = note ?? `Whole US dollars, at least ${bounds.min}. ${USD_PER_CREDIT} USD buys 1 credit.`;
  return (
    <Field label="Amount" hint={fixed ?? free}>
      {(ids) => (
        <span className="relative">
          <input
            {...ids}
            className="input h-10 pr-12 text-section font-semibold"
            name={name}
            inputMode="numeric"
            autoComplete="off"
            disabled={fixed !== undefined}
            value={text}
            onChange={(event) => type(digitsOf(event.target.value))}
            onBlur={() => !isInside && raise()}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || isInside) return;
              // The raised amount is shown first; another Enter buys it.
              event.preventDefault();
              raise();
            }}
          />
          <span aria-hidden="true" className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-muted">
            USD
          </span>
        </span>
      )}
    </Field>
  );
}
