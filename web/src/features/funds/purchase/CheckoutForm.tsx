import { useEffect, useState } from 'react';
import { useSnapshot } from 'valtio';
import { ApiFailure, messageOf } from '../../../api/failure.ts';
import { useCreatePayment, useEstimate } from '../../../api/payments.ts';
import type { Payment } from '../../../api/types.ts';
import { formatCount, formatMany, NO_VALUE } from '../../../format/number.ts';
import { coinText } from '../../../format/paymentNames.ts';
import { openPage } from '../../../state/navigation.ts';
import { toast } from '../../../state/toasts.ts';
import { FactList } from '../../../ui/FactList.tsx';
import { Field } from '../../../ui/Field.tsx';
import { ErrorState } from '../../../ui/Panel.tsx';
import { digitsOf, raised, raisedText } from '../amount.ts';
import { fundsState, watchPayment } from '../fundsState.ts';
import type { CoinMethodInfo } from './PurchasePage.tsx';

/** The provider's own words first, then the detail or message of our answer. Its `error` is a code and is not for the screen. */
export function createFailureText(failure: unknown): string {
  const fromProvider = failure instanceof ApiFailure ? failure.providerDetail : undefined;
  return fromProvider ?? messageOf(failure, 'Failed to create payment');
}

/** Amounts one click away, in US dollars. */
const SUGGESTED = [20, 50, 100, 250];

/** @param open the open payment: the amount is that of it until it is closed */
export function CheckoutForm({ chosen, open }: { chosen: CoinMethodInfo; open: Payment | undefined }) {
  const { amountText } = useSnapshot(fundsState);
  const [note, setNote] = useState<string | null>(null);
  const create = useCreatePayment();
  const bounds = { min: Math.ceil(chosen.minimum_usd), max: chosen.maximum_usd };
  const text =
    open === undefined ? (amountText ?? String(Math.max(chosen.default_usd, bounds.min))) : String(open.tokens);
  const amount = Number(text);
  const isInside = amount >= bounds.min && amount <= bounds.max;
  const setAmount = (next: string) => {
    create.reset();
    fundsState.amountText = next;
  };
  const raise = () => {
    setNote(raisedText(text, bounds));
    setAmount(String(raised(text, bounds)));
  };
  const checkout = () =>
    create.mutate(
      { amount, currency: chosen.method },
      {
        onSuccess: ({ payment, is_existing: isExisting }) => {
          toast(isExisting ? 'Your open payment is shown' : 'Payment created successfully', 'success');
          watchPayment(payment.id, !isExisting);
          fundsState.amountText = null;
          openPage('funds', 'details');
        },
      },
    );
  return (
    <form
      noValidate
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (open !== undefined) openPage('funds', 'details');
        else if (isInside) checkout();
      }}
    >
      <Field
        label="Amount"
        hint={
          open === undefined
            ? (note ?? `Whole US dollars, at least ${bounds.min}. 1 USD buys 1 credit.`)
            : 'Fixed by the open payment. Close that payment to choose another amount.'
        }
      >
        {(ids) => (
          <span className="relative">
            <input
              {...ids}
              className="input h-10 pr-12 text-section font-semibold"
              name="amount"
              inputMode="numeric"
              autoComplete="off"
              disabled={open !== undefined}
              value={text}
              onChange={(event) => {
                setNote(null);
                setAmount(digitsOf(event.target.value));
              }}
              onBlur={() => !isInside && raise()}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || isInside) return;
                // The raised amount is shown first; another Enter buys it.
                event.preventDefault();
                raise();
              }}
            />
            <span
              aria-hidden="true"
              className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-muted"
            >
              USD
            </span>
          </span>
        )}
      </Field>
      {open === undefined && (
        <div className="flex flex-wrap gap-2">
          {SUGGESTED.filter((each) => each >= bounds.min && each <= bounds.max).map((each) => (
            <button
              key={each}
              type="button"
              className={`btn btn-small ${amount === each ? 'border-accent' : ''}`}
              aria-pressed={amount === each}
              onClick={() => {
                setNote(null);
                setAmount(String(each));
              }}
            >
              {each} USD
            </button>
          ))}
        </div>
      )}
      <Summary chosen={chosen} amount={amount} open={open} isInside={isInside} />
      {create.error !== null && <ErrorState text={createFailureText(create.error)} />}
      <button
        type="submit"
        className="btn btn-primary btn-large"
        disabled={open === undefined && (!isInside || create.isPending)}
      >
        {open !== undefined
          ? 'Show the open payment'
          : create.isPending
            ? 'Creating payment...'
            : `Checkout: ${formatCount(amount)} USD`}
      </button>
    </form>
  );
}

/** Enough to compare; the invoice has every digit. */
const COIN_DECIMALS = 6;
/** How long typing must pause before the price in coins is asked for. */
const SETTLE_MS = 400;

interface SummaryProps {
  chosen: CoinMethodInfo;
  amount: number;
  open: Payment | undefined;
  isInside: boolean;
}

function Summary({ chosen, amount, open, isInside }: SummaryProps) {
  const [settled, setSettled] = useState(amount);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(amount), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [amount]);
  const estimate = useEstimate(chosen.method, settled, open === undefined && isInside && settled === amount);
  const isKnown = isInside && estimate.data?.amount === amount;
  const about = isKnown
    ? `about ${Number(Number(estimate.data?.pay_amount).toFixed(COIN_DECIMALS))} ${chosen.name}`
    : NO_VALUE;
  const rows: [string, string][] = [
    ['You get', open !== undefined || isInside ? formatMany(amount, 'credit') : NO_VALUE],
    ['You pay', open === undefined ? about : coinText(open)],
    ['Network', chosen.network ?? NO_VALUE],
  ];
  return <FactList facts={rows} className="rounded border border-line p-3 [&_dd]:font-medium" />;
}
