import { useMutation } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSnapshot } from 'valtio';
import { messageOf } from '../../api/failure.ts';
import {
  openCardWidget,
  PAYMENTS_RECENT,
  pendingOf,
  useMethods,
  usePayments,
  usePaymentStatus,
} from '../../api/payments.ts';
import type { CardWidget, Payment, PaymentMethodInfo } from '../../api/types.ts';
import { formatCount } from '../../format/number.ts';
import { openTab } from '../../state/navigation.ts';
import { tabPages, useOpenPage } from '../../state/tabPages.ts';
import { Notice, ToneIcon } from '../../ui/Notice.tsx';
import { PagedTab } from '../../ui/PagedTab.tsx';
import { ErrorState, Loaded, Panel } from '../../ui/Panel.tsx';
import { DetailsPage, outcomeText } from './details/DetailsPage.tsx';
import { AmountField, useAmount } from './AmountField.tsx';
import { fundsState, watchPayment } from './fundsState.ts';
import { OfflineLine, PaymentNote } from './PaymentNotices.tsx';
import { PurchasePage } from './purchase/PurchasePage.tsx';

const TAB = 'funds';

export function FundsTab() {
  const page = useOpenPage(TAB);
  usePendingPayment();
  return (
    <PagedTab tab={TAB} title="Funds" pages={tabPages[TAB]} page={page} layout="reading">
      {page === 'purchase' && <PurchasePage />}
      {page === 'details' && <DetailsPage />}
      {page === 'moonpay' && <CardPage />}
    </PagedTab>
  );
}

/** A payment that was left pending, in another window or before a reload, is followed again. */
function usePendingPayment(): void {
  const { watchedId } = useSnapshot(fundsState);
  const { data } = usePayments(PAYMENTS_RECENT);
  const pendingId = pendingOf(data ?? [], 'coin')?.id;
  useEffect(() => {
    if (watchedId === null && pendingId !== undefined) watchPayment(pendingId, false);
  }, [pendingId, watchedId]);
}

/** Credits by card: MoonPay's own form, in a frame. Loaded only on request. */
function CardPage() {
  const methods = useMethods();
  const recent = usePayments(PAYMENTS_RECENT);
  const { hasReturnedFromCard } = useSnapshot(fundsState);
  return (
    <div className="flex flex-col gap-4">
      <OfflineLine failure={methods.error} />
      {hasReturnedFromCard && <ReturnNotice />}
      <PaymentNote payment={pendingOf(recent.data ?? [], 'card')} />
      <Panel title="Pay by card with MoonPay">
        <Loaded response={methods} failure="Could not load payment methods." rows={4}>
          {(all) => {
            const card = all.find(({ method }) => method === 'card');
            return card !== undefined && <CardForm card={card} />;
          }}
        </Loaded>
      </Panel>
    </div>
  );
}

/** The return address proves nothing; only MoonPay's notification to the server counts. */
function ReturnNotice() {
  return (
    <Notice
      tone="info"
      action={
        <button type="button" className="btn btn-small" onClick={() => openTab('payments', 'history')}>
          Payment history
        </button>
      }
    >
      Waiting for MoonPay to confirm. Then we add your credits; see the history.
    </Notice>
  );
}

/** Amount of the sandbox where cards are not set up. */
const SANDBOX_USD = 100;

function CardForm({ card }: { card: PaymentMethodInfo }) {
  const [text, setText] = useState(String(card.default_usd));
  const open = useMutation({
    mutationFn: openCardWidget,
    onSuccess: ({ payment_id: id }) => (fundsState.watchedCardId = id),
  });
  const form = useAmount(card, text, setText);
  const { amount, isInside } = form;
  if (open.data !== undefined) return <Widget widget={open.data} onClose={open.reset} />;
  return (
    <form
      noValidate
      className="flex max-w-120 flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!card.is_available) open.mutate(undefined);
        else if (isInside) open.mutate(amount);
      }}
    >
      {card.is_sandbox && <SandboxNotice isAvailable={card.is_available} />}
      {card.is_available && <AmountField name="card-amount" form={form} />}
      {open.error !== null && (
        <ErrorState failure={open.error} text={messageOf(open.error, 'Could not open the card form.')} />
      )}
      <button
        type="submit"
        className="btn btn-primary self-start"
        disabled={open.isPending || (card.is_available && !isInside)}
      >
        Open the card form: {formatCount(card.is_available ? amount : SANDBOX_USD)} USD
      </button>
      <p className="text-label text-muted">
        Pay on a form from MoonPay. Only MoonPay gets your card number. Its fees appear there before you pay.
      </p>
    </form>
  );
}

function SandboxNotice({ isAvailable }: { isAvailable: boolean }) {
  return (
    <Notice tone="warn">
      {isAvailable
        ? 'This is MoonPay’s sandbox: use its test cards. No real money moves.'
        : 'This is MoonPay’s sandbox. Cards are not set up on this installation: the amount is fixed at 100 USD, no real money moves, and no credits are added.'}
    </Notice>
  );
}

function Widget({ widget, onClose }: { widget: CardWidget; onClose: () => void }) {
  const { data: payment } = usePaymentStatus(widget.payment_id, true);
  return (
    <div className="flex flex-col gap-3">
      {payment !== undefined && payment.status !== 'PENDING' && <CardOutcome payment={payment} />}
      {widget.is_sandbox && <SandboxNotice isAvailable={widget.is_configured} />}
      <p>
        Purchase of <strong>{formatCount(widget.amount)} USD</strong>
      </p>
      {widget.is_configured && (
        <iframe
          title="MoonPay card form"
          src={widget.url}
          referrerPolicy="strict-origin-when-cross-origin"
          allow="accelerometer; autoplay; camera; encrypted-media; gyroscope; payment"
          sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"
          className="h-160 w-full rounded border border-line bg-raised"
        />
      )}
      <div className="flex flex-wrap gap-2">
        <a href={widget.url} target="_blank" rel="noreferrer" className="btn">
          {widget.is_configured ? 'Nothing shown? Open it in a new tab' : 'Open the sandbox in a new tab'}{' '}
          <ExternalLink size={14} aria-hidden="true" />
        </a>
        <button type="button" className="btn btn-ghost" onClick={onClose}>
          Close the card form
        </button>
      </div>
    </div>
  );
}

/** Shown above the form, which may still show its own last page. */
function CardOutcome({ payment }: { payment: Payment }) {
  const { title, text, tone } = outcomeText(payment);
  return (
    <div role="status" className="flex flex-col items-start gap-2">
      <p className="flex items-center gap-2 text-page font-semibold">
        <ToneIcon tone={tone} />
        {title}
      </p>
      <p className="text-muted">{text}</p>
      <button type="button" className="btn" onClick={() => openTab('payments', 'history')}>
        Payment history
      </button>
    </div>
  );
}
