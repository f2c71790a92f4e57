import { useEffect, useId, useState } from 'react';
import { useSnapshot } from 'valtio';
import { useCredits } from '../../../api/credits.ts';
import { ApiFailure, messageOf } from '../../../api/failure.ts';
import {
  type CoinMethod,
  PAYMENTS_RECENT,
  pendingOf,
  useCancelPayment,
  useCreatePayment,
  useEstimate,
  useMethods,
  usePayments,
} from '../../../api/payments.ts';
import type { Payment, PaymentMethodInfo } from '../../../api/types.ts';
import { formatAmount, formatCount, formatMany, NO_VALUE } from '../../../format/number.ts';
import { coinText, methodText } from '../../../format/paymentNames.ts';
import { openPage } from '../../../state/navigation.ts';
import { toast } from '../../../state/toasts.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { FactList } from '../../../ui/FactList.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { EmptyState, ErrorState, Loaded, Panel } from '../../../ui/Panel.tsx';
import { AmountField, leastOf, useAmount } from '../AmountField.tsx';
import { fundsState, watchPayment } from '../fundsState.ts';
import { OfflineLine, OpenPaymentNotice, PaymentTerms } from '../PaymentNotices.tsx';

type CoinMethodInfo = PaymentMethodInfo & { method: CoinMethod };
const isCoin = (info: PaymentMethodInfo): info is CoinMethodInfo => info.method !== 'card' && info.is_available;

/** Number of credits, coin and network, and the next steps. */
export function PurchasePage() {
  const methods = useMethods();
  const payments = usePayments(PAYMENTS_RECENT);
  const open = pendingOf(payments.data ?? [], 'coin');
  return (
    <div className="flex flex-col gap-4">
      <OfflineLine failure={methods.error ?? payments.error} />
      {open !== undefined && <OpenPaymentNotice payment={open} />}
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_340px]">
        <Panel title="Purchase credits" aside={<Balance />} bodyClassName="">
          <Loaded response={methods} failure="Could not load payment methods." rows={6}>
            {(all) => {
              const coins = all.filter(isCoin);
              return coins.length === 0 ? (
                <EmptyState text="Coin payments are off here. Try a card: see MoonPay.">
                  <button type="button" className="btn" onClick={() => openPage('funds', 'moonpay')}>
                    Pay by card
                  </button>
                </EmptyState>
              ) : (
                <Purchase coins={coins} open={open} />
              );
            }}
          </Loaded>
        </Panel>
        <PaymentTerms />
      </div>
    </div>
  );
}

function Balance() {
  const { data } = useCredits();
  return data === undefined ? null : <>You have {formatCount(data.balance)} credits</>;
}

function Purchase({ coins, open }: { coins: readonly CoinMethodInfo[]; open: Payment | undefined }) {
  const { method } = useSnapshot(fundsState);
  const [requested, setRequested] = useState<CoinMethodInfo | null>(null);
  const ofPayment = coins.find((each) => each.method === open?.method);
  const chosen = ofPayment ?? coins.find((each) => each.method === method) ?? coins[0];
  if (chosen === undefined) return null;
  const choose = (next: CoinMethodInfo) => {
    if (open === undefined) fundsState.method = next.method;
    else if (next.method !== open.method) setRequested(next);
  };
  return (
    <div className="flex flex-col gap-4 p-3">
      {chosen.is_sandbox && <Notice tone="info">Practice payments: play money only; no coins move.</Notice>}
      <MethodChoice coins={coins} chosen={chosen} onChoose={choose} />
      <CheckoutForm key={chosen.method} chosen={chosen} open={open} />
      <SwitchDialog open={open} next={requested} onDone={() => setRequested(null)} />
    </div>
  );
}

interface Props {
  coins: readonly CoinMethodInfo[];
  chosen: CoinMethodInfo;
  onChoose: (info: CoinMethodInfo) => void;
}

/** Coin and network are one choice: coins sent on another network are lost. */
function MethodChoice({ coins, chosen, onChoose }: Props) {
  const name = useId();
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 text-label font-medium">Pay with</legend>
      <div className="grid gap-2 md:grid-cols-2">
        {coins.map((info) => (
          <label
            key={info.method}
            className={`flex cursor-pointer items-start gap-2 rounded border p-3 has-focus-visible:outline-2 has-focus-visible:outline-accent ${
              info === chosen ? 'border-accent bg-accent-soft' : 'border-line hover:border-muted'
            }`}
          >
            <input
              type="radio"
              name={name}
              className="mt-0.5 size-4 accent-[var(--accent)]"
              checked={info === chosen}
              onChange={() => onChoose(info)}
            />
            <span className="flex min-w-0 flex-col">
              <span className="font-semibold">{methodText(info)}</span>
              <span className="text-label text-muted">From {formatAmount(info.minimum_usd)} USD</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface SwitchProps {
  open: Payment | undefined;
  /** The newly selected method; null while no confirmation is open. */
  next: CoinMethodInfo | null;
  onDone: () => void;
}

/** Confirms before another method closes the open payment. */
function SwitchDialog({ open, next, onDone }: SwitchProps) {
  const isOpen = open !== undefined && next !== null;
  return (
    <Dialog
      isOpen={isOpen}
      title={next === null ? '' : `Switch to ${methodText(next)}?`}
      text={
        open !== undefined &&
        `The open payment of ${formatCount(open.tokens)} credits by ${methodText(open)} will be cancelled. Coins you already sent are still credited when they arrive.`
      }
      onClose={onDone}
    >
      {isOpen && <SwitchButtons open={open} next={next} onDone={onDone} />}
    </Dialog>
  );
}

function SwitchButtons({ open, next, onDone }: { open: Payment; next: CoinMethodInfo; onDone: () => void }) {
  const cancel = useCancelPayment();
  const [isRejected, setRejected] = useState(false);
  const switchMethod = async () => {
    const isCancelled = await cancel.mutateAsync({ order_id: open.order_id, reason: 'cancelled' });
    setRejected(!isCancelled);
    if (!isCancelled) return;
    fundsState.watchedId = null;
    fundsState.method = next.method;
    onDone();
  };
  return (
    <>
      {isRejected && <ErrorState text="Could not cancel the open payment. Try again." />}
      <div className="flex flex-wrap justify-end gap-2">
        <button type="button" className="btn" onClick={onDone}>
          Keep the open payment
        </button>
        <button
          type="button"
          className="btn btn-primary"
          disabled={cancel.isPending}
          onClick={() => void switchMethod()}
        >
          Cancel it and switch
        </button>
      </div>
    </>
  );
}

/** The provider's own message first, then the detail or message of the response. Its `error` is a code and not for the screen. */
export function createFailureText(failure: unknown): string {
  const fromProvider = failure instanceof ApiFailure ? failure.providerDetail : undefined;
  return fromProvider ?? messageOf(failure, 'Failed to create payment');
}

/** Preset amounts, in US dollars. */
const SUGGESTED = [20, 50, 100, 250];

/** @param open the open payment, which fixes the amount until it is closed */
function CheckoutForm({ chosen, open }: { chosen: CoinMethodInfo; open: Payment | undefined }) {
  const { amountText } = useSnapshot(fundsState);
  const create = useCreatePayment();
  const text =
    open === undefined ? (amountText ?? String(Math.max(chosen.default_usd, leastOf(chosen)))) : String(open.tokens);
  const form = useAmount(chosen, text, (next) => {
    create.reset();
    fundsState.amountText = next;
  });
  const { amount, bounds, isInside } = form;
  const checkout = () =>
    create.mutate(
      { amount, currency: chosen.method },
      {
        onSuccess: ({ payment, is_existing: isExisting }) => {
          toast(
            isExisting
              ? `Your open invoice is for ${formatCount(payment.tokens)} USD. Close it to change the amount.`
              : 'Payment created successfully',
            isExisting ? 'info' : 'success',
          );
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
      <AmountField
        name="amount"
        form={form}
        fixed={open === undefined ? undefined : 'Fixed by the open payment. Close it to change the amount.'}
      />
      {open === undefined && (
        <div className="flex flex-wrap gap-2">
          {SUGGESTED.filter((each) => each >= bounds.min && each <= bounds.max).map((each) => (
            <button
              key={each}
              type="button"
              className={`btn btn-small ${amount === each ? 'border-accent' : ''}`}
              aria-pressed={amount === each}
              onClick={() => form.type(String(each))}
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
/** Pause in typing before the price in coins is fetched. */
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
