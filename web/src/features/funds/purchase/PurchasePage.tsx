import { useState } from 'react';
import { useSnapshot } from 'valtio';
import { useCredits } from '../../../api/credits.ts';
import { type CoinMethod, PAYMENTS_RECENT, pendingOf, useMethods, usePayments } from '../../../api/payments.ts';
import type { Payment, PaymentMethodInfo } from '../../../api/types.ts';
import { formatCount } from '../../../format/number.ts';
import { methodText } from '../../../format/paymentNames.ts';
import { openPage } from '../../../state/navigation.ts';
import { Loaded } from '../../../ui/Loaded.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { EmptyState, Panel } from '../../../ui/Panel.tsx';
import { countdownText, useSecondsLeft } from '../countdown.ts';
import { fundsState } from '../fundsState.ts';
import { OfflineLine } from '../OfflineLine.tsx';
import { PaymentTerms } from '../PaymentTerms.tsx';
import { CheckoutForm } from './CheckoutForm.tsx';
import { MethodChoice } from './MethodChoice.tsx';
import { SwitchDialog } from './SwitchDialog.tsx';

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
