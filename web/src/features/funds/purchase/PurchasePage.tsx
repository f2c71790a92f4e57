import { useId, useState } from 'react';
import { useSnapshot } from 'valtio';
import { useCredits } from '../../../api/credits.ts';
import {
  type CoinMethod,
  PAYMENTS_RECENT,
  pendingOf,
  useCancelPayment,
  useMethods,
  usePayments,
} from '../../../api/payments.ts';
import type { Payment, PaymentMethodInfo } from '../../../api/types.ts';
import { formatAmount, formatCount } from '../../../format/number.ts';
import { methodText } from '../../../format/paymentNames.ts';
import { openPage } from '../../../state/navigation.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { EmptyState, ErrorState, Panel } from '../../../ui/Panel.tsx';
import { countdownText, useSecondsLeft } from '../countdown.ts';
import { fundsState } from '../fundsState.ts';
import { OfflineLine, PaymentTerms } from '../PaymentNotices.tsx';
import { CheckoutForm } from './CheckoutForm.tsx';

export type CoinMethodInfo = PaymentMethodInfo & { method: CoinMethod };
const isCoin = (info: PaymentMethodInfo): info is CoinMethodInfo => info.method !== 'card' && info.is_available;

/** How many credits, by which coin on which network, and what happens then. */
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
          <Loaded answer={methods} failure="The payment methods could not be read." rows={6}>
            {(all) => {
              const coins = all.filter(isCoin);
              return coins.length === 0 ? (
                <EmptyState text="This installation takes no payments in coins. A card may work: see MoonPay.">
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
  const [asked, setAsked] = useState<CoinMethodInfo | null>(null);
  const ofPayment = coins.find((each) => each.method === open?.method);
  const chosen = ofPayment ?? coins.find((each) => each.method === method) ?? coins[0];
  if (chosen === undefined) return null;
  const choose = (next: CoinMethodInfo) => {
    if (open === undefined) fundsState.method = next.method;
    else if (next.method !== open.method) setAsked(next);
  };
  return (
    <div className="flex flex-col gap-4 p-3">
      {chosen.is_sandbox && (
        <Notice tone="info">Practice payments: this installation takes play money only, and no coins move.</Notice>
      )}
      <MethodChoice coins={coins} chosen={chosen} onChoose={choose} />
      <CheckoutForm key={chosen.method} chosen={chosen} open={open} />
      <SwitchDialog open={open} next={asked} onDone={() => setAsked(null)} />
    </div>
  );
}

function OpenPaymentNotice({ payment }: { payment: Payment }) {
  const left = useSecondsLeft(payment);
  return (
    <Notice
      tone="warn"
      action={
        <button type="button" className="btn btn-small" onClick={() => openPage('funds', 'details')}>
          Show payment
        </button>
      }
    >
      Open payment: {formatCount(payment.tokens)} credits by {methodText(payment)}
      {left !== null && left > 0 && (
        <>
          , <span className="tabular">{countdownText(left)}</span> left
        </>
      )}
      .
    </Notice>
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
  /** The method that was chosen instead; null while nothing is asked. */
  next: CoinMethodInfo | null;
  onDone: () => void;
}

/** Asked before another method closes the open payment. */
function SwitchDialog({ open, next, onDone }: SwitchProps) {
  const isOpen = open !== undefined && next !== null;
  return (
    <Dialog
      isOpen={isOpen}
      title={next === null ? '' : `Switch to ${methodText(next)}?`}
      text={
        open !== undefined &&
        `The open payment of ${formatCount(open.tokens)} credits by ${methodText(open)} is cancelled. Coins you have sent already are still credited when they arrive.`
      }
      onClose={onDone}
    >
      {isOpen && <SwitchButtons open={open} next={next} onDone={onDone} />}
    </Dialog>
  );
}

function SwitchButtons({ open, next, onDone }: { open: Payment; next: CoinMethodInfo; onDone: () => void }) {
  const cancel = useCancelPayment();
  const [isRefused, setRefused] = useState(false);
  const switchMethod = async () => {
    const isCancelled = await cancel.mutateAsync({ order_id: open.order_id, reason: 'cancelled' });
    setRefused(!isCancelled);
    if (!isCancelled) return;
    fundsState.watchedId = null;
    fundsState.method = next.method;
    onDone();
  };
  return (
    <>
      {isRefused && <ErrorState text="The open payment was not cancelled. Try again." />}
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
